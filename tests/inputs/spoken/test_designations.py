"""English names with digits in them: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en import designations
from audiomill.inputs.spoken.grammars import spoken_line

KINDS = {rule.kind for rule in designations.RULES}


@given(text=st.text(alphabet="abcdefghij ABCDE.,;'", max_size=60))
def test_a_text_without_digits_or_numerals_is_unchanged(text):
    assert not [edit for edit in spoken_line(text, "en-US").edits if edit.kind in KINDS]
