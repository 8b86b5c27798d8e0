"""What people can do at a table: each function takes a table and returns the next one, or raises a Refusal.

`Tables.change` makes one of these changes at a live table: `tables.change(table.id, get_up, person)`.
Invitations, planned starts and votes have modules of their own beside this one: `inviting`, `planning` and
`voting`. `flow` has what then happens automatically.
"""

from collections.abc import Callable
from dataclasses import replace

from engine.errors import Refusal
from engine.languages import Language
from engine.names import NOBODY, computer_name, look_of
from engine.play.moves import Ended, SeatMove
from engine.play.views import SeatView, seat_view
from engine.players import Strength
from engine.rules.ruleset import Ruleset
from engine.storage.tables import player_of
from engine.tables import inviting
from engine.tables.picks import pick_card
from engine.tables.seats import FormerOccupant, Seat, SeatClaim, Seats
from engine.tables.table import (
    Hint,
    Hints,
    Moment,
    NoticeKind,
    Pace,
    Person,
    State,
    Table,
    TableInfo,
    asked_for_hint,
    has_choice,
    position_of,
)

# The lobby


def rematch(old: TableInfo, person: Person) -> Table:
    """A new lobby with an ended table's rules and seats; the person who asks is its host.

    The seats of players who had left are free; they may join again.
    """
    if old.tournament:
        raise Refusal("tournament_no_rematch")
    if old.seat_of(person.id) is None:
        raise Refusal("no_rematch")
    seats = Seats(
        replace(seat, away=False, missed=0, since=1, kept_until=None, deals_before_away=None)
        for seat in old.seats
        if not seat.away or seat.person == person.id
    )
    return Table(
        id=0,
        guild=old.guild,
        channel=old.channel,
        host=person.id,
        rules=old.rules,
        seats=seats,
        first=_still_named(old.first, seats),
        takes_latecomers=old.takes_latecomers,
        pace=old.pace,
        strength=old.strength,
        finishes_early=old.finishes_early,
        points_out_moons=old.points_out_moons,
        hints=old.hints,
        language=old.language,
    )


def join(table: Table, person: Person) -> Table:
    """Take a seat in the lobby, or one's own seat back from the computer.

    Players who come back keep their seat's name, as a DM doesn't tell us their name in the server.
    Call `Tables.join`, which also stores the person's locale and notices that they are there.
    """
    number = table.seat_of(person.id)
    if number is None:
        return _sit(table, Seat(person.id, person.name))
    if not table.seats[number].away:
        raise Refusal("already_seated")
    back = replace(table.seats[number], away=False, missed=0, kept_until=None, deals_before_away=None)
    kind = NoticeKind.BACK_IN_TIME if table.claim_on(number) else NoticeKind.BACK
    table = with_host(table.without_claim(number).with_seat(number, back)).with_notice(kind, [number])
    game = table.tournament
    return replace(table, tournament=replace(game, left=game.left - {number})) if game else table


def get_up(table: Table, person: int) -> Table:
    """Leave the lobby, which frees the seat; Refusal if the game has started meanwhile."""
    if table.state is not State.LOBBY:
        raise Refusal("leaves_game")
    return leave(table, person)


def add_computer(table: Table, person: int, strength: Strength) -> Table:
    """Seat a computer, as the host, in the lobby; `start` adds ones of this strength."""
    check_is_hosting_lobby(table, person)
    table = replace(table, strength=strength)
    return _sit(table, next_computer(table))


def remove_computer(table: Table, person: int) -> Table:
    """Remove the last computer, as the host, in the lobby; `start` adds ones like the one before it."""
    check_is_hosting_lobby(table, person)
    computers = _computers(table)
    if not computers:
        raise Refusal("no_computer")
    last = computers.pop()
    strength = table.seats[computers[-1]].strength if computers else table.strength
    return replace(_without_seat(table, last), strength=strength)


def start(table: Table, person: int) -> Table:
    """Start the game, as its host; computers take the seats that are still empty."""
    check_is_hosting_lobby(table, person)
    return begin_game(table)


def begin_game(table: Table) -> Table:
    """Begin the lobby's game, before the first deal, with computers in the empty seats."""
    while len(table.seats) < table.rules.players:
        table = replace(table, seats=Seats((*table.seats, next_computer(table))))
    # Seats kept for guests go to computers too; latecomers may take them like any computer's.
    return inviting.released(without_plan(table)).begun()


