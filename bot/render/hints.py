"""What a strong player would do and why, and which choices of a deal cost most."""

from __future__ import annotations

from collections import Counter

from bot.messages import DIVIDER, Button, Colour, Part, Whisper, action
from bot.render.reasons import why
from bot.render.reasons.look import about
from bot.render.text import capital, chips, person
from engine.play.deal import Phase
from engine.play.public import PublicDeal
from engine.play.views import SeatView
from engine.players.advice import Advice, Costly, Decision, Option
from engine.rules.wording import spelled
from engine.tables import PublicTable, Review
from engine.tables.table import cards_played, has_choice

#: What is done with the cards of an option.
DOES = {Phase.PASSING: "Pass", Phase.EXPOSING: "Expose", Phase.PLAYING: "Play"}
#: While a deal is looked back on.
LOOKING_BACK = "I look back on deal {deal}, choice by choice: this takes a few seconds."


def ask(table: PublicTable, view: SeatView) -> Button:
    """Asks what a strong player would do here."""
    return Button("Hint", action("hint", table.id, view.deal.number, len(view.deal.tricks)))


def may_ask(table: PublicTable, view: SeatView, given: Advice | None) -> bool:
    """Whether to offer a hint: where the table gives hints, there is a choice, and none was given yet."""
    return table.gives_hints and given is None and has_choice(view)


def told_of(table: PublicTable, deal: PublicDeal) -> tuple[tuple[int, int], ...]:
    """Who has asked for hints in this deal, and how often; told with the next card, which costs no call."""
    if not table.asked:
        return ()
    now = cards_played(deal)
    asked = Counter(one.seat for one in table.asked if one.deal == deal.number and one.after < now)
    return tuple([(seat, asked[seat]) for seat in sorted(asked) if table.seats[seat].person is not None])


def hint(table: PublicTable, view: SeatView, advice: Advice) -> str:
    """What a strong player would do, why, and what else it weighed."""
    lines = [f"💡 **{DOES[advice.phase]}** {_cards(advice.best)}: {why(table, view, advice)}."]
    if advice.phase is Phase.PLAYING and len(advice.options) > 1:
        lines.append(f"-# Your points in this deal, on average: {_weighed(view, advice)}.")
    return "\n".join(lines)


def _cards(option: Option) -> str:
    """`Q♠ A♥`, `8♠ or 7♠`, `nothing`."""
    return (chips(option.cards) or "nothing") + (f" or {chips(option.same[:1])}" if option.same else "")


def _weighed(view: SeatView, advice: Advice) -> str:
    """What the best options bring, and the worst."""
    first, last = advice.options[:2], advice.options[2:][-1:]
    shown = [f"{chips(one.cards)} {about(one.expected, view.rules.point)}" for one in (*first, *last)]
    return " · ".join(shown)


def review(found: Review) -> Whisper:
    """The choices of whoever asks that cost most, or a kind word."""
    name = person(found.table.seats[found.seat].name)
    heading = (
        f"### How you played deal {found.deal}\nOf your {found.choices} choices {_those(found)} you most:"
    )
    return _looked_back(found, heading, f"### Well played, {name}!\nOf your")


def review_of(found: Review) -> Whisper:
    """The same for whoever looks at a game again: told from the chair of who played."""
    name = person(found.table.seats[found.seat].name)
    chair = f"### {name} in deal {found.deal}\nFrom {name}'s chair: of your {found.choices} choices"
    return _looked_back(found, f"{chair} {_those(found)} you most:", f"### Well played by {name}!\nOf")


def _those(found: Review) -> str:
    return "one cost" if len(found.costly) == 1 else f"these {spelled(len(found.costly))} cost"


def _looked_back(found: Review, heading: str, praise: str) -> Whisper:
    if not found.choices:
        nothing = f"### Deal {found.deal}\nThere was nothing to choose: it was all the cards' doing."
        return Whisper((nothing,), Colour.HELPS)
    if not found.costly:
        told = (
            f"{praise} {found.choices} choices in deal {found.deal} I would change none that matters, by "
            "what could be known then. What it cost, the cards are to blame for."
        )
        return Whisper((told,), Colour.HELPS)
    table = found.table.public
    parts: list[Part] = [heading]
    for one in found.costly:
        parts += [DIVIDER, _costly(table, one)]
    parts.append("-# Judged by what could be known then, in many deals that were possible.")
    return Whisper(tuple(parts))


def _costly(table: PublicTable, one: Costly) -> str:
    """Where it was, what was chosen, what was better by how much, and why."""
    view, best = one.decision.view, one.advice.best
    cost = about(one.cost, view.rules.point)
    better = f"{chips(best.cards) or 'Nothing'} was better by about **{cost} points**"
    reason = capital(why(table, view, one.advice, one.chosen))
    return f"**{where(view)}** · {_did(one.decision)}\n{better}. {reason}."


def where(view: SeatView) -> str:
    """`Trick 5`: when in its deal this was."""
    if view.deal.phase is Phase.PLAYING:
        return f"Trick {len(view.deal.tricks) + 1}"
    return "The pass" if view.deal.phase is Phase.PASSING else "Before the first trick"


def _did(decision: Decision) -> str:
    """`on 9♠ J♠ you played A♠`."""
    deal, cards = decision.view.deal, chips(decision.cards) or "nothing"
    if deal.phase is not Phase.PLAYING:
        return f"you {'passed' if deal.phase is Phase.PASSING else 'exposed'} {cards}"
    lay = chips(deal.trick.cards)
    return f"on {lay} you played {cards}" if lay else f"you led {cards}"
