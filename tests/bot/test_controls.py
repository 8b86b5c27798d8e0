"""Custom ids stay as they are: buttons that were posted long ago are still pressed."""

import pytest

from bot.answering.answering import HANDLERS
from bot.vocabulary.controls import VERBS, decode

#: One of each verb and form, as they have been posted.
LISTED = """
    hearts:join:7 hearts:leave:7 hearts:computer:7:strong hearts:remove:7 hearts:strength:7:easy
    hearts:start:7 hearts:guests:7 hearts:invite:7 hearts:players:7 hearts:here:7 hearts:when:7:0
    hearts:unplan:7 hearts:rematch:7 hearts:enter:7 hearts:rules:7 hearts:options:7 hearts:game:7
    hearts:size:7 hearts:ask:7:table hearts:ask:7:points hearts:set:7:table hearts:set:7:deals
    hearts:learn:0 hearts:learn:0:chinese hearts:page:7:2 hearts:page:0:2:chinese hearts:commands:0

    hearts:hand:7 hearts:dm:7:1 hearts:pick:7:2:12 hearts:unpick:7:2:0 hearts:pass:7:2:2C-TD-QS
    hearts:expose:7:2:QS hearts:lay:7:2:AH hearts:wait:7:2 hearts:decline:7:2:3
    hearts:play:7:2:5:QS.1 hearts:confirm:7:2:5:QS.1 hearts:moon:7:2:subtract hearts:hint:7:2:5
    hearts:back:7 hearts:back:7:2 hearts:seat:7 hearts:take:7 hearts:out:7 hearts:latecomers:7:open
    hearts:retry:7 hearts:stop:7 hearts:keep:7 hearts:propose:7 hearts:vote:7:1:yes

    hearts:watch:7 hearts:look:7:2 hearts:luck:7 hearts:lines:7 hearts:missing:0:41 hearts:tricks:7:2
    hearts:check:7:2 hearts:review:7:2 hearts:replay:7 hearts:step:0:41:2:30:5 hearts:deals:7:0:2:30
    hearts:costly:7:0:2:30 hearts:board:0:wins:month:0 hearts:career:0:900:0
    hearts:board:0:classic.lowest:people:rating:ever:2:page

    hearts:on:7 hearts:alone:7:classic:4:medium:none:usual:0 hearts:alone:7:chinese:5:strong:relaxed:yes:50
    hearts:daily:0 hearts:finish:0 hearts:anew:0:2026-11-22 hearts:day:0:2026-11-22
    hearts:dealt:0:2026-11-22:3 hearts:share:0:2026-11-22 hearts:seals:0:2026-11-22 hearts:mornings:0

    hearts:topic:0:cards hearts:prefer:0:turns hearts:times:0 hearts:zones:0 hearts:zone:0:2 hearts:quiet:0
    hearts:untell:0:900 hearts:export:0 hearts:delete:0 hearts:forget:0 hearts:remember:0 hearts:settings:0
    hearts:house:0:0 hearts:house:0:1:to2 hearts:name:0 hearts:save:0 hearts:drop:0:0123456789abcdef

    hearts:signup:0:3 hearts:signoff:0:3 hearts:present:0:3 hearts:terms:0:3 hearts:begin:0:3
    hearts:cancel:0:3 hearts:calloff:0:3 hearts:whither:0:3 hearts:mine:0:3 hearts:ranks:0:3:0
    hearts:ranks:0:3:2:to3 hearts:record:0:3 hearts:clock:0:3:1 hearts:honours:0:season:0
    hearts:honours:0:ever:2:to3

    hearts:open:0:classic:4:medium:relaxed:yes:50:de:29400000:
    hearts:thread:0:classic:4:medium:relaxed:yes:50:de:29400000:
"""
POSTED = (*LISTED.split(), "hearts:thread:0::0:strong:live:usual:0::0:our: own: rules")

#: What nothing of ours has, or what earlier versions posted and nothing does any more.
UNKNOWN = (
    "hearts:ends:7:160",
    "hearts",
    "join:7",
    "Hearts:join:7",
    "hearts:join",
    "hearts:join:-7",
    "hearts:join:٧",
    "hearts:join:9223372036854775808",  # one more than SQLite's integers
    "hearts:computer:7:divine",
    "hearts:alone:7:chess:4:medium:none:usual:0",
    "hearts:anew:0:20261122",
    "hearts:anew:0:2026-11-31",
)


@pytest.mark.parametrize("custom_id", [*POSTED, "hearts:join:9223372036854775807"])
def test_a_custom_id_is_read_back_as_it_was_written(custom_id: str) -> None:
    assert str(decode(custom_id)) == custom_id


@pytest.mark.parametrize("custom_id", UNKNOWN)
def test_a_custom_id_that_is_not_ours_is_read_as_none(custom_id: str) -> None:
    assert decode(custom_id) is None


def test_every_verb_is_known_handled_and_listed_here() -> None:
    assert VERBS.keys() == HANDLERS.keys() == {custom_id.split(":")[1] for custom_id in POSTED}
