"""/help."""

from __future__ import annotations

from bot.messages import Whisper
from bot.render.text import points
from engine.cards import ACE_OF_HEARTS, QUEEN_OF_SPADES
from engine.rules.presets import CLASSIC

#: Every command and what it is for, in the order in which people need them.
COMMANDS = {
    "/hearts new": "open a table in this channel; its buttons seat people and computers",
    "/hearts hand": "your hand, for you alone (the same as My hand)",
    "/hearts scores": "the points of each deal and the totals",
    "/hearts last": "the last trick again",
    "/hearts rules": "the rules of this table",
    "/hearts record": "the last game's record as a file",
    "/hearts pace": "how long a turn may take (the host)",
    "/hearts house": "save, show and delete house rules for `/hearts new`",
    "/hearts leave": "get up; a computer plays until you come back",
    "/hearts stop": "close the table without a result (its host, or who may manage the channel)",
    "/hearts status": "how the bot does (for whoever runs it)",
    "/leaderboard": "who wins most in this server",
    "/stats": "one player's record",
    "/preferences": "when you are mentioned, and which of your cards play themselves",
    "/privacy": "get all that is stored about you as a file, or delete it",
    "/help": "this page",
}

_HEART, _QUEEN = (CLASSIC.counting.values[card] for card in (ACE_OF_HEARTS, QUEEN_OF_SPADES))
HOW = f"""\
Follow the suit that was led if you can: its highest card takes the trick. Each heart in it \
counts {points(_HEART)}, {QUEEN_OF_SPADES.symbol} {_QUEEN}, and mostly the lowest total wins. \
The table of each game shows its own rules.
1. `/hearts new` opens a table. Friends press **Join**; **Start** gives the empty seats to computers.
2. Your cards come by DM. If your DMs are closed, **My hand** in the channel shows them to you alone.
3. Choose cards to pass, then press a card when it is your turn. Tricks are laid out in the channel.
4. Each deal is sealed as the cards are dealt. **Check the deal**, below its points, opens the seal: \
no card was changed in between."""


def help_page() -> Whisper:
    """How to play, and every command."""
    lines = "\n".join(f"`{name}` {use}" for name, use in COMMANDS.items())
    return Whisper((f"## ♥ Hearts\n{HOW}", f"### Commands\n{lines}"))
