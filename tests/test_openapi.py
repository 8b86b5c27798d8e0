"""The checker that holds the bot's requests against Discord's description: what it refuses, and what not."""

import os
from typing import Any

import pytest
from openapi import Description, Request, broken_limits, faults

SEND, EDIT = "/channels/1/messages", "/channels/1/messages/2"
ANSWER, FOLLOW_UP = "/interactions/1/token/callback", "/webhooks/1/token"
V2 = 1 << 15


def button(**fields: Any) -> dict[str, Any]:
    return {"type": 2, "style": 2, "label": "Play", "custom_id": "play"} | fields


def row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def select(**fields: Any) -> dict[str, Any]:
    options = [{"label": value, "value": value} for value in "ab"]
    return row({"type": 3, "custom_id": "choose", "options": options} | fields)


def text(content: str) -> dict[str, Any]:
    return {"type": 10, "content": content}


def v2(*components: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"flags": V2, "components": [{"type": 17, "components": list(components)}]} | fields


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        ({}, "Cannot send an empty message"),
        ({"components": [row(button(label="x" * 81))]}, "components.[0].components[0].label: must be 80"),
        (v2(text("\N{PLAYING CARD BLACK JOKER}" * 1999), text("xxx")), "components.[0].components[1]: text"),
        (v2(text("漢" * 3400)), "components: 10224 bytes, more than 10000"),
        (v2(row(button(label=""))), "components: a button without label and emoji"),
        (v2(select(max_values=3)), "components: a select wants more values than it has options"),
    ],
)
def test_limits_that_the_description_lacks(message: dict[str, Any], fault: str) -> None:
    for request in (Request("POST", SEND, message), Request("POST", FOLLOW_UP, message)):
        [found] = broken_limits(request)
        assert found.startswith(fault)
    assert answered(4, message) == [found]


def answered(kind: int, data: dict[str, Any]) -> list[str]:
    """What Discord has against this response to an interaction."""
    return list(broken_limits(Request("POST", ANSWER, {"type": kind, "data": data})))


def test_an_update_takes_away_the_files_that_it_does_not_name() -> None:
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}
    assert list(broken_limits(Request("PATCH", EDIT, v2(gallery)))) == []
    assert answered(7, v2(gallery, attachments=[{"id": 0, "filename": "a.png"}])) == []
    assert answered(7, v2(gallery)) == ["attachments: a.png is not among them"]


def test_a_form_has_a_title_of_45_characters_and_an_autocompletion_25_choices() -> None:
    label = {"type": 18, "label": "Total", "component": {"type": 4, "custom_id": "total"}}
    form = {"custom_id": "x", "components": [label]}
    assert answered(9, form | {"title": "x" * 45}) == []
    assert answered(9, form | {"title": "x" * 46}) == ["components.title: must be 45 or fewer characters"]
    choices = [{"name": str(one), "value": str(one)} for one in range(26)]
    assert answered(8, {"choices": choices[:25]}) == []
    assert answered(8, {"choices": choices}) == ["more than 25 choices"]


# Discord's own description, where this run has it


@pytest.fixture(scope="module")
def discord() -> Description:
    path = os.environ.get("DISCORD_OPENAPI")
    if not path:
        pytest.skip(
            "DISCORD_OPENAPI names no file: no request of this run is held against Discord's description"
        )
    return Description.read(path)


@pytest.mark.parametrize(
    ("method", "path", "body", "fault"),
    [
        ("GET", "/nowhere", None, "there is no such route"),
        ("POST", SEND, None, "the body is missing"),
        ("DELETE", EDIT, {"content": "x"}, "this route takes no body"),
        ("POST", SEND, {"contents": "x"}, "$: Additional properties are not allowed"),
        ("POST", ANSWER, {"type": 4, "data": {"contents": "x"}}, "$.data: Additional properties are not"),
        ("POST", SEND, v2(row(button(label="x" * 81))), "$.components.0.components.0.components.0.label: "),
        ("POST", SEND, {"components": [{"type": 99}]}, '$.components.0: {"type":99} is not valid'),
    ],
)
def test_the_description_says_why_it_refuses(
    discord: Description, method: str, path: str, body: Any, fault: str
) -> None:
    assert (discord.fault(Request(method, path, body)) or "").startswith(fault)


def test_faults_name_the_request_and_come_from_both(discord: Description) -> None:
    bad = Request("POST", SEND, {"contents": "x"})
    assert faults([bad], None) == [f"POST {SEND}: Cannot send an empty message"]
    of_description, of_limits = faults([bad, Request("GET", "/users/1")], discord)
    assert of_description.startswith(f"POST {SEND}: $: Additional properties")
    assert of_limits == f"POST {SEND}: Cannot send an empty message"
