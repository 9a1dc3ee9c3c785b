"""Lengths of time in European languages: “duas horas e quinze minutos”, “um minuto dezanove”."""

from __future__ import annotations

import re
from decimal import Decimal

from audiomill.inputs.spoken.european import number_words
from audiomill.inputs.spoken.european.counting import END, SPACE, Counting, counted_noun
from audiomill.inputs.spoken.european.language import LanguageWords, Number
from audiomill.inputs.spoken.rules import Context, Rule, dense_rule, rule

# “2h 6m 12s”, “1h30min”, “1m19,32s”; “10 m” alone are meters.
_AFTER_MINUTES = "|".join(
    rf"(?<=h{gap}{digits}{minute})"
    for gap in ("", "[ ]")
    for digits in (r"\d", r"\d\d")
    for minute in ("m", "min")
)
_LASTING = (
    r"(?:(?P<hours>\d{1,3})h[ ]?)?(?P<minutes>\d{1,2})(?:min|m)"
    rf"(?:[ ]?(?P<seconds>[0-5]?\d(?:[.,]\d{{1,3}})?)s|{_AFTER_MINUTES})"
)
_HUNDREDTHS = r"(?<![\w.,'])(?P<seconds>[0-5]?\d)s(?P<part>\d\d)(?![^\W_]|[.,]\d)"  # “46s91”
# “2,382'' de avanço”; with one decimal those would be inches.
_RACE = (  # “2:00.531”
    r"(?<![\w:.,])(?P<minutes>\d{1,2}):(?P<seconds>[0-5]\d)[.,](?P<part>\d{3})(?![\w:]|[.,]\d)"
)
_THOUSANDTHS = r"(?<![\w.,'])(?P<seconds>[0-5]?\d)[.,](?P<part>\d{3})(?:''|″)(?![^\W_])"
# “durou 2h15”; but “às 2h15” is an hour of the day. The words next to it tell.
_LENGTH = r"(?<![\w:.,/])(?P<hour>\d{1,2})h(?P<minute>[0-5]\d)(?![\w:/]|[.,]\d)"


def rules(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for lengths of time with units between their digits."""
    durations = _Durations(language)
    return (
        rule("time", rf"{_LASTING}{END}", durations.lap),
        rule("time", _HUNDREDTHS, durations.hundredths),
        rule("time", _THOUSANDTHS, durations.thousandths),
        rule("time", _RACE, durations.race),
    )


def lasting(language: LanguageWords, before: str, after: str) -> Rule:
    """The rule for a length of time after one of `before`, or before “de” and one of `after`."""
    earlier = re.compile(rf"\b(?:{before})\s\Z", re.IGNORECASE)
    later = re.compile(rf"{SPACE}d[ei]{SPACE}(?:{after})\b(?!\s[aà]s?\s\d)")

    def say(match: re.Match[str], context: Context) -> str | None:
        lasts = earlier.search(context.text, 0, match.start()) or later.match(
            context.text, match.end()
        )
        if not lasts or match["minute"] == "00":
            return None
        parts = (("duration-hour", match["hour"]), ("duration-minute", match["minute"]))
        said = [_of_time(language, unit, int(count), context.region) for unit, count in parts]
        return f" {language.symbols['&']} ".join(said)

    return dense_rule("time", _LENGTH, say)


def _of_time(language: LanguageWords, unit: str, count: int, region: str) -> str:
    name = number_words.unit_name(unit, Decimal(count), language.code, region)
    number = language.cardinal(count, region, language.gender(name) or "m")
    return counted_noun(language, number, name)


class _Durations(Counting):
    """What is said for lengths of time in one language."""

    def lap(self, match: re.Match[str], context: Context) -> str:
        """“um minuto dezanove vírgula trinta e dois segundos” for “1m19,32s”."""
        said = [
            self._timed(Number(str(int(match[name]))), name.removesuffix("s"), context.region)
            for name in ("hours", "minutes")
            if match[name]
        ]
        if not match["seconds"]:
            return f" {self.language.symbols['&']} ".join(said)
        whole, _, part = match["seconds"].replace(".", ",").partition(",")
        seconds = Number(str(int(whole)), part)
        return " ".join((*said, self._timed(seconds, "second", context.region)))

    def hundredths(self, match: re.Match[str], context: Context) -> str:
        """“quarenta e seis segundos e noventa e um” for the time of a race."""
        seconds = self._timed(Number(str(int(match["seconds"]))), "second", context.region)
        joint = f" {self.language.symbols['&']} " if self.language.links_hundredths else " "
        return seconds + joint + self.language.say_whole(match["part"], context.region)

    def thousandths(self, match: re.Match[str], context: Context) -> str:
        """“dois vírgula três oito dois segundos”."""
        number = Number(str(int(match["seconds"])), match["part"])
        return self._timed(number, "second", context.region)

    def race(self, match: re.Match[str], context: Context) -> str:
        """“deux minutes zéro virgule cinq trois un seconde”."""
        minutes = self._timed(Number(str(int(match["minutes"]))), "minute", context.region)
        return f"{minutes} {self.thousandths(match, context)}"

    def _timed(self, number: Number, unit: str, region: str) -> str:
        """“três minutos”."""
        language = self.language
        name = number_words.unit_name(f"duration-{unit}", number.value, language.code, region)
        said = language.say(number, region, language.gender(name) or "m")
        return counted_noun(language, said, name)