def without_plan(table: Table) -> Table:
    """Cancel the planned start, and that anyone is there for it."""
    return replace(table, plan=None, seats=Seats(replace(seat, is_here=False) for seat in table.seats))


# Playing


def act(table: Table, person: int, move: Callable[[int], SeatMove], at: Moment) -> Table:
    """Make a person's move, which `move` returns for their seat.

    Refusal if the rules forbid it, or if the game has moved on from `at`.
    """
    number = table.seat_of(person)
    if table.played_itself and number is not None and table.played_itself == (at, move(number)):
        return table  # they clicked the card just as it played itself
    number = check_may_play(table, person, at)
    table = table.after(move(number), is_own=True)
    seat = table.seats[number]
    return table.with_seat(number, replace(seat, missed=0)) if seat.missed else table


def pick(table: Table, person: int, place: int, at: Moment, *, is_picked: bool) -> Table:
    """Pick the card at this place (from 0) in a person's hand for the pass, or put it back."""
    number = check_may_play(table, person, at)
    assert table.game is not None
    return replace(table, picks=pick_card(table.game, table.picks, number, place, is_picked=is_picked))


def change_hints(table: Table, person: int, hints: Hints) -> Table:
    """Set who may ask for hints, as the host, in the lobby."""
    check_is_hosting_lobby(table, person)
    return replace(table, hints=hints)


def view_for_hint(table: Table, person: int, at: Moment) -> SeatView:
    """The view of a person who asks for a hint; Refusal if the table gives none, or they have no choice."""
    number = check_may_play(table, person, at)
    if table.tournament:
        raise Refusal("tournament_no_hints")
    if not table.gives_hints:
        raise Refusal("no_hints")
    assert table.game is not None
    view = seat_view(table.game, number)
    if not has_choice(view):
        raise Refusal("nothing_to_hint")
    return view


def give_hint(table: Table, hint: Hint) -> Table:
    """Give a player this hint and tell the table; does nothing if the game has moved on meanwhile."""
    deal = table.game.deals[-1] if table.game else None
    if deal is None or position_of(deal) != hint.place or table.advice_for(hint.seat):
        return table
    request = None if table.seats.are_for_one else asked_for_hint(deal, hint.seat)
    requests = (*table.asked, request) if request and request not in table.asked else table.asked
    others = tuple([one for one in table.latest_hints if one.place == hint.place])
    return replace(table, asked=requests, latest_hints=(*others, hint))


# What the host decides


def change_rules(table: Table, person: int, change: Callable[[Ruleset], Ruleset]) -> Table:
    """Change the rules, as the host, in the lobby; `change` makes the new ones from the old."""
    check_is_hosting_lobby(table, person)
    rules = change(table.rules)
    if rules.players < len(table.seats):
        raise Refusal("seats_taken", seated=len(table.seats), players=rules.players)
    if rules.players < table.rules.players - table.room:
        raise Refusal("seats_promised", players=rules.players)
    return replace(table, rules=rules)


def name_first(table: Table, person: int, first: int | None) -> Table:
    """Name the player who leads the first deal (C3), as the host; None stands for the oldest."""
    check_is_hosting_lobby(table, person)
    if first is not None and table.seat_of(first) is None:
        raise Refusal("stale")
    return replace(table, first=first)


def change_pace(table: Table, person: int, pace: Pace) -> Table:
    """Change the time for a turn, as the host, at any time; during a game the table is told."""
    check_is_ordinary(table)
    check_is_host(table, person)
    is_news = table.state is State.PLAYING and pace is not table.pace
    table = replace(table, pace=pace)
    return add_notice(table, NoticeKind.PACE_CHANGED, person) if is_news else table


def change_finishing(table: Table, person: int, early: bool) -> Table:
    """Set whether computers finish a deal in which nothing is left to decide, as the host, in the lobby."""
    check_is_hosting_lobby(table, person)
    return replace(table, finishes_early=early)


def change_pointing_out(table: Table, person: int, moons: bool) -> Table:
    """Set whether the board says who has taken every point so far, as the host, in the lobby."""
    check_is_hosting_lobby(table, person)
    return replace(table, points_out_moons=moons)


