"""A deal's seal: a hash posted when the cards are dealt, which no other cards can match later."""

import hashlib
import re
from dataclasses import replace
from random import Random

from engine.cards import Hand
from engine.play.moves import Dealt

SALT_BITS = 256
SALT = re.compile(r"[0-9a-f]{64}")


def with_salt(dealt: Dealt, rng: Random) -> Dealt:
    """These cards with a random salt, so that they can't be found by guessing."""
    return replace(dealt, salt=f"{rng.getrandbits(SALT_BITS):0{SALT_BITS // 4}x}")


def seal(number: int, dealt: Dealt) -> str | None:
    """The SHA-256 of `sealed_text` in hexadecimal; None for a deal without a salt."""
    if dealt.salt is None:
        return None
    return hashlib.sha256(sealed_text(number, dealt).encode()).hexdigest()


def sealed_text(number: int, dealt: Dealt) -> str:
    """The line that is hashed: deal, dealer, salt, the hands by seat as dealt, and the kitty.

    Never change it: channels and records contain such seals.
    """
    hands = " / ".join(map(_codes, dealt.hands))
    return (
        f"deal {number}, dealer {dealt.dealer}, salt {dealt.salt}, "
        f"hands {hands}, kitty {_codes(dealt.kitty) or 'none'}"
    )


def _codes(cards: Hand) -> str:
    return " ".join(card.code for card in cards)
