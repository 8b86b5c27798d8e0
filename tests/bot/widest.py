"""The largest possible tables, and every kind of message about them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import cycle, islice, product
from random import Random
from typing import Any

from by_chance import play_on
from estimates import estimate

from bot.answering import refusals
from bot.answering.opening import Jack, OpenAlone
from bot.daily import morning_post as mornings
from bot.daily import results as daily
from bot.daily.morning_post import past_deal
from bot.discord.permissions import invitation
from bot.help import pages as help
from bot.invitations import telling
from bot.people import preferences
from bot.people import server as settings
from bot.people.preferences import Topic, privacy_page, question
from bot.replays import replay, watching
from bot.replays.replay import ReplayPosition
from bot.standings import careers, leaderboards
from bot.table import (
    absence,
    board,
    calls,
    deals,
    hand,
    hints,
    house,
    latecomers,
    lobby,
    notices,
    rules,
    scores,
    seals,
    starts,
    stories,
    votes,
)
from bot.table import invited as inviting
from bot.table import thread_lines as threads
from bot.table.hands import as_dm, hand_of, holder, with_link
from bot.table.private_hand import going_on, with_table
from bot.table.starts import ChooseStart
from bot.tournaments import honours, sign_up
from bot.tournaments import scores as tournament_scores
from bot.vocabulary.messages import ByDm, Form, Link, Message, Whisper
from bot.words import how_to_play, par, ratings
from bot.words.text import message_link
from bot.words.typed_times import TimeOfDay, readings
from engine.cards import Hand, Suit, cards, without
from engine.errors import RecordError, Refusal
from engine.languages import ENGLISH, Language
from engine.names import NOBODY, computer_name
from engine.play import steps
from engine.play.achievements import BY_ID
from engine.play.deal import Phase, start_deal
from engine.play.game import Game, shuffle
from engine.play.moves import Dealt, Declined, Exposed, MoonChosen
from engine.play.par import Par
from engine.play.public import public_deal
from engine.play.seal import with_salt
from engine.play.views import seat_view
from engine.players import Strength
from engine.players import advice as advising
from engine.ratings import Rating
from engine.rules.options import OPTIONS, MoonChoice
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.storage.call_wishes import CallWay, CallWish
from engine.storage.daily import DailyCareer, DailyResult, DayFigures
from engine.storage.house_rules import HouseRules
from engine.storage.pars import UnderPar
from engine.storage.results import GameKind, Rated
from engine.storage.servers import ServerSettings
from engine.storage.standings import PAR_FROM, Board, BoardLine, BoardPage, Order, Period, Rivalry, Tally
from engine.tables import (
    Achieved,
    Calls,
    DailyGame,
    Forced,
    Hints,
    Invitation,
    Notice,
    NoticeKind,
    Pace,
    Plan,
    Preference,
    Preferences,
    PublicTable,
    Review,
    Seat,
    Seats,
    State,
    Table,
    Vote,
    VoteOutcome,
    Way,
    days,
)
from engine.tables.daily import Ranking
from engine.tables.days import DEALS_A_DAY
from engine.tables.plan import Timer
from engine.tables.seats import FormerOccupant, SeatClaim
from engine.tables.table import asked_for_hint, has_choice
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

#: More than any bot will count.
MANY = 10**9
#: Names of 32 characters, Discord's limit: escaped, isolated, two columns wide, or several units long.
NAMES = (
    "*" * 32,
    "@" * 32,
    "<" * 32,
    "W" * 32,
    "\N{CJK UNIFIED IDEOGRAPH-864E}" * 32,
    "\N{PLAYING CARD BLACK JOKER}" * 32,
    "\N{HEBREW LETTER ALEF}" * 32,
    "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{ROCKET}" * 32,  # should Discord count such a sign as one
    "e" + "\N{COMBINING ACUTE ACCENT}" * 31,
    "https://" + "x" * 24,
)
#: The largest possible ids, numbers and times.
ID, TABLE, LATE = 2**63 - 1, 10**9, 10.0**10
#: People who are asked in one message.
MOST_ASKED = 20
LINK = Link("→" * 12, message_link(ID, ID, ID))

Shown = Iterator[Message | Form]


def person(number: int) -> int:
    """The id of the person in this seat."""
    return ID - number


def seated(game: Game, rng: Random, *, people: int | None = None) -> Seats:
    """This many people in the first seats, by default all, with these names; computers in the others."""
    players = game.rules.players
    names = list(islice(cycle(rng.sample(NAMES, len(NAMES))), players))
    seats = [Seat(person(number), name) for number, name in enumerate(names)]
    for number in range(players if people is None else people, players):
        named = [seat.name for seat in seats]
        seats[number] = Seat(None, computer_name(named, number), strength=rng.choice(list(Strength)))
    return Seats(seats)


def table_of(game: Game, rng: Random, **known: Any) -> Table:
    """A table with everything that can be shown about it."""
    seats = seated(game, rng)
    asked = [asked_for_hint(deal, seat) for deal in game.deals[-1:] for seat in range(len(seats))]
    found: dict[str, Any] = {
        "id": TABLE,
        "guild": ID,
        "channel": ID,
        "host": person(0),
        "rules": game.rules,
        "state": State.OVER if game.over else State.PLAYING,
        "seats": seats,
        "first": person(1),
        "pace": Pace.DAILY,
        "hints": Hints.EVERYBODY,
        "asked": tuple([replace(one, after=-2) for one in asked if one]),
        "timer": Timer(LATE, 60.0),
        "moderator": NAMES[0],
        "game": game,
        "pars": pars_of(game),
    }
    return Table(**found | known)


def pars_of(game: Game, *, favourites: int = 1) -> dict[int, Par]:
    """A par for each deal that is done, which favours this many of the last seats."""
    players, sign = game.rules.players, game.rules.winner.sign
    points = [-12345.6] * (players - favourites) + [-12345.6 + sign * 1000] * favourites
    return {deal: Par(tuple(points), (99.9,) * players, MANY) for deal in range(1, len(game.points) + 1)}


def at_phases(rules: Ruleset, rng: Random, deals: int) -> Iterator[Game]:
    """A random game at the start and in the middle of each phase, and after this many deals."""
    seen: set[object] = set()
    for game in _sealed(rules, rng):
        deal = game.deals[-1]
        if (here := (deal.phase, len(deal.tricks) // 6, bool(game.points))) not in seen:
            seen.add(here)
            yield game
        if len(game.points) == deals:
            break
    yield game


def _sealed(rules: Ruleset, rng: Random) -> Iterator[Game]:
    """A random game after each of its moves, with a seal for each deal."""
    game = Game(rules, oldest=0)
    while not game.over:
        is_to_be_dealt = game.deal is None
        game = game.advance(with_salt(shuffle(game, rng), rng)) if is_to_be_dealt else play_on(game, rng)
        yield game


def of_a_moon(language: Language) -> Shown:
    """A game in which someone with all the clubs has shot the moon, and chooses its effect."""
    rules = Ruleset.of("classic", 4, {"moon": "choice", "pass_cards": 0})
    hands = [[card for card in rules.pack.cards if card.suit is suit] for suit in Suit]
    dealt = with_salt(Dealt(3, tuple(map(tuple, hands)), ()), Random(1))
    game = Game(rules, deals=(start_deal(rules, 1, dealt, 0),))
    while game.deals[-1].phase is not Phase.CHOOSING_MOON:
        game = play_on(game, Random(1))
    for after in (game, *[game.advance(MoonChosen(0, choice)) for choice in MoonChoice]):
        yield from of_a_moment(table_of(after, Random(1), language=language))


def of_exposing(held: Hand) -> Shown:
    """Chinese Hearts in which a player holds these cards that can be exposed, perhaps exposed already."""
    rules = Ruleset.of("chinese", 4)
    size = rules.pack.hand_size
    rest = without(rules.pack.cards, rules.preset.exposable)
    mine, others = (*held, *rest[: size - len(held)]), rest[size - len(held) :]
    others += without(rules.preset.exposable, held)
    dealt = Dealt(3, (mine, *[others[first : first + size] for first in range(0, size * 3, size)]), ())
    game = Game(rules, deals=(start_deal(rules, 1, with_salt(dealt, Random(1)), 0),))
    moves = (Declined(0), Exposed(0, held[0])) if held else ()
    for after in (game, *map(game.advance, moves)):
        yield from hands(table_of(after, Random(1)))


def comings_and_goings(table: Table) -> Iterator[Table]:
    """The table as it is, paused, and with players who are away, left, or replaced."""
    yield table
    yield replace(table, paused=True)
    seats = list(enumerate(table.seats))
    left = replace(table, seats=Seats([replace(one, away=n > 0, since=n + 1) for n, one in seats]))
    yield left
    away = [replace(seat, kept_until=LATE) if seat.away else seat for seat in left.seats]
    yield replace(left, seats=Seats(away))
    others = seats[1:]
    takers = [SeatClaim(number, ID - 100 - number, seat.name) for number, seat in others]
    departed = [FormerOccupant(number, ID - 200 - number, seat.name, 1, number) for number, seat in others]
    yield replace(left, seat_claims=tuple(takers), former_occupants=tuple(departed))


# Messages about a table


def hands(table: Table) -> Shown:
    """Each player's hand with everything in it, in a DM and under My hand."""
    for number, seat in enumerate(table.seats):
        if seat.person is not None:
            for shown in _hands_in(table, number, seat.person):
                yield as_dm(shown, table.public)
                yield with_link(shown, LINK)