def change_strength(table: Table, person: int, strength: Strength) -> Table:
    """Give this strength to all computers, present and future, as the host, in the lobby."""
    check_is_hosting_lobby(table, person)
    seats = [replace(seat, strength=strength) if seat.person is None else seat for seat in table.seats]
    return replace(table, strength=strength, seats=Seats(seats))


def change_language(table: Table, person: int, language: Language) -> Table:
    """Change the language of the table's posts, as the host, in the lobby."""
    check_is_hosting_lobby(table, person)
    return replace(table, language=language)


def change_latecomers(table: Table, person: int, *, welcome: bool) -> Table:
    """Set whether computers' seats may be taken mid-game, as the host, at any time.

    If they may not, claims on them end.
    """
    check_is_ordinary(table)
    check_is_host(table, person)
    if welcome is table.takes_latecomers:
        return table
    table = replace(table, takes_latecomers=welcome, seat_claims=table.seat_claims if welcome else ())
    if table.state is not State.PLAYING:
        return table
    kind = NoticeKind.SEATS_OPENED if welcome else NoticeKind.SEATS_CLOSED
    return add_notice(table, kind, person)


def set_up(
    table: Table,
    person: int,
    rules: Callable[[Ruleset], Ruleset],
    pace: Pace,
    strength: Strength,
    language: Language,
) -> Table:
    """Change all of these options in the lobby or, if one is refused, none of them.

    Computers of different strengths keep them if `strength` is already that of new ones.
    """
    table = change_rules(table, person, rules)
    table = change_pace(table, person, pace)
    table = change_language(table, person, language)
    return table if strength is table.strength else change_strength(table, person, strength)


def set_up_deals(
    table: Table,
    person: int,
    hints: Hints,
    *,
    finishes_early: bool,
    points_out_moons: bool,
    first: int | None,
) -> Table:
    """Change all of these options in the lobby or, if one is refused, none of them.

    `first`: the id of the person who leads the first deal (C3); 0 for the oldest; None to leave it as it is.
    """
    table = change_finishing(table, person, finishes_early)
    table = change_pointing_out(table, person, points_out_moons)
    table = change_hints(table, person, hints)
    return table if first is None else name_first(table, person, first or None)


# Seats mid-game: a person takes over from a computer with the next deal


def take_seat(table: Table, person: Person, seat: int) -> Table:
    """Claim a seat for this person from the next deal on; until then a computer plays.

    Call `Tables.take_seat`, which also stores the person's locale.
    """
    check_may_take(table, person.id)
    if seat not in table.free_seats:
        raise Refusal("seat_taken")
    claims = [*table.seat_claims, SeatClaim(seat, person.id, person.name)]
    table = replace(table, seat_claims=tuple(sorted(claims, key=lambda claim: claim.seat)))
    return table.with_notice(NoticeKind.SEAT_WANTED, [seat])


def stay_out(table: Table, person: int) -> Table:
    """Withdraw this person's claim on a seat; Refusal without one, as when the deal has been dealt."""
    claim = table.claim_of(person)
    if claim is None:
        raise Refusal("not_taking")
    return table.without_claim(claim.seat).with_notice(NoticeKind.SEAT_FREE, [claim.seat])


def leave_or_stay_out(table: Table, person: int, why: NoticeKind = NoticeKind.LEFT) -> Table:
    """Withdraw this person's claim on a seat or, without one, leave their seat."""
    return stay_out(table, person) if table.claim_of(person) else leave(table, person, why)


def leave(table: Table, person: int, why: NoticeKind = NoticeKind.LEFT) -> Table:
    """Leave a seat: in the lobby it becomes free, in a game a computer plays on."""
    number = table.seat_of(person)
    if number is None or table.seats[number].has_left:
        raise Refusal("not_seated")
    if table.state is State.LOBBY:
        table = _without_seat(table, number)
        return with_host(table) if table.has_people else replace(table, state=State.STOPPED)
    table = with_host(table.with_away(number, kept_until=None))
    if game := table.tournament:
        table = replace(table, tournament=replace(game, left=game.left | {number}))
    return table.with_notice(why, [number])


