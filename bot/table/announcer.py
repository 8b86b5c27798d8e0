"""Shows changes of tables: in posts and hands, or in a private table's message to its player."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

from bot.delivery import Delivery
from bot.delivery.dms import NOTHING, SOON, WANTED, WELCOME
from bot.discord.background import Background
from bot.table import absence
from bot.table.board import INVITING, BoardPost, board, opening_key, posts_with_par, voted
from bot.table.calls import CALL, call, without_unwanted_mentions
from bot.table.hand import given_up, lost, over
from bot.table.hands import Holder, as_dm, hand_of, holder
from bot.table.invited import by_dm
from bot.table.lobby import OUTCOMES, welcome
from bot.vocabulary.messages import Colour, Whisper
from engine.cards import Card
from engine.names import NOBODY
from engine.tables import LONGEST_ROUND, Preferences, PublicTable, State, Table

#: The key, in a snapshot, of the channel's posts.
BOARD = "board"
#: The key, in a snapshot, of the number of the last notice.
NOTICE = "notice"
#: The key, in a snapshot, of the people in the seats.
PLAYERS = "players"
#: The beginning of the keys, in a snapshot, of what decides each seat's hand.
HOLDER = "holder"
#: The most finished tables alone whose last message stays editable: tokens of clicks expire long before.
MOST_ENDS = 1_000
#: How each part of a table looked when it was last shown; a part is only shown again if it looks different.
Snapshot = dict[str | int, object]


@dataclass(frozen=True)
class ShownBoard:
    """A table's posts by their keys, and what everyone saw of it, of which alone they are made."""

    table: PublicTable
    posts: Mapping[str, BoardPost]


