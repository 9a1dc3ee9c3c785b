"""English names with digits in them: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.english.numbers import designations
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said

KINDS = {rule.kind for rule in designations.RULES}

US = """
On the15 th he. | On the fifteenth he.
Philosophy 101 and 101 dogs | Philosophy one oh one and one hundred one dogs
A 401K plan, our 1:1s | A four oh one K plan, our one-on-ones
A T420s and two T440p ran. | A T-four twenty S and two T-four forty P ran.
Use EPSG:3857, TOTAL:1500 | Use E P S G thirty-eight fifty-seven, total:fifteen hundred
See G54-G59 of H5-H1. | See G-fifty-four to G-fifty-nine of H-five-H-one.
She ran a 5k race. | She ran a five K race.
from a .45-calibre rifle | from a forty-five-calibre rifle
a .303 rifle and a .357 Magnum | a three oh three rifle and a three fifty-seven Magnum
He lives at 221B, Baker Street. | He lives at two twenty-one B, Baker Street.
Print it on A4 paper. | Print it on A-four paper.
A B2B firm did it. | A B-two-B firm did it.
The H1N1 virus came. | The H-one-N-one virus came.
A 4K screen hung there. | A four-K screen hung there.
A 3D film ran. | A three-D film ran.
She bought an MP3 player. | She bought an MP-three player.
He works for MI5 now. | He works for MI-five now.
He went to a 7-Eleven. | He went to a seven-Eleven.
The K-9 unit came. | The K-nine unit came.
A B-52 flew over. | A B-fifty-two flew over.
The B-52s flew over. | The B-fifty-twos flew over.
An F-16 flew over. | An F-sixteen flew over.
A C-130 flew over. | A C-one thirty flew over.
A Boeing 747 flew over. | A Boeing seven four seven flew over.
Two 747s flew over. | Two seven four sevens flew over.
An Airbus A320 flew over. | An Airbus A-three twenty flew over.
He has an iPhone 12 now. | He has an iPhone twelve now.
It ran on Windows 95 then. | It ran on Windows ninety-five then.
They hid it in Area 51 there. | They hid it in Area fifty-one there.
He read Fahrenheit 451 twice. | He read Fahrenheit four fifty-one twice.
He lay in Room 1408 alone. | He lay in Room fourteen oh eight alone.
He lay in Room 101 alone. | He lay in Room one oh one alone.
He lay in room 237 alone. | He lay in room two thirty-seven alone.
He was on flight 1549 then. | He was on flight fifteen forty-nine then.
Take Route 1066 north. | Take Route ten sixty-six north.
Take Route 66 north. | Take Route sixty-six north.
Take Highway 101 north. | Take Highway one oh one north.
He lives at 1600 Pennsylvania Avenue. | He lives at sixteen hundred Pennsylvania Avenue.
He lives at 221B Baker Street. | He lives at two twenty-one B Baker Street.
The M25 was blocked. | The M-twenty-five was blocked.
The A303 was blocked. | The A-three oh three was blocked.
The robot R2-D2 beeped. | The robot R-two-D-two beeped.
The robot C-3PO spoke. | The robot C-three-PO spoke.
COVID-19 came then. | Covid-nineteen came then.
The G7 met in May. | The G-seven met in May.
In Q3 it fell. | In Q-three it fell.
A 5G mast stood there. | A five-G mast stood there.
He drank H2O only. | He drank H two O only.
The CO2 rose again. | The C O two rose again.
He put it in his 401(k) then. | He put it in his four oh one K then.
A spy plane, the U-2, fell. | A spy plane, the U-two, fell.
He stayed in Suite 2005 there. | He stayed in Suite twenty oh five there.
He stayed in Room 200 there. | He stayed in Room two hundred there.
He stayed in Room 7 there. | He stayed in Room seven there.
A room 1200 feet long. | A room one thousand two hundred feet long.
An old Sony A7 fell. | An old Sony A-seven fell.
They sent U2 on tour. | They sent U-two on tour.
WD-40 helps with that. | W D-forty helps with that.
He lives at 10 Downing Street. | He lives at ten Downing Street.
She lives at 350 Fifth Avenue. | She lives at three fifty Fifth Avenue.
A 1080p film ran. | A ten eighty-p film ran.
He had to train 1500 men there. | He had to train one thousand five hundred men there.
The 49ers won. | The forty-niners won.
"""
GB = """
Print it on A4 paper. | Print it on A-four paper.
The H1N1 virus came. | The H-one-N-one virus came.
A 3D film ran. | A three-D film ran.
He works for MI5 now. | He works for MI-five now.
The K-9 unit came. | The K-nine unit came.
The B-52s flew over. | The B-fifty-twos flew over.
A C-130 flew over. | A C-one thirty flew over.
Two 747s flew over. | Two seven four sevens flew over.
He has an iPhone 12 now. | He has an iPhone twelve now.
They hid it in Area 51 there. | They hid it in Area fifty-one there.
He lay in Room 1408 alone. | He lay in Room fourteen oh eight alone.
He lay in room 237 alone. | He lay in room two thirty-seven alone.
Take Route 1066 north. | Take Route ten sixty-six north.
Take Highway 101 north. | Take Highway one oh one north.
He lives at 221B Baker Street. | He lives at two twenty-one B Baker Street.
The A303 was blocked. | The A-three oh three was blocked.
The robot C-3PO spoke. | The robot C-three-PO spoke.
The G7 met in May. | The G-seven met in May.
"""


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@given(text=st.text(alphabet="abcdefghij ABCDE.,;'", max_size=60))
def test_a_text_without_digits_or_numerals_is_unchanged(text):
    assert not [edit for edit in spoken_line(text, "en-US").edits if edit.kind in KINDS]
