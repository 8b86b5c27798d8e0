"""The game record read: every field is checked, and the whole game played again by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from engine.errors import RecordError, Refusal
from engine.play import checks
from engine.play.deal import Deal, Phase
from engine.play.game import Game
from engine.play.moves import Dealt, Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.play.record import FORMAT, derived_fields, winners
from engine.play.seal import SALT, seal
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset
from engine.sentences import quote

_GAME = ("format", "rules", "seats", "deals")
_DEAL = ("number", "dealer", "hands", "kitty", "passes", "exposed", "plays", "moon")
_DERIVED = ("tricks", "points", "totals")
_SEALED = ("salt", "seal")

Watch = Callable[[Deal], None]


def read(data: Any, watch: Watch = lambda deal: None) -> Game:
    """The game of a record, every field checked; RecordError if one is wrong.

    `watch` sees the deal before each play. Cards waiting to be exposed when a record stops before its
    deal's first play are still waiting: who has declined is not recorded.
    """
    with _located():
        record = checks.fields(data, "A record", _GAME, ("oldest", "winners"))
        game = _read_head(record)
        deals = checks.entries(record["deals"], "The deals")
    for number, entry in enumerate(deals, 1):
        with _located(number):
            game = _read_deal(game, entry, watch)
            if game.deal and number < len(deals):
                raise RecordError("This deal stops early, though another follows it.")
    with _located():
        _compare("winners", record, winners(game))
    return game


@contextmanager
def _located(deal: int | None = None, play: int | None = None) -> Iterator[None]:
    """Every fault found inside is of this deal and play, unless it was located more closely."""
    try:
        yield
    except Refusal as refusal:
        raise RecordError(str(refusal), deal, play) from None
    except RecordError as fault:
        raise RecordError(str(fault), fault.deal or deal, fault.play if fault.deal else play) from None


def _read_head(record: dict[str, Any]) -> Game:
    if not checks.same(record["format"], FORMAT):
        raise RecordError(f"The format must be {quote(FORMAT)}, not {quote(record['format'])}.")
    rules = Ruleset.from_json(record["rules"])
    for name in checks.entries(record["seats"], "The seats", rules.players):
        if type(name) is not str:
            raise RecordError(f"A seat must have a name, not {quote(name)}.")
    if rules.oldest_leads:  # C3
        if "oldest" not in record:
            raise RecordError("A record of this game has to say who is the oldest.")
        return Game(rules, oldest=checks.seat(record["oldest"], "The oldest", rules.players))
    if "oldest" in record:
        raise RecordError("The oldest player has no part in this game.")
    return Game(rules)


def _read_deal(game: Game, data: Any, watch: Watch) -> Game:
    if game.over:
        raise RecordError("The game was over before this deal.")
    record = checks.fields(data, "A deal", _DEAL, (*_DERIVED, *_SEALED))
    number = len(game.deals) + 1
    if checks.number(record["number"], "The number of a deal") != number:
        raise RecordError(f"This is deal {number}, not {quote(record['number'])}.")
    game = game.advance(_read_seal(number, _read_dealt(game, record), record))
    game = _read_passes(game, record["passes"])
    game = _read_exposures(game, record)
    game = _read_plays(game, record["plays"], watch)
    game = _read_moon(game, record)
    derived = derived_fields(game, game.deals[-1])
    _compare_tricks(record, derived["tricks"])
    _compare("points", record, derived.get("points"))
    _compare("totals", record, derived.get("totals"))
    return game


def _read_dealt(game: Game, record: dict[str, Any]) -> Dealt:
    pack, players = game.rules.pack, game.rules.players
    dealer = checks.seat(record["dealer"], "The dealer", players)
    if game.next_dealer not in (None, dealer):
        raise RecordError(f"The dealer must be seat {game.next_dealer}, not {dealer}.")
    hands = tuple(
        [
            checks.hand(hand, f"The hand of seat {seat}", pack.faces, pack.hand_size)
            for seat, hand in enumerate(checks.entries(record["hands"], "The hands", players))
        ]
    )
    kitty = checks.hand(record["kitty"], "The kitty", pack.faces, pack.kitty_size)
    excess = Counter(card for hand in (*hands, kitty) for card in hand) - Counter(pack.cards)
    for card in excess:
        raise RecordError(f"The {card.title} was dealt more often than the pack holds it.")
    return Dealt(dealer, hands, kitty)


def _read_seal(number: int, dealt: Dealt, record: dict[str, Any]) -> Dealt:
    """The cards with their salt, if the record seals them; RecordError if they are not those of the seal."""
    if not any(name in record for name in _SEALED):
        return dealt
    for name in _SEALED:
        if name not in record:
            raise RecordError(f"A sealed deal must have its {name}.")
    salt = record["salt"]
    if type(salt) is not str or not SALT.fullmatch(salt):
        raise RecordError(f"The salt must be 64 hexadecimal digits, not {quote(salt)}.")
    salted = replace(dealt, salt=salt)
    if not checks.same(record["seal"], seal(number, salted)):
        raise RecordError("The seal is broken: it is not that of these cards with this salt.")
    return salted


def _read_passes(game: Game, passes: Any) -> Game:
    deal, rules = game.deals[-1], game.rules
    if not deal.offset:
        if passes is not None:
            raise RecordError("No cards are passed in this deal.")
        return game
    for seat, given in enumerate(checks.entries(passes, "The passes", rules.players)):
        if given is not None:  # null: this seat has still to choose
            cards = checks.hand(given, f"The pass of seat {seat}", rules.pack.faces)
            game = _move(game, Passed(seat, cards), f"Seat {seat} cannot pass so")
    return game


def _read_exposures(game: Game, record: dict[str, Any]) -> Game:
    exposed = checks.entries(record["exposed"], "The exposed cards")
    for index, entry in enumerate(exposed):
        holder, code = checks.entries(entry, "An exposure", 2)
        seat = checks.seat(holder, "The seat of an exposure", game.rules.players)
        card = checks.card(code, game.rules.pack.faces)
        known = game.deals[-1].exposures
        if index == len(known):
            game = _move(game, Exposed(seat, card), f"Seat {seat} cannot expose {card}")
        elif index > len(known) or known[index] != (seat, card):  # the engine has laid the fourth open
            raise RecordError(f"Seat {seat} cannot expose {card} as the fourth card.")
    if len(exposed) < len(game.deals[-1].exposures):
        raise RecordError("With three cards exposed, the fourth must be exposed too.")  # C2
    if record["plays"]:
        for seat in range(game.rules.players):
            if game.deals[-1].phase is Phase.EXPOSING and seat in game.deals[-1].waiting_for:
                game = game.advance(Declined(seat))
    return game


def _read_plays(game: Game, plays: Any, watch: Watch) -> Game:
    for index, code in enumerate(checks.entries(plays, "The plays")):
        deal = game.deals[-1]
        if deal.phase is Phase.PASSING:
            raise RecordError("Cards are played before everybody has passed.")
        try:
            card = checks.card(code, game.rules.pack.faces)
            if deal.turn is None:
                raise RecordError("Every card of this deal was played before.")
            watch(deal)
            game = _move(game, Played(deal.turn, card), f"Seat {deal.turn} cannot play {card}")
        except RecordError as fault:
            raise RecordError(str(fault), deal.number, index) from None
    return game


def _read_moon(game: Game, record: dict[str, Any]) -> Game:
    deal, moon = game.deals[-1], record["moon"]
    if moon is None:
        complete = record.get("points") is not None or record.get("totals") is not None
        if deal.phase is Phase.CHOOSING_MOON and complete:
            raise RecordError(f"Seat {deal.shooter} shot the moon, but no choice is recorded.")
        return game
    choice = next((one for one in MoonChoice if checks.same(moon, one.value)), None)
    if choice is None:
        raise RecordError(f'The moon must be "add", "subtract" or null, not {quote(moon)}.')
    if deal.phase is not Phase.CHOOSING_MOON or deal.shooter is None:
        raise RecordError("There is no moon to choose about in this deal.")
    return game.advance(MoonChosen(deal.shooter, choice))


def _move(game: Game, move: SeatMove, what: str) -> Game:
    """The game after this move, or a RecordError that begins with `what`."""
    try:
        return game.advance(move)
    except Refusal as refusal:
        reason = str(refusal)
        raise RecordError(f"{what}: {reason[0].lower()}{reason[1:]}") from None


def _compare_tricks(record: dict[str, Any], derived: list[dict[str, Any]]) -> None:
    if "tricks" not in record:
        return
    tricks = checks.entries(record["tricks"], "The tricks", len(derived))
    for index, (given, right) in enumerate(zip(tricks, derived, strict=True), 1):
        if not checks.same(given, right):
            raise RecordError(f"Trick {index} must be {quote(right)}, not {quote(given)}.")


def _compare(name: str, record: dict[str, Any], derived: list[int] | None) -> None:
    """A derived field must be right if the record holds it."""
    if name in record and not checks.same(record[name], derived):
        raise RecordError(f"The {name} must be {quote(derived)}, not {quote(record[name])}.")
