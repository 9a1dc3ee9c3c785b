"""English G2P with tags by rules: marks, money, names and homographs."""

import re
import warnings

import pytest

from audiomill.renderers.kokoro.g2p.g2p import open_g2p
from audiomill.renderers.kokoro.g2p.requirements import fingerprint_of, warnings_of
from audiomill.renderers.kokoro.languages import LANGUAGES
from support.case_files import each_row
from support.kokoro_text_data import ENGLISH, V1_0, cached_g2p, said

# A sentence with its homographs between stars, and their phonemes.
HOMOGRAPHS = """
I will *read* the letter tomorrow.|ɹˈid
She *read* the letter and wept.|ɹˈɛd
He had *read* it twice.|ɹˈɛd
When we had all three *read* this, he left.|ɹˈɛd
The letter was *read* aloud in court.|ɹˈɛd
They *read* it yesterday.|ɹˈɛd
To *read* well is to think well.|ɹˈid
I *read* every night before I sleep.|ɹˈid
Did you *read* it?|ɹˈid
Don't *read* my diary.|ɹˈid
Sit down and *read*.|ɹˈid
He sat down and *read*.|ɹˈɛd
*Read* this aloud.|ɹˈid
He opened the door and *read* the names.|ɹˈɛd
She opened it, *read* the first line, and turned pale.|ɹˈɛd
He could neither *read* nor write.|ɹˈid
The sign, which *read* "No entry", had gone.|ɹˈɛd
We *read* about it in the papers this morning.|ɹˈɛd
They *live* in a small house.|lˈɪv
Many people *live* here.|lˈɪv
She wants to *live* by the sea.|lˈɪv
The band played *live* music.|lˈIv
The show was *live*.|lˈIv
The sky, whose *live* vividness scorches him, fell.|lˈIv
They heard *live* music.|lˈIv
It went *live* at noon.|lˈIv
Long *live* the king!|lˈɪv
This is where the fishermen *live*.|lˈɪv
She settled in a corner to *live* life.|lˈɪv
My uncle *lives* in Leeds.|lˈɪvz
Where he *lives* is a secret, but the woman *lives* alone.|lˈɪvz lˈɪvz
They saved nine *lives*.|lˈIvz
Some *houses* burned and *lives* were lost.|hˈWzᵻz lˈIvz
The *wind* blew hard.|wˈɪnd
You must *wind* the clock.|wˈInd
The path *winds* through the valley.|wˈIndz
Strong *winds* are expected.|wˈɪndz
He *wound* the clock.|wˈWnd
The *wound* healed slowly.|wˈund
I *use* a pencil.|jˈuz
What is the *use* of it?|jˈus
It is of no *use*.|jˈus
She put it to *use*.|jˈus
She *uses* a wheelchair.|jˈuzᵻz
It has many *uses*.|jˈusᵻz
They felt it mightily *close* and damp.|klˈOs
He took it with a grateful *bow*, and I made him *bow*.|bˈW bˈW
Pin the *bows* on the inside.|bˈOz
Now are you *content*?|kəntˈɛnt
The remedies *appropriate* to them are strong.|əpɹˈOpɹiət
They *appropriate* it to themselves.|əpɹˈOpɹiˌAt
I feel a deep and *deliberate* conviction.|dəlˈɪbəɹət
We wish to temper and *moderate* them.|mˈɑdəɹˌAt
It was simply an *elaborate* sell.|əlˈæbəɹət
Ye *insult* me, and he does not kill or *insult* anyone.|ɪnsˈʌlt ɪnsˈʌlt
So all this *row* was because you stayed.|ɹˈW
*Blessed* are they that mourn.|blˈɛsɪd
The mate, half in fun, *cursed* Pip aloud on this *cursed* ship.|kˈɜɹst kˈɜɹsɪd
They durst not *consort* with the crew.|kənsˈɔɹt
This will enforce dependence and *invite* corruption.|ɪnvˈIt
She sent an *invite*.|ˈɪnvˌIt
My heart had turned to *lead*, boiling *lead*.|lˈɛd lˈɛd
With a pretty, playful *bow* she left.|bˈW
With wealth came *increase* of strength.|ˈɪnkɹˌis
It may diminish or *increase*.|ɪnkɹˈis
They pass that *use* to others.|jˈus
My Lords *Bass* and Burton will wait.|bˈæs
Plants evidently *produce* living cells.|pɹədˈus
He might at a pinch *excuse* himself.|ɪkskjˈuz
I will break the tree and *tear* it up.|tˈɛɹ
By a slow, upward *progress* in time they won.|pɹˈɑɡɹəs
It makes distant *objects* to appear near, but Jane *objects* to it.|ˈɑbʤəkts əbʤˈɛkts
He lays the table, and then *proceeds* to wait.|pɹəsˈidz
The *proceeds* of the sale were small.|pɹˈOsˌidz
A frieze of figure *subjects* in baked clay ran there.|sˈʌbʤɛkts
I *used* to swim.|jˈust
She *used* the knife.|jˈuzd
The tool is *used* to cut wood.|jˈuzd
He was *used* to the noise.|jˈust
*Close* the window, please.|klˈOz
The shop will *close* soon.|klˈOz
They sat *close* together.|klˈOs
She is a *close* friend.|klˈOs
The evening drew to a *close*.|klˈOz
They came to *close* quarters.|klˈOs
She went out and *closed* it, but not to *close* the shutters.|klˈOzd klˈOz
They want to *record* a song.|ɹəkˈɔɹd
She broke the *record*.|ɹˈɛkəɹd
He *records* everything.|ɹəkˈɔɹdz
World *records* fell.|ɹˈɛkəɹdz
*Record* the meeting.|ɹəkˈɔɹd
This is a *present* for you.|pɹˈɛzᵊnt
They will *present* the prize.|pɹizˈɛnt
All members were *present*.|pɹˈɛzᵊnt
The *object* on the table is mine.|ˈɑbʤəkt
They did not *object*.|əbʤˈɛkt
The *project* failed.|pɹˈɑʤˌɛkt
They *project* a loss.|pɹəʤˈɛkt
Metals *contract* in the cold.|kəntɹˈækt
She will *conduct* the choir.|kəndˈʌkt
Prices will *increase*.|ɪnkɹˈis
The *increase* was small.|ˈɪnkɹˌis
They *rebel* against him.|ɹəbˈɛl
You must *perfect* your skill.|pəɹfˈɛkt
A *tear* ran down her cheek.|tˈɪɹ
Don't *tear* the paper.|tˈɛɹ
There was a *tear* in his coat.|tˈɛɹ
There was a *tear* in her eye.|tˈɪɹ
You must *bow* to the queen.|bˈW
He made a low *bow*.|bˈW
He stood at the *bow* of the ship.|bˈW
She heard the oars, and then there was the *bow*.|bˈW
She tied a *bow* in her hair.|bˈO
He drew his *bow* and shot an arrow.|bˈO
They *separate* the eggs.|sˈɛpəɹˌAt
They have *separate* rooms.|sˈɛpəɹət
Wait a *minute*.|mˈɪnət
The *minute* details matter.|mInˈut
It was *minute*, hardly visible.|mInˈut
The *content* of the book is good.|kˈɑntɛnt
She was *content* with her lot.|kəntˈɛnt
They can *house* ten people.|hˈWz
I *refuse* to go.|ɹəfjˈuz
They took out the *refuse*.|ɹˈɛfjˌus
Please *excuse* me.|ɪkskjˈuz
He gave no *excuse*.|ɪkskjˈus
Soldiers *desert* in war.|dəzˈɜɹt
The *desert* is dry.|dˈɛzəɹt
*Estimate* the cost.|ˈɛstəmˌAt
In *that* house, to *that* end, all *that* noise; so rich *that* he slept.|ðˈæt ðˈæt ðˈæt ðæt
So well, *that* Jane left.|ðæt
It was a *deliberate* act.|dəlˈɪbəɹət
I *suspect* him.|səspˈɛkt
I know *that* he lied.|ðæt
The dog *that* bit me ran off.|ðæt
*That* is all.|ðˈæt
I like *that* one.|ðˈæt
What is *that*?|ðˈæt
They came *in*.|ˈɪn
They are *in* the house.|ɪn
She walked *by*.|bˈI
*Lead* pipes are poison.|lˈɛd
It was as heavy as *lead*.|lˈɛd
They *lead* the way.|lˈid
He turned *lead* into gold, and *lead* and copper into iron.|lˈɛd lˈɛd
They made a *row* about it in a *row* of houses.|ɹˈW ɹˈO
The fish was a *bass*.|bˈæs
She sang a *bass* aria.|bˈAs
He withdrew with a courteous *bow*.|bˈW
The *bows* of the boat were high.|bˈWz
He had *bows* and arrows.|bˈOz
They felled it with *axes*; the *axes* fell.|ˈæksᵻz ˈæksᵻz
The *axes* of the plot are equal.|ˈæksˌiz
I am *used* to children.|jˈust
It is of no *use*; he found it more costly to *use*.|jˈus jˈuz
*Use* headings, and people *use* lists.|jˈuz jˈuz
Jekyll *uses* templates.|jˈuzᵻz
She was brought to *tears* by wear and *tear*.|tˈɪɹz tˈɛɹ
That *wound* up the tale.|wˈWnd
It came to a *close*, and she stood *close* to him.|klˈOz klˈOs
She drew *closer*.|klˈOsəɹ
He got his *deserts*.|dəzˈɜɹts
*Excuse* me; he made *excuses*.|ɪkskjˈuz ɪkskjˈusᵻz
The *invalid* slept in an *invalid* state.|ˈɪnvəlɪd ɪnvˈælɪd
She seemed *content*.|kəntˈɛnt
He read my *resume*, and they *resume* work.|ɹˈɛzəmˌA ɹəzˈum
An *aged* man, *aged* ninety.|ˈAʤɪd ˈAʤd
The *blessed* day; he *blessed* it.|blˈɛsɪd blˈɛst
That *cursed* land; he *cursed* it.|kˈɜɹsɪd kˈɜɹst
My *beloved* son, *beloved* of all.|bəlˈʌvɪd bəlˈʌvd
A *learned* man had *learned* it.|lˈɜɹnɪd lˈɜɹnd
He was *upset* *overhead* and *inside* it.|ˌʌpsˈɛt ˌOvəɹhˈɛd ɪnsˈId
This *affects* all; Debian *permits* free use; it *consists* of it.|əfˈɛkts pəɹmˈɪts kənsˈɪsts
He *resumes* his song.|ɹəzˈumz
Bait, n. *A* preparation.|ɐ
A G *I* F, as *I* said.|ˈI ˌI
They came *in* that day, and *in* about an hour.|ɪn ɪn
Vitamin *A* helps *a* child.|ˈA ɐ
He thought it *a* “gaudy lie”, and *a* (bad) one.|ɐ ɐ
*A* “gaudy lie” about vitamin *A* (retinol).|ɐ ˈA
The *US* told *us*.|jˌuˈɛs ˌʌs
""".strip().splitlines()


