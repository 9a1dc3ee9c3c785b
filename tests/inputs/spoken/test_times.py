"""English times of day and durations: as written, as spoken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said, said

US = """
at 13h. 3m. 26s. | at thirteen hours three minutes twenty-six seconds.
1h. 1m. 5.15s. | one hour one minute five point one five seconds.
2 h. 15 m. later | two hours fifteen minutes later
make the 6.01 at Rye, at 6.15 punctually | make the six oh one at Rye, at six fifteen punctually
by the 8-40 train | by the eight forty train
timeout=30s, delay=5m. | timeout equals thirty seconds, delay equals five minutes.
About 3.20 the Skipper came. | About three twenty the Skipper came.
It's 12.30 on a Sunday. It was 4.30. | It's twelve thirty on a Sunday. It was four point three zero.
It took 10m, 10m ago. | It took ten minutes, ten minutes ago.
Say 2h, 7d, 7w. | Say two hours, seven days, seven weeks.
Call at - 7am PST / 10am. | Call at - seven AM P S T ten AM.
At 18h30 it took 18h30. | At eighteen thirty it took eighteen hours thirty minutes.
It took 1m0.23s. | It took one minute zero point two three seconds.
Catch the 6.30 up train. | Catch the six thirty up train.
Set "10s" or rate(x[5m]). | Set "ten seconds" or rate(x[five minutes]).
Open Mon.–Fri. 9–5. | Open Monday to Friday nine to five.
Sat. & Sun. 12–6; Wed 10-4 | Saturday and Sunday twelve to six; Wednesday ten to four
It took 2h6m12s. | It took two hours six minutes twelve seconds.
at 19.30 he came | at nineteen thirty he came
The train left at 19.30 and ran. | The train left at nineteen thirty and ran.
It was about 9.20 when he came. | It was about nine twenty when he came.
They came about 9.20. It fell 9.20. | They came about nine twenty. It fell nine point two zero.
It was about 9.20 in the morning. | It was about nine twenty in the morning.
It is about 9.20 inches. | It is about nine point two zero inches.
The 8.15 train was late. | The eight fifteen train was late.
It opens at 20:15h on Monday. | It opens at twenty fifteen on Monday.
It rose to 10:20:305 or so. | It rose to ten, twenty, three hundred five or so.
At 10:30 we left. | At ten thirty we left.
At 10:05 we left. | At ten oh five we left.
At 9:00 we left. | At nine o'clock we left.
By 9 a.m. it was hot. | By nine AM it was hot.
By 9am it was hot. | By nine AM it was hot.
It ended at 9:15 p.m. | It ended at nine fifteen PM
at 10.30 am | at ten thirty AM
at 10.30 on Monday | at ten thirty on Monday
at 12:00 noon | at twelve noon
at 00:15 | at zero fifteen
at 23:59 | at twenty-three fifty-nine
at 0600 hours | at oh six hundred hours
at 18:45:30 | at eighteen forty-five and thirty seconds
open 7–9 pm | open seven to nine PM
open 10:00–11:30 | open ten o'clock to eleven thirty
at 10:30 EST | at ten thirty E S T
UTC+2 | UTC plus two
took 1h 20m | took one hour twenty minutes
a time of 2:03:15 | a time of two hours, three minutes and fifteen seconds
We met at 7:45 and left. | We met at seven forty-five and left.
The 8:15 train was late. | The eight fifteen train was late.
The 10:00 show is full. | The ten o'clock show is full.
It is 5 PM already. | It is five PM already.
It is 5:30pm already. | It is five thirty PM already.
At 6:00 a.m. the bell rang. | At six AM the bell rang.
At 6.30pm the bell rang. | At six thirty PM the bell rang.
At 12:30 AM he slept. | At twelve thirty AM he slept.
From 9 a.m. to 5 p.m. daily | From nine AM to five PM daily
From 9 a.m.–5 p.m. daily | From nine AM to five PM daily
Open 9:00 a.m.–5:30 p.m. daily | Open nine AM to five thirty PM daily
It was 12:00 midnight. | It was twelve midnight.
It was 00:00 on the ship. | It was midnight on the ship.
It was 13:00 on the ship. | It was thirteen hundred on the ship.
It was 18:00 GMT. | It was eighteen hundred G M T.
The 06:30 bus | The six thirty bus
At 0630 hours we marched. | At oh six thirty hours we marched.
At 1800 hours we marched. | At eighteen hundred hours we marched.
At 1805 hrs we marched. | At eighteen oh five hours we marched.
After 2 h 15 min he gave up. | After two hours fifteen minutes he gave up.
It lasted 20m 30s in all. | It lasted twenty minutes thirty seconds in all.
He ran it in 2:03:15 flat. | He ran it in two hours, three minutes and fifteen seconds flat.
He ran the mile in 3:59.4 and fell. | He ran the mile in three fifty-nine point four and fell.
The clock showed 9:05:07 p.m. | The clock showed nine oh five and seven seconds PM
The film runs 1:45:00 in all. | The film runs one hour and forty-five minutes in all.
At 14:00 UTC+1 it starts. | At fourteen hundred UTC plus one it starts.
At 14:00 GMT-5 it starts. | At fourteen hundred GMT minus five it starts.
At 14:00 UTC+5:30 it starts. | At fourteen hundred UTC plus five thirty it starts.
At 9 am I woke. | At nine AM I woke.
at 10.30, they left | at ten thirty, they left
before 10:30–11:00 | before ten thirty to eleven o'clock
He woke at 4:00. | He woke at four o'clock.
He woke at 4 a.m. and rose. | He woke at four AM and rose.
It shuts at 11 P.M. on Sundays. | It shuts at eleven PM on Sundays.
The 5:30-ish crowd | The five thirty-ish crowd
By 01:05 it was dark. | By one oh five it was dark.
By 20:10 it was dark. | By twenty ten it was dark.
around 7–8 a.m. or later | around seven to eight AM or later
Between 2 and 3 p.m. it rained. | Between two and three PM it rained.
At 3:30 A.M., he rose. | At three thirty AM, he rose.
It was 2 p.m. He left. | It was two PM He left.
The 21:00–23:00 slot is free. | The twenty-one hundred to twenty-three hundred slot is free.
the 7:15 p.m. train | the seven fifteen PM train
from 10.30 to 11 p.m. | from ten thirty to eleven PM
between 10.30 and noon | between ten thirty and noon
coffee at 8.30: luncheon at 11.30: tea | coffee at eight thirty: luncheon at eleven thirty: tea
still when 10.15 came he saw | still when ten fifteen came he saw
at 6.50 o'clock | at six fifty o'clock
May 11, 1864--8.30 A.M. | May eleventh, eighteen sixty-four—eight thirty AM
the hour of the 3.19's transit | the hour of the three nineteen's transit
off to London by the 3.30. | off to London by the three thirty.
about 5.30, in the evening | about five thirty, in the evening
the 2.30 release | the two point three zero release
at 3.15 another boy | at three fifteen another boy
"""
GB = """
We camped at 5.5 p.m. in snow. | We camped at five oh five PM in snow.
at 10.30 on Monday | at ten thirty on Monday
at 10.30, they left | at ten thirty, they left
At 10:30 we left. | At ten thirty we left.
It ended at 9:15 p.m. | It ended at nine fifteen PM
at 0600 hours | at oh six hundred hours
UTC+2 | UTC plus two
The 10:00 show is full. | The ten o'clock show is full.
At 12:30 AM he slept. | At twelve thirty AM he slept.
It was 00:00 on the ship. | It was midnight on the ship.
At 1800 hours we marched. | At eighteen hundred hours we marched.
He ran the mile in 3:59.4 and fell. | He ran the mile in three fifty-nine point four and fell.
At 14:00 UTC+5:30 it starts. | At fourteen hundred UTC plus five thirty it starts.
"""
SOMETHING_ELSE = """
Of the 5 am I the last?
A ratio of 10:15 is odd.
The score was 10:15 then.
Mix them 4:1 by weight.
The time is 10:75 on it.
It costs 10.30 in all.
It took 1500 hours of work.
They drew 10:10 at home.
John 10:30 is a verse.
Chapter 10:30 is long.
He has 5 ampoules.
Take 7 pm2 units.
She was 9 amid them.
A scale of 1:20 is fine.
"""


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(("time",))


@given(hour=st.integers(1, 12), minute=st.integers(1, 59), half=st.sampled_from(("AM", "PM")))
def test_a_time_sounds_the_same_however_its_half_is_printed(hour, minute, half):
    short = half.lower()
    printed = (short, f" {short}", f" {half}", f" {short[0]}.{short[1]}.")
    said_as = {said(f"{hour}:{minute:02}{one}", "en-US") for one in printed}
    assert said_as == {f"{said(f'{hour}:{minute:02}', 'en-US')} {half}"}
