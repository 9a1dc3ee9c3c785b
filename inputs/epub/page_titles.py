"""The kinds of pages that are known by their titles, in the languages that are spoken best.

A title alone is not enough: `page_reasons.py` also looks at what such a page holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from audiomill.inputs.markup.text import comparison_key

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
    "bibliography": "Bibliography; Select bibliography; Works cited; References; Literatur;"
    " Literaturverzeichnis; Bibliographie; Bibliografía; Obras citadas; Referencias; Bibliografia;"
    " Opere citate; Referências; Referências bibliográficas",
    "other-works": "Also by the author; By the same author; Other books by the author;"
    " Other works by the author; Vom selben Autor; Von derselben Autorin; Du même auteur;"
    " De la même autrice; Del mismo autor; De la misma autora; Dello stesso autore;"
    " Della stessa autrice; Do mesmo autor; Da mesma autora",
}
# A title ─▶ the landmark type of such a page, by the key that compares titles.
TITLE_TYPES: Mapping[str, str] = MappingProxyType(
    {comparison_key(title): kind for kind, titles in _TITLES.items() for title in titles.split(";")}
)
