"""Sums of money in European languages: “un euro con veinte”, “deux millions d'euros”."""

from __future__ import annotations

import re
from decimal import Decimal

from audiomill.inputs.spoken.european import number_words
from audiomill.inputs.spoken.european.counting import (
    COUNT,
    END,
    MILLION,
    SPACE,
    Counting,
    alternatives,
    is_one,
)
from audiomill.inputs.spoken.european.language import CurrencyWords, LanguageWords, Number
from audiomill.inputs.spoken.rules import Context, Rule, dense_rule

_EUROS = frozenset(("€", "EUR", "euro", "euros"))
_REAIS = frozenset(("R$", "R $", "BRL", "reais"))  # a point separates their thousands
_BY_AMOUNT = re.compile(
    r"(?: ?/ ?| por | al | el | o | a | la | il | le | pro )"
    r"(?:litro|l|kg|kWh|m3|dólar|euro|barril|barile|onça|onza)\b"
)
_SIGNS = "[₩₹₽₺₴₪]"
_CODES = "CHF|EUR|USD|GBP|JPY|BRL|MXN|CAD|AUD|SEK|NOK|DKK|PLN|ARS"
_CODES_OF_SIGNS = {
    "US": "USD",
    "₩": "KRW",
    "₹": "INR",
    "₽": "RUB",
    "₺": "TRY",
    "₴": "UAH",
    "₪": "ILS",
}
_NAMED_AFTER = rf"(?={SPACE}(?:de{SPACE})?(?:pesos|soles|bol[íi]vares|reais|euros))"


