"""Marked sentences for tests of dialogue: {Emma|“Go,”} said Emma. {|“Now?”} he asked."""

import re

from audiomill.inputs.casting.dialogue import english_conventions, find_dialogue
from audiomill.inputs.model.book import Block, BlockKind

MARKED = re.compile(r"\{([^|{}]*)\|([^{}]*)\}")


def plain(marked):
    """The sentence without the marks of what is said, and by whom."""
    return MARKED.sub(r"\2", marked)


def marked_dialogue(language, *paragraphs):
    """The paragraphs, with marks around what is found to be said."""
    blocks = [Block(BlockKind.PARAGRAPH, text) for text in paragraphs]
    found = find_dialogue(blocks, language, english_conventions(paragraphs, language))
    return [_marked(text, speeches) for text, speeches in zip(paragraphs, found, strict=True)]


def _marked(text, speeches):
    for speech in reversed(speeches):
        said = text[speech.start : speech.end]
        inside = said.rstrip()
        marks = f"{{{speech.speaker}|{inside}}}{said[len(inside) :]}"
        text = text[: speech.start] + marks + text[speech.end :]
    return text
