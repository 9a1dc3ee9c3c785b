"""Which characters of a page are in the texts of its blocks."""

import sys

from audiomill.inputs.markup.text import INVISIBLE, clean, normalise_spaces
from audiomill.inputs.model.book import BlockKind

SPACES = [one for one in map(chr, range(0x3001)) if one.isspace()] + ["\u2800"]


def test_a_text_is_clean_only_without_any_other_space_or_what_is_not_seen():
    for one in (*SPACES, *INVISIBLE):
        seen = " " if one in SPACES else ""
        assert clean(f"a{one}b", BlockKind.PARAGRAPH) == f"a{seen}b"
        assert normalise_spaces(f"a {one} b") == "a b"
    assert clean("a\n\tb\u2028", BlockKind.CODE) == "a\n\tb "


def test_all_that_can_be_printed_stays():
    every = map(chr, range(sys.maxunicode + 1))
    whole = "".join(one for one in every if one.isprintable() and one not in SPACES)
    for kind in (BlockKind.PARAGRAPH, BlockKind.CODE):
        assert clean(f"\u00ad{whole}", kind) == clean(whole, kind) == whole
