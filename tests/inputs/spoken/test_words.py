"""Odd English words: drawn out, stuttered, censored, broken, joined: as written, as spoken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.words import once_long
from support.spoken_cases import cases, said

DRAWN = """
to proceeed at once | to proceed at once
a recommmended lorgnettte, yesss | a recommended lorgnette, yes
Mmh, he said. | Hmm, he said.
Mmhm! | Uh-huh!
Noooo! he cried. | No! he cried.
NOOOO! he cried. | No! he cried.
It was sooo good. | It was so good.
Aaargh, my foot! | Aargh, my foot!
Hmmm, I see. | Hmm, I see.
Hmm, I see. | Hmm, I see.
Shhh! Be still. | Shush! Be still.
Shh, be still. | Shush, be still.
Brrr, it is cold. | Burr, it is cold.
it is 5 mm long | it is five millimeters long
Wire it** here | Wire it here
Mmm, good soup. | Hmm, good soup.
That is coool. | That is cool.
a looong way | a long way
Pleeease come. | Please come.
Hellooo? | Hello?
Yesss! | Yes!
Whoaaa, easy. | Whoa, easy.
Ahhh, peace. | Ah, peace.
Ooooh, a present! | Ooh, a present!
Goooal! | Goal!
Sleeeep now. | Sleep now.
It is reeeally far. | It is really far.
He is tooo late. | He is too late.
Stopppp it! | Stop it!
the balloon and the committee | the balloon and the committee
"""
STUTTERS = """
B-b-but why? | B, b, but why?
“I-I don't know.” | “I, I don't know.”
W-what is it? | W, what is it?
N-no, sir. | N, no, sir.
y-y-yes, I did | y, y, yes, I did
th-that man | that, that man
S-sorry, sir. | S, sorry, sir.
D-d-don't go! | D, d, don't go!
on D-Day we won | on D-Day we won
a t-test of means | a t-test of means
a no-no in Rome | a no-no in Rome
co-conspirators met | co-conspirators met
"""
CENSORED = """
stanzas rhymed aaabab, aaah | stanzas rhymed A.A.A.B.A.B, ah
W*** came, f*** it | W came, bleep it
She's---- She went. | She's She went.
Go to h—l! | Go to hell!
D—n it, sir! | Damn it, sir!
a d—d fool | a damned fool
by G—d, sir | by God, sir
my friend ⸻’s boat | my friend Dash’s boat
the ⸺th Foot | the blank Foot
the ⸺shire militia | the Dashshire militia
D⸺n it all! | Damn it all!
at a cook’s-shop near by | at a cook’s-shop near by
"He told me a----" She left, you a---- | "He told me a" She left, you bleep
What the f**k is it? | What the bleep is it?
D**n the man. | Damn the man.
you little s--- | you little bleep
Mr. B—— bowed. | Mister B bowed.
the Earl of D——, a rake | the Earl of D, a rake
In B——shire it rained. | In B shire it rained.
Captain K-- bowed. | Captain K bowed.
Mrs. —— smiled. | Missus Dash smiled.
Lord —— was there. | Lord Dash was there.
in the village of ——, | in the village of Dash,
I—that is, we—left. | I—that is, we—left.
He came—and left. | He came—and left.
But—— she began. | But—— she began.
"""
BROKEN = """
his imag- ination ran | his imagination ran
the govern- ment fell | the government fell
two- and three-year terms | two- and three-year terms
He stopped- looking round. | He stopped- looking round.
T HE mill stood still. | The mill stood still.
W HEN we came | When we came
I N the morning | In the morning
Plan B HE said | Plan B he said
The word[12] stands. | The word stands.
The word.[3] Next one. | The word. Next one.
The word* stands. | The word stands.
The word† stands. | The word stands.
The word¹² stands. | The word stands.
see array [1] there | see array [one] there
"""
JOINED = """
salt and/or pepper | salt and or pepper
he/she must sign | he or she must sign
S/he must sign | She or he must sign
his/her name | his or her name
coffee w/ milk | coffee with milk
coffee w/o milk | coffee without milk
b/c it rained | because it rained
the input/output port | the input output port
the TCP/IP stack | the T C P I P stack
Anna Lyle c/o Mrs. Pell | Anna Lyle care of Missus Pell
salt & pepper | salt and pepper
80 % alone, % alone | eighty percent alone, percent alone
"""
IDENTIFIERS = """
a *.dll, a .pdf and .env | a dot D L L, a dot P D F and dot env
call getUserName twice | call get user name twice
set max_line_length to it | set max line length to it
the __init__ method | the init method
send me report.pdf today | send me report dot P D F today
edit config.toml first | edit config dot toml first
Open README.md. | Open readme dot M D.
the file data_2020.json | the file data twenty twenty dot jason
add a .gitignore file | add a dot gitignore file
in /usr/local/bin today | in slash usr slash local slash bin today
in ~/notes now | in tilde slash notes now
in C:\\Users\\Ann now | in C colon backslash Users backslash Ann now
at commit 3fa9c1d, it broke | at commit three F A nine, it broke
see 9b1deb4d3b7d | see hash nine B one D
the defaced facade | the defaced facade
"""


@pytest.mark.parametrize(
    ("written", "spoken"), cases(DRAWN + STUTTERS + CENSORED + BROKEN + JOINED + IDENTIFIERS)
)
def test_as_written_as_spoken(written, spoken):
    assert said(written, "en-US") == spoken


@given(st.from_regex(r"[a-z]{1,15}", fullmatch=True))
def test_no_letter_is_drawn_out_after_shortening(word):
    short = once_long(word)
    assert not any(letter * 3 in short for letter in short)
    assert once_long(short) == short
