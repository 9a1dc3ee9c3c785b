"""What is said in English, in American and in British print, and by whom."""

import pytest

from support.casting_data import marked_dialogue, plain

AMERICAN = [
    "{|“The boat leaves at six,”} she said.",
    "{Ruth|“Go,”} said Ruth, {Ruth|“before the tide turns.”}",
    "{Ruth|“Go!”} Ruth shouted. {Ruth|“They are here.”}",
    "{|“Who left the lamp on?”} he asked Ruth.",
    "{|“It’s the keeper’s coat,”} he said, {|“and his boots.”}",
    "{Mr. Alder|“We close at five,”} said Mr. Alder. {Mr. Alder|“No later.”}",
    "{Dr. Osei|“Rest,”} Dr. Osei said, {Dr. Osei|“and drink some water.”}",
    "Ruth said, {Ruth|“I never saw that letter.”}",
    "Ruth whispered to him, {Ruth|“Not a word.”}",
    "He turned. {|“You again.”}",
    "He wrote three words: {|“Come at once.”}",
    "{|“Stop.”} Ruth returned to the window.",
    "{|“Stop.”} Tom laughed.",
    "{|“So you’re the one who read ‘The Ferry’ aloud?”} she asked.",
    "They called it “the long room” and never went in.",
    "The “doctor” had no bag.",
    "“The Ferry” is a short poem.",
    "She had underlined “never” twice.",
    "The sign on the “new” pier was ninety years old.",
    "{|“Yes.”}",
    "{|“I thought—”}",
    "{|“He told me, ‘Wait by the gate,’ so I waited,”} she said.",
    "{|“If you”}—he coughed—{|“if you wish.”}",
    "{Ruth|“I do,”} said Ruth. Tom shook his head. {|“You don’t.”}",
    "{Ruth|“Go,”} said Ruth. {|“Why?”} he asked.",
    "{Ruth|“Left,”} said Ruth. {Tom|“Right,”} said Tom.",
    "{|“Run,”} said Ruth’s mother.",
    "{|“Run,”} said Ruth and Tom.",
    "{|“Run,”} the boy said.",
    "{|“Run,”} nobody said.",
    "The brother of Ruth said, {|“Run.”}",
    '{Ruth|"It\'s dark in the hall,"} said Ruth.',
    '{|"Who\'s there?"} he called.',
    'A "friend" had sent it.',
    "{I|“Never,”} I said, {I|“and you know it.”}",
    "{Captain Hale|“Ahoy!”} cried Captain Hale.",
    "He had answered, “yes” or “no,” and she forgot which.",
]
BRITISH = [
    "{|‘The boat leaves at six,’} she said.",
    "{Ruth|‘Go,’} said Ruth, {Ruth|‘before the tide turns.’}",
    "{Ruth|‘Go!’} Ruth shouted. {Ruth|‘They’re here.’}",
    "{|‘It’s the keeper’s coat,’} he said, {|‘and the boys’ boots.’}",
    "{|‘That’s the dogs’ home,’} he said, tying the horses’ reins.",
    "{Tom|‘I was only goin’,’} said Tom.",
    "{Tom|‘Rock ’n’ roll won’t last,’} said Tom.",
    "{Mr Alder|‘We close at five’}, said Mr Alder.",
    "{|‘Did she say “never”?’} he asked.",
    "{|‘He told me, “Wait by the gate,” so I waited,’} she said.",
    "Ruth said, {Ruth|‘I never saw that letter.’}",
    "He turned. {|‘You again.’}",
    "He wrote three words: {|‘Come at once.’}",
    "{|‘Stop.’} Ruth returned to the window.",
    "They called it ‘the long room’ and never went in.",
    "The ‘doctor’ had no bag.",
    "The sailors’ wives and the boys’ aunts waited on the ‘new’ pier.",
    "’Twas late, and the dogs’ bowls were empty.",
    "‘Tis late, he thought, and the dogs’ bowls are empty.",
    "{|‘Yes.’}",
    "{|‘I thought—’}",
    "{Ruth|‘I do,’} said Ruth. Tom shook his head. {|‘You don’t.’}",
    "{Ruth|‘Left,’} said Ruth. {Tom|‘Right,’} said Tom.",
    "{|‘Run,’} said Ruth’s mother.",
    "{Ruth|'It's the dogs' home,'} said Ruth.",
    "{|'Who's there?'} he called.",
    "The boys' coats and the girls' hats hung in the hall.",
    "In the '90s the boys' school closed, and 'twas sold.",
    "{Miss O’Hara|‘Quite,’} said Miss O’Hara. {Miss O’Hara|‘It can’t be helped.’}",
    "{|‘The others’ tickets’}, she said, {|‘are mine.’}",
    "{I|‘Never’}, I said.",
    "{|‘The cook’s, the maids’, and the porter’s rooms are upstairs,’} she said.",
]


@pytest.mark.parametrize("case", AMERICAN)
def test_american_print(case):
    assert marked_dialogue("en-US", plain(case)) == [case]


@pytest.mark.parametrize("case", BRITISH)
def test_british_print(case):
    assert marked_dialogue("en-GB", plain(case)) == [case]


def test_the_whole_book_decides_which_marks_are_outer_ones():
    american = ["“One,” he said.", "“Two,” he said.", "‘Three’ was a word."]
    assert marked_dialogue("en-GB", *american)[2] == american[2]
    british = ["‘One,’ he said.", "‘Two,’ he said.", "“Three,” he read on the wall."]
    assert marked_dialogue("en-US", *british)[2] == british[2]


OVER_PARAGRAPHS = [
    [
        "{Ruth|“The first winter was mild.}",
        "{Ruth|“The second was not,”} said Ruth. {Ruth|“Nobody forgets it.”}",
    ],
    [
        "{Tom|“I rowed,”} said Tom. {Tom|“I rowed all night.}",
        "{Tom|“At dawn I saw land.}",
        "{Tom|“It was no island.”}",
        "{|“No?”}",
    ],
    ["{|‘The first winter was mild.}", "{|‘The second was not.’}", "He sat down."],
    # A closing mark is missing, and the next paragraph does not go on.
    ["“The first winter was mild.", "He sat down."],
    ["“The first winter was mild.", "He sat down. {|“The second was not.”}"],
]


@pytest.mark.parametrize("case", OVER_PARAGRAPHS)
def test_a_speech_over_several_paragraphs(case):
    assert marked_dialogue("en", *map(plain, case)) == case
