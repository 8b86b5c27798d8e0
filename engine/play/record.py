"""Game records: writing a whole game as JSON (.github/RECORD.md), and reading it with every field checked."""

import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from engine.cards import Card, Hand
from engine.errors import RecordError, Refusal
from engine.languages import N_
from engine.play.deal import Deal, Phase
from engine.play.game import Game
from engine.play.moves import Dealt, Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.play.seal import SALT, seal
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset
from engine.sentences import SENTENCES, quote

FORMAT = "hearts-record/1"
#: The fewest bytes per bracket: a record has 30, and each list or object takes 64 in memory.
SPARSE = 10
#: A number of brackets that never takes too much memory.
FEW = 300_000
#: Bytes: more than the longest game takes, but little enough for memory if a file has no line breaks.
LARGEST_FILE = 32 * 1024 * 1024
#: The most bytes of a record in several lines.
MOST_IN_LINES = 1024 * 1024
#: How a file in UTF-16 begins, with a byte order mark or a bracket.
_UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE, b"{\0", b"\0{")
_FIRST_FIELD = re.compile(rb'\s*\{\s*"format"\s*:')
#: Brackets, and strings, whose brackets don't count.
_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]]')
_GAME = ("format", "rules", "seats", "deals")
_DEAL = ("number", "dealer", "hands", "kitty", "passes", "exposed", "plays", "moon")
_DERIVED = ("tricks", "points", "totals")
_SEALED = ("salt", "seal")
Watch = Callable[[Deal], None]

#: What to say if a sealed deal lacks a field, by the field.
_MISSING = {
    "salt": N_("A sealed deal must have its salt."),
    "seal": N_("A sealed deal must have its seal."),
}
#: What to say if a field that follows from others is wrong, by the field.
_DIFFERENT = {
    "points": N_("The points must be {right}, not {given}."),
    "totals": N_("The totals must be {right}, not {given}."),
    "winners": N_("The winners must be {right}, not {given}."),
}


# Writing


def write_record(game: Game, names: Sequence[str]) -> dict[str, Any]:
    """The game's record as JSON values, `names` by seat; a deal in progress stops early.

    It contains the hands of that deal: to people who are playing, give the record of `Game.complete_deals`.

    >>> write_record(Game(Ruleset.of("classic", 4)), ["North", "East", "South", "West"])["rules"]
    {'preset': 'classic', 'players': 4, 'options': {}}
    """
    return {
        "format": FORMAT,
        "rules": game.rules.to_json(),
        "seats": list(names),
        **({"oldest": game.oldest} if game.rules.oldest_leads else {}),
        "deals": [_write_deal(game, deal) for deal in game.deals],
        "winners": _winners(game),
    }


def _write_deal(game: Game, deal: Deal) -> dict[str, Any]:
    return {
        "number": deal.number,
        "dealer": deal.dealt.dealer,
        "hands": [_codes(hand) for hand in deal.dealt.hands],
        "kitty": _codes(deal.dealt.kitty),
        # null for seats that haven't chosen yet
        "passes": [cards and _codes(cards) for cards in deal.passes] if deal.offset else None,
        "exposed": [[seat, card.code] for seat, card in deal.exposures],
        "plays": _codes(tuple(card for one in deal.tricks for card in one.trick.cards) + deal.trick.cards),
        "moon": deal.choice.value if deal.choice else None,
        **_derived_fields(game, deal),
        **_sealed(deal),
    }


def _sealed(deal: Deal) -> dict[str, Any]:
    """A sealed deal's extra fields once it is over; before that, its salt is secret."""
    if deal.dealt.salt is None or deal.phase is not Phase.DONE:
        return {}
    return {"salt": deal.dealt.salt, "seal": seal(deal.number, deal.dealt)}


