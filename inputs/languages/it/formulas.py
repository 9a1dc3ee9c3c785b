"""The words of Italian for what the layout of a formula means."""

from __future__ import annotations

from audiomill.inputs.languages.declaration import FormulaWords

FORMULAS = FormulaWords(
    formula="formula",
    over="fratto",
    fraction=("la frazione", "fratto"),
    squared="al quadrato",
    cubed="al cubo",
    power="elevato a",
    sub="con indice",
    root="radice quadrata di",
    nth_root=("radice di grado", "di"),
    from_to_of=("da", "a", "di"),
    sum="la somma",
    product="il prodotto",
    integral="l'integrale",
    union="l'unione",
    intersection="l'intersezione",
    matrix="la matrice",
    over_all="su",
    limit=("il limite per", "che tende a"),
    chosen="{n} su {k}",
    absolute="il valore assoluto di",
    size="la cardinalità di",
    norm="la norma di",
    set_of="l'insieme",
    such_that="tale che",
    conditional_on="dato",
    transposed="trasposta",
    superscript="apice",
    argument="di",
    log_base="log in base",
    rounded=("la parte intera di", "la parte intera superiore di"),
)
