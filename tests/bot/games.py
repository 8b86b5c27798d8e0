"""Games of the whole family: chosen cards of any pack, and sentences as players read them."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from at_once import deals_played
from people import Answer, Player, filled
from seen import Seen, plain, totals
from server import Server, arranged

from bot.table.rules import FORMS, SWITCHES
from engine.rules.options import OPTIONS
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset

#: Every game with its smallest and its largest table.
EXTREMES = [
    (preset.name, players)
    for preset in PRESETS.values()
    for players in sorted({min(preset.players), max(preset.players)})
]
#: The fields of the form for length and pace.
ASKED_FIRST = ("length", "pace", "computers", "language")
#: The lists on that page.
MENUS = {"game": "Game", "players": "Number of players"}
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivy", "Jo")


async def open_table(
    open_server: Callable[..., Awaitable[Server]],
    game: str,
    players: int,
    hands: Sequence[str],
    *,
    people: int = 0,
    house: Mapping[str, str | int] = {},
    **options: Any,
) -> Server:
    """A table of this game where these hands are dealt first, full of people unless there are fewer."""
    rules = Ruleset.of(game, players, {option: house[option] for option in house if option in OPTIONS})
    server = await open_server(arranged(rules, hands), names=NAMES[: people or players])
    host = await server.seat(*server.people, game=game, players=players, **options)
    await change_rules(host, **house)
    await host.click("Start")
    return server


def sentence(text: str) -> str:
    """A text without the backslashes that escape names and input."""
    return re.sub(r"\\([^\w\s]|_)", r"\1", plain(text))


async def open_options(host: Player, on: Seen | None = None) -> Seen:
    """Open the page of what the host sets, from the lobby or where it's newest."""
    answer = await host.click("Options", on)
    newest = (one for one in reversed(host.sees()) if one.text.startswith("### Options"))
    return answer.private[0] if answer.private else next(newest)  # in the place of the Rules that were open


async def table_form(host: Player, on: Seen | None = None) -> Answer:
    """Open the form for length, pace, computers and language."""
    return await host.click("Length and pace", await open_options(host, on))


async def change_pace(host: Player, server: Server, pace: str) -> None:
    """Change the pace, in the lobby or in mid-game."""
    page = await open_options(host, server.post("Seats"))
    label = "Pace" if "Pace" in page.buttons else "Length and pace"
    await host.send(await host.click(label, page), pace=pace)


async def change_rules(host: Player, **choices: str | int) -> None:
    """Change what the host sets, one by one: `change_rules(host, remainder="kitty")`."""
    page = await open_options(host)
    for option, value in choices.items():
        assert await change_rule(host, page, option, value) == ""


async def change_rule(host: Player, page: Seen, option: str, value: str | int) -> str:
    """Change an option, and return what the bot says is wrong; extras are switched on or off."""
    if option in MENUS:
        answer = await host.choose(str(value), page.current, MENUS[option])
    else:
        form = await open_form(host, page, option)
        answers: dict[str, str | list[str]] = {option: str(value)}
        if isinstance(value, bool):
            others = [name for name in filled(form)[SWITCHES] if name != option]
            answers = {SWITCHES: [*others, option] if value else others}
        answer = await host.send(form, **answers)
    on_page = re.findall("⚠️ (.+)", page.current.text)
    return "\n".join([*on_page, *[answer.told] * bool(answer.told)])


async def open_form(host: Player, page: Seen, option: str) -> Answer:
    """Open the form for this option."""
    if option in OPTIONS:
        return await host.click(FORMS[OPTIONS[option].topic], page)
    return await host.click("Length and pace" if option in ASKED_FIRST else "Hints and deals", page)


async def add_computers(host: Player, *strengths: str) -> Seen:
    """Seat these computers from the Options: `add_computers(host, "Easy")`; returns that page."""
    page = await open_options(host)
    for strength in strengths:
        await host.click(strength, page)
    return page.current


async def deal_in_full(server: Server, *players: Player, **options: Any) -> None:
    """Deal and pass in a game in which each deal is played to its last card."""
    host = await server.seat(*players, **options)
    await change_rules(host, early=False)
    await host.click("Start")
    for player in players or server.people:
        await player.pass_cards()


async def play(server: Server, *tricks: str) -> None:
    """Play these cards, each by the player whose turn it is."""
    for code in " ".join(tricks).split():
        await server.to_play.play(code)


async def play_a_game(server: Server, *players: Player) -> dict[str, int]:
    """Play a game to its end in these people's channel; returns everyone's total."""
    await server.deal(*players, ends_at=1)
    at = players[0].at
    await deals_played(players, lambda: "🏆" in server.posts(at)[-1].text)
    return totals(server.posts(at)[-1].text)
