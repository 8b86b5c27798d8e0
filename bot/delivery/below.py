"""Whether others have written below a message: we read none, but clicks and commands tell the newest one."""

from __future__ import annotations

from collections import deque

import discord

#: So many ids of a channel are remembered, of others' messages and of ours.
REMEMBERED = 50


class Below:
    """The newest messages of the channels that are watched, which we have not written."""

    def __init__(self) -> None:
        self._watched: dict[int, _Channel] = {}

    def watch(self, channel: int) -> None:
        """Listen to this channel from now on: whose the messages of before are, nobody can say."""
        self._watched.setdefault(channel, _Channel())

    def heard(self, channel: int, newest: int) -> None:
        """This is the channel's newest message."""
        if found := self._watched.get(channel):
            found.heard(newest)

    def wrote(self, channel: int, message: int) -> None:
        """This one is ours."""
        if found := self._watched.get(channel):
            found.wrote(message)

    def has_others(self, channel: int, message: int) -> bool:
        """Whether others have written below this message of ours."""
        found = self._watched.get(channel)
        return found is not None and found.has_others(message)

    def forget(self, channel: int) -> None:
        """Watch it no more."""
        self._watched.pop(channel, None)


class _Channel:
    def __init__(self) -> None:
        self._since = discord.utils.time_snowflake(discord.utils.utcnow(), high=True)
        self._ours: deque[int] = deque(maxlen=REMEMBERED)
        self._others: deque[int] = deque(maxlen=REMEMBERED)

    def heard(self, message: int) -> None:
        if message > self._since and message not in self._ours and message not in self._others:
            self._others.append(message)

    def wrote(self, message: int) -> None:
        self._ours.append(message)
        if message in self._others:  # a click told of it before Discord's answer did
            self._others.remove(message)

    def has_others(self, message: int) -> bool:
        return any(other > message for other in self._others)
