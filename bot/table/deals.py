"""The one post that shows a deal, from the first open card to the last trick."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.table import tricks
from bot.table.deal_breakdown import exposures, still_face_up
from bot.table.hints import hint_counts
from bot.table.table_scene import description, table_scene
from bot.vocabulary.messages import Button, Colour, Part, Picture, Post, Whisper
from bot.vocabulary.scenes import TableScene
from bot.words import buttons, par
from bot.words.deadlines import with_deadline
from bot.words.text import bold, chip, length, player
from engine.languages import N_
from engine.play.deal import Phase
from engine.play.feats import moon_threat
from engine.play.public import PublicDeal
from engine.rules.options import Moon, MoonChoice
from engine.rules.plays import Trick
from engine.tables import PublicTable, State

#: Characters that fit into a post: a little below Discord's limit, for safety.
ROOM = 3900
#: Seconds that a new post waits for the opening lead, which mostly plays itself.
OPENS = 1.5
#: One player may be shooting the moon: usually, where other cards count as well, and with a kitty.
EVERY_POINT = N_("{who} has taken every point so far.")
MOON_CARDS = N_("{who} has taken every card of the moon so far.")
IN_TRICKS = N_("{who} has taken every point in the tricks so far.")
#: While a deal goes on, only its latest tricks are listed; a button shows all.
LATEST = 2
#: The most players whose names fit into each line of a list of tricks; with more, only the leader's is there.
NAMED = 5


def post(table: PublicTable, deal: PublicDeal) -> Post:
    """The table as a picture, whose turn it is, and the latest tricks; all of them once the deal is over."""
    is_going_on = table.state is State.PLAYING and deal.phase is not Phase.DONE
    board = picture(table, deal)
    text = "\n".join(
        [
            *news(table, deal),
            *(_awaited(table, deal) if is_going_on else ()),
            *_dropped(table, deal),
            *_played_out(table, deal),
            *_hints(table, deal),
        ]
    )
    parts: list[Part] = [board, *([text] if text else [])]
    if is_going_on:
        parts += latest(table, deal)
        parts.append((buttons.my_hand(table), *all_tricks(table, deal), *buttons.watch(table)))
    else:
        against = par.of_deal(table, deal)
        parts += [against] if against else []
        parts += finished(table, deal, ROOM - length(board.words) - length(text) - length(against))
    colour = Colour.TABLE if is_going_on else Colour.DONE
    trick = len(deal.tricks) if is_going_on else None  # a deal that is over stays above what follows
    is_empty = deal.phase is Phase.PLAYING and not deal.tricks and not deal.trick.cards
    return Post(
        tuple(parts),
        colour,
        patience=OPENS if is_empty else 0.0,
        repost_on_change_of=trick,
        can_wait=not is_going_on and deal.number in table.pars,
    )


def finished_trick(table: PublicTable, deal: PublicDeal) -> Post:
    """The deal's post as it was before the lead to the current trick."""
    leader = deal.trick.leader
    before = replace(deal, trick=Trick(leader), winning=None, cancelled=frozenset(), turn=leader)
    # The timer belongs to the player whose turn it is now.
    return post(table if leader == deal.turn else replace(table, timer=None), before)


def picture(table: PublicTable, deal: PublicDeal) -> Picture:
    """The table as a picture, with its description and the text that can replace it."""
    scene = table_scene(table, deal)
    return Picture(scene, description(table, deal, scene), _words(table, deal, scene))


def _words(table: PublicTable, deal: PublicDeal, scene: TableScene) -> str:
    """The text that can replace the picture."""
    heading = f"### {scene.title}"
    lines = [f"{heading} · {table.say('♥ broken')}" if scene.note else heading]
    if deal.trick.cards:
        lines.append(tricks.going_on(table, deal))
    elif deal.tricks:
        lines.append(tricks.complete(table, deal.tricks[-1]))
        lines += [tricks.on_hold(deal, table.language)] * bool(deal.on_hold)
    return "\n".join([*lines, *_exposed(table, deal)])