@pytest.mark.parametrize("line", HOMOGRAPHS, ids=lambda line: line.split("|")[0])
def test_homographs_are_distinguished(line):
    starred, expected = line.split("|")
    text = starred.replace("*", "")
    places = [match.start() - 2 * n for n, match in enumerate(re.finditer(r"\*\w+\*", starred))]
    phonemes = cached_g2p("a").phonemes(text)
    phonemes_at = {word.start: phonemes.text[word.first : word.last] for word in phonemes.words}
    assert " ".join(phonemes_at[place] for place in places) == expected


@each_row
def test_marks_money_and_numbers(text, phonemes):
    expected = phonemes or (
        "ɪn nˌIntˈin ˈATi fˈɔɹ, twˈɛnti wˈʌn ʌv θɹˈi hˈʌndɹəd lˈɛft æt tˈɛn θˈɜɹTi."
    )
    assert cached_g2p("a").phonemes(text).text == expected


def test_british_english_has_its_own_phonemes():
    assert cached_g2p("b").phonemes("The bath water, for a start.").text == (
        "ðə bˈɑːθ wˈɔːtə, fɔː ɐ stˈɑːt."
    )
    assert cached_g2p("b").phonemes("Two graves, denied.").text == "tˈuː ɡɹˈAvz, dɪnˈId."


