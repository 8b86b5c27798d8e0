"""Local mode as a newcomer meets it: the real command, a real browser, a deal played by clicks."""

import asyncio
import re
import signal
import socket
from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio
from playwright.async_api import Browser
from yarl import URL

from engine import __version__
from engine.languages import by_code
from tests.browser import LONGEST_WAIT, Window, chromium, expect, local_mode, visiting
from tests.scraping import free_port, read

#: The page's sizes in pixels: two frames side by side, at most and at least, and one above the other.
WIDE, MIDDLE, PHONE = (1280, 800), (780, 800), (390, 844)

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """One for all tests, as it takes seconds to start; each closes the windows that it opens."""
    async with chromium() as browser:
        yield browser


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def url() -> AsyncIterator[str]:
    """The address of a bot for tests that leave #hearts alone."""
    async with local_mode() as (url, _):
        yield url


async def test_a_newcomer_plays_a_deal_with_strong_computers_by_dm_and_ends_with_ctrl_c(
    browser: Browser,
) -> None:
    """Meanwhile pictures have their place, and no name of a card is shown for one."""
    async with visiting(browser), local_mode() as (url, process):
        ann = await Window.open(browser, url)
        await ann.page.add_init_script(WATCH_PICTURES)
        await ann.reload()
        await ann.channel.type("/hearts new")
        assert "Lowest total wins" in await ann.channel.text("Seats")
        await ann.channel.click("Options")
        for _ in range(3):
            await ann.channel.click("Strong")
        await ann.channel.click("Start")
        await ann.dm.pass_three()
        await ann.dm.play()
        for _ in range(2):  # also where it was all there before
            await ann.dm.sees(re.compile("Your turn|Deal 1 is over"))
            assert await ann.dm.frame.evaluate("seen") == {"pictures": True, "faults": []}
            await ann.reload()
        await ann.dm.play_the_deal()
        await ann.channel.sees("After deal 1")

        await ann.become("Bo")
        await ann.channel.click("My hand")
        assert "You're not in this game" in await ann.channel.text()
        assert await ann.dm.messages().count() == 0
        await ann.become("Ann")
        await ann.channel.run("hearts privacy")
        await ann.channel.click("Export")
        await ann.channel.sees("hearts-privacy.json")
        await ann.channel.run("hearts record")  # a file, which is no picture, stops nothing
        await ann.channel.sees(re.compile(r"hearts-\d+\.jsonl"))

        process.send_signal(signal.SIGINT)
        _, errors = await asyncio.wait_for(process.communicate(), LONGEST_WAIT / 1000)
        assert process.returncode == 0
        assert "Traceback" not in errors.decode()
        assert "hit an error" not in errors.decode()
        await ann.page.get_by_text("Local mode has ended").wait_for()


#: Looks, each time that something is drawn, for emojis that are missing and pictures that change their size.
WATCH_PICTURES = """
    const sizes = new Map();
    window.seen = { pictures: false, faults: [] };
    requestAnimationFrame(function look() {
        for (const image of document.querySelectorAll(".custom-emoji, .entity-avatar-img"))
            if (!image.complete || !image.naturalWidth) seen.faults.push(image.alt || image.className);
        for (const one of document.querySelectorAll(".emoji-unavailable, .media-unavailable"))
            seen.faults.push(one.textContent);
        for (const image of document.querySelectorAll(".gallery-image")) {
            const { width, height } = image.getBoundingClientRect();
            const [before, now] = [sizes.get(image), `${Math.round(width)} x ${Math.round(height)}`];
            if (before && before !== now) seen.faults.push(`${before} became ${now}: ${image.alt}`);
            sizes.set(image, now);
            seen.pictures ||= image.complete && image.naturalWidth > 0;
        }
        requestAnimationFrame(look);
    });
"""


