"""Drives local mode's page like a person at the table, for end-to-end tests."""

import asyncio
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from playwright.async_api import Browser, Frame, Locator, Page, Request, async_playwright, expect
from playwright.async_api import TimeoutError as Late

CHROMIUM = "/usr/bin/chromium"
#: Beside those that Playwright gives it.
ARGS = ["--disable-gpu", "--disable-quic"]
LONGEST_WAIT = 30_000  # milliseconds
expect.set_options(timeout=LONGEST_WAIT)
#: Milliseconds until what had no effect is done again: twice as long each time, as a busy page may be at it
#: still. Only the whole visit has an end.
PATIENCE = 1500
#: Seconds for a whole visit.
LONGEST_VISIT = 300.0
IDLE = """() => window.simcordPreview?.ready && simcordPreview.awaitingRevision === null
    && simcordPreview.pendingAction === null"""
NAMES = "all => all.map(one => `${one.querySelector('img')?.alt ?? ''} ${one.innerText}`.trim())"
#: From the top of a message's first picture to the end of its last button.
HEIGHT = """message => Math.max(...[...message.querySelectorAll('button.component-button')]
    .map(one => one.getBoundingClientRect().bottom))
    - message.querySelector('.component-gallery').getBoundingClientRect().top"""
FONTS = """async () => [...await document.fonts.ready].filter(({ status }) => status === "loaded")
    .map(({ family }) => family.replaceAll('"', ""))"""
OFTEN = 20  # milliseconds between checks; a hidden frame isn't drawn, but it does run
#: A card on a button: its emoji's name, or its text if there are no emojis yet.
CARD = re.compile("[a-z]+_of_[a-z]+|(?:10|[2-9JQKA])[♣♦♠♥]\ufe0e")


class NotDone(AssertionError):
    """The page or the bot refused an action, with the page's reasons."""


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A browser for many visits; skips the test if there is none."""
    if not shutil.which(CHROMIUM):
        pytest.skip(f"no {CHROMIUM}")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        try:
            yield browser
        finally:
            with suppress(TimeoutError):
                await asyncio.wait_for(browser.close(), LONGEST_WAIT / 1000)


@asynccontextmanager
async def visiting(browser: Browser) -> AsyncIterator[None]:
    """A visit, after which all windows are closed."""
    try:
        # A frozen page never answers, and not all requests have a timeout.
        async with asyncio.timeout(LONGEST_VISIT) as visit:
            yield
    except TimeoutError:
        if visit.expired():
            raise NotDone(f"A page has frozen: all this took {LONGEST_VISIT:.0f} s.") from None
        raise
    finally:
        with suppress(TimeoutError):
            for context in browser.contexts:
                await asyncio.wait_for(context.close(), LONGEST_WAIT / 1000)


@asynccontextmanager
async def local_mode(**settings: str) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """Run `python -m bot --local`; yields its address and the process, which must stop on Ctrl-C."""
    command = (sys.executable, "-m", "bot", "--local")
    environment = {**os.environ, "HEARTS_LOCAL_PORT": "0", **settings}
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=pipe, stderr=pipe)
    try:
        first = (await asyncio.wait_for(process.stdout.readline(), LONGEST_WAIT / 1000)).decode()
        yield first.removeprefix("Open ").strip(), process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


class Window:
    """Local mode's page in a browser window, as one of the people."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.channel: View
        self.dm: View

    @classmethod
    async def open(
        cls,
        browser: Browser,
        url: str,
        person: str = "Ann",
        *,
        size: tuple[int, int] = (1500, 1000),
        scale: float = 1,
        locale: str = "en-US",
    ) -> "Window":
        viewport = {"width": size[0], "height": size[1]}
        page = await browser.new_page(
            viewport=viewport, color_scheme="dark", device_scale_factor=scale, locale=locale
        )
        page.set_default_timeout(LONGEST_WAIT)
        await page.goto(f"{url}#{person}")
        window = cls(page)
        await window.become(person)
        return window

    async def become(self, person: str) -> None:
        """Choose the tab with this name."""
        await self.page.locator(f'#people [data-person="{person}"]').click()
        self.channel, self.dm = await self._view(person, "channel"), await self._view(person, "dm")

    async def reload(self) -> None:
        """Load the page again, as the same person."""
        person = await self.page.locator("#people [aria-current]").inner_text()
        await self.page.reload()
        await self.become(person)

    def language(self, whose: str) -> Locator:
        """The list of languages for `Ann's Discord` or `the server`."""
        return self.page.get_by_title(f"Language of {whose}").locator("select")

    async def speak(self, whose: str, name: str) -> None:
        """Choose a language by its own name, and wait until that has been done."""
        if not await self.language(whose).is_visible():
            await self.page.get_by_role("button", name="Languages").click()
        async with self.page.expect_response(lambda answer: answer.url.endswith("/language")) as answer:
            await self.language(whose).select_option(label=name)
        assert (await answer.value).status == 204

    def frame(self, place: str) -> Locator:
        """The element with the chosen person's `channel` or `dm`."""
        return self.page.locator(f'section.shown iframe[data-place="{place}"]')

    async def look(self, place: str) -> None:
        """Choose `channel` or `dm`, on a phone."""
        await self.page.locator(f'#places [data-place="{place}"]').click()

    async def enter(self, title: str) -> "View":
        """Choose `# hearts`, `Another server` or a thread; returns what is there."""
        button = self.page.locator("#places").get_by_role("button", name=title)
        await button.click()
        return await self.room(await button.get_attribute("data-place") or "")

    async def room(self, place: str | None = None) -> "View":
        """The channel beside the DM, once it is this place or another than #hearts."""
        wanted = f'[data-place="{place}"]' if place else ':not([data-place="channel"])'
        inside = f'section.shown iframe:not(.other):not([data-place="dm"]){wanted}'
        return await self._inside(inside)

    async def picture(self) -> bytes:
        """A screenshot as a PNG file, without the pointer."""
        for view in (self.channel, self.dm):
            await view.at_rest()
        await self.page.mouse.move(0, 0)
        return await self.page.screenshot()

    async def resize(self, size: tuple[int, int]) -> None:
        """Make the window this wide and high, in pixels: quicker than to open another."""
        await self.page.set_viewport_size({"width": size[0], "height": size[1]})

    async def _view(self, person: str, place: str) -> "View":
        return await self._inside(f'section[data-person="{person}"] iframe[data-place="{place}"]')

    async def _inside(self, inside: str) -> "View":
        frame = await (await self.page.locator(inside).element_handle()).content_frame()
        await frame.wait_for_load_state()
        view = View(self.page, frame)
        await view.at_rest()
        return view


