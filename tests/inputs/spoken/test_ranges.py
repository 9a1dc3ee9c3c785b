"""English ranges, scores, ratios, dimensions, signs: as written, as spoken."""
# ruff: noqa: E501  # a case is a line

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.english.numbers.numbers import cardinal
from support.spoken_cases import assert_said, said

US = """
offer,-104- cause-262- of it, mid-20- to 30-year | offer, cause of it, mid-twenty- to thirty-year
as Allen, 1910:112; Jones (1966:452) | as Allen, nineteen ten, one hundred twelve; Jones (nineteen sixty-six, four hundred fifty-two)
the end.[167:1] We (3:5, 11, 12) go | the end. We (three five, eleven, twelve) go
a number 0-80 machine screw | a number zero eighty machine screw
see p. 352 (224-5); it | see page three hundred fifty-two (two hundred twenty-four to two hundred twenty-five); it
the ratio of utility to price for shirts (22:14) | the ratio of utility to price for shirts (twenty-two to fourteen)
Report 7-5700 of it | Report seven dash five thousand seven hundred of it
At least 4.5:1, a 1:2.35 picture | At least four point five to one, a one to two point three five picture
Aging International 36:303–312. | Aging International thirty-six, three hundred three to three hundred twelve.
Science 12 (2009):368–378. | Science twelve (two thousand nine):three hundred sixty-eight to three hundred seventy-eight.
In Listing 20-25 we see it. | In Listing twenty dash twenty-five we see it.
He works from 9–5 daily. | He works from nine to five daily.
See pages 4–9 for more. | See pages four to nine for more.
There were 5-10 people. | There were five to ten people.
Boys aged 12–14 came. | Boys aged twelve to fourteen came.
See pages 234–38 for more. | See pages two hundred thirty-four to two hundred thirty-eight for more.
They won 3–1 at home. | They won three to one at home.
A 2-0 defeat followed. | A two to nothing defeat followed.
They drew 1-1 again. | They drew one to one again.
It ended 0–0 in the rain. | It ended zero to zero in the rain.
A 5–4 ruling came. | A five to four ruling came.
They beat Spain 3–2 in May. | They beat Spain three to two in May.
They lost 1–3 to Italy. | They lost one to three to Italy.
They were up 3-1 at half-time. | They were up three to one at half-time.
A mix of 4:1 is best. | A mix of four to one is best.
A 16:9 screen hung there. | A sixteen to nine screen hung there.
A map at 1:50,000 lay there. | A map at one to fifty thousand lay there.
A ratio of 1:10 is best. | A ratio of one to ten is best.
A room of 3 × 4 metres. | A room of three by four metres.
A room of 10 x 12 feet. | A room of ten by twelve feet.
A room of 3x4 feet. | A room of three by four feet.
A room of 10x12 feet. | A room of ten by twelve feet.
A box of 2 × 3 × 4 feet. | A box of two by three by four feet.
So 3 × 4 = 12, he said. | So three times four equals twelve, he said.
It got +5 points. | It got plus five points.
It was -3 degrees out. | It was minus three degrees out.
It was −3 degrees out. | It was minus three degrees out.
It was –3° out. | It was minus three degrees out.
It is ±2 at most. | It is plus or minus two at most.
There are ~40 left. | There are about forty left.
There are ≈ 5 left. | There are approximately five left.
It is 5x faster now. | It is five times faster now.
It is 3× as fast now. | It is three times as fast now.
He is a 10x engineer. | He is a ten x engineer.
Odds of 8-1 were given. | Odds of eight-one were given.
An 8-1 outsider won. | An eight to one outsider won.
They split it 50-50. | They split it fifty-fifty.
A 50/50 chance is fine. | A fifty-fifty chance is fine.
He has 20/20 vision. | He has twenty-twenty vision.
They play 4-4-2 now. | They play four four two now.
A 5-10-minute walk. | A five to ten-minute walk.
About 1,000–2,000 came. | About one thousand to two thousand came.
About 1.5–2.5 of it. | About one point five to two point five of it.
It took 3–4 years. | It took three to four years.
Call 555-0199 now. | Call five five five, oh one nine nine now.
The 500-1000 people there. | The five hundred to one thousand people there.
He drove a 4x4 home. | He drove a four by four home.
Two 2x4s held it up. | Two two by fours held it up.
They played 1-on-1 there. | They played one-on-one there.
It is open 24/7 here. | It is open twenty-four seven here.
After 9/11 it closed. | After nine eleven it closed.
They won 5 – 2 in the end. | They won five to two in the end.
They won 10–12 medals each. | They won ten to twelve medals each.
The vote was 5-4 for it. | The vote was five-four for it.
Children of 7–11 may come. | Children of seven to eleven may come.
Genesis 1:1 is short. | Genesis one one is short.
He had 2,000-3,000 books. | He had two thousand to three thousand books.
It was - 5 more, he said. | It was - five more, he said.
Add x+5 to it. | Add x plus five to it.
The score was 7-0 at noon. | The score was seven to nothing at noon.
A win by 21–14 was fine. | A win by twenty-one to fourteen was fine.
It is 5x + 3 in all. | It is five x plus three in all.
The 3-D film ran. | The three-D film ran.
A grid of 1920×1080 dots. | A grid of one thousand nine hundred twenty by one thousand eighty dots.
He walks 4–5 miles a day. | He walks four to five miles a day.
By a vote of 6-3 it passed. | By a vote of six to three it passed.
A 60/40 share is fair. | A sixty-forty share is fair.
It took between 5-10 days. | It took between five and ten days.
More than 10,000+ came. | More than ten thousand plus came.
Ages 18+ only. | Ages eighteen plus only.
It took 1½–2 hours. | It took one and a half to two hours.
In Case 22-506 they won. | In Case twenty-two dash five hundred six they won.
By Section 2-316 of it. | By Section two dash three hundred sixteen of it.
See 15-716 of the code. | See fifteen dash seven hundred sixteen of the code.
Chapters 2-5 and 10-150 people. | Chapters two to five and ten to one hundred fifty people.
A scale of 1-100 is used. | A scale of one to one hundred is used.
It takes 5~10 minutes. | It takes five to ten minutes.
Cook it for 40 -50 min. | Cook it for forty to fifty minutes.
See 29-404.41 of it. | See twenty-nine dash four hundred four point four one of it.
"""
GB = """
It was laid down in Articles 33–41. | It was laid down in Articles thirty-three to forty-one.
It drifted up some 2–3 feet. | It drifted up some two to three feet.
They were down 2–3. | They were down two three.
See pages 234–38 for more. | See pages two hundred and thirty-four to two hundred and thirty-eight for more.
They won 3–1 at home. | They won three one at home.
A 2-0 defeat followed. | A two nil defeat followed.
They drew 1-1 again. | They drew one all again.
It ended 0–0 in the rain. | It ended nil nil in the rain.
They beat Spain 3–2 in May. | They beat Spain three two in May.
They lost 1–3 to Italy. | They lost one three to Italy.
They were up 3-1 at half-time. | They were up three one at half-time.
Call 555-0199 now. | Call five five five, oh one nine nine now.
They won 5 – 2 in the end. | They won five two in the end.
The score was 7-0 at noon. | The score was seven nil at noon.
A win by 21–14 was fine. | A win by twenty-one fourteen was fine.
A grid of 1920×1080 dots. | A grid of one thousand nine hundred and twenty by one thousand and eighty dots.
See pages 4–9 for more. | See pages four to nine for more.
A room of 10 x 12 feet. | A room of ten by twelve feet.
It is ±2 at most. | It is plus or minus two at most.
A 50/50 chance is fine. | A fifty-fifty chance is fine.
Two 2x4s held it up. | Two two by fours held it up.
It was - 5 more, he said. | It was - five more, he said.
"""


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@given(first=st.integers(min_value=1, max_value=98), more=st.integers(min_value=1, max_value=900))
def test_a_range_says_both_numbers(first, more):
    spoken = said(f"about {first}–{first + more} days", "en-US")
    assert spoken == f"about {cardinal(first)} to {cardinal(first + more)} days"
