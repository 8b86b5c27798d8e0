"""A tournament's standings, its end, what was luck in it, and how one person did."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from bot.tournaments.sign_up import (
    OUTCOMES,
    REASONS,
    cancel_button,
    entering,
    extent,
    name_of,
    outcome,
    seating,
    terms_button,
    title,
)
from bot.vocabulary.controls import GAMES, PAGES, TournamentAction, Where, Who
from bot.vocabulary.messages import DIVIDER, Button, Colour, Part, Picture, Post, Row, Style, Whisper
from bot.vocabulary.scenes import (
    LuckLine,
    LuckScene,
    PodiumScene,
    PodiumStep,
    Score,
    StandingLine,
    StandingsScene,
)
from bot.words.buttons import paged
from bot.words.par import tone
from bot.words.text import LONGEST_DESCRIPTION, cut_name, described, in_a_row, place, visible
from engine.languages import N_, Language
from engine.tournaments import DealScore, Round, RoundTable, Standing, Tournament, TournamentState

#: Players in the picture of the standings, in the final list in words, and in the chart of luck.
PICTURED, IN_WORDS, LUCKY = 16, 8, 8
#: Up to this many tables that are still playing, each gets a link.
LINKED = 5
#: Players on a page of all scores.
LINES_A_PAGE = 16
#: Columns for a name in a line of text.
NAME = 16
#: The player with the best cards, and the one with the worst.
BEST_CARDS = N_("🍀 **{who}** had the best cards: {points} a deal by par.")
WORST_CARDS = N_("🌧️ **{who}** had the worst cards: {points} a deal by par.")


class ShowMyTable(TournamentAction, verb="whither", who=Who.ANYONE, where=Where.TOURNAMENT):
    """Say where the player's table is."""


class ShowMyDeals(TournamentAction, verb="mine", who=Who.ANYONE, where=Where.TOURNAMENT, cost=PAGES):
    """Compare the player's own deals with par."""


class ShowScores(TournamentAction, verb="ranks", who=Who.ANYONE, where=Where.TOURNAMENT, cost=PAGES):
    """Show a page (from 0) of all scores; `control` keeps the custom ids of buttons for one page apart."""

    page: int
    control: str | None = None


class TakeRecord(TournamentAction, verb="record", who=Who.ANYONE, where=Where.TOURNAMENT, cost=GAMES * 4):
    """Send everything that was played as a file."""


def signed(value: float, language: Language, digits: int = 1) -> str:
    """`+3.5`, `−0.2` or `0.0`."""
    number = language.decimal(value, digits)
    return f"+{number}" if round(value, digits) > 0 else number


# While it is played


def round_post(
    tournament: Tournament, standings: Sequence[Standing], may_ping: Callable[[int], bool]
) -> Post:
    """The newest round: its seating, the standings, and the tables that are still playing."""
    language, round = tournament.terms.language, tournament.rounds[-1]
    parts: list[Part] = [f"### 🏆 {_heading(tournament, round, language)}"]
    ping: tuple[int, ...] = ()
    if not round.is_over:
        seats, ping = seating(tournament, round, may_ping, language)
        parts += seats
    ranked = [one for one in so_far(standings) if one.is_ranked]
    if ranked:
        parts.append(_picture(tournament, ranked, language))
        if len(ranked) > PICTURED:
            rest = len(ranked) - PICTURED
            parts.append(f"-# {language.say_count(rest, 'and {count} more', 'and {count} more')}")
    parts.append("\n".join(_going_on(tournament, standings, language)))
    return Post((*parts, *_below(tournament, language)), ping=ping)


def so_far(standings: Sequence[Standing]) -> list[Standing]:
    """These standings with places: first players with a score, then those whose par is still missing."""
    ordered = sorted(standings, key=lambda one: (not one.is_ranked, not one.deals))
    return [replace(one, place=number) for number, one in enumerate(ordered, 1)]


def _heading(tournament: Tournament, round: Round, language: Language) -> str:
    number, all = round.number, tournament.terms.rounds
    if round.is_over:
        return language.say("Standings · Round {number} of {all}", number=number, all=all)
    return language.say("Round {number} of {all}: your tables", number=number, all=all)


