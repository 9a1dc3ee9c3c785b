"""English abbreviations, titles and places: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from support.spoken_cases import assert_said, said

TITLES = """
THE BRIG MAHINA, Brig. Smith | The Brig Mahina, Brigadier Smith
Initials of S. E. De M. For all | Initials of S E De M For all
Rev. Edwin M. Bliss saw M. Roy. | Reverend Edwin M Bliss saw Monsieur Roy.
the Gen Xers and Gen Z | the Gen Xers and Gen Z
If good B costs more, buy more of A. Then stop. | If good B costs more, buy more of A. Then stop.
Run cf push, cf. p. 5, cf Smith; MT Find | Run cf push, compare page five, compare Smith; M T Find
Sir Fr. Hollis met Fr. Brown. | Sir Francis Hollis met Father Brown.
It moves from point N to point P. Say why. | It moves from point N to point P. Say why.
at lat. 45 and long. 12 | at latitude forty-five and longitude twelve
It was long. 12 men came. | It was long. twelve men came.
the 9th Cir. 1995 case | the ninth Circuit nineteen ninety-five case
His words were apt. | His words were apt.
Atty. Gen. Poe and Amb. Rice | Attorney General Poe and Ambassador Rice
What M. Lormier's wife and M. Roy did. | What Monsieur Lormier's wife and Monsieur Roy did.
M. and Madame Roy came. | Monsieur and Madame Roy came.
M. Gavard has said so. | Monsieur Gavard has said so.
a note by M. Hale | a note by M Hale
A ball—John M. Tibeats. The day | A ball—John M Tibeats. The day
By then M. Paul Roy was ill. | By then Monsieur Paul Roy was ill.
It was told by M. Roy. | It was told by Monsieur Roy.
M. Roy, in giving it, wept. | Monsieur Roy, in giving it, wept.
“M. Hale.” | “M Hale.”
I left Rome. M. Roy (his friend) fell. | I left Rome. Monsieur Roy (his friend) fell.
The brigade of Col. T. M. Bryan | The brigade of Colonel T M Bryan
They wrote to Col. J. Hale. | They wrote to Colonel J Hale.
They wrote to Dr. M. Hale. | They wrote to Doctor M Hale.
They cite J. and M. Hale. | They cite J. and M Hale.
We met M. Scott Hale and M. Hale (1999). | We met M Scott Hale and M Hale (nineteen ninety-nine).
It was said by MM. de Verneuil and Lund. | It was said by Messieurs de Verneuil and Lund.
The bones of MM. Lund and Clausen. | The bones of Messieurs Lund and Clausen.
The 2nd Lt. saluted. | The second Lieutenant saluted.
The 1st Bn. and the 7th Regt. stood. | The first Battalion and the seventh Regiment stood.
The 2d Lt. saluted. | The second Lieutenant saluted.
Mr. Darrow bowed to Mrs. Pell. | Mister Darrow bowed to Missus Pell.
I asked Ms. Oakes twice. | I asked Miz Oakes twice.
Messrs. Finch and Hale signed it. | Messers Finch and Hale signed it.
Mme. Duval and Mlle. Roche sang. | Madame Duval and Mademoiselle Roche sang.
The letter was for M. de Brissac. | The letter was for Monsieur de Brissac.
Dr. Weir came at once. | Doctor Weir came at once.
They live at 21 Rosewood Dr. in town. | They live at twenty-one Rosewood Drive in town.
They saw Capt. Moss and Lieut. Gray. | They saw Captain Moss and Lieutenant Gray.
Lt. Col. Baines gave the order. | Lieutenant Colonel Baines gave the order.
Lt. Gray and Col. Moss rode out. | Lieutenant Gray and Colonel Moss rode out.
Gen. Howe met Maj. Orme. | General Howe met Major Orme.
Sgt. Tull, Cpl. Peck and Pvt. Lane | Sergeant Tull, Corporal Peck and Private Lane
Adm. Keys and Cmdr. Dale sailed. | Admiral Keys and Commander Dale sailed.
the Hon. Anna Lyle | the Honorable Anna Lyle
the Rt. Hon. James Pitt | the Right Honorable James Pitt
the Rev. Thomas Gill preached | the Reverend Thomas Gill preached
We told Fr. Brown the news. | We told Father Brown the news.
Prof. Ellis lectured; my prof. left. | Professor Ellis lectured; my professor left.
Gov. Reed and Sen. Cole spoke. | Governor Reed and Senator Cole spoke.
Rep. Dunn agreed. | Representative Dunn agreed.
Pres. Adams spoke. | President Adams spoke.
Supt. Barr and Insp. Grey | Superintendent Barr and Inspector Grey
John Hale Jr. and Peter Moss, Sr., left. | John Hale Junior and Peter Moss, Senior, left.
to Edwin Hart, Esq., of Bath | to Edwin Hart, Esquire, of Bath
the capt. said nothing | the captain said nothing
Hale Bros. and Hart & Co. merged. | Hale Brothers and Hart and Company merged.
Acme Corp. and Apex Inc. sued Orbit Ltd. | Acme Corporation and Apex Incorporated sued Orbit Limited
He is from Co. Kerry. | He is from County Kerry.
Thos. Wren and Wm. Dart signed. | Thomas Wren and William Dart signed.
Col. and Mrs. Hart came. | Colonel and Missus Hart came.
MRS. PELL AND DR. WEIR | Missus Pell and Doctor Weir
Part V. Complaints | Part five. Complaints
Mr.Smith spoke | Mister Smith spoke
So did I. The man sat. | So did I. The man sat.
"""
PLACES = """
Sault Ste. Marie is far. | Sault Saint Marie is far.
at Maunakea, HI (North) | at Maunakea, Hawaii (North)
St. John lives in St. John St. | Saint John lives in Saint John Street
at 21 Baker St. on Monday | at twenty-one Baker Street on Monday
St. Paul's is near. | Saint Paul's is near.
They met on 42nd St. at noon. | They met on forty-second Street at noon.
It is in West Twenty-eighth St. An old man | It is in West Twenty-eighth Street An old man
from Fifth St. The next | from Fifth Street The next
in 42d St. The cars | in forty-second Street The cars
He left Main St. Paul followed him. | He left Main Street Paul followed him.
We sailed across Lake St. Clair. | We sailed across Lake Saint Clair.
In St. Louis it rained. | In Saint Louis it rained.
on Park Ave. and Sunset Blvd. | on Park Avenue and Sunset Boulevard
down Mill Rd. to Elm Ln. | down Mill Road to Elm Lane
at Sandy Hill, Washington Co., NY | at Sandy Hill, Washington County, N Y
of the Ford Motor Co., Mich. | of the Ford Motor Company, Mich.
in Oak Ct. off Union Sq. | in Oak Court off Union Square
Mt. Hood and Ft. Worth | Mount Hood and Fort Worth
He was born in Boston, Mass., and lived. | He was born in Boston, Massachusetts, and lived.
a house in Fresno, Calif. | a house in Fresno, California
from Scranton, Pa., by train | from Scranton, Pennsylvania, by train
a man from Austin, TX, called | a man from Austin, Texas, called
Dayton, N.J., is small | Dayton, New Jersey, is small
He moved to Washington, D.C. in spring. | He moved to Washington, D C in spring.
“Yes, Miss.” He bowed. | “Yes, Miss.” He bowed.
Well, Pa. It is late. | Well, Pa. It is late.
the ave. of trees | the ave. of trees
“Fr.” was on the label | “Fr.” was on the label
"""
LATIN = """
E. G. W., e.g. this | E. G. W., for example this
quod reliquum est. The rest, est. 1850 | quod reliquum est. The rest, established eighteen fifty
see Justinus XXI v. There | see Justinus twenty-one v. There
He woulde make vs laugh; A vs B | He woulde make us laugh; A us B
Q. Should he be? | Q. Should he be?
A. The king is. | A. The king is.
Q. Horatius wrote it. | Q Horatius wrote it.
the LL. D.'s of it | the L L D's of it
pens, paper, etc. | pens, paper, et cetera
pens, paper, etc., were sold | pens, paper, et cetera, were sold
pens, ink, &c. | pens, ink, et cetera
fruit, e.g. apples | fruit, for example apples
by Sergeant E. G. Norton | by Sergeant E G Norton
the last one, i.e., the ninth | the last one, that is, the ninth
E.g. a lamp will do. | For example a lamp will do.
North vs. South | North versus South
the case of Finch v. Hale | the case of Finch versus Hale
two of them, viz. Ann and Joe | two of them, namely Ann and Joe
cf. the map below | compare the map below
built c. 1850 by monks | built circa eighteen fifty by monks
built ca. 1720 | built circa seventeen twenty
built c.1850 | built circa eighteen fifty
Hale et al. found it | Hale et al found it
ibid., and op. cit., too | ibid, and op cit, too
Tom Roe, a.k.a. the Fox | Tom Roe, also known as the Fox
N.B. the door is shut | N B the door is shut
P.S. I love it | P S I love it
Please R.S.V.P. by noon | Please R S V P by noon
milk, & c. nay | milk, et cetera nay
"""
OTHERS = """
y^e book, w^ch M^r. Winslow & y^m | the book, which Mister Winslow and them
Gov^r of it, ps^{nts}, y^e x^n | Governor of it, psnts, the x to the power of n
undiscovered in MS. The play; MS. Jones | undiscovered in manuscript The play; Miz Jones
Kurt's O. K. Oh, for it | Kurt's O K Oh, for it
Duchesne River, 10 mi. NW Duchesne | Duchesne River, ten miles. northwest Duchesne
3 miles NE of town, 4 km SSW | three miles northeast of town, four kilometers south-southwest
It lies N. of here, and N.W. of Ely. | It lies north of here, and northwest of Ely.
Wind N.W. all day, S.E. by E. at night | Wind northwest all day, southeast by east at night
The road runs N. and S. for a mile. | The road runs north and south for a mile.
to N. and E. Sky clear; cite N. and E. Hale | to north and east. Sky clear; cite N. and E Hale
Mr. N. of York, 12 NE 5th Street | Mister N. of York, twelve N E fifth Street
in London, E. C. On Monday E. C. Hale came | in London, E C On Monday E C Hale came
Baron v. Swieten met Herr v. Bernard. | Baron von Swieten met Herr von Bernard.
MILL PUBLISHING CO., 42 ROAD | Mill Publishing Company, forty-two road
Company M. Blue field. | Company M Blue field.
STEINER & CO. of Leeds | Steiner and Company of Leeds
on 5th 7ber, dated 9bris | on fifth September, dated November
had died, æt. 78, there | had died, aged seventy-eight, there
It costs 5 per yr. and more. | It costs five per year and more.
the Dept. of Educ. in town | the Department of Education in town
Gen. Paul Smith (Ret.) came. | General Paul Smith (retired) came.
A 19th c. chair stood there. | A nineteenth century chair stood there.
In the 17th c., it burned. | In the seventeenth century, it burned.
approx. half of them | approximately half of them
the dept. of works | the department of works
Hart & Sons, est. 1892 | Hart and Sons, established eighteen ninety-two
the govt. and misc. papers | the government and miscellaneous papers
tel. or ext. 12 | telephone or extension twelve
She has a Ph.D. in law. | She has a P H D in law.
with an M.D. and a B.A. | with an M D and a B.A
an M.A., a B.Sc. and an LL.B. | an M.A, a B S C and an L L B
a Q.C. and an M.P. spoke | a Q C and an M P spoke
the U.S. and the U.K. | the U S and the U K
in the U.S.A. today | in the U.S.A today
the U.N. met; the U.N.'s vote | the U N met; the U N's vote
in 44 B.C. and A.D. 70 | in forty-four BC and AD seventy
in 300 B.C.E. | in three hundred BCE
two M.P.s came | two M P's came
last Sept. and next Feb. | last September and next February
It opens on Mon. and Thurs. | It opens on Monday and Thursday
closed on Sun. and open on Sat. mornings | closed on Sunday and open on Saturday mornings
in Jan. or since Mar. | in January or since March
J. R. R. Tolkien wrote it | J R R Tolkien wrote it
J.R.R. Tolkien wrote it | J R R Tolkien wrote it
George W. Bush spoke | George W Bush spoke
E. Nesbit wrote it | E Nesbit wrote it
J.Smith was here | J Smith was here
She met Jan. He waited. | She met Jan. He waited.
They saw the Sun. It shone. | They saw the Sun. It shone.
The cat sat. It slept. | The cat sat. It slept.
Call me. I wait. | Call me. I wait.
It was a gem. Prof said so | It was a gem. Prof said so
The inc. and the mon. | The inc. and the mon.
a gen. rule, a rep. for the firm | a gen. rule, a rep. for the firm
The oct. was sharp | The oct. was sharp
Geo. H. Thomas | George H Thomas
on the s.s. Bullfinch | on the S S Bullfinch
28 degrees of N. or S. lat. | twenty-eight degrees of north or south latitude
12 degrees north lat. | twelve degrees north latitude
in S. Latitude 47° | in south Latitude forty-seven degrees
in N. Lat. 15 and W. Long. 25 | in north latitude fifteen and west longitude twenty-five
as simple as A, B, C. They know | as simple as A, B, C. They know
"""
GB = """
my hon. Friend and the right hon. Lady | my honourable Friend and the right honourable Lady
Your letter of the 7th inst. has come. | Your letter of the seventh instant has come.
On the 1st ult. and 3rd prox. we met. | On the first ultimo and third proximo we met.
An old MS. of the poem | An old manuscript of the poem
from the MS. “of an old man” | from the manuscript “of an old man”
These ancient MSS. are lost. | These ancient manuscripts are lost.
Noakes and Co.’s barn | Noakes and Company’s barn
Mr Darrow bowed to Mrs Pell. | Mister Darrow bowed to Missus Pell.
I asked Ms Oakes. | I asked Miz Oakes.
Dr Weir came at once. | Doctor Weir came at once.
Prof Ellis and Revd Gill | Professor Ellis and Reverend Gill
St John lives in St John St. | Saint John lives in Saint John Street
a flat at 21 Baker St, London | a flat at twenty-one Baker Street, London
St Paul's is near. | Saint Paul's is near.
the Hon. Anna Lyle | the Honourable Anna Lyle
the Rt Hon James Pitt | the Right Honourable James Pitt
Lt Col Baines gave the order. | Lieutenant Colonel Baines gave the order.
Capt Moss and Sgt Tull | Captain Moss and Sergeant Tull
Lt Gray and Col Moss | Lieutenant Gray and Colonel Moss
Gen Howe met Maj Orme. | General Howe met Major Orme.
pens, paper, etc, were sold | pens, paper, et cetera, were sold
fruit, eg apples, ie food | fruit, for example apples, that is food
North vs South | North versus South
the case of Finch v Hale | the case of Finch versus Hale
cf the map below | compare the map below
Hart & Co moved | Hart and Company moved
Orbit Ltd moved | Orbit Limited moved
a house in Co Durham | a house in County Durham
John Hale Jr was there | John Hale Junior was there
Edwin Hart Esq of Bath | Edwin Hart Esquire of Bath
Mme Duval and Mlle Roche | Madame Duval and Mademoiselle Roche
the Rev Thomas Gill | the Reverend Thomas Gill
Insp Grey and Supt Barr | Inspector Grey and Superintendent Barr
the dr and the st of it | the dr and the st of it
Mt Snowdon is high | Mount Snowdon is high
on Park Ave, near the Mall | on Park Avenue, near the Mall
Tom Roe, aka the Fox | Tom Roe, also known as the Fox
Messrs Finch and Hale signed. | Messers Finch and Hale signed.
Fr Brown and Gov Reed | Father Brown and Governor Reed
The MP for St Ives spoke. | The M P for Saint Ives spoke.
Mr J. B. Finch QC spoke. | Mister J B Finch Q C spoke.
with linkerd viz stat | with linkerd viz stat
viz two of them | namely two of them
a shop on Mill Rd, by the sea | a shop on Mill Road, by the sea
Dr and Mrs Weir came. | Doctor and Missus Weir came.
the Dr Weir I know | the Doctor Weir I know
She lives in Baker St with Ann. | She lives in Baker Street with Ann.
Gen Z and the Col du Galibier | Gen Z and the Col du Galibier
the gen on Tom, a col in the hills | the gen on Tom, a col in the hills
"""


def test_as_in_the_united_states():
    assert_said(TITLES + PLACES + LATIN + OTHERS, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@given(st.lists(st.sampled_from(("road", "the", "saw", "and", "street", "doctor")), min_size=1))
def test_plain_words_are_left(words):
    text = " ".join(words)
    assert said(text, "en-US") == text
