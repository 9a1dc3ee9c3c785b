"""The words of Portuguese for what the layout of a formula means."""

from __future__ import annotations

from audiomill.inputs.languages.declaration import FormulaWords

FORMULAS = FormulaWords(
    formula="fórmula",
    over="sobre",
    fraction=("a fração", "sobre"),
    squared="ao quadrado",
    cubed="ao cubo",
    power="elevado a",
    sub="índice",
    root="raiz quadrada de",
    nth_root=("raiz de grau", "de"),
    from_to_of=("de", "até", "de"),
    sum="a soma",
    product="o produto",
    integral="a integral",
    union="a união",
    intersection="a interseção",
    matrix="a matriz",
    over_all="sobre",
    limit=("o limite quando", "tende a"),
    chosen="{n} sobre {k}",
    absolute="o valor absoluto de",
    size="o cardinal de",
    norm="a norma de",
    set_of="o conjunto",
    such_that="tal que",
    conditional_on="dado",
    transposed="transposta",
    superscript="sobrescrito",
    argument="de",
    log_base="log na base",
    rounded=("a parte inteira de", "a parte inteira superior de"),
)
