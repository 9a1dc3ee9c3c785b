"""Sentences: a table of cases in many languages, and properties of any text."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.segmentation.sentences import MERGED_QUOTE_CHARS, split_sentences

# One case per line; "|" marks the end of a sentence and is not part of the text.
ENGLISH = """
It is as simple as A, B, C. |They took vitamin C. |It is from c. 1450 or c. Easter.
“What has that to do with it?” I ejaculated. |He smiled.
Anna. |(without looking up) It is late.
The bill was 20s. and no more. |He paid 3d. less.
They met at 5 p.m. and left. |iPhones rang. |eBay was down.
It rained. |The mill stood still.
It rained! |Did the mill stand still? |It did.
One sentence without an end
“Help! Help!” cried the man. |Nobody came.
"Help! Help!" cried the man. |Nobody came.
‘Help! Help!’ cried the man. |Nobody came.
'Help! Help!' cried the man. |Nobody came.
“Who goes there?” she asked. |“A friend.” |“Then come in.”
“Stop there!” Martha said. |He stopped.
“Stop there!” I said. |He stopped.
“Stop there!” |He sighed. |“No.”
They asked Tom. |Mary knew Lee. |Both went to Ames. |Nobody was on it. |Nora came.
“Who wrote it?” Martha had asked, at once. |Nobody knew.
“Why?” |“Mary said so.”
“Go away,” he said. |“Now.”
He said, “Go away.” |Then he wept.
He said, “Go away!” and wept.
“I saw it. It was red. I ran,” he said. |She laughed.
“But—” |“No.” |He sat down.
She whispered: “Is it you?” |It was.
“Don’t! You mustn’t!” they called. |We did.
‘I can’t! I won’t!’ said Tom. |He did.
Mr. Finch met Mrs. Finch. |They danced.
The new help would come—Mr. Finch would see to it. |They waited.
She knew--Mrs. Finch had told her. |He did not.
The men of Brig.-Gen. Finch came. |They sang.
The men of Major-Gen. Finch came. |They sang.
So he came—J. Finch it was. |They sang.
He came—at last—alone. |They sang.
Lt. Col. Harris saluted Gen. Ames. |Both left.
Prof. Dr. Lang and Rev. Oates spoke. |We slept.
J. R. R. Tolkien wrote it. |C. S. Lewis read it.
The poet W. H. Auden came. |He stayed.
By J. Smith and A. Jones. |All rights kept.
He is at No. 5 today. |Nos. 6 and 7 are empty.
No. |He would not.
See Fig. 3 and Vol. 2, p. 17. |Then rest.
Fruit, e.g. Apples, is dear. |Bread, i.e. food, is not.
It opens at 8 a.m. and shuts at 5 p.m. |He came at nine.
The train of 5 p.m. Monday is late.
She lives in the U.S. |He does not.
The U.S. Navy came. |It went.
She moved to Washington, D.C. |Then she moved back.
He has a Ph.D. |She has two.
Smith & Sons Ltd. built it. |It fell.
It cost $3.50. |A bargain.
Pi is 3.14159 or so. |Version 2.0.1 is out.
In 1914. |Then in 1915.
He waited... and waited. |Then he went.
Well... |He left.
He waited… and waited. |Wait… |What?
Wait . . . |Then he left.
Really?! |Yes!! |No…
He came (it was late!) and sat. |He ate.
He came (It was late. It rained.) and sat. |He ate.
He came. |(It was late.) |He ate.
She read it.[12] |Then she slept.
Visit www.example.com today. |Or call example.org.
Yahoo! is a company. |So is Bing.
1. Mix the flour. |2. Add the milk.
A. Red. |B. Blue.
IV. The fourth part. |It is short.
He went in. |He sat on the mat. |It was cold. |The coal was black.
Flour, eggs, milk, etc. |Then bake it.
Flour, eggs, milk, etc. are needed.
She called Dr. Who? |Nobody knew.
St. James lies west of St. Ives. |Go there.
Martin Luther King Jr. was there. |So was she.
Born c. 1850, d. 1900. |He wrote.
Let it be so. |So it was.
He shouted, “Fire!” |Everyone ran.
(He left.) |She stayed.
What?” he said. |She said nothing.
That is it ; and more ! |Then less.
Nice work! 🎉 |All done 👍.
"""

OTHERS = {
    "fr": """
« Au secours ! Au secours ! » cria-t-il. |Personne ne vint.
« Au\u00a0secours\u00a0!\u00a0» |Il partit.
M. Dupont et Mme. Petit sont là. |Ils dansent.
Il est 5 h. |Elle dort. |C’est tout.
Où vas-tu ? |Je rentre… |Bien.
""",
    "de": """
