"""The post between two deals."""

from __future__ import annotations

from bot.messages import DIVIDER, Part, Post
from bot.render import scores, seals
from bot.render.buttons import my_hand, watch
from bot.render.latecomers import arrivals, seat_to_take
from bot.render.text import cards_in_words
from engine.play.public import PublicDeal
from engine.rules.wording import direction
from engine.tables import PublicTable


def opening(table: PublicTable, deal: PublicDeal, before: PublicDeal | None) -> Post:
    """The post between two deals: how the one before ended, and how this one begins, with its seal.

    Nothing ever changes it: Discord would mark it as edited, and is the seal's witness.
    """
    parts: list[Part] = [*scores.after_deal(table.as_in(before.number), before), DIVIDER] if before else []
    parts.append("\n".join([f"### Deal {deal.number}", *arrivals(table, deal), *_passing(table, deal)]))
    if deal.seal:
        parts.append(seals.sealed(deal))
    hand = () if table.rules.preset.exposable else (my_hand(table),)
    if row := (*hand, *seat_to_take(table), *watch(table)):
        parts.append(row)
    return Post(tuple(parts), once=True)


def _passing(table: PublicTable, deal: PublicDeal) -> list[str]:
    count = table.rules.pass_cards
    if not count:
        return []
    if not deal.offset:
        return ["Nobody passes this time."]
    where = direction(deal.offset, table.rules.players)
    return [f"Everyone passes {cards_in_words(count)} {where}."]
