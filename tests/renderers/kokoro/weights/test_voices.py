"""Kokoro's voices: names, mixes, defaults, fingerprints, and packs that are refused if damaged."""

import hashlib
import io
from fractions import Fraction
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.errors import EngineMissing, UnknownVoice, WeightsUnfit
from audiomill.renderers.kokoro.model.config import PACK_SHAPE
from audiomill.renderers.kokoro.weights.checkpoint import load_pack, load_voice, mix_packs
from audiomill.renderers.kokoro.weights.mixes import Mix, parse_mix
from audiomill.renderers.kokoro.weights.releases import V1_0, V1_1_ZH, Release
from audiomill.renderers.kokoro.weights.voices import KokoroVoices
from support.case_files import each_row
from support.examples import many_examples
from support.hub_server import serving
from support.process_data import printed_by

OFFICIAL = KokoroVoices(None, V1_0)
NAMES = ("af_bella", "af_sky", "am_adam", "bf_emma", "zf_001")


def saved(pack: object, **options) -> bytes:
    written = io.BytesIO()
    torch.save(pack, written, **options)
    return written.getvalue()


def random_pack(seed: int) -> torch.Tensor:
    return torch.randn(PACK_SHAPE, generator=torch.Generator().manual_seed(seed))


PACKS = {name: random_pack(seed) for seed, name in enumerate(NAMES)}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "voices").mkdir()
    for name, pack in PACKS.items():
        (tmp_path / "voices" / f"{name}.pt").write_bytes(saved(pack))
    return tmp_path


# Names


def test_all_voices_of_a_release_are_offered_without_any_file():
    assert [voice.name for voice in OFFICIAL.table.voices] == sorted(V1_0.voices)
    by_name = {voice.name: voice for voice in OFFICIAL.table.voices}
    assert by_name["bm_george"].language == "en-GB"
    assert by_name["bm_george"].gender == "male"
    assert by_name["pf_dora"].language == "pt-BR"
    assert by_name["jf_alpha"].gender == "female"
    assert len(KokoroVoices(None, V1_1_ZH).table.voices) == 103


def test_a_folder_offers_what_is_in_it(folder):
    (folder / "voices" / "grandfather.pt").write_bytes(saved(PACKS["am_adam"]))
    table = KokoroVoices(folder)
    assert [voice.name for voice in table.table.voices] == sorted(NAMES)
    assert table.resolve("af_sky+grandfather").language.tag == "en-US"
    with pytest.raises(UnknownVoice, match="does not say which language"):
        table.fingerprint("grandfather")


def test_a_folder_without_voices_is_refused(tmp_path):
    with pytest.raises(EngineMissing, match=r"has no voices/\*\.pt"):
        KokoroVoices(tmp_path)


@each_row
def test_invalid_expressions_are_explained(expression, expected):
    with pytest.raises(UnknownVoice, match=expected):
        OFFICIAL.resolve(expression)


@each_row
def test_every_language_has_its_voice(language, voice):
    assert OFFICIAL.table.for_language(language) == voice


def test_the_mandarin_release_speaks_mandarin_and_english():
    table = KokoroVoices(None, V1_1_ZH)
    assert table.table.for_language("zh") == "zf_001"
    assert table.table.for_language("en") == "af_maple"
    assert table.table.for_language("en-GB") == "bf_vale"


@pytest.mark.parametrize("language", ["", "und", "de", "yue", "x-private"])
def test_a_language_without_a_voice_is_refused(language):
    with pytest.raises(UnknownVoice, match="no voice here that speaks"):
        OFFICIAL.table.for_language(language)


def test_the_default_is_a_voice_that_the_folder_has(folder):
    for name in ("af_bella", "af_sky", "bf_emma"):
        (folder / "voices" / f"{name}.pt").unlink()
    table = KokoroVoices(folder)
    assert table.table.for_language("en-GB") == "am_adam"
    with pytest.raises(UnknownVoice):
        table.table.for_language("fr")


# Mixes

weights = st.one_of(
    st.integers(1, 999).map(str),
    st.decimals("0.01", "99", places=2).map(str),
)
parts = st.lists(
    st.tuples(st.sampled_from("+-"), st.sampled_from(NAMES), weights),
    min_size=1,
    unique_by=lambda part: part[1],
)


def written(parts, factor=1) -> str:
    (_, name, weight), *others = parts
    more = (f"{sign}{name}({Fraction(weight) * factor})" for sign, name, weight in others)
    return f"{name}({Fraction(weight) * factor})" + "".join(more)


@given(parts)
def test_a_mix_has_one_canonical_form(parts):
    text = "".join(f" {sign} {name} ( {weight} ) " for sign, name, weight in parts)[2:]
    mix = parse_mix(text)
    assert parse_mix(str(mix)) == mix
    assert str(parse_mix(str(mix))) == str(mix)


