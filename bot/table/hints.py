"""What a strong player would do and why, and which choices of a deal cost most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from bot.table.reasons import why
from bot.table.reasons.look import Look, about
from bot.vocabulary.controls import GAME, HINTS, DealAction, Who
from bot.vocabulary.messages import DIVIDER, Button, Colour, Part, Row, Whisper
from bot.words.text import chip, chips, person
from engine.languages import N_, Language
from engine.play.deal import Phase
from engine.play.public import PublicDeal
from engine.play.views import SeatView
from engine.players.advice import Advice, Costly, Decision, Option
from engine.tables import PublicTable, Review
from engine.tables.table import cards_played, has_choice

#: What to do, and why.
ADVICE = {
    Phase.PASSING: N_("💡 **Pass** {cards}: {reason}."),
    Phase.EXPOSING: N_("💡 **Expose** {cards}: {reason}."),
    Phase.PLAYING: N_("💡 **Play** {cards}: {reason}."),
}
#: The most cards that are named in an aside.
FEW = 3
#: While a deal is looked back on.
LOOKING_BACK = N_("Reviewing deal {deal}, decision by decision. This takes a few seconds.")


class GiveHint(DealAction, verb="hint", who=Who.HOLDER, where=GAME, private=True, cost=HINTS):
    """Show what a strong player would do after this number of tricks."""

    trick: int


class Deeds(NamedTuple):
    """What a player did, told of where it was: `Trick 5 · on 9♠ J♠ you played A♠`."""

    passed: str
    exposed: str
    exposed_nothing: str
    led: str
    followed: str


YOURS = Deeds(
    N_("you passed {cards}"),
    N_("you exposed {cards}"),
    N_("you exposed nothing"),
    N_("you led {cards}"),
    N_("on {trick} you played {cards}"),
)
THEIRS = Deeds(
    N_("{who} passed {cards}"),
    N_("{who} exposed {cards}"),
    N_("{who} exposed nothing"),
    N_("{who} led {cards}"),
    N_("on {trick} {who} played {cards}"),
)


def ask(table: PublicTable, view: SeatView, given: Advice | None) -> Row:
    """Asks what a strong player would do here; disabled where there is no choice or the hint is given."""
    if not table.gives_hints:
        return ()
    # In this player's turn as many tricks are done; meanwhile the button needs no repainting.
    action = GiveHint(table.id, view.deal.number, view.played)
    return (Button(table.say("Hint"), action, enabled=given is None and has_choice(view)),)


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
    told = _best(table, advice, reason)
    if advice.phase is not Phase.PLAYING or len(advice.options) == 1:
        return told
    look = Look(table, view, advice.best, advice.options[1:])
    return f"{table.language.sentences([told, *_aside(look, reason)])}\n-# {_weighed(look)}"


def _best(table: PublicTable, advice: Advice, reason: str) -> str:
    best = advice.best
    if not best.cards:
        return table.say("💡 **Expose** nothing: {reason}.", reason=reason)
    # Such as `Q♠ A♥` to pass, and `8♠, 7♠ or 6♠` to play.
    cards = table.language.either([chips(best.cards), *map(chip, best.same)])
    return table.say(ADVICE[advice.phase], cards=cards, reason=reason)


def _shown(look: Look) -> tuple[Option, ...]:
    """The options beside the best one whose points are told: the next and the worst."""
    return (*look.others[:1], *look.others[1:][-1:])


def _aside(look: Look, reason: str) -> Iterator[str]:
    """Why another option with fewer points is not better, or that others are about as good."""
    language = look.table.language
    equal = [chips(other.cards) for other in look.others if look.is_equal(other)]
    if len(equal) > FEW and len(equal) < len(look.others):
        yield language.say("Several others are about as good.")
    elif 0 < len(equal) < len(look.others):
        yield language.say_count(
            len(equal),
            "{cards} is about as good.",
            "{cards} are about as good.",
            cards=language.listing(equal),
        )
    else:
        for other in _shown(look):
            if look.gain(other) < 0 and not look.is_equal(other) and chips(other.cards) not in reason:
                yield language.sentence(look.compared(other))
                break


def _weighed(look: Look) -> str:
    """What the best options bring, and the worst; those that are about as good as the best together."""
    shown = _shown(look)
    equal = [chips(other.cards) for other in shown if look.is_equal(other)]
    rest = [
        f"{chips(other.cards)} {look.about(other.expected)}" for other in shown if not look.is_equal(other)
    ]
    best = look.table.language.either([chips(look.best.cards), *equal])
    points = " · ".join([f"{best} {look.about(look.best.expected)}", *rest])
    return look.table.say("Your points in this deal, on average: {points}.", points=points)


# Looking back


def review(found: Review) -> Whisper:
    """The asker's own choices that cost most, or praise."""
    return _looked_back(found, *_about_you(found), name=None)


def review_of(found: Review) -> Whisper:
    """Another player's choices that cost most, or praise, for someone who watches the replay."""
    name = person(found.table.names[found.seat], found.table.language)
    return _looked_back(found, *_about(found, name), name=name)