def _hands_in(table: Table, seat: int, who: int) -> Iterator[Whisper]:
    public, game = table.public, table.game
    yield hand_of(holder(table, public, who))
    yield hand.over(public, game.begun, who)
    yield hand.left_behind(public, game.begun, seat)
    yield hand.given_up(public, game.begun)
    yield from (hand.lost(public, one) for one in public.former_occupants if one.seat == seat)
    view = seat_view(game, seat)
    if view.deal.phase is Phase.PASSING and not table.seats[seat].away:
        fewest, most = range(view.rules.pass_cards), view.rules.pass_cards
        for picked in (tuple(fewest), tuple(range(len(view.hand)))[-most:]):
            yield hand.hand(public, view, picked)
    if not has_choice(view):
        return
    advice = estimate(view)
    yield hand.hand(public, view, advice=advice)
    for asked in view.exposable:
        yield hand.hand(public, view, asking=asked, advice=advice)
    if view.deal.phase is Phase.PLAYING:
        yield hand.hand(public, view, advice=advice, plays_itself=True)


def posts(table: Table) -> Shown:
    """All posts, all mentions, and the answers that everyone may ask for."""
    public = table.public
    usual = Preferences(None)  # with which everyone is mentioned
    for part in (*board.board(public), calls.call(public, usual)):
        if part:
            yield calls.without_unwanted_mentions(part.post, usual)
            if isinstance(part, board.BoardPost) and part.finished_trick:
                yield part.finished_trick()
    yield scores.sheet(public)
    yield from (par.luck(replace(public, pars=pars)) for pars in (public.pars, {}))
    view = public.view
    for deal in (view.previous, view.deal, view.dropped) if view else ():
        if deal:
            yield deals.every_trick(public.as_in(deal.number), deal)
    yield rules.rules_page(public, public.host)
    yield from (latecomers.onlooker(public, taker.person) for taker in public.seat_claims)
    yield latecomers.onlooker(public, NOBODY)


