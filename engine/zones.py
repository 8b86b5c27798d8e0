"""Time zones by city, and the local time in them."""

from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

#: Each line has zones whose clocks always agree; the first is the one that is stored. Lines run from west to
#: east by their winter time; of several with the same time, the one with most people comes first.
ZONES = tuple(
    tuple(line.split())
    for line in """\
Pacific/Pago_Pago
Pacific/Honolulu Pacific/Tahiti
America/Adak
Pacific/Marquesas
America/Anchorage
Pacific/Gambier
America/Los_Angeles America/Tijuana
Pacific/Pitcairn
America/Denver America/Edmonton
America/Phoenix America/Hermosillo America/Whitehorse
America/Chicago America/Winnipeg
America/Mexico_City America/Guatemala America/Costa_Rica
Pacific/Easter
America/New_York America/Toronto America/Havana
America/Bogota America/Lima America/Panama
America/Halifax Atlantic/Bermuda
America/Caracas America/La_Paz America/Puerto_Rico
America/Santiago
America/St_Johns
America/Sao_Paulo America/Argentina/Buenos_Aires America/Montevideo
America/Miquelon
America/Nuuk
America/Noronha
Atlantic/Azores
Atlantic/Cape_Verde
Europe/London Europe/Lisbon Europe/Dublin
Africa/Abidjan Africa/Accra Atlantic/Reykjavik
Europe/Berlin Europe/Paris Europe/Madrid Europe/Rome Europe/Amsterdam Europe/Brussels Europe/Copenhagen
  Europe/Oslo Europe/Stockholm Europe/Prague Europe/Warsaw Europe/Vienna Europe/Zurich Europe/Budapest
  Europe/Zagreb Europe/Belgrade
Africa/Lagos Africa/Kinshasa Africa/Algiers Africa/Tunis
Africa/Casablanca
Europe/Athens Europe/Kyiv Europe/Helsinki Europe/Bucharest Europe/Sofia Europe/Riga Europe/Vilnius
  Europe/Tallinn
Africa/Johannesburg Africa/Maputo Africa/Khartoum Africa/Tripoli Europe/Kaliningrad
Africa/Cairo
Asia/Jerusalem
Asia/Beirut Europe/Chisinau
Asia/Gaza
Europe/Istanbul Europe/Moscow Africa/Nairobi Asia/Riyadh Asia/Baghdad Europe/Minsk
Asia/Tehran
Asia/Dubai Asia/Baku Asia/Tbilisi Asia/Yerevan
Asia/Kabul
Asia/Karachi Asia/Tashkent Asia/Almaty Asia/Yekaterinburg
Asia/Kolkata Asia/Colombo
Asia/Kathmandu
Asia/Dhaka Asia/Bishkek Asia/Omsk
Asia/Yangon
Asia/Bangkok Asia/Jakarta Asia/Ho_Chi_Minh Asia/Novosibirsk
Asia/Shanghai Asia/Hong_Kong Asia/Singapore Asia/Manila Asia/Taipei Asia/Kuala_Lumpur Australia/Perth
Australia/Eucla
Asia/Tokyo Asia/Seoul
Australia/Darwin
Australia/Brisbane Pacific/Guam Pacific/Port_Moresby Asia/Vladivostok
Australia/Adelaide
Australia/Sydney Australia/Melbourne Australia/Hobart
Pacific/Guadalcanal Pacific/Noumea Asia/Magadan
Australia/Lord_Howe
Pacific/Fiji Asia/Kamchatka
Pacific/Norfolk
Pacific/Auckland
Pacific/Apia Pacific/Tongatapu
Pacific/Chatham
Pacific/Kiritimati
Antarctica/Troll""".replace("\n  ", " ").splitlines()
)


def city_of(name: str) -> str:
    """The city that a zone is known by, or its difference from UTC.

    >>> city_of("America/Argentina/Buenos_Aires")
    'Buenos Aires'
    >>> city_of("Etc/GMT-2")
    'UTC+2'
    """
    if name.startswith("Etc/GMT"):  # Etc/GMT-2 is two hours ahead of UTC
        return name.removeprefix("Etc/").translate(str.maketrans("GMT+-", "UTC-+"))
    return name.rpartition("/")[2].replace("_", " ")


#: Zones by their casefolded cities.
BY_CITY = {city_of(name).casefold(): name for names in ZONES for name in names}


@lru_cache(maxsize=256)
def zone(name: str) -> ZoneInfo | None:
    """The zone with this name; None if there is none."""
    try:
        return ZoneInfo(name)
    except (ValueError, LookupError, OSError):
        return None


def clock_in(name: str, now: float) -> datetime:
    """The local time in this zone, or in UTC if there is no such zone; `now` is in seconds since 1970."""
    return datetime.fromtimestamp(now, zone(name) or ZoneInfo("UTC"))
