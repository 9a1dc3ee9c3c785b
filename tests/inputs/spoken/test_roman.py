"""Roman numerals in English: as written, as spoken."""
# a case is a line

import re
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from audiomill.inputs.book import BlockKind
from audiomill.inputs.spoken.english.numbers.numbers import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said, cases, said, to_roman

US = """
In the New Year I miss them. Year III of it | In the New Year I miss them. Year three of it
To Art. I shaved it. Article I applied. | To Art. I shaved it. Article one applied.
of all days i' the year | of all days i' the year
CLI Plugins | C L I Plugins
If you the letter X forget | If you the letter X forget
Mary V‑‑d‑‑le came. | Mary V--d--le came.
It is on Pl. IV, and below. | It is on Plate four, and below.
“No. I speak now,” he said. | “No. I speak now,” he said.
George II. was a duke. | George the Second was a duke.
After the war I found him. | After the war I found him.
Before World War I had begun | Before World War one had begun
Louis XIV–XVI ruled there. | Louis the Fourteenth to the Sixteenth ruled there.
Both Louis XIV and XV came. | Both Louis the Fourteenth and the Fifteenth came.
King Charles I was executed. | King Charles the First was executed.
The Princess of Orange I had seen before. | The Princess of Orange I had seen before.
Prince Rupert I hear is to go. | Prince Rupert I hear is to go.
See Chapter XIV for more. | See Chapter fourteen for more.
CHAPTER XIV | CHAPTER fourteen
CHAPTER I | CHAPTER one
CHAPTER C | CHAPTER one hundred
It is in Part I of the book. | It is in Part one of the book.
It is in Book II of the tale. | It is in Book two of the tale.
It is in Volume VI of the tale. | It is in Volume six of the tale.
It is in Vol. IV of the tale. | It is in Volume four of the tale.
It is in vol. II, p. 5. | It is in volume two, page five.
See Act III, Scene II. | See Act three, Scene two.
See Act II, scene iii. | See Act two, scene three.
See Canto XXXIII of it. | See Canto thirty-three of it.
Article V of the treaty. | Article five of the treaty.
Appendix IV has it. | Appendix four has it.
Figure VII has it. | Figure seven has it.
Table I has it. | Table one has it.
World War II was worse. | World War two was worse.
World War I was long. | World War one was long.
at the outbreak of the Spanish War I was at sea | at the outbreak of the Spanish War I was at sea
Apollo XI flew there. | Apollo eleven flew there.
Super Bowl XL was dull. | Super Bowl forty was dull.
Super Bowl L was dull. | Super Bowl fifty was dull.
He has Type II diabetes. | He has Type two diabetes.
A Phase III trial began. | A Phase three trial began.
The Mark IV tank came. | The Mark four tank came.
The Mk II tank came. | The Mark two tank came.
No. IV is the best. | Number four is the best.
Saturn V rockets flew. | Saturn five rockets flew.
See Chapters IV and V here. | See Chapters four and five here.
See Parts I–III here. | See Parts one to three here.
World Wars I and II were long. | World Wars one and two were long.
Books I, II and III were lost. | Books one, two and three were lost.
Henry VIII had six wives. | Henry the Eighth had six wives.
Elizabeth II reigned long. | Elizabeth the Second reigned long.
Pius IX was pope. | Pius the Ninth was pope.
Louis XIV's court was rich. | Louis the Fourteenth's court was rich.
Louis XIV’s court was rich. | Louis the Fourteenth’s court was rich.
Queen Mary I was feared. | Queen Mary the First was feared.
King George VI stammered. | King George the Sixth stammered.
Henry V won at Agincourt. | Henry the Fifth won at Agincourt.
He liked Henry V. The end was grand. | He liked Henry the Fifth. The end was grand.
Pope John Paul II came. | Pope John Paul the Second came.
Pope John XXIII came. | Pope John the Twenty-third came.
The reign of James I was long. | The reign of James the First was long.
Henry I of England was able. | Henry the First of England was able.
Under Elizabeth I, it grew. | Under Elizabeth the First, it grew.
Charles I's head fell. | Charles the First's head fell.
Malcolm X spoke there. | Malcolm X spoke there.
To Henry I was told to go. | To Henry I was told to go.
With Mary I went home. | With Mary I went home.
We met Henry V. Smith there. | We met Henry V Smith there.
John D. Rockefeller III paid. | John D Rockefeller the Third paid.
Henry Ford II paid. | Henry Ford the Second paid.
Vatican II changed it. | Vatican two changed it.
He saw Rocky III twice. | He saw Rocky three twice.
The XIXth century was long. | The nineteenth century was long.
The XIX century was long. | The nineteenth century was long.
The XIX and XX centuries were long. | The nineteenth and twentieth centuries were long.
It was cut in MCMXIV by hand. | It was cut in nineteen fourteen by hand.
Copyright MMXIV by them. | Copyright twenty fourteen by them.
(iv) the mill | (four) the mill
It says (ii) that he may go. | It says (two) that he may go.
iv. the mill | four. the mill
IV. The mill | four. The mill
I. The mill | one. The mill
XIV | fourteen
XIV. | fourteen.
See p. xiv for more. | See page fourteen for more.
See pp. xii–xv for more. | See pages twelve to fifteen for more.
See page xiv for more. | See page fourteen for more.
The XVIII Airborne Corps came. | The eighteen Airborne Corps came.
He played in the first XI there. | He played in the first eleven there.
The XX Legion came. | The twentieth Legion came.
So I went to see I and Q. | So I went to see I and Q.
A MIX of both is fine. | A mix of both is fine.
CIVIL law is not DIM here. | Civil law is not dim here.
He sold a CD and went to DC for it. | He sold a C D and went to D C for it.
Take Vitamin C daily. | Take Vitamin C daily.
The X-ray of Mr. X was dim. | The X-ray of Mister X was dim.
It was a shirt of size XL here. | It was a shirt of size X L here.
They gave him an IV drip there. | They gave him an IV drip there.
Please CC me on it. | Please C C me on it.
Then came Plan C at last. | Then came Plan C at last.
The Book I read was dull. | The Book I read was dull.
The part I like is short. | The part I like is short.
V. Woolf wrote it. | V Woolf wrote it.
Take Section C of it. | Take Section C of it.
He lives; so do I | He lives; so do I
It is Type X here. | It is Type X here.
He is ill and I am too. | He is ill and I am too.
The function f(x) is (x) here. | The function f of x is (x) here.
Psalm XXIII is short. | Psalm twenty-three is short.
In Chapter V, he wakes. | In Chapter five, he wakes.
In Chapter X he wakes. | In Chapter ten he wakes.
In chapter IV he wakes. | In chapter four he wakes.
Part II: The Mill | Part two: The Mill
PART THE FIRST | Part the First
BOOK II. THE MILL | BOOK two. The Mill
HENRY VIII | HENRY the Eighth
Napoleon III fled. | Napoleon the Third fled.
Ramesses II built it. | Ramesses the Second built it.
Victor Emmanuel II came. | Victor Emmanuel the Second came.
Tsar Nicholas I ruled. | Tsar Nicholas the First ruled.
Emperor Otakar II ruled. | Emperor Otakar the Second ruled.
James VI and I ruled. | James the Sixth and I ruled.
Henry I (1100–1135) ruled. | Henry the First (eleven hundred to eleven thirty-five) ruled.
Charles II, the king, laughed. | Charles the Second, the king, laughed.
Edward III’s sons fought. | Edward the Third’s sons fought.
Elizabeth and I went. | Elizabeth and I went.
As for Louis, I left. | As for Louis, I left.
“Henry, I know,” she said. | “Henry, I know,” she said.
Ann I knew well. | Ann I knew well.
Only I can do it. | Only I can do it.
When I was ten, I left. | When I was ten, I left.
The IInd and IIIrd were lost. | The second and third were lost.
It is the XXth of them. | It is the twentieth of them.
The scene was ill lit. | The scene was ill lit.
Final Fantasy VII is old. | Final Fantasy seven is old.
Title IX changed that. | Title nine changed that.
Stage IV cancer is grave. | Stage four cancer is grave.
Class C felonies are many. | Class C felonies are many.
Appendix C has it. | Appendix C has it.
Figure C has it. | Figure C has it.
The letter I is thin. | The letter I is thin.
The Letter I wrote was lost. | The Letter I wrote was lost.
He wore an XL shirt. | He wore an X L shirt.
DC and MD are near. | D C and M D are near.
The years MDCCLXXVI and so on. | The years seventeen seventy-six and so on.
The clock shows Ⅳ now. | The clock shows four now.
I was there. | I was there.
I. M. Pei built it. | I M Pei built it.
See vols. I–III for more. | See volumes one to three for more.
Act V. Scene I. A Hall. | Act five. Scene one. A Hall.
The II and III Corps came. | The two and three Corps came.
An XVIII-century house stood. | An eighteenth-century house stood.
Vol II has it. | Volume two has it.
Type I errors are rare. | Type one errors are rare.
I think Henry I, not Henry II, did. | I think Henry the First, not Henry the Second, did.
See p. v and p. xii. | See page five and page twelve.
The owners, Mills p.l.c., fell. | The owners, Mills p.l.c., fell.
MC Hammer, MD, lives in DC. | M C Hammer, M D, lives in D C.
Division III schools came. | Division three schools came.
I—I don't know. | I—I don't know.
He and Kamehameha I. were cousins. | He and Kamehameha the First were cousins.
III.--The Mill | three.—The Mill
the Ind. of it, the IInd and the XXIst | the Ind. of it, the second and the twenty-first
If Alain II. were to return | If Alain the Second were to return
as in c. xlvii. of it | as in chapter forty-seven of it
in the year XIII of it | in the year thirteen of it
III It is now clear. | three. It is now clear.
presented to Victor Aurelius XVII, being | presented to Victor Aurelius the Seventeenth, being
By this hand and conscious Night I swear it | By this hand and conscious Night I swear it
"""
GB = """
See Chapter XIV for more. | See Chapter fourteen for more.
It is in Vol. IV of the tale. | It is in Volume four of the tale.
Figure VII has it. | Figure seven has it.
He has Type II diabetes. | He has Type two diabetes.
See Parts I–III here. | See Parts one to three here.
Louis XIV’s court was rich. | Louis the Fourteenth’s court was rich.
The reign of James I was long. | The reign of James the First was long.
We met Henry V. Smith there. | We met Henry V Smith there.
The XIX and XX centuries were long. | The nineteenth and twentieth centuries were long.
I. The mill | one. The mill
He played in the first XI there. | He played in the first eleven there.
The X-ray of Mr. X was dim. | The X-ray of Mister X was dim.
V. Woolf wrote it. | V Woolf wrote it.
In Chapter V, he wakes. | In Chapter five, he wakes.
Napoleon III fled. | Napoleon the Third fled.
Charles II, the king, laughed. | Charles the Second, the king, laughed.
When I was ten, I left. | When I was ten, I left.
Class C felonies are many. | Class C felonies are many.
"""
HEADINGS = """
XIV | fourteen
XIV. | fourteen.
I | one
I. | one.
V | five
X. | ten.
XL | forty
XCIX. | ninety-nine.
XIV. The Mill | fourteen. The Mill
I. The Mill | one. The Mill
II: The Mill | two: The Mill
V. The Mill | five. The Mill
I. Loomings | one. Loomings
III — The Mill | three — The Mill
M. Boirac Makes a Statement | Monsieur Boirac Makes a Statement
M. Scott Hale in London | M. Scott Hale in London
XII The Mill | twelve The Mill
CHAPTER XIV | CHAPTER fourteen
CHAPTER I. | CHAPTER one.
Chapter L | Chapter fifty
Chapter I: The Mill | Chapter one: The Mill
PART II | PART two
Book III | Book three
CANTO I | CANTO one
Stave IV | Stave four
ACT V | ACT five
Act I, Scene II | Act one, Scene two
BOOK THE FIRST | Book the First
1. The Mill | one. The Mill
1844 | eighteen forty-four
1914–1918 | nineteen fourteen to nineteen eighteen
Henry V | Henry the Fifth
Elizabeth I | Elizabeth the First
MIX | Mix
CIVIL | Civil
DIM | Dim
CD | C D
CV | C V
D | D
C | C
D. H. Lawrence | D H Lawrence
V. S. Naipaul | V S Naipaul
I. M. Pei | I M Pei
I Am a Cat | I Am a Cat
IV Therapy | IV Therapy
V for Victory | V for Victory
MI5 and After | MI-five and After
MCMXIV | nineteen fourteen
"""


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@pytest.mark.parametrize(("written", "spoken"), cases(HEADINGS))
def test_in_headings(written, spoken):
    assert spoken_line(written, "en-US", BlockKind.HEADING).between(0, len(written)) == spoken


