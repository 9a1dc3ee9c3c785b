"""Numbers that a page shows but does not write out: of list items, and superscripts."""

from audiomill.inputs.segmentation.sentences import split_sentences


def test_a_numbered_item_begins_with_one_sentence():
    for text in ("1. First do this.", "12. Then do that.", "b. Or this.", "IV. And that."):
        assert split_sentences(text, "en") == ((0, len(text)),)
