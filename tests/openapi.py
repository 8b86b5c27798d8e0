"""Checks requests against Discord's own description of its API, and the limits that it lacks.

Where the description is stricter than Discord, `LENIENT` and `_loosened` say so; nowhere else is it loosened.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.protocols import Validator
from jsonschema.validators import extend

Json = Any
Keyword = Callable[[Validator, Json, Json, Json], Iterable[ValidationError] | None]

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


class Kind(IntEnum):
    """The components with limits."""

    ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    TEXT = 10
    GALLERY = 12
    LABEL = 18
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22


class Answer(IntEnum):
    """The responses to an interaction with limits."""

    MESSAGE = 4
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


SELECTS = (3, 5, 6, 7, 8)
LAYOUT = (9, 10, 11, 12, 13, 14, 17)  # only in Components V2
IS_V2 = 1 << 15
CREATES = re.compile(r"/channels/\d+/messages|/webhooks/\d+/[^/]+")
#: The most UTF-8 bytes in all components, and what each counts in addition (discord-api-docs, issue 8554).
MOST_BYTES, OF_A_COMPONENT = 10_000, 12
#: The most characters of a component's texts. Discord's description has these too, but not every run has the
#: description.
LENGTHS: Mapping[int, Mapping[str, int]] = {
    Kind.BUTTON: {"label": 80, "url": 512},
    Kind.STRING_SELECT: {"placeholder": 150},
    Kind.TEXT_INPUT: {"value": 4000, "placeholder": 100},
    Kind.LABEL: {"label": 45, "description": 100},
}
OF_AN_OPTION = {"label": 100, "value": 100, "description": 100}
LONGEST_ID, LONGEST_TITLE, LONGEST_DESCRIPTION = 100, 45, 1024
OF_ANY = {"custom_id": LONGEST_ID}
OF_A_KIND = {kind: OF_ANY | dict(lengths) for kind, lengths in LENGTHS.items()}
#: The fewest and most children of a component, and their field.
COUNTS: Mapping[int, tuple[str, int, int]] = {
    Kind.ROW: ("components", 1, 5),
    Kind.STRING_SELECT: ("options", 1, 25),
    Kind.GALLERY: ("items", 1, 10),
    Kind.RADIO_GROUP: ("options", 2, 10),
    Kind.CHECKBOX_GROUP: ("options", 1, 10),
}
CONTENTS = ("content", "embeds", "components", "attachments", "sticker_ids", "poll", "message_reference")


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
        for path, operations in sorted(description["paths"].items(), key=_fewest_gaps):
            for method, operation in operations.items():
                self._operations[method.upper(), path.count("/")].append((_pattern(path), operation))
        self._validators: dict[int, tuple[jsonschema_rs.Draft202012Validator, Validator]] = {}
        alternatives = {
            word: self._by_type(Draft202012Validator.VALIDATORS[word]) for word in ("anyOf", "oneOf")
        }
        self._new_validator = extend(Draft202012Validator, alternatives)
        _loosened(self._components["schemas"])
        _seal(description)

    @classmethod
    def read(cls, path: str | Path) -> Description:
        """The description in this file."""
        return cls(json.loads(Path(path).read_text()))

    def fault(self, request: Request) -> str | None:
        """Why the description refuses this request, or None."""
        operation = self._operation(request)
        if operation is None:
            return "there is no such route"
        wanted = operation.get("requestBody", {})
        schema = wanted.get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            return None if request.body in (None, {}) else "this route takes no body"
        if request.body is None:
            return "the body is missing" if wanted.get("required") else None
        quick, talkative = self._validator(schema)
        if quick.is_valid(request.body):
            return None
        error = best_match(talkative.iter_errors(request.body))
        return f"{error.json_path}: {_shortened(error.message)}" if error else "the body does not fit"

    def _operation(self, request: Request) -> Json:
        path = request.path.partition("?")[0]
        among = self._operations[request.method, path.count("/")]
        return next((operation for pattern, operation in among if pattern.fullmatch(path)), None)

    def _validator(self, schema: Json) -> tuple[jsonschema_rs.Draft202012Validator, Validator]:
        """A pair: one says whether a body fits, sixty times faster than the other, which says why not."""
        if id(schema) not in self._validators:
            # Beside the schema, so that its "#/components/schemas/..." resolve.
            whole = {**schema, "components": self._components}
            self._validators[id(schema)] = (
                jsonschema_rs.Draft202012Validator(whole),
                self._new_validator(whole),
            )
        return self._validators[id(schema)]

    def _by_type(self, among_all: Keyword) -> Keyword:
        """Like `among_all`, but only for alternatives that allow the object's own `type`.

        Which is the same, and what is wrong has a better name.
        """

        def alternatives(
            validator: Validator, schemas: Json, instance: Json, schema: Json
        ) -> Iterable[ValidationError]:
            if isinstance(instance, dict) and "type" in instance:
                schemas = [one for one in schemas if instance["type"] in self._types(one, instance["type"])]
                if not schemas:
                    return [ValidationError(f"{instance['type']!r} is no type that can stand here")]
                if len(schemas) == 1:
                    return list(validator.descend(instance, schemas[0]))
            return among_all(validator, schemas, instance, schema) or ()

        return alternatives

    def _types(self, schema: Json, otherwise: Json) -> list[Json]:
        """The values of `type` that this schema allows; `otherwise` if it doesn't say."""
        name = schema.get("$ref", "").rpartition("/")[2]
        described = self._components["schemas"].get(name, schema).get("properties", {}).get("type", {})
        return list(described.get("enum", [otherwise]))


