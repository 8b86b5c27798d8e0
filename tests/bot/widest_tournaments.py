"""The largest possible tournament, and every message about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import cycle, islice

from bot.standings import leaderboards
from bot.tournaments import honours as tournament_honours
from bot.tournaments import scores as tournament_scores
from bot.tournaments import sign_up as tournaments
from bot.vocabulary.messages import ByDm, Form, Message, Whisper
from engine.languages import Language
from engine.names import NOBODY
from engine.play.par import Par
from engine.rules.ruleset import Ruleset
from engine.tables import Pace
from engine.tables.plan import Plan
from engine.tournaments import (
    MOST_PEOPLE,
    Entrant,
    PlayedDeal,
    Reason,
    Round,
    RoundTable,
    SeasonLine,
    TableState,
    Terms,
    Tournament,
    TournamentState,
    standings,
)

Shown = Iterator[Message | Form]
ID, LATE = 2**63 - 1, 10.0**10
RULES = Ruleset.of("classic", 4, {"jack_of_diamonds": True, "pass_cards": 4})


def _entrants(names: tuple[str, ...]) -> tuple[Entrant, ...]:
    named = list(islice(cycle(names), MOST_PEOPLE))
    found = [Entrant(number, ID - number, name, is_here=True) for number, name in enumerate(named, 1)]
    return (*found[:-1], replace(found[-1], person=NOBODY, name=""))


def _round(number: int, state: TableState, deals: int, *, par: bool) -> Round:
    """Everyone at a table, which has played so many deals."""
    known = Par((90.25, -90.25, 0.5, -0.5), (0.5,) * 4, 60) if par else None
    played = PlayedDeal((-100, 100, 0, 5), frozenset(range(4)), known)
    tables = [
        RoundTable(
            one + 1,
            tuple(range(4 * one + 1, 4 * one + 5)),
            state,
            ID - one,
            10**9 + one,
            (played,) * deals,
        )
        for one in range(MOST_PEOPLE // 4)
    ]
    last = replace(tables[-1], seats=(*tables[-1].seats[:2], None, None))
    return Round(number, LATE, LATE, (*tables[:-1], last))


def states(names: tuple[str, ...], language: Language) -> Iterator[Tournament]:
    """A tournament before it starts, in each round's stages, and at its end for whatever reason."""
    terms = Terms(RULES, 8, 8, Pace.RELAXED, minutes=1440, language=language)
    empty = Tournament(id=10**9, guild=ID, channel=ID, host=ID - 1, terms=terms, opened_at=LATE)
    yield empty
    full = replace(empty, entrants=_entrants(names))
    yield full
    yield replace(full, plan=Plan(LATE, 0.0))
    yield replace(full, plan=Plan(LATE, 0.0, reminded=True))
    playing = replace(full, state=TournamentState.PLAYING)
    for state in (TableState.PLAYING, TableState.DONE, TableState.GIVEN_UP, TableState.WAITING):
        yield replace(playing, rounds=(_round(1, state, 7, par=False),))
    rounds = tuple(_round(number, TableState.DONE, 8, par=True) for number in range(1, 9))
    yield replace(playing, rounds=rounds[:7], next_at=LATE)
    yield replace(playing, rounds=rounds, next_at=LATE)
    for reason in (None, *Reason):
        yield replace(full, state=TournamentState.OVER, rounds=rounds, reason=reason)
        yield replace(full, state=TournamentState.STOPPED, reason=reason)


def of_tournaments(names: tuple[str, ...], language: Language) -> Shown:
    """Every message about each of these."""
    for one in states(names, language):
        yield from _of_one(one, language)
    lines = [
        SeasonLine(one.number, one.person, one.name, 10**6, 10**6, 10**6, -(10.0**6), 10**6)
        for one in _entrants(names)
    ]
    games = leaderboards.games([], None, language, has_tournaments=True)
    for span in tournament_honours.SPANS:
        yield tournament_honours.honours(lines, span, 2, ID - 1, games, language)
        yield tournament_honours.honours([], span, 0, ID - 1, games, language)


def _of_one(one: Tournament, language: Language) -> Shown:
    found = standings(one)
    yield tournaments.sign_up(one)
    yield tournaments.terms_page(one, language)
    yield tournaments.welcome(one, language)
    yield tournaments.confirm_end(one, language)
    yield Whisper((tournaments.signed_off(one, language),))
    yield from (Whisper((tournaments.signed_up(one, ID - 1, by_dm, language),)) for by_dm in ByDm)
    if one.plan:
        yield Whisper((tournaments.noted(one, language),))
        yield from (tournaments.reminder(one, may) for may in PINGS)
    yield tournaments.thread_line(one, MOST_PEOPLE)
    for entrant in (*one.entrants[:1], *[replace(entrant, is_out=True) for entrant in one.entrants[:1]]):
        yield Whisper((tournaments.my_table(one, entrant, language),))
    if one.rounds:
        yield from (tournament_scores.round_post(one, found, may) for may in PINGS)
    if not one.is_live:
        yield tournament_scores.ended(one, found)
    yield from (tournament_scores.all_scores(one, found, page, language) for page in (0, 3, 10**9))
    yield from (tournament_scores.my_deals(one, own, language) for own in found[:2])


def _all(person: int) -> bool:
    return True


def _none(person: int) -> bool:
    return False


PINGS: tuple[Callable[[int], bool], ...] = (_all, _none)