def _derived_fields(game: Game, deal: Deal) -> dict[str, Any]:
    """The fields that follow from the deal's others."""
    tricks = [{"leader": trick.trick.leader, "winner": trick.winner} for trick in deal.tricks]
    if deal.points is None:
        return {"tricks": tricks}
    totals = game.history[deal.number - 1]
    return {"tricks": tricks, "points": list(deal.points), "totals": list(totals)}


def _winners(game: Game) -> list[int] | None:
    """The winning seats for the record; None unless the game has ended by its rules."""
    return None if game.ended or game.winners is None else list(game.winners)


def _codes(cards: Hand) -> list[str]:
    return [card.code for card in cards]


# Reading: every field is checked, and the whole game is replayed by the rules


def read_record(data: Any, watch: Watch = lambda deal: None) -> Game:
    """The game of a record as JSON values, every field checked; RecordError, with its place, if one is wrong.

    `watch` is called with the deal before each play. If a record stops before its deal's first play,
    everyone may still expose cards, as declining isn't recorded.
    """
    with _located():
        record = _check_fields(data, N_("A record"), _GAME, ("oldest", "winners"))
        game = _read_head(record)
        deals = _check_list(record["deals"], N_("The deals"))
    for number, entry in enumerate(deals, 1):
        with _located(number):
            game = _read_deal(game, entry, watch)
            if game.deal and number < len(deals):
                raise RecordError("This deal stops early, though another follows it.")
    with _located():
        _compare("winners", record, _winners(game))
    return game


@contextmanager
def _located(deal: int | None = None, play: int | None = None) -> Iterator[None]:
    """Add this deal and play to faults raised within, unless they are located more closely."""
    try:
        yield
    except Refusal as refusal:
        values = refusal.values
        if "given" in values:  # it may be any input
            values = values | {"given": quote(values["given"])}
        raise RecordError(SENTENCES.get(refusal.id, refusal.id), deal, play, **values) from None
    except RecordError as fault:
        if fault.deal is None:
            fault.deal, fault.play = deal, play
        raise


def _read_head(record: dict[str, Any]) -> Game:
    if not _is_same(record["format"], FORMAT):
        raise RecordError(
            "The format must be {right}, not {given}.", right=quote(FORMAT), given=quote(record["format"])
        )
    rules = Ruleset.from_json(record["rules"])
    for name in _check_list(record["seats"], N_("The seats"), rules.players):
        if type(name) is not str:
            raise RecordError("A seat must have a name, not {given}.", given=quote(name))
    if rules.oldest_leads:  # C3
        if "oldest" not in record:
            raise RecordError("A record of this game has to say who is the oldest.")
        return Game(rules, oldest=_check_seat(record["oldest"], N_("The oldest"), rules.players))
    if "oldest" in record:
        raise RecordError("The oldest player has no part in this game.")
    return Game(rules)


def _read_deal(game: Game, data: Any, watch: Watch) -> Game:
    if game.over:
        raise RecordError("The game was over before this deal.")
    record = _check_fields(data, N_("A deal"), _DEAL, (*_DERIVED, *_SEALED))
    number = len(game.deals) + 1
    if _check_number(record["number"], N_("The number of a deal")) != number:
        raise RecordError("This is deal {number}, not {given}.", number=number, given=quote(record["number"]))
    game = game.advance(_read_seal(number, _read_dealt(game, record), record))
    game = _read_passes(game, record["passes"])
    game = _read_exposures(game, record)
    game = _read_plays(game, record["plays"], watch)
    game = _read_moon(game, record)
    derived = _derived_fields(game, game.deals[-1])
    _compare_tricks(record, derived["tricks"])
    _compare("points", record, derived.get("points"))
    _compare("totals", record, derived.get("totals"))
    return game


