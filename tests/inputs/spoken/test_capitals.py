"""English words in capitals: as written, as spoken."""

import re

from hypothesis import given
from hypothesis import strategies as st

from support.spoken_cases import assert_said, said

INITIALISMS = """
W. COLLINS LTD | W Collins Limited
"TIP-UPS" FOR PICKEREL, a UPS van | "Tip-Ups" for Pickerel, a U P S van
a guaranteed ODE solver, AN ODE | a guaranteed O D E solver, an Ode
WUCF TV with VDEV GUID, MR. WEBB | W U C F T V with V D E V Guid, Mister Webb
They told the FT. But SAIC came. | They told the F T. But S.A.I.C came.
SLY laughed: THY will. | Sly laughed: Thy will.
SIGHS rose. A BOX of FOO fell. | Sighs rose. A box of foo fell.
IFTTT, RSSI and USAID | I F T T T, R S S I and U S aid
JON. | Jon.
ODDNY (laughing). | Oddny (laughing).
JON } Halla's servants. | Jon Halla's servants.
the one marked 'DUM' | the one marked 'dum'
THE STORY OF THE CAT, a CAT scan | The Story of the Cat, a C.A.T scan
NASHVILLE, TENN., AND DALLAS, TEX. | Nashville, Tennessee, and Dallas, Texas
the IAAF, the ACSI, OMB MAX and USCIS | the I double A F, the A.C.S.I, O M B max and U S C I S
a AAA battery, two AA cells | a triple A battery, two double A cells
whose –OH group is | whose –O H group is
ERE another year SHOES, ETC. | Ere another year shoes, et cetera.
He saw a BEE; Dvořák (duh-VOR-zhahk) | He saw a bee; Dvořák (duh-Vor-zhahk)
A Vertical AS Curve (ICAI), the U.S. EEOC | A Vertical A.S Curve (I.C.A.I), the U S E E O C
The AS curve, where MR = MC | The A.S curve, where M R equals M C
the EEOC and the IORB | the E E O C and the I O R B
the Scholastic Aptitude Test (SAT) | the Scholastic Aptitude Test (S.A.T)
the AD/AS model | the A.D A.S model
Garvey led the UNIA then. | Garvey led the U.N.I.A then.
the sterile insect technique (SIT) | the sterile insect technique (S I T)
5′-TCGATC-3′ from the 5' end | five prime-T.C.G.A.T.C-three prime from the five prime end
the CDC prefers STD, but WHO prefers STI | the C D C prefers S T D, but W H O prefers S T I
super PACs, one PAC, the IUPAC | super packs, one pack, the I U pack
The FBI came. | The F B I came.
The BBC's film won. | The B B C's film won.
Two MPs left. | Two M P's left.
She owns a TV and CDs. | She owns a T V and C D's.
a CD-ROM in the drive | a C D rom in the drive
the USA and the UK | the U.S.A and the U K
the US and the EU | the U S and the E U
a US-based firm | a U S based firm
the US Navy sailed | the U S Navy sailed
She has a PhD and an MSc. | She has a P H D and an M S C.
two PhDs | two P H D's
His DNA and her IQ | His D.N.A and her I Q
an ATM outside | an A.T.M outside
the CIA, the IRS and the NSA | the C.I.A, the I R S and the N.S.A
HTML, XML and a URL | H T M L, X M L and a U R L
a UFO over LA | a U F O over L.A
The IT department is shut. | The I T department is shut.
We fund IT modernization. | We fund I T modernization.
GSA IT Help Desk, GSA SMEs, TLS PEM keys | G.S.A I T Help Desk, G.S.A S M E's, T L S P E M keys
It was IT spending, for IT and pay. | It was I T spending, for I T and pay.
A UTXO, the OCFO and IGCAs at the EDGE | A U T X O, the O C F O and I.G.C.A's at the edge
He works in IT now. | He works in I T now.
the WHO said so | the W H O said so
an FBI-style raid | an F B I style raid
UCLA beat the NBA team | U.C.L.A beat the N.B.A team
the USSR fell | the U S S R fell
R&D at AT&T | R and D at A.T and T
the RAF and NYPD | the R.A.F and N Y P D
a CSV and an SQL query | a C S V and an S Q L query
a VIP at the YMCA | a V I P at the Y.M.C.A
an ID card, please | an I D card, please
a PDF of it | a P D F of it
the B&Bs in town | the B and B's in town
JSON in WWII | jason in World War Two
AM radio at night | A.M radio at night
"""
ACRONYMS = """
NASA sent it. | Nasa sent it.
At NASA they cheered. | At nasa they cheered.
UNESCO and NATO met | Unesco and nato met
AIDS was feared | Aids was feared
the RADAR and a LASER | the radar and a laser
OPEC and SCUBA gear | Opec and scuba gear
a PIN and some RAM | a pin and some ram
a JPEG file | a jay peg file
COVID changed it | Covid changed it
the ROM and SIM | the rom and sim
a GIF and an ASCII table | a G I F and an askey table
FIFA and UNICEF agreed | Fifa and unicef agreed
"""
EMPHASIS = """
Press CTRL-T or Ctrl-C, ALT-ENTER and TAB. | Press control T or control C, alt enter and tab.
It reads STDIN. | It reads standard in.
MAHÉ sings. BJØRG, a farmer | Mahé sings. Bjørg, a farmer
THE END | The End
STOP! he cried. | Stop! he cried.
I said STOP to him. | I said stop to him.
CHAPTER ONE | Chapter One
ALL THE KING'S MEN | All the King's Men
THE OLD MAN AND THE SEA | The Old Man and the Sea
It was NOT his. | It was not his.
I AM so sorry. | I am so sorry.
He did it ON PURPOSE. | He did it on Purpose.
DON'T go there. | Don't go there.
said JOHN SMITH, a clerk | said John Smith, a clerk
BEWARE OF THE DOG | Beware of the Dog
GIVE IT TO US | Give It to Us
NO ENTRY | No Entry
I want IT back. | I want it back.
WHO did this? | Who did this?
the O'BRIEN FAMILY | the O'Brien Family
THE FBI FILES | The F B I files
“GO AWAY!” she said. | “Go Away!” she said.
“OH,” he said. “I SEE.” | “Oh,” he said. “I see.”
A TALE OF TWO CITIES | A Tale of Two Cities
OK, fine. | okay, fine.
WARNING: WET PAINT | Warning: Wet Paint
NEW YORK, MONDAY | New York, Monday
ANN. [sitting down] No. | Ann. [sitting down] No.
FBI. What is it? | F B I. What is it?
IDA B. WELLS | Ida B Wells
JAY | Jay
JOHN WARWICK, ESQ. | John Warwick, esquire.
The SIXTH of them | The sixth of them
# MAJ.-GEN. and the like, in orders and letters
MAJ.-GEN. U. S. GRANT | Major General U S Grant
HON. E. M. STANTON | Honorable E M Stanton
COL. L. THOMAS | Colonel L Thomas
GEN: In accord | General: In accord
AT MEXICO, MO. | At Mexico, Missouri
VICKSBURG, MISS., May 3 | Vicksburg, Mississippi, May third
GAEV. Thank you. | Gaev. Thank you.
"""
LEFT = """
grade A work | grade A work
Plan B failed. | Plan B failed.
vitamin C helps | vitamin C helps
an X-ray and a T-shirt | an X-ray and a T-shirt
a MiG over us | a MiG over us
her iPhone and eBay | her iPhone and eBay
Mr. McDonald | Mister McDonald
a LaTeX file | a LaTeX file
YouTube and JavaScript | YouTube and JavaScript
I am here. | I am here.
He got an A. | He got an A.
Henry XIV of nowhere | Henry the Fourteenth of nowhere
part III of it | part three of it
"""
GB = """
Two MPs and a QC spoke. | Two M P's and a Q C spoke.
the BBC and the NHS | the B B C and the N H S
the UK's VAT rate | the U K's V.A.T rate
an MBE or an OBE | an M B E or an O B E
NATO and UNESCO | Nato and unesco
the TUC met | the T U C met
KEEP OFF THE GRASS | Keep Off the Grass
"""


def test_as_in_the_united_states():
    assert_said(INITIALISMS + ACRONYMS + EMPHASIS + LEFT, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@given(st.from_regex(r"(?!.*(.)\1\1)[A-Z]{2,12}", fullmatch=True))
def test_letters_are_neither_lost_nor_added_unless_respelled(word):
    spoken = said(f"the {word} here", "en-US").removeprefix("the ").removesuffix(" here")
    respelled = {
        "okay",
        "askey",
        "gooey",
        "doctor",
        "mister",
        "missus",
        "et cetera",
        "Hmm",
        "esquire",
    }
    assert spoken in respelled or re.sub("[ .]", "", spoken).upper() == word
