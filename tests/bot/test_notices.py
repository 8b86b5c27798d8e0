"""What a table is told: reminders say until when it waits, and go on saying what they said."""

import pytest
from people import Player
from server import Server

from bot.render.notices import notice
from engine.rules.ruleset import Ruleset
from engine.tables import Notice, NoticeKind, Seat, Seats, Table


@pytest.mark.parametrize("kind", NoticeKind)
def test_there_are_words_for_every_kind_of_notice(kind: NoticeKind) -> None:
    table = Table(
        id=1, guild=2, channel=3, host=4, rules=Ruleset.of("classic", 4), seats=Seats([Seat(4, "Ann")])
    )
    assert "{" not in str(notice(table.public, Notice(1, kind, (0,))).parts[0])


async def test_a_reminder_keeps_its_time_when_the_next_turn_has_another(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo, pace="live")
    late = server.to_play
    await server.env.advance_time(35)
    reminder = server.post("the table waits for you")
    assert reminder.says("Then a computer plays that turn.")
    deadline = reminder.text.partition("deadline <t:")[2].partition(":")[0]
    assert deadline
    await server.env.advance_time(5)
    await late.play()
    assert server.post("the table waits for you").text == reminder.text
    trick = server.post("Trick 1").text
    assert "deadline <t:" in trick
    assert f"<t:{deadline}:" not in trick