„Hilfe! Hilfe!“ rief der Mann. |Niemand kam.
»Hilfe! Hilfe!« rief der Mann. |»Ja.« |Er ging.
Er kam am 3. Mai an. |Dann ging er.
Sie wohnt z. B. in Köln. |Er wohnt in Bonn.
Das war im 19. Jahrhundert. |Ludwig XIV. lebte früher.
Es war 1914. |Der Krieg begann.
Dr. Faust kam mit Hrn. Wagner. |Es war Nacht.
""",
    "es": """
¿Quién es? |¡Soy yo! |Pasa.
El Sr. López llegó. |La Sra. Ruiz no.
—¿Vienes? —preguntó ella. |—No.
""",
    "it": """
Il sig. Rossi è qui. |La dott.ssa Bianchi no.
«Aiuto! Aiuto!» gridò. |Nessuno venne.
""",
    "nl": """
Dhr. Jansen komt o.a. morgen. |Hij blijft.
""",
    "ru": """
А. С. Пушкин родился в 1799 г. |Он был поэт.
Что это? |Это т. е. он. |Да!
""",
    "el": """
Τι είναι; |Είναι φως. |Ναι!
""",
    "zh": """
你好。|世界！|再见？
“救命！救命！”他喊道。|没有人来。
他说：“好。”|她笑了。
""",
    "ja": """
今日は晴れ。|明日は雨！
「助けて！」と叫んだ。|誰も来ない。
""",
    "hi": """
नमस्ते। |कैसे हो? |ठीक।
""",
    "ar": """
هل هذا بيت؟ |نعم. |حسنا.
""",
    "hy": """
Սա տուն է։ |Այո։
""",
    "cs": """
Přišel 3. května. |Byl to Jan.
""",
    "xx": """
Ene mene. |Mu! |Raus bist du.
""",
}

CASES = [
    (language, line)
    for language, lines in ({"en-GB": ENGLISH} | OTHERS).items()
    for line in lines.strip("\n").split("\n")
]

HOSTILE = {
    "quote marks": '"' * 20_000,
    "open quotes": "“" * 20_000,
    "single quotes": "‘" * 20_000,
    "apostrophes": "' a'a" * 20_000,
    "brackets": "(" * 20_000,
    "dots": "." * 20_000,
    "spaced dots": ". " * 20_000,
    "dots and quotes": '"a." ' * 20_000,
    "dot and closers": "." + '"' * 200_000,
    "references": "[1]" * 20_000,
    "spaces": "." + " " * 300_000 + "a",
    "no space": "a" * 1_000_000,
    "native stops": "。”" * 20_000,
    "guillemets": ". »" * 20_000,
    "sentences": "Ab. " * 50_000,
}


def sentences(text, language):
    return [text[start:end] for start, end in split_sentences(text, language)]


def check_spans(text, spans):
    """Spans are in order, disjoint and trimmed, with only white space between them."""
    at = 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        assert text[at:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        at = end
    assert text[at:].strip() == ""


@pytest.mark.parametrize(("language", "case"), CASES, ids=[case[1][:40] for case in CASES])
def test_sentences(language, case):
    expected = [part.strip() for part in case.split("|")]
    assert sentences(case.replace("|", ""), language) == expected


def test_there_are_enough_cases():
    assert len(CASES) >= 60


def test_a_long_quotation_is_split_into_sentences():
    inside = "The wind was up and the sails went round. " * 6
    assert len(inside) > MERGED_QUOTE_CHARS
    result = sentences(f"“{inside}Run!” cried the miller. He ran.", "en")
    assert len(result) == 8
    assert result[-2:] == ["Run!” cried the miller.", "He ran."]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_hostile_text_is_covered(name, language):
    check_spans(HOSTILE[name], split_sentences(HOSTILE[name], language))


@given(st.text(), st.sampled_from(["en", "de", "fr", "zh", "el", "", "x-klingon"]))
def test_any_text_is_covered(text, language):
    check_spans(text, split_sentences(text, language))


MARKS = st.text(st.sampled_from("aB1 .!?…\"'“”‘’«»()[]—。」と\u00a0\n"), max_size=60)


@given(MARKS, st.sampled_from(["en", "de", "fr", "ja"]))
def test_any_marks_are_covered(text, language):
    spans = split_sentences(text, language)
    check_spans(text, spans)
    if any(map(str.isalnum, text)):
        assert all(any(map(str.isalnum, text[start:end])) for start, end in spans)


def test_white_space_has_no_sentences():
    assert split_sentences(" \n\t\u00a0", "en") == ()
    assert split_sentences("", "en") == ()


def test_importing_loads_no_model():
    code = "import sys, audiomill.inputs.segmentation.segments; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"nupunkt", "lxml", "numpy"} & set(run.stdout.split())
