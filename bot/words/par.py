"""Par: what strong computers made of the same cards, beside what the players made of them."""

from __future__ import annotations

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

#: Before all that is told of par.
FLAG = "⛳"
#: A player's points beside par.
BESIDE = {
    Tone.GOOD: N_("{who} {points}, par {par}: **{gain} better**"),
    Tone.BAD: N_("{who} {points}, par {par}: **{gain} worse**"),
    Tone.PLAIN: N_("{who} {points}, par {par}: **on par**"),
}
#: The same for people who can't see a picture.
DESCRIBED = {
    Tone.GOOD: N_("{who} {points}, par {par}, {gain} better"),
    Tone.BAD: N_("{who} {points}, par {par}, {gain} worse"),
    Tone.PLAIN: N_("{who} {points}, par {par}, on par"),
}
#: A winner, by the place that the cards would have given them.
UPSETS = {
    2: N_("By the cards {who} should have come second, but won."),
    3: N_("By the cards {who} should have come third, but won."),
    4: N_("By the cards {who} should have come fourth, but won."),
    5: N_("By the cards {who} should have come fifth, but won."),
}
#: What the cards wanted and what became of it, of one winner and of several.
NOBODY = N_count("The cards favoured nobody; {who} won.", "The cards favoured nobody; {who} won together.")
WINNERS = N_count("The cards favoured {who}, who won.", "The cards favoured {who}, who won together.")
OTHERS_TOO = N_count(
    "The cards favoured {favourites}; {who} won.", "The cards favoured {favourites}; {who} won together."
)
#: What a person's deals come to, on average.
CAREER = {
    Tone.GOOD: N_("⛳ **{gain} ± {error}** a deal better than par"),
    Tone.BAD: N_("⛳ **{gain} ± {error}** a deal worse than par"),
    Tone.PLAIN: N_("⛳ **± {error}** a deal around par"),
}


class ShowLuck(Action, verb="luck", who=Who.ANYONE, where=HAND, cost=GAMES):
    """Compare everyone's points with par."""


@dataclass(frozen=True, slots=True)
class Sum:
    """What one seat's deals come to: points, their par with its standard error, and how much better."""

    points: int
    par: float
    error: float
    gain: float


def known(table: PublicTable) -> Mapping[int, Par]:
    """The pars of the deals that are done at this table, by number."""
    done = len(table.view.points) if table.view else 0
    return {deal: par for deal, par in sorted(table.pars.items()) if deal <= done}


def is_complete(table: PublicTable) -> bool:
    """Whether all deals that count have a par."""
    return table.view is not None and 0 < len(table.view.points) == len(known(table))


def sums(table: PublicTable) -> list[Sum]:
    """By seat, what the deals that have a par come to."""
    assert table.view is not None
    found = [Sum(0, 0.0, 0.0, 0.0)] * table.rules.players
    for deal, par in known(table).items():
        points = table.view.points[deal - 1]
        gains = gain(table.rules, points, par)
        found = [
            Sum(one.points + own, one.par + mean, hypot(one.error, error), one.gain + better)
            for one, own, mean, error, better in zip(
                found, points, par.points, par.errors, gains, strict=True
            )
        ]
    return found


def tone(better: float) -> Tone:
    """Whether that is better than par or worse, as far as it is told."""
    return Tone.PLAIN if round(better, 1) == 0 else Tone.GOOD if better > 0 else Tone.BAD


def arrow(better: float, language: Language) -> str:
    """`▲ 1.3` for what is better than par, `▼ 1.3` for what is worse, `±0.0`."""
    told = language.decimal(abs(better))
    return {Tone.GOOD: f"▲ {told}", Tone.BAD: f"▼ {told}", Tone.PLAIN: f"±{told}"}[tone(better)]


# A deal that is done


def of_deal(table: PublicTable, deal: PublicDeal) -> str:
    """Each player's points beside par in a tournament, the best first, once that is known."""
    par = table.pars.get(deal.number)
    if par is None or deal.points is None or table.tournament is None:
        return ""
    gains = gain(table.rules, deal.points, par)
    lines = [f"{FLAG} **{table.say('Deal {deal} against par', deal=deal.number)}**"]
    for seat in sorted(range(len(gains)), key=lambda seat: -gains[seat]):
        who = f"**{brief(table, seat)}**"
        lines.append(_beside(table, who, deal.points[seat], par.points[seat], gains[seat]))
    told = table.say("Par: strong computers' average, same cards.")
    return "\n".join([*lines, f"-# {told}"])


def _beside(table: PublicTable, who: str, points: int, par: float, better: float) -> str:
    """`🟢 Ann 4, par 7.6: 3.6 better`."""
    sign = tone(better)
    told = table.say(
        BESIDE[sign],
        who=who,
        points=score(table.rules, points).text,
        par=table.language.decimal(par),
        gain=table.language.decimal(abs(better)),
    )
    return f"{SIGNS[sign]} {told}"


