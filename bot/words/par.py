"""Par in words: the players' points beside what strong computers made of the same cards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import TypeGuard

from bot.vocabulary.controls import GAMES, HAND, Action, Who
from bot.vocabulary.messages import Button, Part, Picture, Whisper
from bot.vocabulary.scenes import MOST_BARS, DealAgainstPar, ParScene, PlayerAgainstPar, Score, Tone
from bot.words.text import (
    LONGEST_DESCRIPTION,
    bold,
    brief,
    described,
    in_a_row,
    names,
    seat_number,
    short,
    visible,
)
from bot.words.tones import SIGNS, score
from engine.languages import N_, Language, N_count
from engine.play.par import Par, gain
from engine.play.public import PublicDeal
from engine.rules.ruleset import Ruleset
from engine.storage.pars import UnderPar
from engine.storage.standings import PAR_FROM
from engine.tables import PublicTable

#: Begins every line about par.
FLAG = "⛳"
#: A player's points beside par.
BESIDE = {
    Tone.GOOD: N_("{who} {points}, par {par}: **{gain} better**"),
    Tone.BAD: N_("{who} {points}, par {par}: **{gain} worse**"),
    Tone.PLAIN: N_("{who} {points}, par {par}: **on par**"),
}
#: A player's points beside par, in a picture's description.
DESCRIBED = {
    Tone.GOOD: N_("{who} {points}, par {par}, {gain} better"),
    Tone.BAD: N_("{who} {points}, par {par}, {gain} worse"),
    Tone.PLAIN: N_("{who} {points}, par {par}, on par"),
}
#: A winner whom the cards didn't favour, by the place that the cards would have given them.
UPSETS = {
    2: N_("By the cards {who} should have come second, but won."),
    3: N_("By the cards {who} should have come third, but won."),
    4: N_("By the cards {who} should have come fourth, but won."),
    5: N_("By the cards {who} should have come fifth, but won."),
}
#: Whom the cards favoured and who won: one winner, or several.
NOBODY = N_count("The cards favoured nobody; {who} won.", "The cards favoured nobody; {who} won together.")
WINNERS = N_count("The cards favoured {who}, who won.", "The cards favoured {who}, who won together.")
OTHERS_TOO = N_count(
    "The cards favoured {favourites}; {who} won.", "The cards favoured {favourites}; {who} won together."
)
#: A person's average against par.
CAREER = {
    Tone.GOOD: N_("⛳ **{gain} ± {error}** a deal better than par"),
    Tone.BAD: N_("⛳ **{gain} ± {error}** a deal worse than par"),
    Tone.PLAIN: N_("⛳ **± {error}** a deal around par"),
}


class ShowLuck(Action, verb="luck", who=Who.ANYONE, where=HAND, cost=GAMES):
    """Compare everyone's points with par."""


@dataclass(frozen=True, slots=True)
class Sum:
    """The sums of one seat's deals: points, par with its standard error, and how much better they were."""

    points: int
    par: float
    error: float
    gain: float


def known_pars(table: PublicTable) -> Mapping[int, Par]:
    """The pars of this table's finished deals, by number."""
    deals_over = len(table.view.points) if table.view else 0
    return {deal: par for deal, par in sorted(table.pars.items()) if deal <= deals_over}


def is_complete(table: PublicTable) -> bool:
    """Whether every finished deal has a par; False before the first."""
    return table.view is not None and 0 < len(table.view.points) == len(known_pars(table))


def sums(table: PublicTable) -> list[Sum]:
    """Each seat's sums over the deals that have a par."""
    assert table.view is not None
    totals = [Sum(0, 0.0, 0.0, 0.0)] * table.rules.players
    for deal, par in known_pars(table).items():
        points = table.view.points[deal - 1]
        gains = gain(table.rules, points, par)
        totals = [
            Sum(total.points + own, total.par + mean, hypot(total.error, error), total.gain + better)
            for total, own, mean, error, better in zip(
                totals, points, par.points, par.errors, gains, strict=True
            )
        ]
    return totals


