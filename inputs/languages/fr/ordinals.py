"""French ordinals: “XVIIIe siècle”, “1er”, “primo” for “1°” before the points of a list."""

from __future__ import annotations

import re

from audiomill.inputs.languages.fr.language import cardinal, gender_of, ordinal
from audiomill.inputs.spoken.european import names
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_LISTED = (
    *("primo", "secundo", "tertio", "quarto", "quinto", "sexto", "septimo", "octavo", "nono"),
    "decimo",
)
_DEGREE_UNIT = re.compile(
    r"\s?(?:C\b|F\b|Celsius|de (?:latitude|longitude|froid|chaleur)|[NSEO]\b)"
)
# “Il fait 1° ce matin et 2° dehors”.
_HEAT = re.compile(
    r"\b(?:fait|faisait|fera|température|thermomètre|degrés?|froid|angle|incliné)\b[^.;:!?]*\Z"
)
_DEGREES = frozenset(("celsius", "c", "de", "nord", "sud", "est", "ouest"))


def _marked(match: re.Match[str], context: Context) -> str | None:
    number = int(match["number"]) if match["number"] else names.roman_value(match["numeral"])
    mark = match["mark"].lower()
    if not number or ((mark in {"er", "re", "ère"}) and number != 1):
        return None
    mark = {"ᵈ": "nd", "ʳᵉ": "re", "ᵉʳ": "er"}.get(mark, mark)
    if mark in {"nd", "nde"}:
        said = {"nd": "second", "nde": "seconde"}[mark] if number == 2 else None
    else:
        noun = context.word_after(match.end())
        feminine = mark in {"re", "ère"} or gender_of(noun) == "f"
        said = ordinal(number, context.region, "f" if feminine else "m")
    if said is None:
        return None
    return f"{match['lead'] or ''}{said}{match['plural'] or ''}"


def _listed(match: re.Match[str], context: Context) -> str | None:
    """“primo”, “secundo”: the points of a list, not degrees."""
    after = context.word_after(match.end()).lower()
    if after in _DEGREES and (after != "de" or _DEGREE_UNIT.match(context.text, match.end())):
        return None
    if context.search_before(_HEAT, match.start()):
        return None
    return _LISTED[int(match["number"]) - 1]


def _pointed(match: re.Match[str], context: Context) -> str | None:
    """“au 10° de l'article 255”, “(1°, 2° et 3°)”."""
    if _DEGREE_UNIT.match(context.text, match.end()):
        return None
    number = int(match["number"])
    return _LISTED[number - 1] if number <= len(_LISTED) else cardinal(number, context.region)


_MARK = (
    r"(?:(?<=\d)[ ](?=[èi]|er\b|e[ ][a-zà-ÿ]{3})"
    r"|(?<=[IVX])[ ](?=er\b|ème\b|e[ ](?:siècle|arr|régiment)))?"
    r"(?P<mark>ers?(?<!s)|re|ère|nde|nd|ᵈ|ʳᵉ|ᵉʳ|ième|ème|e|ᵉ)(?P<plural>s)?(?!\w)"
)
ORDINALS: tuple[Rule, ...] = (
    # “XVIIIes.”
    rule(
        "century",
        r"(?P<numeral>[IVX]{1,6})es\.",
        lambda match, context: (
            f"{ordinal(number, context.region)} siècle"
            if (number := names.roman_value(match["numeral"]))
            else None
        ),
    ),
    rule("ordinal", rf"(?P<lead>)(?P<number>\d{{1,4}})(?P<numeral>){_MARK}", _marked),
    rule(
        "ordinal",
        rf"(?P<lead>[^\W\d_]+[ \u00a0])?(?P<number>)(?P<numeral>[IVX]{{1,6}})(?!es\.){_MARK}",
        _marked,
    ),
    rule(
        "ordinal",
        r"""(?:(?<![\s\S])|(?<=[«;:.,!?…•—–()][ \u00a0\u202f])|(?<=[—–(«])|(?<=\bet[ ]))
        (?P<number>10|[1-9])[°ºo∘]
        (?=[ \u00a0\u202f]["«“(]?[ \u00a0\u202f]?(?:[^\W\d_]{2}|[àÀA][ ]|[^\W\d_]['’]))""",
        _listed,
    ),
    # “Il faut 1° lire et 2° partir”: the second tells that the first begins a list.
    rule(
        "ordinal",
        r"""(?P<number>1)[°º](?=[ \u00a0\u202f][^\W\d_][^°º.!?]{1,200}
        [ \u00a0\u202f]2[°º][ \u00a0\u202f][^\W\d_])""",
        _listed,
    ),
    # “Il faut 1° ouvrir la porte”: what is to be done has no degrees.
    rule(
        "ordinal",
        r"""(?:(?<=\bfaut[ ])|(?<=\bfaudra[ ])|(?<=\bdoit[ ])|(?<=\bdoivent[ ])|(?<=\bdevra[ ])
        |(?<=\bagit[ ]de[ ])|(?<=\bconvient[ ]de[ ]))
        (?P<number>[1-9])[°º](?=[ \u00a0](?:[a-zà-ÿ]['’])?[a-zà-ÿ]{2,20}(?:er|ir|re)\b)""",
        _listed,
    ),
    rule(
        "ordinal",
        r"""(?:(?<=\b[aAdD]u[ ])|(?<=\baux[ ])|(?<=\bdes[ ])
        |(?<=[(])(?=\d\d?[°º](?:[),]|[ ]et[ ]\d))
        |(?<=;[ ])(?=1[1-9][°º][ ][^\W\d_a-zà-ÿ][a-zà-ÿ])
        |(?<=[°º],[ ])|(?<=[°º][ ]et[ ])|(?<=[°º][ ]à[ ]))(?P<number>[12]?\d)[°º]""",
        _pointed,
    ),
    # “Article 1°”, as old laws number them.
    rule(
        "ordinal",
        r"(?:(?<=\b[Aa]rticle[ \u00a0])|(?<=\b[Aa]rt\.[ \u00a0]))1[°º]",
        always("premier"),
    ),
    rule(
        "ordinal",
        r"""(?:(?<=\b[Aa]rticle[ \u00a0])|(?<=\b[Aa]rticles[ \u00a0])|(?<=\b[Aa]rt\.[ \u00a0]))
        (?P<number>\d{1,3})[°º]""",
        lambda match, context: cardinal(int(match["number"]), context.region),
    ),
    # “du côté de la 10°”: a company, as some print it.
    rule(
        "ordinal",
        r"(?<=\b[Ll]a[ ])(?P<number>\d{1,3})[°º](?=[ ][^\W\d_]|[.,;!?])(?![ ](?:C\b|de[ ]l[ao]))",
        lambda match, context: ordinal(int(match["number"]), context.region, "f"),
    ),
)