def test_words_have_the_right_characters():
    text = "“It’s $5, isn’t it?” Mr. Smith-Jones asked 21 times."
    assert said(cached_g2p("a").phonemes(text), text) == [
        ("It’s", "ˌɪts"),
        ("$5", "fˈIv dˈɑləɹz"),
        ("isn’t", "ˈɪzᵊnt"),
        ("it", "ɪt"),
        ("Mr.", "mˈɪstəɹ"),
        ("Smith-Jones", "smˌɪθʤˈOnz"),
        ("asked", "ˈæskt"),
        ("21", "twˈɛnti wˈʌn"),
        ("times", "tˈImz"),
    ]


def test_given_phonemes_are_used():
    text = "The [Kokoro](/kˈOkəɹO/) model."
    phonemes = cached_g2p("a").phonemes(text)
    assert phonemes.text == "ðə kˈOkəɹO mˈɑdᵊl."
    assert said(phonemes, text)[1] == ("[Kokoro](/kˈOkəɹO/)", "kˈOkəɹO")


def test_other_brackets_are_text():
    text = "See [the docs](/usr/bin/) [here](+2)."
    words = [word for word, _ in said(cached_g2p("a").phonemes(text), text)]
    assert words == ["See", "the", "docs", "/usr/bin/", "here", "+2"]


