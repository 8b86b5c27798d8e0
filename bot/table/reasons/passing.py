"""Why to pass these cards, and why to expose a card or none."""

from collections.abc import Iterator

from bot.table.reasons.look import HIGH, HOPE, OFTEN, SOMETIMES, Comparison, Look, by_share, caught
from bot.words.text import chip, chips
from engine.cards import Card, Suit, without
from engine.languages import N_, N_count
from engine.players.advice import Option

#: The most clauses in a reason.
CLAUSES = 2
#: Up to this number of lower cards, a card that everyone avoids is guarded by too few.
FEW = 3
#: How well lower cards of its suit guard a card that everyone avoids: well enough to keep it; or not, because
#: they are few, or although they are many.
GUARDED = N_count(
    "{card} is safe behind one lower card of its suit",
    "{card} is safe behind {number} lower cards of its suit",
)
FEW_GUARDS = N_count(
    "only one lower card of its suit would guard {card}",
    "only {number} lower cards of its suit would guard {card}",
)
WEAK_GUARDS = N_count(
    "one lower card of its suit doesn't guard {card} well enough",
    "{number} lower cards of its suit don't guard {card} well enough",
)
#: How often the player takes a card that they keep: at most in half of all deals.
TAKEN = (
    (OFTEN, N_("you often take it")),
    (SOMETIMES, N_("you sometimes take it")),
    (0.0, N_("you hardly ever take it")),
)
#: Comparisons of exposing one card with another, a card with none, and none with a card.
EXPOSED = Comparison(
    N_(
        "with {best} exposed you score about {points} points in this deal, "
        "with {other} exposed {other_points}"
    ),
    N_("it may cost you more points than {other} exposed, but it hurts the others more than you"),
)
EXPOSED_OR_NONE = Comparison(
    N_(
        "with {best} exposed you score about {points} points in this deal, "
        "with nothing exposed {other_points}"
    ),
    N_("it may cost you more points than exposing nothing, but it hurts the others more than you"),
)
NONE_EXPOSED = EXPOSED._replace(
    points=N_(
        "with nothing exposed you score about {points} points in this deal, "
        "with {other} exposed {other_points}"
    )
)


def shoot(look: Look) -> str | None:
    """A moon with the rest."""
    if look.best.moon < HOPE:
        return None
    return look.both(look.table.say("the cards you keep win tricks"), look.hope())


def for_safety(look: Look) -> str | None:
    """What is dangerous, and what becomes possible without it."""
    clauses = [*_dear(look), *_catchers(look), *_voids(look), *_high(look)][:CLAUSES]
    if len(clauses) < CLAUSES:
        return clauses[0] if clauses else None
    first, last = clauses
    return look.table.say("{clause}, and {last_clause}", clause=first, last_clause=last)


def _dear(look: Look) -> Iterator[str]:
    """Cards that everyone avoids: passed, or kept because they are guarded."""
    for card in dict.fromkeys(look.view.hand):
        if not look.is_dear(card) or card.suit is None:
            continue
        remaining = without(look.view.hand, look.best.cards)
        guards = sum(one.suit is card.suit and one.rank < card.rank for one in remaining)
        if card not in remaining:
            yield _unguarded(look, card, guards)
        elif guards and (share := caught(look.best, card)) <= 0.5:
            number = look.table.language.spelled(guards)
            safe = look.table.say_count(guards, *GUARDED, card=chip(card), number=number)
            yield look.both(safe, look.table.say(by_share(share, TAKEN)))


def _unguarded(look: Look, card: Card, guards: int) -> str:
    if not guards:
        return look.table.say("nothing would guard {card}", card=chip(card))
    words = FEW_GUARDS if guards <= FEW else WEAK_GUARDS
    number = look.table.language.spelled(guards)
    return look.table.say_count(guards, *words, card=chip(card), number=number)


def _catchers(look: Look) -> Iterator[str]:
    """Cards that would catch one that everyone avoids."""
    for suit in Suit:
        dear = min(look.dear_and_out(suit), key=lambda card: card.rank, default=None)
        above = [card for card in look.best.cards if dear and card.suit is suit and card.rank > dear.rank]
        if dear and above:
            yield look.table.say_count(
                len(above),
                "{cards} could catch {card}",
                "{cards} could catch {card}",
                cards=look.table.language.listing(map(chip, above)),
                card=chip(dear),
            )


def _voids(look: Look) -> Iterator[str]:
    suits_left = {card.suit for card in without(look.view.hand, look.best.cards)}
    voids = [
        suit for suit in Suit if any(card.suit is suit for card in look.best.cards) and suit not in suits_left
    ]
    if voids:
        language = look.table.language
        suits = language.either(map(language.suit, voids))
        yield language.say("without {suits} you can throw away what hurts when they are led", suits=suits)


def _high(look: Look) -> Iterator[str]:
    rest = [card for card in look.best.cards if card.suit is not None and not look.is_dear(card)]
    if look.wants_tricks or not rest:
        return
    if all(card.rank >= HIGH for card in rest):
        yield look.table.say_count(
            len(rest),
            "{cards} wins tricks you don't want",
            "{cards} win tricks you don't want",
            cards=chips(rest),
        )


def for_tricks(look: Look) -> str | None:
    """Where points are good, low cards are the ones to pass."""
    if not look.wants_tricks or any(card.rank >= HIGH for card in look.best.cards):
        return None
    return look.table.say("points are good in this game, and low cards win none")


def compare(look: Look) -> str:
    """How the deal goes, on average."""
    if not look.others:
        return look.table.say("you have no other cards to pass")
    return look.compared(max(look.others, key=look.gain))


PASSING = (shoot, for_tricks, for_safety, compare)


def compare_exposing(look: Look) -> str:
    """How the deal goes with what is exposed, and otherwise."""
    if not look.others:
        return look.table.say("there is nothing else to do")
    # Compare with exposing nothing or, if that is the best, with exposing the best card.
    other = next((one for one in look.others if not one.cards), look.others[0])
    return look.compared(other, _exposing(look.best, other))


def _exposing(best: Option, other: Option) -> Comparison:
    if not best.cards:
        return NONE_EXPOSED
    return EXPOSED if other.cards else EXPOSED_OR_NONE


EXPOSING = (compare_exposing,)
