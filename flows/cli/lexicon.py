"""`audiomill lexicon suggest`: words of a book that an engine may say wrongly, for a lexicon.

They are names, and words that the dictionary of the engine lacks:

the words of the segments ─▶ those of interest ─▶ phonemes by the engine ─▶ TOML to correct
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

from audiomill.flows.console import put, put_json
from audiomill.flows.errors import UsageError
from audiomill.flows.job import Job
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.settings import load_settings
from audiomill.inputs.lexicons.files import lexicons_beside, read_lexicons
from audiomill.inputs.model.book import BlockKind, Segment
from audiomill.inputs.model.lexicon_entry import LexiconEntry
from audiomill.outputs.files import require_new, write_new
from audiomill.renderers.engine.protocol import Renderer
from audiomill.renderers.engine.registry import open_renderer

FEWEST_LETTERS = 2
CONTEXT_CHARS = 24  # on each side of the word
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_APOSTROPHE = re.compile("['’]")
_GENITIVE = re.compile(r"['’]s?\Z")
# Before a word that begins a sentence, a quotation or a line.
_OPENING = re.compile(r"(?:\A|[.!?…:;—–“‘\"(\[*\n])[\s\"“‘(\[*]*\Z")
_BEFORE = 8  # characters that `_OPENING` looks at


def run(arguments: argparse.Namespace) -> int:
    """Print the words as TOML or JSON, or write them to a file."""
    if arguments.most < 1:
        raise UsageError(f"--most {arguments.most}: write a number from 1 on.")
    if arguments.out:
        require_new(arguments.out)
    job = make_job(
        load_settings(), arguments.source, engine=arguments.engine, voice=arguments.voice
    )
    suggestions = suggest_words(job, arguments.most)
    if arguments.out:
        write_new(arguments.out, as_toml(suggestions).encode())
    if arguments.json:
        path = str(arguments.out) if arguments.out else None
        put_json(asdict(suggestions) | {"path": path})
    elif arguments.out:
        put(str(arguments.out))
    else:
        for line in as_toml(suggestions).splitlines():
            put(line)
    return 0


@dataclass(frozen=True, slots=True)
class SuggestedWord:
    """A word to listen to, with the phonemes that it would get."""

    word: str
    count: int
    phonemes: str  # "": the engine does not tell
    context: str  # where it is first


@dataclass(frozen=True, slots=True)
class LexiconSuggestions:
    """The words of a book, the most frequent first."""

    title: str
    engine: str
    words: tuple[SuggestedWord, ...]


@dataclass(slots=True)
class _Uses:
    """How a word of a book is used."""

    voice: str
    context: str
    count: int = 0
    inside: int = 0  # of these, with a capital letter inside a sentence


@dataclass(slots=True)
class _Words:
    """The words of a book by their spelling."""

    uses: dict[str, _Uses] = field(default_factory=dict[str, _Uses])

    def add(self, segment: Segment) -> None:
        """Count the printed words of a segment, but for those that have a pronunciation.

        A heading may have capitals throughout, so its capitals tell nothing.
        """
        text = segment.spoken
        given = {at for one in segment.pronunciations for at in range(one.start, one.end)}
        for match in _WORD.finditer(text):
            word = _GENITIVE.sub("", match[0])
            if len(word) < FEWEST_LETTERS or match.start() in given:
                continue
            if _APOSTROPHE.split(word)[0] not in segment.text:
                continue  # what the rules have made of an abbreviation: "Mister"
            uses = self.uses.get(word)
            if uses is None:
                uses = self.uses[word] = _Uses(segment.voice, _context(text, *match.span()))
            uses.count += 1
            before = text[max(0, match.start() - _BEFORE) : match.start()]
            if segment.kind is not BlockKind.HEADING:  # "The Longest Night"
                uses.inside += word[:1].isupper() and not _OPENING.search(before)

    def is_name(self, word: str) -> bool:
        """Whether the word has its capital inside sentences, and is in no small letters elsewhere.

        A word in capitals throughout is a heading's, or an abbreviation, which the rules read.
        """
        is_capitalised = self.uses[word].inside > 0 and not word.isupper()
        return is_capitalised and word.lower() not in self.uses


def suggest_words(job: Job, most: int) -> LexiconSuggestions:
    """At most `most` words of the job's source that may be said wrongly.

    Raises SourceError, RenderError, UsageError.
    """
    renderer = open_renderer(job.engine, job.options)
    manuscript = read_manuscript(job)
    words = _Words()
    for segment in manuscript.segments:
        words.add(segment)
    known = _respellings(read_lexicons((*job.lexicons, *lexicons_beside(job.source))))
    known |= _calendar_names(manuscript.book.language)
    chosen = [word for word in _of_interest(words, renderer) if word not in known]
    chosen.sort(key=lambda word: (-words.uses[word].count, word))
    suggested = _with_phonemes(chosen[:most], words, renderer)
    return LexiconSuggestions(manuscript.book.title, job.engine, tuple(suggested))


def as_toml(suggestions: LexiconSuggestions) -> str:
    """The words as a lexicon to correct."""
    title = " ".join(suggestions.title.split())
    lines = [
        f"# Names and unknown words of “{title}”, as {suggestions.engine} would say them.",
        "# Correct what is wrong: another spelling, or phonemes between slashes. Delete the rest.",
        "[words]",
        *(
            f"{_quoted(one.word)} = {_quoted(_spoken_form(one))}  # {one.count} x: {one.context}"
            for one in suggestions.words
        ),
    ]
    return "\n".join(lines) + "\n"


def _spoken_form(one: SuggestedWord) -> str:
    return f"/{one.phonemes}/" if one.phonemes else one.word


def _quoted(text: str) -> str:
    """A string of TOML: one of JSON, whose escapes TOML has too."""
    return json.dumps(text, ensure_ascii=False)


def _of_interest(words: _Words, renderer: Renderer) -> Iterator[str]:
    """Words that the engine's dictionary lacks; without a dictionary, names."""
    for voice in dict.fromkeys(uses.voice for uses in words.uses.values()):
        spelled = [word for word, uses in words.uses.items() if uses.voice == voice]
        known = renderer.known_words(spelled, voice)
        for word in spelled:
            is_new = words.is_name(word) if known is None else _is_unknown(word, words, known)
            if is_new:
                yield word