def faults(requests: Iterable[Request], description: Description | None) -> list[str]:
    """Everything that Discord would refuse; without a description, only by the limits that it lacks."""
    found = []
    for request in requests:
        if description and (fault := description.fault(request)):
            found.append(f"{request}: {fault}")
        found += [f"{request}: {fault}" for fault in broken_limits(request)]
    return found


def broken_limits(request: Request) -> Iterator[str]:
    """What Discord refuses although its description allows it."""
    message, creates = request.body, bool(CREATES.fullmatch(request.path)) and request.method == "POST"
    drops_files = False
    if request.path.endswith("/callback") and isinstance(request.body, dict):
        message, answer = request.body.get("data"), request.body.get("type")
        creates, drops_files = answer == Answer.MESSAGE, answer == Answer.UPDATE
        if answer == Answer.CHOICES and len((message or {}).get("choices") or ()) > 25:
            yield "more than 25 choices"
        if answer == Answer.MODAL:
            yield from _modal(message or {})
            return
    if creates and not any((message or {}).get(key) for key in CONTENTS):
        yield "an empty message"
    if isinstance(message, dict):
        content = _Content(message, creates, drops_files)
        for limit in LIMITS:
            yield from limit(content)


@dataclass(frozen=True)
class _Content:
    """A message's content."""

    message: Mapping[str, Json]
    creates: bool  # otherwise it changes a message, which keeps its flags
    drops_files: bool  # a change that, unlike an edit, removes the files it doesn't name

    @cached_property
    def rows(self) -> list[Json]:
        return self.message.get("components") or []

    @cached_property
    def components(self) -> list[Json]:
        return walk(self.rows)

    @cached_property
    def kinds(self) -> Mapping[Kind, list[Json]]:
        found = defaultdict[Kind, list[Json]](list)
        for one in self.components:
            found[one.get("type")].append(one)
        return found

    @property
    def is_v2(self) -> bool:
        return bool((self.message.get("flags") or 0) & IS_V2)

    @property
    def has_layout(self) -> bool:
        return any(kind in self.kinds for kind in LAYOUT)

    def of(self, kind: Kind) -> list[Json]:
        return self.kinds.get(kind, [])


def walk(components: Iterable[Json]) -> list[Json]:
    """Each component, including nested ones."""
    found: list[Json] = []
    left = [*components][::-1]
    while left:
        component = left.pop()
        if isinstance(component, dict):
            found.append(component)
            left += [component.get("component"), component.get("accessory")]
            left += (component.get("components") or ())[::-1]
    return found


def _texts(content: _Content) -> Iterator[str]:
    if len(content.message.get("content") or "") > 2000:
        yield "content: longer than the 2000 characters that a bot has"
    if sum(map(_embed_size, content.message.get("embeds") or ())) > 6000:
        yield "embeds: longer than 6000 characters together"


def _versions(content: _Content) -> Iterator[str]:
    if not content.is_v2:
        if content.has_layout and content.creates:
            yield "components: version 2 without its flag"
        if not content.has_layout and len(content.rows) > 5:
            yield "components: more than 5 rows"
        return
    if content.message.get("content") or content.message.get("embeds"):
        yield "components: version 2 beside content or embeds"
    if len(content.components) > 40:
        yield "components: more than 40, nested ones counted"
    if sum(units(text.get("content")) for text in content.of(Kind.TEXT)) > 4000:
        yield "components: more than 4000 characters of text"


def _bytes(content: _Content) -> Iterator[str]:
    """Discord answers larger ones with an internal error, which we would take for a temporary one."""
    size = OF_A_COMPONENT * len(content.components) + _bytes_in(content.rows)
    if size > MOST_BYTES:
        yield f"components: {size} bytes, more than {MOST_BYTES}"


def _bytes_in(node: Json) -> int:
    """The UTF-8 bytes in all its strings, but for keys."""
    if isinstance(node, str):
        return len(node) if node.isascii() else len(node.encode())
    if isinstance(node, dict | list):
        return sum(map(_bytes_in, node.values() if isinstance(node, dict) else node))
    return 0


