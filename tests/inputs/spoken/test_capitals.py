"""English words in capitals: as written, as spoken."""

import re

from hypothesis import given
from hypothesis import strategies as st

from support.spoken_cases import said


@given(st.from_regex(r"(?!.*(.)\1\1)[A-Z]{2,12}", fullmatch=True))
def test_letters_are_neither_lost_nor_added_unless_respelled(word):
    spoken = said(f"the {word} here", "en-US").removeprefix("the ").removesuffix(" here")
    respelled = {
        "okay",
        "askey",
        "gooey",
        "doctor",
        "mister",
        "missus",
        "et cetera",
        "Hmm",
        "esquire",
    }
    assert spoken in respelled or re.sub("[ .]", "", spoken).upper() == word
