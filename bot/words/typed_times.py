"""Times that people type, in any of our languages: `in 45 minutes`, `20:00`, `tomorrow 8:30pm`, `Fri 20:00`.

Discord doesn't tell us anyone's time zone. So a time of day has a reading for every zone, until the person
chooses theirs by what its clocks show now and by its cities.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from itertools import product

from bot.words.deadlines import MONTHS, WEEKDAYS, short_date
from engine.errors import Refusal
from engine.languages import Language, N_as
from engine.tables.plan import LATEST, SOONEST, check_time
from engine.zones import BY_CITY, ZONES, clock_in, zone

#: Hours ahead of UTC, in winter, where most people live who use Discord in this language.
_LIKELY = {
    **{"en-US": -5, "en-GB": 0, "es-419": -5, "pt-BR": -3, "hi": 5.5, "ja": 9, "ko": 9},
    **{"th": 7, "vi": 7, "id": 7, "zh-CN": 8, "zh-TW": 8, "tr": 3, "ru": 3},
    **dict.fromkeys(("bg", "el", "fi", "lt", "ro", "uk"), 2),
    **dict.fromkeys(("cs", "da", "de", "es-ES", "fr", "hr", "hu", "it", "nl", "no", "pl", "sv-SE"), 1),
}
#: The words that can be typed. Each language has lists of its own in its catalog; English can be typed too.
LISTS = {
    "minutes": N_as("typed", "m|min|mins|minute|minutes"),
    "hours": N_as("typed", "h|hr|hrs|hour|hours"),
    "days": N_as("typed", "d|day|days"),
    "one": N_as("typed", "a|an|one"),
    "half an hour": N_as("typed", "half an hour|a half hour|half hour"),
    "an hour and a half": N_as("typed", "an hour and a half|one and a half hours"),
    "in": N_as("typed", "in"),
    "later": N_as("typed", "later|from now"),
    # These turn a number into a time of day, `20 Uhr` or `20h`, unless it is a wait: `dans 2h`.
    "o'clock": N_as("typed", "o'clock"),
    "at": N_as("typed", "at"),
    "noon": N_as("typed", "noon|midday"),
    "midnight": N_as("typed", "midnight"),
    "morning": N_as("typed", "morning|this morning|in the morning"),
    "evening": N_as("typed", "afternoon|this afternoon|evening|this evening|in the evening|tonight"),
    "today": N_as("typed", "today|tonight|this morning|this afternoon|this evening"),
    "tomorrow": N_as("typed", "tomorrow"),
    "the day after": N_as("typed", "day after tomorrow"),
    "next": N_as("typed", "next|this|coming"),
    "next week": N_as("typed", "next week|of next week"),
    "others": N_as("typed", "on|the|of|and"),
}
#: The lists of units in a wait, by their seconds, and the lists that name a day or a part of one.
_WAITING = {60: "minutes", 3600: "hours", 86_400: "days"}
_SAYING = tuple(LISTS)[tuple(LISTS).index("at") :]
_AHEAD = {"today": 0, "tomorrow": 1, "the day after": 2}
#: Chinese numbers before what they count, hours and a half, and words for the week.
_CHINESE = re.compile("(十?)([一二三四五六七八九两兩])(?=[个個小点點天分])|十(?=[个個小点點天分])")
_AND_A_HALF = re.compile(r"(\d+)[个個]半小[时時]")
_WEEK = re.compile("周|週|礼拜|禮拜")
#: The first of the Chinese characters, whose words have no spaces between them.
_HAN = "\u2e80"
_ZONE = re.compile(r"\s*\b(?:utc|gmt|z)?\s*(?:([+-])(\d{1,2})(?::?(\d\d))?)?$")
#: The most that a clock is ahead of UTC, and the most words in a city's name.
_FARTHEST, _MOST_WORDS = timedelta(hours=14), 3
#: The clocks that are furthest behind UTC and ahead of it.
_OUTERMOST = (timezone(timedelta(hours=-12)), timezone(_FARTHEST))
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d+")
#: The days of each month in a leap year.
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A time by the clock, perhaps on a certain day."""

    hour: int
    minute: int
    ahead: int | None = None  # days from today
    weekday: int | None = None  # from Monday, 0
    is_next_week: bool = False  # the weekday is in the week after this one
    dates: tuple[tuple[int, int], ...] = ()  # month and day, both ways round if that isn't clear
    zone: tzinfo | None = None  # if one was typed

    def at(self, zone: tzinfo, now: float) -> float:
        """The time (seconds since 1970) for people in this zone, also across a change of its clocks."""
        today = datetime.fromtimestamp(now, zone)
        moment = today.replace(hour=self.hour, minute=self.minute, second=0, microsecond=0, fold=0)
        if self.dates:
            moment = min(_dated(moment, self.dates), key=lambda candidate: abs(candidate - today))
        elif self.ahead is not None:
            moment += timedelta(days=self.ahead)
        elif self.weekday is not None:
            days = self.weekday - moment.weekday()
            moment += timedelta(days=days + 7 if self.is_next_week else days % 7)
            moment += timedelta(days=7 * (moment <= today))
        elif moment.timestamp() - now < SOONEST:
            moment += timedelta(days=1)
        return moment.timestamp()


