"""The text of the sample book, from which its EPUB and its Markdown are built.

Inside a text, `_word_` is emphasis, `[^key]` refers to a note, and `{fr:mot}` is in French.
"""

from __future__ import annotations

from dataclasses import dataclass

TITLE = "The Lighthouse Mill"
AUTHOR = "Maud Tern"
DATE = "2026-11-21"
IDENTIFIER = "urn:uuid:6f2d0a8e-3c57-4b1e-9a44-1d0c5e7b9f21"
DESCRIPTION = "A short tale of a tower with two trades, and of the night when there was no wind."


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, a quotation or the caption of a figure, by its `shape`."""

    text: str
    shape: str = "paragraph"  # or "quote" or "caption"
    language: str = ""


@dataclass(frozen=True, slots=True)
class Lines:
    """A stanza, the items of a list, or the rows of a table with " | " between cells."""

    lines: tuple[str, ...]
    shape: str  # "verse", "list" or "table"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that is not spoken: a scene break, a page number, or the end of a file."""

    shape: str  # "scene break", "page" or "file"
    label: str = ""


Piece = Text | Lines | Mark


@dataclass(frozen=True, slots=True)
class Chapter:
    """A title and its pieces; `part` is the title of a part that begins with this chapter."""

    title: str
    pieces: tuple[Piece, ...]
    part: str = ""


NOTES = {
    "ell": "An ell of Skerrin is the length of the miller’s arm, and changes with the miller.",
    "noon": "By the island’s clocks, which are kept eleven minutes slow out of politeness.",
}


def _pieces(text: str) -> tuple[Piece, ...]:
    """Split text at blank lines; `***` is a scene break, `=7` the beginning of page 7."""
    return tuple(map(_piece, text.strip().split("\n\n")))


def _piece(text: str) -> Piece:
    text = " ".join(text.split())
    if text == "***":
        return Mark("scene break", "* * *")
    return Mark("page", text[1:]) if text.startswith("=") else Text(text)


