"""Why to play this card."""

from __future__ import annotations

from bot.render.reasons.following import cannot_help, duck, take_while_it_is_cheap, throw_away
from bot.render.reasons.leading import draw_out, lead_high, lead_low
from bot.render.reasons.look import HARDLY, HIGH, HOPE, RISK, SOME, Look, caught, named, often, some
from bot.render.reasons.moons import feed_no_moon, shoot, stop_a_moon
from bot.render.text import chip
from engine.cards import Card, Suit
from engine.players.advice import Option


def no_difference(look: Look) -> str | None:
    """Nothing can happen."""
    if not look.others:
        return "all of them do the same here"
    if not all(_is_equal(look, other) for other in look.others):
        return None
    same = "whatever you play, it comes to about the same"
    return same if look.best.moon < HOPE else f"{same}; {often('you', 'shoot the moon', look.best.moon)}"


def _is_equal(look: Look, other: Option) -> bool:
    is_certain = look.best.merit - other.merit > 2 * other.margin
    is_other_moon = abs(look.best.moon - other.moon) >= RISK
    return not (is_certain or is_other_moon) and abs(look.gain(other)) < SOME * look.point


def win_a_prize(look: Look) -> str | None:
    """A trick that brings something."""
    if look.best.takes < 0.5 or look.cost(look.best) > -look.point:
        return None
    points = look.about(abs(look.best.costs))
    does = f"takes {points} points off you" if look.best.costs < 0 else f"brings you {points} points"
    return f"the trick is worth having, as it {does} on average"


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
        return f"{chip(card)} lies there, so leave the trick to somebody else"
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
    return f"it is your last {_one(suit)}; when {suit.title} are led again, you can throw away what hurts"


def _one(suit: Suit) -> str:
    return some(suit).removeprefix("a ")


def sooner_or_later(look: Look) -> str | None:
    """A high card that wins a trick some time: to keep it was tried, and costs more."""
    keeps = [other for other in look.others if other.cards[0].rank < look.card.rank]
    if look.best.takes < 0.4 or look.card.rank < HIGH or look.cost(look.best) < 0 or not keeps:
        return None
    if any(look.gain(other) < SOME * look.point for other in keeps):
        return None
    return f"{chip(look.card)} wins a trick sooner or later, and now costs you less than later"


def compare(look: Look) -> str:
    """What the deal comes to."""
    second, worst = look.others[0], max(look.others, key=look.gain)
    return look.compared(second if look.gain(second) >= SOME * look.point else worst)


PLAYING = (
    no_difference,
    shoot,
    stop_a_moon,
    feed_no_moon,
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
