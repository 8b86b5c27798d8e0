"""Why to play this card: to lead it, to follow with it or throw it away, or because of a moon."""

from __future__ import annotations

from bot.render.reasons.look import (
    CERTAIN,
    HARDLY,
    HIGH,
    HIGH_WHILE_CHEAP,
    HOPE,
    NONE,
    RISK,
    SOME,
    Look,
    caught,
    hope,
    moon_of,
    named,
    often,
    some,
)
from bot.render.text import bold, chip
from engine.cards import Card, Suit
from engine.players.advice import Option

# Leading


def draw_out(look: Look) -> str | None:
    """A small card of a suit in which a card that hurts is out."""
    suit = look.card.suit
    if not look.leads or suit is None:
        return None
    for dear in look.dear_and_out(suit):
        if all(own.rank < dear.rank for own in look.of_suit(suit)):
            return f"leading {suit.title} may draw out {chip(dear)}, and you hold none that would catch it"
    return None


def lead_low(look: Look) -> str | None:
    """Somebody will play higher."""
    if not look.leads or look.best.takes > 0.4:
        return None
    return f"someone will usually play higher; {often('you', 'take the trick', look.best.takes)}"


def lead_high(look: Look) -> str | None:
    """A high lead that costs little now."""
    if not look.leads or look.best.takes <= 0.4 or look.card.rank < HIGH:
        return None
    if abs(look.best.costs) > HARDLY * look.point:
        return None
    return HIGH_WHILE_CHEAP


# Following


def throw_away(look: Look) -> str | None:
    """A card that hurts goes to somebody else, as the suit led is not held."""
    if look.leads or look.card.suit in (None, look.led) or look.best.takes > NONE or look.led is None:
        return None
    led, card, left = look.led.title, chip(look.card), look.of_suit(look.card.suit)
    if look.is_dear(look.card):
        return f"you have no {led}, so someone else takes {card}"
    if dear := _below(look, look.card):
        return f"you have no {led}, so this is a chance to get rid of {card} before it catches {chip(dear)}"
    if look.harm(look.card) > 0:
        return f"you have no {led}, so someone else takes {card} and what it counts"
    if len(left) == 1:
        return (
            f"you have no {led}, and {card} is your last of its suit, "
            "so you can discard when that one is led too"
        )
    if look.card.rank >= HIGH:
        return f"you have no {led}, so this is a chance to get rid of a high card before it wins a trick"
    return None


def _below(look: Look, card: Card) -> Card | None:
    """A card that everybody avoids, is out, and would be caught by this one."""
    return next((one for one in look.dear_and_out(card.suit) if one.rank < card.rank), None)


def duck(look: Look) -> str | None:
    """Somebody else takes the trick."""
    if look.leads or look.card.suit is not look.led or look.winning is None or look.best.takes > NONE:
        return None
    if look.card.rank >= look.winning.rank or look.cost(look.best) > 0:
        return None
    card, winner = chip(look.card), chip(look.winning)
    if look.is_dear(look.card):
        return f"{winner} already beats it, so you won't take {card}"
    lower = [one for one in look.view.legal if one.suit is look.led and one.rank < look.card.rank]
    higher = [one for one in look.view.legal if look.card.rank < one.rank < look.winning.rank]
    if lower and not any(one.suit is look.led for one in higher):
        return f"it's your highest below {winner}, so you don't win the trick, and you keep a small one"
    return f"it's below {winner}, so someone else wins the trick"


def cannot_help(look: Look) -> str | None:
    """The trick is this player's whatever they play."""
    if look.leads or any(option.takes < CERTAIN for option in (look.best, *look.others)):
        return None
    if not _is_highest(look):
        return None
    return "you take this trick whatever you play, so use your highest, and keep the small ones for later"


def take_while_it_is_cheap(look: Look) -> str | None:
    """A trick that costs nothing takes a high card along."""
    if look.leads or look.best.takes < 0.2 or abs(look.best.costs) > HARDLY * look.point:
        return None
    if not _is_highest(look):
        return None
    if look.is_last and look.best.takes >= CERTAIN:
        return "you play last and nothing in this trick counts, so use a high card"
    return HIGH_WHILE_CHEAP


def _is_highest(look: Look) -> bool:
    """Whether the card is the highest of several that may be played of its suit."""
    suit = [one for one in look.view.legal if one.suit is look.card.suit]
    return look.card.rank == max(one.rank for one in suit) > min(one.rank for one in suit)


# A moon, one's own or somebody else's


def shoot(look: Look) -> str | None:
    """A moon of one's own."""
    if look.best.moon < HOPE:
        return None
    other = look.others[0] if look.others else None
    if other is None or look.best.moon - other.moon < RISK:
        return hope(look.best)
    return f"{hope(look.best)}, and with {named(other)} it would be less likely"


