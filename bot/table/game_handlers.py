"""A game in progress: players who join, leave and come back, and how it ends early."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bot.answering.answering import Click, Services, command, handles, number, person_of
from bot.delivery import Delivery, Reply
from bot.discord.contexts import check_server
from bot.discord.permissions import may_manage_channel
from bot.table import votes
from bot.table.hand_handlers import answer_with_hand, carrying_click
from bot.table.latecomers import (
    STAYS_OUT,
    ChangeLatecomers,
    ChooseSeat,
    StayOut,
    onlooker,
    seat_taken,
    which_seat,
)
from bot.table.lobby_handlers import greet, greet_in_thread, send_welcome
from bot.table.notices import TryAgain
from bot.table.rules import options_page
from bot.table.thread_lines import JoinInThread
from bot.table.votes import AnswerVote, Keep, Propose, Stop
from bot.vocabulary.controls import Action, Where, Who
from bot.vocabulary.messages import Whisper
from bot.words.buttons import AskForSeat, ComeBack
from bot.words.buttons import come_back as come_back_button
from engine.errors import Refusal
from engine.languages import N_
from engine.tables import Person, State, Table, Tables, changes, voting
from engine.tables.changes import check_may_take

#: The answers to a player who leaves a game in progress: usually, and where latecomers may take the seat.
LEFT = N_("You have left: a computer plays your cards until you come back.")
LEFT_TO_LATECOMERS = N_(
    "You have left: a computer plays your cards until you come back, "
    "or someone else takes your seat with a new deal."
)
#: The answer to a player who ends a game or closes a lobby without needing anyone's consent.
ENDED = N_("You ended it.")


# Coming and going


@command(Who.ANYONE, Where.ANYWHERE)
async def join_command(services: Services, reply: Reply) -> None:
    """Take a seat; mid-game, a computer's seat from the next deal."""
    if services[Tables].in_channel(reply.place) is None:
        check_server(reply.interaction)
    await _join(services, reply, services[Tables].at(reply.place), greet)


@handles
async def join_in_thread(click: Click[JoinInThread]) -> None:
    """Join the table in a thread from the post in its channel."""
    table = click.services[Tables].get(click.table)
    await _join(click.services, click.reply, table, _greet_from_channel)


async def _greet_from_channel(services: Services, reply: Reply, table: Table) -> None:
    _, message = await greet_in_thread(services, reply, table)
    await reply.whisper(message)


async def _join(
    services: Services,
    reply: Reply,
    table: Table,
    greeting: Callable[[Services, Reply, Table], Awaitable[None]],
) -> None:
    """Give this person a seat: any in a lobby; mid-game their own or a computer's."""
    person = person_of(reply.interaction)
    if table.state is State.LOBBY:
        await greeting(services, reply, await services[Tables].join(table.id, person))
    elif table.seat_of(person.id) is None:
        await offer_seat(services, reply, table, person)
    else:
        await answer_with_hand(services, reply, await services[Tables].join(table.id, person))


@handles
async def ask_for_seat(click: Click[AskForSeat]) -> None:
    """Take the one seat that is free, or ask which."""
    await offer_seat(click.services, click.reply, click.services[Tables].get(click.table), click.person)


async def offer_seat(services: Services, reply: Reply, table: Table, person: Person) -> None:
    """Give someone who joins mid-game a seat, or a choice of seats."""
    if table.claim_of(person.id):
        await reply.whisper(onlooker(table.public.in_language(reply.language), person.id))
        return
    check_may_take(table, person.id)
    if len(table.free_seats) > 1:
        await reply.whisper(which_seat(table.public.in_language(reply.language)))
    else:
        await reply.whisper(await take_seat(services, reply, table.id, table.free_seats[0]))


@handles
async def choose_seat(click: Click[ChooseSeat]) -> None:
    """Take the chosen seat."""
    seat = number(click.value)
    await click.edit(await take_seat(click.services, click.reply, click.table, seat))


async def take_seat(services: Services, reply: Reply, id: int, seat: int) -> Whisper:
    """Seat the person who clicked from the next deal on, and send them a first DM.

    Returns the answer to show them.
    """
    table = await services[Tables].take_seat(id, person_of(reply.interaction), seat)
    by_dm = await send_welcome(services, table, reply)
    return seat_taken(table.public.in_language(reply.language), reply.user_id, by_dm)


@handles
async def stay_out(click: Click[StayOut]) -> None:
    """Cancel taking a seat."""
    await click.change(changes.stay_out)
    await click.edit(Whisper((click.language.say(STAYS_OUT),)))


