"""English years and decades: as written, as spoken."""
# ruff: noqa: E501  # a case is a line

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.english.numbers.numbers import year
from support.spoken_cases import assert_said, said

US = """
established a.d. 1649 | established AD sixteen forty-nine
1000-1030.—History of it | one thousand to ten thirty.—History of it
a billion 2020 dollars | a billion twenty twenty dollars
It grew slowly from 285 to 1975, then fell from 1942 to 285. | It grew slowly from two hundred eighty-five to one thousand nine hundred seventy-five, then fell from one thousand nine hundred forty-two to two hundred eighty-five.
It lasted from 476 to 1453. | It lasted from four hundred seventy-six to fourteen fifty-three.
Tang 2013 presents it. | Tang twenty thirteen presents it.
He lived (742-814 A.D.). | He lived (seven forty-two to eight fourteen AD).
It's not 2020 that's odd. | It's not twenty twenty that's odd.
For it 1892 looks alike. | For it eighteen ninety-two looks alike.
It's almost 2024, and cold. | It's almost twenty twenty-four, and cold.
About 1869 or 1870 he came back. | About eighteen sixty-nine or eighteen seventy he came back.
It cost 1500 or 1600 of them. | It cost one thousand five hundred or one thousand six hundred of them.
VS 2017 improves it. | V S twenty seventeen improves it.
from AD 628-02 and AD 622–28 | from AD six twenty-eight to oh two and AD six twenty-two to twenty-eight
the 2016 and 2020 elections, the 1973 wars | the twenty sixteen and twenty twenty elections, the nineteen seventy-three wars
Supernova 1987A (Lee 2012b) | Supernova nineteen eighty-seven A (Lee twenty twelve B)
It came in 1340s; a letter of 1769–1770 reads so. | It came in thirteen forties; a letter of seventeen sixty-nine to seventeen seventy reads so.
See Order 2010-2 there. | See Order twenty ten-two there.
It was in 187- or so, or 188- and 189-. | It was in eighteen seventy-something or so, or eighteen eighty-something and eighteen ninety-something.
It was the spring of 187-, and cold. | It was the spring of eighteen seventy-something, and cold.
the 150- and 187-page books | the one hundred fifty- and one hundred eighty-seven-page books
He reigned (1850 - 1910) in peace. | He reigned (eighteen fifty to nineteen ten) in peace.
the war of 1914-'18 | the war of nineteen fourteen to eighteen
The Treaty of 1839 binds us. | The Treaty of eighteen thirty-nine binds us.
The winter of 1812 kills. | The winter of eighteen twelve kills.
In all a crowd of 1812 guests. | In all a crowd of one thousand eight hundred twelve guests.
The 1913 exports grew. | The nineteen thirteen exports grew.
The war began in 1914. | The war began in nineteen fourteen.
He was born in 1500 in Ghent. | He was born in fifteen hundred in Ghent.
1844 was a hard year. | eighteen forty-four was a hard year.
Her first novel (1844) sold badly. | Her first novel (eighteen forty-four) sold badly.
The city burned in A.D. 79 and was lost. | The city burned in AD seventy-nine and was lost.
He died in 44 BC in Rome. | He died in forty-four BC in Rome.
It fell in 476 AD to the Goths. | It fell in four seventy-six AD to the Goths.
A map of 10,000 BC shows ice. | A map of ten thousand BC shows ice.
The law dates from 1200 BCE or so. | The law dates from twelve hundred BCE or so.
The temple stood 150–44 BC on this hill. | The temple stood one fifty to forty-four BC on this hill.
It is a book like 1066 and all that. | It is a book like ten sixty-six and all that.
The Normans came in 1066. | The Normans came in ten sixty-six.
I have lived here since 1999, and like it. | I have lived here since nineteen ninety-nine, and like it.
In the year 2000 we moved. | In the year two thousand we moved.
They met at the 2012 Olympics. | They met at the twenty twelve Olympics.
He led 2000 men over the pass. | He led two thousand men over the pass.
The train left at 1500 hours. | The train left at fifteen hundred hours.
The essay has 1200 words. | The essay has one thousand two hundred words.
Write it in 1500 words or less. | Write it in one thousand five hundred words or less.
Orwell's 1984 is short. | Orwell's nineteen eighty-four is short.
It was 1984's best film. | It was nineteen eighty-four's best film.
There were 1,844 houses. | There were one thousand eight hundred forty-four houses.
The winter of 1914/15 was cold. | The winter of nineteen fourteen to fifteen was cold.
The altar (c. 1450) is oak. | The altar (circa fourteen fifty) is oak.
A painter of that name, fl. 1600, lived here. | A painter of that name, flourished sixteen hundred, lived here.
John Smith (b. 1820) was a miller. | John Smith (born eighteen twenty) was a miller.
Mary Smith (d. 1899) was his wife. | Mary Smith (died eighteen ninety-nine) was his wife.
He reigned (1850–1910) in peace. | He reigned (eighteen fifty to nineteen ten) in peace.
The war of 1914–18 ended it. | The war of nineteen fourteen to eighteen ended it.
The war of 1914-1918 ended it. | The war of nineteen fourteen to nineteen eighteen ended it.
The seasons of 1904–05 were wet. | The seasons of nineteen oh four to oh five were wet.
The crisis of 2008–09 hit us. | The crisis of two thousand eight to two thousand nine hit us.
The season 1999–00 was his last. | The season nineteen ninety-nine to two thousand was his last.
In 1905 he met her. | In nineteen oh five he met her.
In 2005 he met her again. | In two thousand five he met her again.
By 2019 all had changed. | By twenty nineteen all had changed.
It was built in 1100 of stone. | It was built in eleven hundred of stone.
In the year 2525 nobody will know. | In the year twenty-five twenty-five nobody will know.
The year 476 is a common date. | The year four seventy-six is a common date.
By 2100, seas will have risen. | By twenty-one hundred, seas will have risen.
Elections in 1844 were loud. | Elections in eighteen forty-four were loud.
The 1844 elections were loud. | The eighteen forty-four elections were loud.
The 1500 soldiers marched on. | The one thousand five hundred soldiers marched on.
A total of 1844 votes was cast. | A total of one thousand eight hundred forty-four votes was cast.
More than 1500 came to hear her. | More than one thousand five hundred came to hear her.
No later than 1950 it was sold. | No later than nineteen fifty it was sold.
In 1914 people still sang. | In nineteen fourteen people still sang.
The village had 1914 people. | The village had one thousand nine hundred fourteen people.
He saw 1500 of them. | He saw one thousand five hundred of them.
It weighs 1200 kg or more. | It weighs one thousand two hundred kilograms or more.
A 2000-word essay was due. | A two thousand-word essay was due.
A 1960-style kitchen was there. | A nineteen sixty-style kitchen was there.
In post-1945 Europe, all was new. | In post-nineteen forty-five Europe, all was new.
The pre-1914 world was gone. | The pre-nineteen fourteen world was gone.
On the eve of March 1844 it snowed. | On the eve of March eighteen forty-four it snowed.
Was it in 1844? | Was it in eighteen forty-four?
“In 1844,” he said, “it rained.” | “In eighteen forty-four,” he said, “it rained.”
From 1939 to 1945 there was war. | From nineteen thirty-nine to nineteen forty-five there was war.
Between 1801 and 1811 it doubled. | Between eighteen oh one and eighteen eleven it doubled.
The 1841 census lists him. | The eighteen forty-one census lists him.
The 2008 crisis cost them all. | The two thousand eight crisis cost them all.
It had 1500 rooms. | It had one thousand five hundred rooms.
In the summer of '69 we sang. | In the summer of sixty-nine we sang.
The class of ’08 met again. | The class of oh eight met again.
The 1990s were quiet. | The nineteen nineties were quiet.
Songs of the '60s played. | Songs of the sixties played.
It happened in the mid-1980s in Leeds. | It happened in the mid-nineteen eighties in Leeds.
The 1890's were gay. | The eighteen nineties were gay.
In the late 60s he left. | In the late sixties he left.
In the 1900s the road was paved. | In the nineteen hundreds the road was paved.
The 2010s are over. | The twenty tens are over.
The 1950s–60s saw a boom. | The nineteen fifties to sixties saw a boom.
The 1950s–1970s saw a boom. | The nineteen fifties to nineteen seventies saw a boom.
She was in her 20s then. | She was in her twenties then.
He led them over 1500 miles of ice. | He led them over one thousand five hundred miles of ice.
Some 1200 were hurt. | Some one thousand two hundred were hurt.
The Nights are 1001 in number. | The Nights are one thousand one in number.
The years 1914, 1915 and 1916 were lost. | The years nineteen fourteen, nineteen fifteen and nineteen sixteen were lost.
It was 1914 when he left. | It was nineteen fourteen when he left.
The siege of 1500–1502 was grim. | The siege of fifteen hundred to fifteen oh two was grim.
An army of 1500–2000 men came. | An army of one thousand five hundred to two thousand men came.
It was 2010–12 when he left. | It was twenty ten to twelve when he left.
The 2019–20 season ended. | The twenty nineteen to twenty season ended.
He reigned 1509–47 over them. | He reigned fifteen oh nine to forty-seven over them.
AD 14–37 were his years. | AD fourteen to thirty-seven were his years.
Cleopatra (69–30 BC) was queen. | Cleopatra (sixty-nine to thirty BC) was queen.
The 1066 battle was fierce. | The ten sixty-six battle was fierce.
There were 1024 bits in it. | There were one thousand twenty-four bits in it.
Her 1200 acres were sold. | Her one thousand two hundred acres were sold.
Nearly 2000 died of it. | Nearly two thousand died of it.
At least 1500 died of it. | At least one thousand five hundred died of it.
Up to 1500 died of it. | Up to one thousand five hundred died of it.
He paid 1500 more for it. | He paid one thousand five hundred more for it.
The events of 1848 shook him. | The events of eighteen forty-eight shook him.
Since 1999 sales have doubled. | Since nineteen ninety-nine sales have doubled.
The 1800s were smoky. | The eighteen hundreds were smoky.
1914–1918 | nineteen fourteen to nineteen eighteen
It is dated c.1450 at most. | It is dated circa fourteen fifty at most.
It is dated ca. 1450–1500 here. | It is dated circa fourteen fifty to fifteen hundred here.
He was in the class of '99 too. | He was in the class of ninety-nine too.
The temps were in the 70s here. | The temps were in the seventies here.
In her mid-20s she left. | In her mid-twenties she left.
In the early '90s he left. | In the early nineties he left.
An 1800-page book lay there. | An eighteen hundred-page book lay there.
A town with a population of 1921. | A town with a population of one thousand nine hundred twenty-one.
Between 1990–95 he was away. | Between nineteen ninety and ninety-five he was away.
In 1990-1 he was away. | In nineteen ninety to ninety-one he was away.
from 1849 until at least 1853--that | from eighteen forty-nine until at least eighteen fifty-three—that
and up to 1880, was a town | and up to eighteen eighty, was a town
up to 1500, perhaps | up to one thousand five hundred, perhaps
as early as 1645 inhabitants came | as early as sixteen forty-five inhabitants came
in early April of 1897 people saw | in early April of eighteen ninety-seven people saw
the convention of 1787 leaders met | the convention of seventeen eighty-seven leaders met
the pre-1951 files | the pre-nineteen fifty-one files
the steep-roofed 1816 warehouses | the steep-roofed eighteen sixteen warehouses
the remaining 1816 men | the remaining one thousand eight hundred sixteen men
about 1875 or '76 | about eighteen seventy-five or seventy-six
"""
GB = """
There were 1,844 houses. | There were one thousand eight hundred and forty-four houses.
The crisis of 2008–09 hit us. | The crisis of two thousand and eight to two thousand and nine hit us.
In 2005 he met her again. | In two thousand and five he met her again.
A total of 1844 votes was cast. | A total of one thousand eight hundred and forty-four votes was cast.
The village had 1914 people. | The village had one thousand nine hundred and fourteen people.
The 2008 crisis cost them all. | The two thousand and eight crisis cost them all.
The Nights are 1001 in number. | The Nights are one thousand and one in number.
There were 1024 bits in it. | There were one thousand and twenty-four bits in it.
A town with a population of 1921. | A town with a population of one thousand nine hundred and twenty-one.
The war began in 1914. | The war began in nineteen fourteen.
It is a book like 1066 and all that. | It is a book like ten sixty-six and all that.
It was 1984's best film. | It was nineteen eighty-four's best film.
The season 1999–00 was his last. | The season nineteen ninety-nine to two thousand was his last.
More than 1500 came to hear her. | More than one thousand five hundred came to hear her.
Was it in 1844? | Was it in eighteen forty-four?
It happened in the mid-1980s in Leeds. | It happened in the mid-nineteen eighties in Leeds.
The years 1914, 1915 and 1916 were lost. | The years nineteen fourteen, nineteen fifteen and nineteen sixteen were lost.
Her 1200 acres were sold. | Her one thousand two hundred acres were sold.
"""


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@given(
    first=st.integers(min_value=1100, max_value=1999), more=st.integers(min_value=1, max_value=99)
)
def test_a_range_of_years_says_both(first, more):
    spoken = said(f"It lasted, {first}–{first + more}, for long.", "en-US")
    assert spoken == f"It lasted, {year(first)} to {year(first + more)}, for long."
