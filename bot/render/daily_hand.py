"""The hand of a daily deal: no post shows its table, so the hand does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.controls import PlayByDm
from bot.messages import Button, Part, Picture, Row, Whisper
from bot.render import deals, scores, seals
from bot.render.deadlines import ends_in
from bot.render.text import names
from engine.play.deal import Phase
from engine.play.views import SeatView
from engine.tables import PublicTable


def with_table(table: PublicTable, view: SeatView, shown: Whisper) -> Whisper:
    """The hand with what a channel's posts tell of another game: the deal before, the table, the tricks."""
    head, *others = shown.parts
    deal, has_begun = view.deal, bool(view.played)
    parts: list[Part] = [head]
    if not (has_begun or view.received):
        parts += _before(table, view)
    if deal.phase not in (Phase.PASSING, Phase.EXPOSING) or deal.exposures:
        parts.append(_table(table, view))
    parts += [*others, *deals.latest(table, deal)]
    if row := _row(table, view):
        parts.append(row)
    return replace(shown, parts=tuple(parts))


def _row(table: PublicTable, view: SeatView) -> Row:
    if view.deal.number == 1 and not view.played:
        return (Button(table.say("Play by DM"), PlayByDm(table.id, 1)),)
    return deals.all_tricks(table, view.deal)


def _table(table: PublicTable, view: SeatView) -> Picture:
    """The table as it lies; where no picture can be sent, what the rest of the hand does not tell."""
    picture = deals.picture(table, view.deal)
    return picture if table.rules.preset.exposable else replace(picture, words="")


def _before(table: PublicTable, view: SeatView) -> Iterator[str]:
    """The lines before a deal's first card."""
    assert table.daily is not None
    if previous := view.public.previous:
        yield scores.standing(table, previous)
    else:
        computers = names(table, range(1, len(table.seats)))
        same = table.say("The same three deals for everyone today, against {computers}.", computers=computers)
        end = table.say("They end {time}: finish by then to be ranked.", time=ends_in(table.daily.day))
        yield table.language.sentences([same, end])
    yield seals.sealed(view.deal, table.language)
