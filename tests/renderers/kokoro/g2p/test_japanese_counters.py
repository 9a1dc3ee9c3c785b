"""Japanese numbers before counters, in katakana where their sound changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.kokoro.g2p.japanese_counters import COUNTED, counted

CASES = """
四時に起きた ヨジに起きた
七時の汽車は19時に着いた シチジの汽車はジュークジに着いた
九時間 クジカン
四月 シガツ
1994年4月7日 センキューヒャクキュージューヨネンシガツナノカ
一九四五年 1945年
昭和二〇年 昭和20年
二日 フツカ
四日間 ヨッカカン
20日 二十日
十四人 ジューヨニン
百四人 ヒャクヨニン
6本 ロッポン
二十本 ニジュッポン
三匹 サンビキ
四分 ヨンプン
10分 ジュップン
八百四十分 ハッピャクヨンジュップン
6ヶ月 ロッカゲツ
三階 サンガイ
八冊 ハッサツ
二十歳 ハタチ
五人 五人
十分 十分
三分の一 三分の一
三日月 三日月
四時代 四時代
日本 日本
3.4人 3.4人
1,504人 1,504人
三百本 三百本
何時 何時
五万四人 五万四人
"""


def test_numbers_are_said_as_their_counters_ask() -> None:
    wrong = [
        (written, COUNTED.sub(lambda found: counted(found[0]), written), said)
        for written, said in map(str.split, CASES.strip().splitlines())
        if COUNTED.sub(lambda found: counted(found[0]), written) != said
    ]
    assert wrong == []


@given(st.integers(0, 999), st.integers(1, 9), st.sampled_from(["時", "分", "本", "ヶ月"]))
def test_a_number_ends_as_its_last_digit_does(tens: int, digit: int, counter: str) -> None:
    alone, number = counted(f"{digit}{counter}"), f"{tens * 10 + digit}{counter}"
    if alone == f"{digit}{counter}":
        assert counted(number) == number
    else:
        assert counted(number).endswith(alone)


@pytest.mark.parametrize("number", ["一" * 9, "千" * 9, "九千九百九十九"])
def test_any_kanji_are_taken(number: str) -> None:
    assert counted(f"{number}本")
