"""What happens to a tournament: each function takes one and returns the next, or raises a Refusal.

`now` is in seconds since 1970. The service opens tables and notes their results.
"""

from dataclasses import replace
from random import Random

from engine.errors import Refusal
from engine.names import NOBODY
from engine.rules.wording import changed
from engine.tables.changes import next_computer, with_names_apart
from engine.tables.days import NO_END
from engine.tables.plan import REMINDS_BEFORE, Plan
from engine.tables.seats import Seat, Seats
from engine.tables.table import Hints, Person, Table, TournamentGame
from engine.tournaments.seating import seat
from engine.tournaments.standings import standings
from engine.tournaments.tournament import (
    DEALS,
    FEWEST,
    MINUTES,
    MOST_PEOPLE,
    PACES,
    ROUNDS,
    Entrant,
    PlayedDeal,
    Reason,
    Round,
    RoundTable,
    TableState,
    Terms,
    Tournament,
    TournamentState,
)

#: Seconds after which sign-up closes if the host hasn't started.
SIGN_UP_CLOSES = 24 * 60 * 60.0
#: Seconds of rest between two rounds.
PAUSE = 90.0
#: The most seconds that the result waits for pars after the last deal.
PARS_WAIT = 30 * 60.0
#: The number of attempts to find a place for a table, and the seconds between them.
TRIES, TRY_AGAIN = 5, 60.0


# Signing up


def opened(
    guild: int, channel: int, host: Person, terms: Terms, starts_at: float | None, seed: int, now: float
) -> Tournament:
    """Open a tournament for sign-up, without its host; Refusal if the terms are out of range."""
    _check_terms(terms)
    # A round ends after its own number of deals.
    terms = replace(terms, rules=changed(terms.rules, {"ends_at": NO_END, "deals": 0}))
    return Tournament(
        id=0,
        guild=guild,
        channel=channel,
        host=host.id,
        terms=terms,
        opened_at=now,
        seed=seed,
        plan=None if starts_at is None else Plan.of(starts_at, now),
    )


def _check_terms(terms: Terms) -> None:
    if terms.pace not in PACES:
        raise Refusal("tournament_pace")
    (fewest_rounds, most_rounds), (fewest_deals, most_deals), (least, most) = ROUNDS, DEALS, MINUTES
    if not fewest_rounds <= terms.rounds <= most_rounds:
        raise Refusal("tournament_rounds", least=fewest_rounds, most=most_rounds)
    if not fewest_deals <= terms.deals <= most_deals:
        raise Refusal("tournament_deals", least=fewest_deals, most=most_deals)
    if not least <= terms.limit <= most:
        raise Refusal("tournament_minutes", least=least, most=most)


def sign_up(tournament: Tournament, person: Person, now: float) -> Tournament:
    """Sign up, or come back; people who sign up late play from the next round on."""
    check_is_live(tournament)
    own = tournament.by_person.get(person.id)
    if own and tournament.state is TournamentState.PLAYING and own.is_missing:
        return come_back(tournament, own)
    if own:
        raise Refusal("signed_up")
    if len(tournament.by_person) >= MOST_PEOPLE:
        raise Refusal("tournament_full", count=MOST_PEOPLE)
    if tournament.state is TournamentState.PLAYING and not tournament.has_next_round:
        raise Refusal("tournament_last_round")
    number = 1 + max([one.number for one in tournament.entrants], default=0)
    since = 1 + len(tournament.rounds)
    new = Entrant(number, person.id, person.name, since, is_here=_is_near(tournament, now))
    return replace(tournament, entrants=(*tournament.entrants, new))


def come_back(tournament: Tournament, entrant: Entrant) -> Tournament:
    """Let an entrant who sat out or was away play again; Refusal if there is nothing left to play."""
    if not tournament.has_next_round and seat_now(tournament, entrant.number) is None:
        raise Refusal("tournament_last_round")
    return tournament.with_entrant(replace(entrant, is_here=True, is_out=False))


