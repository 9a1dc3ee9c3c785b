"""The words of French for what the layout of a formula means."""

from __future__ import annotations

from audiomill.inputs.languages.declaration import FormulaWords

FORMULAS = FormulaWords(
    formula="formule",
    over="sur",
    fraction=("la fraction", "sur"),
    squared="au carré",
    cubed="au cube",
    power="puissance",
    sub="indice",
    root="racine carrée de",
    nth_root=("racine de degré", "de"),
    from_to_of=("de", "à", "de"),
    sum="la somme",
    product="le produit",
    integral="l'intégrale",
    union="l'union",
    intersection="l'intersection",
    matrix="la matrice",
    over_all="sur",
    limit=("la limite quand", "tend vers"),
    chosen="{k} parmi {n}",
    absolute="la valeur absolue de",
    size="le cardinal de",
    norm="la norme de",
    set_of="l'ensemble",
    such_that="tel que",
    conditional_on="sachant",
    transposed="transposé",
    superscript="exposant",
    argument="de",
    log_base="log en base",
    rounded=("la partie entière de", "la partie entière supérieure de"),
)
