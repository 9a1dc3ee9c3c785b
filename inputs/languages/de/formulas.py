"""The words of German for what the layout of a formula means."""

from __future__ import annotations

from audiomill.inputs.languages.declaration import FormulaWords

FORMULAS = FormulaWords(
    formula="Formel",
    over="durch",
    fraction=("Bruch:", "durch"),
    squared="Quadrat",
    cubed="hoch drei",
    power="hoch",
    sub="Index",
    root="Wurzel aus",
    nth_root=("Wurzel vom Grad", "aus"),
    from_to_of=("von", "bis", "über"),
    sum="Summe",
    product="Produkt",
    integral="Integral",
    union="Vereinigung",
    intersection="Durchschnitt",
    matrix="Matrix",
    over_all="über",
    limit=("der Limes für", "gegen"),
    chosen="{n} über {k}",
    absolute="Betrag von",
    size="Mächtigkeit von",
    norm="Norm von",
    set_of="die Menge",
    such_that="mit",
    conditional_on="unter",
    transposed="transponiert",
    superscript="hochgestellt",
    argument="von",
    log_base="Logarithmus zur Basis",
    rounded=("abgerundet", "aufgerundet"),
)