def withdraw(tournament: Tournament, person: int) -> Tournament:
    """Withdraw from sign-up or, once the tournament has started, sit out from now on."""
    check_is_live(tournament)
    own = tournament.by_person.get(person)
    if own is None or own.is_out:
        raise Refusal("not_signed_up")
    if tournament.state is TournamentState.PLAYING:
        return tournament.with_entrant(replace(own, is_out=True))
    others = tuple([one for one in tournament.entrants if one is not own])
    return replace(tournament, entrants=others)


def be_here(tournament: Tournament, person: int) -> Tournament:
    """Say that one is there for the planned start."""
    check_is_live(tournament)
    own = tournament.by_person.get(person)
    if own is None:
        raise Refusal("not_signed_up")
    return tournament.with_entrant(replace(own, is_here=True))


def forget(tournament: Tournament, person: int) -> Tournament:
    """Remove this person's id and name from the tournament; their seats and deals stay."""
    if tournament.host == person:
        tournament = replace(tournament, host=NOBODY)
    if own := tournament.by_person.get(person):
        tournament = tournament.with_entrant(replace(own, person=NOBODY, name="", is_here=False, is_out=True))
    return tournament


def _is_near(tournament: Tournament, now: float) -> bool:
    """Whether a person who signs up now counts as being there at the start."""
    return tournament.plan is None or tournament.plan.at - now <= REMINDS_BEFORE


# What the host decides


def check_may_decide(tournament: Tournament, person: int, *, may_manage: bool) -> None:
    """Raise a Refusal unless this person is the tournament's host, or may manage events."""
    check_is_live(tournament)
    if person != tournament.host and not may_manage:
        raise Refusal("tournament_host_only")


def check_is_live(tournament: Tournament) -> None:
    """Raise a Refusal if the tournament is over."""
    if not tournament.is_live:
        raise Refusal("tournament_over")


def check_is_signing_up(tournament: Tournament) -> None:
    """Raise a Refusal if the tournament has started or is over."""
    check_is_live(tournament)
    if tournament.state is not TournamentState.SIGNING_UP:
        raise Refusal("tournament_started")


def plan_start(tournament: Tournament, at: float | None, now: float) -> Tournament:
    """Plan the start for that time; None leaves it to the host."""
    check_is_signing_up(tournament)
    plan = None if at is None else Plan.of(at, now)
    entrants = tuple([replace(one, is_here=False) for one in tournament.entrants])
    return replace(tournament, plan=plan, opened_at=now, entrants=entrants)


def start(tournament: Tournament, now: float) -> Tournament:
    """Start at once; everyone who has signed up counts as being there."""
    check_is_signing_up(tournament)
    if len(tournament.by_person) < FEWEST:
        raise Refusal("tournament_too_few")
    entrants = tuple([replace(one, is_here=True) for one in tournament.entrants])
    return begin_round(replace(tournament, entrants=entrants), now)


def stop(tournament: Tournament, reason: Reason, now: float) -> Tournament:
    """End the tournament without a result."""
    return replace(tournament, state=TournamentState.STOPPED, reason=reason, next_at=None, ended_at=now)


# Rounds


def begin_round(tournament: Tournament, now: float) -> Tournament:
    """Begin the next round, with its seats but no tables yet; too few players end the tournament."""
    number = 1 + len(tournament.rounds)
    ranking = [one.entrant for one in standings(tournament) if one.entrant.can_play(number)]
    if len(ranking) < FEWEST:
        return close(tournament, Reason.TOO_FEW, now)
    if number == 1:  # shuffled, but with those who are there at the same tables
        Random(tournament.seed).shuffle(ranking)
        ranking.sort(key=lambda one: not one.is_here)
    seatings = seat(
        [one.number for one in ranking],
        tournament.terms.rules.players,
        [table.seats for _, table in tournament.tables],
        tournament.seed + number,
    )
    tables = tuple([RoundTable(number, seats) for number, seats in enumerate(seatings, 1)])
    round = Round(number, now, now + 60.0 * tournament.terms.limit, tables)
    return replace(
        tournament, state=TournamentState.PLAYING, rounds=(*tournament.rounds, round), next_at=None
    )


