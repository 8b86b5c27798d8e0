"""Forms: lines to fill in and choices that are all seen, as Discord takes and returns them."""

from __future__ import annotations

from typing import Any

import pytest
from openapi import Description, Request, faults
from people import Player, filled
from server import Server

from bot.answering.answering import HANDLERS, Click
from bot.delivery.components import modal
from bot.table.controls import OpenForm, SendForm
from bot.vocabulary.messages import Choice, ChoiceField, Form, TextField

FORM = Form(
    "Rules",
    (
        TextField("total", "Total that ends the game", "100", longest=6),
        ChoiceField(
            "moon", "Moon", (Choice("Others pay", "add", hint="26 each"), Choice("A♠ is off", "off", True))
        ),
        ChoiceField("extras", "Extras", (Choice("Jack", "jack", True), Choice("Spots", "spots")), many=True),
    ),
    SendForm(1, "tried"),
)


def test_discord_takes_a_form_of_every_field(description: Description | None) -> None:
    shown = Request("POST", "/interactions/1/abc/callback", {"type": 9, "data": modal(FORM).to_dict()})
    assert faults([shown], description) == []


async def test_what_is_chosen_in_a_form_comes_back_under_its_name(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[str, list[str], list[str], list[str]]] = []

    async def ask(click: Click[OpenForm]) -> None:
        await click.reply.ask(FORM)

    async def hear(click: Click[SendForm]) -> None:
        heard.append((click.written("total"), *map(click.picked, ("moon", "extras", "none"))))
        await click.reply.whisper("Heard.")

    monkeypatch.setitem(HANDLERS, "ask", ask)
    monkeypatch.setitem(HANDLERS, "set", hear)
    await server.seat(ann)
    changes: tuple[dict[str, Any], ...] = ({}, {"total": "7", "moon": "add"}, {"extras": []})
    for changed in changes:
        form = ann.forge(str(OpenForm(1, "tried")), server.post("Seats"))
        await server.settle()
        assert filled(form) == {"total": "100", "moon": "off", "extras": ["jack"]}
        assert (await ann.send(form, **changed)).told == "Heard."
    assert heard == [
        ("100", ["off"], ["jack"], []),
        ("7", ["add"], ["jack"], []),
        ("100", ["off"], [], []),
    ]
