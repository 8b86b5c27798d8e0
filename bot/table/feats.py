"""What was special about a deal, in words and as a picture."""

from __future__ import annotations

from collections.abc import Iterator

from bot.vocabulary.messages import Part, Picture
from bot.vocabulary.scenes import FeatScene
from bot.words.text import bold, described, names, seat_number, short, visible
from engine.languages import N_
from engine.play.feats import Feat, FeatKind, feat
from engine.play.public import PublicDeal
from engine.rules.counting import Why
from engine.rules.options import Moon
from engine.tables import PublicTable

#: What stands above the points of a deal: `who` has done it to `whom`.
HEADLINES = {
    FeatKind.SUN: N_("☀️ {who} shot the sun"),
    FeatKind.MOON: N_("🌕 {who} shot the moon"),
    FeatKind.STOPPED: N_("🌒 {who} nearly shot the moon"),
    FeatKind.QUEEN: N_("👑 {who} gave {whom} the queen in the last trick"),
}
#: The same in a picture, below the name.
DEEDS = {
    FeatKind.SUN: N_("shot the sun"),
    FeatKind.MOON: N_("shot the moon"),
    FeatKind.STOPPED: N_("nearly shot the moon"),
    FeatKind.QUEEN: N_("saved Q♠ for last"),
}

#: What each picture shows, for people who can't see it.
DESCRIPTIONS = {
    FeatKind.SUN: N_("A sun with its rays. {who} shot the sun: {outcome}"),
    FeatKind.MOON: N_("A full moon among stars. {who} shot the moon: {outcome}"),
    FeatKind.STOPPED: N_("A moon in eclipse. {who} nearly shot the moon: {outcome}"),
    FeatKind.QUEEN: N_("The queen of spades, face up on two other cards. {who} saved Q♠ for last: {outcome}"),
}


def celebrated(table: PublicTable, deal: PublicDeal) -> Iterator[Part]:
    """A headline with what it brought, and its picture; nothing after an ordinary deal."""
    found = feat(table.rules, deal)
    if found is None:
        return
    # Where the shooter chooses, the deal's own post says what, right above; a private table has none.
    chooses = found.kind is FeatKind.MOON and table.rules.moon is Moon.CHOICE
    is_told = chooses and not table.is_private
    outcome = [] if is_told else [*_outcome(table, deal, found)]
    yield "\n".join([f"## {_headline(table, found)}", *outcome])
    yield Picture(
        _scene(table, deal, found), _description(table, deal, found), ""
    )  # the headline says it all


def in_words(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """What was special about a deal, as a line; nothing after an ordinary one."""
    if found := feat(table.rules, deal):
        headline = table.say("{statement}.", statement=_headline(table, found))
        yield table.language.sentences([headline, *_outcome(table, deal, found)])


def _headline(table: PublicTable, found: Feat) -> str:
    return table.say(HEADLINES[found.kind], who=bold(table, found.seat), whom=names(table, found.others))


def _outcome(table: PublicTable, deal: PublicDeal, found: Feat) -> Iterator[str]:
    """What it brought."""
    language = table.dialect
    match found.kind:
        case FeatKind.SUN if sun := table.rules.counting.sun:
            cards = language.listing([card.symbol for card in sun.cards])
            yield table.say("All hearts, {cards}: {points}!", cards=cards, points=language.points(sun.points))
        case FeatKind.MOON:
            yield _moon(table, deal, found)
        case FeatKind.STOPPED:
            # Note: The others are one player, or several.
            yield table.say_count(
                len(found.others),
                "{who} took {points} of {whole} points, and {others} stopped it.",
                "{who} took {points} of {whole} points, and {others} stopped it.",
                who=bold(table, found.seat),
                points=language.number(found.points),
                whole=language.number(found.whole),
                others=names(table, found.others),
            )


def _moon(table: PublicTable, deal: PublicDeal, found: Feat) -> str:
    who, change = bold(table, found.seat), table.language.change
    if _turned(deal, found):
        return table.say("All hearts count for {who}.", who=who)
    own, others = table.rules.counting.moon_points(deal.choice)
    if not own:
        return table.say("Everyone else gets {points}.", points=change(others))
    if not others:
        return table.say("{points} for {who}.", points=change(own), who=who)
    return table.say(
        "{points} for {who}, {others} for everyone else.", points=change(own), who=who, others=change(others)
    )


def _turned(deal: PublicDeal, found: Feat) -> int:
    """C8: what hearts bring the shooter because the moon turned their sign round; 0 by other rules."""
    assert deal.accounts is not None
    return sum(entry.points for entry in deal.accounts[found.seat] if entry.why is Why.TURNED)


# The picture


def _scene(table: PublicTable, deal: PublicDeal, found: Feat) -> FeatScene:
    name, deed = visible(table.names[found.seat], table.language), table.say(DEEDS[found.kind])
    return FeatScene(
        found.kind, name, seat_number(table.dialect, found.seat), deed, _brought(table, deal, found)
    )


def _description(table: PublicTable, deal: PublicDeal, found: Feat) -> str:
    name, outcome = short(table.names[found.seat], table.language), _brought(table, deal, found)
    return described(table.say(DESCRIPTIONS[found.kind], who=name, outcome=outcome))


def _brought(table: PublicTable, deal: PublicDeal, found: Feat) -> str:
    """What it brought, in the few words that a picture has room for."""
    language = table.dialect
    match found.kind:
        case FeatKind.SUN:
            assert deal.points is not None
            return table.say("{points} points", points=language.change(deal.points[found.seat]))
        case FeatKind.MOON:
            return _of_moon(table, deal, found)
        case FeatKind.STOPPED:
            points, whole = language.number(found.points), language.number(found.whole)
            return table.say("{points} of {whole} points", points=points, whole=whole)
        case FeatKind.QUEEN:
            return table.say("given to {who}", who=short(table.names[found.others[0]], language))


def _of_moon(table: PublicTable, deal: PublicDeal, found: Feat) -> str:
    change = table.language.change
    if turned := _turned(deal, found):
        return table.say("{points} for all hearts", points=change(turned))
    own, others = table.rules.counting.moon_points(deal.choice)
    if own and others:
        return table.say("{own}, and {others} for everyone else", own=change(own), others=change(others))
    if others:
        return table.say("{points} for everyone else", points=change(others))
    return table.say("{points} points", points=change(own))
