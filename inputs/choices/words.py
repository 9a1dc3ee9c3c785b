"""The words that announce what is no running text, in the languages that are spoken best.

In another language nothing is announced: a voice would say foreign words in the middle of a book.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Announcements:
    """The words of one language."""

    note: str
    code: str
    image: str
    empty: str  # for a cell of a table without text
    table: str  # with its numbers of rows and columns


_BY_LANGUAGE = {
    "en": Announcements(
        "Note", "Code", "Image", "empty", "Table, rows: {rows}, columns: {columns}"
    ),
    "de": Announcements(
        "Anmerkung", "Code", "Bild", "leer", "Tabelle, Zeilen: {rows}, Spalten: {columns}"
    ),
    "fr": Announcements(
        "Note", "Code", "Image", "vide", "Tableau, lignes : {rows}, colonnes : {columns}"
    ),
    "es": Announcements(
        "Nota", "Código", "Imagen", "vacío", "Tabla, filas: {rows}, columnas: {columns}"
    ),
    "it": Announcements(
        "Nota", "Codice", "Immagine", "vuoto", "Tabella, righe: {rows}, colonne: {columns}"
    ),
    "pt": Announcements(
        "Nota", "Código", "Imagem", "vazio", "Tabela, linhas: {rows}, colunas: {columns}"
    ),
}


def announcements(language: str) -> Announcements | None:
    """The words of a language (BCP 47), or None."""
    return _BY_LANGUAGE.get(language.lower().replace("_", "-").partition("-")[0])
