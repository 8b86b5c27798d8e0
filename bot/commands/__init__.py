"""Slash commands: they parse and call."""

from bot.commands.common import Tree
from bot.commands.hearts import Hearts
from bot.commands.help import help_command
from bot.commands.preferences import preferences_command
from bot.commands.privacy import Privacy
from bot.commands.standings import standing_commands
from bot.services import Services
from bot.status import StatusFor


def add_commands(tree: Tree, services: Services, status: StatusFor) -> None:
    """Add all of them; `status` answers /hearts status."""
    tree.reply, tree.limits = services.delivery.reply, services.limits
    tree.add_command(Hearts(services, status))
    tree.add_command(preferences_command(services))
    tree.add_command(Privacy(services))
    for command in standing_commands(services):
        tree.add_command(command)
    tree.add_command(help_command(services))
