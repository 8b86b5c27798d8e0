"""What was special about a deal, in words and as a picture."""

from collections.abc import Iterator

from bot.vocabulary.messages import Part, Picture
from bot.vocabulary.scenes import FeatScene
from bot.words.text import bold, described, names, seat_number, short, visible
from engine.languages import N_
from engine.play.feats import Feat, FeatKind
from engine.play.feats import feat as feat_of
from engine.play.public import PublicDeal
from engine.rules.counting import Why
from engine.rules.options import Moon
from engine.tables import PublicTable

#: The headline above a deal's points: `who` did it, to `whom`.
HEADLINES = {
    FeatKind.SUN: N_("☀️ {who} shot the sun"),
    FeatKind.MOON: N_("🌕 {who} shot the moon"),
    FeatKind.STOPPED: N_("🌒 {who} nearly shot the moon"),
    FeatKind.QUEEN: N_("👑 {who} gave {whom} the queen in the last trick"),
}
#: The words below the player's name in a picture.
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
    """A headline with the outcome, and a picture; nothing after an ordinary deal."""
    feat = feat_of(table.rules, deal)
    if feat is None:
        return
    # The deal's post, right above, says what the shooter chose; a private table has no such post.
    is_choice = feat.kind is FeatKind.MOON and table.rules.moon is Moon.CHOICE
    is_said_above = is_choice and not table.is_private
    outcome = [] if is_said_above else [*_outcome(table, deal, feat)]
    yield "\n".join([f"## {_headline(table, feat)}", *outcome])
    # The headline says everything that words in place of the picture could.
    yield Picture(_scene(table, deal, feat), _description(table, deal, feat), "")


def in_words(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """A line about what was special about a deal; nothing after an ordinary one."""
    if feat := feat_of(table.rules, deal):
        headline = table.say("{statement}.", statement=_headline(table, feat))
        yield table.language.sentences([headline, *_outcome(table, deal, feat)])


def _headline(table: PublicTable, feat: Feat) -> str:
    return table.say(HEADLINES[feat.kind], who=bold(table, feat.seat), whom=names(table, feat.others))


def _outcome(table: PublicTable, deal: PublicDeal, feat: Feat) -> Iterator[str]:
    """What the feat did to the points, in a sentence."""
    language = table.dialect
    match feat.kind:
        case FeatKind.SUN if sun := table.rules.counting.sun:
            cards = language.listing([card.symbol for card in sun.cards])
            yield table.say("All hearts, {cards}: {points}!", cards=cards, points=language.points(sun.points))
        case FeatKind.MOON:
            yield _moon(table, deal, feat)
        case FeatKind.STOPPED:
            # Note: The others are one player, or several.
            yield table.say_count(
                len(feat.others),
                "{who} took {points} of {whole} points, and {others} stopped it.",
                "{who} took {points} of {whole} points, and {others} stopped it.",
                who=bold(table, feat.seat),
                points=language.number(feat.points),
                whole=language.number(feat.whole),
                others=names(table, feat.others),
            )


def _moon(table: PublicTable, deal: PublicDeal, feat: Feat) -> str:
    who, change = bold(table, feat.seat), table.language.change
    if _turned(deal, feat):
        return table.say("All hearts count for {who}.", who=who)
    own, others = table.rules.counting.moon_points(deal.choice)
    if not own:
        return table.say("Everyone else gets {points}.", points=change(others))
    if not others:
        return table.say("{points} for {who}.", points=change(own), who=who)
    return table.say(
        "{points} for {who}, {others} for everyone else.", points=change(own), who=who, others=change(others)
    )


def _turned(deal: PublicDeal, feat: Feat) -> int:
    """C8: the shooter's points for hearts, whose sign the moon reversed; 0 by other rules."""
    assert deal.accounts is not None
    return sum(entry.points for entry in deal.accounts[feat.seat] if entry.why is Why.TURNED)


# The picture


def _scene(table: PublicTable, deal: PublicDeal, feat: Feat) -> FeatScene:
    name, deed = visible(table.names[feat.seat], table.language), table.say(DEEDS[feat.kind])
    return FeatScene(
        feat.kind, name, seat_number(table.dialect, feat.seat), deed, _short_outcome(table, deal, feat)
    )


def _description(table: PublicTable, deal: PublicDeal, feat: Feat) -> str:
    name, outcome = short(table.names[feat.seat], table.language), _short_outcome(table, deal, feat)
    return described(table.say(DESCRIPTIONS[feat.kind], who=name, outcome=outcome))


def _short_outcome(table: PublicTable, deal: PublicDeal, feat: Feat) -> str:
    """The outcome, in the few words that fit into a picture."""
    language = table.dialect
    match feat.kind:
        case FeatKind.SUN:
            assert deal.points is not None
            return table.say("{points} points", points=language.change(deal.points[feat.seat]))
        case FeatKind.MOON:
            return _short_moon(table, deal, feat)
        case FeatKind.STOPPED:
            points, whole = language.number(feat.points), language.number(feat.whole)
            return table.say("{points} of {whole} points", points=points, whole=whole)
        case FeatKind.QUEEN:
            return table.say("given to {who}", who=short(table.names[feat.others[0]], language))


def _short_moon(table: PublicTable, deal: PublicDeal, feat: Feat) -> str:
    change = table.language.change
    if turned := _turned(deal, feat):
        return table.say("{points} for all hearts", points=change(turned))
    own, others = table.rules.counting.moon_points(deal.choice)
    if own and others:
        return table.say("{own}, and {others} for everyone else", own=change(own), others=change(others))
    if others:
        return table.say("{points} for everyone else", points=change(others))
    return table.say("{points} points", points=change(own))
