"""The words of Spanish for what the layout of a formula means."""

from __future__ import annotations

from audiomill.inputs.languages.declaration import FormulaWords

FORMULAS = FormulaWords(
    formula="fórmula",
    over="sobre",
    fraction=("la fracción", "sobre"),
    squared="al cuadrado",
    cubed="al cubo",
    power="elevado a",
    sub="sub",
    root="raíz cuadrada de",
    nth_root=("raíz de grado", "de"),
    from_to_of=("desde", "hasta", "de"),
    sum="la suma",
    product="el producto",
    integral="la integral",
    union="la unión",
    intersection="la intersección",
    matrix="la matriz",
    over_all="sobre",
    limit=("el límite cuando", "tiende a"),
    chosen="{n} sobre {k}",
    absolute="el valor absoluto de",
    size="el cardinal de",
    norm="la norma de",
    set_of="el conjunto",
    such_that="tal que",
    conditional_on="dado",
    transposed="traspuesta",
    superscript="superíndice",
    argument="de",
    log_base="log en base",
    rounded=("la parte entera de", "la parte entera superior de"),
)