class Announcer:
    """Listens to the table service; calls `on_notice` with each table that has a new notice."""

    def __init__(self, delivery: Delivery, preferences: Preferences) -> None:
        self._delivery = delivery
        self._preferences = preferences
        self.on_notice: Callable[[Table], None] = lambda table: None
        self._background = Background()
        self._snapshots: dict[int, Snapshot] = {}

    def __call__(self, table: Table) -> None:
        """Show what this state of the table has changed."""
        if table.paused and table.is_live:
            before = self._snapshots.pop(table.id, {})  # so that everything is shown again when it resumes
            self._remove_call(table.id, table.channel, before)
            return
        before = self._snapshots.get(table.id, {})
        public = table.public
        _close_pages(self._delivery, self._preferences, self._background, public)
        if _changes_again(table, public, before):
            # Clicks are answered; everything else waits for the computers' moves.
            self._snapshots[table.id] = before | self._show_hands(table, public, before, LONGEST_ROUND)
            return
        snapshot = self._show_board(public, before) | self._show_call(public, before)
        if table.notice:
            snapshot[NOTICE] = table.notice.number
            if before.get(NOTICE) != snapshot[NOTICE]:
                self.on_notice(table)
        snapshot |= self._show_notes(public, before)
        if table.game is not None and table.game.deals:
            snapshot |= self._show_hands(table, public, before)
        self._snapshots[table.id] = snapshot
        if not table.is_live:
            del self._snapshots[table.id]
            self._background.start(table.id, "the farewell", self._delivery.forget(table.id))

    def par_found(self, table: Table, deal: int) -> None:
        """Show a deal's par in its post and, if no par is missing any more, in the post with the result.

        The deal may have ended long ago: while its post is kept up to date, `__call__` shows the par.
        """
        if table.paused and table.is_live:
            return
        public = table.public
        for part in posts_with_par(public, deal):
            post = without_unwanted_mentions(part.post, self._preferences)
            if self._delivery.posts.knows(table.id):
                self._delivery.posts.of(table.id).show(part.key, post, create=False)
            else:
                late = self._delivery.show_late(table.id, part.key, post)
                self._background.start(table.id, "an edit with par", late)

    def show_hand(self, table: Table, person: int, deal: int | None, *, asking: Card | None = None) -> None:
        """Show this player their current hand: in this deal's DM or, with None, under **My hand**.

        With `asking`, it asks whether to expose or play this card, until the hand changes.
        """
        public = self._preferences.told_to(person, table.public)
        hand = hand_of(self._holder(table, public, person), deal, asking)
        if deal is None:
            self._delivery.my_hand.of(table.id, person).show(hand)
        else:
            self._delivery.dms.of(table.id, person).show(deal, as_dm(hand, public), create=False)

    def _show_board(self, public: PublicTable, before: Snapshot) -> Snapshot:
        shown = before.get(BOARD)
        if isinstance(shown, ShownBoard) and shown.table == public:  # as while players pick cards to pass
            return {BOARD: shown}
        earlier_posts, posts = _posts(before), {}
        for part in board(public):
            posts[part.key], earlier = part, earlier_posts.get(part.key)
            if not part.is_like(earlier):
                post = part.post
                # Posts that invite or call people mention only those who agreed to it.
                if not part.key.startswith(INVITING):
                    post = without_unwanted_mentions(post, self._preferences)
                is_finished = earlier is not None and earlier.tricks != part.tricks
                moment = part.finished_trick if is_finished else None
                messages = self._delivery.posts.at(public.id, public.channel)
                messages.show(part.key, post, create=part.create, moment=moment)
        return {BOARD: ShownBoard(public, posts)}

    def _show_call(self, public: PublicTable, before: Snapshot) -> Snapshot:
        part = call(public, self._preferences)
        if not before:
            self._delivery.posts.at(public.id, public.channel).tidy(CALL, but=part.key if part else None)
        earlier = before.get(CALL)
        same = earlier if part and isinstance(earlier, BoardPost) and earlier.key == part.key else None
        if same is None:
            self._remove_call(public.id, public.channel, before)
        if part and not part.is_like(same):
            self._delivery.posts.at(public.id, public.channel).show(part.key, part.post)
        return {CALL: part} if part else {}

    def _remove_call(self, table: int, channel: int, before: Snapshot) -> None:
        if isinstance(earlier := before.get(CALL), BoardPost):
            self._delivery.posts.at(table, channel).remove(earlier.key)

    def _show_notes(self, public: PublicTable, before: Snapshot) -> Snapshot:
        """Edit or delete the DMs, other than hands and questions, that are out of date."""
        snapshot: Snapshot = {}
        for kind, person in self._delivery.dms.notes(public.id):
            key, localized = f"{kind}:{person}", self._preferences.told_to(person, public)
            snapshot[key] = note = _note(localized, person, kind)
            if before.get(key) != note:
                self._delivery.dms.of(public.id, person).change_note(kind, note)
        return snapshot

    def _show_hands(
        self, table: Table, public: PublicTable, before: Snapshot, patience: float = 0.0
    ) -> Snapshot:
        assert table.game is not None
        snapshot: Snapshot = {PLAYERS: tuple([seat.person for seat in table.seats])}
        for number, seat in enumerate(table.seats):
            if seat.person is None:
                continue
            localized = self._preferences.told_to(seat.person, public)
            player = snapshot[f"{HOLDER}:{number}"] = self._holder(table, localized, seat.person)
            if player == before.get(f"{HOLDER}:{number}"):  # as when others pick cards to pass
                snapshot[number] = before[number]
            else:
                hand = hand_of(player)
                snapshot[number] = table.game.begun, hand
                if before.get(number) != snapshot[number]:
                    self._show_hand(player, hand, patience)
            snapshot |= self._show_side_dms(localized, number, seat.person, before)
        if before.get(PLAYERS) != snapshot[PLAYERS]:
            self._show_given_up(public, table.game.begun, before)
        return snapshot | self._show_lost(public, before)

    def _show_side_dms(self, public: PublicTable, seat: int, person: int, before: Snapshot) -> Snapshot:
        """Send the DMs of a player who is away, and close those that no longer apply."""
        dms = self._delivery.dms.of(public.id, person)
        open_keys, snapshot = dms.side_dms(), Snapshot()
        for key in (*open_keys, *absence.due(public, seat, open_keys)):
            snapshot[f"{key}:{person}"] = dm = absence.side_dm(public, seat, key)
            if before.get(f"{key}:{person}") != dm:
                dms.show_side_dm(key, as_dm(dm, public))
        return snapshot

    def _show_given_up(self, public: PublicTable, deal: int, before: Snapshot) -> None:
        """Tell players who deleted their data, in place of their hands, that they have no seat any more."""
        for person in cast("tuple[int | None, ...]", before.get(PLAYERS, ())):
            if person is not None and not public.concerns(person):
                localized = self._preferences.told_to(person, public)
                self._take_hand_away(localized, person, deal, given_up(localized, deal))

    def _take_hand_away(self, public: PublicTable, person: int, deal: int, whisper: Whisper) -> None:
        """Replace this person's last hand, of this deal or an earlier one, and their other DMs."""
        dms = self._delivery.dms.of(public.id, person)
        last = dms.open_before(deal + 1)
        if last is not None:
            dms.end(last, as_dm(whisper, public))
        for key in dms.side_dms():
            dms.show_side_dm(key, as_dm(whisper, public))
        if public.seat_of(person) is None:
            self._delivery.my_hand.of(public.id, person).show(whisper)

    def _show_lost(self, public: PublicTable, before: Snapshot) -> Snapshot:
        """Tell players whose seats were taken over with this deal, in place of their hands."""
        assert public.view is not None
        assert public.view.deal is not None
        snapshot: Snapshot = {}
        for occupant in public.former_occupants:
            if occupant.person == NOBODY or occupant.until != public.view.deal.number - 1:
                continue
            snapshot[f"lost{occupant.seat}"] = occupant
            if before.get(f"lost{occupant.seat}") != occupant:
                localized = self._preferences.told_to(occupant.person, public)
                self._take_hand_away(localized, occupant.person, occupant.until, lost(localized, occupant))
        return snapshot

    def _show_hand(self, player: Holder, hand: Whisper, patience: float) -> None:
        assert player.game is not None
        public, deal = player.public, player.game.begun
        is_there = not public.seats[player.seat].away
        dms = self._delivery.dms.of(public.id, player.person)
        earlier = dms.open_before(deal)
        if earlier is not None:  # it lacks the deal's last card, or has a button to come back
            final_state = as_dm(hand_of(player, earlier), public)
            # The hand of this deal takes its place.
            dms.end(earlier, final_state, patience=SOON if is_there and public.is_live else 0.0)
        show = dms.show if is_there else dms.end
        show(deal, as_dm(hand, public), patience=patience)
        self._delivery.my_hand.of(public.id, player.person).show(hand, patience=patience)

    def _holder(self, table: Table, public: PublicTable, person: int) -> Holder:
        return holder(table, public, person, prefers=self._preferences.of(person))