def _picture(tournament: Tournament, played: Sequence[Standing], language: Language) -> Picture:
    lines = tuple(_scene_line(tournament, one, language) for one in played[:PICTURED])
    note = language.say("Round {number} of {all}", number=len(tournament.rounds), all=tournament.terms.rounds)
    scene = StandingsScene(
        language.say("Standings"),
        note,
        lines,
        language.say_as("beside a chart", "worse than par"),
        language.say_as("beside a chart", "better than par"),
    )
    words = "\n".join(_line(one, language) for one in played[:PICTURED])
    spoken = language.series(_spoken(one, language) for one in played[:PICTURED])
    description = language.say("Standings: {scores}", scores=spoken)
    return Picture(scene, described(description, LONGEST_DESCRIPTION), words)


def _scene_line(tournament: Tournament, one: Standing, language: Language) -> StandingLine:
    return StandingLine(
        one.place,
        name_of_plain(one, language),
        language.say("Player {number}", number=one.entrant.number),
        one.score,
        Score(signed(one.score, language), tone(one.score)),
        is_playing(tournament, one),
    )


def name_of_plain(one: Standing, language: Language) -> str:
    """A player's name for a picture, which needs no markup escaped."""
    return one.entrant.name if one.entrant.is_known else language.say("someone")


def is_playing(tournament: Tournament, one: Standing) -> bool:
    """Whether this player's table is still playing."""
    round = tournament.round
    table = round.table_of(one.entrant.number) if round and tournament.is_live else None
    return table is not None and not table.is_over


def _line(one: Standing, language: Language) -> str:
    """`🥇 **Ann** +12.3`, or `**Ann** 5 points` until one of their deals has a par."""
    who, medal = name_of(one.entrant, language, NAME), f"{place(one.place)} " * one.is_ranked
    return f"{medal}**{who}** {_score(one, language)}"


def _score(one: Standing, language: Language) -> str:
    """`+12.3`, or `5 points` until one of their deals has a par."""
    return signed(one.score, language) if one.is_ranked else language.points(one.points)


def _spoken(one: Standing, language: Language) -> str:
    return f"{one.place}. {_name_aloud(one, language)} {_score(one, language)}"


def _name_aloud(one: Standing, language: Language) -> str:
    """A player's name for a picture's description, which needs no markup escaped."""
    return cut_name(visible(name_of_plain(one, language), language), NAME)


def _going_on(tournament: Tournament, standings: Sequence[Standing], language: Language) -> Iterator[str]:
    """What is still being played and until when, what comes next, and which pars are missing."""
    round = tournament.round
    if round and not round.is_over:
        yield from _playing(tournament, round, language)
        when = f"<t:{int(round.until)}:R>"
        ends = language.say(
            "The round ends {when}: computers then finish what is still being played.", when=when
        )
        yield f"-# {ends}"
    elif tournament.has_next_round and tournament.next_at:
        yield language.say("The next round begins {when}.", when=f"<t:{int(tournament.next_at)}:R>")
    elif tournament.is_counting:
        yield language.say("Everything has been played. The podium comes as soon as par is known.")
    yield from _provisional(standings, language)


def _playing(tournament: Tournament, round: Round, language: Language) -> Iterator[str]:
    """The tables that are still playing: links to a few, or else their number."""
    playing = [table for table in round.tables if not table.is_over]
    if len(playing) > LINKED:
        tables = language.say("{count} of {all} tables", count=len(playing), all=len(round.tables))
    else:
        tables = in_a_row(_progress(tournament, table, language) for table in playing)
    if playing:
        yield f"🟡 {language.say('Still playing: {tables}', tables=tables)}"


def _progress(tournament: Tournament, table: RoundTable, language: Language) -> str:
    """`<#thread> (deal 2 of 4)`."""
    number = min(len(table.deals) + 1, tournament.terms.deals)
    where = f"<#{table.channel}>"
    return language.say(
        "{where} (deal {number} of {all})", where=where, number=number, all=tournament.terms.deals
    )


def _provisional(standings: Sequence[Standing], language: Language) -> Iterator[str]:
    missing = sum(one.missing for one in standings)
    if missing:
        notice = language.say_count(
            missing,
            "Par is not known yet for {count} hand; its points count once it is.",
            "Par is not known yet for {count} hands; their points count once it is.",
        )
        yield f"-# ⏳ {notice}"
        if pending := [one for one in standings if one.deals and not one.is_ranked]:
            yield f"-# {in_a_row(_line(one, language) for one in pending[:PICTURED])}"


