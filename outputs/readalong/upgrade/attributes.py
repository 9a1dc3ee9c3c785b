"""Tells which attributes an element of XHTML 5 may have, and with which values.

Knows nothing of where an element stands. Source: HTML (whatwg.org), 4.
"""

from __future__ import annotations

import re

from audiomill.inputs.epub.opf_repair import XML_LANG
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.markup.marked_words import SSML
from audiomill.inputs.markup.parser import OPS, Element, local_name
from audiomill.inputs.markup.semantics import XML

_GLOBAL_NAMES = """
accesskey class contenteditable dir draggable hidden id inert itemid itemprop itemref itemscope
itemtype lang role spellcheck style tabindex title translate
"""
GLOBAL = frozenset(_GLOBAL_NAMES.split())
_CONTROL = "disabled form name value type "
_OF_ELEMENTS = {
    "a": "download href hreflang rel target type",
    "area": "alt coords href rel shape target",
    "audio": "autoplay controls crossorigin loop muted preload src",
    "base": "href",
    "blockquote": "cite",
    "button": _CONTROL,
    "canvas": "height width",
    "col": "span",
    "colgroup": "span",
    "data": "value",
    "del": "cite datetime",
    "details": "open",
    "embed": "height src type width",
    "fieldset": "disabled form name",
    "form": "accept-charset action autocomplete enctype method name target",
    "iframe": "height name sandbox src srcdoc width",
    "img": "alt crossorigin height ismap loading sizes src srcset usemap width",
    "input": _CONTROL + "accept autocomplete checked list max maxlength min multiple pattern "
    "placeholder readonly required size step",
    "ins": "cite datetime",
    "label": "for",
    "li": "value",
    "link": "as crossorigin href hreflang media rel sizes type",
    "map": "name",
    "meta": "content name",
    "meter": "high low max min optimum value",
    "object": "data form height name type usemap width",
    "ol": "reversed start type",
    "optgroup": "disabled label",
    "option": "disabled label selected value",
    "output": "for form name",
    "param": "name value",
    "progress": "max value",
    "q": "cite",
    "script": "async crossorigin defer src type",
    "select": "disabled form multiple name required size",
    "source": "media sizes src srcset type",
    "style": "media type",
    "td": "colspan rowspan",
    "textarea": "cols disabled form maxlength name placeholder readonly required rows wrap",
    "th": "abbr colspan rowspan scope",
    "time": "datetime",
    "track": "default kind label src srclang",
    "video": "autoplay controls crossorigin height loop muted poster preload src width",
}
OF_ELEMENTS = {name: frozenset(names.split()) for name, names in _OF_ELEMENTS.items()}
# What the value of an attribute must be; one with another value is left out.
_NATURAL = r"\s*0*[1-9][0-9]*\s*"
_WHOLE = r"\s*[0-9]+\s*"
_INTEGER = r"\s*[-+]?[0-9]+\s*"
_DATE = (
    r"[0-9]{4,}-[0-9]{2}-[0-9]{2}"
    r"([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_VALUES = {
    "class": r"(?s).*\S.*",
    "colspan": _NATURAL,
    "coords": r"-?[0-9]+(,-?[0-9]+)*",
    "dir": "ltr|rtl|auto",
    "height": _WHOLE,
    "hreflang": r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*",
    "id": r"\S+",
    "maxlength": _WHOLE,
    "media": r"(?s).*\S.*",
    "rowspan": _WHOLE,
    "scope": "row|col|rowgroup|colgroup",
    "shape": "rect|circle|poly|default",
    "span": _NATURAL,
    "start": _INTEGER,
    "tabindex": _INTEGER,
    "target": "[^_].*|_(blank|self|parent|top)",
    "translate": "yes|no|",
    "usemap": "#.+",
    "width": _WHOLE,
}
_TYPED = ("a", "embed", "link", "object", "script", "source", "style")
_MEDIA_TYPE = r"[\w!#$&+^-]+/[\w!#$&+^-]+.*|module"
_VALUES_OF = {(name, "type"): _MEDIA_TYPE for name in _TYPED} | {
    ("del", "datetime"): _DATE,
    ("ins", "datetime"): _DATE,
    ("li", "value"): _INTEGER,
    ("ol", "type"): "[1aAiI]",
    ("button", "type"): "button|reset|submit",
    ("input", "type"): "button|checkbox|hidden|number|password|radio|reset|submit|text",
    ("meta", "name"): r"(?s).*\S.*",
}
_IN_LOWER_CASE = frozenset(("dir", "scope", "shape"))


def kept_attributes(name: str, old: Element) -> dict[str, str]:
    """Return the attributes of `old` that the element `name` of XHTML 5 may have, without style.

    The language is told alike in both attributes that have it.
    """
    kept: dict[str, str] = {}
    for key, value in _attributes(old).items():
        if _may_have(name, key):
            shown = value.strip().lower() if key in _IN_LOWER_CASE else value
            shown = value.strip().replace(" ", "_") if key == "id" else shown
            rule = _VALUES_OF.get((name, key)) or _VALUES.get(key)
            if rule is None or re.fullmatch(rule, shown):
                kept[key] = shown
    language = _language(kept, old)
    left_out = {"style", "lang", XML_LANG}
    return {key: value for key, value in kept.items() if key not in left_out} | language


def _attributes(old: Element) -> dict[str, str]:
    """The attributes; names that an HTML parser leaves with a prefix have their namespace."""
    found: dict[str, str] = {}
    for key, value in old.attrib.items():
        prefix, _, local = str(key).rpartition(":")
        namespace = {"epub": OPS, "ops": OPS, "xml": XML, "ssml": SSML}.get(prefix)
        found[f"{{{namespace}}}{local}" if namespace else str(key)] = str(value)
    if f"{{{XML}}}id" in found:
        found.setdefault("id", found[f"{{{XML}}}id"])
    return found


def _may_have(name: str, key: str) -> bool:
    if key.startswith(("data-", "aria-", "on")):
        return re.fullmatch(r"[a-z][a-z0-9._-]*", key) is not None
    if key.startswith((f"{{{OPS}}}", f"{{{SSML}}}")):
        return not key.endswith("}prefix") or name == "html"
    return key == XML_LANG or key in GLOBAL or key in OF_ELEMENTS.get(name, ())


def _language(kept: dict[str, str], old: Element) -> dict[str, str]:
    """Both attributes of the language, if `old` has one and it is a language (BCP 47)."""
    language = kept.get(XML_LANG) or kept.get("lang")
    if language is None:
        return {}
    tag = language.strip().replace("_", "-")
    if tag and not re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", tag):
        tag = language_tag(language)
    return {"lang": tag, XML_LANG: tag} if tag or local_name(old) == "html" else {}
