"""What a strong player would do and why, and which choices of a deal cost most."""

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

#: Hints by phase: what to do, and why.
ADVICE = {
    Phase.PASSING: N_("💡 **Pass** {cards}: {reason}."),
    Phase.EXPOSING: N_("💡 **Expose** {cards}: {reason}."),
    Phase.PLAYING: N_("💡 **Play** {cards}: {reason}."),
}
#: The most cards that a hint lists as about equally good.
FEW = 3
#: Shown while a deal is being reviewed.
LOOKING_BACK = N_("Reviewing deal {deal}, decision by decision. This takes a few seconds.")


class GiveHint(DealAction, verb="hint", who=Who.HOLDER, where=GAME, private=True, cost=HINTS):
    """Show what a strong player would do after this number of tricks."""

    trick: int


class Deeds(NamedTuple):
    """Clauses for what a player did, as in `Trick 5 · on 9♠ J♠ you played A♠`."""

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


def ask(table: PublicTable, view: SeatView, advice: Advice | None) -> Row:
    """The button that asks for a hint; disabled if there is no choice, or `advice` is shown already."""
    if not table.gives_hints:
        return ()
    # On this player's turn, `played` is the number of finished tricks; it doesn't change before that, so the
    # button needn't be repainted.
    action = GiveHint(table.id, view.deal.number, view.played)
    return (Button(table.say("Hint"), action, enabled=advice is None and has_choice(view)),)


def hint_counts(table: PublicTable, deal: PublicDeal) -> tuple[tuple[int, int], ...]:
    """The seats of players who asked for hints in this deal, each with how often.

    A hint isn't counted before the next card, so that showing it costs no extra call.
    """
    if not table.asked:
        return ()
    now = cards_played(deal)
    counts = Counter(one.seat for one in table.asked if one.deal == deal.number and one.after < now)
    return tuple([(seat, counts[seat]) for seat in sorted(counts) if table.seats[seat].person is not None])


def hint(table: PublicTable, view: SeatView, advice: Advice) -> str:
    """What a strong player would do, why, and what else it weighed."""
    reason = why(table, view, advice)
    recommendation = _best(table, advice, reason)
    if advice.phase is not Phase.PLAYING or len(advice.options) == 1:
        return recommendation
    look = Look(table, view, advice.best, advice.options[1:])
    return f"{table.language.sentences([recommendation, *_aside(look, reason)])}\n-# {_weighed(look)}"


def _best(table: PublicTable, advice: Advice, reason: str) -> str:
    best = advice.best
    if not best.cards:
        return table.say("💡 **Expose** nothing: {reason}.", reason=reason)
    # Such as `Q♠ A♥` to pass, and `8♠, 7♠ or 6♠` to play.
    cards = table.language.either([chips(best.cards), *map(chip, best.same)])
    return table.say(ADVICE[advice.phase], cards=cards, reason=reason)


def _alternatives(look: Look) -> tuple[Option, ...]:
    """The options whose points are shown beside the best one's: the second best and the worst."""
    return (*look.others[:1], *look.others[1:][-1:])


def _aside(look: Look, reason: str) -> Iterator[str]:
    """Which options are about as good or, if none is, why one with better points isn't."""
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
        for other in _alternatives(look):
            if look.gain(other) < 0 and not look.is_equal(other) and chips(other.cards) not in reason:
                yield language.sentence(look.compared(other))
                break


def _weighed(look: Look) -> str:
    """The average points of the best option and its alternatives; about equal ones are listed together."""
    alternatives = _alternatives(look)
    equal = [chips(other.cards) for other in alternatives if look.is_equal(other)]
    rest = [
        f"{chips(other.cards)} {look.about(other.expected)}"
        for other in alternatives
        if not look.is_equal(other)
    ]
    best = look.table.language.either([chips(look.best.cards), *equal])
    points = " · ".join([f"{best} {look.about(look.best.expected)}", *rest])
    return look.table.say("Your points in this deal, on average: {points}.", points=points)


# Reviews


def review(findings: Review) -> Whisper:
    """The player's own decisions that cost most, or praise."""
    return _page(findings, *_about_you(findings), name=None)


def review_of(findings: Review) -> Whisper:
    """Another player's decisions that cost most, or praise, for someone watching the replay."""
    name = person(findings.table.names[findings.seat], findings.table.language)
    return _page(findings, *_about(findings, name), name=name)


