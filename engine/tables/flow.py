"""What happens at a table automatically: dealing, computers' moves, and time running out."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from engine.cards import Card
from engine.play.deal import Deal, Phase
from engine.play.game import Game, shuffle
from engine.play.moves import Declined, Ended, Move, Played, SeatMove
from engine.play.seal import with_salt
from engine.play.views import SeatView, seat_view
from engine.players import Computer, Strength, random_move
from engine.tables import inviting, planning, voting
from engine.tables.changes import close, desert, seat_claimants, with_host, without_plan
from engine.tables.days import Day, computer_rng, refuse_day
from engine.tables.picks import picked_pass
from engine.tables.plan import Timer
from engine.tables.preferences import Forced, Preference
from engine.tables.table import ForcedCard, Moment, NoticeKind, State, Table

#: Seconds after which a lobby closes if nothing happens.
LOBBY_CLOSES = 60 * 60.0
#: Seconds after which a game closes if everyone has left.
DESERTED_CLOSES = 24 * 60 * 60.0
#: Seconds after which computers finish a tournament's game if everyone has left.
LEFT_TO_COMPUTERS = 5 * 60.0
#: Seconds after which a paused table closes, as the bot couldn't post in its channel.
PAUSED_CLOSES = 7 * 24 * 60 * 60.0
#: Turns in a row that a computer plays for someone before it keeps the seat.
MISSED_TURNS = 2
#: Seconds in which players can find their table and move after the bot was away.
ENOUGH = 10.0
#: Seconds after which a card without an alternative plays itself.
FORCED_PLAYS = 1.0


@dataclass(frozen=True, slots=True)
class Flow:
    """The course of a table, given chance, time, the computer players and people's preferences."""

    rng: Random
    computers_rng: Random  # separate, so that their moves reveal nothing about the next cards
    computer: Computer
    clock: Callable[[], float]
    preference_of: Callable[[int], Preference] = lambda person: Preference()
    day_of: Callable[[str], Day] = refuse_day  # looks up the day of a daily game
    thinks: bool = False  # whether strong computers think; otherwise they move at once like all others

    def follow_up(self, old: Table, new: Table) -> Table:
        """Advance the new table by votes, dealing and computers' moves, and set its timer."""
        new = voting.resolved(self._with_grace(old, new))
        new = self.run_on(new) if new.state is State.PLAYING else new
        new = voting.timed(voting.resolved(new), self.clock())
        return self.with_forced_card(old, self._with_timer(old, new))

    def _with_grace(self, old: Table, new: Table) -> Table:
        """After a pause, give players who are away all their time again, and handle a missed start."""
        if new.paused or not old.paused:
            return new
        new = planning.after_absence(replace(new, resumed_at=self.clock()), self.clock())
        return _with_time_for(new, self.clock() + new.pace.grace)

    def run_on(self, table: Table) -> Table:
        """Deal and let computers play until the game ends, or waits for a person or a thinking computer."""
        while (game := table.game) and not game.over and (table.has_people or _waits_to_begin(table, game)):
            if game.deal is None:
                table = seat_claimants(table)
            move = self.at_once(table, game.deal) if game.deal else self._next_deal(table, game)
            if move is None:
                break
            table = table.after(move)
        return replace(table, state=State.OVER) if table.game and table.game.over else table

    def _next_deal(self, table: Table, game: Game) -> Move:
        if table.tournament and len(game.deals) >= table.tournament.deals:
            return Ended()
        if table.daily is None:
            return with_salt(shuffle(game, self.rng), self.rng)
        deals = self.day_of(table.daily.day).deals
        return deals[len(game.deals)] if len(game.deals) < len(deals) else Ended()

    def at_once(self, table: Table, deal: Deal) -> SeatMove | None:
        """The next move of a computer that needn't think about it; None if there is none."""
        if _is_to_be_finished(table, deal):
            # Nothing is at stake any more, so any legal card will do, and a random one takes no time.
            seat = deal.waiting_for[0]
            return random_move(_view(table, seat), self._rng_for(table, deal, seat))
        thoughtful = self.thoughtful(table)
        for seat in deal.waiting_for:
            if not table.seats[seat].is_played_by_person and seat not in thoughtful:
                return self.move(table, seat)
        return None

    def move(self, table: Table, seat: int) -> SeatMove:
        """The move of this seat's computer; a strong one plays like a medium one, without thinking."""
        sitting = table.seats[seat]
        strength = Strength.MEDIUM if sitting.is_played_by_strong else sitting.strength
        assert table.game is not None
        rng = self._rng_for(table, table.game.deals[-1], seat)
        return self.computer(strength, sitting.manner)(_view(table, seat), rng)

    def _rng_for(self, table: Table, deal: Deal, seat: int) -> Random:
        return computer_rng(deal, seat) if table.daily else self.computers_rng

    def thoughtful(self, table: Table) -> tuple[int, ...]:
        """The seats whose computers think about their next move, or pretend to.

        A forced card comes at once only if everyone knows that it is forced: otherwise that would reveal it.
        """
        deal = table.game.deal if table.game else None
        if not self.thinks or deal is None or table.paused or not table.has_people or not table.is_live:
            return ()
        if not table.seats.has_strong or _is_to_be_finished(table, deal):
            return ()
        if deal.phase is Phase.PLAYING and deal.is_known_to_be_forced:
            return ()
        return tuple([seat for seat in deal.waiting_for if table.seats[seat].is_played_by_strong])

    def _with_timer(self, old: Table, new: Table) -> Table:
        """Set the new table's timer; the old one runs on while both tables wait for the same thing."""
        if not new.is_live:
            return replace(without_plan(new) if new.plan else new, timer=None, picks=())
        if new.plan and not new.paused:
            return replace(new, timer=new.plan.timer)
        if new.timer is not None and old.stage == new.stage:
            return new
        limit = _limit(new)
        if limit is None:
            return replace(new, timer=None)
        nobody_to_remind = new.paused or new.state is State.LOBBY or not new.has_people
        return replace(new, timer=Timer(self.clock() + limit, limit, reminded=nobody_to_remind))

    def with_forced_card(self, old: Table, new: Table) -> Table:
        """Set the card that will play itself, FORCED_PLAYS seconds after it became playable."""
        card = forced_card(new, self.preference_of)
        if card is None:
            return replace(new, forced=None) if new.forced else new
        if old.forced and old.stage == new.stage:
            return new
        return replace(new, forced=ForcedCard(card, self.clock() + FORCED_PLAYS))

    def ring(self, table: Table) -> Table:
        """Handle the alarm: play a forced card, remind players, or act on a time that is up."""
        timer = table.timer
        if table.tournament and self.clock() >= table.tournament.until:
            return self._finish_round(table)
        if table.forced and self.clock() >= table.forced.at:
            return _play_forced(table, table.forced.card)
        if inviting.is_due(table, self.clock()):
            return inviting.released(table, self.clock())
        if table.grace_ends_at is not None and self.clock() >= table.grace_ends_at:
            return _end_grace(table, self.clock())
        if voting.is_due(table, self.clock()):
            return voting.time_up(table)
        if timer is None or self.clock() < timer.rings_at:
            return table
        if table.plan and not table.paused:
            return planning.ring(table, table.plan, self.clock())
        if not timer.reminded:
            return _remind(replace(table, timer=replace(timer, reminded=True)))
        if table.paused:
            return close(table, NoticeKind.ABANDONED)
        if table.state is State.LOBBY:
            return close(table, NoticeKind.LOBBY_CLOSED)
        if not table.has_people:
            return self._finish_round(table) if table.tournament else desert(table)
        return _end_exposing(table) if table.is_exposing else self._stand_in(table)

    def _finish_round(self, table: Table) -> Table:
        """Let computers finish a tournament's deal, and end the game there, as it stands.

        Further deals would count for nobody.
        """
        while table.game and (deal := table.game.deal):
            table = table.after(self.move(table, deal.waiting_for[0]))
        assert table.game is not None
        table = table if table.game.over else table.after(Ended())
        return replace(table, state=State.OVER).with_notice(NoticeKind.ROUND_OVER)

    def _stand_in(self, table: Table) -> Table:
        """Let a computer play for awaited players; the second time in a row it keeps the seat.

        It passes the cards that they have picked, if there are enough.
        """
        awaited, newly_away = table.awaited, []
        for number in awaited:
            assert table.game is not None
            picked = picked_pass(table.game, table.picks, number)
            move = picked or self.move(table, number)
            table = table.after(move)
            seat = replace(table.seats[number], missed=table.seats[number].missed + 1)
            table = table.with_seat(number, seat)
            if seat.missed >= MISSED_TURNS:
                table = table.with_away(number, kept_until=self.clock() + table.pace.grace)
                newly_away.append(number)
        if newly_away:
            return with_host(table).with_notice(NoticeKind.SEAT_KEPT, newly_away)
        return table.with_notice(NoticeKind.TIME_UP, awaited)