def _posts(before: Snapshot) -> Mapping[str, BoardPost]:
    """The channel's posts as they were last shown, by their keys."""
    shown = before.get(BOARD)
    return shown.posts if isinstance(shown, ShownBoard) else {}


def _close_pages(
    delivery: Delivery, preferences: Preferences, background: Background, public: PublicTable
) -> None:
    """Once the lobby is over, say so in private messages about it."""
    if public.state is not State.LOBBY and delivery.pages.has(public.id):
        work = delivery.pages.close(public.id, partial(_lobby_over, preferences, public))
        background.start(public.id, "the pages of a lobby", work)


def _lobby_over(preferences: Preferences, public: PublicTable, person: int) -> Whisper:
    """The replacement for a private message about a lobby that is over."""
    localized = preferences.told_to(person, public)
    return Whisper((f"-# {localized.say(OUTCOMES[public.state])}",), Colour.DONE)


def _note(public: PublicTable, person: int, kind: str) -> Whisper:
    """The current state of a DM of this kind; NOTHING once it isn't needed."""
    if kind == WELCOME:
        return welcome(public, person)
    invitation = public.invitation_of(person)
    if kind == WANTED and invitation and public.seat_of(person) is None:
        return by_dm(public, invitation.inviter)
    return NOTHING


def _changes_again(table: Table, public: PublicTable, before: Snapshot) -> bool:
    """Whether all that is new will change again as soon as the computers that are thinking have moved."""
    if not table.waits_for_computers or table.game is None:
        return False
    posts = _posts(before)
    is_notice_shown = table.notice is None or before.get(NOTICE) == table.notice.number
    is_vote_shown = all(part.is_like(posts.get(part.key)) for part in voted(public))
    return is_notice_shown and is_vote_shown and opening_key(len(table.game.deals)) in posts


class PrivateTables:
    """Listens to the table service for private tables; `on_daily_over` shows a daily game's result."""

    on_daily_over: Callable[[Table], Awaitable[None]]

    def __init__(self, delivery: Delivery, preferences: Preferences) -> None:
        self._delivery = delivery
        self._preferences = preferences
        self._background = Background()
        #: By finished table alone: the function that edits the message with its end.
        self._ends: dict[int, Callable[[Whisper], Awaitable[None]]] = {}

    def __call__(self, table: Table) -> None:
        """Update the hand wherever its player sees it."""
        person = table.host
        _close_pages(self._delivery, self._preferences, self._background, table.public)
        if table.seat_of(person) is not None:
            public = self._preferences.told_to(person, table.public)
            hand = hand_of(holder(table, public, person, prefers=self._preferences.of(person)))
            if table.daily:
                self._show_dms(table, public, hand)
            patience = LONGEST_ROUND if table.waits_for_computers else 0.0
            self._delivery.my_hand.of(table.id, person).show(hand, patience=patience)
        if not table.is_live:
            self._background.start(table.id, "the end of a private table", self._end(table))

    def par_found(self, table: Table, deal: int) -> None:
        """Show the par of a deal in a game that is over."""
        if edit := self._ends.get(table.id):
            public = self._preferences.told_to(table.host, table.public)
            hand = hand_of(holder(table, public, table.host))
            work = self._delivery.edit_late(partial(edit, hand))
            self._background.start(table.id, "an edit with par", work)

    def _keep_end(self, table: Table) -> None:
        """Keep the message with the end of a table alone editable, for pars that come later."""
        if edit := self._delivery.my_hand.of(table.id, table.host).late_edit():
            self._ends[table.id] = edit
            if len(self._ends) > MOST_ENDS:
                del self._ends[next(iter(self._ends))]

    def _show_dms(self, table: Table, public: PublicTable, hand: Whisper) -> None:
        """Show a daily game's hand by DM, if its player has asked for that."""
        assert table.game is not None
        dms, deal = self._delivery.dms.of(table.id, table.host), table.game.begun
        is_by_dm = any(dms.is_wanted(one) for one in (deal - 1, deal))
        if dms.is_open(deal - 1):
            dms.end(deal - 1, over(public, deal - 1, table.host), patience=SOON)
        dms.show(deal, hand, create=is_by_dm and table.is_live)

    async def _end(self, table: Table) -> None:
        """Show a daily game's result, and stop updating the table."""
        if table.state is State.OVER and table.daily:
            await self.on_daily_over(table)
        if table.is_alone and table.state is State.OVER:
            self._keep_end(table)
        await self._delivery.forget(table.id)
