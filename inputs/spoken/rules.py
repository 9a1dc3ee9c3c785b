"""Rules by which printed text becomes words. Knows how rules are applied, but no rule.

A rule has a pattern and a function that says what a match sounds like, or None if it is something
else after all. Rules are tried in order wherever something may have to be said in another way than
it is printed; the first that says something wins, and no other rule sees what it took.

A rule looks only at what is near, so an edit of a sentence does not change others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.spoken.edits import Edit
from audiomill.inputs.spoken.first_characters import first_characters
from audiomill.inputs.spoken.roman import roman_value

# A word that is spoken as it is printed: no capitals but the first letter, no digits, and neither
# a full stop nor a number after it. Characters such as ½ and Ⅳ count as letters in `\w`.
_PLAIN = (
    r"[^\W\d_²³¹¼-¾⁰-↋①-⓿][a-zß-öø-ÿœ]*+(?:['’-][a-zß-öø-ÿœ]+){0,12}+"
    r"(?=[,;:!?)\]”’\"—…]*(?:\s+(?!['’‘]?[\dIVXLCDM#$£€])|\Z))"
)
_LONG_DRAWN = r"[^\W\d_]*(?P<letter>[^\W\d_])(?i:(?P=letter)){2}"
_STUTTERED = r"(?P<begun>[^\W\d_]{1,3})-(?i:(?P=begun))"
ROMAN = "roman"  # the kind of rules for Roman numerals
NEAR = 40  # characters that a rule may look back
_WORD_BEFORE = re.compile(r"([^\W\d_]+(?:['’][^\W\d_]+)?\.?)[\s\u00a0]*\Z")
_WORD_AFTER = re.compile(r"\s*([^\W\d_]+(?:['’-][^\W\d_]+)*)")


def candidates(words: Sequence[str] = (), places: Sequence[str] = ()) -> re.Pattern[str]:
    """A pattern that matches wherever a rule may apply.

    That is at words which are not plain, at signs, and in a language also at plain-looking words
    that one of `words` matches, and at `places`. An accent belongs to its letter and is no sign.
    """
    special = "|".join((_LONG_DRAWN, _STUTTERED, *words))
    signs = r"[^\w\s\u0300-\u036f,;:!?.()\[\]'\"‘’“”]|_|(?<!\w)[.'’‘](?=\d)|(?=https?://)"
    word = rf"(?<![^\W_])(?:(?!{_PLAIN})|(?={special}))[^\W_]"
    return re.compile("|".join((word, signs, *places)))


@dataclass(frozen=True, slots=True)
class Context:
    """What surrounds a match: the whole block or line, and whose language it is in."""

    text: str
    region: str = "US"  # an ISO 3166 code, which decides for example the order of a date
    kind: BlockKind = BlockKind.PARAGRAPH
    # What is known to be a Roman numeral, because the source marks it, or headings count on: where
    # each begins, and where it ends.
    numerals: Mapping[int, int] = field(default_factory=dict[int, int])

    def text_before(self, at: int, near: int = NEAR) -> str:
        """At most `near` characters before `at`."""
        return self.text[max(0, at - near) : at]

    def search_before(
        self, pattern: re.Pattern[str], at: int, near: int = NEAR
    ) -> re.Match[str] | None:
        """Where `pattern` is found among the `near` characters before `at`."""
        return pattern.search(self.text, max(0, at - near), at)

    def word_before(self, at: int) -> str:
        """The word that ends at `at` but for spaces, with its full stop; "" if there is none."""
        found = _WORD_BEFORE.search(self.text_before(at))
        return found[1] if found else ""

    def word_after(self, at: int) -> str:
        """The word that begins at `at` but for spaces; "" if there is none."""
        found = _WORD_AFTER.match(self.text, at)
        return found[1] if found else ""

    def starts_sentence(self, at: int) -> bool:
        """Whether nothing of a sentence stands before `at`."""
        earlier = self.text_before(at, 8).rstrip(" \t\n\u00a0\"'“‘([")
        return not earlier or earlier[-1] in ".!?:;…—”’"

    def follows_name(self, at: int) -> bool:
        """Whether a word with a capital stands before `at`, which does not begin a sentence."""
        word = self.word_before(at)
        return word[:1].isupper() and not self.starts_sentence(self.text.rfind(word, 0, at))


def any_of(texts: Iterable[str]) -> str:
    """A pattern for any of `texts`, the longest first."""
    return "|".join(map(re.escape, sorted(texts, key=lambda text: (-len(text), text))))


Say = Callable[[re.Match[str], Context], str | None]


@dataclass(frozen=True, slots=True)
class WrittenPattern:
    """A pattern that is not compiled yet: a language has hundreds, of which a text needs some."""

    pattern: str
    flags: int  # those of `re`


@dataclass(frozen=True, slots=True)
class Rule:
    """What is said for a match of `pattern`; None if the rule does not apply there."""

    kind: str
    pattern: re.Pattern[str] | WrittenPattern
    say: Say

    def compiled(self) -> CompiledRule:
        """The rule as it is tried."""
        written = self.pattern
        if isinstance(written, WrittenPattern):
            written = re.compile(written.pattern, written.flags)
        return CompiledRule(self.kind, written, self.say)


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """A rule that can be tried. The fields are those of `Rule`."""

    kind: str
    pattern: re.Pattern[str]
    say: Say


def rule(kind: str, pattern: str, say: Say, flags: int = 0) -> Rule:
    """A rule whose pattern is written with spaces and comments (`re.VERBOSE`)."""
    return Rule(kind, WrittenPattern(pattern, int(re.VERBOSE | flags)), say)


def dense_rule(kind: str, pattern: str, say: Say, flags: int = 0) -> Rule:
    """A rule whose pattern has neither comments nor spaces that do not count."""
    return Rule(kind, WrittenPattern(pattern, flags), say)


def always(spoken: str) -> Say:
    """Says the same for every match."""

    def say(_match: re.Match[str], _context: Context) -> str:
        return spoken

    return say


class RuleIndex:
    """Looks up the rules of which a match may begin with a character: a tenth of a language's."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._starts = list[re.Pattern[str] | None]()  # of each rule, once there was a character
        self._compiled = dict[int, CompiledRule]()  # by their index
        self._by_character = dict[str, tuple[CompiledRule, ...]]()

    def at(self, character: str) -> tuple[CompiledRule, ...]:
        """The rules for a character, in order."""
        found = self._by_character.get(character)
        if found is None:
            found = self._by_character[character] = tuple(self._found(character))
        return found

    def compile(self) -> None:
        """Compile all rules, so that no text waits for those that it is the first to need."""
        for at, one in enumerate(self._rules):
            self._compiled.setdefault(at, one.compiled())

    def _found(self, character: str) -> Iterator[CompiledRule]:
        if not self._starts:
            self._starts = [first_characters(one.pattern) for one in self._rules]
        for at, (one, start) in enumerate(zip(self._rules, self._starts, strict=True)):
            if start is None or start.match(character):
                if at not in self._compiled:
                    self._compiled[at] = one.compiled()
                yield self._compiled[at]


