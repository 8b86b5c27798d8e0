"""Shows changes at a table: posts and hands that look different now, or a private table to its player."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import cast

from bot.delivery import Delivery
from bot.delivery.dms import NOTHING, SOON, WANTED, WELCOME
from bot.discord.background import Background
from bot.table import absence
from bot.table.board import ASKED, BoardPost, board, found_out, opening_key, voted
from bot.table.calls import CALL, call, only_who_may_be
from bot.table.hand import given_up, lost, over
from bot.table.hands import as_dm, hand_of
from bot.table.invited import by_dm
from bot.table.lobby import OUTCOMES, welcome
from bot.vocabulary.messages import Colour, Whisper
from engine.cards import Card
from engine.names import NOBODY
from engine.tables import LONGEST_ROUND, Preferences, PublicTable, State, Table

#: The key of the last notice.
NOTICE = "notice"
#: The key of the people in the seats.
PLAYERS = "players"
#: The most games alone whose end can still be edited: clicks' tokens expire long before there are more.
MOST_ENDS = 1_000
#: By part of a table, how it looked when it was last shown: what still looks so isn't shown again.
Made = dict[str | int, object]


class Announcer:
    """Listens to the table service; `on_notice` is called with each table that has a new notice."""

    def __init__(self, delivery: Delivery, preferences: Preferences) -> None:
        self._delivery = delivery
        self._preferences = preferences
        self.on_notice: Callable[[Table], None] = lambda table: None
        self._background = Background()
        self._made: dict[int, Made] = {}

    def __call__(self, table: Table) -> None:
        """Show what this state of the table has changed."""
        if table.paused and table.is_live:
            before = self._made.pop(table.id, {})  # when it resumes, everything is shown again
            self._take_back_call(table.id, table.channel, before)
            return
        before = self._made.get(table.id, {})
        public = table.public
        _close_pages(self._delivery, self._preferences, self._background, public)
        if _changes_again(table, public, before):
            # Clicks are answered; everything else waits for the computers' moves.
            self._made[table.id] = before | self._show_hands(table, public, before, LONGEST_ROUND)
            return
        made = self._show_board(public, before) | self._show_call(public, before)
        if table.notice:
            made[NOTICE] = table.notice.number
            if before.get(NOTICE) != made[NOTICE]:
                self.on_notice(table)
        made |= self._show_notes(public, before)
        if table.game is not None and table.game.deals:
            made |= self._show_hands(table, public, before)
        self._made[table.id] = made
        if not table.is_live:
            del self._made[table.id]
            self._background.start(table.id, "the farewell", self._delivery.forget(table.id))

    def par_found(self, table: Table, deal: int) -> None:
        """Show the par of a deal that may be over for long: in its post and, with the last, at the end.

        Where the table shows that deal, `__call__` has done so.
        """
        if table.paused and table.is_live:
            return
        public = table.public
        for part in found_out(public, deal):
            post = only_who_may_be(part.post, self._preferences)
            if self._delivery.posts.knows(table.id):
                self._delivery.posts.of(table.id).show(part.key, post, create=False)
            else:
                late = self._delivery.show_late(table.id, part.key, post)
                self._background.start(table.id, "an edit with par", late)

    def show_hand(self, table: Table, person: int, deal: int | None, *, asking: Card | None = None) -> None:
        """Show this player their hand as it is now: in the DM of this deal or, with None, under My hand.

        With `asking`, it asks whether to expose or play this card, until the hand changes.
        """
        public = self._preferences.told_to(person, table.public)
        shown = hand_of(table, public, person, deal, asking, prefers=self._preferences.of(person))
        if deal is None:
            self._delivery.my_hand.of(table.id, person).show(shown)
        else:
            self._delivery.dms.of(table.id, person).show(deal, as_dm(shown, public), create=False)

    def _show_board(self, public: PublicTable, before: Made) -> Made:
        made: Made = {}
        for part in board(public):
            made[part.key], earlier = part, before.get(part.key)
            if not part.is_like(earlier):
                post = part.post
                if not part.key.startswith(ASKED):  # those want to be told, or take invitations
                    post = only_who_may_be(post, self._preferences)
                is_finished = isinstance(earlier, BoardPost) and earlier.tricks != part.tricks
                moment = part.finished_trick if is_finished else None
                posts = self._delivery.posts.at(public.id, public.channel)
                posts.show(part.key, post, create=part.create, moment=moment)
        return made

    def _show_call(self, public: PublicTable, before: Made) -> Made:
        part = call(public, self._preferences)
        if not before:
            self._delivery.posts.at(public.id, public.channel).tidy(CALL, but=part.key if part else None)
        earlier = before.get(CALL)
        if not part or (isinstance(earlier, BoardPost) and earlier.key != part.key):
            self._take_back_call(public.id, public.channel, before)
            earlier = None
        if part and not part.is_like(earlier):
            self._delivery.posts.at(public.id, public.channel).show(part.key, part.post)
        return {CALL: part} if part else {}

    def _take_back_call(self, table: int, channel: int, before: Made) -> None:
        if isinstance(earlier := before.get(CALL), BoardPost):
            self._delivery.posts.at(table, channel).remove(earlier.key)

    def _show_notes(self, public: PublicTable, before: Made) -> Made:
        """Edit or delete the DMs other than hands and questions whose words no longer hold."""
        made: Made = {}
        for kind, person in self._delivery.dms.notes(public.id):
            key, theirs = f"{kind}:{person}", self._preferences.told_to(person, public)
            made[key] = note = _note(theirs, person, kind)
            if before.get(key) != note:
                self._delivery.dms.of(public.id, person).change_note(kind, note)
        return made

    def _show_hands(self, table: Table, public: PublicTable, before: Made, patience: float = 0.0) -> Made:
        assert table.game is not None
        made: Made = {PLAYERS: tuple([seat.person for seat in table.seats])}
        for number, seat in enumerate(table.seats):
            if seat.person is None:
                continue
            theirs = self._preferences.told_to(seat.person, public)
            shown = hand_of(table, theirs, seat.person, prefers=self._preferences.of(seat.person))
            made[number] = table.game.begun, shown
            if before.get(number) != made[number]:
                self._show_hand(table, theirs, seat.person, shown, patience, is_there=not seat.away)
            made |= self._show_letters(theirs, number, seat.person, before)
        if before.get(PLAYERS) != made[PLAYERS]:
            self._show_given_up(public, table.game.begun, before)
        return made | self._show_lost(public, before)

    def _show_letters(self, public: PublicTable, seat: int, person: int, before: Made) -> Made:
        """Send the DMs of a player who is away, and close those that no longer apply."""
        dms = self._delivery.dms.of(public.id, person)
        known, made = dms.side_dms(), Made()
        for key in (*known, *absence.due(public, seat, known)):
            made[f"{key}:{person}"] = letter = absence.letter(public, seat, key)
            if before.get(f"{key}:{person}") != letter:
                dms.show_side_dm(key, as_dm(letter, public))
        return made

    def _show_given_up(self, public: PublicTable, deal: int, before: Made) -> None:
        """Tell players who deleted their data, in their hands, that they no longer have a seat."""
        for person in cast("tuple[int | None, ...]", before.get(PLAYERS, ())):
            if person is not None and not public.concerns(person):
                theirs = self._preferences.told_to(person, public)
                self._take_hand_away(theirs, person, deal, given_up(theirs, deal))

    def _take_hand_away(self, public: PublicTable, person: int, deal: int, whisper: Whisper) -> None:
        """Replace the last hand that this person had, up to that deal."""
        dms = self._delivery.dms.of(public.id, person)
        last = dms.open_before(deal + 1)
        if last is not None:
            dms.end(last, as_dm(whisper, public))
        for letter in dms.side_dms():
            dms.show_side_dm(letter, as_dm(whisper, public))
        if public.seat_of(person) is None:
            self._delivery.my_hand.of(public.id, person).show(whisper)

    def _show_lost(self, public: PublicTable, before: Made) -> Made:
        """Tell players, in their hands, whose seats were taken over with this deal."""
        assert public.view is not None
        assert public.view.deal is not None
        made: Made = {}
        for one in public.former_occupants:
            if one.person == NOBODY or one.until != public.view.deal.number - 1:
                continue
            made[f"lost{one.seat}"] = one
            if before.get(f"lost{one.seat}") != one:
                theirs = self._preferences.told_to(one.person, public)
                self._take_hand_away(theirs, one.person, one.until, lost(theirs, one))
        return made

    def _show_hand(
        self,
        table: Table,
        public: PublicTable,
        person: int,
        shown: Whisper,
        patience: float,
        *,
        is_there: bool,
    ) -> None:
        assert table.game is not None
        dms, deal = self._delivery.dms.of(table.id, person), table.game.begun
        earlier = dms.open_before(deal)
        if earlier is not None:  # it doesn't show the last card, or has the button to come back
            ended = as_dm(hand_of(table, public, person, earlier), public)
            # The hand of this deal takes its place.
            dms.end(earlier, ended, patience=SOON if is_there and table.is_live else 0.0)
        show = dms.show if is_there else dms.end
        show(deal, as_dm(shown, public), patience=patience)
        self._delivery.my_hand.of(table.id, person).show(shown, patience=patience)


def _close_pages(
    delivery: Delivery, preferences: Preferences, background: Background, public: PublicTable
) -> None:
    """Tell in private messages about a lobby that it is over."""
    if public.state is not State.LOBBY and delivery.pages.has(public.id):
        work = delivery.pages.close(public.id, partial(_lobby_over, preferences, public))
        background.start(public.id, "the pages of a lobby", work)


def _lobby_over(preferences: Preferences, public: PublicTable, person: int) -> Whisper:
    """What takes the place of a private message about a lobby."""
    theirs = preferences.told_to(person, public)
    return Whisper((f"-# {theirs.say(OUTCOMES[public.state])}",), Colour.DONE)


def _note(public: PublicTable, person: int, kind: str) -> Whisper:
    """What a DM of this kind says now; NOTHING once it isn't needed."""
    if kind == WELCOME:
        return welcome(public, person)
    asked = public.invitation_of(person)
    if kind == WANTED and asked and public.seat_of(person) is None:
        return by_dm(public, asked.inviter)
    return NOTHING


