"""Points and totals: in the post between two deals, on request, and at the end."""

from collections.abc import Iterator, Sequence

from bot.table import feats, seals
from bot.table.deal_breakdown import what_counted
from bot.table.latecomers import arrivals, latecomers, seat_to_take
from bot.table.stories import curves, story
from bot.vocabulary.messages import DIVIDER, Colour, Part, Post, Row, Whisper
from bot.words import par, ratings
from bot.words.buttons import ask_back, my_hand, once_more, replay, share, watch
from bot.words.ratings import new_achievements
from bot.words.text import bold, chips, in_a_row, names, place
from bot.words.tones import sign
from engine.play.public import PublicDeal
from engine.play.views import PublicView
from engine.rules.wording import direction, goal
from engine.tables import PublicTable

#: The most deals listed beside a name; the curve shows all of them.
DEALS_IN_A_LINE = 12


def opening(table: PublicTable, deal: PublicDeal, before: PublicDeal | None) -> Post:
    """The post between two deals: how the one before ended, and how this one begins, with its seal.

    It is never edited: Discord marks edited posts, and so bears witness to the seal.
    """
    parts: list[Part] = [*after_deal(table.as_in(before.number), before), DIVIDER] if before else []
    heading = f"### {table.say('Deal {deal}', deal=deal.number)}"
    parts.append("\n".join([heading, *_round(table, deal), *arrivals(table, deal), *_passing(table, deal)]))
    if deal.seal:
        parts.append(seals.sealed(deal, table.language))
    hand = () if table.rules.preset.exposable else (my_hand(table),)
    if row := (*hand, *seat_to_take(table), *watch(table)):
        parts.append(row)
    return Post(tuple(parts), never_edited=True)


