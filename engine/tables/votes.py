"""Votes: what the people at a table are asked in mid-game, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from engine.storage.damage import whole


class Motion(Enum):
    """What they can agree on."""

    STOP = "stop"  # the game ends without a result
    CONCEDE = "concede"  # it ends and counts as it stands


class Outcome(Enum):
    """How a vote ended."""

    ALL = "all"  # agreed
    ENOUGH = "enough"  # agreed when the time was up: the host, and half of the others
    REFUSED = "refused"
    TOO_FEW = "too few"  # agreed when the time was up
    ALONE = "alone"  # nobody was left to agree
    ENDED = "ended"  # the game, otherwise
    OUTDATED = "outdated"  # another deal counts by now, so that all would agree to something else

    @property
    def has_failed(self) -> bool:
        """Whether the game goes on although they were asked."""
        return self in (Outcome.REFUSED, Outcome.TOO_FEW)


@dataclass(frozen=True, slots=True)
class Vote:
    """A question to all people at the table; who has said what goes by their seats."""

    number: int  # counts those of the table, from 1
    motion: Motion
    asker: int | None  # None once they have left
    deals: int | None = None  # so many counted when it was asked; not stored of older ones
    agreed: frozenset[int] = frozenset()
    refused: frozenset[int] = frozenset()
    outcome: Outcome | None = None
    #: Seconds since 1970: until when it can be answered, and once it is over, until when nobody asks again.
    #: None as long as that is not settled.
    until: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether it can still be answered."""
        return self.outcome is None

    @property
    def seats(self) -> frozenset[int]:
        """All seats that it names."""
        asker = () if self.asker is None else (self.asker,)
        return self.agreed | self.refused | frozenset(asker)


def to_json(vote: Vote) -> dict[str, Any]:
    """A vote as it is stored."""
    return {
        "number": vote.number,
        "motion": vote.motion.value,
        "asker": vote.asker,
        "deals": vote.deals,
        "agreed": sorted(vote.agreed),
        "refused": sorted(vote.refused),
        "outcome": vote.outcome.value if vote.outcome else None,
        "until": vote.until,
    }


def from_json(data: Mapping[str, Any]) -> Vote:
    """A vote as `to_json` wrote it."""
    return Vote(
        number=whole(data["number"]),
        motion=Motion(data["motion"]),
        asker=data["asker"],
        deals=None if data.get("deals") is None else whole(data["deals"]),
        agreed=frozenset(data["agreed"]),
        refused=frozenset(data["refused"]),
        outcome=Outcome(data["outcome"]) if data["outcome"] else None,
        until=data["until"],
    )
