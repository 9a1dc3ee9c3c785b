"""Dutch abbreviations. They are said as they are printed."""

from __future__ import annotations

from audiomill.inputs.languages.declaration import LATIN, Abbreviations, words

ABBREVIATIONS = Abbreviations(
    never_end=LATIN | words("dhr mevr mw dr drs prof ir ing mr bijv bv d.w.z o.a m.b.t ca i.p.v"),
    may_end=words("enz etc n.chr v.chr"),
    number_follows=words("nr blz p art hfst"),
    starters=words("de het een hij zij ze wij we ik jij maar en toen dan nu dit dat die er als"),
)

DEMO_SENTENCE = "Goedenavond. Zo klink ik als ik een boek voorlees."