def _round(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """A line with the round, table and deal of a tournament."""
    if mark := table.tournament:
        line = table.say(
            "🏆 Round {round}, table {table}: deal {deal} of {all}",
            round=mark.round,
            table=mark.number,
            deal=deal.number,
            all=mark.deals,
        )
        yield f"-# {line}"


def _passing(table: PublicTable, deal: PublicDeal) -> list[str]:
    count = table.rules.pass_cards
    if not count:
        return []
    if not deal.offset:
        return [table.say("Nobody passes this time.")]
    where = direction(deal.offset, table.rules.players, table.language)
    return [
        table.say("Everyone passes {cards} {direction}.", cards=table.language.cards(count), direction=where)
    ]


def after_deal(table: PublicTable, deal: PublicDeal) -> list[Part]:
    """What a deal cost each player, and where they stand."""
    standing = _standing(table, deal, _facts(table, deal))
    against = par.of_deal(table, deal)
    parts: list[Part] = [*feats.celebrated(table, deal), "\n".join([standing, *[against] * bool(against)])]
    parts.append((ask_back(table.id, deal.number, table.language), *seals.button(table, deal)))
    return parts


def standing(table: PublicTable, deal: PublicDeal) -> str:
    """The points of a deal that is done, and the totals after it."""
    return _standing(table, deal, notes(table, deal))


def short_standing(table: PublicTable, deal: PublicDeal) -> str:
    """The points of a deal and the totals, in few lines, below a picture."""
    heading = f"**{table.say('After deal {deal}', deal=deal.number)}**"
    return "\n".join([*notes(table, deal), in_a_row([heading, *_points_of_all(table, deal)])])


def _standing(table: PublicTable, deal: PublicDeal, remarks: list[str]) -> str:
    heading = f"### {table.say('After deal {deal}', deal=deal.number)}"
    return "\n".join([heading, *remarks, *_points_of_all(table, deal)])


def _points_of_all(table: PublicTable, deal: PublicDeal) -> list[str]:
    view = table.view
    assert view is not None
    assert deal.points is not None
    totals = view.history[deal.number - 1]
    return [
        f"{sign(table.rules, deal.points[seat])} {bold(table, seat)} "
        f"{_points_and_total(table, deal.points, totals, seat)}"
        for seat in _best_first(table, totals)
    ]


def final(table: PublicTable) -> Post:
    """The winners, how they won and how the last deal went, the standings, and a rematch."""
    view = table.view
    assert view is not None
    assert view.deal is not None
    heading = [f"## 🏆 {_won(table)}", *_early(table, view)]
    facts = [f"-# {note}" for note in _facts(table, view.deal)]
    points = table.say("Points in deal {deal} → total.", deal=view.deal.number)
    legend = f"-# {table.language.sentences([points, _goal(table)])}"
    again: Row = (*once_more(table), replay(table), par.button(table), share(table))
    about: Row = (ask_back(table.id, view.deal.number, table.language), *seals.button(table, view.deal))
    return Post(
        (
            "\n".join([*heading, *story(table), *par.verdict(table)]),
            *feats.celebrated(table, view.deal),
            *curves(table),
            "\n".join([*_standings(table, view), legend, *facts, *latecomers(table), *_absent(table)]),
            *ratings.changed(table, _by_place(table, view)),
            *new_achievements(table),
            again,
            about,
        ),
        Colour.TURN,
        can_wait=par.is_complete(table),
    )


def _won(table: PublicTable) -> str:
    who = names(table, table.winners)
    if len(table.winners) == 1:
        return table.say("{who} wins!", who=who)
    return table.say("{who} win together!", who=who)


def _goal(table: PublicTable) -> str:
    if table.tournament:
        return table.say("In the tournament, the best score against par wins.")
    return table.say("{statement}.", statement=goal(table.rules, table.language))


def _early(table: PublicTable, view: PublicView) -> Iterator[str]:
    """A line saying that the game was ended early, and after how many deals."""
    is_whole = table.tournament is not None and len(view.history) == table.tournament.deals
    if view.ended and not is_whole:
        yield table.say_count(
            len(view.history),
            "Ended early: the game counts as it stood after {count} deal.",
            "Ended early: the game counts as it stood after {count} deals.",
        )


def _standings(table: PublicTable, view: PublicView) -> Iterator[str]:
    """A line for each player, the best first; equal totals share a place."""
    places, last = table.places(view.totals), view.points[-1]
    for seat in _by_place(table, view):
        name = f"{place(places[seat])} {bold(table, seat)}"
        yield f"{name} {sign(table.rules, last[seat])} {_points_and_total(table, last, view.totals, seat)}"


def _by_place(table: PublicTable, view: PublicView) -> list[int]:
    places = table.places(view.totals)
    return sorted(_best_first(table, view.totals), key=lambda seat: places[seat])


def _absent(table: PublicTable) -> Iterator[str]:
    """Lines about players who left, and so come last, and those for whom a computer finished."""
    if table.seats.are_for_one:
        return
    for index, seat in enumerate(table.seats):
        who = bold(table, index)
        if seat.has_left:
            line = table.say("{who} left before the end and comes last, whatever the total.", who=who)
            yield f"-# {line}"
        elif seat.away:
            line = table.say(
                "A computer finished for {who}, who was away: their place follows from the total.", who=who
            )
            yield f"-# {line}"


def _points_and_total(table: PublicTable, points: Sequence[int], totals: Sequence[int], seat: int) -> str:
    """A player's points in the deal, and the total after it: `+13 → **39**`."""
    return f"{table.language.change(points[seat])} → **{table.language.number(totals[seat])}**"


def sheet(table: PublicTable) -> Whisper:
    """The whole score sheet, for one person."""
    view = table.view
    if view is None or not view.points:
        none = table.say("No deal is complete yet: everyone has 0.")
        return Whisper((f"**{_goal(table)}**\n{none}",))
    first, last, language = max(0, len(view.points) - DEALS_IN_A_LINE), len(view.points), table.language
    lines = []
    for seat in _best_first(table, view.totals):
        name, total = bold(table, seat), f"**{language.number(view.totals[seat])}**"
        deals = language.series([language.change(scored[seat]) for scored in view.points[first:]])
        lines.append(table.say("{who} {total}: {points}", who=name, total=total, points=deals))
    if last == 1:
        legend = table.say("The total, and the points of deal 1.")
    else:
        legend = table.say(
            "The total, and the points of deals {first} to {last}.", first=first + 1, last=last
        )
    heading = f"### {table.say('Scores')}\n{_goal(table)}"
    lines.append(f"-# {legend}")
    row = ((par.button(table),),) if table.pars else ()
    return Whisper((heading, *curves(table), "\n".join(lines), *row))


def _best_first(table: PublicTable, totals: tuple[int, ...]) -> list[int]:
    return sorted(range(len(totals)), key=lambda seat: -table.rules.winner.sign * totals[seat])


def notes(table: PublicTable, deal: PublicDeal) -> list[str]:
    """Notes on a deal that its points alone don't explain."""
    return [*feats.in_words(table, deal), *_facts(table, deal)]


def _facts(table: PublicTable, deal: PublicDeal) -> list[str]:
    """What counted by the rules of this game, and what was in the kitty."""
    counted = what_counted(table, deal) if table.rules.preset.exposable else ()
    return [*counted, *_kitty(table, deal)]


def _kitty(table: PublicTable, deal: PublicDeal) -> list[str]:
    """W3: who took which cards from the kitty, which stays secret until the deal is over."""
    return [
        table.say("{who} took {cards} from the kitty.", who=bold(table, seat), cards=chips(cards))
        for seat, cards in enumerate(deal.kitty_taken or ())
        if cards
    ]