def seat_claimants(table: Table) -> Table:
    """Seat the players who have claimed seats, before a deal; former occupants lose them for good."""
    assert table.game is not None
    deal, occupants = len(table.game.deals) + 1, list(table.former_occupants)
    for claim in table.seat_claims:
        old = table.seats[claim.seat]
        person = old.person or NOBODY
        occupants.append(
            FormerOccupant(claim.seat, person, old.name, old.since, deal - 1, old.deals_before_away)
        )
        table = table.with_seat(claim.seat, Seat(claim.person, claim.name, since=deal))
    return with_host(with_names_apart(replace(table, seat_claims=(), former_occupants=tuple(occupants))))


def forget(table: Table, person: int) -> Table:
    """Remove every trace of this person; in a game their seat becomes a computer's for good.

    A table that has ended gets no notice.
    """
    was_live = table.is_live
    if claim := table.claim_of(person):
        table = stay_out(table, person) if was_live else table.without_claim(claim.seat)
    occupants = table.former_occupants
    if any(one.person == person for one in occupants):
        # Replaced, not removed: their deals must not count for the player who has the seat now.
        name = next_computer(table).name
        occupants = tuple(
            [replace(one, person=NOBODY, name=name) if one.person == person else one for one in occupants]
        )
        table = replace(table, former_occupants=occupants)
    number = table.seat_of(person)
    if number is not None and table.state is State.LOBBY:
        table, number = leave(table, person), None
    if number is not None:
        computer = replace(next_computer(table), since=table.seats[number].since)
        table = table.with_seat(number, computer)
        if was_live:
            table = table.with_notice(NoticeKind.SEAT_GIVEN_UP, [number])
            if not table.seat_claims and all(seat.person is None for seat in table.seats):
                table = close(table, NoticeKind.DESERTED)
    if table.first == person:
        table = replace(table, first=None)
    table = inviting.forget(table, person)
    if table.host == person:
        table = replace(table, host=NOBODY)
        table = with_host(table) if was_live else table
    if not was_live and player_of(table.channel) == person:
        table = replace(table, channel=0)
    return table


# The end, and what happens around a table


def ended(table: Table) -> Table:
    """End the game now: it counts as it stands, or not at all before a deal is complete."""
    if table.game and table.game.history:
        return table.after(Ended())
    return replace(table, state=State.STOPPED)


def stop(table: Table, person: int, *, may_manage: bool, name: str | None = None) -> Table:
    """End the table at once without a result, as a moderator called `name`; the other players are told."""
    check_may_stop(table, may_manage=may_manage)
    seat = table.seat_of(person)
    table = replace(table, state=State.STOPPED)
    if table.game is None or not table.seats.voters - {seat}:
        return table
    return replace(table.with_notice(NoticeKind.MODERATED, [] if seat is None else [seat]), moderator=name)


def check_may_stop(table: Table, *, may_manage: bool) -> None:
    """Raise a Refusal unless a person with or without the right to manage the channel may stop the table."""
    check_is_ordinary(table)
    if not may_manage:
        raise Refusal("only_manager_may_stop")


def close(table: Table, why: NoticeKind) -> Table:
    """End the table without a result, for a reason outside it."""
    return replace(table, state=State.STOPPED).with_notice(why)


def make_way(table: Table, person: int) -> Table:
    """End a table that everyone but this person has left, to make room for their next one."""
    if table.has_people or table.tournament:
        raise Refusal("table_in_channel")
    if table.seats.voters - {table.seat_of(person)}:
        raise Refusal("players_away")
    return desert(table)


def desert(table: Table) -> Table:
    """End a game that everyone has left: it counts, or leaving would undo a bad one."""
    return ended(table).with_notice(NoticeKind.DESERTED)


def pause(table: Table) -> Table:
    """Pause the table while the bot can't post; it closes after `flow.PAUSED_CLOSES`."""
    if table.paused:
        raise Refusal("paused")
    vote = replace(table.vote, until=None) if table.vote and table.vote.is_open else table.vote
    return replace(table, paused=True, vote=vote)


def unpause(table: Table) -> Table:
    """Let a paused game go on; does nothing if it wasn't paused."""
    return replace(table, paused=False).with_notice(NoticeKind.RESUMED) if table.paused else table


def add_notice(table: Table, kind: NoticeKind, person: int) -> Table:
    """Add a notice about this player, if they still have a seat."""
    number = table.seat_of(person)
    return table if number is None else table.with_notice(kind, [number])


# Who may do what


