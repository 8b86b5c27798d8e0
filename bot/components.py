"""Messages as Discord's components (version 2: text and controls in one container)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import count
from typing import Any

import discord
from discord import ui

from bot.emojis import Emojis
from bot.messages import (
    Attachment,
    Divider,
    Form,
    Line,
    Link,
    Message,
    Part,
    Pick,
    Picture,
    Row,
    Select,
    Style,
)
from bot.render.text import length
from engine.cards import Card, Suit

STYLES = {
    Style.PLAIN: discord.ButtonStyle.secondary,
    Style.MAIN: discord.ButtonStyle.primary,
    Style.GOOD: discord.ButtonStyle.success,
    Style.RED: discord.ButtonStyle.danger,
}
#: So many choices a form shows as radio buttons; more are a list to open.
MOST_BUTTONS = 10
RED_SUITS = (Suit.DIAMONDS, Suit.HEARTS)
#: Characters of text that Discord takes in a message.
LONGEST = 4000
SUIT_SIGNS = re.compile("[♣♦♠♥](?!\ufe0e)")


@lru_cache(maxsize=4096)  # most are labels of cards
def signs(text: str) -> str:
    """Text whose suits are drawn as text everywhere, and nowhere as coloured emoji."""
    return SUIT_SIGNS.sub("\\g<0>\ufe0e", text)


def layout(
    message: Message, emojis: Emojis, *, pictured: bool = False, call: str | None = None
) -> ui.LayoutView:
    """A view that shows this message, its cards as emojis where they fit; `call` is added as its last line.

    If `pictured` it shows the pictures that come along as files, else their words.
    It is stopped, so that the library keeps neither it nor a task for it: what is clicked is read from the
    click itself (bot.controls), which outlives a restart.
    """
    view = ui.LayoutView(timeout=None)
    items, text = _items(message.parts, emojis, pictured=pictured)
    if length(text + (call or "")) > LONGEST:
        items, _ = _items(message.parts, emojis, pictured=pictured, in_letters=True)
    if call:
        items.append(ui.TextDisplay(call))
    view.add_item(ui.Container(*items, accent_colour=int(message.colour)))
    view.stop()
    return view


def files(message: Message, drawn: Iterable[bytes]) -> list[discord.File]:
    """The files that come along, to be read once; `drawn` are those of its pictures in order."""
    offered = [(part.name, part.content) for part in message.parts if isinstance(part, Attachment)]
    pictures = [(_file_name(number), file) for number, file in enumerate(drawn, 1)]
    return [discord.File(io.BytesIO(file), filename=name) for name, file in (*offered, *pictures)]


def _file_name(number: int) -> str:
    return f"picture{number}.webp"


def modal(form: Form) -> ui.Modal:
    """A form, which the library keeps as little as a view."""
    shown = ui.Modal(title=form.title, custom_id=form.action)
    for field in form.fields:
        shown.add_item(_field(field))
    shown.stop()
    return shown


def _field(field: Line | Pick) -> ui.Label[Any]:
    if isinstance(field, Line):
        line: ui.TextInput[Any] = ui.TextInput(
            custom_id=field.name, default=field.text, max_length=field.longest
        )
        return ui.Label(text=field.label, component=line)
    group: ui.CheckboxGroup[Any] | ui.RadioGroup[Any] | ui.Select[Any]
    if len(field.choices) > MOST_BUTTONS:
        group = ui.Select(custom_id=field.name)
    elif field.many:
        group = ui.CheckboxGroup(custom_id=field.name, required=False, min_values=0)
    else:
        group = ui.RadioGroup(custom_id=field.name)
    for choice in field.choices:
        group.add_option(
            label=signs(choice.label), value=choice.value, description=choice.hint, default=choice.chosen
        )
    return ui.Label(text=signs(field.label), description=field.hint, component=group)


def _items(
    parts: Iterable[Part], emojis: Emojis, *, pictured: bool, in_letters: bool = False
) -> tuple[list[ui.Item[Any]], str]:
    """These parts, and all of their text; `in_letters` without the cards' emojis in it."""
    items: list[ui.Item[Any]] = []
    texts = []
    names = map(_file_name, count(1))
    for one in parts:
        part = one.words if isinstance(one, Picture) and not pictured else one
        match part:
            case "":
                continue
            case str():
                texts.append(part if in_letters else emojis.in_text(part))
                items.append(ui.TextDisplay(signs(texts[-1])))
            case Picture():
                file = f"attachment://{next(names)}"
                items.append(ui.MediaGallery(discord.MediaGalleryItem(file, description=part.description)))
            case Divider():
                items.append(ui.Separator())
            case Attachment():
                items.append(ui.File(f"attachment://{part.name}"))
            case Select():
                items.append(ui.ActionRow(_select(part)))
            case _:
                items.append(_row(part, emojis))
    return items, "".join(texts)


def _select(part: Select) -> ui.Item[Any]:
    options = [
        discord.SelectOption(
            label=signs(choice.label), value=choice.value, description=choice.hint, default=choice.chosen
        )
        for choice in part.choices
    ]
    return ui.Select(custom_id=part.action, placeholder=signs(part.prompt), options=options)


def _row(buttons: Row, emojis: Emojis) -> ui.ActionRow[Any]:
    row: ui.ActionRow[Any] = ui.ActionRow()
    for button in buttons:
        if isinstance(button, Link):
            row.add_item(ui.Button(label=button.label, url=button.url))
            continue
        emoji = emojis.of.get(button.card) if button.card else None
        label, style = _look(button.label, button.style, button.card, emoji is not None)
        row.add_item(
            ui.Button(
                label=label, emoji=emoji, custom_id=button.action, style=style, disabled=not button.enabled
            )
        )
    return row


@lru_cache(maxsize=4096)  # most are cards
def _look(
    label: str, style: Style, card: Card | None, has_emoji: bool
) -> tuple[str | None, discord.ButtonStyle]:
    if card and has_emoji:
        label = label.replace(card.symbol, "").strip()
    elif card and card.suit in RED_SUITS and style is Style.PLAIN:
        style = Style.RED
    return signs(label) or None, STYLES[style]
