"""Every sentence that refuses something; each says what the person can do instead."""

from typing import Any

from bot.answering.opening import Jack, OpenHere
from bot.vocabulary.messages import Button, Link, Style, Whisper
from bot.words.buttons import come_back, take_a_seat
from bot.words.text import person
from engine import sentences
from engine.errors import Refusal
from engine.languages import N_, Language
from engine.players import Strength
from engine.rules.options import OPTIONS
from engine.rules.presets import PRESETS
from engine.tables import Pace

#: The most columns of a value in a sentence, as an option of a command takes texts of any length.
LONGEST_VALUE = 100
#: Sentences by the refusal's id, with its values in braces. Refusals by the rules are the engine's sentences.
SENTENCES = sentences.SENTENCES | {
    # a turn
    "not_your_turn": N_("It's not your turn yet: the table shows whose it is."),
    "not_passing": N_("There's nothing to pass now. Press **My hand** to see what you can do."),
    "all_picked": N_("You've chosen all the cards to pass: tap one of them to put it back."),
    "not_exposing": N_("No card can be exposed now. Press **My hand** to see what you can do."),
    "not_playing": N_("No card can be played now. Press **My hand** to see what you can do."),
    "stale": N_(
        "The game has moved on since that message. Press **My hand** at the table to see your cards."
    ),
    "paused": N_(
        "The game is paused because I can't write in its channel. If I can within a week, it goes on."
    ),
    "away": N_("A computer is playing your cards. Press **I'm back**, and they're yours again."),
    "nothing_to_hint": N_("You have nothing to decide right now, so there's no hint."),
    "no_hints": N_(
        "This table gives no hints. In the lobby, its host chooses who may ask, under **Options**."
    ),
    "no_advice": N_("Too many players are asking right now. Try again in a minute."),
    "getting_ready": N_("I'm still warming up, which takes about a minute: ask again soon."),
    # a table
    "table_gone": N_("This table is closed. Start a new one with `/hearts new`."),
    "no_table": N_("No game is going on in this channel. Open a table with `/hearts new`."),
    "no_game_here": N_("No game has been played in this channel yet."),
    "table_in_channel": N_(
        "This channel already has a table: `/hearts join` takes a seat there. "
        "Open yours in another channel or a thread."
    ),
    "own_table_in_channel": N_(
        "Your table in this channel hasn't started. Close it first, or open another one in a thread."
    ),
    "tables_in_threads": N_("No game is going on in this channel itself. In its threads: {threads}."),
    "may_not_open_threads": N_(
        "I can't open a thread here: someone must give me the permissions *Create Public Threads* and *Send "
        "Messages in Threads*."
    ),
    "no_threads_here": N_("Threads can't be opened here: leave out the option `thread`."),
    "you_may_not_open_threads": N_(
        "You can't open threads here: someone must give you the permissions *Create Public Threads* and "
        "*Send Messages in Threads*."
    ),
    "too_many_threads": N_(
        "This server has all the open threads that Discord allows. Close one and try again."
    ),
    "too_many_own_threads": N_("You already host {count} tables in threads of this server. Close one first."),
    "too_many_lobbies": N_("You host {count} tables that haven't started. Start or close one of them first."),
    "too_many_lobbies_here": N_(
        "{count} tables of this server haven't started yet. Join one of them, or try again later."
    ),
    "too_many_plans": N_(
        "Too many starts are planned more than a day ahead. Plan this one when it's less than a day away."
    ),
    "players_away": N_(
        "The players of the game in this channel are away but may still come back. "
        "Try again later, or open yours in another channel or a thread."
    ),
    "no_rematch": N_("Only players who finished can start a rematch. Then anyone else can press **Join**."),
    "rematch_open": N_("The rematch is already open: its table is further down in this channel."),
    "table_full": N_("All seats are taken. Open another table in another channel or thread."),
    "seats_taken": N_("{seated} are already seated, so a table for {players} is too small."),
    "seats_promised": N_("Seats are kept for invited people, so a table for {players} is too small."),
    "seats_kept": N_(
        "The seats that are left are kept for invited people. They are free again if they don't come."
    ),
    "nothing_to_invite_to": N_("Every seat is taken or kept for someone, so there's nobody to invite."),
    "too_many_invited": N_("There aren't that many seats left: choose {count} at most."),
    "not_told": N_(
        "You haven't asked to be told about tables in this server: you can in `/hearts preferences`."
    ),
    "calls_off": N_("The managers of this server have turned off calling players."),
    "called_lately": N_("Players were called in the last 30 minutes. Wait a little before you call again."),
    "already_asked": N_("Someone you chose has already been invited."),
    "not_there": N_("You've left this table's server, or can't see its channel any more."),
    "membership_unknown": N_(
        "I can't find out right now whether you're still in that server: try again in a minute."
    ),
    "already_seated": N_("You already have a seat here. Once cards are dealt, **My hand** shows yours."),
    "not_seated": N_("You're not at this table. Press **Join** before the start, **Take a seat** later."),
    "in_mid_game": N_("This game has started without you. Take a seat and you play from the next deal."),
    "seat_lost": N_("Someone else has your seat now. Take another and you play from the next deal."),
    "seat_taken": N_("That seat is no longer free. Press **Take a seat** for another one."),
    "already_taking": N_("You already have a seat from the next deal. `/hearts leave` cancels that."),
    "not_taking": N_("You're no longer waiting for a seat: you already have one, or you cancelled."),
    "no_latecomers": N_("The host has closed this game to latecomers."),
    "no_computer": N_("No computer has a seat here."),
    "no_free_seat": N_(
        "Every seat is taken: you can have only a computer's, or the seat of someone who left."
    ),
    "not_your_deal": N_("You didn't play in that deal."),
    "already_started": N_("The game has already started. That has to wait for the next one."),
    "leaves_game": N_(
        "The game has started. Leave it with `/hearts leave`, and a computer plays your cards."
    ),
    "not_started": N_("The game hasn't started yet: its host presses **Start**."),
    "host_only": N_("Only {host}, the host of this table, can do that."),
    "no_host": N_("Only the host can do that, and this table no longer has one."),
    "vote_open": N_("Everyone is already being asked. First answer that question, in the channel."),
    "vote_over": N_("That question is no longer open."),
    "vote_rests": N_("Everyone was asked that recently. The channel shows when you can ask again."),
    "only_manager_may_stop": N_("Only someone who may manage the channel can stop this table."),
    # a planned start
    "no_such_time": N_(
        "I can't read “{text}” as a time. Try “in 45 minutes”, “20:00”, “tomorrow 8:30pm” or “{day} 20:00”."
    ),
    "start_past": N_("{text} is past. Try “in 45 minutes” or “{day} 20:00”."),
    "start_too_soon": N_(
        "A planned start is at least 5 minutes ahead. To play sooner, open the table without one and press "
        "**Start** when everyone is there."
    ),
    "start_too_late": N_("A start can be planned up to 7 days ahead."),
    "no_planned_start": N_("No start is planned here any more: the host presses **Start**."),
    # a tournament
    "tournament_decides": N_("The tournament decides that for all of its tables."),
    "tournament_no_hints": N_("There are no hints in a tournament."),
    "tournament_no_rematch": N_(
        "This game was part of a tournament. For another one, open a table with `/hearts new`."
    ),
    "tournament_seats": N_(
        "This is a tournament's table: sign up for the tournament, and you play from the next round."
    ),
    "tournament_here": N_("This server already has a tournament. There can be another when it's over."),
    "tournament_managers_only": N_(
        "Only those who may manage events can open a tournament here. A manager of the server can let anyone "
        "do it with `/hearts settings`."
    ),
    "tournament_no_threads": N_(
        "A tournament's tables open in threads, which this channel can't have: open it in a text channel."
    ),
    "no_tournament": N_("There's no tournament in this server. `/hearts tournament` opens one."),
    "tournament_over": N_("This tournament is over."),
    "tournament_not_over": N_("The tournament isn't over yet. Its record comes at the end."),
    "tournament_host_only": N_("Only the tournament's host, or someone who may manage events, can do that."),
    "tournament_started": N_("The tournament has already started."),
    "tournament_full": N_("The tournament is full: {count} people have signed up."),
    "tournament_too_few": N_("A tournament needs at least two people: wait for someone else to sign up."),
    "tournament_last_round": N_("The last round is being played, so it's too late to join."),
    "tournament_missed": N_(
        "You deleted your data while this tournament was being played, so you sit out the rest of it."
    ),
    "signed_up": N_("You've already signed up."),
    "not_signed_up": N_("You haven't signed up for this tournament."),
    "tournament_rounds": N_("A tournament has {least} to {most} rounds."),
    "tournament_deals": N_("A round has {least} to {most} deals."),
    "tournament_minutes": N_("A round may take {least} to {most} minutes."),
    "tournament_pace": N_("A tournament's pace is live or relaxed."),
    # the daily deal
    "played_today": N_("You've played today's deals. `/hearts daily` shows how you did."),
    "seen_today": N_("You've already seen today's deals. The next are dealt at midnight (UTC)."),
    "daily_over": N_("That game is over. `/hearts daily` shows how it went."),
    "day_not_over": N_(
        "Others are still playing these deals: you can see the cards when the day is over (UTC)."
    ),
    "no_such_day": N_("There were no daily deals on that day."),
    "already_by_dm": N_("This is our DM: your hand stays here."),
    "nobody_reads_here": N_(
        "Nobody else reads this. Use `/hearts daily` where your friends are, and share it there."
    ),
    "shown_to_you_alone": N_(
        "Discord would show your result only to you here: people's own apps may not post in this channel."
    ),
    "already_shared": N_("There's nothing to share, or you've already shared it."),
    # a replay
    "nothing_done": N_("No deal is over yet, so there's nothing to replay yet."),
    "file_too_large": N_("That file is too large for a game: the limit is {most} kB."),
    "file_empty": N_("That file is empty."),
    "file_unread": N_("I couldn't get that file from Discord. Try again."),
    "file_gone": N_("I no longer have that file. Upload it again: `/hearts replay` with `file`."),
    "several_games": N_("That file has {count} games. Choose one of them with the option `game`."),
    # house rules
    "house_names_game": N_("House rules name their own game: leave out the option `game`."),
    "too_many_house_rules": N_("This server already has {count} house rules. Delete one to save another."),
    "too_many_own_house_rules": N_("You've saved {count} house rules here. Delete one to save another."),
    "unseen_name": N_("That name is blank. Choose another one."),
    "no_such_house_rules": N_("This server has no house rules called {name}."),
    "not_your_house_rules": N_(
        "Someone else saved {name}: only they or a manager of the server can change it."
    ),
    # the bot
    "blocked": N_("My owner has blocked you. `/hearts privacy` still works."),
    "restarting": N_("I'm restarting. Try again in a moment."),
    "no_such_choice": N_("{given} isn't one of the choices here."),
    "too_often_an_hour": N_("You've done that {count} times in the last hour: try again later."),
    "you_may_not_post": N_("I only post where you can write yourself, and you can't write in that channel."),
    "asked_too_often": N_("You're asking faster than I can answer: try again in a few seconds."),
    "still_answering": N_("I'm still working on your last request: ask again once it's answered."),
    "too_many_ask": N_("Too many players are asking for that right now: try again in a minute."),
    "leaving": N_("Someone here is just deleting their data: try again in a minute."),
    "bot_not_here": N_("That works only once I'm in this server: anyone who may manage it can add me."),
    "needs_server": N_("That works only in a server that I'm in."),
    "server_manager_only": N_("Only someone who may manage the server can do that."),
    "bot_may_not_post": N_("I can't write here: someone must let me view this channel and send messages."),
    "bot_may_not_post_there": N_(
        "I can't write there: I need to be allowed to see that channel and send messages in it."
    ),
    "cannot_save": N_(
        "I can't save anything right now, so nothing was changed. Wait a little and try again."
    ),
    "cannot_read": N_("I can't read what is stored right now. Wait a little and try again."),
    "cannot_load": N_("I can't look that up right now: try again in a minute."),
    "damaged": N_("My data about this is damaged: my owner can find the details in my log."),
}

