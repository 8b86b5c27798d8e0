"""A message as somebody sees it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from openapi import walk
from simcord.backend.models import Message
from simcord.env import Env
from simcord.results import ResponseMessage

BUTTON, SELECT, TEXT = 2, 3, 10
LINK_STYLE = 5


@dataclass(frozen=True)
class Seen:
    """A message as it looked at one moment; what was seen does not change when the bot edits it."""

    env: Env
    message: Message
    components: list[dict[str, Any]]
    flags: int

    @classmethod
    def now(cls, env: Env, message: Message) -> Seen:
        """How this message looks now."""
        return cls(env, message, message.components, message.flags)  # an edit puts others in their place

    @property
    def id(self) -> int:
        return self.message.id

    @property
    def channel(self) -> int:
        return self.message.channel_id

    @property
    def is_private(self) -> bool:
        """Whether one person alone sees it, in a channel for all."""
        return bool(self.flags & 1 << 6)

    @cached_property
    def text(self) -> str:
        """All that it says, without what its controls say."""
        return "\n".join(one["content"] for one in walk(self.components) if one.get("type") == TEXT)

    @cached_property
    def buttons(self) -> dict[str, dict[str, Any]]:
        """The buttons that are not links, by their labels, pressable or not."""
        found = [one for one in walk(self.components) if one.get("type") == BUTTON]
        return {one["label"]: one for one in found if one["style"] != LINK_STYLE}

    @cached_property
    def links(self) -> dict[str, str]:
        """Where the link buttons lead, by their labels."""
        found = [one for one in walk(self.components) if one.get("type") == BUTTON]
        return {one["label"]: one["url"] for one in found if one["style"] == LINK_STYLE}

    @property
    def enabled(self) -> list[str]:
        """The labels of the buttons that can be pressed."""
        return [label for label, button in self.buttons.items() if not button.get("disabled")]

    @cached_property
    def select(self) -> dict[str, Any] | None:
        """Its list to choose from."""
        return next(iter(self.selects.values()), None)

    @cached_property
    def selects(self) -> dict[str, dict[str, Any]]:
        """All its lists, by their prompts."""
        found = [one for one in walk(self.components) if one.get("type") == SELECT]
        return {one["placeholder"].replace("\ufe0e", ""): one for one in found}

    def options(self, prompt: str) -> dict[str, bool]:
        """What can be chosen in one of its lists, and whether it is chosen now."""
        found = self.selects[prompt]["options"]
        return {one["label"].replace("\ufe0e", ""): one.get("default", False) for one in found}

    @property
    def everything(self) -> str:
        """Every word that can be read in it."""
        options = self.select["options"] if self.select else []
        hints = [f"{option['label']} {option.get('description', '')}" for option in options]
        return "\n".join([self.text, *self.buttons, *self.links, *hints])

    @property
    def address(self) -> str:
        """Where Discord shows a DM, as a link names it."""
        return f"https://discord.com/channels/@me/{self.channel}/{self.id}"

    @property
    def handle(self) -> ResponseMessage:
        """The message for simcord's verbs."""
        return ResponseMessage(self.env, self.message)

    def says(self, words: str) -> bool:
        """Whether these words stand in it, whatever stress and line breaks it gives them."""
        return words in plain(self.text)


def totals(text: str) -> dict[str, int]:
    """The totals by name, of the standings at the end: `1.  Ann  −3`."""
    found = re.findall(r"^\d+\.\s+(.+?)\s+(−?\d+)$", text, re.MULTILINE)
    return {name: int(number.replace("−", "-")) for name, number in found}


def plain(text: str) -> str:
    """A text without markdown's stress, and with suits as bare signs."""
    return re.sub(r"\s+", " ", re.sub(r"(?<!\\)[*`]+|\ufe0e", "", text))