def _below(tournament: Tournament, language: Language) -> Iterator[Row]:
    if not tournament.is_live:
        return
    join, leave = entering(tournament, language)
    where = Button(language.say("Where do I play?"), ShowMyTable(0, tournament.id), Style.MAIN)
    yield (where, join, leave) if tournament.has_next_round else (where, join)
    scores, terms = _all_scores(tournament, language), terms_button(tournament, language)
    yield (scores, terms, cancel_button(tournament, language))


def _all_scores(tournament: Tournament, language: Language) -> Button:
    return Button(language.say("All scores"), ShowScores(0, tournament.id, 0))


# Its end


def ended(tournament: Tournament, standings: Sequence[Standing]) -> Post:
    """The final post: the podium, best and worst deals, and a chart of luck."""
    language = tournament.terms.language
    ranked = [one for one in standings if one.deals]
    if not ranked:
        return _without_result(tournament, language)
    parts: list[Part] = []
    if tournament.state is TournamentState.STOPPED:
        parts.append(_called_off(tournament, language))
        if scored := [one for one in ranked if one.is_ranked]:
            parts.append(_picture(tournament, scored, language))
    else:
        heading = f"## 🏆 {_winner(tournament, ranked, language)}"
        parts += [heading, _podium(tournament, ranked, language)]
        if tournament.reason:
            parts.append(f"-# {language.say(REASONS[tournament.reason])}")
    parts.append("\n".join(_result(one, language) for one in ranked[:IN_WORDS]))
    parts += _luck(ranked, language)
    parts.append("\n".join(_provisional(standings, language)) or _legend(language))
    row = (
        Button(language.say("My deals"), ShowMyDeals(0, tournament.id), Style.MAIN),
        _all_scores(tournament, language),
        Button(language.say_as("button", "Record"), TakeRecord(0, tournament.id)),
    )
    return Post((*parts, row))


def _legend(language: Language) -> str:
    sentences = [
        language.say("Scores: points better than par, in all deals a person played."),
        language.say("2.3 means round 2, deal 3."),
    ]
    return f"-# {language.sentences(sentences)}"


def _without_result(tournament: Tournament, language: Language) -> Post:
    reason = language.say(REASONS[tournament.reason] if tournament.reason else OUTCOMES[tournament.state])
    heading = f"### 🏆 {title(tournament, language)}"
    result = language.say("There is no result.")
    return Post((f"{heading}\n{language.sentences([reason, result])}",), Colour.DONE)


def _called_off(tournament: Tournament, language: Language) -> str:
    sentences = [
        outcome(tournament, language),
        language.say("These are the scores up to then; they don't count for the season."),
    ]
    return f"## 🏆 {title(tournament, language)}\n{language.sentences(sentences)}"


def _winner(tournament: Tournament, ranked: Sequence[Standing], language: Language) -> str:
    who = name_of(ranked[0].entrant, language)
    return language.say("{who} wins the {title}", who=who, title=title(tournament, language))


def _podium(tournament: Tournament, ranked: Sequence[Standing], language: Language) -> Picture:
    steps = tuple(
        PodiumStep(
            one.place,
            name_of_plain(one, language),
            language.say("Player {number}", number=one.entrant.number),
            _score(one, language),
        )
        for one in ranked[:3]
    )
    players = language.say_count(len(ranked), "{count} player", "{count} players")
    scene = PodiumScene(title(tournament, language), in_a_row([players, extent(tournament, language)]), steps)
    spoken = language.series(_spoken(one, language) for one in ranked[:3])
    description = language.say("The podium: {scores}", scores=spoken)
    return Picture(scene, described(description, LONGEST_DESCRIPTION), "")


def _result(one: Standing, language: Language) -> str:
    """`🥇 **Ann** +38.1`, and below it `best deal +9.1 (2.3), worst −4.0 (1.2)`, by round and deal."""
    if one.best is None or one.worst is None:
        return _line(one, language)
    extremes = language.say(
        "best deal {best} ({best_deal}), worst {worst} ({worst_deal})",
        best=signed(one.best.gain or 0.0, language),
        best_deal=f"{one.best.round}.{one.best.deal}",
        worst=signed(one.worst.gain or 0.0, language),
        worst_deal=f"{one.worst.round}.{one.worst.deal}",
    )
    return f"{_line(one, language)}\n-# {extremes}"


def which(deal: DealScore, language: Language) -> str:
    """`round 2, deal 3`."""
    return language.say("round {round}, deal {deal}", round=deal.round, deal=deal.deal)


# Luck


