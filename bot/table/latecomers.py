"""Taking a seat mid-game: its buttons, and the messages to the newcomer and to the table."""

from collections.abc import Iterator
from typing import Literal

from bot.vocabulary.controls import SEATS, Action, Where, Who
from bot.vocabulary.messages import Button, ByDm, Choice, Select, Style, Whisper
from bot.words.buttons import take_a_seat, watch
from bot.words.text import bold, person, plain, player
from engine.languages import N_
from engine.play.public import PublicDeal
from engine.tables import PublicTable, TableInfo

#: The answer to players who cancel taking a seat.
STAYS_OUT = N_("OK, cancelled.")


class ChooseSeat(Action, verb="take", who=Who.ANYONE, where=SEATS, private=True):
    """Take the chosen seat."""


class StayOut(Action, verb="out", who=Who.ANYONE, where=SEATS, private=True):
    """Cancel taking a seat."""


class ChangeLatecomers(Action, verb="latecomers", who=Who.HOST, where=Where.CHANNEL, private=True):
    """Open the seats to latecomers, or close them."""

    seats: Literal["open", "closed"]


def seat_to_take(table: TableInfo) -> tuple[Button, ...]:
    """The button that takes a seat from the next deal on; none if no seat is free."""
    return (take_a_seat(table.id, table.language),) if table.free_seats else ()


def which_seat(table: PublicTable) -> Whisper:
    """Ask someone which of the free seats they want."""
    totals = table.view.totals if table.view else ()
    choices = []
    for seat in table.free_seats:
        name, points = plain(table.names[seat], table.language), table.language.points(totals[seat])
        is_computers = table.seats[seat].person is None
        hint = table.say("a computer") if is_computers else table.say("left, but may come back until then")
        choices.append(Choice(f"{name} · {points}", str(seat), hint=hint))
    heading = table.say("Whose seat do you want?")
    text = table.say("You play from the next deal and keep the seat's points.")
    select = Select(ChooseSeat(table.id), table.say("Choose a seat"), tuple(choices))
    return Whisper((f"### {heading}\n{text}", select))


def seat_taken(table: PublicTable, who: int, by_dm: ByDm) -> Whisper:
    """The answer to a player who takes a seat with the next deal; it begins at once if nobody else plays."""
    match by_dm:
        case ByDm.YES:
            hand = table.say("Your hand comes by DM, and **My hand** in this channel shows it too.")
        case ByDm.LATER:
            hand = table.say(
                "Your hand comes by DM as soon as Discord lets me send you one; "
                "**My hand** in this channel shows it too."
            )
        case ByDm.NO:
            hand = table.say("I can't DM you: press **My hand** in this channel once that deal begins.")
    if table.claim_of(who):
        return _coming(table, who, hand)
    return Whisper((f"### {table.say('You have a seat')}\n{hand}",))


def onlooker(table: PublicTable, who: int) -> Whisper:
    """What replaces a hand for people who have none at this table."""
    if table.claim_of(who):
        return _coming(table, who, table.say("**My hand** shows your cards as soon as they are dealt."))
    row = (*seat_to_take(table), *watch(table))
    if not table.free_seats:
        text = table.say("You're not in this game, and no seat is free right now.")
    else:
        text = table.say("You're not in this game yet. Take a seat and you play from the next deal.")
    return Whisper((text, row) if row else (text,))


def _coming(table: PublicTable, who: int, hand: str) -> Whisper:
    claim = table.claim_of(who)
    assert claim is not None
    assert table.view is not None
    sentence = table.say(
        "You take the seat of {who} with {points}; a computer plays there until then.",
        who=player(table, claim.seat),
        points=table.language.points(table.view.totals[claim.seat]),
    )
    heading = f"### {table.say('You play from the next deal')}"
    cancel = Button(table.language.say_as("button", "Cancel"), StayOut(table.id))
    return Whisper((f"{heading}\n{table.language.sentences([sentence, hand])}", (cancel, *watch(table))))


def arrivals(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """A line for each player who joins with this deal, and whom they replace."""
    for number, seat in enumerate(table.seats):
        if seat.person is None or seat.since != deal.number or deal.number == 1:
            continue
        line = table.say(
            "{who} plays from this deal on, in place of {before}.",
            who=bold(table, number),
            before=player(table.as_in(deal.number - 1), number),
        )
        yield f"👋 {line}"


def latecomers(table: PublicTable) -> Iterator[str]:
    """Lines, after the game, about players who joined mid-game and those who were about to."""
    for number, seat in enumerate(table.seats):
        if seat.person is not None and seat.since > 1:
            line = table.say("{who} joined in deal {deal}.", who=bold(table, number), deal=seat.since)
            yield f"-# {line}"
    for claim in table.seat_claims:
        line = table.say(
            "{who} was about to sit down: press **Join** in the rematch.",
            who=f"**{person(table.name_of_guest(claim), table.language)}**",
        )
        yield f"-# {line}"


def seats_in_words(table: TableInfo) -> str:
    """The rule about latecomers, in a sentence."""
    if table.takes_latecomers:
        return table.say("Anyone may take a computer's seat mid-game, from the next deal.")
    return table.say("Nobody may take a seat mid-game.")


def open_or_close(table: TableInfo) -> Button:
    """The button with which the host opens or closes the seats."""
    if table.takes_latecomers:
        return Button(table.say("Close the seats"), ChangeLatecomers(table.id, "closed"))
    return Button(table.say("Open the seats"), ChangeLatecomers(table.id, "open"), Style.GOOD)
