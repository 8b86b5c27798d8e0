"""Why to play this card: to lead it, to follow with it or throw it away, or because of a moon."""

from bot.table.reasons.look import (
    CERTAIN,
    HARDLY,
    HIGH,
    HIGH_WHILE_CHEAP,
    HOPE,
    NEARLY_ALWAYS,
    NONE,
    OFTEN,
    RISK,
    SOME,
    SOMETIMES,
    USUALLY,
    Look,
    by_share,
    caught,
    moon_of,
)
from bot.words.text import bold, chip, chips
from engine.cards import Card, Suit
from engine.languages import N_
from engine.players.advice import Option

# Leading

#: How often a low lead takes the trick.
LEAD_LOW = (
    (SOMETIMES, N_("someone will usually play higher; you sometimes take the trick")),
    (0.0, N_("someone will usually play higher; you hardly ever take the trick")),
)


def draw_out(look: Look) -> str | None:
    """A lead below a card that hurts, which another player may hold."""
    suit = look.card.suit
    if not look.leads or suit is None:
        return None
    for dear in look.dear_and_out(suit):
        if all(own.rank < dear.rank for own in look.of_suit(suit)):
            return look.table.say(
                "leading this suit may draw out {card}, and you hold none that would catch it",
                card=chip(dear),
            )
    return None


def lead_low(look: Look) -> str | None:
    """A lead that someone will usually beat."""
    if not look.leads or look.best.takes > OFTEN:
        return None
    return look.table.say(by_share(look.best.takes, LEAD_LOW))


def lead_high(look: Look) -> str | None:
    """A high lead that costs little now."""
    if not look.leads or look.best.takes <= OFTEN or look.card.rank < HIGH:
        return None
    if abs(look.best.costs) > HARDLY * look.point:
        return None
    return look.table.say(HIGH_WHILE_CHEAP)


# Following

#: The first clause about a card that is thrown away.
VOID = {
    Suit.CLUBS: N_("you have no clubs"),
    Suit.DIAMONDS: N_("you have no diamonds"),
    Suit.SPADES: N_("you have no spades"),
    Suit.HEARTS: N_("you have no hearts"),
}


def throw_away(look: Look) -> str | None:
    """A discard that gets rid of a card that hurts, a high card, or the last of a suit."""
    if look.leads or look.card.suit in (None, look.led) or look.best.takes > NONE or look.led is None:
        return None
    say, void, card = look.table.say, look.table.say(VOID[look.led]), chip(look.card)
    if look.is_dear(look.card):
        # Note: {void} is “you have no clubs”.
        return say("{void}, so someone else takes {card}", void=void, card=card)
    if dear := _below(look, look.card):
        return say(
            "{void}, so this is a chance to get rid of {card} before it catches {other}",
            void=void,
            card=card,
            other=chip(dear),
        )
    if look.harm(look.card) > 0:
        return say("{void}, so someone else takes {card} and what it counts", void=void, card=card)
    if len(look.of_suit(look.card.suit)) == 1:
        return say(
            "{void}, and {card} is your last of its suit, so you can discard when that one is led too",
            void=void,
            card=card,
        )
    if look.card.rank >= HIGH:
        return say("{void}, so this is a chance to get rid of a high card before it wins a trick", void=void)
    return None


def _below(look: Look, card: Card) -> Card | None:
    """A card that everyone avoids, that another player may hold, and that this card would catch."""
    return next((one for one in look.dear_and_out(card.suit) if one.rank < card.rank), None)


def duck(look: Look) -> str | None:
    """A card that leaves the trick to someone else."""
    if look.leads or look.card.suit is not look.led or look.winning is None or look.best.takes > NONE:
        return None
    if look.card.rank >= look.winning.rank or look.cost(look.best) > 0:
        return None
    say, winner = look.table.say, chip(look.winning)
    if look.is_dear(look.card):
        card = chip(look.card)
        return say("{winner} already beats it, so you won't take {card}", winner=winner, card=card)
    lower = [one for one in look.view.legal if one.suit is look.led and one.rank < look.card.rank]
    higher = [one for one in look.view.legal if look.card.rank < one.rank < look.winning.rank]
    if lower and not any(one.suit is look.led for one in higher):
        return say(
            "it's your highest below {winner}, so you don't win the trick, and you keep a small one",
            winner=winner,
        )
    return say("it's below {winner}, so someone else wins the trick", winner=winner)


def cannot_help(look: Look) -> str | None:
    """A trick that this player takes with any card."""
    if look.leads or any(option.takes < CERTAIN for option in (look.best, *look.others)):
        return None
    if not _is_highest(look):
        return None
    return look.table.say(
        "you take this trick whatever you play, so use your highest, and keep the small ones for later"
    )