def as_dealt(table: PublicTable, deal: int) -> Iterator[str]:
    """The par of each seat's cards, in small print."""
    if par := table.pars.get(deal):
        each = [
            f"**{brief(table, seat)}** {table.language.decimal(points)}"
            for seat, points in enumerate(par.points)
        ]
        yield f"-# {FLAG} {table.say('Par: {players}', players=in_a_row(each))}"


# A game that is over


def verdict(table: PublicTable) -> Iterator[str]:
    """Whether the cards decided it, once the par of every deal is known."""
    if table.winners and is_complete(table):
        assert table.view is not None
        wanted, places = by_the_cards(table), table.places(table.view.totals)
        favourites = tuple([seat for seat, place in enumerate(wanted) if place == 1])
        yield f"{FLAG} {_verdict(table, wanted, places, favourites)}"


def by_the_cards(table: PublicTable) -> list[int]:
    """The place of each seat by the sums of par, from 1.

    A seat is behind those whose par is better by more than the standard error of the difference.
    """
    sign, found = table.rules.winner.sign, sums(table)
    return [
        1 + sum([sign * (other.par - own.par) > hypot(other.error, own.error) for other in found])
        for own in found
    ]


def _verdict(
    table: PublicTable, wanted: Sequence[int], places: Sequence[int], favourites: tuple[int, ...]
) -> str:
    winners = table.winners
    who, favoured = names(table, winners), names(table, favourites)
    if len(favourites) == len(wanted):
        return table.say_count(len(winners), *NOBODY, who=who)
    if list(wanted) == list(places):
        return table.say("The cards decided: everyone came where they had put them.")
    if winners == favourites:
        return table.say_count(len(winners), *WINNERS, who=who)
    if len(winners) > 1 or winners[0] in favourites:
        return table.say_count(len(winners), *OTHERS_TOO, favourites=favoured, who=who)
    return table.language.sentences([_upset(table, wanted), *_unlucky(table, places, favourites)])


def _upset(table: PublicTable, wanted: Sequence[int]) -> str:
    """A winner whom the cards didn't favour."""
    [winner] = table.winners
    who, place = bold(table, winner), wanted[winner]
    if place == len(wanted):
        return table.say("By the cards {who} should have come last, but won.", who=who)
    if place in UPSETS:
        return table.say(UPSETS[place], who=who)
    nth = table.language.place(place)
    return table.say("By the cards {who} should have come {place}, but won.", who=who, place=nth)


def _unlucky(table: PublicTable, places: Sequence[int], favourites: tuple[int, ...]) -> Iterator[str]:
    """The one player whom the cards favoured, if they came last."""
    if len(favourites) == 1 and places[favourites[0]] == max(places):
        who = bold(table, favourites[0])
        if table.seats[favourites[0]].has_left and not table.seats.are_for_one:
            yield table.say("The cards favoured {who}, who left.", who=who)
        else:
            yield table.say("The cards favoured {who}, who came last.", who=who)


# Was it luck?


def button(table: PublicTable) -> Button:
    """Opens the page that compares points with par."""
    return Button(table.language.say_as("for everyone", "Was it luck?"), ShowLuck(table.id))


def luck(table: PublicTable) -> Whisper:
    """Each player's points against par, deal by deal; as far as par is known."""
    heading = f"### {table.say('Was it luck?')}"
    count, done = len(known(table)), len(table.view.points) if table.view else 0
    if not count:
        return Whisper((f"{heading}\n{_none_yet(table, done)}",))
    told = [*verdict(table)]
    if count < done:
        told.append(_some(table, count, done))
    parts: list[Part] = ["\n".join([heading, *told]), _picture(table), f"-# {_explained(table)}"]
    return Whisper(tuple(parts))


def _none_yet(table: PublicTable, done: int) -> str:
    if not done:
        return table.say("No deal is complete yet.")
    return table.say("Strong computers are still playing these cards. Ask again in a few minutes.")


def _some(table: PublicTable, count: int, done: int) -> str:
    """Of how many of the deals par is known."""
    return table.say_count(
        done,
        "Par is known of {known} of {count} deal so far.",
        "Par is known of {known} of {count} deals so far.",
        known=count,
    )


def _explained(table: PublicTable) -> str:
    """What par is, and how sure."""
    found = known(table).values()
    doubt = max([error for par in found for error in par.errors])
    return table.say_count(
        max([par.replays for par in found]),
        "Par is what strong computers make of the same cards, on average over {count} replay of each deal "
        "(± {doubt} points at most). ▲ is better than par, ▼ worse.",
        "Par is what strong computers make of the same cards, on average over {count} replays of each deal "
        "(± {doubt} points at most). ▲ is better than par, ▼ worse.",
        doubt=table.language.decimal(doubt),
    )


