"""Signs and emoji in English: as written, as spoken."""
# ruff: noqa: E501  # a case is a line

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.spoken_cases import assert_said, said

EMOJI = """
I love it 😂 so much | I love it face with tears of joy so much
We won 🎉🎉🎉 today | We won party popper today
Decode(&payload) of AT&T (& co) | Decode(payload) of A.T and T ( and co)
If x === 'mill' | If x equals 'mill'
Take A % M of <h₁>. | Take A mod M of h one.
Νorthern kings and α-rays | Northern kings and alpha rays
Yes 👍🏽 | Yes thumbs up
Up 🚀 and ❤️ too | Up rocket and heart too
our 👩‍🚀 team | our woman astronaut team
a 🐱🐶 story | a cat face, dog face story
from 🇫🇷 today | from flag of F R today
Great :-) see you | Great smiling face see you
Well ;-) yes | Well winking face yes
She sighed :( | She sighed frowning face
(see the list below:) | (see the list below:)
rated ★★★★☆ by us | rated four out of five stars by us
"""
SIGNS = """
calls with a $ to it | calls with a dollar sign to it
Box<dyn Fn>, Record<string, any> here | Box dyn Fn , Record string, any here
File > Save as, or preferences > security | File then Save as, or preferences then security
It takes > 10 min; an ISF > 5; use >= or <= | It takes more than ten minutes; an I S F is greater than five; use greater than or equal to or less than or equal to
tags such as <p>, <b>bold</b> | tags such as p, bold
without appeal.” {514} He went, {17} and came. | without appeal.” He went, and came.
Replace <user-id> in --size=<size> by <keyName>. | Replace user id in —size equals size by key name.
the dma pin <pin number> and a <div> tag, <i>so</i> | the dma pin pin number and a div tag, so
if a<b or c>d, the docs#761, =~ too | if a is less than b or c is greater than d, the docs number seven hundred sixty-one, equals tilde too
I don´t see d´Aran´s Midē´wiwin or Midē´ sack. | I don't see d'Aran's Midēwiwin or Midē sack.
Set $PATH, ${HOME} and “$FZF_OPTS”. | Set path, home and “F Z F opts”.
Run vim "$(ls)", or press <TAB>. | Run vim "(ls)", or press tab.
He sang ÷ ÷ ich. 8 ÷ 4 | He sang ich. eight divided by four
–$2.7 | minus two point seven dollars
–13.8 | minus thirteen point eight
the type Weak<Node> here | the type Weak Node here
a hole at Sgr A* there | a hole at Sgr A star there
They walk in .the wood with a .env file. | They walk in .the wood with a dot env file.
He came . . .but she left. | He came … but she left.
He writes .NET code. | He writes dot net code.
© Anna Lyle | copyright Anna Lyle
Orbit™ and Mill® are names | Orbit and Mill are names
from Rome → Paris | from Rome to Paris
A -> B | A to B
If A ⇒ B, then | If A implies B, then
the 5 ≤ x case | the five is less than or equal to x case
x ≠ y | x is not equal to y
π ≈ 3.14 | pi is approximately three point one four
it is ±5 or so | it is plus or minus five or so
p < 0.05 | p is less than zero point zero five
x >= 5 | x is greater than or equal to five
> quoted mail | quoted mail
an <em>odd</em> word | an odd word
C++ code | C plus plus code
the key F♯ minor | the key F sharp minor
in B♭ major | in B flat major
the α-helix and β cells | the alpha helix and beta cells
γ rays and Δt | gamma rays and delta t
Σ stands for it | sigma stands for it
the word λόγος | the word λόγος
an ∞ of them | an infinity of them
the *very* word | the very word
some `code` here | some code here
It was--so he said--late. | It was—so he said—late.
one --- two | one — two
He paused ... and left… | He paused ... and left…
a dash—here – there | a dash—here – there
• first point | first point
† a note, ‡ more, ¶ text | a note, more, text
the ~ sign, about ~50 | the sign, about about fifty
paid in $ or £ | paid in dollars or pounds
the ¥ fell | the yen fell
§ on it | section on it
well‑known facts | well-known facts
“quoted” ‘words’ «here» | “quoted” ‘words’ «here»
the cafe\u0301 was full | the cafe\u0301 was full
A & B @ noon | A and B at noon
50% or 3 % | fifty percent or three percent
an angle of ° | an angle of degrees
f′ and f″ | f prime and f double prime
well-known (and loved) facts | well-known (and loved) facts
"""
FORMULAS = """
the O−H bond and the S-S bond | the O H bond and the S-S bond
calcium chloride 6−hydrate | calcium chloride six-hydrate
where ΔH° = −138.4 kJ | where delta H naught equals minus one hundred thirty-eight point four kilojoules
about 3.6 × 10−10 of it | about three point six times ten to the minus ten of it
in the component H2,4 of G | in the component H two four of G
Ca2+ and K+ ions | C.A two plus and K plus ions
an Rh+ baby, grade B+ | an R H plus baby, grade B plus
¹H₂ and sp³d orbitals | one H₂ and S P three d orbitals
[Co(en)₂(NO₂)₂]NO₃ | [Co(en) two(N O two) two]N O three
an error of 3.2e-4 or 1e6 | an error of three point two times ten to the minus four or one times ten to the six
So E = mc^2, he said. | So E equals m c squared, he said.
water is H2O or H₂O | water is H two O or H two O
the CO2 level | the C O two level
CO₂ and NaCl | C O two and N.A C L
H2SO4 burns | H two S O four burns
Ca(OH)2 is lime | C.A O H two is lime
Fe³⁺ and SO₄²⁻ ions | F E three plus and S O four two minus ions
Na⁺ in it | N.A plus in it
sugar is C6H12O6 | sugar is C six H twelve O six
2H2O remains | two H two O remains
the O2 tank | the O two tank
He is in. As I say, No. | He is in. As I say, No.
In an At was | In an At was
2 + 2 = 4 | two plus two equals four
x² + y² = z² | x squared plus y squared equals z squared
a^2 is known | a squared is known
E = mc² | E equals m c squared
then n! grows | then n! grows
n! = m | n factorial equals m
5! = 120 | five factorial equals one hundred twenty
We won 5! | We won five!
f(x) = 2x | f of x equals two x
x₁ and x₂ | x sub one and x sub two
about 10⁻³ of it | about ten to the power of minus three of it
3 × 10⁸ of them | three times ten to the power of eight of them
the root √2 | the root the square root of two
the √2 | the square root of two
x ≤ 5 | x is less than or equal to five
a room of 50 × 60 | a room of fifty by sixty
3 × 4 = 12 | three times four equals twelve
a 4x4 car | a four by four car
10x faster | ten times faster
5 - 3 = 2 | five minus three equals two
the years 5 - 3 ago | the years five - three ago
2 * 3 = 6 | two times three equals six
a/b = c | a over b equals c
πr² is it | pi r squared is it
2πr is it | two pi r is it
b² − 4ac | b squared minus four a c
10^6 of them | ten to the power of six of them
(x + 1)² = 4 | (x plus one) squared equals four
10 ÷ 2 = 5 | ten divided by two equals five
x^n + 1 | x to the power of n plus one
2^(n−1) or x^(2n) | two to the power of n minus one or x to the power of two n
2**3 or 2*3 | two to the power of three or two times three
¹⁴C in it | C fourteen in it
a != b | a is not equal to b
C# or F# minor | C sharp or F sharp minor
3rd* of May | third of May
it is 5 €, or 3 £. | it is five euros, or three pounds.
12 > 5 | twelve is greater than five
"""
GB = """
10⁻³ + 105 | ten to the power of minus three plus one hundred and five
5! = 120 | five factorial equals one hundred and twenty
a hall of 120 × 60 | a hall of one hundred and twenty by sixty
C₁₂₀ is odd | C one hundred and twenty is odd
x₁₀₅ is odd | x sub one hundred and five is odd
105 + 110 = 215 | one hundred and five plus one hundred and ten equals two hundred and fifteen
a 120x105 screen | a one hundred and twenty by one hundred and five screen
2¹⁰⁵ of them | two to the power of one hundred and five of them
f(105) = 2 | f of one hundred and five equals two
x ≤ 105 | x is less than or equal to one hundred and five
120% of it | one hundred and twenty per cent of it
the √150 | the square root of one hundred and fifty
105x faster | one hundred and five times faster
"""


def test_as_in_the_united_states():
    assert_said(EMOJI + SIGNS + FORMULAS, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@pytest.mark.parametrize("ornament", ["* * *", "***", "~~~", "| |", "-----", "• • •"])
def test_ornaments_are_silent(ornament):
    assert said(ornament, "en-US") == ""


@given(st.text(st.sampled_from(string.ascii_lowercase + " ©®™°→=<>≤+×÷√∞|\\~^_`*#@&%$€£😂★🇫")))
def test_no_sign_reaches_an_engine(text):
    spoken = said(f"the {text} end", "en-US")
    assert all(one.isalnum() or one in " —.,;:!?'-" for one in spoken)