def told(table: Table) -> Shown:
    """Every notice, each about everyone."""
    seats = tuple(range(len(table.seats)))
    for kind in NoticeKind:
        whom = seats[-1:] if kind is NoticeKind.SEAT_WANTED else seats
        yield notices.notice_post(table.public, Notice(10**6, kind, whom, LATE))
    yield notices.paused(table.public)
    yield notices.late(table.public)


def asked(table: Table) -> Shown:
    """Every question to everyone, open and with every outcome, and the confirmation before it."""
    if table.state is not State.PLAYING:
        return
    public, seats = table.public, table.seats.voters
    some = frozenset(sorted(seats)[::2])
    for outcome in (None, *VoteOutcome):
        for agreed, refused in ((some, seats - some), (frozenset({0}), frozenset())):
            vote = Vote(10**6, 0, agreed & seats, refused, outcome, LATE)
            voting = replace(public, vote=vote)
            yield votes.vote_post(voting, vote)
            yield from letters(voting)
    for may_end, may_manage in product((False, True), repeat=2):
        yield votes.end_question(public, may_end=may_end, may_manage=may_manage)


def planned(table: Table) -> Shown:
    """A planned start: in the lobby, as a question, and as a reminder."""
    language, time = table.language, TimeOfDay(22, 59, weekday=2)
    for reminded, is_here in product((False, True), (False, True)):
        seats = Seats([replace(seat, is_here=is_here and seat.person is not None) for seat in table.seats])
        plan = Plan(LATE, LATE - 10**6, reminded)
        waiting = replace(table, plan=plan, called_at=LATE, seats=seats).public
        yield lobby.lobby(waiting)
        yield starts.confirmed(waiting)
        yield starts.reminder(waiting)
        yield Whisper((starts.noted(plan, language),))
    yield starts.confirmed(table.public)
    yield rules.form(table.public, starts.PLAN_FORM, posts_language=language, now=LATE)
    found = readings(time, LATE)
    yield starts.which_clock(partial(ChooseStart, TABLE), "W" * starts.LONGEST_TIME, found, language)
    yield starts.which_zone(LATE, language)
    yield starts.zone_chosen("America/Argentina/Buenos_Aires", LATE, language)