def close(tournament: Tournament, reason: Reason | None, now: float) -> Tournament:
    """End the tournament with what was played; without a result if nothing was."""
    if not any(deal.played for _, table in tournament.tables for deal in table.deals):
        return stop(tournament, reason or Reason.TOO_FEW, now)
    return replace(tournament, state=TournamentState.OVER, reason=reason, next_at=None, ended_at=now)


def seat_now(tournament: Tournament, entrant: int) -> RoundTable | None:
    """The table in play where this entrant has a seat; None if there is none."""
    table = tournament.round.table_of(entrant) if tournament.round else None
    return table if table and not table.is_over else None


def with_table(tournament: Tournament, round: Round, table: RoundTable, now: float) -> Tournament:
    """Replace this table of a round, and note whether the round is over."""
    tournament = tournament.with_round(round.with_table(table))
    return _with_round_over(tournament, now) if tournament.state is TournamentState.PLAYING else tournament


def _with_round_over(tournament: Tournament, now: float) -> Tournament:
    """Set the time at which the tournament goes on, once its round is over."""
    round = tournament.round
    if round is None or not round.is_over or tournament.next_at is not None:
        return tournament
    if all(table.state is TableState.GIVEN_UP for table in round.tables):
        return close(tournament, Reason.NO_PLACE, now)
    return replace(tournament, next_at=now + (PAUSE if tournament.has_next_round else PARS_WAIT))


def go_on(tournament: Tournament, now: float) -> Tournament:
    """Handle the alarm: a reminder, a round or the end, if one is due."""
    if tournament.state is TournamentState.SIGNING_UP:
        return _before_start(tournament, now)
    if tournament.state is not TournamentState.PLAYING or tournament.next_at is None:
        return tournament
    if tournament.is_counting and (now >= tournament.next_at or not tournament.deals_without_par):
        return close(tournament, None, now)
    if tournament.has_next_round and now >= tournament.next_at:
        return begin_round(tournament, now)
    return tournament


def _before_start(tournament: Tournament, now: float) -> Tournament:
    plan = tournament.plan
    if plan is None:
        is_late = now >= tournament.opened_at + SIGN_UP_CLOSES
        return stop(tournament, Reason.NOT_STARTED, now) if is_late else tournament
    if now >= plan.at:
        if plan.is_missed(now):
            return stop(tournament, Reason.START_MISSED, now)
        if len(tournament.by_person) < FEWEST:
            return stop(tournament, Reason.TOO_FEW, now)
        if sum(one.is_here for one in tournament.entrants) < FEWEST:
            return stop(tournament, Reason.NOBODY_CAME, now)
        return begin_round(tournament, now)
    is_due = now >= plan.timer.rings_at and not plan.reminded
    return replace(tournament, plan=replace(plan, reminded=True)) if is_due else tournament


def after_absence(tournament: Tournament, now: float) -> Tournament:
    """Put off what was due while the bot was away, so that people can say that they are there."""
    if tournament.state is TournamentState.SIGNING_UP and tournament.plan:
        are_here = sum(one.is_here for one in tournament.entrants) >= FEWEST
        plan = tournament.plan.after_absence(now, is_ready=are_here)
        return tournament if plan is tournament.plan else replace(tournament, plan=plan)
    if (round := tournament.round) and now > round.until and not round.is_over:
        # Tables that are still to be opened get all their time.
        opened = [table for table in round.tables if table.state is not TableState.WAITING]
        if len(opened) < len(round.tables):
            return tournament.with_round(replace(round, until=now + 60.0 * tournament.terms.limit))
    if tournament.next_at is not None and now > tournament.next_at:
        return replace(tournament, next_at=now + PAUSE)
    return tournament


