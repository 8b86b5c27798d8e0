"""What a table is told."""

import pytest

from bot.table.notices import notice_post
from engine.rules.ruleset import Ruleset
from engine.tables import Notice, NoticeKind, Seat, Seats, Table


@pytest.mark.parametrize("kind", NoticeKind)
def test_there_are_words_for_every_kind_of_notice(kind: NoticeKind) -> None:
    table = Table(
        id=1, guild=2, channel=3, host=4, rules=Ruleset.of("classic", 4), seats=Seats([Seat(4, "Ann")])
    )
    assert "{" not in str(notice_post(table.public, Notice(1, kind, (0,))).parts[0])