def letters(table: PublicTable) -> Shown:
    """The questions to each player by DM."""
    for seat in range(len(table.seats)):
        for key in (absence.AWAY, f"{absence.VOTE}{10**6}", f"{absence.VOTE}1"):
            yield as_dm(absence.side_dm(table, seat, key), table)


def asked_to(table: Table) -> Shown:
    """The messages that ask as many as there may be, the lobby with seats kept for them, and their page."""
    for way, kept in ((Way.INVITED, LATE), (Way.INVITED, None), (Way.MENTION, None)):
        asked = [Invitation(ID - n, NAMES[0], 1, 1, way, 0.0, kept) for n in range(MOST_ASKED)]
        pairs = zip(asked, table.seats, strict=False)
        theirs = [replace(one, person=seat.person or one.person) for one, seat in pairs]  # some sit by now
        for invitations in (asked, theirs):
            public = replace(table, invitations=tuple(invitations)).public
            yield inviting.asking(public, 1)
            yield lobby.lobby(public)
            chosen = [(NAMES[0], why) for why in inviting.Unwelcome]
            yield inviting.page(public, inviting.came_of(NAMES[:1], chosen, public.language), may_call=True)
            yield inviting.by_dm(public, public.host)


def lobbies(table: Table) -> Shown:
    """The lobby full, with computers, and with free seats."""
    players, game = table.rules.players, table.game
    for seats in (table.seats, seated(game, Random(1), people=1), table.seats[:1]):
        for pace in Pace:
            waiting = replace(table, state=State.LOBBY, seats=Seats(seats), pace=pace, game=None)
            yield lobby.lobby(waiting.public)
        yield from asked_to(waiting)
    yield from planned(replace(table, state=State.LOBBY, game=None))
    for state in (State.PLAYING, State.OVER, State.STOPPED):
        yield from asked_to(replace(table, state=state))
        yield from letters(replace(table, state=state).public)
    yield lobby.stopped(replace(table, state=State.STOPPED).public)
    yield lobby.welcome(table.public, table.host)
    yield from (Whisper((lobby.seated(by_dm, table.language),)) for by_dm in ByDm)
    yield from _in_a_thread(table)
    for name in (rules.TABLE_FORM, rules.DEALS_FORM, *rules.FORMS):
        form = rules.form(table.public, name, posts_language=table.language, now=0.0)
        if form.fields:  # options that the game doesn't have get no form
            yield form
    in_lobby = replace(table, state=State.LOBBY).public
    for seats in (table.seats, seated(game, Random(1), people=1), seated(game, Random(1), people=1)[:-1]):
        yield rules.options_page(replace(in_lobby, seats=Seats(seats)))
    yield rules.options_page(table.public)
    yield rules.options_page(in_lobby, Refusal("option_number", **LONGEST))
    free = replace(table, seats=seated(game, Random(2), people=1))
    if len(free.free_seats) > 1:
        yield latecomers.which_seat(free.public)
        for by_dm in ByDm:
            taking = replace(free, seat_claims=(SeatClaim(players - 1, 7, NAMES[0]),))
            yield latecomers.seat_taken(taking.public, 7, by_dm)