async def test_without_a_browser_it_names_a_port_that_is_taken_and_serves_metrics_until_it_ends() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port, free = taken.getsockname()[1], free_port()
        settings = {"HEARTS_LOCAL_PORT": str(port), "HEARTS_METRICS": f"localhost:{free}"}
        async with local_mode(**settings) as (line, process), aiohttp.ClientSession() as session:
            url, _, said = line.partition(" ")
            assert said == f"(port {port} is taken)"
            assert URL(url).port != port
            assert await status(session, URL(url)) == 200
            async with session.get(f"http://127.0.0.1:{free}/metrics") as answer:
                scrape = read(await answer.text())
            assert scrape("hearts_build_info", version=__version__) == 1
            assert scrape("hearts_servers") == 1
            process.send_signal(signal.SIGTERM)
            _, errors = await asyncio.wait_for(process.communicate(), LONGEST_WAIT / 1000)
            assert (process.returncode, errors) == (0, b"")


async def test_the_empty_page_says_what_this_is_and_a_list_of_options_what_they_do(
    browser: Browser, url: str
) -> None:
    async with visiting(browser):
        ann = await Window.open(browser, url)
        for size in WIDE, MIDDLE, PHONE:
            await ann.resize(size)
            await ann.reload()
            empty = ann.channel.frame.locator("#channel-empty")
            await expect(empty.get_by_text("Hearts family of card games")).to_be_in_viewport(ratio=1)
            await expect(empty.get_by_role("button", name="Open a table")).to_be_in_viewport(ratio=1)
            assert await empty.locator("img").evaluate("face => face.naturalWidth > 0")
            await ann.channel.frame.locator("#channel-composer-input").fill("/hearts new")
            await ann.channel.frame.locator(".command-entry").first.click()
            option = ann.channel.frame.locator(".command-suggestion").first
            await expect(option).to_have_text(re.compile("^game.*Which game of the family$"))
            assert await option.locator("span").evaluate_all(IS_WHOLE) == [True, True]


#: Whether each of these is shown whole, and not cut off at the end of its line.
IS_WHOLE = "all => all.map(one => one.offsetWidth > 0 && one.scrollWidth <= one.offsetWidth)"


async def test_with_closed_dms_the_hand_is_in_the_channel_where_another_takes_a_seat(
    browser: Browser,
) -> None:
    async with visiting(browser), local_mode() as (url, process):
        di = await Window.open(browser, url, "Di")
        await di.channel.begin()
        await di.channel.click("Start")
        await di.channel.click("My hand", within="Deal 1")
        await di.channel.pass_three()
        await di.channel.play()
        assert await di.dm.messages().count() == 0
        assert await di.dm.frame.get_by_text("Di takes no direct messages").is_visible()
        bo = await Window.open(browser, url, "Bo", size=PHONE)
        for _ in range(3):
            await bo.channel.click("Take a seat")
        menus = bo.channel.messages("Whose seat").locator(".select-trigger")
        for number in (0, 2, 0, 2):  # each opens with one click, while another is open
            box = await menus.nth(number).bounding_box()
            await bo.page.mouse.click(box["x"] + 40, box["y"] + 15, delay=100)
            await expect(menus.nth(number)).to_have_attribute("aria-expanded", "true", timeout=5000)
            await expect(menus.nth(2 - number)).to_have_attribute("aria-expanded", "false")
        # Neither her closed DMs nor a tab that is closed in mid-request is anything to report.
        for address in (URL(di.channel.frame.url).with_path("/api/pages"), URL(url) / "language"):
            await break_off(address, capability=URL(di.channel.frame.url).fragment)
        process.send_signal(signal.SIGTERM)
        _, errors = await asyncio.wait_for(process.communicate(), LONGEST_WAIT / 1000)
        assert (process.returncode, errors) == (0, b"")


async def break_off(address: URL, *, capability: str) -> None:
    """Begin to send a form, and close the connection."""
    reader, writer = await asyncio.open_connection(address.host, address.port)
    head = (
        f"POST {address.raw_path} HTTP/1.1\r\nHost: {address.host}:{address.port}\r\nContent-Length: 100\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nX-Simcord-Capability: {capability}\r\n"
        "Expect: 100-continue\r\n\r\n"
    )
    writer.write(head.encode())
    assert b"100" in await reader.readline()  # it waits for the rest
    writer.transport.abort()
    await writer.wait_closed()


