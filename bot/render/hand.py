"""A player's hand and what they can do with it: the same in a DM and under My hand."""

from __future__ import annotations

from collections.abc import Iterator

from bot.controls import ChooseMoon
from bot.messages import Button, Colour, Row, Style, Whisper
from bot.render import ratings
from bot.render.buttons import come_back, replay
from bot.render.deadlines import timed
from bot.render.exposing import exposing
from bot.render.hand_header import head, heading
from bot.render.passing import passing
from bot.render.playing import playing
from bot.render.text import bold, for_count, names, person
from bot.render.tones import sign
from engine.cards import Card
from engine.languages import ENGLISH
from engine.play.deal import Phase
from engine.play.views import PublicView, SeatView
from engine.players.advice import Advice
from engine.rules.options import MoonChoice
from engine.tables import FormerOccupant, PublicTable, State

#: The share of what counts in a deal by which a second place is still close.
NARROW = 0.25


def hand(
    table: PublicTable,
    view: SeatView,
    picked: tuple[int, ...] = (),
    asking: Card | None = None,
    advice: Advice | None = None,
    *,
    plays_itself: bool = False,
) -> Whisper:
    """What this player holds and may do now.

    `picked` is where in their hand the cards to pass are, `asking` the card about which to ask again,
    `advice` the hint that they were given; `plays_itself` whether their one legal card soon does so.
    """
    deal = view.deal
    match deal.phase:
        case Phase.PASSING:
            return passing(table, view, picked, advice)
        case Phase.EXPOSING:
            return exposing(table, view, asking, advice)
        case Phase.PLAYING:
            return playing(table, view, advice, plays_itself=plays_itself)
        case Phase.CHOOSING_MOON if deal.shooter == view.seat:
            return _moon(table, view)
        case _:
            return Whisper((heading(table, deal.number), "You've played all your cards."))


def over(table: PublicTable, deal: int, who: int) -> Whisper:
    """Shown in place of a hand whose deal or table is over, with the result."""
    ended = {State.OVER: "The game is over.", State.STOPPED: "The game was stopped."}
    text = " ".join([ended.get(table.state, f"Deal {deal} is over."), *_came_of(table, deal, who)])
    told = "\n".join([text, *ratings.own(table, who)])
    row = ((replay(table),),) if table.state is State.OVER and not table.daily else ()
    return Whisper((heading(table, deal), told, *row), Colour.DONE, is_final=True)


def _came_of(table: PublicTable, deal: int, who: int) -> Iterator[str]:
    """The points that the deal brought this player; after the game the winners and this player's total."""
    view, seat, sat = table.view, table.seat_of(who), table.seat_in(who, deal)
    if view is None or seat is None or table.state is State.STOPPED:
        return
    if table.state is State.OVER:
        yield _won(table, view, seat)
    elif deal <= len(view.points) and sat is not None:
        brought = view.points[deal - 1][sat]
        yield f"You scored {sign(table.rules, brought)} **{ENGLISH.number(brought)}**."


def _won(table: PublicTable, view: PublicView, seat: int) -> str:
    winners, total = table.winners, f"**{ENGLISH.number(view.totals[seat])}**"
    if table.seats[seat].has_left and not table.seats.are_for_one:
        won = for_count(len(winners), "🏆 {who} wins.", "🏆 {who} win.").format(who=names(table, winners))
        return f"{won} You had left, so you come last. There's a seat for you next time."
    if seat in winners:
        return _you_won(table, [one for one in winners if one != seat], total)
    place = table.places(view.totals)[seat]
    told = for_count(
        len(winners),
        "🏆 {who} wins; you came {place} with {total}. {cheer}",
        "🏆 {who} win; you came {place} with {total}. {cheer}",
    )
    cheer = _cheer(table, view, seat, place)
    return told.format(who=names(table, winners), place=ENGLISH.place(place), total=total, cheer=cheer)


def _you_won(table: PublicTable, others: list[int], total: str) -> str:
    if others:
        return f"🏆 **You win** with {total}, together with {names(table, others)}! Well shared."
    cheer = "The computers would like a rematch." if table.seats.are_for_one else "Well played."
    return f"🏆 **You win** with {total}! {cheer}"


def _cheer(table: PublicTable, view: PublicView, seat: int, place: int) -> str:
    """A kind word for a player who finished in this place and didn't win."""
    if place == 2:
        gap = abs(view.totals[seat] - view.totals[table.leaders(view.totals)[0]])
        return "That was close!" if gap <= NARROW * table.rules.at_stake else "A fine result."
    if place == max(table.places(view.totals)):
        return "The cards owe you one."
    return "Better luck next time."


def left_behind(table: PublicTable, deal: int, seat: int) -> Whisper:
    """Shown in place of the hand of a player for whom a computer plays in this seat."""
    text = "A computer plays your cards until you come back."
    if claim := table.claim_on(seat):
        text += f" **{person(claim.name, table.language)}** takes your seat with the next deal."
    return Whisper((heading(table, deal), text, (come_back(table.id, table.language, deal),)), Colour.DONE)


def lost(table: PublicTable, occupant: FormerOccupant) -> Whisper:
    """Shown in place of the hand of a player whose seat was taken by another."""
    text = f"{bold(table, occupant.seat)} has taken your seat: you have left this game for good."
    return Whisper((heading(table, occupant.until), text), Colour.DONE, is_final=True)


def given_up(table: PublicTable, deal: int) -> Whisper:
    """Shown in place of the hand of a player who has had their data deleted."""
    text = "You have left this game for good: a computer has your seat."
    return Whisper((heading(table, deal), text), Colour.DONE, is_final=True)


def _moon(table: PublicTable, view: SeatView) -> Whisper:
    (own, others), here = view.rules.counting.moon_choice, (table.id, view.deal.number)
    row: Row = (
        Button(f"{ENGLISH.change(own)} for me", ChooseMoon(*here, MoonChoice.SUBTRACT), Style.GOOD),
        Button(f"{ENGLISH.change(others)} for the others", ChooseMoon(*here, MoonChoice.ADD), Style.MAIN),
    )
    question = timed(
        table,
        "🌕 **You shot the moon!** What will it be?",
        "🌕 **You shot the moon!** What will it be (deadline {time})?",
        "🌕 **You shot the moon!** What will it be (until {time})?",
    )
    return Whisper((head(table, view), question, row), Colour.TURN)