def stop_a_moon(look: Look) -> str | None:
    """A moon of somebody else's that this card stops."""
    shooter = look.shooter
    if shooter is None or look.leads:
        return None
    needed = look.view.rules.counting.moon
    if not any(card in needed for card in (*look.view.deal.trick.cards, look.card)):
        return None
    name = bold(look.table, shooter)
    if look.best.takes >= CERTAIN:
        return f"all the points so far are {name}'s, and with this trick you stop the moon"
    if look.is_last and look.best.takes <= NONE and _winner(look) != shooter:
        return f"all the points so far are {name}'s, and one that goes elsewhere stops the moon"
    return None


def feed_no_moon(look: Look) -> str | None:
    """A moon of somebody else's which other cards would help."""
    shooter = look.shooter
    if shooter is None or look.leads or _winner(look) != shooter or look.best.takes > NONE:
        return None
    needed = look.view.rules.counting.moon
    food = [one for one in look.others if one.cards[0] in needed and look.gain(one) >= SOME * look.point]
    if look.card in needed or not food:
        return None
    return f"all the points so far are {bold(look.table, shooter)}'s, so don't give away {named(food[0])}"


def make_a_moon_harder(look: Look) -> str | None:
    """A moon of somebody else's that is likelier with another card."""
    shooter = look.shooter
    if shooter is None:
        return None
    easier = max(look.others, key=lambda other: moon_of(other, shooter))
    if moon_of(easier, shooter) - moon_of(look.best, shooter) < RISK:
        return None
    name = bold(look.table, shooter)
    return f"{name} may be shooting the moon, and {chip(look.card)} makes it harder than {named(easier)}"


def _winner(look: Look) -> int | None:
    deal = look.view.deal
    return None if deal.winning is None else deal.trick.seat(deal.winning, look.view.rules.players)


def warning(look: Look) -> str:
    """What is said before any reason that does not tell of it: somebody else may be shooting the moon."""
    return "" if look.shooter is None else f"{bold(look.table, look.shooter)} may be shooting the moon; "


#: Reasons that name who shoots.
AGAINST = (stop_a_moon, feed_no_moon, make_a_moon_harder)


# In any trick


def no_difference(look: Look) -> str | None:
    """Nothing can happen."""
    if not look.others:
        return "it makes no difference here"
    if not all(map(look.is_equal, look.others)):
        return None
    if look.best.moon < HOPE:
        return "whatever you play, it comes to about the same"
    return f"whatever you play, it comes to about the same; {hope(look.best)}"


def win_a_prize(look: Look) -> str | None:
    """A trick that brings something."""
    if look.best.takes < 0.5 or look.cost(look.best) > -look.point:
        return None
    points = look.about(abs(look.best.costs))
    if look.best.costs < 0:
        return f"the trick is worth having, as it takes {points} points off you on average"
    return f"the trick is worth having, as it brings you {points} points on average"


def keep_off(look: Look) -> str | None:
    """Other cards may catch one that hurts."""
    worst: tuple[float, Option, Card] | None = None
    for other in look.others:
        for card, _ in other.catches:
            more = caught(other, card) - caught(look.best, card)
            is_a_risk = look.is_dear(card) and card not in other.cards and more >= RISK
            if is_a_risk and (worst is None or more > worst[0]):
                worst = more, other, card
    if worst is None:
        return None
    _, other, card = worst
    if card in look.view.deal.trick.cards:
        return f"{chip(card)} is in this trick, so leave it to someone else"
    return often(named(other), f"catches {chip(card)}", caught(other, card))


def become_void(look: Look) -> str | None:
    """The last card of a suit."""
    suit = look.card.suit
    if suit is None or not (look.leads or suit is look.led) or len(look.of_suit(suit)) > 1:
        return None
    if look.best.takes > 0.5 and look.cost(look.best) > HARDLY * look.point:
        return None
    if not look.leads and len({one.suit for one in look.view.legal}) == 1:
        return None  # there was no other choice of suit
    return f"it's your last {_one(suit)}; when {suit.title} are led again, you can throw away what hurts"


def _one(suit: Suit) -> str:
    return some(suit).removeprefix("a ")


def sooner_or_later(look: Look) -> str | None:
    """A high card that wins a trick some time: to keep it was tried, and costs more."""
    keeps = [other for other in look.others if other.cards[0].rank < look.card.rank]
    if look.best.takes < 0.4 or look.card.rank < HIGH or look.cost(look.best) < 0 or not keeps:
        return None
    if any(look.gain(other) < SOME * look.point for other in keeps):
        return None
    return f"{chip(look.card)} will win a trick sooner or later, and it costs you less now"


def compare(look: Look) -> str:
    """What the deal comes to."""
    second, worst = look.others[0], max(look.others, key=look.gain)
    return look.compared(second if look.gain(second) >= SOME * look.point else worst)


PLAYING = (
    no_difference,
    *AGAINST,
    shoot,
    win_a_prize,
    throw_away,
    keep_off,
    duck,
    cannot_help,
    take_while_it_is_cheap,
    draw_out,
    become_void,
    lead_low,
    lead_high,
    sooner_or_later,
    compare,
)
