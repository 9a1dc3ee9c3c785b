"""Templates of credits: text with fields in braces and optional parts in square brackets.

    {title}[, by {author}]. Read by {narrator}.

A field that is not known leaves out the part in brackets that it is in, or else its sentence. So
without a narrator the example says "The Mill, by Maud Tern.", and without an author "The Mill."
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

FIELDS = ("title", "subtitle", "author", "translator", "narrator", "site", "date")

_TOKENS = re.compile(r"\{(?P<field>[^{}\[\]]*)\}|(?P<mark>[{}\[\]])|(?P<words>[^{}\[\]]+)")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
# A mark of the template after the last mark of a field: "Who Is There?, by", "the Younger Jr.."
_DOUBLE_MARK = re.compile(r"(?<=[?!…])[,;:.]|(?<=[^.]\.)\.(?!\.)")


class TemplateInvalid(ValueError):
    """A template that cannot be read. The message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class TemplatePart:
    """Words and fields of a sentence, in order; each item is (words, "") or ("", field)."""

    items: tuple[tuple[str, str], ...]
    is_optional: bool

    @property
    def fields(self) -> frozenset[str]:
        """The fields that the part needs."""
        return frozenset(field for _, field in self.items if field)


@dataclass(frozen=True, slots=True)
class FilledTemplate:
    """The words to say, and the fields that are in them."""

    text: str
    fields: frozenset[str]


def fill_template(
    template: str, values: Mapping[str, str], fields: Collection[str] = FIELDS
) -> FilledTemplate:
    """The template with `values` in the place of `fields`. A value of "" is not known.

    Raises TemplateInvalid.
    """
    known = {field for field, value in values.items() if value}
    sentences = [
        [part for part in sentence if part.fields <= known]
        for sentence in parse_template(template, fields)
        if all(part.is_optional or part.fields <= known for part in sentence)
    ]
    texts = ["".join(_text(part, values) for part in sentence).strip() for sentence in sentences]
    filled = frozenset[str]().union(*(part.fields for one in sentences for part in one))
    text = " ".join(" ".join(texts).split())
    return FilledTemplate(_DOUBLE_MARK.sub("", text), filled)


def parse_template(template: str, fields: Collection[str] = FIELDS) -> list[list[TemplatePart]]:
    """The parts of each sentence of the template, which may have `fields`.

    Raises TemplateInvalid.
    """
    sentences: list[list[TemplatePart]] = [[]]
    for part in _parts(template, fields):
        head, *following = [part] if part.is_optional else _split_sentences(part)
        sentences[-1].append(head)
        sentences += [[one] for one in following]
    return sentences


def _text(part: TemplatePart, values: Mapping[str, str]) -> str:
    return "".join(values[field] if field else words for words, field in part.items)


def _parts(template: str, fields: Collection[str]) -> Iterator[TemplatePart]:
    items: list[tuple[str, str]] = []
    is_optional = False
    for token in _TOKENS.finditer(template):
        match token["mark"]:
            case None:
                items.append((token["words"] or "", _field(token["field"], fields)))
            case "[" if not is_optional:
                yield TemplatePart(tuple(items), is_optional=False)
                items, is_optional = [], True
            case "]" if is_optional:
                yield TemplatePart(tuple(items), is_optional=True)
                items, is_optional = [], False
            case mark:
                raise TemplateInvalid(
                    f"{mark} at character {token.start() + 1} has no partner or is inside another"
                    f" one; write fields as {{title}}, and optional parts as [, by {{author}}]"
                )
    if is_optional:
        raise TemplateInvalid("the last [ has no ]")
    yield TemplatePart(tuple(items), is_optional=False)


def _field(name: str | None, fields: Collection[str]) -> str:
    """The name of a field; "" where the template has words. Raises TemplateInvalid."""
    if name is not None and name not in fields:
        known = ", ".join(f"{{{field}}}" for field in fields)
        raise TemplateInvalid(f"there is no field {{{name}}}; the fields are {known}")
    return name or ""


def _split_sentences(part: TemplatePart) -> list[TemplatePart]:
    """The part, cut after each sentence that ends in its words."""
    cut: list[list[tuple[str, str]]] = [[]]
    for words, field in part.items:
        head, *following = _SENTENCE_END.split(words)
        cut[-1].append((head, field))
        cut += [[(one, "")] for one in following]
    return [TemplatePart(tuple(items), is_optional=False) for items in cut]