def read_time(text: str, language: Language, now: float) -> float | TimeOfDay:
    """Read a typed time: seconds since 1970, or a TimeOfDay if it depends on the zone; otherwise Refusal."""
    typed = text.strip().casefold().replace("\N{FULLWIDTH COLON}", ":").replace("\u2019", "'").rstrip("!. ")
    if stamp := re.fullmatch(r"<t:(\d{1,12})(?::\w)?>", typed):  # as Discord writes it
        return float(stamp[1])
    typed, words = _in_figures(typed), _words(language)
    if (seconds := words.wait(typed)) is not None:
        return now + seconds
    time = _time_of_day(typed, words)
    if time is None:
        raise Refusal("no_such_time", text=text, day=tomorrow(now, language))
    return time if time.zone is None else time.at(time.zone, now)


def tomorrow(now: float, language: Language) -> str:
    """Tomorrow's date in UTC, as an example of what can be typed: `27 November`."""
    day = datetime.fromtimestamp(now, UTC) + timedelta(days=1)
    return short_date(f"{day:%Y-%m-%d}", language)


def check_not_past(typed: str, time: float | TimeOfDay, language: Language, now: float) -> None:
    """Refusal if what was typed is past, too soon or too late by every clock on earth."""
    times = [time] if isinstance(time, float) else [time.at(zone, now) for zone in _OUTERMOST]
    if max(times) < now:
        raise Refusal("start_past", text=typed, day=tomorrow(now, language))
    check_time(max(times) if min(times) - now < LATEST else min(times), now)


def _in_figures(typed: str) -> str:
    """Write Chinese numbers in figures, and days of the week in one of their forms."""
    typed = _WEEK.sub("星期", typed).replace("星期天", "星期日")
    typed = re.sub("([点點])半", r"\g<1>30分", typed)
    typed = _CHINESE.sub(lambda match: str(10 * ("十" in match[0]) + _chinese_digit(match[2])), typed)
    return _AND_A_HALF.sub(lambda match: f"{60 * int(match[1]) + 30}分", typed)


def _chinese_digit(numeral: str | None) -> int:
    return "零一二三四五六七八九".index(numeral.replace("两", "二").replace("兩", "二")) if numeral else 0


@dataclass(frozen=True, slots=True)
class Reading:
    """What a time of day means for people in this zone, and what their clocks show now."""

    zone: str
    clock: datetime
    at: float


def readings(time: TimeOfDay, now: float, zones: Iterable[str] = ()) -> list[Reading]:
    """The time's meaning in each of these zones, or in all zones, sorted by what their clocks show."""
    valid = [name for name in zones or [names[0] for names in ZONES] if zone(name)]
    clocks = {name: clock_in(name, now) for name in valid}
    valid.sort(key=lambda name: clocks[name].replace(tzinfo=None))
    return [Reading(name, clocks[name], time.at(clocks[name].tzinfo or UTC, now)) for name in valid]


def likely(readings: Sequence[Reading], locale: str, count: int) -> list[Reading]:
    """Up to `count` of these readings, in their order: those nearest to where this locale is used."""
    hours = _LIKELY.get(locale, 0)
    near = sorted(readings, key=lambda reading: abs(_hours(reading.clock) - hours))[:count]
    return [reading for reading in readings if reading in near]


def _hours(clock: datetime) -> float:
    """Hours by which a clock is ahead of UTC."""
    return (clock.utcoffset() or timedelta()).total_seconds() / 3600


