"""What credits say, by language, if the settings name no template.

The order is that of audiobook publishers (ACX): title, author, narrator; at the end, that it is the
end. Words that would change with the name after them ("de", "d'") are avoided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Wording:
    """The templates of a language, the titles of the chapter marks, and the word for "and"."""

    opening: str
    closing: str
    opening_title: str = "Opening credits"
    closing_title: str = "Closing credits"
    and_word: str = ""  # "": names are separated by commas only


OTHER = Wording("{title}[. {subtitle}][. {author}].", "")
WORDINGS: Mapping[str, Wording] = MappingProxyType(
    {
        "en": Wording(
            "{title}[: {subtitle}][, by {author}][, translated by {translator}]."
            " Read by {narrator}.",
            "The end of {title}[, by {author}]. Read by {narrator}.",
            and_word="and",
        ),
        "de": Wording(
            "{title}[: {subtitle}][, von {author}][, übersetzt von {translator}]."
            " Gelesen von {narrator}.",
            "Das war {title}[, von {author}]. Gelesen von {narrator}.",
            "Vorspann",
            "Abspann",
            "und",
        ),
        "fr": Wording(
            "{title}[ : {subtitle}][, par {author}][, traduit par {translator}]."
            " Lu par {narrator}.",
            "Vous venez d’écouter {title}[, par {author}]. Lu par {narrator}.",
            "Générique de début",
            "Générique de fin",
            "et",
        ),
        "es": Wording(
            "{title}[: {subtitle}][, de {author}][, traducción de {translator}]."
            " Leído por {narrator}.",
            "Fin de {title}[, de {author}]. Leído por {narrator}.",
            "Créditos iniciales",
            "Créditos finales",
            "y",
        ),
        "it": Wording(
            "{title}[: {subtitle}][, di {author}][, traduzione di {translator}]."
            " Letto da {narrator}.",
            "Avete ascoltato {title}[, di {author}]. Letto da {narrator}.",
            "Titoli di testa",
            "Titoli di coda",
            "e",
        ),
        "pt": Wording(
            "{title}[: {subtitle}][, de {author}][, tradução de {translator}]."
            " Lido por {narrator}.",
            "Fim de {title}[, de {author}]. Lido por {narrator}.",
            "Créditos iniciais",
            "Créditos finais",
            "e",
        ),
    }
)


def wording_for(language: str) -> Wording:
    """The wording of a language (BCP 47); that without any words if the language has none here."""
    return WORDINGS.get(language.split("-")[0].lower(), OTHER)


def listed(names: Sequence[str], and_word: str) -> str:
    """Several names as one: "A", "A and B", "A, B and C"."""
    if len(names) < 2 or not and_word:
        return ", ".join(names)
    return f"{', '.join(names[:-1])} {_before(and_word, names[-1])} {names[-1]}"


def _before(and_word: str, name: str) -> str:
    """The word for "and" before `name`. The Spanish "y" is "e" before the sound of an "i"."""
    begins_with_i = name.lower().startswith(("i", "í", "hi", "hí")) and name[:3].lower() != "hie"
    return "e" if and_word == "y" and begins_with_i else and_word