def units(text: str | None) -> int:
    """The number of characters as Discord's own client counts them: most emojis are two."""
    return len((text or "").encode("utf-16-le")) // 2


def _sizes(content: _Content) -> Iterator[str]:
    yield from sizes(content.components)


def sizes(components: Iterable[Json]) -> Iterator[str]:
    """What is too long, too many or too few in these components."""
    for one in components:
        kind = one.get("type")
        yield from _too_long(one, OF_A_KIND.get(kind, OF_ANY))
        for item in one.get("items") or ():
            yield from _too_long(item, {"description": LONGEST_DESCRIPTION})
        for option in one.get("options") or ():
            yield from _too_long(option, OF_AN_OPTION)
        if kind in COUNTS:
            name, least, most = COUNTS[kind]
            if not least <= (count := len(one.get(name) or ())) <= most:
                yield f"components: {count} {name} in one of type {kind}, not {least} to {most}"


def _too_long(node: Mapping[str, Json], lengths: Mapping[str, int]) -> Iterator[str]:
    for name, most in lengths.items():
        text = node.get(name)
        if text and 2 * len(text) > most and units(text) > most:
            yield f"components: a {name} of more than {most} characters"


def _ids(content: _Content) -> Iterator[str]:
    if _twice(one.get("custom_id") for one in content.components):
        yield "components: a custom_id comes twice"


def _rows(content: _Content) -> Iterator[str]:
    for row in content.of(Kind.ROW):
        inner = row.get("components") or []
        if len(inner) > 1 and any(one.get("type") in SELECTS for one in inner):
            yield "components: a select shares its row"


def _buttons(content: _Content) -> Iterator[str]:
    for button in content.of(Kind.BUTTON):
        style, is_link = button.get("style"), button.get("style") == 5
        if is_link and (not button.get("url") or button.get("custom_id")):
            yield "components: a link button takes a url and no custom_id"
        if style in (1, 2, 3, 4) and not button.get("custom_id"):
            yield "components: a button without custom_id"
        if style != 6 and not button.get("label") and not button.get("emoji"):
            yield "components: a button without label and emoji"


def _selects(content: _Content) -> Iterator[str]:
    for select in content.of(Kind.STRING_SELECT):
        options = select.get("options") or ()
        least, most = select.get("min_values", 1), select.get("max_values", 1)
        if most is not None and most > len(options):
            yield "components: a select wants more values than it has options"
        if least is not None and most is not None and least > most:
            yield "components: a select's min_values exceed its max_values"
        if _twice(option.get("value") for option in options):
            yield "components: an option's value comes twice"


def _attachments(content: _Content) -> Iterator[str]:
    if "attachments" in content.message or content.drops_files:
        named = content.message.get("attachments") or ()
        sent = {one.get("filename") for one in named if isinstance(one, dict)}
        for name in re.findall(r'"attachment://([^"]+)"', json.dumps(content.message)):
            if name not in sent:
                yield f"attachments: {name} is not among them"


LIMITS: tuple[Callable[[_Content], Iterator[str]], ...] = (
    _texts,
    _versions,
    _bytes,
    _sizes,
    _ids,
    _rows,
    _buttons,
    _selects,
    _attachments,
)


def _modal(modal: Mapping[str, Json]) -> Iterator[str]:
    rows = modal.get("components") or []
    yield from sizes(walk(rows))
    if not 1 <= units(modal.get("title")) <= LONGEST_TITLE or units(modal.get("custom_id")) > LONGEST_ID:
        yield "modal: its title or its custom_id is too long, or missing"
    if len(rows) > 5:
        yield "modal: more than 5 rows"
    if _twice(one.get("custom_id") for one in walk(rows)):
        yield "modal: a custom_id comes twice"


def _twice(values: Iterable[Json]) -> bool:
    return any(count > 1 for count in Counter(value for value in values if value is not None).values())


def _embed_size(embed: Mapping[str, Json]) -> int:
    texts = [embed.get("title"), embed.get("description")]
    texts += [(embed.get("footer") or {}).get("text"), (embed.get("author") or {}).get("name")]
    texts += [field.get(key) for field in embed.get("fields") or () for key in ("name", "value")]
    return sum(len(text or "") for text in texts)


def _pattern(path: str) -> re.Pattern[str]:
    """A pattern for the paths of this template: `/channels/{channel_id}/messages`."""
    parts = re.split(r"\{[^/]+?\}", path)
    return re.compile("[^/]+".join(map(re.escape, parts)))


def _fewest_gaps(item: tuple[str, Json]) -> int:
    """A sort key: `/users/@me` before `/users/{user_id}`."""
    return item[0].count("{")


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


def _shortened(text: str) -> str:
    return text if len(text) < 300 else f"{text[:140]} ... {text[-140:]}"