# A tournament's deals


def _waits_to_begin(table: Table, game: Game) -> bool:
    """Whether to deal the first deal to an empty table, as a tournament's players may still come."""
    return table.tournament is not None and not game.deals


# Computers


def _view(table: Table, seat: int) -> SeatView:
    assert table.game is not None
    return seat_view(table.game, seat)


def _is_to_be_finished(table: Table, deal: Deal) -> bool:
    """Whether computers play the rest of this deal for everyone, as nothing is at stake any more."""
    return table.finishes_early and deal.is_decided and deal.phase is Phase.PLAYING


# Cards that play themselves


def forced_card(table: Table, preference_of: Callable[[int], Preference]) -> Card | None:
    """The only card that the player to move can play, if it should play itself.

    That tells the others that it was forced, so by default it happens only if they know that anyway.
    """
    deal = table.game.deal if table.game else None
    if deal is None or deal.turn is None or table.paused or table.state is not State.PLAYING:
        return None
    seat = table.seats[deal.turn]
    if seat.person is None or seat.away:
        return None
    if not deal.is_known_to_be_forced and preference_of(seat.person).forced is not Forced.EVERY:
        return None
    legal = deal.legal(deal.turn)
    return legal[0] if len(set(legal)) == 1 else None


def _play_forced(table: Table, card: Card) -> Table:
    assert table.game is not None
    [seat] = table.awaited
    move = Played(seat, card)
    return replace(table.after(move, is_own=True), played_itself=(Moment.of(table.game), move))