def _read_dealt(game: Game, record: dict[str, Any]) -> Dealt:
    pack, players = game.rules.pack, game.rules.players
    dealer = _check_seat(record["dealer"], N_("The dealer"), players)
    if game.next_dealer not in (None, dealer):
        raise RecordError(
            "The dealer must be seat {right}, not {given}.", right=game.next_dealer, given=str(dealer)
        )
    hands = tuple(
        [
            _check_hand(hand, N_("The hand of seat {seat}"), pack.faces, pack.hand_size, seat=seat)
            for seat, hand in enumerate(_check_list(record["hands"], N_("The hands"), players))
        ]
    )
    kitty = _check_hand(record["kitty"], N_("The kitty"), pack.faces, pack.kitty_size)
    excess = Counter(card for hand in (*hands, kitty) for card in hand) - Counter(pack.cards)
    for card in excess:
        raise RecordError("The {card} was dealt more often than the pack holds it.", card=card)
    return Dealt(dealer, hands, kitty)


def _read_seal(number: int, dealt: Dealt, record: dict[str, Any]) -> Dealt:
    """The cards with their salt, if the record seals them; RecordError if the seal doesn't match."""
    if not any(name in record for name in _SEALED):
        return dealt
    for name, missing in _MISSING.items():
        if name not in record:
            raise RecordError(missing)
    salt = record["salt"]
    if type(salt) is not str or not SALT.fullmatch(salt):
        raise RecordError("The salt must be 64 hexadecimal digits, not {given}.", given=quote(salt))
    salted = replace(dealt, salt=salt)
    if not _is_same(record["seal"], seal(number, salted)):
        raise RecordError("The seal is broken: it is not that of these cards with this salt.")
    return salted


def _read_passes(game: Game, passes: Any) -> Game:
    deal, rules = game.deals[-1], game.rules
    if not deal.offset:
        if passes is not None:
            raise RecordError("No cards are passed in this deal.")
        return game
    for seat, codes in enumerate(_check_list(passes, N_("The passes"), rules.players)):
        if codes is not None:  # null: this seat hasn't chosen yet
            cards = _check_hand(codes, N_("The pass of seat {seat}"), rules.pack.faces, seat=seat)
            game = _move(game, Passed(seat, cards), N_("Seat {seat} cannot pass like that: {reason}"))
    return game


def _read_exposures(game: Game, record: dict[str, Any]) -> Game:
    exposed = _check_list(record["exposed"], N_("The exposed cards"))
    for index, entry in enumerate(exposed):
        holder, code = _check_list(entry, N_("An exposure"), 2)
        seat = _check_seat(holder, N_("The seat of an exposure"), game.rules.players)
        card = _check_card(code, game.rules.pack.faces)
        exposures = game.deals[-1].exposures
        if index == len(exposures):
            game = _move(
                game, Exposed(seat, card), N_("Seat {seat} cannot expose {card}: {reason}"), card=card.code
            )
        elif index > len(exposures) or exposures[index] != (seat, card):  # the engine exposed the fourth
            raise RecordError(
                "Seat {seat} cannot expose {card} as the fourth card.", seat=seat, card=card.code
            )
    if len(exposed) < len(game.deals[-1].exposures):
        raise RecordError("With three cards exposed, the fourth must be exposed too.")  # C2
    if record["plays"]:
        for seat in range(game.rules.players):
            if game.deals[-1].phase is Phase.EXPOSING and seat in game.deals[-1].waiting_for:
                game = game.advance(Declined(seat))
    return game


def _read_plays(game: Game, plays: Any, watch: Watch) -> Game:
    for index, code in enumerate(_check_list(plays, N_("The plays"))):
        deal = game.deals[-1]
        if deal.phase is Phase.PASSING:
            raise RecordError("Cards are played before everybody has passed.")
        with _located(deal.number, index):
            card = _check_card(code, game.rules.pack.faces)
            if deal.turn is None:
                raise RecordError("Every card of this deal was played before.")
            watch(deal)
            cannot = N_("Seat {seat} cannot play {card}: {reason}")
            game = _move(game, Played(deal.turn, card), cannot, card=card.code)
    return game


