"""The language of a text in a script other than the Latin one: by script, letters, small words."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

_MOSTLY = 0.5  # of the letters, that are of one script
_MOSTLY_HAN = 1 / 3  # a Chinese character says as much as some letters
_KANA_SHARE = 0.1  # of the letters of Japanese
# Names and quotations bring letters that a language has not.
_FOREIGN_SHARE = 0.005

_LATIN = re.compile("[A-Za-z\u00aa-\u024f\u1e00-\u1eff]")
_KANA = re.compile("[\u3040-\u30ff]")
_SCRIPTS = {
    name: re.compile(letters)
    for name, letters in {
        "han": "[\u3040-\u30ff\u3400-\u9fff]",
        "ko": "[\u1100-\u11ff\uac00-\ud7af]",
        "cyrillic": "[\u0400-\u052f]",
        "arabic": "[\u0600-\u077f]",
        "hebrew": "[\u0590-\u05ff\ufb1d-\ufb4f]",
        "devanagari": "[\u0900-\u097f]",
        "el": "[\u0370-\u03ff\u1f00-\u1fff]",
        "hy": "[\u0530-\u058f]",
        "ka": "[\u10a0-\u10ff]",
        "am": "[\u1200-\u137f]",
        "th": "[\u0e00-\u0e7f]",
        "lo": "[\u0e80-\u0eff]",
        "bo": "[\u0f00-\u0fff]",
        "my": "[\u1000-\u109f]",
        "km": "[\u1780-\u17ff]",
        "bn": "[\u0980-\u09ff]",
        "pa": "[\u0a00-\u0a7f]",
        "gu": "[\u0a80-\u0aff]",
        "or": "[\u0b00-\u0b7f]",
        "ta": "[\u0b80-\u0bff]",
        "te": "[\u0c00-\u0c7f]",
        "kn": "[\u0c80-\u0cff]",
        "ml": "[\u0d00-\u0d7f]",
        "si": "[\u0d80-\u0dff]",
    }.items()
}
_WORD = re.compile(r"[^\s\d.,;:!?…«»“”„\"()।،؛؟—–-]+")


@dataclass(frozen=True)
class _Written:
    """How a language is written: the letters that it has not (of its script), its small words."""

    without: str
    words: str


# Of the languages that fit a text alike the first is taken.
_CYRILLIC_OTHERS = "әғқңөұүһҙҡҫҳҷӑӗӳӣӯҗҥѐѝ"
_SOUTH = "ђћѓќѕјљњџ"
_LANGUAGES = {
    "cyrillic": {
        "ru": _Written(
            "іїєґў" + _SOUTH + _CYRILLIC_OTHERS,
            "и в не на что он с как это по но из у за от она так о же бы к а было был была его"
            " ее её я мы вы они все только для когда уже или если чтобы",
        ),
        "uk": _Written(
            "ыэёъўѣ" + _SOUTH + _CYRILLIC_OTHERS,
            "і в не на що він з як це по але із у за від вона так о ж би до а було був була його"
            " її я ми ви вони все тільки для коли вже або якщо щоб й та",
        ),
        "bg": _Written(
            "ыэёіїєґўѣ" + _SOUTH + _CYRILLIC_OTHERS,
            "и в не на че той с как това по но от за тя така о же ще да се е беше са му си до"
            " аз ние вие те са само когато вече или ако като към бил била го ги я",
        ),
        "be": _Written(
            "ищъїєґѣ" + _SOUTH + _CYRILLIC_OTHERS,
            "і ў у не на што ён з як гэта па але за ад яна так а было быў была яго яе я мы вы яны"
            " толькі для калі ўжо або каб да",
        ),
        "sr": _Written(
            "йщъыьэюяёіїєґўѣѓќѕ" + _CYRILLIC_OTHERS,
            "и у не на што он са као то по али из за од она тако о же да се је су му био била је",
        ),
        "mk": _Written(
            "йщъыьэюяёіїєґўѣђћ" + _CYRILLIC_OTHERS.rstrip("ѐѝ"),
            "и во не на што тој со како тоа по но од за таа така да се е беше се му го ја ги ќе",
        ),
        "kk": _Written(
            "їєґўѣҙҡҫҳҷӑӗӳӣӯҗҥѐѝ" + _SOUTH,
            "мен бір және бұл да де ол деп еді үшін бар жоқ сол осы емес керек ғана болды",
        ),
        "ky": _Written(
            "іїєґўѣәғқұһҙҡҫҳҷӑӗӳӣӯҗҥѐѝ" + _SOUTH,
            "мен бир жана бул да де ал деп эле үчүн бар жок ошол эмес керек гана болду",
        ),
        "tt": _Written(
            "іїєґўѣғқұҙҡҫҳҷӑӗӳӣӯҥѐѝ" + _SOUTH,
            "мин бер һәм бу да дә ул дип иде өчен бар юк шул түгел кирәк генә булды",
        ),
        "ba": _Written(
            "іїєґўѣқұҳҷӑӗӳӣӯҗҥѐѝ" + _SOUTH,
            "мин бер һәм был да дә ул тип ине өсөн бар юҡ шул түгел кәрәк генә булды",
        ),
        "mn": _Written("іїєґўѣәғқңұһҙҡҫҳҷӑӗӳӣӯҗҥѐѝ" + _SOUTH, "нэг энэ бол ба нь юм байна гэж"),
        "tg": _Written("іїєґўѣыщцьәңөұүһҙҡҫӑӗӳҗҥѐѝ" + _SOUTH, "ва дар аз ба ки ин буд бо то"),
        "uz": _Written("іїєґѣыщәңөұүһҙҡҫҷӑӗӳӣӯҗҥѐѝ" + _SOUTH, "ва бир бу ҳам учун билан эди"),
        "cv": _Written("іїєґўѣәғқңөұүһҙҡҳҷӣӯҗҥѐѝ" + _SOUTH, "тата пӗр ку та те вӑл тесе"),
    },
    "arabic": {
        "ar": _Written(
            "پچژگکیےںٹڈڑہھټځڅډړږښې",
            "في من على إلى أن ما لا التي الذي هذا هذه كان عن مع ثم قد لم هو هي و كل بعد أو",
        ),
        "fa": _Written(
            "ةىكيےںٹڈڑہھټځڅډړږښې", "و در به از که این را با است آن برای بود تا هم یک می شد او"
        ),
        "ur": _Written("ةىكيټځڅډړږښې", "کے میں کی ہے اور سے کا کو اس نے پر یہ تھا کہ ہیں تھی"),
        "ps": _Written("ةىكےںٹڈڑہ", "د په او چې له دا ته کې سره یو هم و هغه"),
    },
    "hebrew": {
        "he": _Written(
            "װױײ", "של את לא על הוא היא זה עם כי אבל גם או אל היה היתה אני הם כל כמו יש אין מה"
        ),
        "yi": _Written(
            "", "און די דער איז ניט נישט פון אין צו אז דאס האט מיט איך ער זי אויף געווען"
        ),
    },
    "devanagari": {
        "hi": _Written("ळ", "है के में की का और से को पर ने कि यह वह नहीं हैं था थी एक भी हो तो"),
        "mr": _Written("", "आहे आणि या ही हे व तो ती ते होता होती नाही एक पण मी त्या मध्ये"),
        "ne": _Written("ळ", "छ र को मा हो यो पनि छन् थियो भने एक लागि गर्न त्यो थिए ले"),
    },
}
LANGUAGES_BY_SCRIPT = frozenset(
    {"zh", "ja", *_SCRIPTS, *(name for one in _LANGUAGES.values() for name in one)} - {"han"}
    - _LANGUAGES.keys()
)  # fmt: skip


def is_mostly_latin(letters: str) -> bool:
    """True if at least half of the letters are Latin ones."""
    return len(_LATIN.findall(letters)) >= _MOSTLY * len(letters)


def language_by_script(text: str, letters: str) -> str:
    """The language of a text that is mostly in one script; "" of Latin and unknown scripts.

    `letters` are those of the text, without anything between them.
    """
    counts = {name: len(script.findall(letters)) for name, script in _SCRIPTS.items()}
    script, n_letters = max(counts.items(), key=lambda item: item[1])
    if n_letters <= (_MOSTLY_HAN if script == "han" else _MOSTLY) * len(letters):
        return ""
    if script == "han":
        return "ja" if len(_KANA.findall(letters)) >= _KANA_SHARE * len(letters) else "zh"
    return _best_fit(_LANGUAGES[script], text.lower()) if script in _LANGUAGES else script


def _best_fit(languages: dict[str, _Written], text: str) -> str:
    """The language whose letters and small words a text in lower case has."""
    counts = Counter(text)
    limit = _FOREIGN_SHARE * sum(n for letter, n in counts.items() if letter.isalpha())
    foreign = {
        name: sum(counts[letter] for letter in set(language.without))
        for name, language in languages.items()
    }
    least = min(foreign.values())
    fitting = [name for name, n_foreign in foreign.items() if n_foreign - least <= limit]
    words = Counter(_WORD.findall(text))
    return max(fitting, key=lambda name: sum(words[one] for one in languages[name].words.split()))