def _dated(time: datetime, dates: Sequence[tuple[int, int]]) -> Iterator[datetime]:
    """This time of day on each of these dates, in enough years around it to include a 29 February."""
    for (month, day), year in product(dates, range(time.year - 4, time.year + 5)):
        with suppress(ValueError):  # 29 February
            yield time.replace(year=year, month=month, day=day)


# The words of a language


class _Words:
    """The words that people can type in this language, or in English."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._lists = {
            name: frozenset(f"{words}|{language.say_as('typed', words)}".split("|"))
            for name, words in LISTS.items()
        }
        self._seconds = {word: seconds for seconds, name in _WAITING.items() for word in self._lists[name]}
        number = rf"(?<!\w)(\d{{1,9}}(?:[.,]\d{{1,3}})?\s?|(?:{self._any('one')})\s)"
        self._amount = re.compile(rf"{number}({_any(self._seconds)})(?![^\W后後之以])")
        self._waits = re.compile(rf"^(?:{self._any('in')})\s*|\s*(?:{self._any('later')})$")
        self._phrases = {
            minutes: re.compile(rf"(?:{self._any(name)})$")
            for minutes, name in ((90, "an hour and a half"), (30, "half an hour"))
        }
        clock = self._any("o'clock")
        self._is_clock = re.compile(rf"\d{{1,2}}(?:[.:]\d\d)?\s?(?:{clock})(?:\s?\d\d)?")
        half = r"\s?(?P<half>[ap])\.?\s?m\b\.?"
        self._times = (
            re.compile(
                r"(?<![a-z0-9:.+-])(?P<hour>\d{1,2})"
                rf"(?:[:.](?P<minute>\d\d)|\s?(?:{clock})\s?(?P<more>\d\d)?分?|(?=\s?[ap]\.?\s?m\b))"
                rf"(?:{half})?(?:\s?(?:{clock}))?(?![a-z0-9:])"
            ),
            re.compile(rf"(?:{self._any('at')})\s(?P<hour>\d{{1,2}})(?![\w:.])"),
        )
        self._others = re.compile(self._any("others"))
        self._says = re.compile(_any({word for name in _SAYING for word in self._lists[name]}))

    def _any(self, name: str) -> str:
        return _any(self._lists[name])

    def wait(self, typed: str) -> float | None:
        """The seconds of a wait: `45 minutes`, `in 1 h 30`, `2小时后`; None for anything else."""
        rest = self._waits.sub("", typed)
        if rest == typed and self._is_clock.fullmatch(typed):
            return None  # half past eight, where 20h30 says that
        for minutes, phrase in self._phrases.items():
            rest = phrase.sub(f"{minutes} min", rest)
        rest = re.sub(r"(\d\s*h)\s*(\d\d)$", r"\1 \2 min", rest)
        seconds = sum(self._seconds_of(*amount) for amount in self._amount.findall(rest))
        leftover = self._others.sub("", self._amount.sub("", rest))
        return seconds if seconds and not leftover.strip(" ,") else None

    def _seconds_of(self, number: str, unit: str) -> float:
        return (float(number.replace(",", ".")) if number[0].isdecimal() else 1.0) * self._seconds[unit]

    def times(self, typed: str) -> Iterator[tuple[int, int, str | None, str]]:
        """Each time of day in the text: hour, minute, `a` or `p`, and the rest of the text.

        The last one comes first, as a date before it may look like a time.
        """
        for pattern in self._times:
            for match in reversed(list(pattern.finditer(typed))):
                parts = match.groupdict()
                minute = parts.get("minute") or parts.get("more") or 0
                rest = f"{typed[: match.start()]} {typed[match.end() :]}"
                yield int(parts["hour"]), int(minute), parts.get("half"), rest

    def split(self, typed: str) -> tuple[frozenset[str], str]:
        """The names of the lists that have words in this text, and the text without those words."""
        words = {match[0] for match in self._says.finditer(typed)}
        return frozenset(name for name in _SAYING if words & self._lists[name]), self._says.sub(" ", typed)


@cache
def _words(language: Language) -> _Words:
    return _Words(language)


def _any(words: Iterable[str]) -> str:
    """A pattern for any of these words, the longest first; only whole words match, except in Chinese."""
    escaped = [re.escape(word) for word in sorted(filter(None, words), key=len, reverse=True)]
    return (
        "|".join([word if word >= _HAN else rf"(?<![^\W\d]){word}(?![^\W\d])" for word in escaped]) or "(?!)"
    )


# Times of day


def _time_of_day(typed: str, words: _Words) -> TimeOfDay | None:
    typed, clock_zone = _split_zone(typed)
    for hour, minute, half, rest in words.times(typed):
        lists, remaining = words.split(rest)
        day = _day(remaining, lists, words.language)
        hour = _hour(hour, half, is_evening="evening" in lists)
        if day is not None and hour < 24 and minute < 60:
            return replace(day, hour=hour, minute=minute, zone=clock_zone)
    lists, remaining = words.split(typed)
    day = _day(remaining, lists, words.language)
    if day is None or not lists & {"noon", "midnight"}:
        return None
    if "noon" in lists:
        return replace(day, hour=12, zone=clock_zone)
    return replace(day, ahead=None if day.ahead is None else day.ahead + 1, zone=clock_zone)


def _split_zone(typed: str) -> tuple[str, tzinfo | None]:
    """Split off a final `UTC+2` or city: the text before it, and that zone or None."""
    rest, name = split_city(typed)
    if name:
        return rest, zone(name)
    match = _ZONE.search(typed)
    if match is None or not match[0].strip():
        return typed, None
    sign, hours, minutes = match[1], int(match[2] or 0), int(match[3] or 0)
    ahead = timedelta(hours=hours, minutes=minutes)
    if ahead > _FARTHEST:
        return typed, None
    return typed[: match.start()], timezone(-ahead if sign == "-" else ahead)


def split_city(typed: str, *, is_whole: bool = True) -> tuple[str, str | None]:
    """Split off a final city, and return its zone; unless `is_whole`, the beginning of its name is enough."""
    words = typed.split()
    for count in range(min(_MOST_WORDS, len(words) - 1), 0, -1):
        ending = " ".join(words[-count:]).casefold()
        for city, name in BY_CITY.items():
            if ending == city or (not is_whole and len(ending) > 1 and city.startswith(ending)):
                return " ".join(words[:-count]), name
    return typed, None


def _hour(hour: int, half: str | None, *, is_evening: bool) -> int:
    """The hour from 0 to 23 (24 or more if it can't be one), from a clock of 12 or 24 hours."""
    if half and hour <= 12:
        return hour % 12 + (12 if half == "p" else 0)
    return hour + 12 if is_evening and hour < 12 else hour


def _day(text: str, lists: frozenset[str], language: Language) -> TimeOfDay | None:
    """Midnight on the day that was typed, or on any day; None if the text has other words.

    `lists` are the lists whose words were typed besides this text.
    """
    text = re.sub(r"月|(?<=\d)[日号號]", " ", text)
    text = re.sub(r"\b1(?:er|º|st)(?!\w)", "1", text)  # the first of a month
    tokens = _WORD.findall(text)
    words = [word for word in tokens if not (word.isdecimal() and len(word) == 4)]
    weekdays = [index for word in words if (index := _index(word, WEEKDAYS, language)) is not None]
    words = [word for word in words if _index(word, WEEKDAYS, language) is None]
    match words:
        case []:
            ahead = next((days for name, days in _AHEAD.items() if name in lists), None)
            weekday = next(iter(weekdays), None)
            return TimeOfDay(0, 0, ahead, weekday, is_next_week="next week" in lists)
        case [month, day] if month.isdecimal() and day.isdecimal():
            return _on((int(month), int(day)), (int(day), int(month)))
        case [first, second]:
            day, name = (first, second) if first.isdecimal() else (second, first)
            month_index = _index(name, MONTHS, language)
            if day.isdecimal() and month_index is not None:
                return _on((month_index + 1, int(day)))
    return None


def _on(*dates: tuple[int, int]) -> TimeOfDay | None:
    """Midnight on those of these dates that exist in a leap year; None if none does."""
    valid = tuple(
        [(month, day) for month, day in dates if 1 <= month <= 12 and 1 <= day <= _LONGEST[month - 1]]
    )
    return TimeOfDay(0, 0, dates=valid) if valid else None


def _index(word: str, names: Sequence[str], language: Language) -> int | None:
    """The index of this name, in English or the person's language, written out or shortened."""
    if word.isdecimal() or len(word) < (1 if word > "\u2e80" else 2):
        return None
    for spellings in (names, [language.say(name) for name in names]):
        fitting = [index for index, name in enumerate(spellings) if name.casefold().startswith(word)]
        if len(fitting) == 1 or (fitting and len(word) >= 3):
            return fitting[0]
    return None
