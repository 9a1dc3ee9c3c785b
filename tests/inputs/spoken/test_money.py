"""English sums of money: as written, as spoken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.english.numbers.numbers import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said, said

US = """
Rice cost $1.73½ then. | Rice cost one dollar and seventy-three and a half cents then.
It was $61.99¾ then. | It was sixty-one dollars and ninety-nine and three-quarters cents then.
We raised €250 000. | We raised two hundred fifty thousand euros.
It costs $5 here. | It costs five dollars here.
It costs $5.20 here. | It costs five dollars and twenty cents here.
only $0.05 each | only five cents each
only $1 each | only one dollar each
raised €2.5M last year | raised two point five million euros last year
a £1.9bn hole | a one-point-nine-billion-pound hole
worth $3 million now | worth three million dollars now
paid US$40 for it | paid forty US dollars for it
for 5 € a piece | for five euros a piece
for EUR 50 or 50 EUR | for fifty euros or fifty euros
give me 50p and 99¢ | give me fifty pence and ninety-nine cents
a 50p coin, a 99¢ burger | a fifty-pence coin, a ninety-nine-cent burger
between £5–£10 | between five to ten pounds
about $5–10 each | about five to ten dollars each
a $5-a-day habit | a five-dollar-a-day habit
earning $100K now | earning one hundred thousand dollars now
a $2bn-a-year trade | a two-billion-dollar-a-year trade
a $20 bill | a twenty-dollar bill
a £20 note | a twenty-pound note
two $20 bills | two twenty-dollar bills
the £5 note | the five-pound note
it is $5/month | it is five dollars a month
a loss of -$5 today | a loss of minus five dollars today
a loss of −£5.20 today | a loss of minus five pounds and twenty pence today
$1.5m–$2m | one point five million to two million dollars
£5.20 is fair | five pounds and twenty pence is fair
£5.05 is fair | five pounds and five pence is fair
£0.50 is fair | fifty pence is fair
a $5 million house | a five-million-dollar house
The fare is $2. | The fare is two dollars.
The fare is $2.75 now. | The fare is two dollars and seventy-five cents now.
It fell by $1.01 a share. | It fell by one dollar and one cent a share.
A drop of $.50 hurt. | A drop of fifty cents hurt.
He owes $1,000,000 to them. | He owes one million dollars to them.
A $1 coin and a $1 bill | A one-dollar coin and a one-dollar bill
A $1.50 fare is low. | A one-dollar-and-fifty-cent fare is low.
A loan of $10,000–$20,000 | A loan of ten thousand to twenty thousand dollars
It made $1–1.5 million. | It made one to one point five million dollars.
It made $5 million–$10 million. | It made five million to ten million dollars.
A £3.5m flat | A three-point-five-million-pound flat
About £100bn of debt | About one hundred billion pounds of debt
About £40k a year | About forty thousand pounds a year
Some $4T in all | Some four trillion dollars in all
Tickets at £12.50 each | Tickets at twelve pounds and fifty pence each
A £12.50 ticket | A twelve-pound-and-fifty-pence ticket
She has £1 left. | She has one pound left.
She has 1p left. | She has one penny left.
A 10p call | A ten-pence call
The price is 75¢. | The price is seventy-five cents.
A €1 coin | A one-euro coin
Only €0.99 today | Only ninety-nine cents today
About €3,000 per month | About three thousand euros per month
The job pays $15/hour. | The job pays fifteen dollars an hour.
It costs £3/kg there. | It costs three pounds a kilogram there.
That is $50 USD. | That is fifty US dollars.
That is USD 50. | That is fifty US dollars.
That is 50 GBP. | That is fifty pounds.
Around CHF 200 a night | Around two hundred Swiss francs a night
HK$10 and NZ$3 | ten Hong Kong dollars and three New Zealand dollars
R$5 or S$4 | five reais or four Singapore dollars
Some Rs. 500 was paid. | Some five hundred rupees was paid.
₹2 crore was paid. | two crore rupees was paid.
It is ¥1,000,000. | It is one million yen.
It costs 5,50 € there. | It costs five euros and fifty cents there.
a +$5 gain | a plus five-dollar gain
He bet $5 and won. | He bet five dollars and won.
She got $5 off it. | She got five dollars off it.
It cost 50p a go. | It cost fifty pence a go.
I paid £100,000 for a £5 note. | I paid one hundred thousand pounds for a five-pound note.
The budget of $1.2 trillion passed. | The budget of one point two trillion dollars passed.
the $100-a-plate dinner | the one-hundred-dollar-a-plate dinner
A 99¢ store | A ninety-nine-cent store
$5.00 is fine. | five dollars is fine.
$5.5 is odd. | five point five dollars is odd.
£1.01 is odd. | one pound and one penny is odd.
A fine of $-5 is odd. | A fine of minus five dollars is odd.
He lost $1,000s in a day. | He lost thousands of dollars in a day.
Pay in $20s and $50s only. | Pay in twenties and fifties only.
A £5er will do. | A fiver will do.
He sold my $100 watch. | He sold my one-hundred-dollar watch.
The £1,200 sofa is here. | The one-thousand-two-hundred-pound sofa is here.
It was the $700 billion bailout. | It was the seven-hundred-billion-dollar bailout.
Where is the $5 he owed me? | Where is the five dollars he owed me?
She kept the $5 borrowed from him. | She kept the five dollars borrowed from him.
A fee of US $5 applies. | A fee of five US dollars applies.
We pay $5–$10/month for it. | We pay five to ten dollars a month for it.
It cost $5 million; then $6m. | It cost five million dollars; then six million dollars.
for $3.50/lb at the shop | for three dollars and fifty cents a pound at the shop
Cost: £1m. | Cost: one million pounds.
"""
GB = """
They paid ￡2,000 and ＄5. | They paid two thousand pounds and five dollars.
a loss of −£5.20 today | a loss of minus five pounds twenty today
£5.20 is fair | five pounds twenty is fair
Tickets at £12.50 each | Tickets at twelve pounds fifty each
A £12.50 ticket | A twelve-pound-fifty ticket
It costs $5 here. | It costs five dollars here.
paid US$40 for it | paid forty US dollars for it
between £5–£10 | between five to ten pounds
two $20 bills | two twenty-dollar bills
a $5 million house | a five-million-dollar house
A $1.50 fare is low. | A one-dollar-and-fifty-cent fare is low.
About £40k a year | About forty thousand pounds a year
Only €0.99 today | Only ninety-nine cents today
Around CHF 200 a night | Around two hundred Swiss francs a night
a +$5 gain | a plus five-dollar gain
"""
SOMETHING_ELSE = """
CAD 2020 is software.
$x is a variable.
The $ sign
A multi-$ sum
earn $$$ here
The 720p video
In a 5p5 lattice
Rs5x is a key.
A £ a day
The €uro
"""


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(("money",))


@given(dollars=st.integers(2, 10**9), cents=st.integers(2, 99))
def test_a_sum_is_its_dollars_and_its_cents(dollars, cents):
    expected = f"{cardinal(dollars)} dollars and {cardinal(cents)} cents"
    assert said(f"${dollars:,}.{cents:02}", "en-US") == expected