async def test_somebody_is_invited_and_others_are_called(browser: Browser) -> None:
    async with visiting(browser), local_mode() as (url, _):
        cy = await Window.open(browser, url, "Cy")
        await cy.channel.run("hearts preferences")
        await cy.channel.click("Invitations")
        await cy.channel.frame.get_by_text("Send me a DM").click()
        await cy.channel.submit()
        await cy.channel.sees("I'll send you a DM")
        ann = await Window.open(browser, url)
        await ann.channel.run("hearts new")
        await ann.channel.click("Invite")
        await ann.channel.choose("Choose who to invite", "Bo")
        await ann.channel.sees("You've invited")
        await ann.channel.click("Call players")
        await cy.dm.sees("is looking for players")
        bo = await Window.open(browser, url, "Bo")
        await bo.channel.sees("A seat is kept for")
        await bo.channel.click("Join", within="An invitation")
        await bo.dm.sees("You have a seat")


async def test_each_person_and_the_server_can_be_given_a_language(browser: Browser) -> None:
    date = re.compile(r"\d+\. \w+ \d{4}")  # as Germans write it
    chinese = by_code("zh")
    async with visiting(browser), local_mode() as (url, _):
        ann = await Window.open(browser, url)
        await ann.speak("the server", "简体中文")
        await ann.speak("Ann's Discord", "Deutsch")
        await expect(ann.dm.frame.get_by_role("button", name="Allein spielen")).to_be_visible()
        await expect(ann.channel.frame.get_by_text("开始")).to_be_visible()  # as everyone sees that button
        await ann.channel.run("hearts new")
        await ann.channel.click(chinese.say_as("for everyone", "Options"))
        await ann.channel.click(by_code("de").say("Length and pace"))
        await expect(ann.channel.frame.get_by_role("radio", name="简体中文")).to_be_checked()
        await expect(ann.dm.frame.get_by_text(date).first).to_be_visible()
        await ann.dm.sees(by_code("de").say("You have a seat"))
        await ann.channel.frame.get_by_role("button", name="Cancel").click()
        await ann.channel.click(chinese.say_as("for everyone", "Start"))
        time = ann.dm.frame.locator("time[data-locale]").last
        await expect(time).to_have_text(re.compile("in [0-9]+ Minuten"))
        await time.evaluate("time => { time.dateTime = new Date(Date.now() + 5 * 60000).toISOString(); }")
        await expect(time).to_have_text("in 5 Minuten")  # counted down
        # The page itself is in the language of the browser.
        french = await Window.open(browser, url, "Bo", locale="fr-CA")
        await expect(french.page.get_by_role("navigation", name="Tu es")).to_be_visible()
        await expect(french.page.get_by_role("button", name="Un autre serveur")).to_be_visible()
        await french.page.close()
        bo = await Window.open(browser, url, "Bo")
        await expect(bo.language("Bo's Discord")).to_have_value("en-US")
        await expect(bo.language("the server")).to_have_value("zh-CN")
        await bo.channel.sees(chinese.say_as("for everyone", "My hand"))
        assert await bo.channel.frame.get_by_text(date).count() == 0
        assert "Noto Sans SC" in await bo.channel.fonts()
        # Of those for all scripts, which are 30 MB:
        assert await bo.dm.fonts() == {"Noto Sans", "Noto Color Emoji"}


