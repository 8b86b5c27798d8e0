"""A player's hand and what they can do with it, both in a DM and under **My hand**."""

from collections.abc import Iterator

from bot.table.exposing import exposing
from bot.table.hand_header import head, heading
from bot.table.passing import passing
from bot.table.playing import playing
from bot.vocabulary.controls import HAND, DealAction, Who
from bot.vocabulary.messages import Button, Colour, Row, Style, Whisper
from bot.words import ratings
from bot.words.buttons import come_back, replay
from bot.words.deadlines import with_deadline
from bot.words.text import bold, names, person
from bot.words.tones import sign
from engine.cards import Card
from engine.languages import N_
from engine.play.deal import Phase
from engine.play.views import PublicView, SeatView
from engine.players.advice import Advice
from engine.rules.options import MoonChoice
from engine.tables import FormerOccupant, PublicTable, State

#: Second place is close if the gap is at most this share of the points in a deal.
NARROW = 0.25
#: Why there is no hand once the game has ended.
ENDED = {State.OVER: N_("The game is over."), State.STOPPED: N_("The game was stopped.")}


class ChooseMoon(DealAction, verb="moon", who=Who.HOLDER, where=HAND, private=True):
    """Decide what a moon does."""

    choice: MoonChoice


def hand(
    table: PublicTable,
    view: SeatView,
    picked: tuple[int, ...] = (),
    asking: Card | None = None,
    advice: Advice | None = None,
    *,
    plays_itself: bool = False,
    beside_table: bool = False,
) -> Whisper:
    """What this player holds and may do now.

    `picked` holds the places in the hand of the cards picked to pass, `asking` is a card to confirm, and
    `advice` the hint they were given. With `plays_itself`, their only legal card is about to be played for
    them; with `beside_table`, the same message shows the table, so the hand needn't.
    """
    deal = view.deal
    match deal.phase:
        case Phase.PASSING:
            return passing(table, view, picked, advice)
        case Phase.EXPOSING:
            return exposing(table, view, asking, advice)
        case Phase.PLAYING:
            return playing(table, view, advice, asking, plays_itself=plays_itself, beside_table=beside_table)
        case Phase.CHOOSING_MOON if deal.shooter == view.seat:
            return _moon(table, view)
        case _:
            return Whisper((heading(table, deal.number), table.say("You've played all your cards.")))


def over(table: PublicTable, deal: int, who: int) -> Whisper:
    """What replaces a hand whose deal or game is over: the result."""
    if table.state in ENDED:
        ended = table.say(ENDED[table.state])
    else:
        ended = table.say("Deal {deal} is over.", deal=deal)
    result = table.language.sentences([ended, *_result(table, deal, who)])
    text = "\n".join([result, *ratings.own(table, who)])
    row = ((replay(table),),) if table.state is State.OVER and not table.daily else ()
    return Whisper((heading(table, deal), text, *row), Colour.DONE, is_final=True)


def _result(table: PublicTable, deal: int, who: int) -> Iterator[str]:
    """The player's points in the deal or, after the game, the winners and the player's total."""
    view, seat, sat = table.view, table.seat_of(who), table.seat_in(who, deal)
    if view is None or seat is None or table.state is State.STOPPED:
        return
    if table.state is State.OVER:
        yield _won(table, view, seat)
    elif deal <= len(view.points) and sat is not None:
        scored = view.points[deal - 1][sat]
        points = f"{sign(table.rules, scored)} **{table.language.number(scored)}**"
        yield table.say("Your points: {points}.", points=points)


def _won(table: PublicTable, view: PublicView, seat: int) -> str:
    winners, total = table.winners, f"**{table.language.number(view.totals[seat])}**"
    if table.seats[seat].has_left and not table.seats.are_for_one:
        verdict = table.say_count(len(winners), "🏆 {who} wins.", "🏆 {who} win.", who=names(table, winners))
        comfort = table.say("You had left, so you come last. There's a seat for you next time.")
        return table.language.sentences([verdict, comfort])
    if seat in winners:
        return _you_won(table, [one for one in winners if one != seat], total)
    place = table.places(view.totals)[seat]
    verdict = table.say_count(
        len(winners),
        "🏆 {who} wins; you came {place} with {points}.",
        "🏆 {who} win; you came {place} with {points}.",
        who=names(table, winners),
        place=table.language.place(place),
        points=total,
    )
    return table.language.sentences([verdict, _cheer(table, view, seat, place)])


def _you_won(table: PublicTable, others: list[int], total: str) -> str:
    if others:
        return table.say(
            "🏆 **You win** with {points}, together with {who}! Well shared.",
            points=total,
            who=names(table, others),
        )
    verdict = table.say("🏆 **You win** with {points}!", points=total)
    if table.seats.are_for_one:
        cheer = table.say("The computers would like a rematch.")
    else:
        cheer = table.say("Well played.")
    return table.language.sentences([verdict, cheer])


def _cheer(table: PublicTable, view: PublicView, seat: int, place: int) -> str:
    """A kind word for a player who finished in this place and didn't win."""
    if place == 2:
        gap = abs(view.totals[seat] - view.totals[table.leaders(view.totals)[0]])
        is_close = gap <= NARROW * table.rules.at_stake
        return table.say("That was close!") if is_close else table.say("A fine result.")
    return table.say("Better luck next time.")


def left_behind(table: PublicTable, deal: int, seat: int) -> Whisper:
    """What replaces the hand of a player for whom a computer plays in this seat."""
    if table.is_private:
        sentences = [table.say("You've left. The game waits for you here for a day.")]
    else:
        sentences = [table.say("A computer plays your cards until you come back.")]
    if claim := table.claim_on(seat):
        who = person(table.name_of_guest(claim), table.language)
        sentences.append(table.say("**{who}** takes your seat with the next deal.", who=who))
    text = table.language.sentences(sentences)
    return Whisper((heading(table, deal), text, (come_back(table.id, table.language, deal),)), Colour.DONE)


def lost(table: PublicTable, occupant: FormerOccupant) -> Whisper:
    """What replaces the hand of a player whose seat was taken by another."""
    who = bold(table, occupant.seat)
    text = table.say("{who} has taken your seat: you have left this game for good.", who=who)
    return Whisper((heading(table, occupant.until), text), Colour.DONE, is_final=True)


def given_up(table: PublicTable, deal: int) -> Whisper:
    """What replaces the hand of a player who has had their data deleted."""
    text = table.say("You have left this game for good: a computer has your seat.")
    return Whisper((heading(table, deal), text), Colour.DONE, is_final=True)


def _moon(table: PublicTable, view: SeatView) -> Whisper:
    (own, others), ids = view.rules.counting.moon_choice, (table.id, view.deal.number)
    for_me = table.say("{points} for me", points=table.language.change(own))
    for_others = table.say("{points} for the others", points=table.language.change(others))
    row: Row = (
        Button(for_me, ChooseMoon(*ids, MoonChoice.SUBTRACT), Style.GOOD),
        Button(for_others, ChooseMoon(*ids, MoonChoice.ADD), Style.MAIN),
    )
    question = with_deadline(table, table.say("🌕 **You shot the moon!** Choose:"))
    return Whisper((head(table, view), question, row), Colour.TURN)
