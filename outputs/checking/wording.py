"""Verdicts in words: what was measured, what is required, by how much it fails, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audiomill.outputs.checking.requirements import Measure
from audiomill.outputs.checking.signal import LEAST_DB
from audiomill.outputs.checking.verdicts import Judgement

MANY = 1000  # from which a number is grouped
OFF_UNITS = {"LUFS": "LU", "dBTP": "dB"}  # of differences
LEVEL_UNITS = ("dB", "dBTP", "LUFS")
# Below and above what is asked, by unit; other units are low and high.
SENSES = {"s": ("short", "long"), "MB": ("small", "large"), "pixels": ("small", "large")}


@dataclass(frozen=True, slots=True)
class Words:
    """How a measure is told. In `below` and `above`, {off} is by how much it fails.

    `setting` is what decides it in files made here.
    """

    name: str
    unit: str = ""
    digits: int = 0
    below: str = ""
    above: str = ""
    setting: str = ""


_COVER_LARGER = "Take a picture of at least {least} pixels on each side; do not blow one up."

WORDS: Mapping[Measure, Words] = {
    "container": Words("kind of file", above="Convert it to {wanted}.", setting="--format"),
    "codec": Words("coding", above="Encode it as {wanted}.", setting="--format"),
    "sample_rate": Words(
        "sample rate", "Hz", above="Resample it to {wanted}.", setting="`delivery.sample_rate`"
    ),
    "channels": Words(
        "channels", above="Mix it to {wanted} channels.", setting="`delivery.channels`"
    ),
    "bit_rate_kbps": Words(
        "bit rate",
        "kbps",
        below="Encode it from the master again, with {least} kbps or more.",
        above="Encode it from the master again, with {most} kbps or less.",
        setting="`delivery.bit_rate_kbps`",
    ),
    "bit_rate_mode": Words(
        "bit rate is",
        above="Encode it from the master again, with a constant bit rate.",
        setting='`delivery.bit_rate_mode = "cbr"`',
    ),
    "channel_mode": Words(
        "coding of channels",
        above="Encode it as mono, or as stereo that is not joint.",
        setting="`delivery.channels = 1`",
    ),
    "missing_s": Words("cut off", "s", 2, above="It ends too early: make or copy it again."),
    "damages": Words("damaged places", above="Make or copy it again."),
    "junk_bytes": Words(
        "foreign bytes", above="Remove what lies before or between the frames (mp3val does)."
    ),
    "length_s": Words("length", "s", 1, above="Part it in two at a pause."),
    "size_mb": Words("size", "MB", 1, above="Part it in two at a pause."),
    "lufs": Words(
        "loudness",
        "LUFS",
        2,
        below="Raise it by {off} LU, and keep the peaks limited.",
        above="Lower it by {off} LU.",
        setting="`mastering.target_lufs`",
    ),
    "rms_db": Words(
        "RMS level",
        "dB",
        2,
        below="Raise it by {off} dB at least, and limit the peaks.",
        above="Lower it by {off} dB at least.",
        setting="`mastering.target_rms_db`",
    ),
    "peak_db": Words(
        "highest sample",
        "dB",
        2,
        above="Limit the master {off} dB lower, and encode it again.",
        setting="`mastering.ceiling_dbtp`",
    ),
    "true_peak_dbtp": Words(
        "true peak",
        "dBTP",
        2,
        above="Limit the master {off} dB lower, and encode it again.",
        setting="`mastering.ceiling_dbtp`",
    ),
    "noise_floor_db": Words(
        "noise floor",
        "dB",
        2,
        above="Reduce the noise in pauses by {off} dB, and raise the level less.",
        setting="`delivery.room_tone_db`",
    ),
    "silence_s": Words(
        "digital silence",
        "s",
        2,
        above="Put room tone where there is nothing at all, at about -65 dB.",
        setting="`delivery.room_tone`",
    ),
    "pause_s": Words(
        "longest pause", "s", 1, above="Listen whether anything is missing there; else shorten it."
    ),
    "head_s": Words(
        "quiet before the voice",
        "s",
        2,
        below="Add {off} s of room tone at the beginning.",
        above="Cut {off} s from the beginning.",
        setting="`delivery.head_s`",
    ),
    "tail_s": Words(
        "quiet after the voice",
        "s",
        2,
        below="Add {off} s of room tone at the end.",
        above="Cut {off} s from the end.",
        setting="`delivery.tail_s`",
    ),
    "clipped": Words("clipped samples", above="Record or mix it again with less gain."),
    "flat_tops": Words(
        "flat tops below full scale",
        "times",
        1,
        above="It was clipped, and then turned down: record or mix it again with less gain.",
    ),
    "dropouts": Words("dropouts", above="Record or copy it again: the sound is cut out in places."),
    "silent_channels": Words(
        "channels without sound", above="Make it mono, of the channel that sounds."
    ),
    "mono_loss_s": Words(
        "lost on one loudspeaker",
        "s",
        1,
        above="Turn one channel upside down (invert its phase): it is the opposite of the other.",
    ),
    "dc_offset": Words("DC offset", "", 4, above="Filter it with a high-pass of 20 Hz."),
    "chapters": Words("chapters", below="Add chapter marks."),
    "misplaced_chapters": Words(
        "chapters out of place", above="Set the marks again, in order and within the file."
    ),
    "silent_chapters": Words(
        "chapters without sound", above="Nothing is heard in them: record or copy them again."
    ),
    "chapter_spread_lu": Words(
        "loudest and softest chapter in it differ by",
        "LU",
        2,
        above="Bring all chapters to one loudness.",
    ),
    "title": Words("title", below="Tag it with a title."),
    "artist": Words("author", below="Tag it with the author, as artist."),
    "album": Words("album", below="Tag it with the title of the book, as album."),
    "cover_kind": Words("cover", below="Add a cover, as JPEG or PNG.", above="Take a JPEG or PNG."),
    "cover_px": Words(
        "size of the cover",
        "pixels",
        below=_COVER_LARGER,
        above="Scale it down to {most} pixels.",
    ),
    "cover_aspect": Words(
        "width by height of the cover",
        "",
        2,
        below="Take a square picture.",
        above="Take a square picture.",
    ),
    "sample_rates": Words("different sample rates", above="Bring all files to one."),
    "channel_counts": Words(
        "different numbers of channels", above="Make all files mono, or all stereo."
    ),
    "loudness_spread_db": Words(
        "loudest and softest chapter differ by",
        "LU",
        2,
        above="Bring all files to one loudness.",
        setting="`mastering.per_file`",
    ),
    "opening_credits": Words(
        "opening credits",
        below="Add a file that says title, author and narrator.",
        setting="--credits",
    ),
    "closing_credits": Words(
        "closing credits", below="Add a file that says that it is the end.", setting="--credits"
    ),
    "retail_sample_s": Words(
        "retail sample",
        "s",
        1,
        below="Make a sample of 1 to 5 minutes.",
        above="Shorten it by {off} s.",
    ),
}


def measured_words(verdict: Judgement) -> str:
    """The value that was found: "-25.11 dB", "mp3", "none"."""
    value = verdict.value
    if value is None or value == "":
        return "none"
    if isinstance(value, str):
        return value
    words = WORDS[verdict.requirement.measure]
    if words.unit in LEVEL_UNITS and value <= LEAST_DB:
        return "nothing at all"
    return _with_unit(_number(value, words.digits), words.unit)


def required_words(verdict: Judgement) -> str:
    """The range that is asked for: "-23 to -18 dB", "at most -3 dB", "mp3 or aac", "any"."""
    words = WORDS[verdict.requirement.measure]
    least, most = verdict.least, verdict.most
    if verdict.requirement.one_of:
        return _wanted(verdict)
    if least is not None and most is not None:
        span = _number(least, 2) if least == most else f"{_short(least)} to {_short(most)}"
        return _with_unit(span if least != most else _short(least), words.unit)
    if least is not None:
        return _with_unit(f"at least {_short(least)}", words.unit)
    return "any" if most is None else _with_unit(f"at most {_short(most)}", words.unit)


def off_words(verdict: Judgement) -> str:
    """By how much it fails: "2.11 dB too low", "1 too many"; "" if that is not a number."""
    if not verdict.off_by:
        return ""
    words = WORDS[verdict.requirement.measure]
    off = _with_unit(_off(verdict), OFF_UNITS.get(words.unit, words.unit))
    counted = ("low", "high") if words.unit or words.digits else ("few", "many")
    below, above = SENSES.get(words.unit, counted)
    return f"{off} too {below if verdict.off_by < 0 else above}"


def remedy(verdict: Judgement) -> str:
    """The advice about a failure, in any file, and with files that are made here."""
    words = WORDS[verdict.requirement.measure]
    is_below = verdict.value is None or (verdict.off_by or 0) < 0
    text = (words.below if is_below else words.above) or words.above or words.below
    text = text.format(
        off=_off(verdict),
        least=_short(verdict.least),
        most=_short(verdict.most),
        wanted=_wanted(verdict),
    )
    return f"{text} Here: {words.setting}." if words.setting else text


def _wanted(verdict: Judgement) -> str:
    unit = WORDS[verdict.requirement.measure].unit
    shown = [
        str(one) if isinstance(one, str) else _short(one) for one in verdict.requirement.one_of
    ]
    return _with_unit(" or ".join(shown), unit)


def _off(verdict: Judgement) -> str:
    """By how much, rounded up: less would not be enough."""
    digits = WORDS[verdict.requirement.measure].digits
    step = 10**-digits
    return _number(-(-abs(verdict.off_by or 0.0) // step) * step, digits)


def _with_unit(text: str, unit: str) -> str:
    return f"{text} {unit}" if unit else text


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:,.10g}" if abs(value) >= MANY else f"{value:g}"


def _number(value: float, digits: int) -> str:
    return f"{value:,.{digits}f}"