async def test_a_table_alone_and_its_replay_are_seen_without_scrolling(browser: Browser) -> None:
    """The picture, the sentence and all buttons of a hand of 13 fit into what Discord shows of a channel."""
    async with visiting(browser), local_mode() as (url, _):
        bo = await Window.open(browser, url, "Bo", size=PHONE)
        await bo.look("dm")
        await bo.dm.begin("Play alone")
        await bo.dm.click("Start")
        await be_seen_without_scrolling(bo)
        await bo.dm.pass_three()
        await be_seen_without_scrolling(bo)
        await bo.dm.play_the_deal()
        assert await bo.dm.messages().count() == 1
        await bo.dm.run("hearts replay")
        await bo.dm.click("Trick ›")
        await be_seen_without_scrolling(bo)
        await bo.dm.click("End »")  # where some deals have more to tell than fits
        await bo.dm.click("‹ Trick")
        await be_seen_without_scrolling(bo)
        await bo.dm.run("hearts help")
        await bo.dm.sees("opens a table")
        assert await bo.channel.messages().count() == 0


async def be_seen_without_scrolling(window: Window) -> None:
    """The newest message of the DM fits, on a telephone and on a wide screen."""
    for size, room in ((WIDE, 630), (PHONE, 744)):
        await window.resize(size)
        assert await window.dm.height() <= room


async def test_who_has_the_app_on_their_account_uses_it_in_another_server(browser: Browser, url: str) -> None:
    async with visiting(browser):
        ann = await Window.open(browser, url, size=(1100, 800))
        there = await ann.enter("Another server")
        await there.begin()
        await there.click("Start")
        await there.pass_three()
        await there.play()
        await be_here_and_there(ann)
        phone = await Window.open(browser, url, size=(390, 844))
        there = await phone.enter("Another server")
        await there.play()
        await be_here_and_there(phone)


async def be_here_and_there(window: Window) -> None:
    """Ann goes back to #hearts, which is empty; Bo can do nothing in the other server."""
    await window.enter("# hearts")
    await expect(window.frame("channel")).to_be_in_viewport(ratio=0.95)
    assert await window.channel.messages().count() == 0
    await window.become("Bo")
    there = await window.enter("Another server")
    await expect(there.frame.get_by_text("Ann can.")).to_be_visible()
    await there.frame.locator("#channel-composer-input").fill("/")
    await expect(there.frame.locator(".command-entry")).to_have_count(0)
    assert await there.messages().count() == 0


async def test_a_table_in_a_thread_is_found_by_its_tab_and_by_links(browser: Browser) -> None:
    async with visiting(browser), local_mode() as (url, _):
        bo = await Window.open(browser, url, "Bo", size=(1100, 800))
        ann = await Window.open(browser, url, size=(390, 844))
        await ann.channel.run("hearts new")
        await bo.channel.sees("Seats")
        await bo.channel.run("hearts new")
        await bo.channel.click("Open a thread")
        thread = await bo.enter("Hearts with Bo")
        await thread.click("Start")
        await bo.dm.pass_three()
        await bo.dm.play()
        await bo.enter("# hearts")
        await expect(bo.frame("channel")).to_be_in_viewport(ratio=0.95)
        await bo.dm.frame.get_by_role("link", name="Go to the table").last.click()
        await (await bo.room()).sees("Deal 1")

        await bo.become("Cy")
        await bo.enter("# hearts")
        await bo.channel.run("hearts new")
        await bo.channel.click("Open a thread")
        await bo.enter("Hearts with Cy")
        await bo.resize(MIDDLE)  # in which all tabs are whole
        assert await bo.page.locator("header").evaluate("header => header.clientHeight") < 50
        labels = bo.page.locator(":is(header span, header select, #places button):visible")
        assert all(await labels.evaluate_all(IS_WHOLE))
        for button in await bo.page.locator("#places button").all():
            await expect(button).to_be_in_viewport(ratio=1)

        await ann.channel.messages("Bo has opened a table").locator(".thread-summary").click()
        thread = await ann.room()
        await thread.click("Take a seat")
        assert await ann.page.evaluate(IN_SIGHT) != ["channel"]
        await ann.look("channel")
        assert await ann.page.evaluate(IN_SIGHT) == ["channel"]
        await ann.channel.sees("Seats")


