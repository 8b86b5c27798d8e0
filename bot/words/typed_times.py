"""Times that people type, in any of our languages: `in 45 minutes`, `20:00`, `tomorrow 8:30pm`, `Fri 20:00`.

Discord doesn't tell anyone's time zone. So a time of day has as many readings as there are clocks, until a
person says which is theirs, by what it shows now and by its cities.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from itertools import product

from bot.words.deadlines import MONTHS, WEEKDAYS, short_date
from engine.errors import Refusal
from engine.languages import Language
from engine.tables.plan import LATEST, SOONEST, check_time
from engine.zones import BY_CITY, ZONES, clock_in, zone

#: Hours ahead of UTC in winter where most people are who use Discord in this language.
_LIKELY = {
    **{"en-US": -5, "en-GB": 0, "es-419": -5, "pt-BR": -3, "hi": 5.5, "ja": 9, "ko": 9},
    **{"th": 7, "vi": 7, "id": 7, "zh-CN": 8, "zh-TW": 8, "tr": 3, "ru": 3},
    **dict.fromkeys(("bg", "el", "fi", "lt", "ro", "uk"), 2),
    **dict.fromkeys(("cs", "da", "de", "es-ES", "fr", "hr", "hu", "it", "nl", "no", "pl", "sv-SE"), 1),
}
#: Numbers in words, and the units of time, as people write them in our languages.
_ONE = "an?|one|eine[rm]?|une?|uma?|una"
_UNITS = {
    60: "m min mins minute minutes minuten minuto minutos 分 分钟",
    3600: "h hr hrs hour hours std stunde stunden heure heures hora horas 小时 个小时",
    86_400: "d day days tag tage tagen j jour jours día días dia dias 天",
}
_SECONDS = {word: seconds for seconds, words in _UNITS.items() for word in words.split()}
_UNIT = "|".join(sorted(_SECONDS, key=len, reverse=True))
_AMOUNT = re.compile(rf"(?<!\w)(\d{{1,9}}(?:[.,]\d{{1,3}})?\s?|(?:{_ONE})\s)({_UNIT})(?![^\W后之])")
_BEFORE = re.compile(r"^(in|dans|en|dentro de|daqui a|em)\s+")
#: Hours, then minutes or something that says that these are hours.
_TIME = re.compile(
    r"(?<![a-z0-9:.+-])(\d{1,2})(?:[:.](\d\d)|\s?(?:h|点)\s?(\d\d)?分?|(?=\s?[ap]\.?m)|(?=\s?uhr))"
    r"(?:\s?([ap])\.?m\.?)?(?:\s?(?:uhr|h))?(?![a-z0-9:])"
)
#: Half hours, and small numbers in Chinese, in words.
_HALF_HOUR = re.compile(
    "(?:a )?half (?:an )?hour|(?:einer? )?halben? stunde|media hora|(?:une )?demi-heure|(?:uma )?meia hora"
    "|半个?小时"
)
_CHINESE = re.compile("(十?)([一二三四五六七八九两])(?=个?小时|点|天|分)|十(?=个?小时|点|天|分)")
_EVENING = re.compile("晚上|下午|今晚|明晚")
_ZONE = re.compile(r"\s*\b(?:utc|gmt|z)?\s*(?:([+-]\d{1,2})(?::?(\d\d))?)?$")
#: How far a clock is from UTC at most, and the words of a city's name.
_FARTHEST, _MOST_WORDS = timedelta(hours=14), 3
#: The clocks that are furthest behind UTC and ahead of it.
_OUTERMOST = (timezone(timedelta(hours=-12)), timezone(_FARTHEST))
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d+")
_FILLERS = frozenset(re.findall(r"\S+", "at on um am à a las la às le el em o de del den the 在 日 号"))
_AHEAD = {
    0: "today tonight heute aujourd'hui hoy hoje 今天 今",
    1: "tomorrow morgen demain mañana amanhã 明天 明",
}
#: The days of each month in a leap year.
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAYS_AHEAD = {word: days for days, words in _AHEAD.items() for word in words.split()}


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A time by a clock that shows hours and minutes, perhaps on a certain day."""

    hour: int
    minute: int
    ahead: int | None = None  # days from today
    weekday: int | None = None  # from Monday, 0
    dates: tuple[tuple[int, int], ...] = ()  # month and day, both ways round where that is not clear
    zone: tzinfo | None = None  # of this clock, where it was said

    def at(self, zone: tzinfo, now: float) -> float:
        """The moment (seconds since 1970) for people in this zone; its clocks may be changed before that."""
        here = datetime.fromtimestamp(now, zone)
        found = here.replace(hour=self.hour, minute=self.minute, second=0, microsecond=0, fold=0)
        if self.dates:
            found = min(_dated(found, self.dates), key=lambda one: abs(one - here))
        elif self.ahead is not None:
            found += timedelta(days=self.ahead)
        elif self.weekday is not None:
            found += timedelta(days=(self.weekday - found.weekday()) % 7)
            found += timedelta(days=7 * (found <= here))
        elif found.timestamp() - now < SOONEST:
            found += timedelta(days=1)
        return found.timestamp()


