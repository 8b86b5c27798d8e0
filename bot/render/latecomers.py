"""Taking a seat in the middle of a game: its buttons, and what the taker and the table are told."""

from __future__ import annotations

from collections.abc import Iterator

from bot.controls import ChangeLatecomers, ChooseSeat, StayOut
from bot.messages import Button, ByDm, Choice, Select, Style, Whisper
from bot.render.buttons import take_a_seat, watch
from bot.render.text import bold, person, plain, player
from engine.languages import ENGLISH
from engine.play.public import PublicDeal
from engine.tables import PublicTable, TableInfo

#: The answer to players who cancel taking a seat.
STAYS_OUT = "OK, cancelled."


def seat_to_take(table: TableInfo) -> tuple[Button, ...]:
    """Asks for a seat with the next deal; nothing where none can be had."""
    return (take_a_seat(table.id),) if table.free_seats else ()


def which_seat(table: PublicTable) -> Whisper:
    """Asks somebody where they want to sit."""
    totals = table.view.totals if table.view else ()
    choices = tuple(
        Choice(
            f"{plain(table.seats[seat].name)} · {ENGLISH.points(totals[seat])}",
            str(seat),
            hint="a computer" if table.seats[seat].person is None else "left, but may come back until then",
        )
        for seat in table.free_seats
    )
    text = "### Whose seat do you want?\nYou play from the next deal and keep the seat's score."
    return Whisper((text, Select(ChooseSeat(table.id), "Choose a seat", choices)))


def taken(table: PublicTable, who: int, by_dm: ByDm) -> Whisper:
    """The answer to a player who takes a seat with the next deal; it begins at once if nobody else plays."""
    match by_dm:
        case ByDm.YES:
            hand = "Your hand comes by DM, and **My hand** in this channel shows it too."
        case ByDm.LATER:
            hand = (
                "Your hand comes by DM as soon as Discord lets me send you one; "
                "**My hand** in this channel shows it too."
            )
        case ByDm.NO:
            hand = "I can't DM you: press **My hand** in this channel once that deal begins."
    return _coming(table, who, hand) if table.claim_of(who) else Whisper((f"### You have a seat\n{hand}",))


def onlooker(table: PublicTable, who: int) -> Whisper:
    """Shown in place of a hand to people who have none at this table."""
    if table.claim_of(who):
        return _coming(table, who, "**My hand** shows your cards as soon as they are dealt.")
    row = (*seat_to_take(table), *watch(table))
    if not table.free_seats:
        text = "You're not in this game, and no seat is free right now."
    else:
        text = "You're not in this game yet. Take a seat and you play from the next deal."
    return Whisper((text, row) if row else (text,))


def _coming(table: PublicTable, who: int, hand: str) -> Whisper:
    claim = table.claim_of(who)
    assert claim is not None
    assert table.view is not None
    seat, total = claim.seat, ENGLISH.points(table.view.totals[claim.seat])
    text = (
        "### You play from the next deal\n"
        f"You take the seat of {player(table, seat)} with {total}; a computer plays there until then. {hand}"
    )
    return Whisper((text, (Button("Cancel", StayOut(table.id)), *watch(table))))


def arrivals(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """A line for each player who joins with this deal, and whom they replace."""
    for number, seat in enumerate(table.seats):
        if seat.person is None or seat.since != deal.number or deal.number == 1:
            continue
        before = player(table.as_in(deal.number - 1), number)
        yield f"👋 {bold(table, number)} plays from this deal on, in place of {before}."


def latecomers(table: PublicTable) -> Iterator[str]:
    """The players who joined in mid-game, and those who were about to, told after the game."""
    for number, seat in enumerate(table.seats):
        if seat.person is not None and seat.since > 1:
            yield f"-# {bold(table, number)} joined in deal {seat.since}."
    for claim in table.seat_claims:
        yield f"-# **{person(claim.name)}** was about to sit down: press **Join** in the rematch."


def seats_in_words(table: TableInfo) -> str:
    """As one of the table's rules."""
    if table.takes_latecomers:
        return "Anyone may take a computer's seat mid-game, from the next deal."
    return "Nobody may take a seat mid-game."


def open_or_close(table: TableInfo) -> Button:
    """The button with which the host opens or closes the seats."""
    if table.takes_latecomers:
        return Button("Close the seats", ChangeLatecomers(table.id, "closed"))
    return Button("Open the seats", ChangeLatecomers(table.id, "open"), Style.GOOD)
