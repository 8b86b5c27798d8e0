"""The Hearts family of card games as a library: rules, games, computer players, records and tables.

`from engine import ...` gives everything named in `__all__`. The library knows nothing of Discord.

- **Rules.** `PRESETS` holds the games by name; `Ruleset.of` makes a table's rules from a preset, a number
  of players and house rules.
- **A game** is a frozen `Game`. `Game.advance` takes a move and returns the next game, or raises a `Refusal`
  and changes nothing. Moves are `Dealt`, `Passed`, `Exposed`, `Declined`, `Played`, `MoonChosen` and `Ended`.
  Seats are numbered clockwise from 0; a tuple "by seat" has one entry for each.
- **Views.** `seat_view` is what one player may see, `public_view` what everyone may see. Secrets are left
  out when they are made.
- **Computers** are functions from a `SeatView` and a `Random` to a move: `PLAYERS` by name,
  `computer` by strength and manner.
- **Records.** `write_record` turns a game into JSON; `read_record` turns it back and checks every field.
- **Tables.** `Tables` is the service behind a chat bot or a web page: seats, turns, timers and votes, with
  each change saved in a `Database` before it is shown.
- **Errors.** Expected errors are `HeartsError`s: a `Refusal`, a `RecordError` or a
  `StorageError`. Any other exception is a bug.

A game between computers. Randomness is passed in, so the same seed plays the same game:

>>> from random import Random
>>> from engine import PLAYERS, Game, Ruleset, seat_view, shuffle
>>> rules = Ruleset.of("classic", players=4, options={"ends_at": 50})
>>> game, chance, player = Game(rules), Random("a quiet evening"), PLAYERS["medium"]
>>> while not game.over:
...     game = game.advance(shuffle(game, chance))
...     while game.deal:
...         view = seat_view(game, game.deal.waiting_for[0])
...         game = game.advance(player(view, chance))
>>> max(game.totals) >= 50
True
>>> [game.totals[seat] for seat in game.winners] == [min(game.totals)] * len(game.winners)
True

The game as a record. Reading it replays the game; if someone has changed it, the error says where:

>>> import json
>>> from engine import RecordError, read_record, write_record
>>> record = json.loads(json.dumps(write_record(game, ["North", "East", "South", "West"])))
>>> read_record(record).totals == game.totals
True
>>> record["deals"][1]["dealer"] = 2
>>> try:
...     read_record(record)
... except RecordError as fault:
...     print(f"Deal {fault.deal}: {fault}")
Deal 2: The dealer must be seat 0, not 2.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

#: The whole program's version: set it only here, and say what is new in `.github/CHANGELOG.md`.
__version__ = "1.0.0"

if TYPE_CHECKING:
    from engine.cards import Card, Hand, Suit, card
    from engine.errors import HeartsError, RecordError, Refusal, StorageError
    from engine.play.deal import Deal, Phase
    from engine.play.game import Game, shuffle
    from engine.play.moves import (
        Dealt,
        Declined,
        Ended,
        Exposed,
        MoonChosen,
        Move,
        Passed,
        Played,
        SeatMove,
    )
    from engine.play.public import PublicDeal
    from engine.play.record import parse_line, read_record, write_record
    from engine.play.views import PublicView, SeatView, public_view, seat_view
    from engine.players import PLAYERS, Computer, Player, Strength, computer, play_game
    from engine.players.manners import Manner
    from engine.rules.options import MoonChoice
    from engine.rules.presets import PRESETS, Preset
    from engine.rules.ruleset import Ruleset
    from engine.storage.database import Database
    from engine.tables import Moment, Pace, Person, PublicTable, State, Table, Tables

__all__ = [
    "PLAYERS",
    "PRESETS",
    "Card",
    "Computer",
    "Database",
    "Deal",
    "Dealt",
    "Declined",
    "Ended",
    "Exposed",
    "Game",
    "Hand",
    "HeartsError",
    "Manner",
    "Moment",
    "MoonChoice",
    "MoonChosen",
    "Move",
    "Pace",
    "Passed",
    "Person",
    "Phase",
    "Played",
    "Player",
    "Preset",
    "PublicDeal",
    "PublicTable",
    "PublicView",
    "RecordError",
    "Refusal",
    "Ruleset",
    "SeatMove",
    "SeatView",
    "State",
    "StorageError",
    "Strength",
    "Suit",
    "Table",
    "Tables",
    "card",
    "computer",
    "parse_line",
    "play_game",
    "public_view",
    "read_record",
    "seat_view",
    "shuffle",
    "write_record",
]

#: Where `__getattr__` looks for a name; the modules that load fastest come first.
_MODULES = (
    "cards",
    "errors",
    "rules.options",
    "rules.presets",
    "rules.ruleset",
    "play.moves",
    "play.deal",
    "play.public",
    "play.game",
    "play.views",
    "play.record",
    "players.manners",
    "players",
    "storage.database",
    "tables",
)

if not TYPE_CHECKING:  # with `__getattr__`, type checkers would accept any name

    def __getattr__(name: str) -> Any:
        """Load a name on first use: the engine's own modules import this one for its version."""
        if name in __all__:
            for module in _MODULES:
                namespace = vars(import_module(f"{__name__}.{module}"))
                if name in namespace:
                    globals()[name] = namespace[name]
                    return namespace[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
