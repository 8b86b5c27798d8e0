"""Controls that no message of ours has there: a client of one's own making can send what it likes."""

from __future__ import annotations

import pytest
from people import Player, refusal
from server import Server

from bot.answering.answering import HANDLERS
from bot.vocabulary.controls import VERBS, Where

pytestmark = pytest.mark.slow

#: What is read as a control but has fields that no message of ours gives it; test_controls.py has more.
MALFORMED = (
    *("play:1:1:0:", f"play:{'9' * 18}:1:0:2C.0", "pass:1:1:", "pass:1:1:2C-", "pick:1:1:13"),
    *("ask:1:nonsense", "set:1:nonsense", "set:1:table", "set:1:deals", "nonsense:1", ""),
)


async def test_a_malformed_control_is_out_of_date(server: Server, ann: Player) -> None:
    """Below a post, and below a hand, where more is read of it."""
    await server.deal(ann, pace="none")
    before = server.stored()
    for custom_id in (*(f"hearts:{one}" for one in MALFORMED), "", "somebody else's"):
        for message in (server.post("Seats"), ann.hand):
            told = await ann.try_control(custom_id, message)
            assert told in {refusal(id) for id in ("stale", "table_gone", "already_started")}, custom_id
            assert server.stored() == before, custom_id


#: Where no table is concerned.
NO_TABLE = Where.SERVER | Where.ANYWHERE | Where.TOURNAMENT
#: What can follow a verb: too little, or of another kind than its control has.
ANYTHING = (
    *("", ":x", ":0", ":1:99", ":1:0:QS.0", ":2026-11-22:9", f":{'9' * 19}:{'9' * 19}:{'9' * 19}"),
    ":nonsense:nonsense:nonsense:nonsense:nonsense",
)


async def test_whatever_follows_a_verb_is_no_fault_of_ours(server: Server, ann: Player, bo: Player) -> None:
    """Each verb meets a game that goes on: a new one where those before have changed something.

    Only where its handler is reached: test_access_table.py tries it everywhere else.
    """
    dealt = None
    for verb in sorted(HANDLERS):
        if server.stored() != dealt:
            ann.at = bo.at = server.add_channel(f"before-{verb}")
            await server.deal(ann, bo, pace="none")
            dealt, table = server.stored(), server.stored()["tables"][-1]["id"]
            lobby, hand = server.post("Seats", ann.at), ann.hand
        access = VERBS[verb].access
        tables = [0] * bool(access.where & NO_TABLE) + [table] * bool(access.where & ~NO_TABLE)
        forged = [f"hearts:{verb}:{one}{details}" for one in tables for details in ANYTHING]
        for message in (hand,) if access.private else (lobby, hand):
            answers = [ann.forge(custom_id, message) for custom_id in forged]
            await server.settle()
            assert all(answer.result.acknowledged for answer in answers), verb


#: What Options would send, were nothing forged.
USUAL = {"game": "classic.4", "length": "50", "pace": "live", "computers": "easy"}
LENGTHS = ("deals.101", "0", "100001", "soon", "-5", "9" * 30)
FORGED_FORMS: tuple[tuple[str, dict[str, str]], ...] = (
    *(("table", USUAL | {"length": length}) for length in LENGTHS),
    ("table", USUAL | {"pace": "at once"}),
    ("table", USUAL | {"computers": "clever"}),
    ("table", {"pace": "live", "hints": "nobody"}),  # as an earlier version asked
    ("deals", {"hints": "friends"}),
    ("deals", {"hints": "nobody", "first": "Ann"}),
    ("deals", {"hints": "nobody", "first": "9" * 19}),
    ("points", {"moon": "nonsense"}),
    ("points", {"ends_at": "9" * 7}),
    ("cards", {"pass_cards": "6"}),
)


async def test_an_answer_that_a_form_did_not_offer_changes_nothing(server: Server, ann: Player) -> None:
    await server.seat(ann)
    [page] = (await ann.click("Options")).private
    before = server.stored()
    for form, answers in FORGED_FORMS:
        for message in (page, server.post("Seats")):
            answer = ann.forge_form(f"hearts:set:1:{form}", message, **answers)
            await server.settle()
            assert answer.result.acknowledged, answers
            assert server.stored() == before, answers
    for verb, value in (("game", "chess"), ("game", ""), ("size", "5"), ("size", "9" * 90), ("size", "two")):
        await ann.try_control(f"hearts:{verb}:1", page, value)
        assert server.stored() == before, value


async def test_a_leaderboard_is_turned_where_one_stands_and_nowhere_else(server: Server, ann: Player) -> None:
    """Everybody would see it in the place of what they play by."""
    await server.deal_and_pass(ann, pace="none")
    before = [post.everything for post in server.posts()]
    for post in server.posts():
        told = await ann.try_control("hearts:board:0:classic.lowest:people:wins:ever:0", post)
        assert told == refusal("stale")
    assert [post.everything for post in server.posts()] == before