# Time


def after_absence(table: Table, now: float) -> Table:
    """Put off deadlines that have passed while the bot was away, or are near, with a reminder.

    A paused table gets all its time again, as nobody could let the bot back into its channel meanwhile.
    """
    if table.plan and not table.paused:
        return planning.after_absence(table, now)
    if table.tournament and now >= table.tournament.until:
        return table  # computers finish it at once
    table, timer = voting.after_absence(table, now), table.timer
    if table.grace_ends_at is not None and table.grace_ends_at <= now:
        table = _with_time_for(table, now + table.pace.grace / 2)
    if table.paused and (timer is None or now >= timer.deadline):
        return replace(table, timer=None)
    if timer is None:
        return table
    remaining = timer.deadline - now
    if remaining > timer.limit:  # the clock was set back meanwhile
        return replace(table, timer=replace(timer, deadline=now + timer.limit))
    if remaining > min(ENOUGH, timer.limit / 2) or table.state is State.LOBBY or not table.has_people:
        return table
    again = Timer(now + timer.limit / 2, timer.limit, reminded=True)
    return _remind(replace(table, timer=again))


def shifted(table: Table, seconds: float) -> Table:
    """Move the table's times by these seconds, as the clock was set; a planned start keeps its time."""
    timer, forced, vote = table.timer, table.forced, table.vote
    if timer and (table.paused or not table.plan):
        timer = replace(timer, deadline=timer.deadline + seconds)
    if forced:
        forced = replace(forced, at=forced.at + seconds)
    if vote and vote.until is not None:
        vote = replace(vote, until=vote.until + seconds)
    for number, seat in enumerate(table.seats):
        if seat.kept_until is not None:
            table = table.with_seat(number, replace(seat, kept_until=seat.kept_until + seconds))
    game = table.tournament and replace(table.tournament, until=table.tournament.until + seconds)
    return replace(inviting.shifted(table, seconds), timer=timer, forced=forced, vote=vote, tournament=game)


def _limit(table: Table) -> float | None:
    """The seconds that the table waits in its present state; None without a limit."""
    if table.paused:
        return PAUSED_CLOSES
    if table.state is State.LOBBY:
        return LOBBY_CLOSES
    if table.waits_for_computers:
        return None
    if table.has_people:
        return table.pace.seconds
    return LEFT_TO_COMPUTERS if table.tournament else DESERTED_CLOSES


def _remind(table: Table) -> Table:
    if not table.is_exposing:
        return table.with_notice(NoticeKind.REMINDER, table.awaited)
    people = [number for number, seat in enumerate(table.seats) if seat.is_played_by_person]
    return table.with_notice(NoticeKind.EXPOSING_REMINDER, people)


def _end_exposing(table: Table) -> Table:
    """Take silence for a no. Naming players, or taking their seats, would tell who could expose (C2)."""
    for number in table.awaited:
        table = table.after(Declined(number))
    return table.with_notice(NoticeKind.EXPOSING_OVER)


def _end_grace(table: Table, now: float) -> Table:
    """Count players who have been away for too long as having left."""
    late = [n for n, seat in enumerate(table.seats) if seat.kept_until is not None and seat.kept_until <= now]
    for number in late:
        table = table.with_seat(number, replace(table.seats[number], kept_until=None))
    table = with_host(table)
    return table.with_notice(NoticeKind.AWAY_TOO_LONG, late) if table.has_people else table


def _with_time_for(table: Table, until: float) -> Table:
    """Give players who are away time until at least this moment (seconds since 1970)."""
    for number, seat in enumerate(table.seats):
        if seat.kept_until is not None and seat.kept_until < until:
            table = table.with_seat(number, replace(seat, kept_until=until))
    return table
