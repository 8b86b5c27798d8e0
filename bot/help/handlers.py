"""Help: how to play by the rules of this channel's table, page by page, and the list of commands."""

from bot.answering.answering import Click, Services, command, handles
from bot.delivery import Reply
from bot.discord.contexts import Context
from bot.discord.permissions import invitation
from bot.help.pages import ListCommands, commands_page, help_alone, help_page
from bot.vocabulary.controls import Where, Who
from bot.vocabulary.messages import Whisper
from bot.words.how_to_play import USUAL_RULES, Learn, LearnPage, how_to_play
from engine.errors import Refusal
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.tables import Tables
from engine.tables.days import PLAYERS


@command(Who.ANYONE, Where.ANYWHERE)
async def help_command(services: Services, reply: Reply) -> None:
    """How to play, and what every command does."""
    table = services[Tables].in_channel(reply.place)
    rules, id = (table.rules, table.id) if table else (USUAL_RULES, 0)
    if reply.context is Context.SERVER:
        await reply.whisper(help_page(rules, id, reply.language))
    else:
        address = invitation(reply.interaction.application_id)
        await reply.whisper(help_alone(rules, id, address, reply.language))


@handles
async def learn(click: Click[Learn]) -> None:
    """Open the first page of how to play."""
    await click.reply.whisper(await _page(click, 0))


@handles
async def learn_page(click: Click[LearnPage]) -> None:
    """Show another page in the same message."""
    await click.edit(await _page(click, click.action.page))


@handles
async def list_commands(click: Click[ListCommands]) -> None:
    """List every command."""
    await click.reply.whisper(commands_page(click.language))


async def _page(click: Click[Learn] | Click[LearnPage], number: int) -> Whisper:
    if not click.table:
        game = click.action.game
        return how_to_play(_usual_rules(game) if game else USUAL_RULES, 0, number, click.language, game)
    table = await click.services[Tables].find(click.table)
    return how_to_play(table.rules, table.id, number, click.language)


def _usual_rules(game: str) -> Ruleset:
    """The usual rules of this game for a daily deal's four players; Refusal if it can't be played so."""
    if game not in PRESETS or PLAYERS not in PRESETS[game].players:
        raise Refusal("stale")
    return Ruleset.of(game, PLAYERS)
