"""English dates: as written, as spoken."""
# a case is a line

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said, said

US = """
the folder 2012-12-01/ here | the folder December first, twenty twelve here
AD 365-09-28 He died. | September twenty-eighth, AD three sixty-five He died.
In 2026-05 here | In May twenty twenty-six here
on 2018-Oct-23: now | on October twenty-third, twenty eighteen: now
Note of 2021-07-19: now | Note of July nineteenth, twenty twenty-one: now
Last update: 2025/02/03 | Last update: February third, twenty twenty-five
Jan-Mar it rains, March–June it is dry. | January to March it rains, March to June it is dry.
Madrid, 6-VIII-1906 | Madrid, August sixth, nineteen oh six
On the 2d October he came. | On the second of October he came.
It began on May 4, 1914, in the rain. | It began on May fourth, nineteen fourteen, in the rain.
It began on 4 May 1914 in the rain. | It began on the fourth of May, nineteen fourteen in the rain.
On the 4 May they met. | On the fourth of May they met.
Born the 4th of May, 1914. | Born the fourth of May, nineteen fourteen.
See you on 4th of May. | See you on the fourth of May.
Happy 4th of July to all. | Happy fourth of July to all.
Due Jan. 5 at the latest. | Due January fifth at the latest.
It fell on Sept. 11th. | It fell on September eleventh.
Mon., Oct. 3 is a holiday. | Monday, October third is a holiday.
Mon 3 Oct was fine. | Monday the third of October was fine.
Open May 4–6 only. | Open May fourth to sixth only.
Closed May 30 – June 2. | Closed May thirtieth to June second.
from 30 May to 2 June 1944 | from the thirtieth of May to the second of June, nineteen forty-four
In May 1914 it rained. | In May nineteen fourteen it rained.
In June '44 they landed. | In June forty-four they landed.
on December 25th, as always | on December twenty-fifth, as always
Logged 1914-05-04 at sea. | Logged May fourth, nineteen fourteen at sea.
Posted 5/4/1914 by hand. | Posted May fourth, nineteen fourteen by hand.
Stamped 05/04/14. | Stamped May fourth, twenty fourteen.
Sent 24-12-2020. | Sent December twenty-fourth, twenty twenty.
Paid on 4.5.1914. | Paid on May fourth, nineteen fourteen.
Open 24/7 for you. | Open twenty-four seven for you.
After 9/11 it changed. | After nine eleven it changed.
On May 4, 1500 people came. | On May fourth, one thousand five hundred people came.
On May 4, 1500, he died. | On May fourth, fifteen hundred, he died.
May 4 and 5, 1914 | May fourth and fifth, nineteen fourteen
between May 4 and 5, he slept | between May fourth and fifth, he slept
It was April 1, and nobody laughed. | It was April first, and nobody laughed.
He died June 6, 1944. | He died June sixth, nineteen forty-four.
The 1st May is a holiday there. | The first of May is a holiday there.
Meet me on the 2nd of June. | Meet me on the second of June.
By 3rd August it was over. | By the third of August it was over.
The July 4 parade was loud. | The July fourth parade was loud.
A 4 May deadline is tight. | A fourth of May deadline is tight.
The 4 May 1914 edition sold out. | The fourth of May, nineteen fourteen edition sold out.
Feb. 29, 2004, was a Sunday. | February twenty-ninth, two thousand four, was a Sunday.
Mar. 3 and Apr. 4 are free. | March third and April fourth are free.
Wed., Nov. 12, is full. | Wednesday, November twelfth, is full.
On Fri. 13 Nov. 2015 it closed. | On Friday the thirteenth of November, twenty fifteen it closed.
Open Mon.–Fri. all year. | Open Monday to Friday all year.
Open Mon–Sat in summer. | Open Monday to Saturday in summer.
between Aug. 3 and Aug. 9 | between August third and August ninth
From 1 to 5 May 1920 he slept. | From the first to the fifth of May, nineteen twenty he slept.
Snow fell in Dec. 1962. | Snow fell in December nineteen sixty-two.
In mid-May 1940 they fled. | In mid-May nineteen forty they fled.
May–June 1944 was wet. | May to June nineteen forty-four was wet.
In March, 1865, it ended. | In March eighteen sixty-five, it ended.
MAY 4, 1914 | May fourth, nineteen fourteen
Since October '29 he had been poor. | Since October twenty-nine he had been poor.
The summer of August '05 was dry. | The summer of August oh five was dry.
Dated 2001-09-11 in the log. | Dated September eleventh, two thousand one in the log.
Born 12/25/1950 in Ohio. | Born December twenty-fifth, nineteen fifty in Ohio.
Born 25/12/1950 in Kent. | Born December twenty-fifth, nineteen fifty in Kent.
On 4/5/99 she called. | On April fifth, ninety-nine she called.
He mailed it 6-7-1985. | He mailed it June seventh, nineteen eighty-five.
A 9/11 memorial stands there. | A nine eleven memorial stands there.
May 2020 be kind to you. | May twenty twenty be kind to you.
The April 4th meeting | The April fourth meeting
He said June 5 was fine. | He said June fifth was fine.
June 5th–7th is best. | June fifth to seventh is best.
on 5 and 6 May | on the fifth and the sixth of May
The July 4 parade | The July fourth parade
Sent 2020-05-04T10:30:00Z by mail. | Sent May fourth, twenty twenty, ten thirty UTC by mail.
Saved 2020-05-04 10:30 on disk. | Saved May fourth, twenty twenty, ten thirty on disk.
On March 3, 1,000 men came. | On March third, one thousand men came.
Easter Sunday, 5 April 1942 | Easter Sunday, the fifth of April, nineteen forty-two
On Jan. 6 rioters came. | On January sixth rioters came.
OXFORD, December 8,1862. | Oxford, December eighth, eighteen sixty-two.
"""
GB = """
In January 1659–60 it froze. | In January sixteen fifty-nine to sixty it froze.
He died in January 1648–9, in winter. | He died in January sixteen forty-eight to nine, in winter.
It began on May 4, 1914, in the rain. | It began on May the fourth, nineteen fourteen, in the rain.
Due Jan. 5 at the latest. | Due January the fifth at the latest.
It fell on Sept. 11th. | It fell on September the eleventh.
Mon., Oct. 3 is a holiday. | Monday, October the third is a holiday.
Open May 4–6 only. | Open May the fourth to the sixth only.
Closed May 30 – June 2. | Closed May the thirtieth to June the second.
on December 25th, as always | on December the twenty-fifth, as always
Logged 1914-05-04 at sea. | Logged the fourth of May, nineteen fourteen at sea.
Posted 5/4/1914 by hand. | Posted the fifth of April, nineteen fourteen by hand.
Stamped 05/04/14. | Stamped the fifth of April, twenty fourteen.
Sent 24-12-2020. | Sent the twenty-fourth of December, twenty twenty.
Paid on 4.5.1914. | Paid on the fourth of May, nineteen fourteen.
On May 4, 1500 people came. | On May the fourth, one thousand five hundred people came.
On May 4, 1500, he died. | On May the fourth, fifteen hundred, he died.
May 4 and 5, 1914 | May the fourth and the fifth, nineteen fourteen
between May 4 and 5, he slept | between May the fourth and the fifth, he slept
It was April 1, and nobody laughed. | It was April the first, and nobody laughed.
He died June 6, 1944. | He died June the sixth, nineteen forty-four.
Feb. 29, 2004, was a Sunday. | February the twenty-ninth, two thousand and four, was a Sunday.
Mar. 3 and Apr. 4 are free. | March the third and April the fourth are free.
Wed., Nov. 12, is full. | Wednesday, November the twelfth, is full.
between Aug. 3 and Aug. 9 | between August the third and August the ninth
MAY 4, 1914 | May the fourth, nineteen fourteen
Dated 2001-09-11 in the log. | Dated the eleventh of September, two thousand and one in the log.
Born 12/25/1950 in Ohio. | Born the twenty-fifth of December, nineteen fifty in Ohio.
Born 25/12/1950 in Kent. | Born the twenty-fifth of December, nineteen fifty in Kent.
On 4/5/99 she called. | On the fourth of May, ninety-nine she called.
He mailed it 6-7-1985. | He mailed it the sixth of July, nineteen eighty-five.
He said June 5 was fine. | He said June the fifth was fine.
June 5th–7th is best. | June the fifth to the seventh is best.
It began on 4 May 1914 in the rain. | It began on the fourth of May, nineteen fourteen in the rain.
See you on 4th of May. | See you on the fourth of May.
In June '44 they landed. | In June forty-four they landed.
Meet me on the 2nd of June. | Meet me on the second of June.
A 4 May deadline is tight. | A fourth of May deadline is tight.
Open Mon.–Fri. all year. | Open Monday to Friday all year.
May–June 1944 was wet. | May to June nineteen forty-four was wet.
Sent 2020-05-04T10:30:00Z by mail. | Sent the fourth of May, twenty twenty, ten thirty UTC by mail.
Saved 2020-05-04 10:30 on disk. | Saved the fourth of May, twenty twenty, ten thirty on disk.
On March 3, 1,000 men came. | On March the third, one thousand men came.
On Jan. 6 rioters came. | On January the sixth rioters came.
"""
SOMETHING_ELSE = """
Add 1/2 cup of milk.
You may 4 times try.
May 4 people enter?
Chapter 4 May was late.
The code 2001-19-11 is no date.
A file of 31/31/1950 is odd.
They won 3-2 in May.
Read and/or write.
About 9/11 of it is gone.
A 3/4 majority is needed.
March 5 miles and rest.
You may, 1914 or not.
At 5 June came home.
Page 4 May be torn.
Version 4.5.2019 is stable.
It was May, 4 of them.
The sum of 12. May came.
He saw 4 Mayflies.
Try 1.2.3 or 10/12.
The Mar 4x4 track.
"""


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(("date",))


@given(day=st.dates(min_value=date(1100, 1, 1), max_value=date(2099, 12, 31)))
def test_a_date_sounds_the_same_however_it_is_printed(day):
    month = f"{day:%B}"
    printed = (f"{month} {day.day}, {day.year}", f"{month[:3]}. {day.day}, {day.year}")
    if month == "May":
        printed = printed[:1]
    assert {said(one, "en-US") for one in printed} == {said(day.isoformat(), "en-US")}
    assert said(f"{day.day} {month} {day.year}", "en-GB") == said(day.isoformat(), "en-GB")
