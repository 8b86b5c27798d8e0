"""Times as people type them, in every language and time zone."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest

from bot.words.typed_times import LISTS, TimeOfDay, check_not_past, read_time, readings, tomorrow
from engine.errors import Refusal
from engine.languages import ENGLISH, LANGUAGES
from engine.zones import BY_CITY, ZONES, city_of, clock_in

#: A Monday.
NOW = datetime(2026, 11, 23, 12, 35, tzinfo=UTC)
#: Delays, times by a named clock and moments as Discord writes them, by when they mean.
MOMENTS = {
    datetime(2026, 11, 23, 13, 5): {
        "en": "in half an hour",
        "de": "in einer halben Stunde|eine halbe Stunde",
        "fr": "dans une demi-heure",
        "es": "en media hora",
        "pt": "em meia hora",
        "zh": "半小时后|半个小时后|过半小时|半个钟头后",
    },
    datetime(2026, 11, 23, 13, 20): {
        "en": "45 m|in 45 minutes|in 45 min|45min|0.75 h|0,75 hours",
        "de": "in 45 Minuten|45 min",
        "fr": "dans 45 minutes",
        "es": "en 45 minutos|dentro de 45 minutos",
        "pt": "em 45 minutos|daqui a 45 minutos",
        "zh": "45分钟后|45分钟|45分鐘後",
    },
    datetime(2026, 11, 23, 13, 35): {"en": "in an hour", "de": "in einer Stunde", "zh": "一个小时后"},
    datetime(2026, 11, 23, 14, 5): {
        "en": "an hour and a half|1h30|1 h 30 min",
        "fr": "dans 1h30",
        "zh": "一个半小时后",
    },
    datetime(2026, 11, 23, 14, 30): {"en": "20:00 utc+5:30"},
    datetime(2026, 11, 23, 14, 35): {"en": "in 2 hours", "zh": "两小时后|两个钟头后|兩小時後"},
    datetime(2026, 11, 23, 19): {"en": "20:00 Berlin"},
    datetime(2026, 11, 23, 19, 30): {"en": "<t:1795462200:F>"},
    datetime(2026, 11, 23, 20): {"en": "20:00 UTC"},
    datetime(2026, 11, 23, 20, 30): {"en": "20:00 utc-0:30"},
    datetime(2026, 11, 23, 22, 35): {"zh": "十小时后"},
    datetime(2026, 11, 23, 23): {"en": "8pm gmt-3"},
    datetime(2026, 11, 24, 0, 35): {"zh": "十二个小时后"},
    datetime(2026, 11, 24, 14, 35): {"en": "1 day 2 hours"},
    datetime(2026, 11, 25, 1): {"en": "tomorrow 8pm new york"},
    datetime(2026, 11, 25, 12, 35): {"en": "2 days"},
}
#: Times of a day by one's own clock, here UTC.
TIMES_OF_DAY = {
    datetime(2026, 11, 23, 20): {
        "en": "20:00|8pm|8:00 p.m.|20.00|at 8pm|today 20:00|tonight at 8pm|Mon 20:00|23 Nov 20:00|Nov 23 8pm"
        "|this evening 8pm",
        "de": "20 Uhr|um 20:00 Uhr|heute 20:00|Montag um 20 Uhr|am Montag 20:00|23.11. 20:00|23. Nov 20:00"
        "|20h|20 h|heute Abend 20 Uhr",
        "es": "a las 20:00|hoy a las 20:00|el lunes 20:00|23 nov 20:00"
        "|20h|20 h|20 horas|a las 20 horas|esta noche a las 8",
        "fr": "20h|20h00|à 20h|lundi 20h|23/11 20:00|aujourd'hui 20h00|20 heures|à 20 heures|ce soir 20h",
        "pt": "20h|às 20h|hoje às 20:00|segunda-feira 20h|23/11 20h|20 horas|às 20 horas|hoje à noite 20h",
        "zh": "20点|晚上8点|晚上八点|今晚8点|今天20:00|星期一20点|周一 20:00|11月23日20:00"
        "|20點|今晚八點|20点整|今夜8点",
    },
    datetime(2026, 11, 23, 20, 30): {"de": "20 Uhr 30", "es": "20.30 h|8:30 p. m."},
    datetime(2026, 11, 24, 0): {"en": "midnight"},
    datetime(2026, 11, 24, 8): {"fr": "8 heures"},
    datetime(2026, 11, 24, 9): {"de": "morgen früh 9 Uhr", "zh": "明早9点|明天清晨9点"},
    datetime(2026, 11, 24, 10): {"zh": "上午10点"},
    datetime(2026, 11, 24, 12): {"en": "noon", "zh": "中午12点"},
    datetime(2026, 11, 24, 20): {"fr": "demain 20 heures"},
    datetime(2026, 11, 24, 20, 30): {
        "en": "tomorrow 20:30|20:30 tomorrow|Tuesday 8:30pm|tue 20:30|11/24 20:30|24/11 20:30"
        "|2026-11-24 20:30",
        "de": "morgen 20:30|Dienstag 20:30 Uhr|Di 20:30|24.11. 20:30|24.11.2026 20:30|morgen Abend 20:30",
        "fr": "demain 20h30|demain à 20:30|mardi 20h30|demain soir 20h30",
        "es": "mañana a las 20:30|martes 20:30",
        "pt": "amanhã às 20:30|amanhã 20h30|terça-feira 20:30",
        "zh": "明天20:30|明天晚上8点30分|周二20点30|明天晚上八点半",
    },
    datetime(2026, 11, 25, 20): {
        "en": "day after tomorrow 20:00",
        "de": "übermorgen 20 Uhr",
        "es": "pasado mañana 20:00",
        "fr": "après-demain 20h",
        "pt": "depois de amanhã 20h",
        "zh": "后天20:00",
    },
    datetime(2026, 11, 27, 20): {"en": "next Friday 20:00", "zh": "礼拜五20:00|週五20:00"},
    datetime(2026, 11, 29, 20): {"zh": "星期天20:00|周天20:00"},
    datetime(2026, 12, 1, 20): {"fr": "le 1er décembre 20h", "pt": "1º de dezembro 20h"},
    datetime(2026, 12, 4, 20): {"zh": "下周五20:00"},
}


def cases(meanings: dict[datetime, dict[str, str]]) -> list[tuple[str, str, datetime]]:
    """Language, text and meaning; both kinds of Chinese can be typed in either."""
    return [
        (code, text, meant)
        for meant, texts in meanings.items()
        for spoken, listed in texts.items()
        for code in ((spoken, "zh-TW") if spoken == "zh" else (spoken,))
        for text in listed.split("|")
    ]


def read(code: str, text: str, now: datetime = NOW) -> float | TimeOfDay:
    return read_time(text, LANGUAGES[code], now.timestamp())


def read_at(code: str, text: str, zone: str = "UTC", now: datetime = NOW) -> datetime:
    """The moment of this time of day, as it is shown by the clocks of this zone."""
    time = read(code, text, now)
    at = time.at(ZoneInfo(zone), now.timestamp())
    return datetime.fromtimestamp(at, ZoneInfo(zone)).replace(tzinfo=None)


@pytest.mark.parametrize(("code", "text", "meant"), cases(MOMENTS))
def test_moments(code: str, text: str, meant: datetime) -> None:
    assert read(code, text) == meant.replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(("code", "text", "meant"), cases(TIMES_OF_DAY))
def test_times_of_a_day(code: str, text: str, meant: datetime) -> None:
    assert read_at(code, text) == meant


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != ENGLISH.code])
def test_each_language_has_words_of_its_own(code: str) -> None:
    own = {name: LANGUAGES[code].say_as("typed", words) for name, words in LISTS.items()}
    alike = {name for name, words in LISTS.items() if own[name] == words}
    assert alike <= {"in"}  # which German says too


@pytest.mark.parametrize("zone", [names[0] for names in ZONES])
def test_a_time_of_day_is_the_next_such_time_on_that_clock(zone: str) -> None:
    here = clock_in(zone, NOW.timestamp()).replace(tzinfo=None)
    found = read_at("en", "20:00", zone)
    assert (found.hour, found.minute) == (20, 0)
    assert 0 < (found - here).total_seconds() < 24 * 3600 + 5 * 60
    assert (read_at("en", "tomorrow 00:15", zone).date() - here.date()).days == 1
    assert read_at("en", "Wed 9:00", zone).weekday() == 2


#: Shortly before clocks are changed, in spring and autumn, north and south, and before the end of a year.
CHANGES = [
    ("Europe/Berlin", (2026, 10, 23, 15), "Mon 20:00", (2026, 10, 26, 20)),
    ("Europe/Berlin", (2026, 3, 27, 15), "Mon 20:00", (2026, 3, 30, 20)),
    ("America/New_York", (2026, 3, 7, 15), "tomorrow 20:00", (2026, 3, 8, 20)),
    ("Australia/Sydney", (2026, 10, 2, 15), "Mon 20:00", (2026, 10, 5, 20)),
    ("Europe/Berlin", (2026, 10, 24, 19), "20:00", (2026, 10, 25, 20)),
    ("UTC", (2026, 12, 30, 12), "2 Jan 20:00", (2027, 1, 2, 20)),
]


@pytest.mark.parametrize(("zone", "now", "typed", "meant"), CHANGES)
def test_a_time_beyond_a_change_of_clocks_or_year_is_what_they_show_then(
    zone: str, now: tuple[int, ...], typed: str, meant: tuple[int, ...]
) -> None:
    assert read_at("en", typed, zone, datetime(*now, tzinfo=UTC)) == datetime(*meant)


def test_every_clock_that_exists_is_offered_in_order_of_time() -> None:
    """The zones of `Etc` belong to no place."""
    time, places = read("en", "20:00"), [zone for zone in available_timezones() if "/" in zone]
    places = [zone for zone in places if not zone.startswith("Etc/")]
    for days in range(0, 366, 26):  # of each month one
        now = (NOW + timedelta(days=days)).timestamp()
        clocks = [one.clock.replace(tzinfo=None) for one in readings(time, now)]
        assert clocks == sorted(clocks)
        assert {clock_in(zone, now).replace(tzinfo=None) for zone in places} == set(clocks)


def test_the_cities_of_one_line_have_one_clock_and_no_name_twice() -> None:
    for names in ZONES:
        for days in range(0, 366, 5):
            now = (NOW + timedelta(days=days)).timestamp()
            assert len({clock_in(zone, now).utcoffset() for zone in names}) == 1, names
    assert len(BY_CITY) == sum(map(len, ZONES)) == len({city_of(zone) for names in ZONES for zone in names})


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_example_of_a_date_is_tomorrow_and_can_be_typed(code: str) -> None:
    for day in range(0, 366, 5):
        now = NOW.timestamp() + 86_400 * day
        found = read_time(f"{tomorrow(now, LANGUAGES[code])} 20:00 utc", LANGUAGES[code], now)
        expected = datetime.fromtimestamp(now, UTC).replace(hour=20, minute=0, second=0)
        assert found == (expected + timedelta(days=1)).timestamp(), day


@pytest.mark.parametrize("text", ["22 Nov 20:00", "1 Nov 20:00", "<t:5:F>"])
def test_what_is_past_by_every_clock_is_called_so(text: str) -> None:
    found = read_time(text, ENGLISH, NOW.timestamp())
    with pytest.raises(Refusal) as caught:
        check_not_past(text, found, ENGLISH, NOW.timestamp())
    assert caught.value.id == "start_past"


def test_a_time_that_is_ahead_by_one_clock_is_asked_about() -> None:
    check_not_past("20:00", TimeOfDay(20, 0), ENGLISH, NOW.timestamp())
    check_not_past("today 1:00", TimeOfDay(1, 0, ahead=0), ENGLISH, NOW.timestamp())


NO_TIMES = (
    "| |20|soonish|25:00|20:75|20:00 20:00|Mon 25:00|20:00 utc+99|31 Feb 20:00|99999999999999 days"
    "|20:00 Blursday|Mon Tue 20:00 Foo|in banana hours|<t:soon:R>|13pm Foo|²:³|20:00 ² ³|🕗"
)


@pytest.mark.parametrize("text", NO_TIMES.split("|"))
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(Refusal, match="no_such_time"):
        read("en", text)


@pytest.mark.parametrize("code", LANGUAGES)
def test_any_signs_are_read_or_refused(code: str) -> None:
    for text in ("٢٠:٠٠", "20:00\0", "in ٤٥ minutes", "a" * 60, "1:" * 30, "1 " * 30, "h" * 60, "日" * 60):
        with suppress(Refusal):
            read(code, text)