def _read_moon(game: Game, record: dict[str, Any]) -> Game:
    deal, moon = game.deals[-1], record["moon"]
    if moon is None:
        complete = record.get("points") is not None or record.get("totals") is not None
        if deal.phase is Phase.CHOOSING_MOON and complete:
            raise RecordError("Seat {seat} shot the moon, but no choice is recorded.", seat=deal.shooter)
        return game
    choice = next((one for one in MoonChoice if _is_same(moon, one.value)), None)
    if choice is None:
        raise RecordError('The moon must be "add", "subtract" or null, not {given}.', given=quote(moon))
    if deal.phase is not Phase.CHOOSING_MOON or deal.shooter is None:
        raise RecordError("Nobody has to decide about a moon in this deal.")
    return game.advance(MoonChosen(deal.shooter, choice))


def _move(game: Game, move: SeatMove, cannot: str, **values: Any) -> Game:
    """The game after this move, or a RecordError with this sentence."""
    try:
        return game.advance(move)
    except Refusal as refusal:
        raise RecordError(cannot, seat=move.seat, reason=refusal, **values) from None


def _compare_tricks(record: dict[str, Any], derived: list[dict[str, Any]]) -> None:
    if "tricks" not in record:
        return
    tricks = _check_list(record["tricks"], N_("The tricks"), len(derived))
    for index, (trick, expected) in enumerate(zip(tricks, derived, strict=True), 1):
        if not _is_same(trick, expected):
            raise RecordError(
                "Trick {number} must be {right}, not {given}.",
                number=index,
                right=quote(expected),
                given=quote(trick),
            )


def _compare(name: str, record: dict[str, Any], derived: list[int] | None) -> None:
    """Check a derived field, if the record has it."""
    if name in record and not _is_same(record[name], derived):
        raise RecordError(_DIFFERENT[name], right=quote(derived), given=quote(record[name]))


# Finding the records of a file


def split_records(readline: Callable[[int], bytes]) -> Iterator[bytes]:
    """The text of each record: a line or, if its brackets are still open at the end, several lines.

    `readline` returns at most as many bytes as asked for, and none at the end. Only the start of a record
    past the limit is returned.
    """
    text, is_first = b"", True
    left_open = 0
    for line in _lines(readline):
        if is_first and line.startswith(_UTF_16):
            yield line
            return  # its bytes can't be split into lines
        is_first = False
        opened = _opened(line)
        if text and (len(text) > MOST_IN_LINES or _begins_record(line, opened)):
            yield text
            text, left_open = b"", 0
        text, left_open = text + line, left_open + opened
        if left_open <= 0:
            yield text
            text, left_open = b"", 0
    if text:
        yield text


def _lines(readline: Callable[[int], bytes]) -> Iterator[bytes]:
    """The lines that aren't empty; only the start of one past the limit."""
    while line := readline(LARGEST_FILE + 1):
        end = line
        while len(end) > LARGEST_FILE and not end.endswith(b"\n"):
            end = readline(LARGEST_FILE + 1)
        if line.strip():
            yield line


def _begins_record(line: bytes, opened: int) -> bool:
    """Whether a record begins here, even if the one before is incomplete."""
    is_whole = opened == 0 and line.lstrip().startswith(b"{") and b'"format"' in line
    return is_whole or bool(_FIRST_FIELD.match(line))


def _opened(line: bytes) -> int:
    """How many more brackets this line opens than it closes; a very long one is taken for a whole record."""
    if len(line) > MOST_IN_LINES:
        return 0
    brackets = [match[0] for match in _BRACKETS.finditer(line) if len(match[0]) == 1]
    return 2 * sum(one in b"{[" for one in brackets) - len(brackets)


# Parsing a record: any fault becomes a sentence


class UnusableLine(RecordError):
    """Text that isn't JSON."""


