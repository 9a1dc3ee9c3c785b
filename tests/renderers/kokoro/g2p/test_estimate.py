"""The estimated number of phonemes: within 15 % for prose and numbers, and monotonic."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audiomill.renderers.kokoro.g2p.phonemes import RATES, estimate

# Counted by misaki 0.9.4: its English lexicon, and espeak-ng for the other languages.
COUNTED = [
    ("en-US", 104, "The keeper of the mill had not slept since the storm began, and his hands"
     " smelled of oil and wet rope."),
    ("en-GB", 120, "Photosynthesis converts carbon dioxide and water into glucose and oxygen, using"
     " energy captured by chlorophyll."),
    ("en", 175, "It was built in 1984, rebuilt in 2007, and sold in 2019 for $3,450,000."),
    ("en", 127, "Pour 250 ml of milk, add 2.5 kg of flour & heat to 180°C."),
    ("es", 124, "Aunque la comisión había prometido una respuesta, tardó casi un año, y varios"
     " miembros dimitieron entretanto."),
    ("es", 186, "Se construyó en 1984, se reformó en 2007 y se vendió en 2019 por 3.450.000 €."),
    ("fr-FR", 130, "Quand le bateau arriva enfin, la plupart des passagers dormaient sous leurs"
     " manteaux, et la seule lumière venait d'une lanterne accrochée au bastingage."),
    ("fr", 138, "Elle fut construite en 1984, refaite en 2007 et vendue en 2019 pour 3 450 000 €."),
    ("it", 87, "Nessuno sapeva chi avesse costruito la torre, ma tutti avevano la loro opinione."),
    ("pt-BR", 118, "As crianças correram até a praia, gritando, e voltaram uma hora depois com um"
     " balde de caranguejos."),
    ("hi", 107, "अंतर से शायद ही कोई फ़र्क पड़ता है, क्योंकि दोनों तरीक़े एक ही नतीजा देते हैं।"),
    ("ja", 73, "昔々、海の見える丘の上に、小さな水車小屋がありました。"),  # by hand
    ("zh", 55, "春天来了，风从海上吹过来。"),  # by hand
]  # fmt: skip
LANGUAGES = st.sampled_from([*RATES, "en-GB", "ru"])


@pytest.mark.parametrize(("language", "counted", "text"), COUNTED)
def test_the_estimate_is_near_the_count(language, counted, text):
    assert estimate(text, language) == pytest.approx(counted, rel=0.15)


def test_digits_and_signs_count_as_words():
    assert estimate("1984", "en") == 24
    assert estimate("5 %", "en") == 6 + 1 + 8
    assert estimate("", "en") == 0


@settings(deadline=None)
@given(st.lists(st.text()), st.sampled_from(["", " "]), LANGUAGES)
def test_a_text_has_no_greater_estimate_than_its_parts(parts, between, language):
    whole = estimate(between.join(parts), language)
    apart = sum(estimate(part, language) for part in parts)
    assert whole <= apart + max(0, len(parts) - 1) * len(between)


@settings(deadline=None)
@given(st.text(), st.characters(), LANGUAGES)
def test_a_longer_text_has_no_smaller_estimate(text, more, language):
    assert estimate(text, language) <= estimate(text + more, language)
