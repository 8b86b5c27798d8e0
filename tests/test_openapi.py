"""The checker that holds the bot's requests against Discord's description: what it refuses, and what not."""

import os
from typing import Any

import pytest
from openapi import Description, Request, broken_limits, faults

SEND, EDIT = "/channels/1/messages", "/channels/1/messages/2"
ANSWER, FOLLOW_UP = "/interactions/1/token/callback", "/webhooks/1/token"
V2 = 1 << 15


def described() -> Description:
    """A description of a few routes, written as Discord writes its own."""
    schemas = {
        "SnowflakeType": {"type": "string", "pattern": "^[0-9]+$"},
        "MessageCreateRequest": {
            "type": "object",
            "properties": {
                "content": {"type": ["string", "null"], "maxLength": 10},
                "user": {"$ref": "#/components/schemas/SnowflakeType"},
                "components": {
                    "type": "array",
                    "items": {
                        "oneOf": [
                            {"$ref": "#/components/schemas/Row"},
                            {"$ref": "#/components/schemas/Text"},
                        ]
                    },
                },
            },
        },
        "MessageEditRequestPartial": {"type": "object", "properties": {"content": {"type": "string"}}},
        "Row": {
            "type": "object",
            "properties": {"type": {"type": "integer", "enum": [1]}, "components": {"type": "array"}},
            "required": ["type", "components"],
        },
        "Text": {
            "type": "object",
            "properties": {
                "type": {"type": "integer", "enum": [10]},
                "content": {"type": "string", "minLength": 1},
            },
            "required": ["type", "content"],
        },
    }
    return Description(
        {
            "paths": {
                "/channels/{channel_id}/messages": {"post": _takes("MessageCreateRequest")},
                "/channels/{channel_id}/messages/{message_id}": {
                    "patch": _takes("MessageEditRequestPartial"),
                    "delete": {},
                },
                "/users/{user_id}": {"get": {}},
                "/users/@me": {"patch": _takes("MessageEditRequestPartial")},
            },
            "components": {"schemas": schemas},
        }
    )


def _takes(schema: str) -> dict[str, Any]:
    reference = {"$ref": f"#/components/schemas/{schema}"}
    return {"requestBody": {"content": {"application/json": {"schema": reference}}, "required": True}}


@pytest.mark.parametrize(
    ("request_", "fault"),
    [
        (Request("POST", "/channels/1/massages", {}), "there is no such route"),
        (Request("PUT", SEND, {}), "there is no such route"),
        (Request("POST", SEND), "the body is missing"),
        (Request("DELETE", EDIT, {"content": "x"}), "this route takes no body"),
        (Request("PATCH", "/users/1", {}), "there is no such route"),
        (Request("POST", SEND, {"content": "x" * 11}), "$.content: 'xxxxxxxxxxx' is too long"),
        (Request("POST", SEND, {"content": 1}), "$.content: 1 is not of type 'string', 'null'"),
        (Request("POST", SEND, {"contents": "x"}), "$: Additional properties are not allowed"),
        (Request("POST", SEND, {"content": "x", "tts": True}), "$: Additional properties are not allowed"),
        (Request("POST", SEND, {"user": "Ann"}), "$.user: 'Ann' does not match"),
        (Request("POST", SEND, {"user": True}), "$.user: True is not of type"),
        (Request("POST", SEND, {"components": [{"type": 1}]}), "$.components[0]: 'components' is a required"),
        (
            Request("POST", SEND, {"components": [{"type": 2}]}),
            "$.components[0]: 2 is no type that can stand",
        ),
        (Request("POST", SEND, {"components": [{"type": 10, "content": ""}]}), "$.components[0].content: ''"),
        (Request("POST", SEND, {"components": [{"content": "x"}]}), "$.components[0]: "),
    ],
    ids=str,
)
def test_what_the_description_refuses(request_: Request, fault: str) -> None:
    assert (described().fault(request_) or "").startswith(fault)


@pytest.mark.parametrize(
    "request_",
    [
        Request("POST", SEND, {"content": "x" * 10, "user": "1"}),
        Request("POST", SEND, {"content": None, "user": 1}),
        Request("POST", f"{SEND}?wait=true", {"components": [{"type": 1, "components": []}]}),
        Request("PATCH", EDIT, {"content": "x", "tts": False}),
        Request("PATCH", "/users/@me", {"content": "x"}),
        Request("DELETE", EDIT),
        Request("DELETE", EDIT, {}),
        Request("GET", "/users/1"),
    ],
    ids=str,
)
def test_what_the_description_accepts(request_: Request) -> None:
    assert described().fault(request_) is None


def button(**fields: Any) -> dict[str, Any]:
    return {"type": 2, "style": 2, "label": "Play", "custom_id": "play"} | fields


def row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def select(values: str | list[dict[str, Any]] = "ab", **fields: Any) -> dict[str, Any]:
    options = [{"value": value} if isinstance(value, str) else value for value in values]
    return {"type": 3, "custom_id": "choose", "options": options} | fields


