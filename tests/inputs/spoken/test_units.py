"""English units after numbers: as written, as spoken."""
# ruff: noqa: E501  # a case is a line

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.english.measures.unit_names import CLEAR
from audiomill.inputs.spoken.english.numbers.numbers import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said

US = """
some 3,000 millions of them, 3 million km | some three thousand millions of them, three million kilometers
4, and 2 (August) mm. | four, and two (August) millimeters.
It is 20' high, and took 20' or 20'. | It is twenty feet high, and took twenty minutes or twenty'.
'He sat for 20' and left | 'He sat for twenty' and left
He is 5ft 9ins tall. | He is five feet nine inches tall.
It is (in mm) or in mm/s, in ms. | It is (in millimeters) or in millimeters per second, in ms.
more than 1s, 2s or 4s | more than one second, two seconds or four seconds
off by 10′ of arc | off by ten minutes of arc
a 4-in-1 tool, 5 yr. terms | a four-in-one tool, five-year terms
a 5v supply, Ps. 5 v. 3 | a five-volt supply, Psalm five verse three
latitude 62o 17' 20", 5o 3 | latitude sixty-two degrees seventeen minutes twenty seconds, five o three
A 4kb file came at 64 kb/s. | A four-kilobyte file came at sixty-four kilobits per second.
Default: 0s; run 10s later | Default: zero seconds; run ten seconds later
a delay of 20s, 1s and 0s, the 60s later | a delay of twenty seconds, ones and zeros, the sixties later
It was 27s, a timeout of 5s, ~10s. | It was twenty-seven seconds, a timeout of five seconds, about ten seconds.
Use 30g+ of it, and 5kg+. | Use thirty grams plus of it, and five kilograms plus.
Bake at 200 C/400 F, or 400°F / 200°C. | Bake at two hundred degrees Celsius, four hundred degrees Fahrenheit, or four hundred degrees Fahrenheit, two hundred degrees Celsius.
a cube (cm3) of ice | a cube (cubic centimeters) of ice
the rate k (L/mol/s) | the rate k (liters per mole per second)
A 36.0–L cylinder, 5–10 L | A thirty-six point zero-liter cylinder, five to ten liters
at 1.1 × 10⁴ m/s, 10⁸ km or 6 × 10²³ mol⁻¹ | at one point one times ten to the power of four meters per second, ten to the power of eight kilometers or six times ten to the power of twenty-three per mole
10² in all, 10³ A | ten squared in all, ten cubed A
a 5′ board | a five-foot board
the area in km2 and people per km2 | the area in square kilometers and people per square kilometer
It is at 910 E. Main Street. | It is at nine ten East Main Street.
Add 2 c. flour, 1/2 c. milk and 1 t. salt. | Add two cups flour, half a cup milk and one teaspoon salt.
Stamps of 50 c. and 5 c. a pound, 10 t. of coal | Stamps of fifty c. and five c. a pound, ten tons of coal
1/4t chili, in 2,5kg of beef, baked at 375 F. | a quarter of a teaspoon chili, in two point five kilograms of beef, baked at three hundred seventy-five degrees Fahrenheit.
It has 81 Km2. | It has eighty-one square kilometers.
at 70 m.p.h. by night | at seventy miles per hour by night
It did 30 m.p.g. in town. | It did thirty miles per gallon in town.
at 3,000 r.p.m. or 5 h.p., and 50 c.c. of it | at three thousand revolutions per minute or five horsepower, and fifty CC of it
twenty m.p.h. over | twenty miles per hour over
Add 1 1/2 tsp. of salt. | Add one and a half teaspoons of salt.
cut 5/16 in. off, 3/4 lb. of it | cut five-sixteenths of an inch off, three-quarters of a pound of it
10 pts. per win, 3 pts. of milk | ten points per win, three pints of milk
ran 5 km today | ran five kilometers today
with 250 g/9 oz of butter | with two hundred fifty grams nine ounces of butter
at 350 °F/180 °C | at three hundred fifty degrees Fahrenheit, one hundred eighty degrees Celsius
ran 5km today. | ran five kilometers today.
just 1 km | just one kilometer
only 0.5 m deep | only zero point five meters deep
10 m² of floor | ten square meters of floor
3 m³/s of water | three cubic meters per second of water
at 20 °C outside | at twenty degrees Celsius outside
at -40°F outside | at minus forty degrees Fahrenheit outside
at −40 °F outside | at minus forty degrees Fahrenheit outside
a 5° slope, a 20 °C room | a five-degree slope, a twenty-degree Celsius room
turn 5° left | turn five degrees left
at 45° 30′ N | at forty-five degrees thirty minutes north
at 40.7° N, 74° W | at forty point seven degrees north, seventy-four degrees west
at 60 mph | at sixty miles per hour
at 100 km/h now | at one hundred kilometers per hour now
at 9.8 m/s² | at nine point eight meters per second squared
5 ft 10 in tall | five feet ten inches tall
5′10″ tall | five foot ten tall
he was 6'2" tall | he was six foot two tall
he was 6’2” tall | he was six foot two tall
a 12 lb 4 oz baby | a twelve-pound-four-ounce baby
weighs 12 lb 4 oz now | weighs twelve pounds four ounces now
16 oz. of gold | sixteen ounces of gold
3 tsp of salt | three teaspoons of salt
250 ml of milk | two hundred fifty milliliters of milk
8 GB of memory | eight gigabytes of memory
100 Mbps | one hundred megabits per second
2.4 GHz radio | two point four gigahertz radio
a 60 W bulb | a sixty-watt bulb
used 5 kWh | used five kilowatt-hours
at 20 dB | at twenty decibels
1013 hPa | one thousand thirteen hectopascals
3 mm-thick glass | three-millimeter-thick glass
a 10-km run | a ten-kilometer run
50 µg | fifty micrograms
2 mg/kg | two milligrams per kilogram
3000 rpm | three thousand revolutions per minute
200 hp | two hundred horsepower
250 cc | two hundred fifty CC
5 ha | five hectares
20 sq ft | twenty square feet
5 sq. mi. of land | five square miles of land
2 fl. oz. of rum | two fluid ounces of rum
a 20 km walk | a twenty-kilometer walk
5 in. of rain | five inches of rain
5 in wide | five inches wide
10–15 km away | ten to fifteen kilometers away
3 × 5 cm | three by five centimeters
½ oz of tea | half an ounce of tea
2½ oz of tea | two and a half ounces of tea
5m tall | five meters tall
1.5 million km | one point five million kilometers
12 N⋅m | twelve newton meters
5 s later | five seconds later
3.5s later | three point five seconds later
5 t of coal | five tons of coal
a 1.8 m man | a one point eight-meter man
five km away | five kilometers away
two hundred kg of coal | two hundred kilograms of coal
It is 42.195 km long. | It is forty-two point one nine five kilometers long.
It is 1.5 m tall. | It is one point five meters tall.
1 kg of flour | one kilogram of flour
2 kg of flour and 500 g of sugar | two kilograms of flour and five hundred grams of sugar
1.5 l of water | one point five liters of water
A 2 L bottle | A two-liter bottle
75 cl of wine | seventy-five centiliters of wine
10 mL of it | ten milliliters of it
5 mg twice a day | five milligrams twice a day
a 5 mg dose | a five-milligram dose
30 mm of rain | thirty millimeters of rain
12 cm by 8 cm | twelve centimeters by eight centimeters
12 × 8 cm | twelve by eight centimeters
5 ± 2 mm | five plus or minus two millimeters
20–25 °C is warm. | twenty to twenty-five degrees Celsius is warm.
It was 72°F in there. | It was seventy-two degrees Fahrenheit in there.
It was 72 °F, and dry. | It was seventy-two degrees Fahrenheit, and dry.
It was −5° at night. | It was minus five degrees at night.
It was 1° above zero. | It was one degree above zero.
A 360° view | A three hundred sixty-degree view
2° 21′ E | two degrees twenty-one minutes east
He is 5'10" and thin. | He is five foot ten and thin.
He is 5'11 and thin. | He is five foot eleven and thin.
A gap of 6″ or 8″ | A gap of six inches or eight inches
A gap of 6′ or so | A gap of six feet or so
A 6 ft fence | A six-foot fence
6 ft. 2 in. tall | six feet two inches tall
A 5 ft 2 in woman | A five-foot-two-inch woman
He lost 2 st 3 lb. | He lost two stone three pounds.
She weighs 9 st. | She weighs nine st.
8 lbs. of meat | eight pounds of meat
1 lb of meat | one pound of meat
150 lb. of meat | one hundred fifty pounds of meat
5 gal. of gas | five gallons of gas
2 qt. of milk | two quarts of milk
2 tbsp. of oil | two tablespoons of oil
1 tsp salt | one teaspoon salt
3 mi. from town | three miles from town
10 yds from goal | ten yards from goal
50 cwt of coal | fifty hundredweight of coal
30 mpg | thirty miles per gallon
5 hp engine | five horsepower engine
a 5 hp engine | a five-horsepower engine
A 250cc motorcycle | A two hundred fifty-CC motorcycle
60 Hz hum | sixty hertz hum
98.6 MHz | ninety-eight point six megahertz
3 GHz | three gigahertz
1 TB of data | one terabyte of data
16 KB of it | sixteen kilobytes of it
2 MB/s | two megabytes per second
1 Gbps | one gigabit per second
a 12 V battery | a twelve-volt battery
5 mA of it | five milliamps of it
a 5 A fuse | a five-amp fuse
It draws 2 A at most. | It draws two amps at most.
2000 mAh | two thousand milliamp-hours
a 500 MW plant | a five hundred-megawatt plant
3 kΩ | three kilohms
10 pF | ten picofarads
200 kcal | two hundred kilocalories
100 J of energy | one hundred joules of energy
10 N of force | ten newtons of force
14.7 psi | fourteen point seven pounds per square inch
760 mmHg | seven hundred sixty millimeters of mercury
1 atm | one atmosphere
5 mol of it | five moles of it
300 K in temperature | three hundred kelvins in temperature
13.6 eV | thirteen point six electronvolts
5 ppm | five parts per million
400 ppm of it | four hundred parts per million of it
300 dpi | three hundred dots per inch
60 fps | sixty frames per second
10 m/s | ten meters per second
10 km/s | ten kilometers per second
1.2 kg/m³ | one point two kilograms per cubic meter
5 g/cm³ | five grams per cubic centimeter
120 mg/dL | one hundred twenty milligrams per deciliter
90 km/hr | ninety kilometers per hour
8 kWh/day | eight kilowatt-hours per day
2 L/min | two liters per minute
5 m s⁻¹ | five meters per second
100 sq. ft. of space | one hundred square feet of space
a 100 sq ft room | a one hundred-square-foot room
3 cu ft of it | three cubic feet of it
100 m² | one hundred square meters
a 100 m² flat | a one hundred-square-meter flat
100 m2 of floor | one hundred square meters of floor
40 ha of land | forty hectares of land
45 min. later | forty-five minutes later
an hour and 5 min | an hour and five minutes
2 hrs 30 mins later | two hours thirty minutes later
10 sec. later | ten seconds later
30 secs | thirty seconds
5 yrs ago | five years ago
100 ms | one hundred milliseconds
5 ns | five nanoseconds
3 wks | three weeks
2 mos. old | two months old
in 5s it blew | in five seconds it blew
He ran 400 m in a minute. | He ran four hundred meters in a minute.
£5 and 5 m of rope | five pounds and five meters of rope
It is 5.5 in. | It is five point five inches.
A 5-in. pipe | A five-inch pipe
a 10 in. pipe | a ten-inch pipe
12 in by 8 in | twelve inches by eight inches
He came 5 m closer. | He came five meters closer.
ten mph | ten miles per hour
twenty °C | twenty degrees Celsius
2 x 4 cm | two by four centimeters
6 x 9 in. prints | six by nine inches prints
5km-long | five-kilometer-long
5-km-long | five-kilometer-long
100m tall | one hundred meters tall
9¾ in. | nine and three-quarters inches.
3⅛ in. wide | three and an eighth inches wide
¾ mi away | three-quarters of a mile away
He drives at forty mph. | He drives at forty miles per hour.
It weighs five kg. | It weighs five kilograms.
The room was 10' x 12' wide. | The room was ten feet by twelve feet wide.
Buy 3 pt. of milk. | Buy three pints of milk.
“He is 6’2”,” she said. | “He is six foot two,” she said.
a 6-ft. man spoke | a six-foot man spoke
It took 5 min 30 s. | It took five minutes thirty seconds.
The temperature rose 5 °C/h. | The temperature rose five degrees Celsius per hour.
'It is 5 km,' he said. | 'It is five kilometers,' he said.
He ran 5 km. Then he slept. | He ran five kilometers. Then he slept.
Take 2 tbsp. Stir well. | Take two tablespoons. Stir well.
To every lb. of flour | To every pound of flour
"""
GB = """
We made 12½ m. geog. and camped. | We made twelve and a half geographical miles and camped.
a run of 1 m. stat. today | a run of one statute mile today
at 64° 36½′ S. today | at sixty-four degrees thirty-six and a half minutes south today
at 7° 2′ S., 5° W. He slept. | at seven degrees two minutes south, five degrees west. He slept.
a mean of 59°.54 there | a mean of fifty-nine point five four degrees there
a box of 7′ × 1′ × 9′ | a box of seven feet by one foot by nine feet
ran 5 km today | ran five kilometres today
ran 5km today. | ran five kilometres today.
just 1 km | just one kilometre
only 0.5 m deep | only zero point five metres deep
10 m² of floor | ten square metres of floor
3 m³/s of water | three cubic metres per second of water
at 100 km/h now | at one hundred kilometres per hour now
at 9.8 m/s² | at nine point eight metres per second squared
250 ml of milk | two hundred and fifty millilitres of milk
1013 hPa | one thousand and thirteen hectopascals
3 mm-thick glass | three-millimetre-thick glass
a 10-km run | a ten-kilometre run
250 cc | two hundred and fifty CC
a 20 km walk | a twenty-kilometre walk
5m tall | five metres tall
5 t of coal | five tonnes of coal
It is 42.195 km long. | It is forty-two point one nine five kilometres long.
10 mL of it | ten millilitres of it
A 360° view | A three hundred and sixty-degree view
She weighs 9 st. | She weighs nine stone.
150 lb. of meat | one hundred and fifty pounds of meat
A 250cc motorcycle | A two hundred and fifty-CC motorcycle
760 mmHg | seven hundred and sixty millimetres of mercury
120 mg/dL | one hundred and twenty milligrams per decilitre
a 100 m² flat | a one hundred-square-metre flat
2 x 4 cm | two by four centimetres
at 20 °C outside | at twenty degrees Celsius outside
a 12 lb 4 oz baby | a twelve-pound-four-ounce baby
3000 rpm | three thousand revolutions per minute
two hundred kg of coal | two hundred kilograms of coal
He is 5'10" and thin. | He is five foot ten and thin.
2 tbsp. of oil | two tablespoons of oil
16 KB of it | sixteen kilobytes of it
100 J of energy | one hundred joules of energy
100 sq. ft. of space | one hundred square feet of space
3 wks | three weeks
He ran 5 km. Then he slept. | He ran five kilometres. Then he slept.
"""
SOMETHING_ELSE = """
a 7 pH
5 A students
4 C notes
World War 2 m
5 in the room
5m people
5 ha ha ha
5s and 10s
Class 5 A is here.
Apartment 5 B is here.
There are 5 in all.
There are 5 in a box.
There are 5 in.
It took 1,000 in 100 hours.
Some 5.5 in ten do.
45 W 33rd Street
10 C grades
3 K runs
hundreds of km
vs mph
2bn users
The 5G net
The 3D film
Take 5 and go.
Room 7 W Wing
It has 4 Mb4 keys.
A 4 by 4 grid
5 mi5 men
"""


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


