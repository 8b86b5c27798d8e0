"""A replay: one step of a finished deal with all hands open, and the controls that lead to others."""

from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace

from bot.replays import open_table
from bot.table import hints, scores, tricks
from bot.table.deal_breakdown import exposures
from bot.vocabulary.controls import HAND, PAGES, REVIEWS, Action, Where, Who
from bot.vocabulary.messages import Button, Choice, Colour, Part, Row, Select, Style, Whisper
from bot.words import par
from bot.words.text import bold, chips, harmless, length, names, plain
from bot.words.tones import stripe
from engine.errors import RecordError
from engine.languages import N_, Language
from engine.play import steps
from engine.play.deal import Deal
from engine.play.feats import is_sun
from engine.play.game import Game
from engine.play.public import PublicDeal
from engine.play.steps import Stage, Step
from engine.play.views import public_view
from engine.rules.wording import direction
from engine.tables import PublicTable, Review, State, Table

#: Deals on a page of the list, whose 25 choices include the pages before and after.
PAGE_SIZE = 23
#: Characters of a choice's hint.
LONGEST_HINT = 100
#: The sentence for a shot, by whether it is the sun.
SHOT = {False: N_("🌕 {who} has shot the moon!"), True: N_("☀️ {who} has shot the sun!")}


class ReplayAction(Action):
    """A control at a step of a replayed deal; `file` is 0 for a table's own game."""

    file: int
    deal: int
    step: int


class ShowStep(
    ReplayAction, verb="step", who=Who.ANYONE, where=HAND | Where.ANYWHERE, private=True, cost=PAGES / 2
):
    """Show this step; `slot` keeps apart the custom ids of two buttons that lead to it."""

    slot: int | None = None


class ChooseDeal(
    ReplayAction, verb="deals", who=Who.ANYONE, where=HAND | Where.ANYWHERE, private=True, cost=PAGES / 2
):
    """Show the chosen deal as it was dealt, or another page of the list."""


class Judge(
    ReplayAction, verb="costly", who=Who.ANYONE, where=HAND | Where.ANYWHERE, private=True, cost=REVIEWS
):
    """Show which of the chosen player's moves in this deal cost the most."""


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """A step of a deal in a game: a table's (`file` is 0) or an uploaded file's (`table` is 0)."""

    table: int
    file: int = 0
    deal: int = 1
    step: int = 0


def replay(table: Table, position: ReplayPosition, page: int | None = None) -> Whisper:
    """Show a step of a game's complete deals; `page` (from 0) is the page of the list of deals.

    IndexError if there is no such deal or step.
    """
    assert table.game is not None
    game, table = table.game.complete_deals, table.as_in(position.deal)
    if not 1 <= position.deal <= len(game.deals):
        raise IndexError(position.deal)
    complete = game.deals[position.deal - 1]
    at = steps.at(complete, position.step)
    then = _table_then(table, game, at)
    assert then.view is not None
    deal = then.view.deal
    assert deal is not None
    parts: list[Part] = [open_table.picture(then, deal, at, complete)]
    if events := "\n".join(_events(then, deal, at, complete)):
        parts.append(events)
    parts += _deal_list(table.public, game, position, page)
    parts += [_judged_seats(table.public, position), *_navigation(game, complete, position, table.language)]
    return Whisper(tuple(parts), _colour(then, deal, at))


def _table_then(table: Table, game: Game, at: Step) -> PublicTable:
    """The table as everyone saw it at this step, but with par if the game is over."""
    view = public_view(steps.game_at(game, at))
    state = State.OVER if at.stage is Stage.COUNTED else State.PLAYING
    pars = table.pars if table.state is State.OVER else {}
    return replace(table.public, view=view, state=state, timer=None, paused=False, pars=pars)


def _colour(table: PublicTable, deal: PublicDeal, at: Step) -> Colour:
    """Green or red if a trick has just been taken, by whether it helped or hurt."""
    is_whole = at.stage is Stage.PLAYED and not deal.trick.cards
    return stripe(table.rules, deal.tricks[-1].cost) if is_whole else Colour.TABLE


