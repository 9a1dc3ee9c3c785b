"""What is said for each printed word; `segments_data.check` has what holds for every text."""

from audiomill.inputs.segmentation.printed_words import printed_words
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from support.case_files import each_row
from support.segments_data import book, paragraph

RULES = SegmentRules(voice_for=lambda _: "sine", max_length=400)


@each_row
def test_words_that_are_lit_while_what_is_said_for_them_sounds(language, text, words):
    found = []
    for segment in segment_book(book([paragraph(text)], language=language), RULES).segments:
        for word in (word for words in printed_words(segment) for word in words):
            printed = segment.text[word.first : word.last]
            spoken = segment.spoken[word.start : word.end]
            found.append(printed if printed == spoken else f"{printed}={spoken}")
    assert found == words
