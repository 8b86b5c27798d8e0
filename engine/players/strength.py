"""How well a computer plays."""

from __future__ import annotations

from enum import Enum


class Strength(Enum):
    """The strengths of computers, the weakest first."""

    EASY = "easy"  # a beginner, with a beginner's honest mistakes
    MEDIUM = "medium"  # a regular, who weighs each card without looking ahead
    STRONG = "strong"  # searches among the deals that may be

    @property
    def title(self) -> str:
        """In words."""
        return {
            "easy": "easy (a beginner)",
            "medium": "medium (a regular)",
            "strong": "strong (thinks ahead)",
        }[self.value]