def _events(table: PublicTable, deal: PublicDeal, at: Step, complete: Deal) -> Iterator[str]:
    """Lines about what happened at this step."""
    match at.stage:
        case Stage.DEALT:
            yield from _dealt(table, deal)
        case Stage.PASSED:
            yield from _passed(table, complete)
        case Stage.EXPOSED:
            yield from _exposed(table, deal)
        case Stage.PLAYED:
            yield from _played(table, deal, complete)
        case Stage.COUNTED:
            yield from _counted(table, deal)


def _dealt(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    dealer = bold(table, deal.dealer)
    yield table.say("The cards of deal {deal} as {who} dealt them.", deal=deal.number, who=dealer)
    view = table.view
    if view and view.history:
        language = table.language
        totals = [f"{bold(table, seat)} {language.number(total)}" for seat, total in enumerate(view.totals)]
        yield f"-# {table.say('Totals before the deal: {totals}', totals=language.series(totals))}"
    yield from par.as_dealt(table, deal.number)


def _passed(table: PublicTable, complete: Deal) -> Iterator[str]:
    language = table.language
    yield language.say(
        "Everyone passed {cards} {direction}:",
        cards=language.cards(complete.rules.pass_cards),
        direction=direction(complete.offset, complete.rules.players, language),
    )
    yield " · ".join(
        [f"{bold(table, seat)} {chips(cards or ())}" for seat, cards in enumerate(complete.passes)]
    )


def _exposed(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    if not deal.exposures:
        yield table.say("Nobody exposes a card.")
        return
    yield from exposures(table, deal)


def _played(table: PublicTable, deal: PublicDeal, complete: Deal) -> Iterator[str]:
    """The last card played or, once the trick is complete, its winner; then what else this step settled."""
    if deal.trick.cards:
        seat, card = deal.trick.laid(table.rules.players)[-1]
        play = {"who": bold(table, seat), "card": chips([card])}
        if len(deal.trick.cards) == 1:
            yield table.say("{who} leads {card}.", **play)
        else:
            yield table.say("{who} plays {card}.", **play)
    else:
        yield tricks.outcome(table, deal.tricks[-1])
    if deal.on_hold:
        yield tricks.on_hold(deal, table.language)
    if deal.shooter is not None:
        yield table.say(SHOT[is_sun(complete)], who=bold(table, deal.shooter))
    if deal.trick.cards:
        return
    if complete.claimed_after == len(deal.tricks):
        who = bold(table, complete.tricks[complete.claimed_after].trick.leader)
        yield f"-# {table.say('From here on {who} takes every trick, whatever is played.', who=who)}"
    if complete.settled_after == len(deal.tricks):
        yield f"-# {table.say('From here on no points are left in this deal.')}"


def _counted(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """The points of the deal and, if it was the last, the winners of the game."""
    yield scores.short_standing(table, deal)
    if winners := table.winners:
        who = names(table, winners)
        # Note: One player wins, or several do.
        yield table.say_count(len(winners), "🏆 {who} wins!", "🏆 {who} win!", who=who)


# Controls


def _deal_list(table: PublicTable, game: Game, position: ReplayPosition, page: int | None) -> list[Part]:
    """A page of the list of deals; empty if there is only one."""
    last = len(game.deals)
    if last < 2:
        return []
    if page is None:
        page = (position.deal - 1) // PAGE_SIZE
    first = min(page, (last - 1) // PAGE_SIZE) * PAGE_SIZE
    choices = [
        Choice(
            table.say("Deal {number}", number=deal.number),
            str(deal.number),
            deal.number == position.deal,
            _points_hint(table, deal),
        )
        for deal in game.deals[first : first + PAGE_SIZE]
    ]
    if first:
        choices.insert(0, _page(first // PAGE_SIZE - 1, last, table.language))
    if first + PAGE_SIZE < last:
        choices.append(_page(first // PAGE_SIZE + 1, last, table.language))
    prompt = table.say("Deal {number} of {count}", number=position.deal, count=last)
    return [Select(ChooseDeal(*astuple(position)), prompt, tuple(choices))]


def _page(page: int, last: int, language: Language) -> Choice:
    first = page * PAGE_SIZE + 1
    end = min(first + PAGE_SIZE - 1, last)
    return Choice(language.say("Deals {first} to {last} …", first=first, last=end), f"p{page}")


def _points_hint(table: PublicTable, deal: Deal) -> str:
    """Each player's points in a deal, the most first, up to LONGEST_HINT characters."""
    points = deal.points or ()
    seats = sorted(range(len(points)), key=lambda seat: -abs(points[seat]))
    moon = ["☀️" if is_sun(deal) else "🌕"] if deal.shooter is not None else []
    parts = [
        f"{plain(table.names[seat], table.language, 12)} {table.language.change(points[seat])}"
        for seat in seats
        if points[seat]
    ]
    hint = ""
    for part in [*moon, *parts]:
        longer = f"{hint} · {part}" if hint else part
        if length(longer) > LONGEST_HINT:
            break
        hint = longer
    return hint or table.say("No points")


def _judged_seats(table: PublicTable, position: ReplayPosition) -> Select:
    """The list of players whose costliest moves in this deal can be shown."""
    choices = [Choice(plain(name, table.language), str(number)) for number, name in enumerate(table.names)]
    return Select(Judge(*astuple(position)), table.say("Costliest moves of …"), tuple(choices))


def _navigation(game: Game, complete: Deal, position: ReplayPosition, language: Language) -> list[Row]:
    """A row of buttons that lead back, and one that lead on: to the end, by card, and by trick."""
    stops, last = steps.stops(complete), steps.count(complete) - 1
    before = [replace(position, step=stop) for stop in stops if stop < position.step]
    after = [replace(position, step=stop) for stop in stops if stop > position.step]
    back, forth = language.say("‹ Trick"), language.say("Trick ›")
    if not before and position.deal > 1:
        earlier = game.deals[position.deal - 2]
        back = language.say("‹ Deal {number}", number=earlier.number)
        before = [replace(position, deal=earlier.number, step=steps.count(earlier) - 1)]
    if not after and position.deal < len(game.deals):
        forth = language.say("Deal {number} ›", number=position.deal + 1)
        after = [replace(position, deal=position.deal + 1, step=0)]
    targets = [
        (language.say("« Start"), replace(position, step=0) if position.step else None),
        (language.say("‹ Card"), replace(position, step=position.step - 1) if position.step else None),
        (back, before[-1] if before else None),
        (language.say("End »"), replace(position, step=last) if position.step < last else None),
        (language.say("Card ›"), replace(position, step=position.step + 1) if position.step < last else None),
        (forth, after[0] if after else None),
    ]
    row = [
        Button(label, _show(to or position, slot), enabled=to is not None)
        for slot, (label, to) in enumerate(targets)
    ]
    return [tuple(row[:3]), (*row[3:5], replace(row[5], style=Style.MAIN))]


def _show(to: ReplayPosition, slot: int) -> ShowStep:
    return ShowStep(to.table, to.file, to.deal, to.step, slot)


# Other answers


def costliest(review: Review, position: ReplayPosition, who: int) -> Whisper:
    """A seat's costliest choices in a deal, with a button to each; `who` is the person asking."""
    assert review.table.game is not None
    complete = review.table.game.deals[review.deal - 1]
    buttons = []
    for slot, one in enumerate(review.costly):
        view = one.decision.view
        target = replace(position, deal=review.deal, step=steps.number_of(complete, view.deal))
        buttons.append(Button(f"{hints.where(view, review.table.language)} ›", _show(target, slot)))
    is_own = review.table.seats[review.seat].person == who
    page = hints.review(review) if is_own else hints.review_of(review)
    return replace(page, parts=(*page.parts, tuple(buttons))) if buttons else page


def faulty(name: str, fault: RecordError, language: Language) -> Whisper:
    """Why a file's game can't be shown, and the deal and card at fault."""
    sentences = [
        language.say("**{file}** can't be shown.", file=harmless(name, language)),
        harmless(fault.told(language), language),
    ]
    where = ""
    if fault.deal is not None and fault.play is not None:
        where = language.say("Deal {deal}, card {card}", deal=fault.deal, card=fault.play + 1)
    elif fault.deal is not None:
        where = language.say("Deal {number}", number=fault.deal)
    return Whisper((language.sentences(sentences) + (f"\n-# {where}" if where else ""),))
