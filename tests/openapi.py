"""Checks requests against Discord's own description of its API, and limits that it lacks.

Where the description is stricter than Discord, `LENIENT` and `_loosened` say so; nowhere else is it loosened.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

import jsonschema_rs
from simcord.components import (
    ComponentValidationError,
    validate_message_state,
    validate_modal,
    walk_components,
)

Json = Any
Validator, Fault = jsonschema_rs.Draft202012Validator, jsonschema_rs.ValidationError

#: Keys that discord.py 2.7.1 sends and Discord ignores, by the schema that does not list them.
LENIENT: Mapping[str, tuple[str, ...]] = {
    "MessageEditRequestPartial": ("tts",),
    "IncomingWebhookUpdateRequestPartial": ("tts",),
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": ("tts",),
    "ApplicationCommandUpdateRequest": ("nsfw",),
    "ApplicationCommandCreateRequest": ("nsfw",),
    "ApplicationCommandPatchRequestPartial": ("nsfw",),
}
COMBINED = ("allOf", "anyOf", "oneOf")


class Answer(IntEnum):
    """The responses to an interaction with limits."""

    MESSAGE = 4
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


BUTTON, STRING_SELECT = 2, 3
IS_V2 = 1 << 15
CREATES = re.compile(r"/channels/\d+/messages|/webhooks/\d+/[^/]+")
#: The most UTF-8 bytes in all components, and what each counts in addition (discord-api-docs, issue 8554).
MOST_BYTES, OF_A_COMPONENT = 10_000, 12
MOST_CHOICES = 25
#: What is two characters in UTF-16, and so in Discord's own client: most emojis.
TWO_UNITS = re.compile("[\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Request:
    """A request from the bot to Discord."""

    method: str
    path: str
    body: Json = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class Description:
    """Discord's OpenAPI description, made strict: keys that it doesn't list are refused."""

    def __init__(self, description: Json) -> None:
        self._components = description["components"]
        self._operations = defaultdict[tuple[str, int], list[tuple[re.Pattern[str], Json]]](list)
        # `/users/@me` before `/users/{user_id}`.
        for path, operations in sorted(description["paths"].items(), key=lambda item: item[0].count("{")):
            for method, operation in operations.items():
                # `/channels/{channel_id}/messages`
                pattern = re.compile("[^/]+".join(map(re.escape, re.split(r"\{[^/]+?\}", path))))
                self._operations[method.upper(), path.count("/")].append((pattern, operation))
        self._validators: dict[int, Validator] = {}
        _loosened(self._components["schemas"])
        _seal(description)

    @classmethod
    def read(cls, path: str | Path) -> "Description":
        return cls(json.loads(Path(path).read_text()))

    def fault(self, request: Request) -> str | None:
        """Why the description refuses this request, or None."""
        path = request.path.partition("?")[0]
        among = self._operations[request.method, path.count("/")]
        operation = next((operation for pattern, operation in among if pattern.fullmatch(path)), None)
        if operation is None:
            return "there is no such route"
        wanted = operation.get("requestBody", {})
        schema = wanted.get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            return None if request.body in (None, {}) else "this route takes no body"
        if request.body is None:
            return "the body is missing" if wanted.get("required") else None
        for error in self._validator(schema).iter_errors(request.body):
            inner = _in_its_alternative(error)
            return f"{'.'.join(map(str, ['$', *inner.instance_path]))}: {inner.message[:300]}"
        return None

    def _validator(self, schema: Json) -> Validator:
        if id(schema) not in self._validators:
            # Beside the schema, so that its "#/components/schemas/..." resolve.
            self._validators[id(schema)] = Validator({**schema, "components": self._components})
        return self._validators[id(schema)]


def _in_its_alternative(error: Fault) -> Fault:
    """What is wrong in the alternative that the value's type, or the object's own `type`, chooses."""
    while alternatives := getattr(error.kind, "context", None):
        fitting = [errors for errors in alternatives if not any(_is_of_type(one, error) for one in errors)]
        if len(fitting) != 1:
            break
        error = fitting[0][0]
    return error


def _is_of_type(inner: Fault, outer: Fault) -> bool:
    """Whether this is about the value's own type, or its field `type`."""
    below = inner.instance_path[len(outer.instance_path) :]
    return below == ["type"] or (not below and inner.kind.name == "type")