def _in_a_thread(table: Table) -> Shown:
    """What is told of it in the channel around its thread."""
    public = table.public
    for seat in public.seats:
        yield threads.opening(seat.name, public.rules, public.language)
        yield threads.line(replace(table, host=seat.person or ID).public)
    yield threads.closed(public)
    for by_dm in ByDm:
        yield Whisper((threads.seated_in_thread(by_dm, ID, public.language),))


def ends(table: Table) -> Shown:
    """The end of a game in which everyone gets all achievements, and all ratings are shown."""
    if not table.game.points:
        return
    seats = range(len(table.seats))
    high, low = Rating(10.0**6, 1.0), Rating(-(10.0**6), 1.0)
    for games in (1, 1000):
        over = replace(
            table,
            state=State.OVER,
            achieved=tuple([Achieved(seat, id) for seat in seats for id in BY_ID]),
            rated=tuple([Rated(person(seat), low, high, games) for seat in seats]),
        )
        yield scores.final(over.public)
        yield stories.in_a_few_lines(over.public)
        yield hand.over(over.public, table.game.begun, person(0))
    for favourites in (2, len(seats) - 1):
        lucky = replace(over, pars=pars_of(table.game, favourites=favourites)).public
        yield from (scores.final(lucky), par.luck(lucky))


def done(table: Table, rng: Random, *, every: int = 1) -> Shown:
    """The replay of a game's finished deals, or of every tenth with `every=10`, after each trick."""
    game = table.game
    yield watching.watching(replace(table, game=None))
    for deal in game.complete_deals.deals[::every]:
        yield watching.watching(table, deal.number)
        for is_private in (False, True):
            yield seals.opened(public_deal(deal), LINK.url, table.language, is_private=is_private)
        position = ReplayPosition(ID, 10**6, deal.number)
        for step in {*steps.stops(deal), steps.stops(deal)[-2] - 1}:
            yield replay.replay(table, replace(position, step=step))
        for seat in rng.sample(range(len(table.seats)), 2):
            yield from _reviews(table, deal.number, seat, position)


def _reviews(table: Table, number: int, seat: int, position: ReplayPosition) -> Shown:
    """The reviews of a seat's deal: no decisions, no mistakes, or its two widest decisions."""
    choices, found = list(advising.decisions(table.game, number, seat)), []
    for one in choices:
        advice = estimate(one.view, one.cards)
        if chosen := advice.about(one.cards):
            found.append(advising.Costly(one, advice, chosen, 10.0**6))
    most = tuple(found[: advising.MOST_REPORTED])
    for costly, count in (((), 0), ((), len(choices)), (most, len(choices))):
        about = Review(table, seat, number, costly, count)
        yield hints.review(about)
        yield hints.review_of(about)
        yield replay.costliest(about, position, person(seat))


def of_alone(table: Table) -> Shown:
    """The one message of a table alone or of a daily deal, from lobby to end; and what is asked about it."""
    options = ("cancellation", 10, Strength.MEDIUM, Pace.RELAXED, Jack.USUAL, 10**5)
    game, instead = table.game, OpenAlone(TABLE, *options)
    seats = Seats([table.seats[0], *seated(game, Random(1), people=1)[1:]])
    alone = replace(table, channel=-ID, seats=seats, former_occupants=(), seat_claims=(), vote=None)
    for seated_now in (seats, seats[:1]):
        waiting = replace(alone, state=State.LOBBY, seats=Seats(seated_now), game=None)
        yield hand_of(holder(waiting, waiting.public, person(0)))
        yield rules.rules_page(waiting.public, waiting.host)
        yield rules.options_page(waiting.public)
        yield rules.form(waiting.public, rules.TABLE_FORM, posts_language=table.language, now=0.0)
        yield going_on(waiting.public, instead)
    yield going_on(alone.public, instead)
    yield hand.left_behind(alone.public, game.begun, 0)
    of_a_day = replace(alone, daily=DailyGame("2026-12-30", ID), pace=Pace.NONE, timer=None)
    yield daily.welcome(of_a_day.public)
    stopped = replace(alone, state=State.STOPPED)
    for one in (alone, stopped, replace(stopped, game=None), of_a_day):
        yield hand_of(holder(one, one.public, person(0)))
    if table.state is not State.PLAYING:
        return
    view = seat_view(game, 0)
    for one in (alone, of_a_day):
        yield with_table(one.public, view, hand.hand(one.public, view))
        if has_choice(view):
            yield with_table(one.public, view, hand.hand(one.public, view, advice=estimate(view)))