def tone(better: float) -> Tone:
    """Whether that is better than par or worse, after rounding to what is shown."""
    return Tone.PLAIN if round(better, 1) == 0 else Tone.GOOD if better > 0 else Tone.BAD


def arrow(better: float, language: Language) -> str:
    """`▲ 1.3` for what is better than par, `▼ 1.3` for what is worse, `±0.0`."""
    figure = language.decimal(abs(better))
    return {Tone.GOOD: f"▲ {figure}", Tone.BAD: f"▼ {figure}", Tone.PLAIN: f"±{figure}"}[tone(better)]


# A finished deal


def of_deal(table: PublicTable, deal: PublicDeal) -> str:
    """At a tournament's table, each player's points beside par, the best first; empty until par is known."""
    par = table.pars.get(deal.number)
    if par is None or deal.points is None or table.tournament is None:
        return ""
    gains = gain(table.rules, deal.points, par)
    lines = [f"{FLAG} **{table.say('Deal {deal} against par', deal=deal.number)}**"]
    for seat in sorted(range(len(gains)), key=lambda seat: -gains[seat]):
        who = f"**{brief(table, seat)}**"
        lines.append(_beside(table, who, deal.points[seat], par.points[seat], gains[seat]))
    footnote = table.say("Par: strong computers' average, same cards.")
    return "\n".join([*lines, f"-# {footnote}"])


def _beside(table: PublicTable, who: str, points: int, par: float, better: float) -> str:
    """`🟢 Ann 4, par 7.6: 3.6 better`."""
    sign = tone(better)
    sentence = table.say(
        BESIDE[sign],
        who=who,
        points=score(table.rules, points).text,
        par=table.language.decimal(par),
        gain=table.language.decimal(abs(better)),
    )
    return f"{SIGNS[sign]} {sentence}"


def as_dealt(table: PublicTable, deal: int) -> Iterator[str]:
    """The par of each seat's cards in this deal, in small print."""
    if par := table.pars.get(deal):
        each = [
            f"**{brief(table, seat)}** {table.language.decimal(points)}"
            for seat, points in enumerate(par.points)
        ]
        yield f"-# {FLAG} {table.say('Par: {players}', players=in_a_row(each))}"


# A finished game


def verdict(table: PublicTable) -> Iterator[str]:
    """Whether the cards decided it, once the par of every deal is known."""
    if table.winners and is_complete(table):
        assert table.view is not None
        expected, places = by_the_cards(table), table.places(table.view.totals)
        favourites = tuple([seat for seat, place in enumerate(expected) if place == 1])
        yield f"{FLAG} {_verdict(table, expected, places, favourites)}"


def by_the_cards(table: PublicTable) -> list[int]:
    """The place of each seat by the sums of par, from 1.

    A seat is behind each one whose par is better by more than the standard error of the difference.
    """
    sign, totals = table.rules.winner.sign, sums(table)
    return [
        1 + sum([sign * (other.par - own.par) > hypot(other.error, own.error) for other in totals])
        for own in totals
    ]


def _verdict(
    table: PublicTable, expected: Sequence[int], places: Sequence[int], favourites: tuple[int, ...]
) -> str:
    winners = table.winners
    who, favoured = names(table, winners), names(table, favourites)
    if len(favourites) == len(expected):
        return table.say_count(len(winners), *NOBODY, who=who)
    if list(expected) == list(places):
        return table.say("The cards decided: everyone came where they had put them.")
    if winners == favourites:
        return table.say_count(len(winners), *WINNERS, who=who)
    if len(winners) > 1 or winners[0] in favourites:
        return table.say_count(len(winners), *OTHERS_TOO, favourites=favoured, who=who)
    return table.language.sentences([_upset(table, expected), *_unlucky(table, places, favourites)])


