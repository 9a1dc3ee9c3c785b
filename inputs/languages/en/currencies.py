"""Words for English sums of money: currencies by sign and code, and what a sum describes.

A describing sum is in the singular, with hyphens: “a twenty-dollar bill”. Codes: ISO 4217:2015.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.rules import Context


@dataclass(frozen=True, slots=True)
class Currency:
    """The words for one and for several of a coin and its hundredth; "" if it has none."""

    one: str
    many: str
    cent: str = ""
    cents: str = ""


def _dollar(country: str = "") -> Currency:
    return Currency(f"{country}dollar", f"{country}dollars", "cent", "cents")


DOLLAR = _dollar()
POUND = Currency("pound", "pounds", "penny", "pence")
EURO = Currency("euro", "euros", "cent", "cents")
_YEN = Currency("yen", "yen")
_YUAN = Currency("yuan", "yuan")
_RUPEE = Currency("rupee", "rupees", "paisa", "paise")

BY_SIGN = {
    "$": DOLLAR,
    "US$": _dollar("US "),
    "U.S.$": _dollar("US "),
    "A$": _dollar("Australian "),
    "AU$": _dollar("Australian "),
    "C$": _dollar("Canadian "),
    "CA$": _dollar("Canadian "),
    "CAN$": _dollar("Canadian "),
    "NZ$": _dollar("New Zealand "),
    "HK$": _dollar("Hong Kong "),
    "S$": _dollar("Singapore "),
    "NT$": _dollar("Taiwan "),
    "R$": Currency("real", "reais", "centavo", "centavos"),
    "£": POUND,
    "€": EURO,
    "¥": _YEN,
    "₹": _RUPEE,
    "Rs.": _RUPEE,
    "Rs": _RUPEE,
    "₩": Currency("won", "won"),
    "₽": Currency("ruble", "rubles", "kopek", "kopeks"),
    "₪": Currency("shekel", "shekels"),
    "₺": Currency("lira", "lira"),
    "₴": Currency("hryvnia", "hryvnias"),
    "₫": Currency("dong", "dong"),
    "₱": Currency("peso", "pesos"),
    "₦": Currency("naira", "naira"),
    "₿": Currency("bitcoin", "bitcoins"),
}
BY_CODE = {
    "USD": _dollar("US "),
    "AUD": _dollar("Australian "),
    "CAD": _dollar("Canadian "),
    "NZD": _dollar("New Zealand "),
    "HKD": _dollar("Hong Kong "),
    "SGD": _dollar("Singapore "),
    "EUR": EURO,
    "GBP": POUND,
    "JPY": _YEN,
    "CNY": _YUAN,
    "RMB": Currency("renminbi", "renminbi"),
    "CHF": Currency("Swiss franc", "Swiss francs", "centime", "centimes"),
    "INR": Currency("Indian rupee", "Indian rupees", "paisa", "paise"),
    "SEK": Currency("Swedish krona", "Swedish kronor"),
    "NOK": Currency("Norwegian krone", "Norwegian kroner"),
    "DKK": Currency("Danish krone", "Danish kroner"),
    "KRW": Currency("won", "won"),
    "MXN": Currency("Mexican peso", "Mexican pesos"),
    "BRL": Currency("real", "reais", "centavo", "centavos"),
    "ZAR": Currency("rand", "rand"),
    "PLN": Currency("zloty", "zlotys"),
    "CZK": Currency("koruna", "korunas"),
    "ILS": Currency("shekel", "shekels"),
    "AED": Currency("dirham", "dirhams"),
}


# Things that a sum before them describes: “two $20 bills”, “the £5 note”.
_THINGS = words(
    """
    bill bills note notes coin coins piece pieces ticket tickets cheque cheques check checks stamp
    stamps fine fines fee fees prize prizes reward tip tips loan loans deal bet bets voucher
    vouchers gift grant grants donation deposit house lawsuit settlement bribe ransom contract
    investment debt budget fund
    """
)
_ARTICLES = frozenset(("a", "an", "another", "each", "every"))
_OWNERS = frozenset(("the", "my", "your", "his", "her", "its", "our", "their", "this", "that"))
# Words after “the $5” that are no things: “the $5 he owed”, “the £5 left”.
_NO_THINGS_OWNED = words(
    """
    i you he she it we they went had has have will would could can should came back left spent lent
    paid due given sent lost won made taken stolen were are into out up so his her their our my your
    the this then now here there before after over under because while until again today not
    """
)
# Words after a sum that it does not describe: “a $5 and a $10”.
_NO_THINGS = words(
    """
    a an and or per in for to on at of off from is was by as if but that when each more less with
    which
    """
)


def describes(match: re.Match[str], context: Context) -> bool:
    """Whether the sum describes what follows it: “a $20 bill”, “$5-a-day”."""
    end = match.end()
    if re.compile(r"-[a-z]").match(context.text, end):
        return True
    following = context.word_after(end)
    if following in _THINGS:
        return True
    earlier = context.word_before(match.start()).lower()
    if not following.islower() or following in _NO_THINGS:
        return False
    if earlier in _OWNERS:
        return following not in _NO_THINGS_OWNED and not following.endswith(("ed", "ly", "ing"))
    return earlier in _ARTICLES
