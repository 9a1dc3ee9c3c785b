"""German words: signs, currencies, genders of nouns."""

from __future__ import annotations

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european.language import CurrencyWords, Gender

_EURO = CurrencyWords("Euro", "Euro", "Cent", "Cent")
_DOLLAR = CurrencyWords("Dollar", "Dollar", "Cent", "Cent")
_FRANC = CurrencyWords("Franken", "Franken", "Rappen", "Rappen")
_MARK = CurrencyWords("Mark", "Mark", "Pfennig", "Pfennig", "f")
CURRENCIES = {
    "€": _EURO,
    "EUR": _EURO,
    "Euro": _EURO,
    "$": _DOLLAR,
    **dict.fromkeys(("US$", "USD$"), _DOLLAR),
    "Dollar": _DOLLAR,
    "USD": CurrencyWords("US-Dollar", "US-Dollar", "Cent", "Cent"),
    "£": CurrencyWords("Pfund", "Pfund", "Penny", "Pence", "n"),
    "¥": CurrencyWords("Yen", "Yen"),
    "CHF": _FRANC,
    "Fr.": _FRANC,
    "sFr.": _FRANC,
    "Franken": _FRANC,
    "DM": CurrencyWords("D-Mark", "D-Mark", "Pfennig", "Pfennig", "f"),
    "Mark": _MARK,
    **dict.fromkeys(("Mk.", "Mk", "Mrk."), _MARK),
    **dict.fromkeys(("Pf.", "Pfg."), CurrencyWords("Pfennig", "Pfennig")),
    **dict.fromkeys(("Thlr.", "Tlr.", "Thaler", "Taler"), CurrencyWords("Taler", "Taler")),
    **dict.fromkeys(("Rthlr.", "Rtlr."), CurrencyWords("Reichstaler", "Reichstaler")),
    **dict.fromkeys(("Sgr.", "Silbergr."), CurrencyWords("Silbergroschen", "Silbergroschen")),
    **dict.fromkeys(("fl.", "Fl."), CurrencyWords("Gulden", "Gulden")),
    **dict.fromkeys(("T€", "T €", "TEUR"), CurrencyWords("tausend Euro", "tausend Euro")),
    "RM": CurrencyWords("Reichsmark", "Reichsmark", "Pfennig", "Pfennig", "f"),
}
SCALES = {
    "Mio.": ("Million", "Millionen"),
    "Mio": ("Million", "Millionen"),
    "Million": ("Million", "Millionen"),
    "Millionen": ("Million", "Millionen"),
    **dict.fromkeys(("Mill.", "Mill"), ("Million", "Millionen")),
    "Mrd.": ("Milliarde", "Milliarden"),
    "Mrd": ("Milliarde", "Milliarden"),
    "Milliarde": ("Milliarde", "Milliarden"),
    "Milliarden": ("Milliarde", "Milliarden"),
    "Tsd.": ("tausend", "tausend"),
}
# As English prints them: “$5bn”.
SHORT_SCALES = {
    **dict.fromkeys(("m", "M", "mn"), ("Million", "Millionen")),
    **dict.fromkeys(("bn", "b", "B"), ("Milliarde", "Milliarden")),
}
SYMBOLS = {
    "&": "und",
    "%": "Prozent",
    "@": "at",
    "+": "plus",
    "=": "gleich",
    "×": "mal",
    "÷": "geteilt durch",
    "<": "kleiner als",
    ">": "größer als",
    "±": "plus minus",
    "≈": "ungefähr",
    "℔": "Pfund",
    "§§": "Paragrafen",
    "§": "Paragraf",
}
TELL_YEARS = words(
    """
    im in jahr jahre jahren jahres seit von bis um anno ab vor nach und sommer herbst winter
    frühjahr frühling ende anfang mitte januar februar märz april mai juni juli august september
    oktober november dezember jänner
    """
)
# Nouns that follow an ordinal without an article, as in a heading.
KNOWN_NOUNS: dict[str, Gender] = {
    **dict.fromkeys(
        words(
            """
            Akt Band Teil Tag Stock Weltkrieg Geburtstag Platz Abschnitt Satz Gesang Aufzug Auftritt
            Schritt Brief Bezirk Versuch Abend FC SC Preis Rang Spieltag
            """
        ),
        "m",
    ),
    **dict.fromkeys(
        words(
            """
            Auflage Szene Klasse Etage Woche Stunde Ausgabe Runde Strophe Person Liga Stufe Aufl
            Bundesliga Halbzeit Minute Mannschaft
            """
        ),
        "f",
    ),
    **dict.fromkeys(
        words(
            """
            Kapitel Jahrhundert Jh Jahrtausend Tausend Buch Bild Obergeschoss Semester Mal
            """
        ),
        "n",
    ),
}
GENDERS: dict[str, Gender] = {
    **KNOWN_NOUNS,
    **dict.fromkeys(
        words(
            """
            Jahr Kilo Kilogramm Gramm Pfund Prozent Grad Kind Haus Stück Glas Zimmer Auge Ende
            Gebäude Megabyte Gigabyte Uhr Drittel Viertel Ei Brot Blatt Huhn Messer Buch Dutzend
            """
        ),
        "n",
    ),
    **dict.fromkeys(
        words(
            """
            Name Junge Löwe Affe Hase Käse Kunde Zeuge Erbe Bote Glaube Wille Funke Friede Haufe
            Same Riese Rabe Neffe Ochse Falke Bube Knabe Experte Gatte Sklave Genosse Pate Franzose
            Russe Türke Pole Däne Schwede Chinese Brite Grieche Deutsche Beamte Insasse Laie
            Gefährte Gote Drache Nerv Bär Franken Termin Stein Wein Schein Verein Delfin Meter Liter
            """
        ),
        "m",
    ),
    **dict.fromkeys(
        words(
            """
            Stunde Minute Sekunde Woche Tonne Frau Stadt Nacht Tochter Mutter Schwester Mark Million
            Milliarde Person Hand Tür Wand Uhrzeit Kuh Zahl Maus Bank Zwiebel Kartoffel Paprika
            Zucchini Avocado Mango Semmel Gurke Handvoll Schachtel Flasche Muskatnuss Wurzel Nuss
            Birne Stange
            """
        ),
        "f",
    ),
}
# Persons of plays that are counted: “II. Jungfer”.
MEN_WHO_SPEAK = words(
    """
    Arbeiter Bauer Bote Bürger Chor Diener Edelmann Engel Gast Gesell Geselle Halbchor Herr Hirt
    Höfling Jäger Jüngling Kaufmann Kellner Knabe Knecht Lakai Mann Matrose Mönch Mörder Offizier
    Page Polizist Priester Rat Richter Ritter Räuber Schauspieler Schreiber Schüler Senator Soldat
    Student Teufel Trabant Wächter Zeuge
    """
)
WOMEN_WHO_SPEAK = words(
    """
    Bäuerin Bürgerin Dame Dienerin Frau Hexe Jungfer Jungfrau Magd Nonne Nymphe Schwester Sängerin
    Stimme Tochter Wache Zofe
    """
)
PLACES = words(
    """
    Kapitel Teil Band Akt Buch Szene Abschnitt Anhang Artikel Tafel Aufzug Gesang Phase Stufe Typ
    Klasse Kategorie Satz Heft
    """
)
# Printed after a postcode. Source: the cities of over 100,000 inhabitants.
CITIES = (
    "Aachen|Augsburg|Bamberg|Bayreuth|Bergisch|Berlin|Bielefeld|Bochum|Bonn|Bottrop|Brandenburg"
    "|Braunschweig|Bremen|Bremerhaven|Celle|Chemnitz|Cottbus|Darmstadt|Dessau|Dortmund|Dresden"
    "|Duisburg|Düsseldorf|Erfurt|Erlangen|Essen|Flensburg|Frankfurt|Freiburg|Fulda|Fürth"
    "|Gelsenkirchen|Gera|Gießen|Göttingen|Gütersloh|Hagen|Halle|Hamburg|Hamm|Hanau|Hannover"
    "|Heidelberg|Heilbronn|Herne|Hildesheim|Ingolstadt|Jena|Kaiserslautern|Karlsruhe|Kassel|Kiel"
    "|Koblenz|Köln|Konstanz|Krefeld|Leipzig|Leverkusen|Lübeck|Ludwigsburg|Ludwigshafen|Lüneburg"
    "|Magdeburg|Mainz|Mannheim|Marburg|Moers|Mönchengladbach|Mülheim|München|Münster|Neuss"
    "|Nürnberg|Oberhausen|Offenbach|Oldenburg|Osnabrück|Paderborn|Passau|Pforzheim|Potsdam"
    "|Recklinghausen|Regensburg|Remscheid|Reutlingen|Rosenheim|Rostock|Saarbrücken|Salzgitter"
    "|Schwerin|Siegen|Solingen|Stralsund|Stuttgart|Trier|Tübingen|Ulm|Villingen|Weimar|Wiesbaden"
    "|Wilhelmshaven|Witten|Wolfsburg|Worms|Wuppertal|Würzburg|Zwickau"
)