def of_a_moment(table: Table) -> Shown:
    """Those of these messages that change in the course of a game."""
    for kind in (hands, posts, told, asked, ends, of_alone):
        yield from kind(table)


def of_a_game(rules: Ruleset, rng: Random, language: Language = ENGLISH, *, deals: int = 1) -> Shown:
    """All messages about this many deals by these rules, with players who come and go."""
    for number, game in enumerate(at_phases(rules, rng, deals)):
        tables = list(comings_and_goings(table_of(game, rng, language=language)))
        yield from of_a_moment(tables[number % len(tables)])
        if number == 0:
            yield from lobbies(tables[0])
    yield from lobbies(tables[-1])
    yield from done(tables[0], rng)
    yield from of_rules(rules, language)


# Messages without a table


def of_rules(of: Ruleset, language: Language) -> Shown:
    """Every page that explains these rules."""
    yield help.help_page(of, TABLE, language)
    yield help.help_alone(of, TABLE, invitation(10**18), language)
    for number in range(len(how_to_play.pages(of, language))):
        yield how_to_play.how_to_play(of, TABLE, number, language)
    saved = [(f"{number}{name}"[:40], HouseRules(of, "nobody")) for name in NAMES for number in range(9)]
    for found in ([], saved):
        yield house.menu(found, 0, language, has_table=True, confirmation=house.saved(NAMES[0], language))
    yield house.one(*saved[0], language, may_delete=True)
    yield house.form(language)


#: One of the longest of each value in a sentence. Anyone can type 6000 characters in a command.
LONGEST: dict[str, Any] = {
    "table": TABLE,
    "name": "*" * 6000,
    "host": NAMES[0],
    "day": "W" * 12,
    "cards": cards("QS JD AH TC"),
    "card": cards("QS")[0],
    "suit": cards("QS")[0].suit,
    "option": max(OPTIONS, key=len),
    "given": "*" * 6000,
    "text": "*" * 6000,
    "allowed": tuple(["first-and-last"] * 5),
    "game": max(PRESETS.values(), key=lambda preset: len(preset.title)),
    "games": tuple(PRESETS),
    "invitation": invitation(10**18, guild=10**18),
    "address": message_link(ID, ID, ID),
    "threads": (ID,) * 10,
    "thread": "hearts:thread:0",
    **dict.fromkeys(("players", "seated", "count", "least", "most"), 10**6),
}


def refused(language: Language) -> Shown:
    """Every refusal, with its longest values."""
    for id in refusals.SENTENCES:
        yield refusals.refused(Refusal(id, **LONGEST), language)


