"""The sentences of a text that is said as it is written."""

from audiomill.inputs.segmentation.sentences import join_quotations, sentence_starts


def split_sentences(text: str, language: str) -> tuple[tuple[int, int], ...]:
    """The spans [start, end) of the sentences."""
    return join_quotations(text, language, sentence_starts(text, language))
