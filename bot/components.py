"""Messages as Discord's components (version 2: text and controls in one container)."""

from __future__ import annotations

import re
from typing import Any

import discord
from discord import ui

from bot.messages import Button, Divider, Link, Part, Post, Select, Style, Whisper

STYLES = {
    Style.PLAIN: discord.ButtonStyle.secondary,
    Style.MAIN: discord.ButtonStyle.primary,
    Style.GOOD: discord.ButtonStyle.success,
    Style.RED: discord.ButtonStyle.danger,
}


PATTERN = re.compile(r"hearts:(?P<verb>[a-z]+):(?P<table>\d+)(?P<details>(?::[^:]*)*)")
SUITS = re.compile("[♣♦♠♥](?!\ufe0e)")
#: Seconds for which the library remembers a form; we do without its memory.
FORM_TIMEOUT = 60.0


class Control(
    ui.DynamicItem[ui.Item[Any]],
    template=PATTERN,
):
    """Any button or select of ours. All it knows stands in its custom id, so it outlives a restart.

    Views hold no other live items: discord.py forgets this class when a view that mixes them stops.
    """

    def __init__(self, item: ui.Item[Any]) -> None:
        super().__init__(item)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Control:
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.press(interaction, *parse_action(self.custom_id))


def parse_action(custom_id: str) -> tuple[str, int, list[str]]:
    """The verb, the table and the details of a custom id that `action()` made."""
    match = PATTERN.fullmatch(custom_id)
    assert match is not None
    return match["verb"], int(match["table"]), match["details"].split(":")[1:]


def form(custom_id: str, title: str, label: str, text: str) -> ui.Modal:
    """A form with one line; what comes back is a control's use like any other, see HeartsBot."""
    modal = ui.Modal(title=title, custom_id=custom_id, timeout=FORM_TIMEOUT)
    modal.add_item(ui.Label(text=label, component=ui.TextInput(default=text, max_length=6)))
    return modal


def signs(text: str) -> str:
    """Text whose suits are drawn as text everywhere, and nowhere as coloured emoji."""
    return SUITS.sub("\\g<0>\ufe0e", text)


def layout(message: Post | Whisper, *, call: str | None = None) -> ui.LayoutView:
    """A fresh view that shows this message; `call` is added as its last line."""
    view = ui.LayoutView(timeout=None)
    container: ui.Container[ui.LayoutView] = ui.Container(accent_colour=int(message.colour))
    for part in message.parts:
        container.add_item(_item(part))
    if call:
        container.add_item(ui.TextDisplay(call))
    view.add_item(container)
    return view


def _item(part: Part) -> ui.Item[Any]:
    if isinstance(part, str):
        return ui.TextDisplay(signs(part))
    if isinstance(part, Divider):
        return ui.Separator()
    row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
    if isinstance(part, Select):
        options = [
            discord.SelectOption(
                label=signs(choice.label), value=choice.value, description=choice.hint, default=choice.chosen
            )
            for choice in part.choices
        ]
        row.add_item(
            Control(
                ui.Select(
                    custom_id=part.action,
                    placeholder=signs(part.prompt),
                    min_values=part.least,
                    max_values=part.most,
                    options=options,
                )
            )
        )
        return row
    for button in part:
        row.add_item(_button(button))
    return row


def _button(button: Button | Link) -> ui.Item[Any]:
    if isinstance(button, Link):
        return ui.Button(label=button.label, url=button.url)
    return Control(
        ui.Button(
            label=signs(button.label),
            custom_id=button.action,
            style=STYLES[button.style],
            disabled=not button.enabled,
        )
    )
