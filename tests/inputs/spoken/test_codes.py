"""English telephone numbers, versions, postcodes and other codes: as written, as spoken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said, said

US = """
a code of 2xx or 4XX | a code of two X X or four X X
Use Terminal 1.10 of it. | Use Terminal one point ten of it.
Tel: 1 201 461-1776 | Tel: one, two oh one, four six one, one seven seven six
Get release 2023.10.1. | Get release twenty twenty-three point ten point one.
Get version 2017.08. | Get version twenty seventeen point oh eight.
From 0x3f7d39bDBf1f5cE649c194571aEd3D00 on | From zero X three F seven D on
The account of EIP-161 | The account of EIP-one sixty-one
Use SOCKS5 and PUSH8. | Use SOCKS-five and PUSH-eight.
Use 3.13.0rc2 of it. | Use three point thirteen point oh R C two of it.
The key is ef238876-14ce-464f-ac5a-e30d656d77b7. | The key is hash E F two three.
certified to ISO 9001:2015 now | certified to I S O nine thousand one, twenty fifteen now
see IEC 60601-1:2005. | see I E C sixty thousand six hundred one dash one, two thousand five.
Use v2.0.1-beta of it. | Use version two point oh point one beta of it.
Use 1.2.3-rc.1 of it. | Use one point two point three R C one of it.
Python 3.12.0-alpha runs. | Python three point twelve point oh alpha runs.
See clause 3.3.9.7 of it. | See clause three point three point nine point seven of it.
Ping the host 8.8.4.4 first. | Ping the host eight dot eight dot four dot four first.
Washington, D.C. 20500 | Washington, D C two oh five oh oh
Salem, Mass. 01970 | Salem, Massachusetts oh one nine seven oh
Call 1-800-FLOWERS now. | Call one, eight hundred, Flowers now.
Call 911 now. | Call nine one one now.
A 911 operator spoke. | A nine one one operator spoke.
They saw 911 ships. | They saw nine hundred eleven ships.
Call 555-1234 now. | Call five five five, one two three four now.
Call (212) 555-0187 today. | Call two one two, five five five, oh one eight seven today.
Ring +44 20 7946 0018. | Ring plus four four, two oh, seven nine four six, oh oh one eight.
ISBN 978-0-306-40615-7 | ISBN nine seven eight, zero, three zero six, four zero six one five, seven
ISBN 0-8044-2957-X | ISBN zero, eight zero four four, two nine five seven X
ISSN 2049-3630 | ISSN two zero four nine, three six three zero
RFC 2119, ISO 8601 | R F C twenty-one nineteen, I S O eighty-six oh one
the 2.11 release or 5.51 or later | the two point eleven release or five point fifty-one or later
IEEE 754, ISO 9001 | I triple E seven fifty-four, I S O nine thousand one
by 10.1234/ab 5 | by DOI one zero point one two three four slash AB five
see doi:10.1000/182. | see DOI one zero point one zero zero zero slash one eight two.
Use v2.1.3 of it. | Use version two point one point three of it.
Python 3.11 is out. | Python three point eleven is out.
Release 2.0.1 works. | Release two point oh point one works.
It runs at 192.168.0.1 here. | It runs at one nine two dot one six eight dot zero dot one here.
Springfield, IL 62704 | Springfield, Illinois six two seven oh four
[00:12:03] hello | [twelve minutes and three seconds] hello
0x1F | zero X one F
#ff0000 | hash FF zero zero zero zero
4111 1111 1111 1111 | four one one one, one one one one, one one one one, one one one one
SW1A 1AA | SW one A, one AA
serial number AB-1234 | serial number AB, one two three four
model AB-1234 is | model AB, one two three four is
Phone 212-555-0187 today. | Phone two one two, five five five, oh one eight seven today.
Fax 212.555.0187 today. | Fax two one two, five five five, oh one eight seven today.
Call +1 212 555 0187 now. | Call plus one, two one two, five five five, oh one eight seven now.
Call +1 (212) 555-0187 now. | Call plus one, two one two, five five five, oh one eight seven now.
Call +442079460018 now. | Call plus four four two oh seven nine four six oh oh one eight now.
Ring 020 7946 0018 now. | Ring oh two oh, seven nine four six, oh oh one eight now.
Ring 01632 960123 now. | Ring oh one six three two, nine six oh one two three now.
Ring 07700 900123 now. | Ring oh seven seven oh oh, nine oh oh one two three now.
Ring (020) 7946 0018 now. | Ring oh two oh, seven nine four six, oh oh one eight now.
Call 867-5309 now. | Call eight six seven, five three oh nine now.
ISBN 9780306406157 | ISBN nine seven eight zero three zero six four zero six one five seven
ISBN-10 0-306-40615-2 | ISBN ten, zero, three zero six, four zero six one five, two
We run v2 of it. | We run version two of it.
We run v. 2.1 of it. | We run version two point one of it.
Ubuntu 22.04 is stable. | Ubuntu twenty-two point oh four is stable.
Windows 3.1 was slow. | Windows three point one was slow.
iOS 14.5.1 came. | iOS fourteen point five point one came.
Web 2.0 came. | Web two point oh came.
USB 3.0 came. | USB three point oh came.
Version 1.10 came. | Version one point ten came.
version 4.0 came | version four point oh came
Try 0.1.0 first. | Try zero point one point oh first.
1.2.3 is next | one point two point three is next
127.0.0.1:8080 | one two seven dot zero dot zero dot one, port eight zero eight zero
10.0.0.0/8 | one zero dot zero dot zero dot zero slash eight
Boston, MA 02134 | Boston, Massachusetts oh two one three four
Boston, Massachusetts 02134-1234 | Boston, Massachusetts oh two one three four, one two three four
London SW1A 1AA | London SW one A, one AA
Leeds LS1 4AP | Leeds LS one, four AP
Ottawa K1A 0B1 | Ottawa K one A, zero B one
Card 4111-1111-1111-1111 | Card four one one one, one one one one, one one one one, one one one one
SSN 123-45-6789 | S S N one two three, four five, six seven eight nine
serial number X9-44Z | serial number X nine, four four Z
model T1000 | model T one zero zero zero
passport AB1234567 | passport AB one two three four five six seven
0xFF00 and 0x0 | zero X FF zero zero and zero X zero
#0af and #FFFFFF | hash zero AF and hash FFFFFF
1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 | one. e4 e-five two. Nf3 Nc6 three. Bb5 a-six
[01:02:03] A bell rings. | [one hour, two minutes and three seconds] A bell rings.
[00:00:05] A bell rings. | [five seconds] A bell rings.
My no. is 555-0123. | My no. is five five five, oh one two three.
"""
GB = """
Call 555-1234 now. | Call five five five, one two three four now.
Python 3.11 is out. | Python three point eleven is out.
model AB-1234 is | model AB, one two three four is
Call 867-5309 now. | Call eight six seven, five three oh nine now.
Web 2.0 came. | Web two point oh came.
Leeds LS1 4AP | Leeds LS one, four AP
"""
SOMETHING_ELSE = """
About 800-1200 words
The range 300-1500 is wide.
the V2 rocket
in Texas 10000 people live
an AB1234567 thing
the B-52 flew
Java 17 came.
#123456
1. e4 e5 2. Nf3 Nc6
O-O-O and exd5
Qxe7+ and Rd8#
e8=Q wins
Nf3+ wins
pages 100-1200
OK 12 of us
It rose 3.5 to 4.2.
"""


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(
        ("telephone", "version", "postcode", "serial", "card", "colour", "address")
    )


@given(area=st.integers(200, 799), line=st.integers(0, 9999))
def test_a_telephone_number_has_a_word_for_each_digit(area, line):
    spoken = said(f"({area}) 555-{line:04}", "en-US")
    assert len(spoken.replace(",", "").split()) == 10


@given(st.lists(st.integers(0, 255), min_size=4, max_size=4))
def test_an_address_has_a_dot_between_its_parts(octets):
    spoken = said(f"the address {'.'.join(map(str, octets))}", "en-US")
    assert spoken.count(" dot ") == 3  # without the word, four single digits may be a clause
