"""The currencies that English texts name by a sign or a code, and their words.

Codes: ISO 4217:2015.
"""

from __future__ import annotations

from dataclasses import dataclass


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
