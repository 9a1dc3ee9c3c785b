"""The languages of Kokoro's voices, by their names."""

import pytest
from test_imports import loaded_by

from audiomill.inputs.languages.codes import canonical_case
from audiomill.renderers.engine.errors import UnknownVoice
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES, language_of


def test_every_language_is_found_by_its_letter():
    assert "".join(LANGUAGES) == "abefhijpz"
    assert all(code == language.code for code, language in LANGUAGES.items())


def test_tags_have_the_usual_case():
    assert all(canonical_case(language.tag) == language.tag for language in LANGUAGES.values())


@pytest.mark.parametrize(
    ("voice", "tag"),
    [("af_heart", "en-US"), ("bm_george", "en-GB"), ("zf_001", "zh"), ("pm_santa", "pt-BR")],
)
def test_a_voice_name_contains_its_language(voice, tag):
    assert language_of(voice).tag == tag


@pytest.mark.parametrize("voice", ["", "heart", "xf_nobody", "a_heart", "AF_HEART"])
def test_other_names_contain_no_language(voice):
    with pytest.raises(UnknownVoice, match="af_heart"):
        language_of(voice)


def test_the_table_loads_nothing_heavy():
    heavy = {"torch", "misaki", "spacy", "kokoro", "phonemizer", "transformers"}
    assert not loaded_by("import audiomill.renderers.kokoro.g2p.languages") & heavy