def test_a_unit_is_on_the_line_of_its_number():
    text = "Ford; 1861\nW. B. Ford; 5\nL. G. Mason"
    said = spoken_line(text, "en-US").between(0, len(text))
    assert said == "Ford; eighteen sixty-one W B Ford; five L G Mason"


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(("unit",))


@given(symbol=st.sampled_from(sorted(CLEAR)), number=st.integers(2, 9999))
def test_a_unit_is_said_in_words(symbol, number):
    line = spoken_line(f"{number} {symbol.replace('_', ' ')}", "en-US")
    assert [edit.spoken for edit in line.edits] == [f"{cardinal(number)} {CLEAR[symbol].many}"]


_PARTS = ("5", "12", "1914", ".", ",", ":", " ", "-", "–", "/", "$", "£", "May", "Jan.", "and", "°")
_MORE = ("km", "in.", "′", '"', "No.", "pp.", "#", "v", "am", "x", "½", "(", "555-1234", "IV", "²")


@given(st.lists(st.sampled_from(_PARTS + _MORE), max_size=20).map("".join))
def test_edits_are_in_order_and_do_not_overlap(text):
    edits = spoken_line(text, "en-GB").edits
    assert all(one.end <= other.start for one, other in pairwise(edits))
    assert all(edit.start < edit.end for edit in edits)
