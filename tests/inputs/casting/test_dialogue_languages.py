"""What is said in German, French, Spanish, Italian and Portuguese print, and by whom."""

import pytest

from audiomill.inputs.casting.dialogue import english_conventions, find_dialogue
from audiomill.inputs.model.book import Block, BlockKind
from support.casting_data import marked_dialogue, plain

GERMAN = [
    "{Karl|„Das Boot fährt um sechs“}, sagte Karl.",
    "{Karl|„Geh“}, rief Karl, {Karl|„bevor die Flut kommt!“}",
    "{|»Wer hat das Licht gelöscht?«}, fragte er.",
    "{Herr Albers|»Wir schließen«}, sagte Herr Albers. {Herr Albers|»Keine Minute später.«}",
    "Karl sagte: {Karl|„Ich habe den Brief nie gesehen.“}",
    "Da rief Marta: {Marta|»Halt!«}",
    "{|„Nein“}, sagte der Müller.",
    "{|„Nein“}, sagten Karl und Marta.",
    "Sie nannten es »das lange Zimmer« und gingen nie hinein.",
    "Der „Doktor“ hatte keine Tasche.",
    "{|„Hast du den Aufsatz ‚Die Fähre‘ gelesen?“}, fragte sie.",
    "{Karl|«Nein»}, sagte Karl.",
    "{|„Halt.“} Karl kehrte um.",
    "Er schwieg. {|„Und du?“}",
    "{Karl|„Links“}, sagte Karl. {Marta|„Rechts“}, sagte Marta.",
    "Der Bruder von Marta sagte: {|„Nie.“}",
]
FRENCH = [
    "{|« Le bateau part à six heures »}, dit-il.",
    "{Emma|« Oui,} dit Emma, {Emma|je viens tout de suite. »}",
    "{Emma|— Je viens,} dit Emma.",
    "{|— Je viens,} dit-elle en souriant. {|Attends-moi.}",
    "{Paul|— Qui est là ?} demanda Paul.",
    "{Paul|— Qui est là ?} demanda Paul. {|— Moi.}",
    "{|— Rien du tout.}",
    "Elle se retourna : {|« Encore vous ! »}",
    "Emma répondit : {Emma|« Je n’ai jamais vu cette lettre. »}",
    "On l’appelait « la longue salle » et personne n’y entrait.",
    "{|— Non,} s’écria-t-il, {|je ne veux pas.}",
    "{|– Peut-être,} murmura le vieil homme.",
    "{|« Tu viens ? »}",
]
SPANISH = [
    "{Elena|—Vamos} —dijo Elena—. {Elena|El barco sale a las seis.}",
    "{|—¿Quién apagó la luz?} —preguntó él.",
    "{|—No lo sé.}",
    "{|—La casa —la vieja, digo— se cae.}",
    "{Pablo|—Sí} —le respondió Pablo—, {Pablo|ahora mismo.}",
    "{Elena|«Vamos»}, dijo Elena.",
    "Elena dijo: {Elena|«Nunca vi esa carta.»}",
    "Lo llamaban «el cuarto largo» y nadie entraba.",
    "{|—Espera.} —Pablo cerró la puerta—. {|Ya está.}",
    "{|“¡Otra vez tú!”}",
    "Pensó en el «doctor» sin maletín.",
    "{don Luis|—Basta} —gritó don Luis.",
]
ITALIAN = [
    "{Anna|«Vieni»}, disse Anna, {Anna|«la barca parte alle sei»}.",
    "{|«Chi ha spento la luce?»} chiese lui.",
    "{Anna|“Vieni”}, disse Anna.",
    "{Anna|— Vieni,} — disse Anna. — {Anna|Subito.}",
    "{|— Non lo so.}",
    "Anna rispose: {Anna|«Non ho mai visto quella lettera.»}",
    "La chiamavano «la stanza lunga» e nessuno vi entrava.",
    "Il «dottore» non aveva la borsa.",
    "{|«Ancora tu!»}",
    "{|«Fermo.»} Paolo tornò alla finestra.",
    "{Paolo|«Mai»}, gridò Paolo. {Paolo|«Mai più.»}",
    "Si voltò. {|«E tu?»}",
]
PORTUGUESE = [
    "{Helena|— Vamos} — disse Helena. — {Helena|O barco sai às seis.}",
    "{|— Quem apagou a luz?} — perguntou ele.",
    "{|— Não sei.}",
    "{|— Eu — acho que não.}",
    "{Pedro|— Sim} — respondeu Pedro —, {Pedro|agora mesmo.}",
    "{Helena|“Vamos”}, disse Helena.",
    "Helena disse: {Helena|“Nunca vi essa carta.”}",
    "Chamavam-lhe “a sala comprida” e ninguém entrava.",
    "{|— Espera.} — Pedro fechou a porta. — {|Pronto.}",
    "{|«Outra vez tu!»}",
    "O “doutor” não trazia mala.",
    "{dona Rita|— Basta} — gritou dona Rita.",
]
CASES = {"de": GERMAN, "fr": FRENCH, "es": SPANISH, "it": ITALIAN, "pt-BR": PORTUGUESE}


@pytest.mark.parametrize(
    ("language", "case"), [(language, case) for language in CASES for case in CASES[language]]
)
def test_dialogue(language, case):
    assert marked_dialogue(language, plain(case)) == [case]


def test_a_speech_over_several_paragraphs():
    german = [
        "{Karl|„Der Winter war mild“}, sagte Karl. {Karl|„Der zweite nicht.}",
        "{Karl|„Nie.“}",
    ]
    assert marked_dialogue("de", *map(plain, german)) == german
    french = ["{|« L’hiver fut doux.}", "{|» Le second fut rude. »}", "Il se tut."]
    assert marked_dialogue("fr", *map(plain, french)) == french


def test_a_language_without_conventions_has_no_dialogue():
    assert marked_dialogue("fi", "”Lähde”, hän sanoi.") == ["”Lähde”, hän sanoi."]


def test_each_language_has_its_cases():
    assert all(len(cases) >= 10 for cases in CASES.values())


HOSTILE_QUOTES = {
    "opening": "“" * 19_000 + "a",
    "many": "“Go.” " * 3_000,
    "single": "‘a’ " * 4_000,
    "apostrophes": "‘a" + "s’ a" * 4_000,
    "straight": "'a " * 6_000,
    "dashes": "—a. —A. " * 2_000,
    "tags": "— A, dit Emma, " * 1_200,
    "nested": "«" * 9_000 + "a" + "»" * 9_000,
    "long": "“a” " * 5_001,
}


@pytest.mark.parametrize("language", ["en", "en-GB", *CASES])
@pytest.mark.parametrize("name", HOSTILE_QUOTES)
def test_hostile_marks_are_searched_in_no_time(name, language):
    """Ranges of speech are in order, and within the text; none takes the square of its length."""
    block = Block(BlockKind.PARAGRAPH, HOSTILE_QUOTES[name])
    (found,) = find_dialogue([block], language, english_conventions([block.text], language))
    ends = [end for speech in found for end in (speech.start, speech.end)]
    assert ends == sorted(ends)
    assert ends == [] or 0 <= ends[0] < ends[-1] <= len(block.text)
    assert all(speech.start < speech.end for speech in found)