#: Which frames a person sees any part of.
IN_SIGHT = """() => {
    const { top, bottom, left, right } = document.querySelector("main").getBoundingClientRect();
    const seen = (x, y) => document.elementFromPoint(x, y)?.dataset.place ?? `nothing at ${x}, ${y}`;
    const found = new Set();
    for (const x of [left + 1, (left + right) / 2, right - 2])
        for (let y = top + 1; y < bottom - 1; y++) found.add(seen(x, y));
    return [...found];
}"""


async def test_a_telephone_shows_the_frames_one_above_the_other_and_a_wider_window_the_newest(
    browser: Browser,
) -> None:
    async with visiting(browser), local_mode() as (url, _):
        ann = await Window.open(browser, url, size=(390, 844))
        channel, dm = ann.frame("channel"), ann.frame("dm")
        await ann.channel.run("hearts leaderboard")
        await ann.channel.frame.locator("span.command-mention", has_text="/hearts new").click()
        await ann.channel.send()
        await ann.channel.sees("Seats")
        await expect(channel).to_be_in_viewport(ratio=0.95)
        await expect(dm).not_to_be_in_viewport(ratio=0.1)
        assert await ann.page.evaluate(IN_SIGHT) == ["channel"]
        await ann.look("dm")
        await expect(dm).to_be_in_viewport(ratio=0.95)
        await expect(channel).not_to_be_in_viewport(ratio=0.1)
        assert await ann.page.evaluate(IN_SIGHT) == ["dm"]
        await ann.dm.frame.get_by_role("link", name="Go to the table").click()
        await expect(channel).to_be_in_viewport(ratio=0.95)
        await ann.look("dm")
        await ann.dm.frame.get_by_text("#hearts").click()
        await expect(channel).to_be_in_viewport(ratio=0.95)
        assert len(ann.page.context.pages) == 1
        await ann.page.emulate_media(color_scheme="light")
        await ann.resize((1100, 500))
        await ann.channel.click("Start")
        await ann.channel.sees("Deal 1")
        assert await ann.channel.is_at_its_end()
        await ann.channel.scroll_up()
        await ann.dm.pass_three()
        await ann.channel.sees(re.compile("Waiting for|leads"))
        assert not await ann.channel.is_at_its_end()  # she has scrolled away from it
        await ann.dm.frame.get_by_role("link", name="Go to the table").last.click()
        assert await ann.channel.is_at_its_end()


@pytest.mark.parametrize("name", ["", "page.js", "face.png", "../web/page.js"])
async def test_only_who_knows_the_secret_and_asks_this_machine_gets_the_page(name: str, url: str) -> None:
    async with aiohttp.ClientSession() as session:
        address = URL(url + name, encoded=True)
        port, wrong = address.port, URL(address).with_path(f"/{'x' * 32}/{name}", encoded=True)
        assert await status(session, address) == (404 if ".." in name else 200)
        assert await status(session, wrong) == 404
        assert await status(session, address, Host=f"hearts.example:{port}") == 404
        assert await status(session, address, Host=f"localhost:{port}") == (404 if ".." in name else 200)


async def test_frames_stay_on_this_machine_and_in_our_page(url: str) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.get(url) as answer:
            frames = [URL(found) for found in re.findall('data-src="(.*?)"', await answer.text())]
            policy = answer.headers["Content-Security-Policy"]
            ours = str(answer.url.origin())
        assert len(frames) == len({frame.origin() for frame in frames}) == 8
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        for frame in frames:
            assert str(frame.origin()) in policy
            async with session.get(frame.origin()) as answer:
                assert f"frame-ancestors {ours}" in answer.headers["Content-Security-Policy"]
            assert await status(session, frame.origin() / "frame.js", Host="hearts.example") == 403
            assert await status(session, frame.origin() / "api/state") == 401


async def status(session: aiohttp.ClientSession, address: URL, **headers: str) -> int:
    async with session.get(address, headers=headers) as answer:
        return answer.status
