"""The kinds of pages that are known by their titles, in the languages that are spoken best.

A title alone is not enough: `epub/page_reasons.py` also looks at what such a page holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from audiomill.inputs.model.comparison import comparison_key

_TITLES = {
    "cover": "Cover; Cover page; Front cover; Umschlag; Titelbild; Couverture; Cubierta; Portada;"
    " Copertina; Capa",
    "titlepage": "Title page; Half title; Half-title page; Titelseite; Titelblatt; Schmutztitel;"
    " Page de titre; Faux-titre; Portadilla; Frontespizio; Folha de rosto; Página de rosto",
    "copyright-page": "Copyright; Copyright page; Copyright notice; Urheberrecht; Droits d’auteur;"
    " Mentions légales; Derechos de autor; Aviso legal; Página de créditos; Página legal;"
    " Diritti d’autore; Note legali; Direitos autorais; Ficha técnica; Ficha catalográfica",
    "imprint": "Imprint; Impressum; Colofon; Pie de imprenta; Note tipografiche",
    "colophon": "Colophon; Kolophon; Achevé d’imprimer; Colofón; Colofone; Colofão; Cólofon",
    "toc": "Contents; Table of contents; Inhalt; Inhaltsverzeichnis; Table des matières; Sommaire;"
    " Índice; Contenido; Tabla de contenido; Indice; Sommario; Índice geral; Sumário; Conteúdo",
    "index": "Index; General index; Register; Sachregister; Personenregister; Namenregister;"
    " Stichwortverzeichnis; Index général; Index des noms; Índice alfabético; Índice analítico;"
    " Índice onomástico; Indice analitico; Indice dei nomi; Índice remissivo",
    "loi": "Illustrations; List of illustrations; List of plates; List of maps; List of figures;"
    " Abbildungen; Abbildungsverzeichnis; Verzeichnis der Abbildungen; Table des illustrations;"
    " Liste des illustrations; Lista de ilustraciones; Índice de láminas; Lista de ilustrações;"
    " Elenco delle illustrazioni",
    "glossary": "Glossary; Glossary of terms; Vocabulary; Glossar; Worterklärungen; Glossaire;"
    " Lexique; Glosario; Vocabulario; Glossario; Glossário; Vocabulário",
    "bibliography": "Bibliography; Select bibliography; Works cited; References; Literatur;"
    " Literaturverzeichnis; Bibliographie; Bibliografía; Obras citadas; Referencias; Bibliografia;"
    " Opere citate; Referências; Referências bibliográficas",
    "endnotes": "Notes; Endnotes; Footnotes; Anmerkungen; Endnoten; Fußnoten; Notes de fin;"
    " Notas; Notas finales; Note; Note finali; Notas finais; Notas de fim",
    "other-works": "Also by the author; By the same author; Other books by the author;"
    " Other works by the author; Vom selben Autor; Von derselben Autorin; Du même auteur;"
    " De la même autrice; Del mismo autor; De la misma autora; Dello stesso autore;"
    " Della stessa autrice; Do mesmo autor; Da mesma autora",
}
# A title ─▶ the landmark type of such a page, by the key that compares titles.
TITLE_TYPES: Mapping[str, str] = MappingProxyType(
    {comparison_key(title): kind for kind, titles in _TITLES.items() for title in titles.split(";")}
)
# Beginnings of titles that a name follows: "Also by Anna Thorne".
_OTHER_WORKS = re.compile(
    r"(?:also|(?:other|more) (?:books|novels|titles|works)|books|novels|titles) (?:written )?by\b"
    r"|(?:weitere|andere) (?:bücher|romane|titel|werke) (?:von|der|des)\b"
    r"|(?:autres )?(?:livres|ouvrages|œuvres|romans|titres) (?:de|du)\b|(?:de la|du) même aut"
    r"|otr[ao]s (?:libros|novelas|obras|títulos) (?:de|del)\b"
    r"|altr[ie] (?:libri|opere|romanzi|titoli) (?:di|dell|del)\b"
    r"|outr[ao]s (?:livros|obras|romances|títulos) (?:de|do|da)\b",
    re.IGNORECASE,
)
# A page with two of these is a page of rights, whatever it is called.
_RIGHTS = re.compile(
    r"©|\(c\) ?\d{4}|copyright|isbn"
    r"|all rights reserved|alle rechte vorbehalten|tous droits r[ée]serv[ée]s"
    r"|todos los derechos reservados|reservados todos los derechos|tutti i diritti riservati"
    r"|todos os direitos reservados",
    re.IGNORECASE,
)
_FEWEST_RIGHTS = 2


def title_types(title: str) -> frozenset[str]:
    """Return the landmark types of a page that has this title."""
    kind = TITLE_TYPES.get(comparison_key(title))
    return frozenset((kind,)) if kind else frozenset()


def names_other_works(title: str) -> bool:
    """True for a title above other works of a person: "Also by Anna Thorne"."""
    return _OTHER_WORKS.match(title.strip()) is not None


def states_rights(text: str) -> bool:
    """True for the text of a page with the rights in a book: ©, ISBN, "All rights reserved"."""
    return len({_sign(found[0]) for found in _RIGHTS.finditer(text)}) >= _FEWEST_RIGHTS


def _sign(found: str) -> str:
    """The kind of a sign of rights: "©" and "copyright" are the same."""
    lowered = found.lower()
    is_mark = lowered[:1] in {"©", "("} or lowered == "copyright"
    return "mark" if is_mark else "isbn" if "isbn" in lowered else "rights"
