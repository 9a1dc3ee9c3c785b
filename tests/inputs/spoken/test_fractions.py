"""English fractions, percentages, ratings: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.english.numbers.numbers import cardinal
from support.spoken_cases import assert_said, said

US = """
It has 4.5/5 stars. | It has four point five out of five stars.
So as ^64/87 kinds of seeds grew. | So as sixty-four eighty-sevenths kinds of seeds grew.
She is a GS-11/12 now. | She is a G S-eleven twelve now.
Of 54³⁄₁₀ percent | Of fifty-four and three tenths percent
99⁴⁴⁄₁₀₀ of it, Phase 3/4 now | ninety-nine and forty-four hundredths of it, Phase three four now
3 ¹⁄₂ miles and ²⁄₃ of it | three and a half miles and two thirds of it
It is ¹/352 of an inch. | It is one three hundred fifty-second of an inch.
It is ¹⁄₁₆ of an inch. | It is one sixteenth of an inch.
Add 1/2 cup of milk. | Add one half cup of milk.
Add 1/4 cup of milk. | Add one quarter cup of milk.
About 3/4 were gone. | About three quarters were gone.
About 2/3 were gone. | About two thirds were gone.
About 1/3 was gone. | About one third was gone.
A wrench of 7/16 inch. | A wrench of seven sixteenths inch.
It took 2 1/2 hours. | It took two and a half hours.
It took 1 3/4 hours. | It took one and three quarters hours.
It took 2½ hours. | It took two and a half hours.
It took 2 ½ hours. | It took two and a half hours.
He walked 5¼ miles. | He walked five and a quarter miles.
He walked ½ mile. | He walked one half mile.
He ate ½ the cake. | He ate half the cake.
He ate ½ a cake. | He ate half a cake.
He ate ⅔ of it. | He ate two thirds of it.
A ½-inch nail held it. | A half-inch nail held it.
A ¾-inch nail held it. | A three-quarter-inch nail held it.
A 1/2-inch nail held it. | A half-inch nail held it.
A 2½-year-old child. | A two-and-a-half-year-old child.
A 1 1/2-hour film. | A one-and-a-half-hour film.
About 1/100 of it. | About one hundredth of it.
About 5/8 of it. | About five eighths of it.
About ⅛ of it. | About one eighth of it.
He was 3⅛ miles off. | He was three and an eighth miles off.
It rose by 5%. | It rose by five percent.
It rose by 3.5 per cent. | It rose by three point five per cent.
It rose by 0.5%, then fell. | It rose by zero point five percent, then fell.
It rose by 5 %. | It rose by five percent.
It rose by 100%. | It rose by one hundred percent.
It rose by 5–10% a year. | It rose by five to ten percent a year.
It rose by 5%–10% a year. | It rose by five percent to ten percent a year.
It rose by -5% a year. | It rose by minus five percent a year.
It rose by 2½% a year. | It rose by two and a half percent a year.
The sea has 35‰ salt. | The sea has thirty-five per mille salt.
Rates rose by 25 bps. | Rates rose by twenty-five basis points.
A waltz in 3/4 time. | A waltz in three four time.
A jig in 6/8 time. | A jig in six eight time.
I gave it 8/10 at first. | I gave it eight out of ten at first.
It is rated 10/10 by all. | It is rated ten out of ten by all.
It was .5% of it. | It was point five percent of it.
He gave me 3⁄4 of it. | He gave me three quarters of it.
It was due 1/2 this year. | It was due one two this year.
A 50% stake was sold. | A fifty percent stake was sold.
A 100%-owned firm. | A one hundred percent-owned firm.
He owns 1/10 of it. | He owns one tenth of it.
Two lengths of 2 3/8 inches. | Two lengths of two and three eighths inches.
It is 1/2 the size. | It is half the size.
It is 3/4 the size. | It is three quarters of the size.
He owns 33⅓% of it. | He owns thirty-three and a third percent of it.
Between 10% and 20% left. | Between ten percent and twenty percent left.
It rose 1,200% in a year. | It rose one thousand two hundred percent in a year.
A song in 4/4 time. | A song in four four time.
He owns 1/10th of it. | He owns one tenth of it.
He owns 3/4ths of it. | He owns three quarters of it.
A 3-1/2 inch disk. | A three and a half inch disk.
"""
GB = """
It rose by 5%. | It rose by five per cent.
It rose by 0.5%, then fell. | It rose by zero point five per cent, then fell.
It rose by 5 %. | It rose by five per cent.
It rose by 100%. | It rose by one hundred per cent.
It rose by 5–10% a year. | It rose by five to ten per cent a year.
It rose by 5%–10% a year. | It rose by five per cent to ten per cent a year.
It rose by -5% a year. | It rose by minus five per cent a year.
It rose by 2½% a year. | It rose by two and a half per cent a year.
It was .5% of it. | It was point five per cent of it.
A 50% stake was sold. | A fifty per cent stake was sold.
A 100%-owned firm. | A one hundred per cent-owned firm.
He owns 33⅓% of it. | He owns thirty-three and a third per cent of it.
Between 10% and 20% left. | Between ten per cent and twenty per cent left.
It rose 1,200% in a year. | It rose one thousand two hundred per cent in a year.
Add 1/2 cup of milk. | Add one half cup of milk.
It took 2 1/2 hours. | It took two and a half hours.
He ate ½ the cake. | He ate half the cake.
A 2½-year-old child. | A two-and-a-half-year-old child.
It rose by 3.5 per cent. | It rose by three point five per cent.
It is rated 10/10 by all. | It is rated ten out of ten by all.
"""


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@given(above=st.integers(min_value=1, max_value=98))
def test_a_percentage_says_its_number(above):
    assert said(f"About {above}% of it", "en-US") == f"About {cardinal(above)} percent of it"
