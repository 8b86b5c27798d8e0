"""/help."""

from __future__ import annotations

from bot.controls import ListCommands
from bot.messages import Button, Style, Whisper
from bot.render.how_to_play import learn
from bot.render.text import chipped
from engine.languages import ENGLISH
from engine.rules.ruleset import Ruleset
from engine.rules.wording import goal, worth

#: Every command and what it is for, by when people need it.
COMMANDS = {
    "Playing": {
        "/hearts new": "open a table in this channel",
        "/hearts daily": "today's three deals, the same for everyone; `channel` posts them each morning",
        "/hearts join": "take a seat; mid-game, a computer's seat from the next deal",
        "/hearts hand": "your hand, for you alone (the same as **My hand**)",
        "/hearts leave": "leave your seat to a computer; if you're still gone at the end, you come last",
    },
    "At the table": {
        "/hearts scores": "the points of each deal and the totals",
        "/hearts last": "the last trick again",
        "/hearts rules": "the rules of this table",
        "/hearts pace": "how long a turn may take (the host)",
        "/hearts stop": "end the game without a result, if everyone agrees",
        "/hearts concede": "end the game and count it as it stands, if everyone agrees",
    },
    "Afterwards": {
        "/hearts replay": "the last game again with all hands open, or one from a record file",
        "/hearts record": "the last game's record as a file",
        "/leaderboard": "who is ahead in this server",
        "/stats": "one player's rating, games and achievements, or two players head to head",
    },
    "More": {
        "/hearts house save": "keep this table's rules under a name, for `/hearts new`",
        "/hearts house show": "the house rules of this server",
        "/hearts house delete": "delete house rules",
        "/preferences": "when you are mentioned, and which of your cards play themselves",
        "/privacy export": "everything stored about you, as a file",
        "/privacy delete": "delete it everywhere",
        "/help": "how to play, and this list",
        "/hearts status": "the bot's status (for its owner)",
    },
}

SEAL = "Each deal is sealed as the cards are dealt. **Check the deal**, below its points, opens the seal."


def help_page(rules: Ruleset, table: int) -> Whisper:
    """The page for people who have never played, by the rules of this table; 0 where there is none."""
    steps = (
        "1. `/hearts new` opens a table in a channel. Friends press **Join**; **Start** deals, and computers "
        "take the empty seats.",
        "2. Your cards come by DM, or behind **My hand** in the channel. Tap one when it is your turn.",
        f"3. The winner of a trick takes the points in it. {chipped(worth(rules, ENGLISH))} "
        f"{goal(rules, ENGLISH)}.",
    )
    more = (
        "- Alone? `/hearts daily` deals everyone the same three deals each day.",
        "- **Hint** says what a strong player would do; **How did I play?**, what cost you most in a deal.",
        "- **Take a seat** lets you in later; **Watch** and **Replay** show all hands of finished deals.",
    )
    row = (learn(table, Style.GOOD), Button("All commands", ListCommands(0)))
    return Whisper(("## ♥ " + rules.preset.title, "\n".join(steps), "\n".join(more), row))


def commands_page() -> Whisper:
    """Every command."""
    groups = [
        "\n".join([f"### {when}", *[f"- `{name}` {use}" for name, use in commands.items()]])
        for when, commands in COMMANDS.items()
    ]
    return Whisper((*groups, f"-# {SEAL}"))