def parse_line(line: bytes) -> Any:
    """The JSON values of this text; RecordError if it can't be a record, UnusableLine if it isn't JSON."""
    if len(line) > LARGEST_FILE:
        raise UnusableLine("This line is longer than {most} bytes.", most=str(LARGEST_FILE))
    if b"\0" in line:  # as UTF-16 has it
        raise UnusableLine("This line is not UTF-8.")
    if line.count(b"{") + line.count(b"[") > max(FEW, len(line) // SPARSE):
        raise RecordError("This line has far too many brackets for a record.")
    try:
        return json.loads(line.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise UnusableLine("This line is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise UnusableLine(
            "This line is not JSON from character {place} on.", place=str(error.pos + 1)
        ) from None
    except MemoryError:
        raise RecordError("This line takes more memory than there is.") from None
    except RecursionError:
        raise RecordError("This line is nested far too deeply for a record.") from None
    except ValueError:  # Python's limit on the digits of a number
        raise RecordError("A number in this line is far too long for a record.") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise RecordError("A field appears twice in one object.")
    return fields


def _no_constant(name: str) -> Any:
    raise UnusableLine("This line is not JSON: {word} is no number.", word=name)


# Checks of a record's JSON: each returns the value if it has the right shape, or raises RecordError.
# Translators have to find words that fit any `what`.


def _check_fields(value: Any, what: str, needed: Collection[str], derived: Collection[str]) -> dict[str, Any]:
    """An object with all needed fields, perhaps some derived ones, and no others."""
    if type(value) is not dict:
        raise RecordError("{what} must be an object, not {given}.", what=what, given=quote(value))
    for name in value:
        if name not in needed and name not in derived:
            raise RecordError("{what} has no field called {name}.", what=what, name=quote(name))
    for name in needed:
        if name not in value:
            raise RecordError("{what} has no {name}.", what=what, name=name)
    return value


def _check_list(value: Any, what: str, size: int | None = None, **values: Any) -> list[Any]:
    """A list, of this size unless it is None."""
    if type(value) is not list:
        raise RecordError("{what} must be a list, not {given}.", what=what, given=quote(value), **values)
    if size is not None and len(value) != size:
        wrong = N_("{what} must have {size} entries, not {given}.")
        if size == 1:
            wrong = N_("{what} must have {size} entry, not {given}.")
        raise RecordError(wrong, what=what, size=size, given=str(len(value)), **values)
    return value


def _check_number(value: Any, what: str) -> int:
    """A whole number; not `true` or 1.0."""
    if type(value) is not int:
        raise RecordError("{what} must be a whole number, not {given}.", what=what, given=quote(value))
    return value


def _check_seat(value: Any, what: str, players: int) -> int:
    """A seat's number."""
    if _check_number(value, what) not in range(players):
        raise RecordError(
            "{what} must be a seat from 0 to {most}, not {given}.",
            what=what,
            most=players - 1,
            given=quote(value),
        )
    return int(value)


def _check_card(value: Any, faces: dict[str, Card]) -> Card:
    """A card of the pack, from its code."""
    card = faces.get(value) if type(value) is str else None
    if card is None:
        raise RecordError("There is no card {given} in the pack.", given=quote(value))
    return card


def _check_hand(
    value: Any, what: str, faces: dict[str, Card], size: int | None = None, **values: Any
) -> Hand:
    """The cards of a list of codes, of this size unless it is None."""
    return tuple([_check_card(code, faces) for code in _check_list(value, what, size, **values)])


def _is_same(value: Any, expected: Any) -> bool:
    """Whether they are equal as JSON: `true` isn't 1, and neither is 1.0."""
    if type(value) is not type(expected):
        return False
    if type(expected) is list:
        return len(value) == len(expected) and all(map(_is_same, value, expected))
    if type(expected) is dict:
        return value.keys() == expected.keys() and all(
            _is_same(value[name], expected[name]) for name in expected
        )
    return bool(value == expected)