def _about_you(findings: Review) -> tuple[str, str]:
    """The heading and the verdict, addressed to the player."""
    say, say_count, count = findings.table.say, findings.table.say_count, len(findings.costly)
    if not count:
        verdict = say_count(
            findings.choices,
            "You made {count} decision in deal {deal}, and judged by what could be known then, "
            "I wouldn't change any that mattered.",
            "You made {count} decisions in deal {deal}, and judged by what could be known then, "
            "I wouldn't change any that mattered.",
            deal=findings.deal,
        )
        return say(
            "Well played, {who}!", who=person(findings.table.names[findings.seat], findings.table.language)
        ), verdict
    heading = say("How you played deal {deal}", deal=findings.deal)
    if count == 1:
        return heading, say_count(
            findings.choices,
            "Of your {count} decision, this one cost you the most:",
            "Of your {count} decisions, this one cost you the most:",
        )
    return heading, say_count(
        findings.choices,
        "Of your {count} decision, these {number} cost you the most:",
        "Of your {count} decisions, these {number} cost you the most:",
        number=findings.table.language.spelled(count),
    )


def _about(findings: Review, name: str) -> tuple[str, str]:
    """The heading and the verdict about another player."""
    say, say_count, count = findings.table.say, findings.table.say_count, len(findings.costly)
    if not count:
        return say("Well played by {who}!", who=name), say_count(
            findings.choices,
            "{who} made {count} decision in deal {deal}, and judged by what could be known then, "
            "I wouldn't change any that mattered.",
            "{who} made {count} decisions in deal {deal}, and judged by what could be known then, "
            "I wouldn't change any that mattered.",
            who=name,
            deal=findings.deal,
        )
    heading = say("{who} in deal {deal}", who=name, deal=findings.deal)
    if count == 1:
        return heading, say_count(
            findings.choices,
            "Of {who}'s {count} decision, this one cost the most:",
            "Of {who}'s {count} decisions, this one cost the most:",
            who=name,
        )
    return heading, say_count(
        findings.choices,
        "Of {who}'s {count} decision, these {number} cost the most:",
        "Of {who}'s {count} decisions, these {number} cost the most:",
        who=name,
        number=findings.table.language.spelled(count),
    )


def _page(findings: Review, heading: str, verdict: str, name: str | None) -> Whisper:
    table = findings.table.public
    if not findings.choices:
        heading = table.say("Deal {deal}", deal=findings.deal)
        nothing = table.say("There was nothing to decide: the cards did it all.")
        return Whisper((f"### {heading}\n{nothing}",), Colour.HELPS)
    if not findings.costly:
        praise = table.language.sentences([verdict, table.say("Blame the cards for the rest.")])
        return Whisper((f"### {heading}\n{praise}",), Colour.HELPS)
    parts: list[Part] = [f"### {heading}\n{verdict}"]
    for costly in findings.costly:
        parts += [DIVIDER, _costly(table, costly, name)]
    parts.append(f"-# {_legend(table, name)}")
    return Whisper(tuple(parts))


def _legend(table: PublicTable, name: str | None) -> str:
    """The small print below a review of the reader's own play or, with a `name`, of another player's."""
    if name is None:
        return table.say("Judged only by what you knew, over many possible layouts.")
    quoted = table.say("The words in quotation marks are advice to {who}.", who=name)
    judged = table.say("Judged only by what {who} knew, over many possible layouts.", who=name)
    return table.language.sentences([quoted, judged])


def _costly(table: PublicTable, costly: Costly, name: str | None) -> str:
    """When a costly decision was made, what it was, what was better, by how much, and why.

    The reason addresses the player, so with a `name`, for other readers, it is quoted.
    """
    view, best, language = costly.decision.view, costly.advice.best, table.language
    cost = about(costly.cost, view.rules.point, language)
    if best.cards:
        cards = chips(best.cards)
        better = table.say("{cards} was better by about **{points} points**.", cards=cards, points=cost)
    else:
        better = table.say("Exposing nothing was better by about **{points} points**.", points=cost)
    reason = language.sentence(why(table, view, costly.advice, costly.chosen))
    advice = table.say("“{advice}”", advice=reason) if name else reason
    did = f"**{where(view, language)}** · {_did(table, costly.decision, name)}"
    return f"{did}\n{language.sentences([better, advice])}"


def where(view: SeatView, language: Language) -> str:
    """When in its deal a decision was made: `Trick 5`."""
    if view.deal.phase is Phase.PLAYING:
        return language.say("Trick {trick}", trick=len(view.deal.tricks) + 1)
    if view.deal.phase is Phase.PASSING:
        return language.say("The pass")
    return language.say("Before the first trick")


def _did(table: PublicTable, decision: Decision, name: str | None) -> str:
    """What the player did: `on 9♠ J♠ you played A♠`."""
    deal, deeds = decision.view.deal, THEIRS if name else YOURS
    if deal.phase is Phase.PASSING:
        words = deeds.passed
    elif deal.phase is not Phase.PLAYING:
        words = deeds.exposed if decision.cards else deeds.exposed_nothing
    else:
        words = deeds.followed if deal.trick.cards else deeds.led
    return table.say(words, who=name, cards=chips(decision.cards), trick=chips(deal.trick.cards))
