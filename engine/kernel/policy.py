"""How a quick player weighs its habits: a value, so that another one needs no compiling."""

from __future__ import annotations

from typing import NamedTuple


class Policy(NamedTuple):
    """The weights of the habits; shares and chances run from 0 to 1."""

    whim: float = 0.1  # how often a card is played by chance
    alarms: tuple[int, int, int] = (3, 5, 8)  # so many of a moon's cards in one pile are feared: one of these
    unsure: float = 0.3  # how much chance there is in which suit is led
    void_lead: float = -0.5  # a suit that nobody else holds
    flush_out: float = 0.4  # a suit in which another holds a bleeder
    own_bleeder: float = -0.5  # a suit in which a bleeder is out, and one is in hand
    high_prize_lead: float = 0.6  # where points are good, how often the highest of a suit is led
    early_grab: float = 0.3  # how often a trick without points is taken by who wants points
    plenty: float = 2.4  # so many cards of a suit for each other player: nobody will be void
    bold: float = 0.1  # how often the highest card is played where a low one may duck
    heart_first: float = 4.0  # ranks by which a heart is rather discarded
    guarded: float = 3.0  # ranks by which a suit with a low card is rather kept
    low_card: int = 5  # up to this rank a card guards its suit


#: What plays every legal card with the same chance.
BY_CHANCE = Policy(whim=1.0)
