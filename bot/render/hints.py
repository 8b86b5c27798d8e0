"""What a strong player would do and why, and which choices of a deal cost most."""

from __future__ import annotations

from collections import Counter

from bot.controls import GiveHint
from bot.messages import DIVIDER, Button, Colour, Part, Whisper
from bot.render.reasons import why
from bot.render.reasons.look import Look, about, named
from bot.render.text import capital, chip, chips, for_count, person
from engine.languages import ENGLISH
from engine.play.deal import Phase
from engine.play.public import PublicDeal
from engine.play.views import SeatView
from engine.players.advice import Advice, Costly, Decision, Option
from engine.tables import PublicTable, Review
from engine.tables.table import cards_played, has_choice

#: What is done with the cards of an option.
DOES = {Phase.PASSING: "Pass", Phase.EXPOSING: "Expose", Phase.PLAYING: "Play"}
#: The most cards that are named in an aside.
FEW = 3
#: While a deal is looked back on.
LOOKING_BACK = "Reviewing deal {deal}, decision by decision. This takes a few seconds."

#: Below a review of one's own, and of another player's deal.
OWN_LEGEND = "Judged only by what you knew, over many possible layouts."
LEGEND = (
    "The words in quotation marks are advice to {name}. Judged only by what {name} knew, over many possible "
    "layouts."
)


def ask(table: PublicTable, view: SeatView) -> Button:
    """Asks what a strong player would do here."""
    return Button("Hint", GiveHint(table.id, view.deal.number, len(view.deal.tricks)))


def may_ask(table: PublicTable, view: SeatView, given: Advice | None) -> bool:
    """Whether to offer a hint: where the table gives hints, there is a choice, and none was given yet."""
    return table.gives_hints and given is None and has_choice(view)


def told_of(table: PublicTable, deal: PublicDeal) -> tuple[tuple[int, int], ...]:
    """The players who asked for hints in this deal, and how often.

    A hint is told with the next card, which costs no call.
    """
    if not table.asked:
        return ()
    now = cards_played(deal)
    asked = Counter(one.seat for one in table.asked if one.deal == deal.number and one.after < now)
    return tuple([(seat, asked[seat]) for seat in sorted(asked) if table.seats[seat].person is not None])


def hint(table: PublicTable, view: SeatView, advice: Advice) -> str:
    """What a strong player would do, why, and what else it weighed."""
    reason = why(table, view, advice)
    lines = [f"💡 **{DOES[advice.phase]}** {_cards(advice.best)}: {reason}."]
    if advice.phase is Phase.PLAYING and len(advice.options) > 1:
        look = Look(table, view, advice.best, advice.options[1:])
        lines[0] += _aside(look, reason)
        lines.append(f"-# Your points in this deal, on average: {_weighed(look)}.")
    return "\n".join(lines)


def _cards(option: Option) -> str:
    """`Q♠ A♥`, `8♠, 7♠ or 6♠`, `nothing`."""
    return ENGLISH.either([chips(option.cards) or "nothing", *map(chip, option.same)])


def _shown(look: Look) -> tuple[Option, ...]:
    """The options beside the best one whose points are told: the next and the worst."""
    return (*look.others[:1], *look.others[1:][-1:])


def _aside(look: Look, reason: str) -> str:
    """Why another option with fewer points is not better, or that others are about as good."""
    equal = [named(other) for other in look.others if look.is_equal(other)]
    if 0 < len(equal) < len(look.others):
        if len(equal) > FEW:
            return " Several others are about as good."
        told = for_count(len(equal), " {options} is about as good.", " {options} are about as good.")
        return told.format(options=ENGLISH.listing(equal))
    for other in _shown(look):
        if look.gain(other) < 0 and not look.is_equal(other) and named(other) not in reason:
            return f" {capital(look.compared(other))}."
    return ""


def _weighed(look: Look) -> str:
    """What the best options bring, and the worst; those that are about as good as the best together."""
    shown = _shown(look)
    equal = [named(other) for other in shown if look.is_equal(other)]
    rest = [f"{named(other)} {look.about(other.expected)}" for other in shown if not look.is_equal(other)]
    best = f"{ENGLISH.either([named(look.best), *equal])} {look.about(look.best.expected)}"
    return " · ".join([best, *rest])


def review(found: Review) -> Whisper:
    """The asker's own choices that cost most, or praise."""
    return _looked_back(
        found,
        "### How you played deal {deal}\nOf your {decisions}, this one cost you the most:",
        "### How you played deal {deal}\nOf your {decisions}, these {number} cost you the most:",
        "### Well played, {name}!\nYou made {decisions} in deal {deal}, and judged by what could be known "
        "then, I wouldn't change any that mattered. Blame the cards for the rest.",
    )


def review_of(found: Review) -> Whisper:
    """The same about another player, for somebody who looks at the game again; the reasons are quoted."""
    return _looked_back(
        found,
        "### {name} in deal {deal}\nOf {name}'s {decisions}, this one cost the most:",
        "### {name} in deal {deal}\nOf {name}'s {decisions}, these {number} cost the most:",
        "### Well played by {name}!\n{name} made {decisions} in deal {deal}, and judged by what could be "
        "known then, I wouldn't change any that mattered. Blame the cards for the rest.",
        is_own=False,
    )


def _looked_back(found: Review, single: str, many: str, praise: str, *, is_own: bool = True) -> Whisper:
    if not found.choices:
        nothing = f"### Deal {found.deal}\nThere was nothing to decide: the cards did it all."
        return Whisper((nothing,), Colour.HELPS)
    count = len(found.costly)
    name = person(found.table.seats[found.seat].name, found.table.language)
    heading = (for_count(count, single, many) if count else praise).format(
        name=name,
        deal=found.deal,
        decisions=ENGLISH.say_count(found.choices, "{count} decision", "{count} decisions"),
        number=ENGLISH.spelled(count),
    )
    if not count:
        return Whisper((heading,), Colour.HELPS)
    table = found.table.public
    parts: list[Part] = [heading]
    for one in found.costly:
        parts += [DIVIDER, _costly(table, one, None if is_own else name)]
    parts.append(f"-# {OWN_LEGEND if is_own else LEGEND.format(name=name)}")
    return Whisper(tuple(parts))


def _costly(table: PublicTable, one: Costly, name: str | None) -> str:
    """Where it was, what was chosen, what was better by how much, and why.

    A reason speaks to the player: where somebody else reads it, they are named and it is quoted.
    """
    view, best = one.decision.view, one.advice.best
    cost = about(one.cost, view.rules.point)
    better = f"{chips(best.cards) or 'Nothing'} was better by about **{cost} points**"
    reason = f"{capital(why(table, view, one.advice, one.chosen))}."
    told = f"“{reason}”" if name else reason
    return f"**{where(view)}** · {_did(one.decision, name or 'you')}\n{better}. {told}"


def where(view: SeatView) -> str:
    """`Trick 5`: when in its deal this was."""
    if view.deal.phase is Phase.PLAYING:
        return f"Trick {len(view.deal.tricks) + 1}"
    return "The pass" if view.deal.phase is Phase.PASSING else "Before the first trick"


def _did(decision: Decision, who: str) -> str:
    """`on 9♠ J♠ you played A♠`."""
    deal, cards = decision.view.deal, chips(decision.cards) or "nothing"
    if deal.phase is not Phase.PLAYING:
        return f"{who} passed {cards}" if deal.phase is Phase.PASSING else f"{who} exposed {cards}"
    lay = chips(deal.trick.cards)
    return f"on {lay} {who} played {cards}" if lay else f"{who} led {cards}"
