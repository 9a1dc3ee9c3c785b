"""English quantities: cardinals, ordinals, decimals, rounded numbers: as written, as spoken."""
# ruff: noqa: E501  # a case is a line

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.english.numbers.numbers import ONES, SCALES, TENS, cardinal
from audiomill.inputs.spoken.english.numbers.quantities import say_number
from support.spoken_cases import assert_said

US = """
le 1er mai | le first mai
the 52d degree, his 23d year | the fifty-second degree, his twenty-third year
the 23d day of May | the twenty-third day of May
1stly we came, 2ndly she. | firstly we came, secondly she.
a 3x-50x speedup, 3–4x more | a three to fifty times speedup, three to four times more
It counts to 1_000_000 and 98_222. | It counts to one million and ninety-eight thousand two hundred twenty-two.
the 3d movement | the third movement
a total of 1.428,000 tons | a total of one million four hundred twenty-eight thousand tons
a proud 1,8 meters high | a proud one point eight meters high
Some 1 400 men, in chapter 1 400 men | Some one thousand four hundred men, in chapter one four hundred men
It is 866 A.2d 788 there. | It is eight hundred sixty-six A. second seven hundred eighty-eight there.
See the 1st and 2d regiments. | See the first and second regiments.
The 1st, 2d and 3d came. | The first, second and third came.
He counted 105 people. | He counted one hundred five people.
The 1st of them fell. | The first of them fell.
On the 22nd floor it burned. | On the twenty-second floor it burned.
His 103rd birthday came. | His one hundred third birthday came.
She came in 1st. | She came in first.
The 1,000th guest got a cake. | The one thousandth guest got a cake.
A 21st-century town. | A twenty-first-century town.
The 11th, 12th and 13th were rainy. | The eleventh, twelfth and thirteenth were rainy.
The 20th Century ended. | The twentieth Century ended.
The 3RD MAN stood still. | The third man stood still.
It cost 10,000 lives. | It cost ten thousand lives.
It cost 10 000 lives. | It cost ten thousand lives.
It cost 10\u00a0250 lives. | It cost ten thousand two hundred fifty lives.
It cost 10\u202f250 lives. | It cost ten thousand two hundred fifty lives.
It cost 1 500 000 lives. | It cost one million five hundred thousand lives.
It cost 10’000 lives. | It cost ten thousand lives.
About 1,000,000 stars shone. | About one million stars shone.
Some 2.5 million stars shone. | Some two point five million stars shone.
It has 1.2bn people now. | It has one point two billion people now.
It has 1.2 bn people now. | It has one point two billion people now.
He earned 50k a year. | He earned fifty thousand a year.
She ran a 10K race. | She ran a ten K race.
It has 10K followers today. | It has ten thousand followers today.
It has 5M users. | It has five million users.
Near 3m people live there. | Near three million people live there.
His number was 007 of course. | His number was double oh seven of course.
Press 042 to go. | Press zero four two to go.
The number is 0 here. | The number is zero here.
About .5 of it was lost. | About point five of it was lost.
It was 0.05 wide. | It was zero point zero five wide.
It was 3.0 wide. | It was three point zero wide.
It was 3.14 exactly. | It was three point one four exactly.
It was 1,234.56 wide. | It was one thousand two hundred thirty-four point five six wide.
It is 1,234,567 now. | It is one million two hundred thirty-four thousand five hundred sixty-seven now.
The card is 4111111111111111 today. | The card is four one one one one one one one one one one one one one one one today.
It is 12345 now. | It is twelve thousand three hundred forty-five now.
It has 10000000000 cells. | It has ten billion cells.
The address is 192.168.0.1 here. | The address is one nine two dot one six eight dot zero dot one here.
Digits 1,2,3 follow. | Digits one,two,three follow.
A 10-year-old boy sat there. | A ten-year-old boy sat there.
A 5-foot wall stood. | A five-foot wall stood.
A 21-gun salute rang. | A twenty-one-gun salute rang.
The 100-metre dash began. | The one hundred-metre dash began.
There were 10s of thousands of them. | There were tens of thousands of them.
There were 100s of them. | There were hundreds of them.
There were 1000s of them. | There were thousands of them.
He threw two 6s in a row. | He threw two sixes in a row.
1. The mill stands. | one. The mill stands.
2) Then it fell. | two) Then it fell.
He is 42. | He is forty-two.
He is 42, she is 40. | He is forty-two, she is forty.
“42!” he cried. | “forty-two!” he cried.
Nothing changes here, not even this. | Nothing changes here, not even this.
There were 101 dogs. | There were one hundred one dogs.
There were 1,001 dogs. | There were one thousand one dogs.
There were 12 men, 3 women and 1 dog. | There were twelve men, three women and one dog.
He works 9-to-5 here. | He works nine-to-five here.
It has 1,50,000 rows. | It has one hundred fifty thousand rows.
Between 10k-100k rows, not 1M–2M. | Between ten thousand to one hundred thousand rows, not one million to two million.
He tries 42k x 100 = 4.2M words. | He tries forty-two thousand times one hundred equals four point two million words.
The book has 10km in it. | The book has ten kilometers in it.
He read “Catch-22” twice. | He read “Catch-twenty-two” twice.
The 2.0 release is out. | The two point zero release is out.
It is 100,000,000,000 stars. | It is one hundred billion stars.
It was 3.5 million years ago. | It was three point five million years ago.
He gave 110 reasons. | He gave one hundred ten reasons.
The 31st was a Monday. | The thirty-first was a Monday.
His 12th and 13th goals came late. | His twelfth and thirteenth goals came late.
The 112th Congress met. | The one hundred twelfth Congress met.
About 50,000 fans came. | About fifty thousand fans came.
Only 1 in 10 knew. | Only one in ten knew.
It has 12,345,678,901 parts. | It has twelve billion three hundred forty-five million six hundred seventy-eight thousand nine hundred one parts.
He has 300 sheep and 2 dogs. | He has three hundred sheep and two dogs.
It is no. of 7 here. | It is no. of seven here.
In 60-odd years he lost one. | In sixty-odd years he lost one.
The 400m people there vote. | The four hundred million people there vote.
It got 3 of 4 right. | It got three of four right.
He said “7” and left. | He said “seven” and left.
Room for 2, please; or 3. | Room for two, please; or three.
The 3d Infantry came. | The third Infantry came.
He came 2nd–4th in all. | He came second to fourth in all.
Apollo 13 came home. | Apollo thirteen came home.
He said '20 men fell' again. | He said 'twenty men fell' again.
Two 10ths of it. | Two tenths of it.
It is all 1s and 0s. | It is all ones and zeros.
Cut it into 2" pieces. | Cut it into two-inch pieces.
It is 9" wide. | It is nine inches wide.
He said "I have 2" and left. | He said "I have two" and left.
Bake at 315oF now. | Bake at three hundred fifteen degrees Fahrenheit now.
It is ¼" (6 mm) thick. | It is a quarter inch (six millimeters) thick.
Bake at 180C (356F) now. | Bake at one hundred eighty degrees Celsius (three hundred fifty-six degrees Fahrenheit) now.
"""
GB = """
He counted 105 people. | He counted one hundred and five people.
His 103rd birthday came. | His one hundred and third birthday came.
It cost 10\u00a0250 lives. | It cost ten thousand two hundred and fifty lives.
It cost 10\u202f250 lives. | It cost ten thousand two hundred and fifty lives.
It was 1,234.56 wide. | It was one thousand two hundred and thirty-four point five six wide.
It is 1,234,567 now. | It is one million two hundred and thirty-four thousand five hundred and sixty-seven now.
It is 12345 now. | It is twelve thousand three hundred and forty-five now.
The address is 192.168.0.1 here. | The address is one nine two dot one six eight dot zero dot one here.
There were 101 dogs. | There were one hundred and one dogs.
There were 1,001 dogs. | There were one thousand and one dogs.
It has 1,50,000 rows. | It has one hundred and fifty thousand rows.
He gave 110 reasons. | He gave one hundred and ten reasons.
The 112th Congress met. | The one hundred and twelfth Congress met.
It has 12,345,678,901 parts. | It has twelve billion three hundred and forty-five million six hundred and seventy-eight thousand nine hundred and one parts.
The 1st of them fell. | The first of them fell.
It cost 10’000 lives. | It cost ten thousand lives.
Press 042 to go. | Press zero four two to go.
A 21-gun salute rang. | A twenty-one-gun salute rang.
Nothing changes here, not even this. | Nothing changes here, not even this.
Only 1 in 10 knew. | Only one in ten knew.
"""


def value(words: str) -> int:
    """The value of a number in words."""
    total = group = 0
    for word in words.replace("-", " ").split():
        if word in ONES:
            group += ONES.index(word)
        elif word in TENS:
            group += 10 * TENS.index(word)
        elif word == "hundred":
            group *= 100
        elif word in SCALES:
            total, group = total + group * 1000 ** SCALES.index(word), 0
    return total + group


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@given(number=st.integers(min_value=0, max_value=10**36 - 1), region=st.sampled_from(["US", "GB"]))
def test_the_words_of_a_cardinal_have_its_value(number, region):
    assert value(cardinal(number, region)) == number


@given(number=st.integers(min_value=0, max_value=10**9))
def test_a_number_is_said_the_same_with_and_without_commas(number):
    assert say_number(f"{number:,}", "US") == say_number(str(number), "US")