def _exposed(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """C2: the cards that were exposed and those still face up; it is secret who is still deciding."""
    if not table.rules.preset.exposable:
        return
    say = table.say
    if not deal.exposures:
        yield say("Exposed: nothing yet.") if deal.phase is Phase.EXPOSING else say("Exposed: nothing.")
    yield from exposures(table, deal)
    if len(deal.exposures) == len(table.rules.preset.exposable) and not deal.tricks:
        seat, fourth = deal.exposures[-1]
        who, card = bold(table, seat), chip(fourth)
        yield say("Once three are exposed the fourth must be: {who} {card}.", who=who, card=card)
    yield from still_face_up(table, deal)


def news(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """Lines about a moon that was shot, or that someone may be shooting."""
    yield from _moon(table, deal)
    yield from _every_point(table, deal)


def _moon(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """Who shot the moon, and what they have chosen where the rules let them choose."""
    if deal.shooter is None or table.rules.moon is not Moon.CHOICE:
        return
    who, (own, others) = bold(table, deal.shooter), table.rules.counting.moon_choice
    yield f"🌕 {table.say('{who} shoots the moon!', who=who)}"
    if deal.choice is MoonChoice.ADD:
        yield table.say("Everyone else gets **{points}**.", points=table.language.change(others))
    elif deal.choice is MoonChoice.SUBTRACT:
        yield table.say("{who} takes **{points}**.", who=who, points=table.language.change(own))


def _every_point(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """Who has taken every point so far, while that may become a moon."""
    if not table.points_out_moons or (seat := moon_threat(table.rules, deal)) is None:
        return
    others_count = any(points for other, points in enumerate(deal.so_far) if other != seat)
    # W3: someone may have points from the kitty, which nobody else knows.
    words = IN_TRICKS if table.rules.kitty is not None else MOON_CARDS if others_count else EVERY_POINT
    yield f"👀 {table.say(words, who=bold(table, seat))}"


def _awaited(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """A line saying whom the table is waiting for, and until when."""
    match deal.phase:
        case Phase.EXPOSING:
            sentence = table.say("Players who can expose a card are being asked.")
            yield with_deadline(table, f"-# {sentence}")
        case Phase.CHOOSING_MOON if deal.shooter is not None:
            own, others = map(table.language.change, table.rules.counting.moon_choice)
            sentence = table.say(
                "{who} chooses: {own} for the shooter, or {others} for everyone else.",
                who=bold(table, deal.shooter),
                own=own,
                others=others,
            )
            yield with_deadline(table, sentence)
        case Phase.PLAYING if deal.turn is not None:
            sentence = N_("Waiting for {who}.") if deal.trick.cards else N_("{who} leads.")
            yield with_deadline(table, table.say(sentence, who=player(table, deal.turn)))


def _dropped(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """A line saying that the game ended in the middle of this deal."""
    if table.state is State.OVER and deal.phase is not Phase.DONE:
        yield f"-# {table.say('The game ended here: this deal does not count.')}"


def _played_out(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """A line saying why the deal finished itself, if it did."""
    if not table.finishes_early:
        return
    if deal.claimed_after is not None:
        sentence = table.say(
            "After trick {trick} the rest was sure to go to {who}, so the deal finished itself.",
            trick=deal.claimed_after,
            who=bold(table, deal.tricks[deal.claimed_after].trick.leader),
        )
        yield f"-# {sentence}"
    elif deal.settled_after is not None:
        sentence = table.say(
            "After trick {trick} no points were left, so the deal finished itself.", trick=deal.settled_after
        )
        yield f"-# {sentence}"


def _hints(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """A line naming the players who asked for hints in this deal."""
    counts = hint_counts(table, deal)
    if len(counts) == 1:
        [(seat, count)] = counts
        sentence = table.say_count(
            count, "{who} asked for a hint.", "{who} asked for {count} hints.", who=bold(table, seat)
        )
        yield f"-# 💡 {sentence}"
    elif counts:
        each = [bold(table, seat) + f" ({count})" * (count > 1) for seat, count in counts]
        yield f"-# 💡 {table.say('{players} asked for hints.', players=table.language.listing(each))}"


def latest(table: PublicTable, deal: PublicDeal) -> list[str]:
    """The last tricks, the newest first."""
    return _listing(table, deal, range(len(deal.tricks))[-LATEST:], table.say("Latest tricks"))


def all_tricks(table: PublicTable, deal: PublicDeal) -> tuple[Button, ...]:
    """The button that shows all finished tricks; none as long as `latest` lists them all."""
    return (buttons.tricks(table, deal.number),) if len(deal.tricks) > LATEST else ()


def every_trick(table: PublicTable, deal: PublicDeal) -> Whisper:
    """All finished tricks of a deal, as a private message."""
    heading = f"### {table.say('Deal {deal}', deal=deal.number)}"
    return Whisper((heading, *finished(table, deal, ROOM)), Colour.DONE)


def finished(table: PublicTable, deal: PublicDeal, room: int) -> list[str]:
    """All finished tricks, newest first; to fit into `room` characters, the oldest may lack most names."""
    return _listing(table, deal, range(len(deal.tricks)), table.say("Tricks"), room)


def _listing(
    table: PublicTable, deal: PublicDeal, indices: Sequence[int], heading: str, room: int = ROOM
) -> list[str]:
    """A line for each trick, the newest first."""
    if not indices:
        return []
    heading = f"-# **{heading}**"
    with_names = table.rules.players <= NAMED
    lines = [f"-# {tricks.listed(table, deal, index, with_names=with_names)}" for index in indices]
    for place, index in enumerate(indices):
        if length("\n".join([heading, *lines])) <= room:
            break
        lines[place] = f"-# {tricks.listed(table, deal, index, with_names=False)}"
    return ["\n".join([heading, *reversed(lines)])]