def faults(requests: Iterable[Request], description: Description | None) -> list[str]:
    """Everything that Discord would refuse; without a description, only what simcord and we know of it."""
    found = []
    for request in requests:
        if description and (fault := description.fault(request)):
            found.append(f"{request}: {fault}")
        found += [f"{request}: {fault}" for fault in broken_limits(request)]
    return found


def broken_limits(request: Request) -> Iterator[str]:
    """What Discord refuses, description or not: what simcord knows of, and the limits that both lack."""
    message, answer = request.body, None
    if request.path.endswith("/callback") and isinstance(request.body, dict):
        message, answer = request.body.get("data"), request.body.get("type")
    creates = request.method == "POST" and (answer == Answer.MESSAGE or bool(CREATES.fullmatch(request.path)))
    if not isinstance(message, dict) and not creates:
        return
    message = message or {}
    if len(message.get("choices") or ()) > MOST_CHOICES:
        yield f"more than {MOST_CHOICES} choices"
    try:
        if answer == Answer.MODAL:
            validate_modal(_in_units(message))
        else:
            _validate_message(_in_units(message), creates)
    except ComponentValidationError as error:
        yield str(error)
    components = walk(message.get("components") or ())
    yield from _too_many_bytes(components, message)
    yield from _controls(components)
    if answer == Answer.UPDATE:
        yield from _dropped_files(message)


def walk(components: Iterable[Json]) -> list[Json]:
    """Each component, including nested ones."""
    return [*walk_components(components)]


def _in_units(message: Json) -> Json:
    """The message with two characters for each that Discord's own client counts as two."""
    text = json.dumps(message, ensure_ascii=False)
    return json.loads(TWO_UNITS.sub("xx", text)) if TWO_UNITS.search(text) else message


def _validate_message(message: Mapping[str, Json], creates: bool) -> None:
    rows = message.get("components") or []
    flags = message.get("flags") or 0
    if not creates and any(one.get("type") != 1 for one in rows):
        flags |= IS_V2  # as the message that is edited has it
    given = {name: message.get(name) for name in ("content", "poll", "attachments")}
    embeds, stickers = message.get("embeds") or [], message.get("sticker_ids")
    validate_message_state(
        rows, flags=flags, embeds=embeds, stickers=stickers, require_nonempty=creates, **given
    )


def _too_many_bytes(components: list[Json], message: Mapping[str, Json]) -> Iterator[str]:
    """Discord answers these with an internal error, which we would take for a temporary one."""
    size = OF_A_COMPONENT * len(components) + _bytes_in(message.get("components"))
    if size > MOST_BYTES:
        yield f"components: {size} bytes, more than {MOST_BYTES}"


def _bytes_in(node: Json) -> int:
    """The UTF-8 bytes in all its strings, but for keys."""
    if isinstance(node, str):
        return len(node) if node.isascii() else len(node.encode())
    if isinstance(node, dict | list):
        return sum(map(_bytes_in, node.values() if isinstance(node, dict) else node))
    return 0


def _controls(components: list[Json]) -> Iterator[str]:
    """What simcord lets pass."""
    for one in components:
        if one.get("type") == BUTTON and not (one.get("label") or one.get("emoji")):
            yield "components: a button without label and emoji"
        if one.get("type") == STRING_SELECT and (one.get("max_values") or 1) > len(one["options"]):
            yield "components: a select wants more values than it has options"


def _dropped_files(update: Mapping[str, Json]) -> Iterator[str]:
    """An update, unlike an edit, removes the files that it doesn't name."""
    named = {one.get("filename") for one in update.get("attachments") or ()}
    for name in re.findall(r'"attachment://([^"]+)"', json.dumps(update)):
        if name not in named:
            yield f"attachments: {name} is not among them"


def _loosened(schemas: dict[str, Json]) -> None:
    """Allow snowflakes as numbers, and some keys that Discord ignores."""
    if "SnowflakeType" in schemas:
        schemas["SnowflakeType"]["type"] = ["string", "integer"]
    for name, keys in LENIENT.items():
        if name in schemas:
            schemas[name]["properties"] |= {key: {} for key in keys}


def _seal(node: Json) -> None:
    """Forbid unlisted keys in the description's objects, except in combined ones."""
    if isinstance(node, dict):
        if "properties" in node and not any(word in node for word in COMBINED):
            node.setdefault("additionalProperties", False)
        for inner in node.values():
            _seal(inner)
    elif isinstance(node, list):
        for inner in node:
            _seal(inner)
