"""Addresses in English: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from support.spoken_cases import assert_said, said

CASES = """
id_ed25519.pub, X_CONF | id ed-two five five one nine.pub, X conf
/x/y.cmake is | slash x slash y dot cmake is
Rule_L000 of end)#seqnum, #metoo | rule L zero zero zero of end)seqnum, hashtag metoo
@mr-c sets #cccccc. | at mr c sets hash C C C C C C.
Use #100DaysOfCode here. | Use hashtag one hundred days of code here.
In 2026_plan.md it is. | In twenty twenty-six plan dot M D it is.
Set #MAX_SIZE=5 there. | Set max size equals five there.
A line--GOV.UK team. | A line—gov dot U K team.
See gov.uk, pcloud.com and acme.gov. | See gov dot U K, pcloud dot com and acme dot gov.
Array#first, the method #put, #to_s, #RRGGBB | Array first, the method put, to s, hash R R G G B B
It is on localhost:8080 here. | It is on localhost, port eight zero eight zero here.
See /x/mill.AppImage, a RETURN_ALT. | See slash x slash mill dot app image, a return alt.
See /dev/spidev0.0 here. | See slash dev slash spidev zero dot zero here.
With BF3.1 at EUR5.50. | With B F three point one at five euros and fifty cents.
Set USE_MIRAGE, SERIALRX_PIN or VAULT_ADDR. | Set use mirage, serialrx pin or vault address.
Give YYYY-MM-DD or HH:MM of it. | Give year, month, day or hours, minutes of it.
open port 8080, and a port 1912 | open port eight zero eight zero, and a port nineteen twelve
_Im_proving, bl_o_ck, cit_y_. _r_age | Improving, block, city. rage
Set _is_project and .sniStrict | Set is project and dot sni strict
\\e[9m; \\e[K; produce *output == 2 | escape nine M; escape K; produce output equals two
is_a_dog and _private_name | is a dog and private name
Load my_mill.lua now. | Load my mill dot lua now.
Write to john@gmail.com. | Write to john at gmail dot com.
See https://www.example.org/a/b?c=1 for it. | See example dot org for it.
See https://example.org. | See example dot org.
(see http://example.org/x_1) | (see example dot org)
See https://example.org/wiki/Mill_(a). Then go. | See example dot org. Then go.
Go to www.example.com, please. | Go to example dot com, please.
Go to example.com now. | Go to example dot com now.
Is it on example.com? | Is it on example dot com?
the page example.org/about is new | the page example dot org slash about is new
the page https://example.org/about/ is new | the page example dot org slash about is new
the site bbc.co.uk is up | the site B B C dot co dot U K is up
the site my-mill.org is up | the site my dash mill dot org is up
open http://localhost:8080/x now | open localhost now
open https://127.0.0.1/ now | open one two seven dot zero dot zero dot one now
Mail jane.doe@example.org today. | Mail jane dot doe at example dot org today.
Mail <jane_doe@example.co.uk>. | Mail jane underscore doe at example dot co dot U K.
Mail jo+news@example.com, please | Mail jo plus news at example dot com, please
We love #OpenSource here. | We love hashtag open source here.
an #if or #each block | an hash if or hash each block
#BBC and #metoo | hashtag B B C and hashtag metoo
PR #2 by @jane_doe, PRs #4 | pull request number two by jane doe, pull requests number four
Ask @jane_doe or @JaneDoe. | Ask at jane doe or at jane doe.
the .com boom | the dot com boom
the color #ff8800 | the color hash FF eight eight zero zero
a page on github.io or python.dev | a page on github dot I O or python dot dev
an end.It was over | an end.It was over
Amazon.com sells it | Amazon dot com sells it
See https://example.org/a,b; then go | See example dot org; then go
“https://example.org” | “example dot org”
"""


def test_as_written_as_spoken():
    assert_said(CASES, "en-US")


@given(st.from_regex(r"[a-z]{1,8}(/[\w%&=?-]{0,9}){0,4}", fullmatch=True))
def test_no_sign_of_an_address_is_left(path):
    spoken = said(f"See https://example.org/{path} there", "en-US")
    assert spoken.startswith("See example dot org")
    assert not set(spoken) & set("/%&=?_@")