def take_while_it_is_cheap(look: Look) -> str | None:
    """A high card used up on a trick that costs hardly anything."""
    if look.leads or look.best.takes < 0.2 or abs(look.best.costs) > HARDLY * look.point:
        return None
    if not _is_highest(look):
        return None
    return look.table.say(HIGH_WHILE_CHEAP)


def _is_highest(look: Look) -> bool:
    """Whether this card is the highest of several legal ones of its suit."""
    suit = [one for one in look.view.legal if one.suit is look.card.suit]
    return look.card.rank == max(one.rank for one in suit) > min(one.rank for one in suit)


# Moons: the player's own, or another player's


def shoot(look: Look) -> str | None:
    """A moon of the player's own."""
    if look.best.moon < HOPE:
        return None
    other = look.others[0] if look.others else None
    if other is None or look.best.moon - other.moon < RISK:
        return look.hope()
    # Note: {clause} is “you may well shoot the moon, though the others can still stop it” or the like.
    return look.table.say(
        "{clause}, and with {card} it would be less likely", clause=look.hope(), card=chips(other.cards)
    )


def make_a_moon_harder(look: Look) -> str | None:
    """Another player's moon, which would be likelier after another card."""
    shooter = look.shooter
    if shooter is None:
        return None
    easier = max(look.others, key=lambda other: moon_of(other, shooter))
    if moon_of(easier, shooter) - moon_of(look.best, shooter) < RISK:
        return None
    return look.table.say(
        "{who} may be shooting the moon, and {card} makes it harder than {other}",
        who=bold(look.table, shooter),
        card=chip(look.card),
        other=chips(easier.cards),
    )


def warned(look: Look, reason: str) -> str:
    """The reason, after a warning if another player may be shooting the moon."""
    if look.shooter is None:
        return reason
    who = bold(look.table, look.shooter)
    return look.table.say("{who} may be shooting the moon; {reason}", who=who, reason=reason)


# In any trick


def no_difference(look: Look) -> str | None:
    """Options that all come to about the same."""
    if not look.others:
        return look.table.say("it makes no difference here")
    if not all(map(look.is_equal, look.others)):
        return None
    same = look.table.say("whatever you play, it comes to about the same")
    return same if look.best.moon < HOPE else look.both(same, look.hope())


def win_a_prize(look: Look) -> str | None:
    """A trick that is worth having."""
    if look.best.takes < 0.5 or look.cost(look.best) > -look.point:
        return None
    points = look.about(abs(look.best.costs))
    if look.best.costs < 0:
        return look.table.say(
            "the trick is worth having, as it takes {points} points off you on average", points=points
        )
    return look.table.say(
        "the trick is worth having, as it brings you {points} points on average", points=points
    )


#: How often a card would catch another, where that is a risk.
CATCHES = (
    (NEARLY_ALWAYS, N_("{card} nearly always catches {other}")),
    (USUALLY, N_("{card} usually catches {other}")),
    (OFTEN, N_("{card} often catches {other}")),
    (0.0, N_("{card} sometimes catches {other}")),
)


def keep_off(look: Look) -> str | None:
    """Other cards, which may catch one that hurts."""
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
        return look.table.say("{card} is in this trick, so leave it to someone else", card=chip(card))
    words = by_share(caught(other, card), CATCHES)
    return look.table.say(words, card=chips(other.cards), other=chip(card))


def become_void(look: Look) -> str | None:
    """The last card of a suit."""
    suit = look.card.suit
    if suit is None or not (look.leads or suit is look.led) or len(look.of_suit(suit)) > 1:
        return None
    if look.best.takes > 0.5 and look.cost(look.best) > HARDLY * look.point:
        return None
    if not look.leads and len({one.suit for one in look.view.legal}) == 1:
        return None  # there was no other choice of suit
    return look.table.say("it's your last of its suit; when that is led again, you can throw away what hurts")


def sooner_or_later(look: Look) -> str | None:
    """A high card that will win a trick anyway, and would cost more later."""
    keeps = [other for other in look.others if other.cards[0].rank < look.card.rank]
    if look.best.takes < 0.4 or look.card.rank < HIGH or look.cost(look.best) < 0 or not keeps:
        return None
    if any(look.gain(other) < SOME * look.point for other in keeps):
        return None
    return look.table.say(
        "{card} will win a trick sooner or later, and it costs you less now", card=chip(look.card)
    )


def compare(look: Look) -> str:
    """How the deal goes, on average."""
    second, worst = look.others[0], max(look.others, key=look.gain)
    return look.compared(second if look.gain(second) >= SOME * look.point else worst)


PLAYING = (
    no_difference,
    make_a_moon_harder,
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
