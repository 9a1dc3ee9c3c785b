"""Languages of Kokoro's voices: their names, their packages, and how to install what is missing."""

import pytest
from test_imports import loaded_by

from audiomill.inputs.languages.codes import canonical_case
from audiomill.renderers.engine.errors import EngineMissing, UnknownVoice
from audiomill.renderers.kokoro.g2p import requirements
from audiomill.renderers.kokoro.g2p.g2p import open_g2p
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES, language_of
from audiomill.renderers.kokoro.g2p.requirements import fingerprint_of, require, warnings_of
from support.case_files import each_row_apart
from support.kokoro_text_data import ENGLISH, V1_0, V1_1_ZH, Alphabet


@pytest.fixture
def installed(monkeypatch):
    """Pretends that only these packages are installed, in these versions."""

    def only(**packages):
        def version(name):
            if name.replace("-", "_") not in packages:
                raise requirements.PackageNotFoundError(name)
            return packages[name.replace("-", "_")]

        monkeypatch.setattr(requirements, "version", version)

    return only


ESPEAK = {"misaki": "0.9.4", "phonemizer_fork": "3.3.2", "espeakng_loader": "0.2.4"}
EVERYTHING = ESPEAK | {"spacy": "3.8", "num2words": "0.5"}


def test_each_language_has_its_own_fingerprint():
    languages = [LANGUAGES[code] for code in "abefhip"]
    assert len({fingerprint_of(language, V1_0) for language in languages}) == len(languages)


def test_a_fingerprint_changes_with_everything_that_decides_phonemes(installed):
    installed(**EVERYTHING)
    first = fingerprint_of(ENGLISH, V1_0)
    assert fingerprint_of(ENGLISH, V1_0) == first
    assert fingerprint_of(ENGLISH, V1_1_ZH) != first
    assert fingerprint_of(ENGLISH, Alphabet(V1_0.vocab - {"a"})) != first
    installed(**EVERYTHING | {"misaki": "0.9.5"})
    assert fingerprint_of(ENGLISH, V1_0) != first
    installed(**EVERYTHING, en_core_web_sm="3.8.0")
    assert fingerprint_of(ENGLISH, V1_0) != first


def test_a_fingerprint_ignores_packages_that_the_language_does_not_use(installed):
    installed(**ESPEAK)
    first = fingerprint_of(LANGUAGES["f"], V1_0)
    installed(**EVERYTHING, en_core_web_sm="3.8.0")
    assert fingerprint_of(LANGUAGES["f"], V1_0) == first


@each_row_apart
def test_missing_packages_are_named_with_their_extra(installed, code, missing, extra):
    installed(**EVERYTHING)
    with pytest.raises(EngineMissing, match=rf"{missing} not installed.*[=\[]{extra}\b"):
        open_g2p(LANGUAGES[code], V1_0)


def test_japanese_works_with_either_dictionary(installed):
    packages = EVERYTHING | {"fugashi": "1", "jaconv": "1", "mojimoji": "1"}
    installed(**packages, unidic="1.1.0")
    assert "unidic 1.1.0" in require(LANGUAGES["j"])
    installed(**packages, unidic_lite="1.0.8")
    assert "unidic-lite 1.0.8" in require(LANGUAGES["j"])


def test_without_misaki_the_engine_is_missing(installed):
    installed()
    with pytest.raises(EngineMissing, match=r"English cannot be read: misaki.*[=\[]kokoro\b"):
        require(ENGLISH)


def test_only_english_warns_and_only_without_spacys_model(installed):
    installed(**EVERYTHING)
    assert [code for code in LANGUAGES if warnings_of(LANGUAGES[code])] == ["a", "b"]
    installed(**EVERYTHING, en_core_web_sm="3.8.0")
    assert warnings_of(ENGLISH) == ()


def test_fingerprints_and_warnings_load_nothing_heavy():
    heavy = {"torch", "misaki", "spacy", "kokoro", "phonemizer", "transformers"}
    code = (
        "import audiomill.renderers.kokoro.g2p.workers\n"
        "from audiomill.renderers.kokoro.g2p.languages import LANGUAGES\n"
        "from audiomill.renderers.kokoro.g2p import requirements as r\n"
        "r.fingerprint_of(LANGUAGES['a'], r.Alphabet(frozenset('a')))\n"
        "r.warnings_of(LANGUAGES['a'])"
    )
    assert not loaded_by(code) & heavy


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