@given(value=st.integers(min_value=1, max_value=89))
def test_a_chapter_says_its_number(value):
    numeral = to_roman(value)
    assume(len(numeral) > 1 or numeral in "IVX")
    assert said(f"See Chapter {numeral}.", "en-US") == f"See Chapter {cardinal(value)}."


@given(
    text=st.text(alphabet="IVXLCDM ivx.()–'sHenry1", max_size=40), kind=st.sampled_from(BlockKind)
)
def test_edits_do_not_overlap(text, kind):
    edits = spoken_line(text, "en-GB", kind).edits
    assert all(one.end <= other.start for one, other in pairwise(edits))


# Where the source marks the numeral in brackets as one.
MARKED = """
Charles [I] was king. | Charles the First was king.
under Dionysius [I] | under Dionysius the First
of King Henry [IV], Part [I], act [v] | of King Henry the Fourth, Part one, act five
hats of [xx], [xxx] or [xl] shillings | hats of twenty, thirty or forty shillings
[C]: Leg and Arm | one hundred: Leg and Arm
[CV] | one hundred five
his [XXXIX] Articles | his thirty-nine Articles
the [XIX] century | the nineteenth century
[I]. The "Sperm Whale" | one. The "Sperm Whale"
[MCMXIV] | nineteen fourteen
Robert Smith [III] | Robert Smith the Third
[Mill] | Mill
I saw Charles [I] | I saw Charles the First
"""


def said_with_marks(written, language):
    text, numerals = "", {}
    for part in re.split(r"(\[\w+\])", written):
        bare = part.strip("[]")
        if bare != part:
            numerals[len(text)] = len(text) + len(bare)
        text += bare
    return spoken_line(text, language, numerals=numerals).between(0, len(text))


@pytest.mark.parametrize(("written", "spoken"), cases(MARKED))
def test_what_the_source_marks_is_a_number(written, spoken):
    assert said_with_marks(written, "en-US") == spoken


@pytest.mark.parametrize(
    ("language", "spoken"),
    [("de", "Akt fünf"), ("fr", "Akt cinq"), ("es", "Akt cinco"), ("it", "Akt cinque")],
)
def test_in_other_languages_too(language, spoken):
    assert said_with_marks("Akt [v]", language) == spoken


def test_a_language_without_rules_leaves_it_to_the_engine():
    assert said_with_marks("Akt [V]", "nl") == "Akt V"