def of_people(language: Language) -> Shown:
    """Statistics and leaderboards of people who have played forever."""
    kinds = [GameKind(preset.name, lowest) for preset in PRESETS.values() for lowest in (True, False)]
    high, many = Rating(10.0**6, 1.0), 10**9
    under_par = UnderPar(many, -12345.6, 12345.6)
    for name in NAMES:
        of = careers.Subject(ID, name, kinds, kinds[0])
        for streak in (1, 2, many):
            tally = Tally(many, many, streak, many, -many, many, -many, many, many, many, many, under_par)
            days = DailyCareer(many, many, many)
            deals = [(n, -many) for n in range(50)]
            yield careers.stats(of, tally, tally, deals, list(BY_ID), days, language)
            yield careers.stats(of, tally, None, [], [], None, language)
        for level in (0, 1):
            sides = many // 2, many - many // 2, -1e9, 1e9, under_par, under_par
            rivalry = Rivalry(many + level, *sides)
            yield careers.rivals(of, ID, name, rivalry, language)
        yield ratings.missing_achievements([], language)
        yield careers.daily_alone(name, DailyCareer(10**6, 10**5, 10**6), language)
        yield careers.never_met(name, name, language)
        yield from (careers.nothing_yet(name, language, is_own=own) for own in (True, False))
    played = [Board(kind, ranked) for kind in kinds for ranked in (True, False)]
    # Each order and period of boards with and without ratings, and each name and each game on one of them.
    ways = list(product((True, False), Order, Period))
    shown = [Board(kind, *way) for kind, way in zip(cycle(kinds), ways, strict=False)]
    named = [(shown[0], name) for name in NAMES] + list(zip(shown, cycle(NAMES), strict=False))
    for (one, name), missing in product(named, (0, 2)):
        is_missing = missing and one.order in (Order.RATING, Order.PAR)
        place = None if is_missing else many
        gain = UnderPar(PAR_FROM - 1, -1.0, 1.0) if is_missing else under_par
        line = BoardLine(many, place, ID, name, many, many, -many, many, many, missing, high, high, gain)
        lines = [line] * 10
        page = BoardPage(tuple(lines), many, lines[0], lines[0])
        games = leaderboards.games(played, one, language, has_tournaments=True)
        yield leaderboards.leaderboard(one, page, 10**7, name, games, language)
        yield leaderboards.leaderboard(one, BoardPage(), 0, name, games, language)
    yield leaderboards.nothing_yet(language)


def of_days(language: Language) -> Shown:
    """Every page about a day's deals."""
    for date in ("2026-12-30", "2026-12-27"):  # Sundays have Chinese Hearts
        day = days.make(date, Random(1), LATE)
        states = list(product((True, False), (True, False), (10**6, None)))
        # Each name where a day can be shared, and each other state with the first one.
        named = [(name, *states[0]) for name in NAMES] + [(NAMES[0], *state) for state in states[1:]]
        for name, is_over, is_shared, place in named:
            points = (-(10**6),) * DEALS_A_DAY
            found = DailyResult(date, ID, name, ID, TABLE, points, 0.0, place is not None, is_shared)
            here = tuple([replace(found, person=ID - number) for number in range(30)])
            for own, people in ((found, 10**6), (found, 1), (None, 10**6), (None, 0)):
                averages = DayFigures(people, (-1e6,) * DEALS_A_DAY)
                beside = ("2026-09-29", "2026-09-30")
                shown = here if people else ()
                pars = {deal: Par((-12345.6,) * 4, (99.9,) * 4, MANY) for deal in range(1, DEALS_A_DAY + 1)}
                one = Ranking(day, is_over, own, averages, place, shown, 10**6, *beside, ID, pars)
                yield daily.result(one, language)
                yield daily.result(replace(one, here=(), guild=0), language)
                yield mornings.morning(day, one, language)
                if own:
                    yield daily.shared(one, language)
        yield daily.seals_page(day, language)
        for deal in range(1, DEALS_A_DAY + 1):
            yield past_deal(day, deal, None, None, language)
            yield past_deal(day, deal, found, LINK.url, language)
        yield daily.unfinished(DailyGame(date, ID), language)


def of_the_bot(language: Language) -> Shown:
    """All messages without a table."""
    yield help.commands_page(language)
    yield mornings.posting_started(ID, f"<t:{int(LATE)}:t>", language)
    yield mornings.posting_stopped(language)
    yield privacy_page(language)
    yield question(language)
    yield notices.cannot_save(language)
    yield notices.moves_taken_back(language)
    yield notices.cannot_be_read(TABLE, language)
    for calls_, forced in product(Calls, Forced):
        yield preferences.page(Preference(calls_, forced, taps_twice=True), language)
    for way in CallWay:
        wish = CallWish(ID, ID, way, 24, 22, 23, LATE)
        unwilling = Preference(may_be_invited=False, language=language)
        yield preferences.page(unwilling, language, wish)
        yield from (preferences.form(topic, unwilling, language, wish) for topic in Topic)
        yield telling.times(wish, language)
        for zone in (None, "America/Argentina/Buenos_Aires"):
            yield telling.chosen(wish, zone, language)
    yield from (Whisper((inviting.called(MANY, told, language),)) for told in (-MANY, 1))
    for in_threads in (False, True):
        yield settings.form(ServerSettings(in_threads), None, language)
    yield replay.faulty("*" * 100, RecordError("*" * 1500, 10**6, 10**6), language)