def read_time(text: str, language: Language, now: float) -> float | TimeOfDay:
    """The moment that was typed (seconds since 1970), or a time by somebody's clock; else Refusal."""
    typed = _in_figures(text.strip().casefold().replace("\N{FULLWIDTH COLON}", ":").rstrip("!. "))
    if stamp := re.fullmatch(r"<t:(\d{1,12})(?::\w)?>", typed):  # as Discord writes it
        return float(stamp[1])
    if (seconds := _duration(typed, language)) is not None:
        return now + seconds
    found = _time_of_day(typed, language)
    if found is None:
        raise Refusal("no_such_time", text=text, day=tomorrow(now, language))
    return found if found.zone is None else found.at(found.zone, now)


def tomorrow(now: float, language: Language) -> str:
    """The date of tomorrow in UTC, as an example of what can be typed: `27 November`."""
    day = datetime.fromtimestamp(now, UTC) + timedelta(days=1)
    return short_date(f"{day:%Y-%m-%d}", language)


def check_not_past(typed: str, found: float | TimeOfDay, language: Language, now: float) -> None:
    """Refusal if what was typed is past, or too near or too far, by every clock on earth."""
    times = [found] if isinstance(found, float) else [found.at(zone, now) for zone in _OUTERMOST]
    if max(times) < now:
        raise Refusal("start_past", text=typed, day=tomorrow(now, language))
    check_time(max(times) if min(times) - now < LATEST else min(times), now)


def _in_figures(typed: str) -> str:
    """The same with its half hours in minutes, and Chinese numbers in figures."""
    typed = _HALF_HOUR.sub("30 min", typed).replace("点半", "点30分")
    return _CHINESE.sub(lambda said: str(10 * ("十" in said[0]) + _chinese_digit(said[2])), typed)


def _chinese_digit(said: str | None) -> int:
    return "零一二三四五六七八九".index(said.replace("两", "二")) if said else 0


@dataclass(frozen=True, slots=True)
class Reading:
    """What a time of day means for people in this zone, whose clocks show this now."""

    zone: str
    clock: datetime
    at: float


def readings(time: TimeOfDay, now: float, zones: Iterable[str] = ()) -> list[Reading]:
    """The time's meanings in these zones, or by every clock that there is, in order of what they show."""
    found = [name for name in zones or [names[0] for names in ZONES] if zone(name)]
    clocks = {name: clock_in(name, now) for name in found}
    found.sort(key=lambda name: clocks[name].replace(tzinfo=None))
    return [Reading(name, clocks[name], time.at(clocks[name].tzinfo or UTC, now)) for name in found]


def likely(readings: Sequence[Reading], locale: str, count: int) -> list[Reading]:
    """Up to `count` of these readings, in their order: those near to where people read this locale."""
    hours = _LIKELY.get(locale, 0)
    near = sorted(readings, key=lambda one: abs(_hours(one.clock) - hours))[:count]
    return [one for one in readings if one in near]


def _hours(clock: datetime) -> float:
    """Hours by which a clock is ahead of UTC."""
    return (clock.utcoffset() or timedelta()).total_seconds() / 3600


def _dated(found: datetime, dates: Sequence[tuple[int, int]]) -> Iterator[datetime]:
    """The same time on each of these dates, in the years around; one of them has a 29 February."""
    for (month, day), year in product(dates, range(found.year - 4, found.year + 5)):
        with suppress(ValueError):  # 29 February
            yield found.replace(year=year, month=month, day=day)


# Durations


def _duration(typed: str, language: Language) -> float | None:
    """The seconds of `45 minutes`, `in 1 h 30`, `2小时后`; None if it is something else."""
    rest = _BEFORE.sub("", typed)
    if language.code in ("fr", "pt") and rest == typed and re.fullmatch(r"\d{1,2}\s?h(\s?\d\d)?", typed):
        return None  # 20h30 is half past eight
    rest = re.sub(r"(\d\s*h)\s*(\d\d)$", r"\1 \2 min", rest)
    seconds = sum(_amount(*found) for found in _AMOUNT.findall(rest))
    left = re.sub(
        r"[,\s]+|\band\b|\bund\b|\bet\b|\by\b|\be\b|from now|later|后|之后", "", _AMOUNT.sub("", rest)
    )
    return seconds if seconds and not left else None