def _upset(table: PublicTable, expected: Sequence[int]) -> str:
    """The place that the cards would have given the only winner, whom they didn't favour."""
    [winner] = table.winners
    who, place = bold(table, winner), expected[winner]
    if place == len(expected):
        return table.say("By the cards {who} should have come last, but won.", who=who)
    if place in UPSETS:
        return table.say(UPSETS[place], who=who)
    nth = table.language.place(place)
    return table.say("By the cards {who} should have come {place}, but won.", who=who, place=nth)


def _unlucky(table: PublicTable, places: Sequence[int], favourites: tuple[int, ...]) -> Iterator[str]:
    """The only player whom the cards favoured, if they came last."""
    if len(favourites) == 1 and places[favourites[0]] == max(places):
        who = bold(table, favourites[0])
        if table.seats[favourites[0]].has_left and not table.seats.are_for_one:
            yield table.say("The cards favoured {who}, who left.", who=who)
        else:
            yield table.say("The cards favoured {who}, who came last.", who=who)


# Was it luck?


def button(table: PublicTable) -> Button:
    """A button that opens the page comparing points with par."""
    return Button(table.language.say_as("for everyone", "Was it luck?"), ShowLuck(table.id))


def luck(table: PublicTable) -> Whisper:
    """The page that compares each player's points with par, for the deals whose par is known."""
    heading = f"### {table.say('Was it luck?')}"
    count, deals_over = len(known_pars(table)), len(table.view.points) if table.view else 0
    if not count:
        return Whisper((f"{heading}\n{_none_yet(table, deals_over)}",))
    lines = [*verdict(table)]
    if count < deals_over:
        lines.append(_some(table, count, deals_over))
    parts: list[Part] = ["\n".join([heading, *lines]), _picture(table), f"-# {_explained(table)}"]
    return Whisper(tuple(parts))


def _none_yet(table: PublicTable, deals_over: int) -> str:
    if not deals_over:
        return table.say("No deal is complete yet.")
    return table.say("Strong computers are still playing these cards. Ask again in a few minutes.")


def _some(table: PublicTable, count: int, deals_over: int) -> str:
    """For how many deals par is known."""
    return table.say_count(
        deals_over,
        "Par is known for {known} of {count} deal so far.",
        "Par is known for {known} of {count} deals so far.",
        known=count,
    )


def _explained(table: PublicTable) -> str:
    """What par is, and how precise."""
    pars = known_pars(table).values()
    doubt = max([error for par in pars for error in par.errors])
    return table.say_count(
        max([par.replays for par in pars]),
        "Par is what strong computers make of the same cards, on average over {count} replay of each deal "
        "(± {doubt} points at most). ▲ is better than par, ▼ worse.",
        "Par is what strong computers make of the same cards, on average over {count} replays of each deal "
        "(± {doubt} points at most). ▲ is better than par, ▼ worse.",
        doubt=table.language.decimal(doubt),
    )


def _picture(table: PublicTable) -> Picture:
    totals = sums(table)
    seats = sorted(range(len(totals)), key=lambda seat: -totals[seat].gain)
    spoken = [_sentence(table, seat, totals[seat], DESCRIBED) for seat in seats]
    words = [
        f"{SIGNS[tone(totals[seat].gain)]} {_sentence(table, seat, totals[seat], BESIDE, is_bold=True)}"
        for seat in seats
    ]
    description = table.say("Points against par: {players}.", players=table.language.clauses(spoken))
    return Picture(
        _scene(table, totals, seats), described(description, LONGEST_DESCRIPTION), "\n".join(words)
    )


def _sentence(
    table: PublicTable, seat: int, total: Sum, sentences: Mapping[Tone, str], *, is_bold: bool = False
) -> str:
    """`Ann 39, par 45.2, 6.2 better`."""
    name = bold(table, seat) if is_bold else short(table.names[seat], table.language)
    return table.say(
        sentences[tone(total.gain)],
        who=name,
        points=score(table.rules, total.points).text,
        par=table.language.decimal(total.par),
        gain=table.language.decimal(abs(total.gain)),
    )