def _picture(table: PublicTable) -> Picture:
    found = sums(table)
    seats = sorted(range(len(found)), key=lambda seat: -found[seat].gain)
    told = [_told(table, seat, found[seat], DESCRIBED) for seat in seats]
    words = [
        f"{SIGNS[tone(found[seat].gain)]} {_told(table, seat, found[seat], BESIDE, is_bold=True)}"
        for seat in seats
    ]
    description = table.say("Points against par: {players}.", players=table.language.clauses(told))
    return Picture(_scene(table, found, seats), described(description, LONGEST_DESCRIPTION), "\n".join(words))


def _told(
    table: PublicTable, seat: int, found: Sum, sentences: Mapping[Tone, str], *, is_bold: bool = False
) -> str:
    """`Ann 39, par 45.2, 6.2 better`."""
    name = bold(table, seat) if is_bold else short(table.names[seat], table.language)
    return table.say(
        sentences[tone(found.gain)],
        who=name,
        points=score(table.rules, found.points).text,
        par=table.language.decimal(found.par),
        gain=table.language.decimal(abs(found.gain)),
    )


def _scene(table: PublicTable, found: Sequence[Sum], seats: Sequence[int]) -> ParScene:
    """The last deals of each player, the best against par first."""
    assert table.view is not None
    first = max(0, len(table.view.points) - MOST_BARS)
    players = [
        PlayerAgainstPar(
            visible(table.names[seat], table.language),
            seat_number(table.dialect, seat),
            tuple([_against(table, seat, deal) for deal in range(first + 1, len(table.view.points) + 1)]),
            _summed(table, found[seat]),
            Score(arrow(found[seat].gain, table.language), tone(found[seat].gain)),
            seat in table.winners,
        )
        for seat in seats
    ]
    # Note: These three are the legend of a picture, beside a line and two colours.
    say_as = table.language.say_as
    legend = say_as("legend", "par"), say_as("legend", "better than par"), say_as("legend", "worse")
    return ParScene(tuple(players), table.say("Points against par, deal by deal"), legend, first + 1)


def _summed(table: PublicTable, found: Sum) -> str:
    return table.say_count(
        found.points,
        "{count} point, par {par}",
        "{count} points, par {par}",
        par=table.language.decimal(found.par),
    )


def _against(table: PublicTable, seat: int, deal: int) -> DealAgainstPar:
    assert table.view is not None
    points, par = table.view.points[deal - 1], table.pars.get(deal)
    if par is None:
        return DealAgainstPar(points[seat], None)
    better = gain(table.rules, points, par)[seat]
    return DealAgainstPar(points[seat], par.points[seat], tone(better))


# The daily deal, once its day is over: before, its par would tell of the cards

#: A day's points beside par.
DAYS = {
    Tone.GOOD: N_("⛳ Par of these cards: {par}. You were **{gain} better**."),
    Tone.BAD: N_("⛳ Par of these cards: {par}. You were **{gain} worse**."),
    Tone.PLAIN: N_("⛳ Par of these cards: {par}. You were **on par**."),
}


def of_day(
    rules: Ruleset, points: Sequence[int], pars: Mapping[int, Par], language: Language
) -> Iterator[str]:
    """What the day's deals come to beside par for the player, who has the first seat; once all are known."""
    means = [pars[deal].points[0] for deal in range(1, len(points) + 1) if deal in pars]
    if len(means) == len(points):
        better = rules.winner.sign * (sum(points) - sum(means))
        figures = {"par": language.decimal(sum(means)), "gain": language.decimal(abs(better))}
        yield language.say(DAYS[tone(better)], **figures)


# What many games come to


def career(found: UnderPar | None, language: Language) -> Iterator[str]:
    """How much better than par someone is a deal, once there are enough deals to tell."""
    if is_told(found) and found.error is not None:
        sign = tone(found.mean)
        figures = {"gain": language.decimal(abs(found.mean)), "error": language.decimal(found.error)}
        yield language.say(CAREER[sign], **figures)


def rivals(
    mine: tuple[str, UnderPar | None], theirs: tuple[str, UnderPar | None], language: Language
) -> Iterator[str]:
    """How much better than par two people are a deal, by their names, once there are enough deals to tell."""
    if is_told(mine[1]) and is_told(theirs[1]):
        yield language.say(
            "⛳ **{gain}** a deal against par, **{other}** for {who}",
            gain=with_doubt(mine[1], language),
            other=with_doubt(theirs[1], language),
            who=theirs[0],
        )


def is_told(found: UnderPar | None) -> TypeGuard[UnderPar]:
    """Whether it has enough deals to be told."""
    return found is not None and found.deals >= PAR_FROM


def with_doubt(found: UnderPar, language: Language) -> str:
    """`▲ 1.3 ± 0.4`."""
    return f"{arrow(found.mean, language)} ± {language.decimal(found.error or 0.0)}"