@handles
async def change_latecomers(click: Click[ChangeLatecomers]) -> None:
    """Open the seats to latecomers or close them, and answer with the updated options."""
    welcome = click.action.seats == "open"
    table = await click.change(changes.change_latecomers, welcome=welcome)
    await click.edit(options_page(table.public.in_language(click.language)))


@command(Who.PLAYER, Where.ANYWHERE)
async def leave_command(services: Services, reply: Reply) -> None:
    """Leave your seat: a computer plays for you until you come back, or someone takes your seat."""
    id = services[Tables].at(reply.place).id
    table = await services[Tables].change(id, changes.leave_or_stay_out, reply.user_id)
    language = reply.language
    if table.game is None:
        await reply.whisper(language.say("You have left the table."))
    elif table.is_private:
        await answer_with_hand(services, reply, table)
    elif table.seat_of(reply.user_id) is None:
        await reply.whisper(language.say(STAYS_OUT))
    else:
        sentences = [language.say(LEFT_TO_LATECOMERS if table.takes_latecomers else LEFT)]
        if not table.seats.are_for_one:
            sentences.append(language.say("If you're still away when the game ends, you come last."))
        await reply.whisper(Whisper((language.sentences(sentences), (come_back_button(table.id, language),))))


@handles
async def come_back(click: Click[ComeBack]) -> None:
    """Take the player's seat back from the computer."""
    tables = click.services[Tables]
    if click.action.deal is not None:  # the button is below a hand, which then shows the cards
        async with carrying_click(click, click.action.deal):
            await tables.join(click.table, click.person)
        return
    if not click.in_dm:
        await tables.join(click.table, click.person)
        await answer_with_hand(click.services, click.reply, tables.get(click.table))
        return
    # In a DM, the hand there is updated: a second one would only get in the way.
    dms = click.services[Delivery].dms.of(click.table, click.person.id)
    async with dms.carrying_side_dm_click(click.reply) as is_open:
        await tables.join(click.table, click.person)
    if not is_open:
        await click.edit(Whisper((click.language.say("You're back: your cards are yours again."),)))


# How it ends


@command(Who.ANYONE, Where.ANYWHERE)
async def end_command(services: Services, reply: Reply) -> None:
    """End the game as it stands, once more than half of the people at the table agree."""
    table, may_end = services[Tables].at(reply.place), True
    may_manage = not table.is_private and may_manage_channel(reply.interaction)
    try:
        voting.check_may_end(table, reply.user_id, services[Tables].now)
    except Refusal as refusal:
        if not may_manage or refusal.id == "tournament_decides":
            raise
        may_end = False
    public = table.public.in_language(reply.language)
    await reply.whisper(votes.end_question(public, may_end=may_end, may_manage=may_manage))


@handles
async def propose(click: Click[Propose]) -> None:
    """End the game at once or ask everyone at the table, once the player has confirmed `/hearts end`."""
    table = await click.services[Tables].end(click.table, click.person.id)
    await click.edit(Whisper((click.language.say(votes.ASKED if table.is_live else ENDED),)))


@handles
async def stop(click: Click[Stop]) -> None:
    """Stop the game without a result, as someone who may manage the channel."""
    may_manage = may_manage_channel(click.interaction)
    await click.change(changes.stop, may_manage=may_manage, name=click.person.name)
    await click.edit(Whisper((click.language.say("You stopped it."),)))


@handles
async def keep(click: Click[Keep]) -> None:
    """Cancel ending the game."""
    await click.edit(Whisper((click.language.say("The game goes on."),)))


@handles
async def answer_vote(click: Click[AnswerVote]) -> None:
    """Record the player's answer, and update the message with the button."""
    table = click.services[Tables].get(click.table)
    if table.vote is None:
        raise Refusal("vote_over")
    async with _carrying_answer(click, table, votes.vote_key(table.vote)):
        await click.change(voting.answer, click.action.vote, agrees=click.action.answer == "yes")


@asynccontextmanager
async def _carrying_answer(click: Click[Action], table: Table, key: str) -> AsyncIterator[None]:
    """Answer this click, in the channel or a DM, with the state that the question has after this block."""
    delivery, reply = click.services[Delivery], click.reply
    if not click.in_dm:
        async with delivery.posts.at(table.id, table.channel).carrying_click(key, reply):
            yield
        return
    async with delivery.dms.of(table.id, reply.user_id).carrying_side_dm_click(reply) as is_open:
        yield
    if not is_open:
        await reply.update(None)


@handles
async def try_again(click: Click[TryAgain]) -> None:
    """Let a paused game go on, if we may write in its channel again."""
    await click.services[Tables].change(click.table, changes.unpause)
    answer = click.language.say("I've tried. If I can write there again, the game goes on.")
    await click.edit(Whisper((answer,)))