class View:
    """The channel, or the DM with the bot, as one person sees it. Every action waits for the bot's answer."""

    def __init__(self, page: Page, frame: Frame) -> None:
        self.page, self.frame = page, frame

    async def at_rest(self) -> None:
        """Wait until nothing is in flight."""
        await self.frame.wait_for_function(IDLE, polling=OFTEN)

    async def run(self, command: str) -> None:
        """Run a command, `run("hearts new")`, chosen and sent with the mouse."""
        await self.frame.locator("#channel-composer-input").fill(f"/{command}")
        title = re.compile(rf"^/{re.escape(command)}$")
        await self.frame.locator(".command-entry").filter(has=self.frame.get_by_text(title)).click()
        await self.send()

    async def send(self) -> None:
        """Send the command that the message box holds, with its button."""
        await self._act("run_command", self.frame.locator("#send-message").click)

    async def begin(self, label: str = "Open a table") -> None:
        """Press the button of an empty channel, which types and sends the command by itself."""
        await self._act("run_command", self.frame.get_by_role("button", name=label, exact=True).click)

    async def type(self, text: str) -> None:
        """Type into the message box like a person: Enter chooses the command, and Enter sends it."""
        await self.frame.locator("#channel-composer-input").press_sequentially(text)
        await self.frame.locator(".command-entry").first.wait_for()
        await self.page.keyboard.press("Enter")
        await self.frame.locator(".command-chip").wait_for()
        await self._act("run_command", lambda: self.page.keyboard.press("Enter"))

    async def click(self, label: str, within: str | None = None) -> None:
        """Press a button by its exact label, in the newest message that has it (and shows `within`)."""
        await self._act("click", (await self.button(label, within)).click)

    async def choose(self, menu: str, option: str) -> None:
        """Choose one more person in a menu that takes several."""
        await self.frame.get_by_text(menu).click()
        # Until the list has loaded, simcord forgets what was chosen.
        await self.frame.get_by_text("Loading options").wait_for(state="hidden")
        await self.frame.get_by_role("option", name=option).click()
        await self._act("select", self.frame.get_by_role("button", name="Apply").click)

    async def submit(self) -> None:
        """Send the form that is open."""
        await self._act("modal_submit", self.frame.get_by_role("button", name="Submit").click)

    def messages(self, within: str | None = None) -> Locator:
        """The messages this person sees, oldest first; only those that show the text."""
        return self.frame.locator("article.channel-message").filter(has_text=within or "")

    async def button(self, label: str, within: str | None = None) -> Locator:
        """The button with this accessible name: its text, or its emoji's name."""
        found = self.messages(within).get_by_role("button", name=label, exact=True)
        return await self._newest(found, f"a button {label!r}")

    async def labels(self, within: str | None = None) -> list[str]:
        """The names of the buttons that can be pressed in the newest message that shows the text."""
        buttons = self.messages(within).last.locator("button.component-button:enabled")
        named: list[str] = await buttons.evaluate_all(NAMES)
        return named

    async def text(self, within: str | None = None) -> str:
        """The text of the newest message (that shows `within`)."""
        return await self.messages(within).last.inner_text()

    async def height(self) -> float:
        """The pixels from the newest message's picture to the end of its buttons."""
        await self.at_rest()
        return float(await self.messages().last.evaluate(HEIGHT))

    async def sees(self, text: str | re.Pattern[str]) -> Locator:
        """Wait until a message shows the text; returns the newest that does."""
        found = self.frame.locator("article.channel-message").filter(has_text=text).last
        return await self._newest(found, f"{text!r}")

    async def cards(self) -> list[str]:
        """The cards of the newest hand that can be pressed."""
        return [name for name in await self.labels("Your hand") if CARD.fullmatch(name)]

    async def pass_three(self) -> None:
        """Pass the last three cards of a full hand."""
        await self.sees("Choose 3 cards")
        held = await self.cards()
        assert len(held) == 13
        for card in held[-3:]:
            await self.click(card, within="Your hand")
        button = self.messages("Your hand").get_by_role("button", name=re.compile("^Pass 3 to"))
        await self._newest(button, "a button to pass")  # which may come after the click's answer
        await self._act("click", button.last.click)

    async def play(self) -> None:
        """Play the first legal card; a forced one may have played itself meanwhile."""
        await self.sees(re.compile("Your turn"))  # case-sensitive: a hand may say that it's not your turn yet
        with suppress(NotDone, IndexError):
            await self.click((await self.cards())[0], within="Your turn")

    async def play_the_deal(self, number: int = 1) -> None:
        """Play until the deal is over; the moon may be shot, as the cards aren't stacked here."""
        while True:
            over = re.compile(f"Deal {number} is over|Your hand · Deal {number + 1}")
            now = await self.sees(re.compile(f"Your turn|You shot the moon|{over.pattern}"))
            said = await now.inner_text()
            if over.search(said):
                return
            if "You shot the moon" in said:
                await self.click("+26 for the others")
            else:
                await self.play()

    async def fonts(self) -> set[str]:
        """The families of the fonts that have been loaded for what is shown."""
        return set(await self.frame.evaluate(FONTS))

    async def is_at_its_end(self) -> bool:
        """Whether the end of the newest message is visible."""
        await self.at_rest()
        await asyncio.sleep(0.1)  # until the browser has drawn it
        box = self.frame.locator("#channel-timeline")
        return bool(await box.evaluate("box => box.scrollHeight - box.scrollTop - box.clientHeight < 2"))

    async def scroll_up(self) -> None:
        """Scroll to older messages with the mouse wheel."""
        await self.frame.locator("#channel-timeline").hover()
        await self.page.mouse.wheel(0, -300)

    async def _newest(self, found: Locator, what: str) -> Locator:
        try:
            await found.last.wait_for()
        except Late:
            shown = "\n---\n".join(await self.frame.locator("article.channel-message").all_inner_texts())
            raise NotDone(f"There is no {what} in:\n{shown}") from None
        return found.last

    async def _act(self, kind: str, gesture: Callable[[], Awaitable[Any]]) -> None:
        """Do it once the page is ready, again if it wasn't ready after all, and wait for the outcome."""
        sent = list[Request]()

        def said(request: Request) -> bool:
            return request.url.endswith("/api/action") and f'"kind":"{kind}"' in (request.post_data or "")

        self.page.on("request", note := lambda request: sent.append(request) if said(request) else None)
        patience = PATIENCE
        try:
            while True:
                await self.at_rest()
                if sent:  # perhaps late: doing it again would be another action
                    break
                with suppress(Late):  # the page was busy with an action of its own, and dropped this one
                    async with self.page.expect_request(said, timeout=patience):
                        await gesture()
                patience *= 2
        finally:
            self.page.remove_listener("request", note)
        response = await sent[0].response()
        outcome: dict[str, Any] = await response.json() if response else {"settlement": "no answer"}
        await self.at_rest()
        if outcome["settlement"] != "settled":
            reasons = ", ".join(item["code"] for item in outcome.get("diagnostics", ()))
            raise NotDone(f"{kind} {outcome['settlement']}: {reasons}")