def _scene(table: PublicTable, totals: Sequence[Sum], seats: Sequence[int]) -> ParScene:
    """The last deals of each player, the best against par first."""
    assert table.view is not None
    first = max(0, len(table.view.points) - MOST_BARS)
    players = [
        PlayerAgainstPar(
            visible(table.names[seat], table.language),
            seat_number(table.dialect, seat),
            tuple([_against(table, seat, deal) for deal in range(first + 1, len(table.view.points) + 1)]),
            _summed(table, totals[seat]),
            Score(arrow(totals[seat].gain, table.language), tone(totals[seat].gain)),
            seat in table.winners,
        )
        for seat in seats
    ]
    # Note: These three are the legend of a picture, beside a line and two colours.
    say_as = table.language.say_as
    legend = say_as("legend", "par"), say_as("legend", "better than par"), say_as("legend", "worse")
    return ParScene(tuple(players), table.say("Points against par, deal by deal"), legend, first + 1)


def _summed(table: PublicTable, total: Sum) -> str:
    return table.say_count(
        total.points,
        "{count} point, par {par}",
        "{count} points, par {par}",
        par=table.language.decimal(total.par),
    )


def _against(table: PublicTable, seat: int, deal: int) -> DealAgainstPar:
    assert table.view is not None
    points, par = table.view.points[deal - 1], table.pars.get(deal)
    if par is None:
        return DealAgainstPar(points[seat], None)
    better = gain(table.rules, points, par)[seat]
    return DealAgainstPar(points[seat], par.points[seat], tone(better))


# The daily deal, once its day is over: before that, par would give the cards away

#: A day's points beside par.
DAYS = {
    Tone.GOOD: N_("⛳ Par of these cards: {par}. You were **{gain} better**."),
    Tone.BAD: N_("⛳ Par of these cards: {par}. You were **{gain} worse**."),
    Tone.PLAIN: N_("⛳ Par of these cards: {par}. You were **on par**."),
}


def of_day(
    rules: Ruleset, points: Sequence[int], pars: Mapping[int, Par], language: Language
) -> Iterator[str]:
    """How the player, in the first seat, did in the day's deals against par, once the par of all is known."""
    means = [pars[deal].points[0] for deal in range(1, len(points) + 1) if deal in pars]
    if len(means) == len(points):
        better = rules.winner.sign * (sum(points) - sum(means))
        figures = {"par": language.decimal(sum(means)), "gain": language.decimal(abs(better))}
        yield language.say(DAYS[tone(better)], **figures)


# Averages over many games


def career(under_par: UnderPar | None, language: Language) -> Iterator[str]:
    """Someone's average per deal against par, once they have played enough deals."""
    if is_told(under_par) and under_par.error is not None:
        sign = tone(under_par.mean)
        figures = {"gain": language.decimal(abs(under_par.mean)), "error": language.decimal(under_par.error)}
        yield language.say(CAREER[sign], **figures)


def rivals(
    mine: tuple[str, UnderPar | None], theirs: tuple[str, UnderPar | None], language: Language
) -> Iterator[str]:
    """Two named people's averages per deal against par, once both have played enough deals."""
    if is_told(mine[1]) and is_told(theirs[1]):
        yield language.say(
            "⛳ **{gain}** a deal against par, **{other}** for {who}",
            gain=with_doubt(mine[1], language),
            other=with_doubt(theirs[1], language),
            who=theirs[0],
        )


def is_told(under_par: UnderPar | None) -> TypeGuard[UnderPar]:
    """Whether an average is over enough deals to be shown."""
    return under_par is not None and under_par.deals >= PAR_FROM


def with_doubt(under_par: UnderPar, language: Language) -> str:
    """`▲ 1.3 ± 0.4`."""
    return f"{arrow(under_par.mean, language)} ± {language.decimal(under_par.error or 0.0)}"