# Tournaments

#: Everyone may be mentioned, or nobody.
MAY_BE_MENTIONED: tuple[Callable[[int], bool], ...] = (lambda _: True, lambda _: False)


def _entrants() -> tuple[Entrant, ...]:
    named = list(islice(cycle(NAMES), MOST_PEOPLE))
    found = [Entrant(number, ID - number, name, is_here=True) for number, name in enumerate(named, 1)]
    return (*found[:-1], replace(found[-1], person=NOBODY, name=""))


def _round(number: int, state: TableState, deals: int, *, par: bool) -> Round:
    """Everyone at a table, which has played so many deals."""
    known = Par((90.25, -90.25, 0.5, -0.5), (0.5,) * 4, 60) if par else None
    played = PlayedDeal((-100, 100, 0, 5), frozenset(range(4)), known)
    tables = [
        RoundTable(at, tuple(range(4 * at - 3, 4 * at + 1)), state, ID - at, TABLE + at, (played,) * deals)
        for at in range(1, MOST_PEOPLE // 4 + 1)
    ]
    last = replace(tables[-1], seats=(*tables[-1].seats[:2], None, None))
    return Round(number, LATE, LATE, (*tables[:-1], last))


def _tournaments(language: Language) -> Iterator[Tournament]:
    """A tournament before it starts, in each round's stages, and at its end for whatever reason."""
    rules = Ruleset.of("classic", 4, {"jack_of_diamonds": True, "pass_cards": 4})
    terms = Terms(rules, 8, 8, Pace.RELAXED, minutes=1440, language=language)
    empty = Tournament(id=TABLE, guild=ID, channel=ID, host=ID - 1, terms=terms, opened_at=LATE)
    yield empty
    full = replace(empty, entrants=_entrants())
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


def of_tournaments(language: Language) -> Shown:
    """Every message about a tournament in each of its states."""
    for one in _tournaments(language):
        yield from _of_one(one, language)
    lines = [
        SeasonLine(one.number, one.person, one.name, 10**6, 10**6, 10**6, -(10.0**6), 10**6)
        for one in _entrants()
    ]
    games = leaderboards.games([], None, language, has_tournaments=True)
    for span in honours.SPANS:
        yield honours.honours(lines, span, 2, ID - 1, games, language)
        yield honours.honours([], span, 0, ID - 1, games, language)


def _of_one(one: Tournament, language: Language) -> Shown:
    found = standings(one)
    yield sign_up.sign_up(one)
    yield sign_up.terms_page(one, language)
    yield sign_up.welcome(one, language)
    yield sign_up.confirm_end(one, language)
    yield Whisper((sign_up.signed_off(one, language),))
    yield from (Whisper((sign_up.signed_up(one, ID - 1, by_dm, language),)) for by_dm in ByDm)
    if one.plan:
        yield Whisper((sign_up.noted(one, language),))
        yield from (sign_up.reminder(one, may) for may in MAY_BE_MENTIONED)
    yield sign_up.thread_line(one, MOST_PEOPLE)
    for entrant in (*one.entrants[:1], *[replace(entrant, is_out=True) for entrant in one.entrants[:1]]):
        yield Whisper((sign_up.my_table(one, entrant, language),))
    if one.rounds:
        yield from (tournament_scores.round_post(one, found, may) for may in MAY_BE_MENTIONED)
    if not one.is_live:
        yield tournament_scores.ended(one, found)
    yield from (tournament_scores.all_scores(one, found, page, language) for page in (0, 3, 10**9))
    yield from (tournament_scores.my_deals(one, own, language) for own in found[:2])