@given(parts, st.integers(2, 9))
def test_only_ratios_of_weights_matter(parts, factor):
    whole = [(sign, name, int(Fraction(weight) * 100)) for sign, name, weight in parts]
    assert parse_mix(written(whole)) == parse_mix(written(whole, factor))


@given(st.permutations(("af_bella(2)", "af_sky(3)", "am_adam")))
def test_the_order_of_voices_of_one_language_does_not_matter(order):
    assert str(parse_mix("+".join(order))) == "af_bella(2)+af_sky(3)+am_adam"


def test_the_first_voice_decides_the_language():
    assert parse_mix("bf_emma+af_sky") != parse_mix("af_sky+bf_emma")
    assert parse_mix("bf_emma-af_sky").language.tag == "en-GB"
    assert str(parse_mix("bf_emma+af_sky+af_bella")) == "bf_emma+af_bella+af_sky"


@given(st.text("af_sky()+-,.0129 \n\u0663é", max_size=40))
def test_any_text_is_a_mix_or_unknown(text):
    try:
        mix = parse_mix(text)
    except UnknownVoice:
        return
    assert parse_mix(str(mix)) == mix


@each_row
def test_weights_that_no_float_can_sum_are_refused_in_one_line(text):
    with pytest.raises(UnknownVoice, match="Write small numbers") as caught:
        parse_mix(text)
    assert len(str(caught.value)) < 250
    assert "\n" not in str(caught.value)


def test_huge_weights_of_similar_size_are_reduced():
    huge = f"af_bella(3{'0' * 400})+af_sky(1{'0' * 400})"
    assert str(parse_mix(huge)) == "af_bella(3)+af_sky"


@given(parts)
def test_a_mix_is_computed_as_in_kokoro_fastapi(parts):
    """Kokoro-FastAPI's rule, step by step: the divisor is the sum of weights without signs."""
    total = sum(Fraction(weight) for _, _, weight in parts)
    expected = torch.zeros(PACK_SHAPE, dtype=torch.float64)
    for index, (sign, name, weight) in enumerate(parts):
        share = float(Fraction(weight) / total)
        expected += PACKS[name].double() * (-share if sign == "-" and index else share)
    text = "".join(f"{sign}{name}({weight})" for sign, name, weight in parts)[1:]
    assert (mix_packs(parse_mix(text), PACKS) - expected).abs().max() < 1e-6


def test_a_comma_means_the_mean_and_one_voice_is_unchanged():
    mean = torch.stack((PACKS["af_bella"], PACKS["af_sky"])).mean(0)
    assert torch.allclose(mix_packs(parse_mix("af_bella,af_sky"), PACKS), mean, atol=1e-6)
    alone = mix_packs(parse_mix("am_adam(0.3)"), PACKS)
    assert torch.equal(alone, PACKS["am_adam"])


# Fingerprints


def test_equal_mixes_have_one_fingerprint(folder):
    table = KokoroVoices(folder)
    alike = ("af_bella(1)+af_sky(1)", "af_bella+af_sky", "af_bella,af_sky", "af_sky(2)+af_bella(2)")
    assert len({table.fingerprint(one) for one in alike}) == 1
    assert len({str(table.resolve(one)) for one in alike}) == 1
    different = ("af_bella", "af_sky", "af_bella+af_sky", "af_bella-af_sky", "af_bella(2)+af_sky")
    assert len({table.fingerprint(one) for one in different}) == len(different)
    assert table.fingerprint("bf_emma+af_sky") != table.fingerprint("af_sky+bf_emma")


def test_a_fingerprint_depends_on_the_bytes_and_not_on_the_name(folder):
    voices = folder / "voices"
    (voices / "af_twin.pt").write_bytes((voices / "af_sky.pt").read_bytes())
    table = KokoroVoices(folder)
    assert table.fingerprint("af_twin") == table.fingerprint("af_sky")
    (voices / "af_sky.pt").write_bytes(saved(PACKS["af_bella"]))
    assert KokoroVoices(folder).fingerprint("af_sky") != table.fingerprint("af_sky")


def test_fingerprints_need_no_torch(folder):
    program = (
        "import sys\n"
        "from audiomill.renderers.kokoro.weights.voices import KokoroVoices\n"
        f"print(KokoroVoices({str(folder)!r}).fingerprint('af_sky'))\n"
        "assert not {'torch', 'huggingface_hub'} & set(sys.modules)\n"
    )
    assert printed_by(program).strip() == KokoroVoices(folder).fingerprint("af_sky")


# Packs


def test_a_pack_is_loaded_as_it_was_saved(folder):
    table = KokoroVoices(folder)
    for name, pack in PACKS.items():
        assert torch.equal(load_voice(table, name), pack)
    mean = (PACKS["af_bella"] + PACKS["af_sky"]) / 2
    assert torch.allclose(load_voice(table, "af_bella,af_sky"), mean, atol=1e-6)