def check_is_hosting_lobby(table: Table, person: int) -> None:
    """Raise a Refusal unless the table is in its lobby and this person is its host."""
    if table.state is not State.LOBBY:
        raise Refusal("already_started")
    check_is_host(table, person)


def check_is_host(table: Table, person: int) -> None:
    """Raise a Refusal unless this person is the table's host."""
    if table.host != person:
        name = table.host_name
        raise Refusal("host_only", host=name) if name else Refusal("no_host")


def check_is_ordinary(table: Table) -> None:
    """Raise a Refusal if the table belongs to a tournament, which decides how it is played."""
    if table.tournament:
        raise Refusal("tournament_decides")


def check_may_play(table: Table, person: int, at: Moment | None) -> int:
    """Return this person's seat; Refusal unless they may play and the game hasn't moved on from `at`."""
    number = table.seat_of(person)
    if table.paused:
        raise Refusal("paused")
    if table.game is None:
        raise Refusal("not_started")
    if number is None:
        raise Refusal("not_seated")
    if table.seats[number].away:
        raise Refusal("away", table=table.id)
    if at is not None and at.is_past(table.game):
        raise Refusal("stale")
    return number


def check_may_take(table: Table, person: int) -> None:
    """Raise a Refusal unless this person may take a seat from the next deal on, and one is free."""
    if table.state is not State.PLAYING:
        raise Refusal("not_started")
    if (own := table.seat_of(person)) is not None:
        raise Refusal("away", table=table.id) if table.seats[own].away else Refusal("already_seated")
    if table.tournament:
        raise Refusal("tournament_seats")
    if table.claim_of(person):
        raise Refusal("already_taking")
    if not table.takes_latecomers:
        raise Refusal("no_latecomers")
    if not table.free_seats:
        raise Refusal("no_free_seat")


# Seats and their names


def _sit(table: Table, seat: Seat) -> Table:
    """Seat a player in the lobby; a person takes the last computer's seat if all are taken."""
    if table.state is not State.LOBBY:
        if seat.person is None:
            raise Refusal("already_started")
        if table.tournament:
            raise Refusal("tournament_seats")
        if any(one.person == seat.person for one in table.former_occupants):
            raise Refusal("seat_lost", table=table.id)
        raise Refusal("in_mid_game", table=table.id)
    if seat.person is not None:
        table = inviting.arrived(table, seat.person)
    if len(table.seats) < table.rules.players:
        return with_names_apart(replace(table, seats=Seats((*table.seats, seat))))
    computers = _computers(table)
    if seat.person is None or not computers:
        raise Refusal("table_full")
    return with_names_apart(table.with_seat(computers[-1], seat))


def _without_seat(table: Table, number: int) -> Table:
    """Remove a seat in the lobby; later ones move up, in the last notice too."""
    seats = Seats((*table.seats[:number], *table.seats[number + 1 :]))
    notice = table.notice and table.notice.without_seat(number)
    return replace(table, seats=seats, first=_still_named(table.first, seats), notice=notice)


def _computers(table: Table) -> list[int]:
    """The seats of computers."""
    return [number for number, seat in enumerate(table.seats) if seat.person is None]


def _still_named(first: int | None, seats: Seats) -> int | None:
    """The person named to lead the first deal; None once they have no seat."""
    return first if first in seats.by_person else None


def with_host(table: Table) -> Table:
    """Give the table a new host if its own has left, preferably a player who isn't away."""
    host = table.seat_of(table.host)
    if host in table.seats.voters:
        return table
    others = [*table.seats.people, *[seat for seat in table.seats if seat.has_a_say]]
    new_host = next((seat.person for seat in others if seat.person is not None), None)
    return table if new_host is None else replace(table, host=new_host)


def with_names_apart(table: Table) -> Table:
    """Rename computers whose name looks like a person's."""
    people = {look_of(seat.name) for seat in table.seats if seat.person is not None}
    for number, seat in enumerate(table.seats):
        if seat.person is None and look_of(seat.name) in people:
            renamed = replace(seat, name=next_computer(table).name)
            table = table.with_seat(number, renamed)
    return table


def next_computer(table: Table) -> Seat:
    """A computer for one of the table's seats."""
    name = computer_name([seat.name for seat in table.seats], table.id)
    return Seat(None, name, strength=table.strength)
