"""Numbers with counters whose sound changes, in katakana: 四時 is ヨジ, 6本 is ロッポン. Pure.

misaki's cutlet reads number and counter one by one (yonji, rokupon). Written here is what differs;
all other numbers stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_ONES = ("", "イチ", "ニ", "サン", "ヨン", "ゴ", "ロク", "ナナ", "ハチ", "キュー")
_HUNDREDS = {1: "ヒャク", 3: "サンビャク", 6: "ロッピャク", 8: "ハッピャク"}
_THOUSANDS = {1: "セン", 3: "サンゼン", 8: "ハッセン"}
_DIGITS = {sign: value for value, sign in enumerate("〇一二三四五六七八九")}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_KANJI = f"{''.join(_DIGITS)}{''.join(_UNITS)}"
_TEN = 10


@dataclass(frozen=True, slots=True)
class _Counter:
    """A counter that sounds otherwise after some digits.

    `_TEN` is the key of numbers that end in ten. `whole` are numbers that have a name of their own.
    """

    ends: Mapping[int, str]
    whole: Mapping[int, str]


def _doubled(rest: str, *digits: int) -> dict[int, str]:
    """After these digits the first sound of the counter doubles: イッコ, ロッコ."""
    short = {1: "イッ", 6: "ロッ", 8: "ハッ", _TEN: "ジュッ"}
    return {digit: f"{short[digit]}{rest}" for digit in digits}


def _counter(ends: Mapping[int, str], whole: Mapping[int, str] | None = None) -> _Counter:
    return _Counter(ends, whole or {})


_K, _S = (1, 6, 8, _TEN), (1, 8, _TEN)  # where a k doubles, and where an s or a t
# Of 二十日 misaki's dictionary has the reading.
_DAYS = dict(
    zip(
        (*range(2, 11), 14, 17, 19, 20, 24, 27, 29),
        [
            "フツカ",
            "ミッカ",
            "ヨッカ",
            "イツカ",
            "ムイカ",
            "ナノカ",
            "ヨーカ",
            "ココノカ",
            "トーカ",
            "ジューヨッカ",
            "ジューシチニチ",
            "ジュークニチ",
            "二十日",
            "ニジューヨッカ",
            "ニジューシチニチ",
            "ニジュークニチ",
        ],
        strict=True,
    )
)
_COUNTERS: Mapping[str, _Counter] = {
    "時間": _counter({4: "ヨジカン", 7: "シチジカン", 9: "クジカン"}),
    "時": _counter({4: "ヨジ", 7: "シチジ", 9: "クジ"}),
    "月": _counter({}, {4: "シガツ", 7: "シチガツ", 9: "クガツ"}),
    "年": _counter({4: "ヨネン"}),
    "人": _counter({4: "ヨニン"}),
    "日間": _counter({}, {n: f"{day}カン" for n, day in _DAYS.items()}),
    "日": _counter({}, _DAYS),
    "分": _counter(_doubled("プン", *_K) | {3: "サンプン", 4: "ヨンプン"}),
    "本": _counter(_doubled("ポン", *_K) | {3: "サンボン"}),
    "匹": _counter(_doubled("ピキ", *_K) | {3: "サンビキ"}),
    "杯": _counter(_doubled("パイ", *_K) | {3: "サンバイ"}),
    "階": _counter(_doubled("カイ", *_K) | {3: "サンガイ"}),
    "回": _counter(_doubled("カイ", *_K)),
    "個": _counter(_doubled("コ", *_K)),
    **dict.fromkeys(("ヶ月", "か月", "カ月", "ケ月"), _counter(_doubled("カゲツ", *_K))),
    **dict.fromkeys(("歳", "才"), _counter(_doubled("サイ", *_S), {20: "ハタチ"})),
    "冊": _counter(_doubled("サツ", *_S)),
    "頭": _counter(_doubled("トー", *_S)),
    "週間": _counter(_doubled("シューカン", *_S)),
}
# Words that begin with the same character and are no counter there.
_OTHER_WORDS = (
    "時[代期点刻計]|月[曜日光]|年輪|人[間類物口生工形気]|日[本月曜記光陰]|分[割野類析配担岐裂解数]"
    f"|分の[\\d{_KANJI}]|本[当日人来部社文]|杯目|頭[部脳]|回[転復]|階[段級]"
)
# The names of months and days end a larger number nowhere: 三十四月 is none.
COUNTED = re.compile(
    rf"(?<![\d.,．，{_KANJI}万億兆数何])(\d{{1,4}}|[{_KANJI}]{{1,9}})(?!{_OTHER_WORDS})"
    rf"({'|'.join(_COUNTERS)})"
)


def counted(part: str) -> str:
    """`part`, which `COUNTED` has found, in katakana; as it is where nothing changes."""
    found = COUNTED.fullmatch(part)
    number = _value(found[1]) if found else None
    if found is None or not number or part == "十分":  # which is “enough”, too
        return part
    counter = _COUNTERS[found[2]]
    if number in counter.whole:
        return counter.whole[number]
    last = number % 10 or (_TEN if number % 100 else 0)
    if last in counter.ends:
        return f"{_before(number, last)}{counter.ends[last]}"
    is_positional = len(found[1]) > 1 and not any(sign in _UNITS for sign in found[1])
    return f"{number}{found[2]}" if is_positional else part


def _value(number: str) -> int | None:
    """The value of digits, of 二十四, or of 一九四五; None from ten thousand on."""
    if number.isdecimal():
        return int(number)
    if not any(sign in _UNITS for sign in number):
        return int("".join(str(_DIGITS[sign]) for sign in number)) if len(number) < 5 else None
    total, digit = 0, 0
    for sign in number:
        if sign in _DIGITS:
            digit = _DIGITS[sign]
        else:
            total, digit = total + (digit or 1) * _UNITS[sign], 0
    return total + digit


def _before(number: int, last: int) -> str:
    """What is said of a number before its last digit, or before the ten that it ends in."""
    if last != _TEN:
        return _kana(number - last)
    tens = number // 10 % 10
    return f"{_kana(number - number % 100)}{_ONES[tens] if tens > 1 else ''}"


def _kana(number: int) -> str:
    """A number below ten thousand in katakana; "" for 0."""
    thousands, hundreds, tens = number // 1000, number // 100 % 10, number // 10 % 10
    return "".join(
        (
            _THOUSANDS.get(thousands, f"{_ONES[thousands]}セン") if thousands else "",
            _HUNDREDS.get(hundreds, f"{_ONES[hundreds]}ヒャク") if hundreds else "",
            f"{_ONES[tens] if tens > 1 else ''}ジュー" if tens else "",
            _ONES[number % 10],
        )
    )