def _amount(amount: str, unit: str) -> float:
    return (float(amount.replace(",", ".")) if amount[0].isdecimal() else 1.0) * _SECONDS[unit]


# Times of day


def _time_of_day(typed: str, language: Language) -> TimeOfDay | None:
    typed, there = _said_zone(typed)
    for time in reversed(list(_TIME.finditer(typed))):  # the last: a date may look like one
        day = _day(typed[: time.start()] + " " + typed[time.end() :], language)
        hour, minute = (
            _hour(int(time[1]), time[4], is_evening=bool(_EVENING.search(typed))),
            time[2] or time[3],
        )
        if day is not None and hour < 24 and int(minute or 0) < 60:
            return replace(day, hour=hour, minute=int(minute or 0), zone=there)
    return None


def _said_zone(typed: str) -> tuple[str, tzinfo | None]:
    """What was typed before `UTC+2` or a city, and that zone; None if neither was said."""
    rest, name = split_city(typed)
    if name:
        return rest, zone(name)
    said = _ZONE.search(typed)
    if said is None or not said[0].strip():
        return typed, None
    hours, minutes = int(said[1] or 0), int(said[2] or 0)
    ahead = timedelta(hours=hours, minutes=minutes if hours >= 0 else -minutes)
    if abs(ahead) > _FARTHEST:
        return typed, None
    return typed[: said.start()], timezone(ahead)


def split_city(typed: str, *, is_whole: bool = True) -> tuple[str, str | None]:
    """A time without the city at its end, and its zone; unless `is_whole`, the city's beginning will do."""
    words = typed.split()
    for count in range(min(_MOST_WORDS, len(words) - 1), 0, -1):
        said = " ".join(words[-count:]).casefold()
        for city, name in BY_CITY.items():
            if said == city or (not is_whole and len(said) > 1 and city.startswith(said)):
                return " ".join(words[:-count]), name
    return typed, None


def _hour(hour: int, half: str | None, *, is_evening: bool) -> int:
    """From 0 to 23, by a clock that may show only 12."""
    if half and hour <= 12:
        return hour % 12 + (12 if half == "p" else 0)
    return hour + 12 if is_evening and hour < 12 else hour


def _day(text: str, language: Language) -> TimeOfDay | None:
    """Midnight on the day that these words name, or on any; None if they say something else."""
    text = re.sub("晚上|下午|晚|月", " ", text).replace("周", "星期")
    text = re.sub(r"\b1(?:er|º)", "1", text)  # as French and Portuguese have the first of a month
    found = _WORD.findall(text)
    words = [word for word in found if word not in _FILLERS and not (word.isdecimal() and len(word) == 4)]
    weekdays = [index for word in words if (index := _index(word, WEEKDAYS, language)) is not None]
    words = [word for word in words if _index(word, WEEKDAYS, language) is None]
    match words:
        case []:
            return TimeOfDay(0, 0, weekday=next(iter(weekdays), None))
        case [word] if word in _DAYS_AHEAD:
            return TimeOfDay(0, 0, ahead=_DAYS_AHEAD[word])
        case [month, day] if month.isdecimal() and day.isdecimal():
            return _on((int(month), int(day)), (int(day), int(month)))
        case [first, second]:
            day, name = (first, second) if first.isdecimal() else (second, first)
            month_index = _index(name, MONTHS, language)
            if day.isdecimal() and month_index is not None:
                return _on((month_index + 1, int(day)))
    return None


def _on(*dates: tuple[int, int]) -> TimeOfDay | None:
    """Midnight on those of these dates that exist, in a leap year; None if none does."""
    found = tuple(
        [(month, day) for month, day in dates if 1 <= month <= 12 and 1 <= day <= _LONGEST[month - 1]]
    )
    return TimeOfDay(0, 0, dates=found) if found else None


def _index(word: str, names: Sequence[str], language: Language) -> int | None:
    """Which of these names this is, in English or the person's language, written out or shortened."""
    if word.isdecimal() or len(word) < (1 if word > "\u2e80" else 2):
        return None
    for told in (names, [language.say(name) for name in names]):
        fitting = [index for index, name in enumerate(told) if name.casefold().startswith(word)]
        if len(fitting) == 1 or (fitting and len(word) >= 3):
            return fitting[0]
    return None
