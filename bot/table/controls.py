"""Controls that several of a table's messages share."""

from bot.vocabulary.controls import LOBBY, Action, Where, Who


class Start(Action, verb="start", who=Who.HOST, where=LOBBY, shows_game=True):
    """Deal."""


class OpenForm(Action, verb="ask", who=Who.HOST, where=LOBBY | Where.AROUND):
    """Open the form of this name, in which the host changes rules."""

    form: str


class SendForm(Action, verb="set", who=Who.HOST, where=LOBBY | Where.AROUND):
    """Change the rules as this form says."""

    form: str


class GoOn(Action, verb="on", who=Who.PLAYER, where=Where.ALONE, private=True, shows_game=True):
    """Go on with the player's current table alone."""