def text(content: str) -> dict[str, Any]:
    return {"type": 10, "content": content}


def v2(*components: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"flags": V2, "components": [{"type": 17, "components": list(components)}]} | fields


def rows(*components: dict[str, Any]) -> dict[str, Any]:
    return {"components": [row(component) for component in components]}


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "an empty message"),
    ({"content": "", "embeds": []}, "an empty message"),
    ({"content": "x" * 2001}, "content: longer than the 2000 characters"),
    ({"embeds": [{"description": "x" * 4000}, {"fields": [{"name": "x", "value": "x" * 2000}]}]}, "embeds: "),
    ({"embeds": [{"title": "x" * 3000, "footer": {"text": "x" * 3001}}]}, "embeds: longer than 6000"),
    ({"components": [text("x")]}, "components: version 2 without its flag"),
    (rows(*(button(custom_id=str(one)) for one in range(6))), "components: more than 5 rows"),
    (v2(text("x"), content="x"), "components: version 2 beside content or embeds"),
    (v2(*(text("x") for _ in range(40))), "components: more than 40"),
    (v2(text("x" * 3000), text("x" * 1001)), "components: more than 4000 characters"),
    (v2(text("\N{PLAYING CARD BLACK JOKER}" * 2001)), "components: more than 4000 characters"),
    (v2(row(*(button(custom_id=str(one)) for one in range(6)))), "components: 6 components in one of type 1"),
    (v2(text("x"), row()), "components: 0 components in one of type 1"),
    (rows(button(label="x" * 81)), "components: a label of more than 80"),
    (rows(button(custom_id="x" * 101)), "components: a custom_id of more than 100"),
    (rows(button(style=5, custom_id=None, url="https://" + "x" * 505)), "components: a url of more than 512"),
    (rows(select("abcdefghijklmnopqrstuvwxyz")), "components: 26 options in one of type 3"),
    (rows(select(placeholder="x" * 151)), "components: a placeholder of more than 150"),
    (rows(select([{"value": "x", "description": "x" * 101}])), "components: a description of more than 100"),
    (rows(select([{"value": "x" * 101}])), "components: a value of more than 100"),
    (v2({"type": 12, "items": [{"description": "x" * 1025}]}), "components: a description of more than 1024"),
    (v2(text("漢" * 3400)), "components: 10224 bytes, more than 10000"),
    (rows(button(), button()), "components: a custom_id comes twice"),
    (v2(row(button()), {"type": 9, "accessory": button()}), "components: a custom_id comes twice"),
    ({"components": [row(select(), button())]}, "components: a select shares its row"),
    (rows(button(custom_id=None)), "components: a button without custom_id"),
    (rows(button(style=5, url="https://x.yz")), "components: a link button takes a url and no custom_id"),
    (rows(button(style=5, custom_id=None)), "components: a link button takes a url and no custom_id"),
    (rows(button(label="")), "components: a button without label and emoji"),
    (rows(select("ab", max_values=3)), "components: a select wants more values than it has options"),
    (rows(select("ab", min_values=2, max_values=1)), "components: a select's min_values exceed"),
    (rows(select("aa")), "components: an option's value comes twice"),
    (
        {"attachments": [{"filename": "a.png"}], "embeds": [{"image": {"url": "attachment://b.png"}}]},
        "attachments: b.png is not among them",
    ),
]


@pytest.mark.parametrize(("message", "fault"), REFUSED)
@pytest.mark.parametrize("how", ["message", "answer", "follow-up"])
def test_limits_that_the_description_lacks(message: dict[str, Any], fault: str, how: str) -> None:
    request = {
        "message": Request("POST", SEND, message),
        "answer": Request("POST", ANSWER, {"type": 4, "data": message}),
        "follow-up": Request("POST", FOLLOW_UP, message),
    }[how]
    [found] = broken_limits(request)
    assert found.startswith(fault)


@pytest.mark.parametrize(
    "request_",
    [
        Request("POST", SEND, {"content": "x" * 2000}),
        Request("POST", SEND, v2(*(row(button(custom_id=str(one))) for one in range(19)))),
        Request("POST", SEND, rows(button(), button(style=5, custom_id=None, url="https://x.yz"))),
        Request("POST", SEND, rows(select("ab", min_values=2, max_values=2))),
        Request("PATCH", EDIT, {"components": [text("x")]}),  # the message has its flag already
        Request("PATCH", EDIT, {"content": ""}),
        Request("PATCH", EDIT, None),
        Request("POST", ANSWER, {"type": 6}),
        Request("POST", ANSWER, {"type": 7, "data": {"components": []}}),
    ],
    ids=str,
)
def test_messages_within_the_limits(request_: Request) -> None:
    assert list(broken_limits(request_)) == []


