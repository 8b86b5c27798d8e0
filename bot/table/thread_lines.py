"""A table in a thread of its own: the thread's name, and the post in the channel that it was started from."""

from bot.vocabulary.controls import Action, Where, Who
from bot.vocabulary.messages import Button, ByDm, Colour, Post, Style
from bot.words.text import person, shortened, visible
from engine.languages import Language
from engine.rules.ruleset import Ruleset
from engine.tables import PublicTable, TableInfo

#: The most characters in a thread's name that Discord takes.
LONGEST_THREAD_NAME = 100


class JoinInThread(Action, verb="enter", who=Who.ANYONE, where=Where.CHANNEL | Where.AROUND):
    """Take a seat at the table in the thread of the message with the button."""


def thread_names(host: str, rules: Ruleset, language: Language) -> tuple[str, ...]:
    """Names for the thread of a new table, best first: Discord may refuse one for the player's name in it."""
    game = language.say(rules.preset.title)
    # Note: the name of a thread: Hearts with Ann
    whole = language.say("{game} with {who}", game=game, who=visible(host, language))
    return shortened(whole, LONGEST_THREAD_NAME), game


def opening(host: str, rules: Ruleset, language: Language) -> Post:
    """The post from which a thread is started, before there is a table."""
    who = person(host, language)
    return _post(rules, language, language.say("**{who}** is opening a table.", who=who))


def line(table: PublicTable) -> Post:
    """The post about a table in its lobby or in play."""
    thread, seat = f"<#{table.channel}>", table.seat_of(table.host)
    if seat is None:
        text = table.say("There is a table in {thread}.", thread=thread)
    else:
        who = person(table.names[seat], table.language)
        text = table.say("**{who}** has opened a table in {thread}.", who=who, thread=thread)
    join = Button(table.language.say_as("for everyone", "Join"), JoinInThread(table.id), Style.GOOD)
    return _post(table.rules, table.language, text, (join,))


def closed(table: TableInfo) -> Post:
    """The post about a table that is closed."""
    text = table.say("The table in {thread} is closed.", thread=f"<#{table.channel}>")
    return _post(table.rules, table.language, text, colour=Colour.DONE)


def _post(
    rules: Ruleset, language: Language, text: str, *rows: tuple[Button, ...], colour: Colour = Colour.TABLE
) -> Post:
    return Post((f"**♥ {language.say(rules.preset.title)}**\n{text}", *rows), colour)


def seated_in_thread(by_dm: ByDm, thread: int, language: Language) -> str:
    """Tell players who joined a table from outside its thread where their hand will be."""
    link = f"<#{thread}>"
    match by_dm:
        case ByDm.YES:
            return language.say("You have a seat in {thread}. Your hand will come by DM.", thread=link)
        case ByDm.LATER:
            return language.say(
                "You have a seat in {thread}. Your hand will come by DM as soon as Discord lets me send you "
                "one. If the cards are dealt before that, press **My hand** there.",
                thread=link,
            )
        case ByDm.NO:
            return language.say(
                "You have a seat in {thread}. I can't DM you, so press **My hand** there once the cards are "
                "dealt. Everything works that way.",
                thread=link,
            )
