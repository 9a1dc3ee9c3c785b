"""English references to numbered parts: as written, as spoken."""
# ruff: noqa: E501  # a case is a line

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.english.numbers.numbers import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said, said

US = """
in 2 Vols. 2d Edition | in two volumes second Edition
FIGS. 5-7 and VOL. 2; their initials, P. V. B. | Figures five to seven and Volume two; their initials, P. V. B.
under § 28:9-407 of it | under section twenty-eight, nine dash four hundred seven of it
the Court's ruling [p115] that | the Court's ruling [page one hundred fifteen] that
sales in Qtr3 rose | sales in quarter three rose
Veasey v. Abbott, 136 S. Ct. 1823 (2016) | Veasey versus Abbott, one hundred thirty-six Supreme Court eighteen twenty-three (twenty sixteen)
confirmed 13 Car. II. They | confirmed thirteen Charles the Second. They
It was No. 74-144, then No. 70-18, and not No. 3-5. | It was Number seventy-four dash one hundred forty-four, then Number seventy dash eighteen, and not Number three to five.
see § 29-101.114 and §§ 31-101, 31–35 | see section twenty-nine dash one hundred one point one hundred fourteen and sections thirty-one dash one hundred one, thirty-one to thirty-five
Mark the chap. I'll find. | Mark the chap. I'll find.
by 5 & 6 Geo. V, c. 12 | by five and six George the Fifth, chapter twelve
by Pub. L. 104-28 and Pub. L. No. 5 | by Public Law one hundred four-twenty-eight and Public Law Number five
by 9 and 10 W. III, c. 9 | by nine and ten William the Third, chapter nine
by 5 and 6 W. and M., c. 7 | by five and six William and Mary, chapter seven
a lamp of 10 W. It glows. | a lamp of ten watts. It glows.
under 13 & 14 Vict. c. 21 | under thirteen and fourteen Victoria, chapter twenty-one
see pp. 129-40 and pages 187-190 | see pages one hundred twenty-nine to one hundred forty and pages one hundred eighty-seven to one hundred ninety
Read ¶3 and ¶¶ 4–6. | Read paragraph three and paragraphs four to six.
It has 687 pp., with plates. | It has six hundred eighty-seven pages, with plates.
Sold in 3 vols. at the fair. | Sold in three volumes at the fair.
An old 4to, and an 8vo with it. | An old quarto, and an octavo with it.
He was aged 27 yrs. 4 mos. then. | He was aged twenty-seven years four months then.
at No. 7 today | at Number seven today
See File No. 121017, No. 12,345 and the No. 13s. | See File Number one two one zero one seven, Number twelve thousand three hundred forty-five and the Number thirteens.
Nos. 4 and 5 | Numbers four and five
№ 5 | number five
he is #1 now | he is number one now
ch. 3 is good | chapter three is good
chs. 3–5 | chapters three to five
see p. 9. | see page nine.
see pp. 4–9. | see pages four to nine.
see vol. 2 | see volume two
vols. I–III | volumes one to three
see fig. 3 | see figure three
Fig. 3a shows | Figure three A shows
sec. 4 | section four
§ 5 | section five
§§ 5–7 | sections five to seven
art. 3 | article three
l. 12 | line twelve
ll. 3-9 | lines three to nine
v. 4 | verse four
n. 5 | note five
App. 4/23/2013 of it | App. April twenty-third, twenty thirteen of it
app. B | appendix B
2nd ed. | second edition
para. 4 | paragraph four
bk. 2 | book two
pt. II | part two
col. 3 | column three
p. xii | page twelve
pp. 4, 9–12 and 15 | pages four, nine to twelve and fifteen
see art. I of it | see article one of it
see art. 3 of it | see article three of it
No. IV is fine | Number four is fine
He lives at No. 10 now. | He lives at Number ten now.
The No. 7 bus is late. | The Number seven bus is late.
No. 5 was vacant. | Number five was vacant.
Is it no. 5 or no. 6? | Is it number five or number six?
Nos. 1–3 are sold. | Numbers one to three are sold.
See nos. 4, 5 and 6. | See numbers four, five and six.
Symphony No. 9 in D | Symphony Number nine in D
Op. 27, No. 2 | Opus twenty-seven, Number two
Vol. 2, no. 3, pp. 123–29 | Volume two, number three, pages one hundred twenty-three to one hundred twenty-nine
vol. 12, p. 4 | volume twelve, page four
Turn to pp. 4-9 now. | Turn to pages four to nine now.
pp 4–9 | pages four to nine
pp. 9 ff. says | pages nine and following says
Pp. 3–4 | Pages three to four
Pt. 1 is short. | Part one is short.
Bk. IV of it | Book four of it
bks. I–III | books one to three
Chap. 12 opens it. | Chapter twelve opens it.
chaps. 1 and 2 | chapters one and two
Ch. XII opens it. | Chapter twelve opens it.
Figs. 3 and 4 | Figures three and four
figs. 2a–c | figures two A to C
fig. 3.2 | figure three point two
Eq. (3) holds. | Equation three holds.
eqs. 4–6 | equations four to six
Sec. 3.1 says | Section three point one says
sects. 3–4 | sections three to four
§ 5.2 of it | section five point two of it
§12 applies. | section twelve applies.
Art. 5 of the code | Article five of the code
arts. 3–5 | articles three to five
cl. 4 of it | clause four of it
ll. 10–12 of it | lines ten to twelve of it
Apt. 4B is mine. | Apartment four B is mine.
Rm. 12 is mine. | Room twelve is mine.
Rte. 66 is long. | Route sixty-six is long.
Hwy. 61 is long. | Highway sixty-one is long.
n. 12 on p. 3 | note twelve on page three
nn. 3–4 | notes three to four
vv. 3–5 | verses three to five
app. C of it | appendix C of it
the 3rd ed. of it | the third edition of it
the 3d ed. of it | the third edition of it
2nd rev. ed. | second revised edition
1st edn. of it | first edition of it
#12 in line | number twelve in line
He is # 3 in line | He is number three in line
#5–7 are gone | numbers five to seven are gone
Issue #12345 is open. | Issue number one two three four five is open.
col. 3, l. 5 | column three, line five
№ 12 | number twelve
vol. i, p. iv | volume one, page four
par. 7 | paragraph seven
Pl. 4 shows | Pl. four shows
Scene 3, sc. 4 | Scene three, scene four
It holds by Eq. (3) and eqs. (4) and (5). | It holds by Equation three and equations four and five.
Smith, vol. 3, ch. 2, § 4 | Smith, volume three, chapter two, section four
Room No. 12A is free. | Room Number twelve A is free.
Fig. 1A and Figs. 2–3 | Figure one A and Figures two to three
He sued under § 1983 of it. | He sued under section nineteen eighty-three of it.
It is best.9 And now he left. | It is best. And now he left.
She hung herself.23 | She hung herself.
See sec.4 The rest | See section four The rest
a herd of swine:1 which | a herd of swine: which
the material,7 for it | the material, for it
see verse,4 and | see verse,four and
"""
GB = """
at No. 7 today | at Number seven today
§§ 5–7 | sections five to seven
see art. I of it | see article one of it
pp. 9 ff. says | pages nine and following says
sects. 3–4 | sections three to four
app. C of it | appendix C of it
"""
SOMETHING_ELSE = """
of the intricate arts. I will give | of the intricate arts. I will give
He is a decent chap. I fear for him.
No. 7 people came.
the answer is no. 7 people came
He loves art. 3 people came.
I like the app. I use it.
of any sect. I had read
It was a fig. 5 minutes later
He said no. 5 men stayed.
Roe v. 4 men
a v. large cup
in a sec. 5 men ran
Go on. p. is a letter.
John P. 4 of us
I said no. Then left.
No. The answer is no.
no. of people
Mr. L. 12 is here
#metoo now
Nice to see you, Mr. 5
Say no. I mean it.
The Tollways p.l.c. pays.
"""


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(("reference",))


@given(number=st.integers(1, 9999))
def test_a_page_is_a_cardinal(number):
    assert said(f"see p. {number} here", "en-US") == f"see page {cardinal(number)} here"
