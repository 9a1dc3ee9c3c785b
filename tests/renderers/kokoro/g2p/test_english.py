"""English G2P with tags by rules: marks, money, names and homographs."""

import re
import warnings
from pathlib import Path

from audiomill.renderers.kokoro.g2p.g2p import open_g2p
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES
from audiomill.renderers.kokoro.g2p.requirements import fingerprint_of, warnings_of
from support.case_files import each_row, rows_of
from support.kokoro_text_data import ENGLISH, V1_0, cached_g2p, said

HOMOGRAPHS = rows_of(
    Path(__file__).parent / "cases" / "english.txt", "test_homographs_are_distinguished"
)


@each_row
def test_homographs_are_distinguished(starred, expected):
    text = starred.replace("*", "")
    places = [match.start() - 2 * n for n, match in enumerate(re.finditer(r"\*\w+\*", starred))]
    phonemes = cached_g2p("a").phonemes(text)
    phonemes_at = {word.start: phonemes.text[word.first : word.last] for word in phonemes.words}
    assert " ".join(phonemes_at[place] for place in places) == expected


@each_row
def test_marks_money_and_numbers(text, phonemes):
    expected = phonemes or (
        "ɪn nˌIntˈin ˈATi fˈɔɹ, twˈɛnti wˈʌn ʌv θɹˈi hˈʌndɹəd lˈɛft æt tˈɛn θˈɜɹTi."
    )
    assert cached_g2p("a").phonemes(text).text == expected


def test_british_english_has_its_own_phonemes():
    assert cached_g2p("b").phonemes("The bath water, for a start.").text == (
        "ðə bˈɑːθ wˈɔːtə, fɔː ɐ stˈɑːt."
    )
    assert cached_g2p("b").phonemes("Two graves, denied.").text == "tˈuː ɡɹˈAvz, dɪnˈId."


@each_row
def test_words_have_the_right_characters(text, expected):
    assert said(cached_g2p("a").phonemes(text), text) == expected


def test_given_phonemes_are_used():
    text = "The [Kokoro](/kˈOkəɹO/) model."
    phonemes = cached_g2p("a").phonemes(text)
    assert phonemes.text == "ðə kˈOkəɹO mˈɑdᵊl."
    assert said(phonemes, text)[1] == ("[Kokoro](/kˈOkəɹO/)", "kˈOkəɹO")


def test_other_brackets_are_text():
    text = "See [the docs](/usr/bin/) [here](+2)."
    words = [word for word, _ in said(cached_g2p("a").phonemes(text), text)]
    assert words == ["See", "the", "docs", "/usr/bin/", "here", "+2"]


@each_row
def test_text_that_cannot_be_said_gets_a_remark(text, remarks):
    actual = cached_g2p("a").phonemes(text).remarks
    assert [(text[one.start : one.end], one.words) for one in actual] == remarks


def test_numbers_too_large_for_a_name_are_said():
    phonemes = cached_g2p("a").phonemes("9" * 400)
    assert phonemes.text.count("nˈIn") > 200
    assert phonemes.remarks == ()


def test_phonemes_equal_upstream_with_the_same_tokens_and_tags():
    sentences = [
        "The mill stood by the river, and nobody knew who had built it.",
        "Mrs. Hale's brother-in-law (the younger) bought 12 ships in 1871!",
        "“Unbelievable,” whispered Dr. Okonkwo; “it can’t have cost $4,250.”",
        "She re-read Xylophanes’ letters: a quixotic, flibbertigibbet prose...",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        upstream = _upstream_g2p()
    for text in sentences:
        theirs = "".join(one for one in upstream(text)[0].strip() if one in V1_0.vocab)
        assert cached_g2p("a").phonemes(text).text == theirs


def _upstream_g2p():
    """misaki's G2P as KPipeline creates it, but with `RuleTagger` instead of spaCy's model."""
    from misaki import en, espeak

    ours = cached_g2p("a")._language_g2p._misaki

    class Upstream(en.G2P):
        def __init__(self):
            self.version, self.british, self.unk = None, False, ""
            self.lexicon = en.Lexicon(british=False)
            self.fallback = espeak.EspeakFallback(british=False)

        def tokenize(self, text, tokens, features):
            return ours.tokenize(text, tokens, features)

    return Upstream()


def test_words_equal_those_of_spacys_tokenizer():
    import spacy

    text = " ".join(starred for starred, _ in HOMOGRAPHS) + " $5-a-day 3rd e.g. I'd’ve 10:30am"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = spacy.blank("en").tokenizer(text)
    ours = cached_g2p("a")._language_g2p._misaki._tokenizer(text)
    assert [token.text for token in ours] == [token.text for token in theirs]


def test_spacys_model_is_used_if_it_is_installed(monkeypatch):
    """A fake model has spaCy's tokenizer, and tags that the rules would not give."""
    import spacy
    from spacy.language import Language as Pipeline

    @Pipeline.component("only_adjectives")
    def only_adjectives(doc):
        for token in doc:
            token.tag_ = "JJ" if token.is_alpha else "."
        return doc

    loaded = []

    def load(name, enable):
        loaded.append((name, enable))
        nlp = spacy.blank("en")
        nlp.add_pipe("only_adjectives")
        return nlp

    monkeypatch.setattr(spacy, "load", load)
    monkeypatch.setattr("audiomill.renderers.kokoro.g2p.requirements.version", _fake_version)
    tagged = open_g2p(LANGUAGES["a"], V1_0)
    assert loaded == [("en_core_web_sm", ["tok2vec", "tagger"])]
    assert warnings_of(ENGLISH) == ()
    assert "en_core_web_sm 3.8.0" in fingerprint_of(ENGLISH, V1_0)
    assert tagged.phonemes("Read a minute.").text == "ɹˈɛd ˈA mInˈut."
    # The model takes these endings for marks: no "Jane S", and no "do" without "not".
    assert tagged.phonemes("Jane’s? Don’t!").text == "ʤˈAnz? dˈOnt!"
    assert tagged.phonemes("’Tis o’ no use").text == "tˈɪz ə nˈO jˈus"
    assert tagged.phonemes("bass; bows; excuse me").text == "bˈAs; bˈWz; ɪkskjˈuz mˌi"


def _fake_version(package):
    return "3.8.0" if package == "en_core_web_sm" else "1"


def test_without_spacys_model_there_is_one_warning():
    (warning,) = warnings_of(ENGLISH)
    assert "python -m spacy download en_core_web_sm" in warning
    assert "tags by rule" in fingerprint_of(ENGLISH, V1_0)