PACK = saved(PACKS["af_sky"])
NOT_A_NUMBER = PACKS["af_sky"].clone()
NOT_A_NUMBER[3, 0, 7] = torch.nan


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", "is empty"),
        (PACK[:-1], "is cut short"),
        (PACK[:20_000] + bytes([PACK[20_000] ^ 1]) + PACK[20_001:], "is damaged"),
        (b"hello", "cannot be read"),
        (saved(PACKS["af_sky"].double()), "holds torch.float64"),
        (saved(PACKS["af_sky"][:, 0]), r"\(510, 256\)"),
        (saved(PACKS["af_sky"][:100].clone()), r"\(100, 1, 256\)"),
        (saved({"af_sky": PACKS["af_sky"]}), "holds a dict"),
        (saved(NOT_A_NUMBER), "not numbers"),
        (saved(Path("anything but a tensor")), "cannot be read"),
    ],
    ids=range(10),
)
def test_unusable_packs_are_refused_with_the_reason(folder, body, expected):
    path = folder / "voices" / "af_sky.pt"
    path.write_bytes(body)
    with pytest.raises(WeightsUnfit, match=expected) as raised:
        load_voice(KokoroVoices(folder), "af_sky")
    assert str(path) in str(raised.value)


@given(st.data())
@many_examples(60)
def test_a_damaged_pack_is_never_loaded_with_other_values(tmp_path_factory, data):
    at = data.draw(st.integers(0, 600) | st.integers(len(PACK) - 1200, len(PACK) - 1))
    path = tmp_path_factory.mktemp("kokoro") / "voices" / "af_sky.pt"
    path.parent.mkdir()
    path.write_bytes(PACK[:at] + bytes([data.draw(st.integers(0, 255))]) + PACK[at + 1 :])
    try:
        pack = load_voice(KokoroVoices(path.parent.parent), "af_sky")
    except WeightsUnfit:
        return
    assert torch.equal(pack, PACKS["af_sky"])


def test_a_part_that_is_marked_as_a_folder_is_not_loaded_as_zeros(folder):
    path = folder / "voices" / "af_sky.pt"
    at = PACK.rindex(b"/data/0") - len("archive") - 8  # "external file attributes"
    spoiled = PACK[:at] + b"\x10" + PACK[at + 1 :]
    path.write_bytes(spoiled)
    with pytest.raises(WeightsUnfit, match="is damaged"):
        load_voice(KokoroVoices(folder), "af_sky")


def test_a_tensor_file_of_the_old_format_is_loaded(folder):
    path = folder / "voices" / "af_sky.pt"
    path.write_bytes(saved(PACKS["af_sky"], _use_new_zipfile_serialization=False))
    assert torch.equal(load_pack(path), PACKS["af_sky"])


# At the Hub

RELEASE = Release(
    name="mill",
    repo="mill/kokoro",
    revision="a" * 40,
    setting="kokoro.weights",
    weights_file="kokoro-mill.pth",
    weights_sha256="",
    config_sha256="",
    voices={"af_sky": hashlib.sha256(PACK).hexdigest(), "af_new": ""},
)


@pytest.fixture
def server(monkeypatch, tmp_path):
    with serving(monkeypatch, tmp_path) as running:
        published = {"voices/af_sky.pt": PACK, "voices/af_new.pt": saved(PACKS["am_adam"])}
        running.publish(RELEASE.repo, RELEASE.revision, published)
        yield running


def test_a_voice_is_downloaded_on_first_use(server):
    table = KokoroVoices(None, RELEASE)
    assert table.table.for_language("en") == "af_new"
    assert server.seen == []
    assert torch.equal(load_voice(table, "af_sky"), PACKS["af_sky"])
    assert torch.equal(load_voice(table, "af_new"), PACKS["am_adam"])
    server.seen.clear()
    again = KokoroVoices(None, RELEASE)
    assert again.fingerprint("af_sky+af_new") == table.fingerprint("af_new+af_sky")
    assert server.seen == []


def test_a_voice_that_differs_from_the_published_one_is_refused(server):
    server.publish(RELEASE.repo, RELEASE.revision, {"voices/af_sky.pt": saved(PACKS["zf_001"])})
    with pytest.raises(WeightsUnfit, match=r"af_sky\.pt is damaged: its SHA-256"):
        KokoroVoices(None, RELEASE).fingerprint("af_sky")


def test_weights_of_a_mix_are_coprime_whole_numbers():
    mix = parse_mix("af_sky(0.5)-am_adam(2),af_bella")
    assert mix == Mix((("af_bella", 2), ("af_sky", 1), ("am_adam", -4)))
    assert mix.total == 7
    assert str(mix) == "af_bella(2)+af_sky-am_adam(4)"