def _changes_again(table: Table, public: PublicTable, before: Made) -> bool:
    """Whether computers are thinking, and all that is new will change with their moves."""
    if not table.waits_for_computers or table.game is None:
        return False
    is_told = table.notice is None or before.get(NOTICE) == table.notice.number
    is_asked = all(part.is_like(before.get(part.key)) for part in voted(public))
    return is_told and is_asked and opening_key(len(table.game.deals)) in before


class PrivateTables:
    """Listens to the table service for private tables; `on_daily_over` shows how a daily game went."""

    on_daily_over: Callable[[Table], Awaitable[None]]

    def __init__(self, delivery: Delivery, preferences: Preferences) -> None:
        self._delivery = delivery
        self._preferences = preferences
        self._background = Background()
        #: By table alone whose game is over: what still edits the message that shows its end.
        self._ends: dict[int, Callable[[Whisper], Awaitable[None]]] = {}

    def __call__(self, table: Table) -> None:
        """Show the hand as it is now wherever its player sees it."""
        person = table.host
        _close_pages(self._delivery, self._preferences, self._background, table.public)
        if table.seat_of(person) is not None:
            public = self._preferences.told_to(person, table.public)
            shown = hand_of(table, public, person, prefers=self._preferences.of(person))
            if table.daily:
                self._show_dms(table, public, shown)
            patience = LONGEST_ROUND if table.waits_for_computers else 0.0
            self._delivery.my_hand.of(table.id, person).show(shown, patience=patience)
        if not table.is_live:
            self._background.start(table.id, "the end of a private table", self._end(table))

    def par_found(self, table: Table, deal: int) -> None:
        """Show the par of a deal whose game is over by now."""
        if edit := self._ends.get(table.id):
            public = self._preferences.told_to(table.host, table.public)
            shown = hand_of(table, public, table.host)
            work = self._delivery.edit_late(partial(edit, shown))
            self._background.start(table.id, "an edit with par", work)

    def _keep_end(self, table: Table) -> None:
        """Keep what can edit the end of a game alone, for the pars that are still to come."""
        if edit := self._delivery.my_hand.of(table.id, table.host).late_edit():
            self._ends[table.id] = edit
            if len(self._ends) > MOST_ENDS:
                del self._ends[next(iter(self._ends))]

    def _show_dms(self, table: Table, public: PublicTable, shown: Whisper) -> None:
        """Show a daily game's hand by DM, if its player has asked for that."""
        assert table.game is not None
        dms, deal = self._delivery.dms.of(table.id, table.host), table.game.begun
        is_by_dm = any(dms.is_wanted(one) for one in (deal - 1, deal))
        if dms.is_open(deal - 1):
            dms.end(deal - 1, over(public, deal - 1, table.host), patience=SOON)
        dms.show(deal, shown, create=is_by_dm and table.is_live)

    async def _end(self, table: Table) -> None:
        """Show how it went, and then nothing more."""
        if table.state is State.OVER and table.daily:
            await self.on_daily_over(table)
        if table.is_alone and table.state is State.OVER:
            self._keep_end(table)
        await self._delivery.forget(table.id)