CHAPTERS = (
    Chapter(
        "A Tower with Two Trades",
        (
            *_pieces(
                """
=1

On the last headland of Skerrin, where the road gives up and becomes a sheep path, there stands
a tower with two trades. From the knees down it is a mill. From the shoulders up it is a
lighthouse. In between, on the third floor, there is a kitchen, because somebody has to have
breakfast.

The same wind did all the work. It came in from the sea, took hold of four red sails, each nine
ells[^ell] long, and turned them. The sails turned a shaft, and the shaft turned two things: a
pair of millstones below, and the great lamp above. So long as the wind blew, Skerrin had bread
by day and a light by night, and nobody had ever thought to send it a bill.

The keeper of all this was Ottoline Brae. She was seventy-three years old, five feet tall, and
so thoroughly dusted with flour that strangers took her for a ghost with good manners. She had
been born in the kitchen on 4 March, during a gale, and had been expected to be quiet about it.

Her apprentice was called Wren. Wren was eleven. She had come up the sheep path one September
morning with a letter in her pocket and one boot on, and had said, all in one breath, “Please,
is this the mill, or the lighthouse? I was sent to one of them and I have forgotten which.”

“Yes,” said Ottoline, and gave her an egg.

That had been two years ago. By now Wren could do nearly everything. She could dress a stone,
trim a wick, and tell flour from chalk with her eyes shut. She could carry a sack of barley up
forty-one steps, though she preferred to carry it down. And she knew the rule of the house,
which was painted over the kitchen door in letters so old that they had begun to lean:
"""
            ),
            Lines(
                (
                    "Grind by the sun and shine by the star,",
                    "Feed those at home and guide those afar;",
                    "Grease every axle, and sweep every floor,",
                    "And leave the wind room to come in at the door.",
                ),
                "verse",
            ),
            *_pieces(
                """
“Who wrote it?” Wren had asked, the first night.

“Somebody with a broom,” said Ottoline. “Eat your egg.”
"""
            ),
            Text(
                "The tower on its headland, drawn by Wren from the boat, with the sun put in"
                " afterwards.",
                "caption",
            ),
        ),
        part="Part One: Wind",
    ),
    Chapter(
        "The Inspector’s List",
        (
            *_pieces(
                """
=2

The inspector came on a Tuesday, at 10:45 in the morning, by the boat that brings the onions.
His name was Mr. Aldous Pym, of the Board of Lights and Buoys, and he had a hat that had been
measured for somebody more cheerful.

“I am here to count you,” he said.

“There are two of us,” said Ottoline. “Three, if you mean the cat.”

“I mean everything.” Mr. Pym opened a black notebook. “Dr. Hale, who counted this station in
1987, left no figures at all. He wrote ‘Very good bread’ and drew a duck. The Board was
not satisfied.”

“A duck?” said Wren.

“A small duck. Swimming. We have had it looked at by experts.”

He counted all that day. He counted steps, lamps, panes, sacks and spoons; he measured the door;
he asked the price of a loaf (it was £1.20, or $1.55 if you were a tourist, or nothing at all
if you were hungry). Wren followed him with a candle and held the other end of the tape. By four
o’clock he had filled eleven pages, and he read them out at the kitchen table in a voice like a
drawer being closed.
"""
            ),
            Lines(
                (
                    "Item | Found | Allowed",
                    "Keepers | 2 | 1",
                    "Lamps, oil | 1 | 0",
                    "Lamps, electric | 0 | 1",
                    "Millstones | 2 | 0",
                    "Cats | 1 | not stated",
                ),
                "table",
            ),
            *_pieces(
                """
“What does it mean, _allowed_?” asked Wren.

“It means,” said Mr. Pym, “that a lighthouse is a lighthouse. The Board has a new lamp. It is
the size of a melon. It lights itself at dusk, it puts itself out at dawn, and it needs no
wind, no oil, no keeper, and no breakfast. It will be fitted on the 1st of December. The sails
come down the day after. I am sorry,” he added, and the odd thing was that he sounded it. “I
have a form for you to sign.”

“Will it make flour?” said Ottoline.

“Madam, it is a lamp.”

“Ah,” said Ottoline. “Only the one trade, then.” She cut him a slice of the morning’s loaf, with
butter, and would not sign anything until he had eaten it. He ate it. He looked at the plate for
some time. Then he wrote one more line in the black notebook, very small, and would not say what
it was.
"""
            ),
        ),
    ),
    Chapter(
        "What the Stones Were Saying",
        (
            *_pieces(
                """
=3

That night the wind dropped to a murmur, and Wren could not sleep. She lay and listened to the
stones. A millstone that is running well says the same thing over and over, and if you live
above it long enough you begin to make out the words.

_Bread and boats_, said the stones. _Bread and boats. Bread and boats._

She went up. Ottoline was in the lamp room with her sleeves rolled, polishing a glass that was
already clean.

“You should be asleep,” she said, without turning round.

“So should you. You’re older. You need it more.”

“Cheek,” said Ottoline, and made room on the bench.

They sat for a while and watched the light go out and come back. It is a good thing to watch, if
you have something on your mind: it goes away, and you think that you had better do something
about it; and it comes back, and you find that somebody already has.

“Are you angry?” asked Wren.

“I was, until about six. Then I had the bread to see to.” The old woman held the glass against
the dark. “He isn’t a bad man, our Mr. Pym. He has been given a very small box and told to put
the sea in it. Anyone would be cross.”

“But what shall we do?”

“What we do every night. Pass me the cloth.”

Wren passed it. Below them the beam went round: over the water, over the rocks called the Seven
Aunts, over the water again. It took twelve seconds, as it always had. There were ships out
there whose captains had never seen Skerrin by day; but they knew it by that twelve seconds, as
you know a friend by the way she comes upstairs.

“When I was your age,” said Ottoline, “my mother wrote down what a keeper needs. I have it
somewhere.” It was in the flour bin, wrapped in oilcloth, and this is what it said:
"""
            ),
            Lines(
                (
                    "A good ear.",
                    "A bad memory for storms, or you will never sleep.",
                    "Dry matches, in three places.",
                    "Neighbours.",
                ),
                "list",
            ),
            *_pieces(
                """
“That’s all?” said Wren. “Neighbours? We haven’t any. The nearest is two and a half miles off.”

“Then it’s as well that they can see us,” said Ottoline, and she turned the lamp up.
"""
            ),
        ),
    ),
    Chapter(
        "The Longest Night",
        (
            *_pieces(
                """
=4

November went by in gales, and the mill ran day and night, as if the wind had been told and was
getting its work in early. Then, on the last evening of the month, it stopped.

It did not drop. It did not fade… It stopped, in the middle of a gust, like a man who has
remembered something. The sails swung once, and back, and hung still. For the first time since
she came there Wren heard the kitchen clock from the bottom of the stairs.

“Ottoline?”

“I know.”

“The lamp has stopped.”

“I know, child. Look at the sea.”

Wren looked, and there was no sea. There was fog: a great, soft, grey-white wall of it, leaning
on the land as a cow leans on a gate. The beam went out from the tower in one straight line and
stayed there, pointing at nothing, like a finger.

And that was the trouble. A light that turns says, _Here is Skerrin: keep away._ A light that
stands still might be anything. It might be a farm, or a star, or the harbour at Port Ennis,
nine miles east, where a captain might very well steer straight for it, over the backs of the
Seven Aunts.

Mr. Pym, who had come a day early with a crate marked FRAGILE, stood at the rail and turned his
hat round and round in his hands. “The new lamp,” he said. “I could fit the new lamp. It would
take me”—he counted—“until noon[^noon] tomorrow.”

Out in the fog, a long way off and lower than you would expect, a horn sounded. Then it sounded
again.

“Nearer,” said Wren.

***

They tried what there was to try. They oiled the shaft. They pushed the sails by hand, from the
gallery, with the long pole; it was like pushing a church. Ottoline took off her shoes and
leaned her whole small weight on the great wheel in the lamp room, and Wren leaned beside her,
and Mr. Pym hung his coat on a nail, to their surprise, and leaned too. The lamp moved by the
width of a hand. It stopped. They breathed. It moved by the width of a hand.

“How many,” said Mr. Pym, “would it take? To do it properly. Once round in twelve seconds.”

Ottoline thought. “My grandmother said forty. But that was a story.”

“Forty people?”

“Forty _pairs of hands_. She was particular.”

Wren had already gone. They heard her on the stairs, two at a time and then three; and then, from
the foot of the tower, a sound that nobody on Skerrin had heard for fifty years. She had found
the rope of the dinner bell.
"""
            ),
        ),
        part="Part Two: No Wind",
    ),
    Chapter(
        "Forty Pairs of Hands",
        (
            *_pieces(
                """
=5

You can hear a bell in fog. You cannot hear where it comes from, but everyone on the island knew
where there was a bell. They came up the sheep path with lanterns, in nightshirts and oilskins
and, in one case, a wedding hat. The baker came, and both of the Miss Tolleys. The schoolmaster
came, and the boy who brings the onions. The Rev. J. R. Oakes came with his trousers over his
pyjamas, carrying his grandfather’s boathook, because it was what he had.

“What is it?” they called. “Is it fire? Is it pirates?”

“It’s the wind!” shouted Wren, from the top step. “There isn’t any! We have to _be_ it!”

There was a short silence, while Skerrin looked at the sky, and then at its hands.

“Well,” said the elder Miss Tolley, and handed the younger one her lantern, “I have been called a
good many things. Where do I stand?”

Nobody said that this was foolish. That is one of the things about islands.
"""
            ),
            Mark("file"),
            *_pieces(
                """
=6

They filled the tower from the bottom to the top. They stood on all forty-one steps. They put
their hands to the shaft where it came down through the floors, to the wheel, to the spokes, to
the ropes, and to one another; and Ottoline Brae stood on a flour sack in the middle with a
wooden spoon, and beat time on the stove.

“Not fast!” she cried. “Even! Twelve to a turn! _Bread—and—boats!_”

“Bread—and—boats!” said the stairs.

It was dreadful, at first. The Miss Tolleys pushed in different directions, as they had all their
lives. The light gave a lurch, and a stagger, and a sort of hop. Then the stones began to turn,
down in the dark, with nothing between them; and the shaft began to hum; and everyone felt it
in the palms of their hands, all at once, as you feel a word that you had been trying to
remember. The beam swung out. It passed over the water. It passed over the Seven Aunts, 1, 2, 3,
4, 5, 6, 7, every one of them black and shining and _much_ too close to a tall white bow.

There was a crash of bells and a roar of voices. The bow stopped. It turned, so slowly that it
hurt to watch. And out of the fog, through a brass trumpet, came a voice, very shaken and very
polite:
"""
            ),
            Text(
                "« Bonsoir, Skerrin ! Nous avons failli prendre le petit déjeuner chez vous. »",
                language="fr",
            ),
            *_pieces(
                """
“What does he say?” asked Wren.

“He says good evening,” said Mr. Pym, who was at the ninth spoke with his sleeves torn, “and that
they very nearly came to breakfast.” He was laughing. It made a different man of him; you could
see, now, whom the hat had been measured for.

“Tell him,” said Ottoline, without missing a beat of the spoon, “that breakfast is at seven.”

They kept it up until the dawn: six hours and twenty minutes, or 1,900 turns. Nobody counted
except Mr. Pym. He could not help it.
"""
            ),
        ),
    ),
    Chapter(
        "A Loaf for the Board",
        (
            *_pieces(
                """
=7

The ship was the {fr:Belle Aurore}, out of Brest, with a cargo of clocks, and her whole crew came
to breakfast, all twenty-six of them. There was no bread, because nobody had thought to put any
barley in; so Wren tipped in a sack, and the forty took one more turn at the shaft, to a sea
song this time, and the captain of the {fr:Belle Aurore} said that it was the best loaf he had
eaten on land or off it. He said it in French, with his mouth full; but nobody needed Mr. Pym.

There were speeches, but not long ones. The captain gave Wren a clock. It was a beautiful clock,
with a painted moon, and it was exactly right; so they set it eleven minutes slow, and it has
kept very good time ever since. The baker said that he had never in his life been at the other
end of a loaf, as it were, and asked to see the stones. The boy who brings the onions fell asleep
on the cat, or the cat fell asleep on the boy. Accounts differ.

And Mr. Pym sat on the forty-first step with his notebook open on his knee, and did not count
anything at all.

“You pushed well,” said Wren, and sat down beside him.

“I was at school with a boy who rowed,” said Mr. Pym. “I always wondered what it was like.” He
turned a page. “Wren, how would you write it down? What happened here. If you had only a small
box to put it in.”

Wren considered. “I should write what it does,” she said, “and then I should write what it’s for.”

At eleven the wind came back. It came in at the door, as it always had, looked round at all the
muddy boots, and set to work.

Mr. Pym put on his hat. He unpacked the crate marked FRAGILE, took out the lamp that was the size
of a melon, and considered it. Then he asked whether there was, by any chance, a dark corner
that somebody might be glad of seeing into. So it went on the cellar stairs, where it is very
useful to the cat.

His report reached the Board on 12 December. It was the shortest that he ever wrote, and it hangs
there still, in a frame, opposite the window:
"""
            ),
            Text(
                "Station: Skerrin. Steps: 41. Keepers: 2, and neighbours. The lamp turns once in"
                " 12.0 seconds by wind and once in 12.0 seconds without it, which is better than"
                " any other lamp we have. I advise that nothing be changed. P.S. Very good bread.",
                "quote",
            ),
            *_pieces(
                """
And under the last line, if you look closely, somebody has drawn a duck.

The sails are still red. If you sail past Skerrin by night you can count the beam for yourself;
and if you come by day, take the sheep path, and knock. It is 2.5 miles, and it is all uphill.
But there will be somebody in, with flour to her elbows and a pencil behind her ear. She is
taller now. She will ask whether you came for the mill or the lighthouse.

“Yes,” you should say.

And she will give you an egg.
"""
            ),
        ),
    ),
)