@dataclass(frozen=True, slots=True)
class Grammar:
    """The rules of a language, and where they may apply."""

    rules: tuple[Rule, ...]
    candidates: re.Pattern[str]
    # What is said for a number in a region, where nothing tells more; None: the language has none.
    cardinal: Callable[[int, str], str] | None = None
    region: str = ""  # where a text names none: an ISO 3166 code
    raises_ordinal_marks: bool = False  # “1.ᵒ” is “1.º”
    has_subscript_rules: bool = False  # for “CO₂”; without them it is “CO2”
    index: RuleIndex = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make the index of the rules."""
        object.__setattr__(self, "index", RuleIndex(self.rules))


def find_edits(
    grammar: Grammar, context: Context, overrides: Sequence[Edit] = ()
) -> Iterator[Edit]:
    """Yield the edits of the context's text, in order. They do not overlap.

    No rule sees the text of `overrides`, in order, which are yielded too.
    """
    start = 0
    for edit in overrides:
        yield from _edits_between(grammar, context, start, edit.start)
        yield edit
        start = edit.end
    yield from _edits_between(grammar, context, start, len(context.text))


def _edits_between(grammar: Grammar, context: Context, start: int, end: int) -> Iterator[Edit]:
    """The edits of characters [start, end)."""
    at = start
    while (place := _next_place(grammar, context, at)) is not None and place < end:
        edit = _first(grammar.index.at(context.text[place]), context, place, end)
        if place in context.numerals and (edit is None or edit.kind != ROMAN):
            edit = _numeral(grammar, context, place, end) or edit
        if edit is None:
            at = place + 1
        else:
            at = max(edit.end, place + 1)
            if edit.spoken != context.text[edit.start : edit.end]:
                yield edit


def _next_place(grammar: Grammar, context: Context, at: int) -> int | None:
    """Where something may have to be said in another way than it is printed, from `at` on."""
    candidate = grammar.candidates.search(context.text, at)
    numeral = next((start for start in context.numerals if start >= at), None)
    if candidate is None or numeral is None:
        return candidate.start() if candidate else numeral
    return min(candidate.start(), numeral)


def _first(rules: Sequence[CompiledRule], context: Context, at: int, limit: int) -> Edit | None:
    """What the first rule says that takes nothing from `limit` on."""
    for one in rules:
        match = one.pattern.match(context.text, at)
        if match and match.end() > limit:
            match = one.pattern.match(context.text, at, limit)
        if match:
            spoken = one.say(match, context)
            if spoken is not None:
                end = match.start() + len(match[0].rstrip())
                return Edit(match.start(), end, spoken, one.kind)
    return None


def _numeral(grammar: Grammar, context: Context, at: int, limit: int) -> Edit | None:
    """What is said for a numeral that is known to be one, where no rule knows it."""
    end = context.numerals.get(at, at)
    printed = context.text[at:end].rstrip(" .:)")
    value = roman_value(printed)
    if value is None or grammar.cardinal is None or end > limit:
        return None
    return Edit(at, at + len(printed), grammar.cardinal(value, context.region), ROMAN)