def _is_unknown(word: str, words: _Words, known: frozenset[str]) -> bool:
    """Whether no form of the word is known; capitals at the start of a sentence count as none."""
    if word in known or word.isupper():
        return False
    is_begun = word.lower() in words.uses or word.lower() in known
    return word.islower() or words.is_name(word) or not is_begun


def _respellings(entries: Iterable[LexiconEntry]) -> frozenset[str]:
    """The words of other spellings that lexicons give: they are as somebody wants them."""
    return frozenset(word for entry in entries for word in _WORD.findall(entry.say))


def _calendar_names(language: str) -> frozenset[str]:
    """The names of days and months, by Unicode's CLDR: every voice knows them."""
    from babel import Locale, UnknownLocaleError  # which takes a while to import

    try:
        locale = Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return frozenset()
    names = (
        *locale.days["stand-alone"]["wide"].values(),
        *locale.months["stand-alone"]["wide"].values(),
    )
    return frozenset(name[:1].upper() + name[1:] for name in names)


def _with_phonemes(
    chosen: Sequence[str], words: _Words, renderer: Renderer
) -> Iterator[SuggestedWord]:
    phonemes: dict[str, str] = {}
    for voice in dict.fromkeys(words.uses[word].voice for word in chosen):
        spelled = [word for word in chosen if words.uses[word].voice == voice]
        phonemes |= dict(zip(spelled, renderer.phonemes(spelled, voice), strict=True))
    for word in chosen:
        yield SuggestedWord(word, words.uses[word].count, phonemes[word], words.uses[word].context)


def _context(text: str, start: int, end: int) -> str:
    """The word with what is around it, cut at spaces."""
    before, after = text[:start], text[end:]
    if len(before) > CONTEXT_CHARS:
        before = "… " + before[-CONTEXT_CHARS:].partition(" ")[2]
    if len(after) > CONTEXT_CHARS:
        after = after[:CONTEXT_CHARS].rpartition(" ")[0] + " …"
    return before + text[start:end] + after