#: The labels of buttons that add the bot, by the refusal's id.
ADD = {"bot_not_here": N_("Add me to this server"), "needs_server": N_("Add me to a server")}

#: The labels of buttons that help where a channel already has a table.
REMEDIES = {"close": N_("Close it"), "thread": N_("Open a thread")}
#: Opens a table with nothing chosen.
ANY_TABLE = OpenHere(0, "", 0, Strength.MEDIUM, Pace.RELAXED, Jack.USUAL, 0, "", 0, "")


def refused(refusal: Refusal, language: Language) -> Whisper:
    """The refusal as a private message, with a button for what can be done instead."""
    text = sentence(refusal, language)
    match refusal.id:
        case "away" if "table" in refusal.values:
            return Whisper((text, (come_back(refusal.values["table"], language),)))
        case "in_mid_game" | "seat_lost":
            return Whisper((text, (take_a_seat(refusal.values["table"], language),)))
        case "table_in_channel" | "own_table_in_channel" | "players_away":
            remedies = [(name, refusal.values[name]) for name in REMEDIES if name in refusal.values]
            row = tuple(Button(language.say(REMEDIES[name]), action) for name, action in remedies)
            return Whisper((text, row)) if row else Whisper((text,))
        case "players" if "instead" in refusal.values:
            other: OpenHere = refusal.values["instead"]
            button = Button(language.say(PRESETS[other.game].title), other, Style.GOOD)
            return Whisper((text, (button,)))
        case _ if "instead" in refusal.values:
            button = Button(
                language.say("Open it without that option"), refusal.values["instead"], Style.GOOD
            )
            return Whisper((text, (button,)))
        case "no_table" | "table_gone" | "tournament_no_rematch":
            return Whisper((text, (Button(language.say("Open a table"), ANY_TABLE, Style.GOOD),)))
        case "tournament_here" if "address" in refusal.values:
            there = Link(language.say("Go to the tournament"), refusal.values["address"])
            return Whisper((text, (there,)))
        case "bot_not_here" | "needs_server":
            return Whisper((text, (Link(language.say(ADD[refusal.id]), refusal.values["invitation"]),)))
    return Whisper((text,))


def sentence(refusal: Refusal, language: Language) -> str:
    """The refusal's sentence, with its values filled in."""
    values = refusal.values.items()
    words = {
        name: person(_in_words(name, value, language), language, LONGEST_VALUE) for name, value in values
    }
    if "threads" in refusal.values:
        words["threads"] = language.listing([f"<#{thread}>" for thread in refusal.values["threads"]])
    return language.say(SENTENCES[refusal.id], **words)


def _in_words(name: str, value: Any, language: Language) -> str:
    """A value of the refusal as text; options have the names that the lobby's Rules page shows."""
    if name == "option":
        option = language.say(OPTIONS[value].title) if value in OPTIONS else value
        return language.say("“{option}”", option=option)
    return sentences.in_words(name, value, language)
