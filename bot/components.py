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


class Control(
    ui.DynamicItem[ui.Item[Any]],
    template=r"hearts:(?P<verb>[a-z]+):(?P<table>\d+)(?P<details>(?::[^:]*)*)",
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
        match = self.template.fullmatch(self.custom_id)
        assert match is not None
        details = match["details"].split(":")[1:]
        await interaction.client.press(interaction, match["verb"], int(match["table"]), details)


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
        return ui.TextDisplay(part)
    if isinstance(part, Divider):
        return ui.Separator()
    row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
    if isinstance(part, Select):
        options = [
            discord.SelectOption(
                label=choice.label, value=choice.value, description=choice.hint, default=choice.chosen
            )
            for choice in part.choices
        ]
        row.add_item(
            Control(
                ui.Select(
                    custom_id=part.action,
                    placeholder=part.prompt,
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
            label=button.label,
            custom_id=button.action,
            style=STYLES[button.style],
            disabled=not button.enabled,
        )
    )