def rules(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for money, in the order in which they are tried."""
    scale = rf"(?:{SPACE}?(?P<scale>{alternatives(language.scales)})(?![^\W_]))?+"
    short = alternatives(language.short_scales)
    after, before = _after(language, scale), _before(language, scale)
    shortened = _before(language, rf"(?P<scale>{short})")
    thousands = rf"{before}{SPACE}(?P<thousands>mila|mil)(?![^\W_])"
    thousands_after = (
        rf"{COUNT}{SPACE}(?P<thousands>mila|mil){SPACE}?(?P<sign>[€$£])(?P<scale>)(?!{SPACE}?\d)"
    )
    signed = rf"\${SPACE}?{COUNT}{scale}{END}{_NAMED_AFTER}"
    money = _Money(language)
    return (
        dense_rule("money", after, money.money),
        dense_rule("money", thousands, money.thousands),
        dense_rule("money", thousands_after, money.thousands),
        dense_rule("money", signed, money.signed),
        dense_rule("money", shortened, money.money),
        dense_rule("money", before, money.money),
    )


def _after(language: LanguageWords, scale: str) -> str:
    """The pattern of an amount before its currency: “5 €”."""
    sign = rf"(?P<sign>{alternatives(language.currencies)}|{_CODES}|{_SIGNS})"
    return rf"{COUNT}{scale}(?:{SPACE}?(?:d[e'’]{SPACE}?)?){sign}{END}(?!(?<=[$£€]){SPACE}?\d)"


def _before(language: LanguageWords, scale: str) -> str:
    """The pattern of an amount after its currency: “$ 5”."""
    # A letter on its own before a number is something else: F 16.
    leading = alternatives(one for one in language.currencies if len(one) > 1 or not one.isalpha())
    dollars = r"US(?=\d[\d.,]*[ ]mil)"  # “US3,494 millones”
    sign = rf"(?P<sign>(?<![^\W\d_])(?:{leading}|{_CODES}|{_SIGNS}|{dollars}))"
    return rf"{sign}{SPACE}?{COUNT}{scale}{END}"


class _Money(Counting):
    """What is said for sums of money in one language."""

    def money(self, match: re.Match[str], context: Context) -> str | None:
        """“un euro con veinte”, “dos millones de dólares”."""
        number = self.last(match, context)
        if number is None:
            return None
        if _has_thousands(match, number):
            number = Number(number.whole + number.decimals)
            if match["last"] is None:
                return self._whole(match, context, number)
        currency = self._currency(match["sign"], number, context.region)
        if self._has_thousands_of_millions(match, number):
            number = Number(number.whole + number.decimals)
            said = self.language.say(number, context.region, "m")
            return f"{self.minus(match)}{said} {match['scale']} {self.linked(currency.many)}"
        if match["scale"] is not None:
            return self.count_scaled(match, context, self.linked(currency.many))
        if match["last"] is None and (number.decimals == "00" or _is_price(number, currency)):
            return self.minus(match) + self._with_cents(number, currency, context.region)
        return self.count(match, context, currency.gender, self._noun(number, currency))

    def signed(self, match: re.Match[str], context: Context) -> str | None:
        """“doce mil quinientos” for “$ 12.500” before “pesos”, which the sign stands for."""
        if match["scale"]:
            return self.count_scaled(match, context, "")
        number = self.last(match, context)
        if number is None:
            return None
        millions = not number.decimals and number.value >= MILLION
        linked = context.word_after(match.end()) == self.language.link.strip()
        gender = "" if millions and linked else "m"
        return self.count(match, context, gender, "")

    def thousands(self, match: re.Match[str], context: Context) -> str | None:
        """“doscientos mil pesos” for “$ 200 mil”."""
        number = self.last(match, context)
        if number is None or match["scale"]:
            return None
        currency = self._currency(match["sign"], number, context.region)
        noun = f"{match['thousands']} {currency.many}"
        if match["first"] == "1" and match["last"] is None:  # “mil reais”
            return self.minus(match) + noun
        return self.count(match, context, currency.gender, noun)

    def _has_thousands_of_millions(self, match: re.Match[str], number: Number) -> bool:
        """“6,251 millones de pesos”: in Spanish of America a comma separates thousands."""
        american = match["sign"] not in _EUROS
        scale = self.language.thousands_scale
        scaled = bool(scale) and match["scale"] == scale and match["last"] is None
        return american and scaled and number.mark == "," and len(number.decimals) == 3

    def _whole(self, match: re.Match[str], context: Context, number: Number) -> str:
        currency = self._currency(match["sign"], number, context.region)
        said = self.language.say(number, context.region, currency.gender)
        return f"{self.minus(match)}{said} {currency.many}"

    def _noun(self, number: Number, currency: CurrencyWords) -> str:
        """“Euro”, and “de euros” after whole millions."""
        noun = currency.one if is_one(number) else currency.many
        millions = not number.decimals and number.value >= MILLION and not number.value % MILLION
        return self.linked(noun) if millions else noun

    def _with_cents(self, number: Number, currency: CurrencyWords, region: str) -> str:
        language, cents = self.language, int(number.decimals)
        whole = Number(number.whole)
        money = f"{language.say(whole, region, currency.gender)} {self._noun(whole, currency)}"
        if not cents:
            return money
        name = currency.cent if cents == 1 else currency.cents
        counted = language.cardinal(cents, region, language.gender(name) or "m")
        if not int(number.whole):
            return f"{counted} {name}"
        bare = language.cardinal(cents, region, "")
        return language.cents.format(money=money, number=bare, cents=f"{counted} {name}")

    def _currency(self, sign: str, number: Number, region: str) -> CurrencyWords:
        sign = _CODES_OF_SIGNS.get(sign, sign)
        local = self.language.regional_currencies.get(region, {})
        known = local.get(sign) or self.language.currencies.get(sign)
        if known:
            return known
        code = self.language.code
        one = number_words.currency_name(sign, Decimal(1), code, region)
        many = number_words.currency_name(sign, max(number.value, Decimal(2)), code, region)
        return CurrencyWords(one, many, gender=self.language.gender(one.split()[0]) or "m")


def _is_price(number: Number, currency: CurrencyWords) -> bool:
    return len(number.decimals) == 2 and bool(currency.cents)


def _has_thousands(match: re.Match[str], number: Number) -> bool:
    """Whether the decimals are thousands after all: “$ 18,186”."""
    euros = match["sign"] in _EUROS and match.start("sign") > match.start("first")
    euros = euros or match["sign"] in _REAIS or _BY_AMOUNT.match(match.string, match.end())
    three = len(number.decimals) == 3 and len(number.whole) <= 3
    return three and match["scale"] is None and not euros  # “1,335 euros” the liter
