"""Reminders say until when the table waits, and go on saying what they said."""

from people import Player
from server import Server


async def test_a_reminder_keeps_its_time_when_the_next_turn_has_another(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo, pace="live")
    late = server.to_play
    await server.env.advance_time(35)
    reminder = server.post("the table waits for you")
    assert reminder.says("Then a computer plays that turn.")
    deadline = reminder.text.partition("until <t:")[2].partition(":")[0]
    assert deadline
    await server.env.advance_time(5)
    await late.play()
    assert server.post("the table waits for you").text == reminder.text
    trick = server.post("Trick 1").text
    assert "until <t:" in trick
    assert f"<t:{deadline}:" not in trick
