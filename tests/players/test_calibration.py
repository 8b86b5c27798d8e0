"""What the strong player foretells comes true: a shorter form of `python -m tests.bench.calibration`."""

from __future__ import annotations

from statistics import fmean

import pytest

from engine.players.advice import QUICK
from engine.rules.ruleset import Ruleset
from tests.bench.calibration import Claim, claims_of, furthest, tenths

#: So few deals tell how far off a tenth of the points is within about so much.
DEALS, ROUGHLY = 12, 0.2
CLASSIC = Ruleset.of("classic", 4)


def happened(claims: list[Claim], kind: str, least: float, most: float) -> float | None:
    """How often what was foretold with a share between these happened; None where that was too rarely."""
    found = [claim.happened for claim in claims if claim.kind == kind and least <= claim.predicted <= most]
    return fmean(found) if len(found) >= DEALS else None


@pytest.mark.slow
def test_what_is_foretold_comes_true() -> None:
    """At a mixed table, where strong players meet both strong and medium ones."""
    claims = [claim for number in range(DEALS) for claim in claims_of(CLASSIC, "mixed", "1", QUICK, number)]
    for kind, bins in tenths(claims).items():
        if "points" in kind:
            assert furthest(bins, DEALS - 2) <= ROUGHLY
            continue
        surely, hardly = happened(claims, kind, 0.95, 1.0), happened(claims, kind, 0.0, 0.05)
        assert surely is None or surely >= 0.85
        assert hardly is None or hardly <= 0.15
