"""What the buttons and selects do, by the verb in their custom id."""

from collections.abc import Awaitable, Callable

from bot.click import Click
from bot.controls import boards, hands, house, lobbies, privacy, seals, tables

Handler = Callable[[Click], Awaitable[None]]

CONTROLS: dict[str, Handler] = {
    "join": lobbies.join,
    "leave": lobbies.leave,
    "computer": lobbies.add_computer,
    "start": lobbies.start,
    "rules": house.show,
    "option": house.choose,
    "first": house.name_first,
    "pace": house.choose_pace,
    "endsat": house.ask_total,
    "total": house.set_total,
    "hand": hands.show,
    "pass": hands.choose_pass,
    "expose": hands.expose,
    "decline": hands.decline,
    "play": hands.play,
    "moon": hands.choose_moon,
    "back": tables.come_back,
    "retry": tables.try_again,
    "stop": tables.stop,
    "goon": tables.go_on,
    "rematch": tables.rematch,
    "check": seals.check,
    "board": boards.turn,
    "forget": privacy.forget,
    "remember": privacy.remember,
}