def gain_per_deal(one: Standing) -> float:
    """How much better than par someone was, in points a deal."""
    counted = len(one.deals) - one.missing
    return one.score / counted if counted else 0.0


def _luck(ranked: Sequence[Standing], language: Language) -> Iterator[Part]:
    """A chart of what the cards gave and what the first few players made of it; below it the luckiest."""
    scored = [one for one in ranked if one.luck is not None]
    if len(scored) < 2:
        return
    lines = tuple(_luck_line(one, language) for one in scored[:LUCKY])
    scene = LuckScene(
        language.say("Luck and play, in points a deal"),
        lines,
        language.say_as("in a chart of luck", "what the cards gave"),
        language.say_as("in a chart of luck", "what they made of it"),
    )
    spoken = language.clauses([_spoken_luck(one, language) for one in scored[:LUCKY]])
    yield DIVIDER
    description = language.say("What was luck: {players}", players=spoken)
    yield Picture(scene, described(description, LONGEST_DESCRIPTION), "")
    if lucky := "\n".join(_lucky(scored, language)):
        yield lucky


def _luck_line(one: Standing, language: Language) -> LuckLine:
    cards, play = one.luck or 0.0, gain_per_deal(one)
    seat = language.say("Player {number}", number=one.entrant.number)
    return LuckLine(
        name_of_plain(one, language), seat, cards, play, signed(cards, language), signed(play, language)
    )


def _spoken_luck(one: Standing, language: Language) -> str:
    return language.say(
        "{who}: cards {cards}, own play {play}",
        who=_name_aloud(one, language),
        cards=signed(one.luck or 0.0, language),
        play=signed(gain_per_deal(one), language),
    )


def _lucky(standings: Sequence[Standing], language: Language) -> Iterator[str]:
    """The players with the best and the worst cards, unless someone else has the same rounded number."""
    lucks = [round(one.luck or 0.0, 1) for one in standings]
    for sentence, luck in ((BEST_CARDS, max(lucks)), (WORST_CARDS, min(lucks))):
        if lucks.count(luck) == 1:
            who = name_of(standings[lucks.index(luck)].entrant, language)
            yield language.say(sentence, who=who, points=signed(luck, language))


# For one person


def all_scores(
    tournament: Tournament, standings: Sequence[Standing], number: int, language: Language
) -> Whisper:
    """A page (from 0) of everyone's scores."""
    standings = so_far(standings) if tournament.is_live else standings

    def turn(to: int) -> ShowScores:
        return ShowScores(0, tournament.id, max(0, to - 1), f"to{to}")

    page, row = paged(standings, number, LINES_A_PAGE, turn, language)
    lines = [_full_line(tournament, one, language) for one in page]
    parts: list[Part] = [
        f"### 🏆 {title(tournament, language)}",
        "\n".join(lines) or language.say("Nobody has signed up yet."),
        *_provisional(standings, language),
        *row,
    ]
    return Whisper(tuple(parts))


def _full_line(tournament: Tournament, one: Standing, language: Language) -> str:
    deals = language.say_count(len(one.deals), "{count} deal", "{count} deals")
    sign = " ⏳" * (one.missing > 0) + " 🃏" * is_playing(tournament, one)
    return f"{_line(one, language)} · {deals}{sign}"


def my_deals(tournament: Tournament, one: Standing, language: Language) -> Whisper:
    """A person's own deals, a line each, and how lucky their cards were."""
    lines = [_deal(deal, language) for deal in one.deals]
    parts: list[Part] = [
        f"### {title(tournament, language)}\n{_line(one, language)}",
        "\n".join(lines) or language.say("You have played no deal yet."),
    ]
    if one.luck is not None:
        luck = language.say(
            "Your cards, by par: {cards} points a deal compared with the average. Your play: {play} a deal.",
            cards=signed(one.luck, language),
            play=signed(gain_per_deal(one), language),
        )
        parts.append(f"-# {luck}")
    return Whisper(tuple(parts))


def _deal(deal: DealScore, language: Language) -> str:
    """`round 2, deal 3: 5 points, par 7.2, +2.2`."""
    points = language.points(deal.points)
    if deal.par is None or deal.gain is None:
        return language.say("{which}: {points}, par to come", which=which(deal, language), points=points)
    return language.say(
        "{which}: {points}, par {par}, **{gain}**",
        which=which(deal, language),
        points=points,
        par=language.decimal(deal.par),
        gain=signed(deal.gain, language),
    )