@each_row
def test_text_that_cannot_be_said_gets_a_remark(text, remarks):
    actual = cached_g2p("a").phonemes(text).remarks
    assert [(text[one.start : one.end], one.words) for one in actual] == remarks


def test_numbers_too_large_for_a_name_are_said():
    phonemes = cached_g2p("a").phonemes("9" * 400)
    assert phonemes.text.count("nˈIn") > 200
    assert phonemes.remarks == ()


def test_phonemes_equal_upstream_with_the_same_tokens_and_tags():
    sentences = [
        "The mill stood by the river, and nobody knew who had built it.",
        "Mrs. Hale's brother-in-law (the younger) bought 12 ships in 1871!",
        "“Unbelievable,” whispered Dr. Okonkwo; “it can’t have cost $4,250.”",
        "She re-read Xylophanes’ letters: a quixotic, flibbertigibbet prose...",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        upstream = _upstream_g2p()
    for text in sentences:
        theirs = "".join(one for one in upstream(text)[0].strip() if one in V1_0.vocab)
        assert cached_g2p("a").phonemes(text).text == theirs


def _upstream_g2p():
    """misaki's G2P as KPipeline creates it, but with `RuleTagger` instead of spaCy's model."""
    from misaki import en, espeak

    ours = cached_g2p("a")._language_g2p._misaki

    class Upstream(en.G2P):
        def __init__(self):
            self.version, self.british, self.unk = None, False, ""
            self.lexicon = en.Lexicon(british=False)
            self.fallback = espeak.EspeakFallback(british=False)

        def tokenize(self, text, tokens, features):
            return ours.tokenize(text, tokens, features)

    return Upstream()


def test_words_equal_those_of_spacys_tokenizer():
    import spacy

    text = " ".join(line.split("|")[0] for line in HOMOGRAPHS) + " $5-a-day 3rd e.g. I'd’ve 10:30am"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = spacy.blank("en").tokenizer(text)
    ours = cached_g2p("a")._language_g2p._misaki._tokenizer(text)
    assert [token.text for token in ours] == [token.text for token in theirs]


def test_spacys_model_is_used_if_it_is_installed(monkeypatch):
    """A fake model has spaCy's tokenizer, and tags that the rules would not give."""
    import spacy
    from spacy.language import Language as Pipeline

    @Pipeline.component("only_adjectives")
    def only_adjectives(doc):
        for token in doc:
            token.tag_ = "JJ" if token.is_alpha else "."
        return doc

    loaded = []

    def load(name, enable):
        loaded.append((name, enable))
        nlp = spacy.blank("en")
        nlp.add_pipe("only_adjectives")
        return nlp

    monkeypatch.setattr(spacy, "load", load)
    monkeypatch.setattr("audiomill.renderers.kokoro.g2p.requirements.version", _fake_version)
    tagged = open_g2p(LANGUAGES["a"], V1_0)
    assert loaded == [("en_core_web_sm", ["tok2vec", "tagger"])]
    assert warnings_of(ENGLISH) == ()
    assert "en_core_web_sm 3.8.0" in fingerprint_of(ENGLISH, V1_0)
    assert tagged.phonemes("Read a minute.").text == "ɹˈɛd ˈA mInˈut."
    # The model takes these endings for marks: no "Jane S", and no "do" without "not".
    assert tagged.phonemes("Jane’s? Don’t!").text == "ʤˈAnz? dˈOnt!"
    assert tagged.phonemes("’Tis o’ no use").text == "tˈɪz ə nˈO jˈus"
    assert tagged.phonemes("bass; bows; excuse me").text == "bˈAs; bˈWz; ɪkskjˈuz mˌi"


def _fake_version(package):
    return "3.8.0" if package == "en_core_web_sm" else "1"


def test_without_spacys_model_there_is_one_warning():
    (warning,) = warnings_of(ENGLISH)
    assert "python -m spacy download en_core_web_sm" in warning
    assert "tags by rule" in fingerprint_of(ENGLISH, V1_0)