def shifted(tournament: Tournament, seconds: float) -> Tournament:
    """Move the tournament's times by these seconds, as the clock was set; a planned start keeps its time."""
    if tournament.next_at is not None:
        tournament = replace(tournament, next_at=tournament.next_at + seconds)
    round = tournament.round
    return tournament.with_round(replace(round, until=round.until + seconds)) if round else tournament


def rings_at(tournament: Tournament) -> float | None:
    """The next time at which something happens automatically."""
    if tournament.state is TournamentState.PLAYING:
        return tournament.next_at
    if tournament.state is not TournamentState.SIGNING_UP:
        return None
    if tournament.plan is None:
        return tournament.opened_at + SIGN_UP_CLOSES
    return tournament.plan.timer.rings_at


# Its tables


def table_to_open(tournament: Tournament, round: Round, table: RoundTable, channel: int) -> Table:
    """The ordinary table for this table of a round, with entrants who aren't there shown as away."""
    terms = tournament.terms
    seated = [None if number is None else tournament.by_number[number] for number in table.seats]
    # A computer takes the place of an entrant who has been deleted.
    entrants = [one if one and one.is_known else None for one in seated]
    host = next((one.person for one in entrants if one), NOBODY)
    lobby = Table(
        id=0,
        guild=tournament.guild,
        channel=channel,
        host=host,
        rules=terms.rules,
        seats=Seats([Seat(one.person, one.name) if one else Seat(None, "") for one in entrants]),
        takes_latecomers=False,
        pace=terms.pace,
        strength=terms.strength,
        hints=Hints.NOBODY,
        language=terms.language,
        tournament=TournamentGame(tournament.id, round.number, table.number, terms.deals, round.until),
    )
    for number, one in enumerate(entrants):
        if one is None:
            computer = next_computer(replace(lobby, id=16 * tournament.id + table.number))
            lobby = lobby.with_seat(number, computer)
    lobby = with_names_apart(lobby).begun()
    for number, one in enumerate(entrants):
        if one and one.is_missing:
            lobby = lobby.with_away(number, kept_until=None)
    return lobby


def noted(round_table: RoundTable, table: Table) -> RoundTable:
    """Note the complete deals of a round's table, their pars, and its end.

    Nothing noted before is lost if an older state of the table arrives late.
    """
    assert table.tournament is not None
    if len(table.seats) != len(round_table.seats):
        raise ValueError("the table of another game")
    points = table.game.points if table.game else ()
    pars = {number: deal.par for number, deal in enumerate(round_table.deals, 1) if deal.par} | dict(
        table.pars
    )
    deals = tuple(
        [
            PlayedDeal(tuple(one), table.tournament.played[number - 1], pars.get(number))
            for number, one in enumerate(points, 1)
        ]
    )
    if len(deals) < len(round_table.deals):
        return round_table
    state = TableState.DONE if round_table.is_over or not table.is_live else TableState.PLAYING
    return replace(round_table, table=table.id, channel=table.channel, deals=deals, state=state)


def with_seats_noted(tournament: Tournament, round_table: RoundTable, table: Table) -> Tournament:
    """Note who was there when this table ended.

    Players who have left sit out until they come back, and so do players who are away and played no deal of
    the round. Others who are away still get a seat in the next round.
    """
    game = table.tournament
    assert game is not None
    for chair, (number, occupied) in enumerate(zip(round_table.seats, table.seats, strict=True)):
        if number is not None and (one := tournament.by_number[number]).is_known:
            is_out = occupied.away and (one.is_out or chair in game.left or not game.has_played(chair))
            tournament = tournament.with_entrant(replace(one, is_out=is_out, is_here=not occupied.away))
    return tournament