def test_an_update_takes_away_the_files_that_it_does_not_name() -> None:
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}
    assert list(broken_limits(Request("PATCH", EDIT, v2(gallery)))) == []
    named = v2(gallery, attachments=[{"id": 0, "filename": "a.png"}])
    assert list(broken_limits(Request("POST", ANSWER, {"type": 7, "data": named}))) == []
    [found] = broken_limits(Request("POST", ANSWER, {"type": 7, "data": v2(gallery)}))
    assert found == "attachments: a.png is not among them"


def test_a_modal_has_five_rows_with_ids_of_their_own() -> None:
    labels = [{"type": 18, "component": {"type": 4, "custom_id": str(one)}} for one in range(6)]
    assert broken_by(labels) == ["modal: more than 5 rows"]
    assert broken_by([labels[0], labels[0]]) == ["modal: a custom_id comes twice"]
    assert broken_by(labels[:5]) == []


def broken_by(components: list[dict[str, Any]], title: str = "Rules") -> list[str]:
    """What Discord has against a form of these."""
    modal = {"title": title, "custom_id": "x", "components": components}
    return list(broken_limits(Request("POST", ANSWER, {"type": 9, "data": modal})))


def test_the_sizes_of_a_modal() -> None:
    field = {"type": 21, "custom_id": "x", "options": [{"value": "a"}, {"value": "b"}]}
    label = {"type": 18, "label": "x" * 45, "description": "x" * 100, "component": field}
    assert broken_by([label], "x" * 45) == []
    assert broken_by([label], "x" * 46) == ["modal: its title or its custom_id is too long, or missing"]
    assert broken_by([label | {"label": "x" * 46}]) == ["components: a label of more than 45 characters"]
    alone = label | {"component": field | {"options": [{"value": "a"}]}}
    assert broken_by([alone]) == ["components: 1 options in one of type 21, not 2 to 10"]


def test_25_choices_for_an_autocompletion() -> None:
    choices = [{"name": str(one), "value": str(one)} for one in range(26)]
    assert list(broken_limits(Request("POST", ANSWER, {"type": 8, "data": {"choices": choices}}))) == [
        "more than 25 choices"
    ]
    assert not list(broken_limits(Request("POST", ANSWER, {"type": 8, "data": {"choices": choices[:25]}})))


def test_faults_name_the_request_and_come_from_both() -> None:
    bad = Request("POST", SEND, {"contents": "x"})
    assert faults([bad], None) == [f"POST {SEND}: an empty message"]
    found = faults([bad, Request("GET", "/users/1")], described())
    assert len(found) == 2
    assert all(fault.startswith(f"POST {SEND}: ") for fault in found)


# Discord's own


@pytest.fixture(scope="module")
def discord() -> Description:
    path = os.environ.get("DISCORD_OPENAPI")
    if not path:
        pytest.skip(
            "DISCORD_OPENAPI names no file: no request of this run is held against Discord's description"
        )
    return Description.read(path)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", SEND, v2(text("x"), row(button(label="x" * 81)))),
        ("POST", SEND, v2(text("x"), row(button(custom_id="x" * 101)))),
        ("POST", SEND, v2(row(*(button(custom_id=str(one)) for one in range(6))))),
        ("POST", SEND, v2(text(""))),
        ("POST", SEND, v2(button())),
        ("POST", SEND, v2(text("x"), accent_color=1)),
        ("POST", SEND, v2(row(button(style=9)))),
        ("POST", SEND, {"flags": V2, "components": [{"type": 99}]}),
        ("POST", SEND, {"content": "x", "allowed_mentions": {"users": ["Ann"]}}),
        ("POST", ANSWER, {"type": 99}),
        ("POST", ANSWER, {"type": 4, "data": {"contents": "x"}}),
        (
            "POST",
            ANSWER,
            {"type": 9, "data": {"custom_id": "x", "title": "x" * 46, "components": [text("x")]}},
        ),
        ("PUT", "/applications/1/commands", [{"name": "x" * 33, "description": "x"}]),
        ("POST", "/users/@me/channels", {"recipients": 1}),
        ("GET", "/nowhere", None),
    ],
)
def test_discords_description_refuses(discord: Description, method: str, path: str, body: Any) -> None:
    assert discord.fault(Request(method, path, body))


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", SEND, v2(text("x"), row(button()), {"type": 14, "spacing": 1, "divider": True})),
        ("POST", SEND, {"content": "x", "allowed_mentions": {"parse": [], "users": [1]}}),
        ("PATCH", EDIT, v2(text("x"), tts=False)),
        ("PATCH", "/webhooks/1/token/messages/@original", v2(text("x"))),
        ("DELETE", "/webhooks/1/token/messages/2", None),
        ("POST", ANSWER, {"type": 4, "data": v2(text("x"))}),
        ("POST", ANSWER, {"type": 6}),
        ("POST", "/users/@me/channels", {"recipient_id": 1}),
        ("GET", "/gateway/bot", None),
    ],
)
def test_discords_description_accepts(discord: Description, method: str, path: str, body: Any) -> None:
    assert discord.fault(Request(method, path, body)) is None
