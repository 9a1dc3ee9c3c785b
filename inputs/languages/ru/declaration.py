"""Russian abbreviations. They are said as they are printed."""

from __future__ import annotations

from audiomill.inputs.languages.declaration import Abbreviations, words

ABBREVIATIONS = Abbreviations(
    never_end=words("т.е т.к т.н им ул пл пр см ср напр проф акад св о стр"),
    may_end=words("г гг в вв т.д т.п др пр руб коп тыс млн"),
    number_follows=words("стр с гл рис т п № кв д"),
    starters=words("он она оно они мы вы я ты но и а это этот эта тогда потом в на когда"),
)

DEMO_SENTENCE = "Добрый вечер. Так звучит мой голос, когда я читаю книгу."
