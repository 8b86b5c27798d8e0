"""What was special about a deal, in words and as a picture."""

from __future__ import annotations

from collections.abc import Iterator

from bot.messages import Part, Picture
from bot.render.text import bold, described, names, seat_number, short, visible
from bot.scenes import FeatScene
from engine.languages import ENGLISH
from engine.play.feats import Feat, FeatKind, feat
from engine.play.public import PublicDeal
from engine.rules.counting import Why
from engine.rules.options import Moon
from engine.rules.wording import moon_cards
from engine.tables import PublicTable

#: What stands above the points of a deal: `who` has done it to `whom`.
HEADLINES = {
    FeatKind.SUN: "☀️ {who} shot the sun",
    FeatKind.MOON: "🌕 {who} shot the moon",
    FeatKind.STOPPED: "🌒 {who} nearly shot the moon",
    FeatKind.QUEEN: "👑 {who} gave {whom} the queen in the last trick",
}
#: The same in a picture, below the name.
DEEDS = {
    FeatKind.SUN: "shot the sun",
    FeatKind.MOON: "shot the moon",
    FeatKind.STOPPED: "nearly shot the moon",
    FeatKind.QUEEN: "saved Q♠ for last",
}

#: What each picture is of, for people who can't see it.
SUBJECTS = {
    FeatKind.SUN: "A sun with its rays",
    FeatKind.MOON: "A full moon among stars",
    FeatKind.STOPPED: "A moon in eclipse",
    FeatKind.QUEEN: "The queen of spades, face up on two other cards",
}


def celebrated(table: PublicTable, deal: PublicDeal) -> Iterator[Part]:
    """A headline with what it brought, and its picture; nothing after an ordinary deal."""
    found = feat(table.rules, deal)
    if found is None:
        return
    # Where the shooter chooses, the deal's own post says what, right above.
    is_told = found.kind is FeatKind.MOON and table.rules.moon is Moon.CHOICE
    outcome = [] if is_told else [*_outcome(table, deal, found)]
    yield "\n".join([f"## {_headline(table, found)}", *outcome])
    yield Picture(
        _scene(table, deal, found), _description(table, deal, found), ""
    )  # the headline says it all


def in_words(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """The same in a line among others."""
    if found := feat(table.rules, deal):
        yield " ".join([f"{_headline(table, found)}.", *_outcome(table, deal, found)])


def _headline(table: PublicTable, found: Feat) -> str:
    whom = names(table, found.others)
    return HEADLINES[found.kind].format(who=bold(table, found.seat), whom=whom)


def _outcome(table: PublicTable, deal: PublicDeal, found: Feat) -> Iterator[str]:
    """What it brought."""
    match found.kind:
        case FeatKind.SUN if sun := table.rules.counting.sun:
            needed = ENGLISH.listing(
                [*moon_cards(table.rules, ENGLISH), *(card.symbol for card in sun.cards)]
            )
            yield f"{needed[0].upper()}{needed[1:]}: {ENGLISH.points(sun.points)}!"
        case FeatKind.MOON:
            yield _moon(table, deal, found)
        case FeatKind.STOPPED:
            told = "{who} took {points} of {whole} points, and {others} stopped it."
            yield told.format(
                who=bold(table, found.seat),
                points=ENGLISH.number(found.points),
                whole=ENGLISH.number(found.whole),
                others=names(table, found.others),
            )


def _moon(table: PublicTable, deal: PublicDeal, found: Feat) -> str:
    name = bold(table, found.seat)
    if _turned(deal, found):
        needed = ENGLISH.listing(moon_cards(table.rules, ENGLISH))
        return f"{needed[0].upper()}{needed[1:]} count for {name}."
    own, others = table.rules.counting.moon_points(deal.choice)
    if not own:
        return f"Everyone else gets {ENGLISH.change(others)}."
    if not others:
        return f"{ENGLISH.change(own)} for {name}."
    return f"{ENGLISH.change(own)} for {name}, {ENGLISH.change(others)} for everyone else."


def _turned(deal: PublicDeal, found: Feat) -> int:
    """C8: what cards bring the shooter because the moon turned their sign round; 0 by other rules."""
    assert deal.accounts is not None
    return sum(entry.points for entry in deal.accounts[found.seat] if entry.why is Why.TURNED)


# The picture


def _scene(table: PublicTable, deal: PublicDeal, found: Feat) -> FeatScene:
    name = visible(table.seats[found.seat].name)
    return FeatScene(
        found.kind, name, seat_number(table, found.seat), DEEDS[found.kind], _brought(table, deal, found)
    )


def _description(table: PublicTable, deal: PublicDeal, found: Feat) -> str:
    name, deed = short(table.seats[found.seat].name), DEEDS[found.kind]
    return described(f"{SUBJECTS[found.kind]}. {name} {deed}: {_brought(table, deal, found)}")


def _brought(table: PublicTable, deal: PublicDeal, found: Feat) -> str:
    """What it brought, in the few words that a picture has room for."""
    match found.kind:
        case FeatKind.SUN:
            assert deal.points is not None
            return f"{ENGLISH.change(deal.points[found.seat])} points"
        case FeatKind.MOON:
            return _of_moon(table, deal, found)
        case FeatKind.STOPPED:
            return f"{ENGLISH.number(found.points)} of {ENGLISH.number(found.whole)} points"
        case FeatKind.QUEEN:
            return f"given to {short(table.seats[found.others[0]].name)}"


def _of_moon(table: PublicTable, deal: PublicDeal, found: Feat) -> str:
    if turned := _turned(deal, found):
        return f"{ENGLISH.change(turned)} for {ENGLISH.listing(moon_cards(table.rules, ENGLISH))}"
    own, others = table.rules.counting.moon_points(deal.choice)
    if own and others:
        return f"{ENGLISH.change(own)}, and {ENGLISH.change(others)} for everyone else"
    return f"{ENGLISH.change(others)} for everyone else" if others else f"{ENGLISH.change(own)} points"