def _about_you(found: Review) -> tuple[str, str]:
    """The heading, and what was found in a word."""
    say, say_count, count = found.table.say, found.table.say_count, len(found.costly)
    if not count:
        told = say_count(
            found.choices,
            "You made {count} decision in deal {deal}, and judged by what could be known then, "
            "I wouldn't change any that mattered.",
            "You made {count} decisions in deal {deal}, and judged by what could be known then, "
            "I wouldn't change any that mattered.",
            deal=found.deal,
        )
        return say(
            "Well played, {who}!", who=person(found.table.names[found.seat], found.table.language)
        ), told
    heading = say("How you played deal {deal}", deal=found.deal)
    if count == 1:
        return heading, say_count(
            found.choices,
            "Of your {count} decision, this one cost you the most:",
            "Of your {count} decisions, this one cost you the most:",
        )
    return heading, say_count(
        found.choices,
        "Of your {count} decision, these {number} cost you the most:",
        "Of your {count} decisions, these {number} cost you the most:",
        number=found.table.language.spelled(count),
    )


def _about(found: Review, name: str) -> tuple[str, str]:
    """The heading about another player, and what was found in a word."""
    say, say_count, count = found.table.say, found.table.say_count, len(found.costly)
    if not count:
        return say("Well played by {who}!", who=name), say_count(
            found.choices,
            "{who} made {count} decision in deal {deal}, and judged by what could be known then, "
            "I wouldn't change any that mattered.",
            "{who} made {count} decisions in deal {deal}, and judged by what could be known then, "
            "I wouldn't change any that mattered.",
            who=name,
            deal=found.deal,
        )
    heading = say("{who} in deal {deal}", who=name, deal=found.deal)
    if count == 1:
        return heading, say_count(
            found.choices,
            "Of {who}'s {count} decision, this one cost the most:",
            "Of {who}'s {count} decisions, this one cost the most:",
            who=name,
        )
    return heading, say_count(
        found.choices,
        "Of {who}'s {count} decision, these {number} cost the most:",
        "Of {who}'s {count} decisions, these {number} cost the most:",
        who=name,
        number=found.table.language.spelled(count),
    )


def _looked_back(found: Review, heading: str, told: str, name: str | None) -> Whisper:
    table = found.table.public
    if not found.choices:
        heading = table.say("Deal {deal}", deal=found.deal)
        nothing = table.say("There was nothing to decide: the cards did it all.")
        return Whisper((f"### {heading}\n{nothing}",), Colour.HELPS)
    if not found.costly:
        praise = table.language.sentences([told, table.say("Blame the cards for the rest.")])
        return Whisper((f"### {heading}\n{praise}",), Colour.HELPS)
    parts: list[Part] = [f"### {heading}\n{told}"]
    for one in found.costly:
        parts += [DIVIDER, _costly(table, one, name)]
    parts.append(f"-# {_legend(table, name)}")
    return Whisper(tuple(parts))


def _legend(table: PublicTable, name: str | None) -> str:
    """What is said below a review of one's own, or of another player's deal."""
    if name is None:
        return table.say("Judged only by what you knew, over many possible layouts.")
    quoted = table.say("The words in quotation marks are advice to {who}.", who=name)
    judged = table.say("Judged only by what {who} knew, over many possible layouts.", who=name)
    return table.language.sentences([quoted, judged])


def _costly(table: PublicTable, one: Costly, name: str | None) -> str:
    """Where it was, what was chosen, what was better by how much, and why.

    A reason speaks to the player: where someone else reads it, they are named and it is quoted.
    """
    view, best, language = one.decision.view, one.advice.best, table.language
    cost = about(one.cost, view.rules.point, language)
    if best.cards:
        cards = chips(best.cards)
        better = table.say("{cards} was better by about **{points} points**.", cards=cards, points=cost)
    else:
        better = table.say("Exposing nothing was better by about **{points} points**.", points=cost)
    reason = language.sentence(why(table, view, one.advice, one.chosen))
    told = table.say("“{advice}”", advice=reason) if name else reason
    did = f"**{where(view, language)}** · {_did(table, one.decision, name)}"
    return f"{did}\n{language.sentences([better, told])}"


def where(view: SeatView, language: Language) -> str:
    """`Trick 5`: when in its deal this was."""
    if view.deal.phase is Phase.PLAYING:
        return language.say("Trick {trick}", trick=len(view.deal.tricks) + 1)
    if view.deal.phase is Phase.PASSING:
        return language.say("The pass")
    return language.say("Before the first trick")


def _did(table: PublicTable, decision: Decision, name: str | None) -> str:
    """`on 9♠ J♠ you played A♠`."""
    deal, deeds = decision.view.deal, THEIRS if name else YOURS
    if deal.phase is Phase.PASSING:
        told = deeds.passed
    elif deal.phase is not Phase.PLAYING:
        told = deeds.exposed if decision.cards else deeds.exposed_nothing
    else:
        told = deeds.followed if deal.trick.cards else deeds.led
    return table.say(told, who=name, cards=chips(decision.cards), trick=chips(deal.trick.cards))
