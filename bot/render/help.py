"""/help."""

from __future__ import annotations

from bot.messages import Button, Style, Whisper, action
from bot.render.how_to_play import learn
from bot.render.text import chipped
from engine.rules.ruleset import Ruleset
from engine.rules.telling import goal, worth

#: Every command and what it is for, in the order in which people need them.
COMMANDS = {
    "/hearts new": "open a table in this channel; its buttons seat people and computers",
    "/hearts daily": "today's three deals, the same for everybody; `channel` has them posted each morning",
    "/hearts hand": "your hand, for you alone (the same as My hand)",
    "/hearts scores": "the points of each deal and the totals",
    "/hearts last": "the last trick again",
    "/hearts rules": "the rules of this table",
    "/hearts replay": "the last game again, card by card with all hands open, or one from a record's file",
    "/hearts record": "the last game's record as a file",
    "/hearts pace": "how long a turn may take (the host)",
    "/hearts house": "save, show and delete house rules for `/hearts new`",
    "/hearts join": "take a seat; in the middle of a game a computer's, from the next deal on",
    "/hearts leave": "get up; a computer plays until you come back or somebody takes the seat",
    "/hearts stop": "end the game without a result, when all agree; who may manage the channel need not ask",
    "/hearts concede": "end the game and count it as it stands, when all agree",
    "/hearts status": "how the bot does (for whoever runs it)",
    "/leaderboard": "who is ahead in this server",
    "/stats": "one player's rating, games and achievements, or two players head to head",
    "/preferences": "when you are mentioned, and which of your cards play themselves",
    "/privacy": "get all that is stored about you as a file, or delete it",
    "/help": "how to play, and this list",
}

SEAL = "Each deal is sealed as the cards are dealt: **Check the deal**, below its points, opens the seal."


def help_page(rules: Ruleset, table: int) -> Whisper:
    """What somebody presses who has never played, by the rules of this table; 0 where there is none."""
    lines = (
        "1. `/hearts new` opens a table in a channel. Friends press **Join**; **Start** deals, and computers "
        "(easy, medium or strong) take the empty seats. Whoever comes later takes a computer's with **Take a "
        "seat**, or looks on: **Watch** shows the hands of the deals that are done.",
        "2. Your cards come by DM, or behind **My hand** in the channel. Tap one when it is your turn. "
        "**Hint**, where the table gives hints, tells what a strong player would do, and why.",
        f"3. Whoever takes a trick gets the points in it. {chipped(worth(rules))} {goal(rules)}. "
        "After a deal, **How did I play?** tells you alone which of your choices cost most; after the game, "
        "**Replay** shows it again with all hands open.",
    )
    row = (learn(table, Style.GOOD), Button("All commands", action("commands", 0)))
    return Whisper(("## ♥ " + rules.preset.title, "\n".join(lines), row))


def commands_page() -> Whisper:
    """Every command."""
    lines = "\n".join(f"`{name}` {use}" for name, use in COMMANDS.items())
    return Whisper((f"### Commands\n{lines}", f"-# {SEAL}"))
