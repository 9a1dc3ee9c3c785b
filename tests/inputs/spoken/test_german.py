"""German in words: as written, as spoken."""

# ruff: noqa: E501

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.de.language import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said

GERMANY = """
Von dem König Ludwig XVIII. und des Kaisers Karl V., den Papst Pius IX. | Von dem König Ludwig dem Achtzehnten und des Kaisers Karl des Fünften, den Papst Pius den Neunten
Von seinem Bruder Ludwig XVIII. ernannt, am 29. um 8h nachm. | Von seinem Bruder Ludwig dem Achtzehnten ernannt, am neunundzwanzigsten um acht Uhr nachm.
1–2. Bd. Das Märchen, 19. Bd. Skizzen, im 2. Bd. | erster bis zweiter Band Das Märchen, neunzehnter Band Skizzen, im zweiten Band
In einer Höhe von etwa 60' seine; 2" breite; 5' 3" hoch; 15 Kop. = ca. 35 Pf. | In einer Höhe von etwa sechzig Fuß seine; zwei Zoll breite; fünf Fuß drei Zoll hoch; fünfzehn Kop. gleich circa fünfunddreißig Pfennig
Auf König Friedrich Wilhelm IV. schoß er | Auf König Friedrich Wilhelm den Vierten schoß er
Wie Eli 1 Buch Sam. II, 12 und im 2. Buch Mose 4 | Wie Eli erstes Buch Samuel zwei, zwölf und im zweiten Buch Mose vier
Auf 2 ¹/2 Millionen; 15⁰/0, 7,3⁰/0; 2¹/4 Meter; König Ethelred (978-1016); das Allg. Kirchenblatt | Auf zweieinhalb Millionen; fünfzehn Prozent, sieben Komma drei Prozent; zwei ein Viertel Meter; König Ethelred (neunhundertachtundsiebzig bis tausendsechzehn); das Allgemeine Kirchenblatt
2. bis 30. April Aufenthalt; zwischen 10. und 15. Juni; Ende Juli und 1. August; Brosch. M. 4.50 geb. m. G. M. 5.50 | zweiter bis dreißigster April Aufenthalt; zwischen zehnten und fünfzehnten Juni; Ende Juli und ersten August; Brosch. M. vier Punkt fünfzig gebunden m. G. M. fünf Punkt fünfzig
21. BIS 40. TAUSEND | einundzwanzigstes bis vierzigstes TAUSEND
Er wurde 1782 Monopol; HAMBURG 1910 GEBRÜDER; in der alten 2. Klasse; Weimar d 12 Dec. 1798; Jena 31. Jenn. 96 | Er wurde siebzehnhundertzweiundachtzig Monopol; HAMBURG neunzehnhundertzehn GEBRÜDER; in der alten zweiten Klasse; Weimar den zwölften Dezember siebzehnhundertachtundneunzig; Jena einunddreißigster Januar sechsundneunzig
Die Last, die man trägt, ist 150 Pf. Salz; Plattform des Forts. Die (Forts. folgt) kostet 20 Pf.; 0.034; 1.177 | Die Last, die man trägt, ist hundertfünfzig Pfund Salz; Plattform des Forts. Die (Fortsetzung folgt) kostet zwanzig Pfennig; null Punkt null drei vier; eins Punkt eins sieben sieben
2 Bände. Elegant geb. M. 7; 300; „; 3,600.—; 2,400 | zwei Bände. Elegant gebunden M. sieben; dreihundert; „; dreitausendsechshundert.—; zweitausendvierhundert
In Str. 1 (Str. 3), Berliner Str. 12, bei 8,958 Menschen, 8,958 m | In Strophe eins (Strophe drei), Berliner Straße zwölf, bei achttausendneunhundertachtundfünfzig Menschen, acht Komma neun fünf acht Meter
1/2 Apfel, 1/2 Zwiebel, 1/2 Ei | ein halber Apfel, eine halbe Zwiebel, ein halbes Ei
Die 2. Aufl. (rd. 3 %) ggü. dem Jahr; 10 Stk.; die Fa. Meier kam. | Die zweite Auflage (rund drei Prozent) gegenüber dem Jahr; zehn Stück; die Firma Meier kam.
Sog. Fachleute, die sog. Reichen, ein sog. Haus, mit der sog. Straße, sog. Kinder | Sogenannte Fachleute, die sogenannten Reichen, ein sogenanntes Haus, mit der sogenannten Straße, sogenannte Kinder
Mit 9,81 m·s⁻² fällt er | Mit neun Komma acht eins Meter pro Sekunde hoch zwei fällt er
In Listing 2-3, Tabelle 2-3, Anhang C, Anhang II | In Listing zwei-drei, Tabelle zwei-drei, Anhang C, Anhang zwei
z.B. 1_000 und 98_222 | zum Beispiel tausend und achtundneunzigtausendzweihundertzweiundzwanzig
Wie Joh 3,16, Lukas 2:7 und 1. Korinther 13,4-7 sagen, zahlt Lukas 1,80 Euro. | Wie Johannes drei, sechzehn, Lukas zwei, sieben und erster Korinther dreizehn, vier bis sieben sagen, zahlt Lukas ein Euro achtzig.
Das Fest geht von 1. bis 3. Mai und von 12. bis 14. Juli. | Das Fest geht von ersten bis dritten Mai und von zwölften bis vierzehnten Juli.
1 gr. Zwiebel, 2 kl. Zwiebeln, 1 kl. Ei und 1 Bd. Petersilie | eine große Zwiebel, zwei kleine Zwiebeln, ein kleines Ei und ein Bund Petersilie
1 1/2 kg, 2½ km und 1 ½ h | eineinhalb Kilogramm, zweieinhalb Kilometer und eineinhalb Stunden
Es kostet 3 Euro / Min. und 60qm. | Es kostet drei Euro pro Minute und sechzig Quadratmeter.
Dem Abt. Die hübsche X. und Y. gingen, Schon der 5. gab Ruhe. | Dem Abt. Die hübsche X. und Y. gingen, Schon der fünfte gab Ruhe.
Am Nachmittag des 11. Die Mutter kam. | Am Nachmittag des elften. Die Mutter kam.
Am 17ten | Am siebzehnten
Am 4ten April, geb. 9. März 1785, dem 20 sten Tag mit 3 T € | Am vierten April, geboren am neunten März siebzehnhundertfünfundachtzig, dem zwanzigsten Tag mit drei tausend Euro
Gegen 1. August, um 5. Mai | Gegen ersten August, um fünften Mai
Hans (* 12. Mai 1900 in Wien; † 1950) und (* um 1800) | Hans (geboren am zwölften Mai neunzehnhundert in Wien; gestorben neunzehnhundertfünfzig) und (geboren um achtzehnhundert)
Im Jahre 18.., im Mai 186… und Mai 18** | Im Jahre achtzehnhundert und etwas, im Mai achtzehnhundertsechzig und etwas und Mai achtzehnhundert und etwas
Eine 12%ige Lösung, 5 v. H. davon | Eine zwölfprozentige Lösung, fünf vom Hundert davon
Offen 8h–12h, sonst 9h30 und 24/7 | Offen acht bis zwölf Uhr, sonst neun Uhr dreißig und vierundzwanzig sieben
Er zahlte 5 Mk., 3 Thlr., 2 fl. und Fr. 3.50. | Er zahlte fünf Mark, drei Taler, zwei Gulden und drei Franken fünfzig.
Das 4 : 2 im Maßstab 1:25.000 | Das vier zu zwei im Maßstab eins zu fünfundzwanzigtausend
1. FC Köln, 1. Bundesliga, 3. Aufl. | erster FC Köln, erste Bundesliga, dritte Auflage
Mi., 3.10., oder am 03.10. | Mittwoch, dritter Oktober, oder am dritten Oktober
Tel. 030 123456 oder 0171/1234567 | Telefon null drei null, eins zwei drei vier fünf sechs oder null eins sieben eins, eins zwei drei vier fünf sechs sieben
Hl. Geist, die Hl. Schrift und Hl. Anna | Heiliger Geist, die Heilige Schrift und Sankt Anna
Mit 9,81 m/s², 5 µg und 5 Ω bei 45° 30' N | Mit neun Komma acht eins Meter pro Quadratsekunde, fünf Mikrogramm und fünf Ohm bei fünfundvierzig Grad dreißig Minuten Nord
Nr 5, Rdnr. 3, Az. 7; 1 Pck. Hefe, 2 Msp. Zimt; Fam. Roth am Hbf. | Nummer fünf, Randnummer drei, Aktenzeichen sieben; ein Päckchen Hefe, zwei Messerspitzen Zimt; Familie Roth am Hauptbahnhof
Etwa 5·10³ oder 10⁻³; 3 × 10⁸ km; x² | Etwa fünf mal zehn hoch drei oder zehn hoch minus drei; drei mal zehn hoch acht Kilometer; x hoch zwei
Etwa 2^n und x^(n−1), auch 2^(2n+1) | Etwa zwei hoch n und x hoch n minus eins, auch zwei hoch zwei n plus eins
Von 2003-04 kosten 20 Stunden/Woche $5bn. | Von zweitausenddrei bis zweitausendvier kosten zwanzig Stunden pro Woche fünf Milliarden Dollar.
„So, So!“ rief er, und S. M. schwieg. | „So, So!“ rief er, und S. M. schwieg.
Es war im Mai 184–. | Es war im Mai achtzehnhundertvierzig und etwas.
Laut Art. 4 V vom Mai; bei 12 V Spannung | Laut Artikel vier V vom Mai; bei zwölf Volt Spannung
Nimm 1 EL Öl und 2 TL Salz. | Nimm ein Esslöffel Öl und zwei Teelöffel Salz.
Dr. med. Müller am Karlspl. 3 | Doktor med Müller am Karlsplatz drei
Vom 07.11 18:00 bis 09.11, ab 10.30 Uhr. | Vom siebten November achtzehn Uhr bis neunten November, ab zehn Uhr dreißig.
Um 14 h, von 8 h bis 12 h, kurz vor 9 h; Dauer 14 h, um 2 h verlängert | Um vierzehn Uhr, von acht Uhr bis zwölf Uhr, kurz vor neun Uhr; Dauer vierzehn Stunden, um zwei Stunden verlängert
Dauer 1:15 Min, 1:01 Std. und 2:00 Stunden | Dauer eine Minute und fünfzehn Sekunden, eine Stunde und eine Minute und zwei Stunden
Nr. L 265 und Amtsblatt 1940 I S. 3 | Nummer L zweihundertfünfundsechzig und Amtsblatt neunzehnhundertvierzig I Seite drei
1024x768 Pixel, 3x täglich und 1x im Jahr | tausendvierundzwanzig mal siebenhundertachtundsechzig Pixel, dreimal täglich und einmal im Jahr
f(x) = 2x und 2x + 3 | f(x) gleich zwei x und zwei x plus drei
Am 2025-10-27T20:43:30.479Z; max. 1–2× am Tag; das kleine 1x1 | Am siebenundzwanzigsten Oktober zweitausendfünfundzwanzig, zwanzig Uhr dreiundvierzig; maximal eins bis zweimal am Tag; das kleine Einmaleins
1 Gedanke, 1 Kunde, 1/2 Gurke, 1/2 Ei; Berlin 1913 Erste Auflage | ein Gedanke, ein Kunde, eine halbe Gurke, ein halbes Ei; Berlin neunzehnhundertdreizehn Erste Auflage
Der <h1>-Tag; <b>fett</b> | Der h eins-Tag; fett
1352 Ludwig bestätigt es. | dreizehnhundertzweiundfünfzig Ludwig bestätigt es.
1914–1918 Erster Weltkrieg | neunzehnhundertvierzehn bis neunzehnhundertachtzehn Erster Weltkrieg
1200 Schafe; 1350 Schafe | tausendzweihundert Schafe; tausenddreihundertfünfzig Schafe
Wer a > b sagt | Wer a größer als b sagt
Nach § 1 Absatz 1 sind es 96,000 %; Mahomed der II., ein Held | Nach Paragraf eins Absatz eins sind es sechsundneunzig Komma null null null Prozent; Mahomed der zweite, ein Held
Datei > Öffnen | Datei , Öffnen
Herr v. Arnim | Herr von Arnim
Mo.–Fr. 9–17 Uhr | Montag bis Freitag neun bis siebzehn Uhr
Es kostet 39 1/2 Taler, 10,000 Gulden. | Es kostet neununddreißigeinhalb Taler, zehntausend Gulden.
Noch 1/8 Meile, dann 3/5 davon | Noch ein Achtel Meile, dann drei Fünftel davon
Mit 0,3 mg/l in 5 l | Mit null Komma drei Milligramm pro Liter in fünf Liter
Nach § 64g und bis 184l; aber 64g Salz. | Nach Paragraf vierundsechzig g und bis hundertvierundachtzig l; aber vierundsechzig Gramm Salz.
Um 16:07:37 Uhr, am 26. 5.1999 | Um sechzehn Uhr sieben und siebenunddreißig Sekunden, am sechsundzwanzigsten Mai neunzehnhundertneunundneunzig
Der Hash ist SHA-1, ein Windows-95-Rechner | Der Hash ist SHA eins, ein Windows fünfundneunzig Rechner
Siehe Bd. III, Abb. IV. | Siehe Band drei, Abbildung vier.
Er wohnt in 10115 Berlin. | Er wohnt in eins null eins eins fünf Berlin.
Am Fr. Abend kam Fr. Huber. | Am Freitag Abend kam Frau Huber.
Offen Mo. bis Fr., auch Sa. und So. | Offen Montag bis Freitag, auch Samstag und Sonntag
Siehe Issue #2353 dazu. | Siehe Issue Nummer zweitausenddreihundertdreiundfünfzig dazu.
Siehe S. 129-40, 1848-9 und 1848-50. | Siehe Seite hundertneunundzwanzig bis hundertvierzig, achtzehnhundertachtundvierzig bis neunundvierzig und achtzehnhundertachtundvierzig bis fünfzig.
Nimm 1/4 l Milch. | Nimm ein Viertel Liter Milch.
Ein Rabatt von 1 Euro. | Ein Rabatt von einem Euro.
Ab 1 Januar und seit 1 März | Ab ersten Januar und seit ersten März
Er kam mit 1 Frau. | Er kam mit einer Frau.
Für 1 Euro bekommt man viel. | Für einen Euro bekommt man viel.
Um 1 Uhr ging er. | Um ein Uhr ging er.
In 1 Stunde kommt er. | In einer Stunde kommt er.
Es sank um 1 Prozent. | Es sank um ein Prozent.
Nach 1 Monat ging er. | Nach einem Monat ging er.
# cardinals
Es waren 3 Hunde im Hof. | Es waren drei Hunde im Hof.
Wir saßen zu 17 am Tisch. | Wir saßen zu siebzehn am Tisch.
Sie hat 21 Neffen. | Sie hat einundzwanzig Neffen.
Ein Dorf mit 100 Häusern | Ein Dorf mit hundert Häusern
Ein Dorf mit 101 Häusern | Ein Dorf mit hunderteins Häusern
Etwa 1.000 Soldaten fielen. | Etwa tausend Soldaten fielen.
Hier leben 1.234.567 Menschen. | Hier leben eine Million zweihundertvierunddreißigtausendfünfhundertsiebenundsechzig Menschen.
Es kamen 21.000 Leute. | Es kamen einundzwanzigtausend Leute.
Er bekam 2.000.000 Stimmen. | Er bekam zwei Millionen Stimmen.
Es blieben 0 Punkte. | Es blieben null Punkte.
Der Agent 007 kam. | Der Agent null null sieben kam.
Ein Buch mit 1500 Seiten | Ein Buch mit tausendfünfhundert Seiten
Ein Heer von 12 000 Mann | Ein Heer von zwölftausend Mann
Die Zahl 1 fehlt. | Die Zahl eins fehlt.
Es sind 16, sagte er. | Es sind sechzehn, sagte er.
# gender
Er wartete 1 Stunde. | Er wartete eine Stunde.
Da war 1 Sohn und 1 Tochter. | Da war ein Sohn und eine Tochter.
Es dauerte 1 Jahr. | Es dauerte ein Jahr.
Es ist 1 Uhr. | Es ist ein Uhr.
Noch 1 Zeitung, bitte. | Noch eine Zeitung, bitte.
# decimals and negative numbers
Die Zahl 3,14 ist bekannt. | Die Zahl drei Komma eins vier ist bekannt.
Im Mittel 2,5 Kinder | Im Mittel zwei Komma fünf Kinder
Es wog 0,05 Gramm. | Es wog null Komma null fünf Gramm.
Es waren −5 Grad. | Es waren minus fünf Grad.
Es waren -12 °C im Tal. | Es waren minus zwölf Grad Celsius im Tal.
Insgesamt 1.234,5 Punkte | Insgesamt tausendzweihundertvierunddreißig Komma fünf Punkte
Siehe Abschnitt 2.1 des Buches. | Siehe Abschnitt zwei Punkt eins des Buches.
Die Version 3.2.1 ist da. | Die Version drei Punkt zwei Punkt eins ist da.
# years
Er wurde 1897 geboren. | Er wurde achtzehnhundertsiebenundneunzig geboren.
Im Jahr 1914 begann es. | Im Jahr neunzehnhundertvierzehn begann es.
Seit 2001 ist Ruhe. | Seit zweitausendeins ist Ruhe.
Im Jahre 1066 kamen sie. | Im Jahre tausendsechsundsechzig kamen sie.
Das war 1800 anders. | Das war achtzehnhundert anders.
Anno 1100 stand hier ein Turm. | Anno elfhundert stand hier ein Turm.
Im Sommer 1905 reiste er. | Im Sommer neunzehnhundertfünf reiste er.
Der Krieg 1914–1918 | Der Krieg neunzehnhundertvierzehn bis neunzehnhundertachtzehn
Der Krieg von 1914–18 | Der Krieg von neunzehnhundertvierzehn bis achtzehn
Der Winter 1944/45 war hart. | Der Winter neunzehnhundertvierundvierzig fünfundvierzig war hart.
Die 1990er waren ruhig. | Die neunzehnhundertneunziger waren ruhig.
In den 1920ern tanzte man. | In den neunzehnhundertzwanzigern tanzte man.
Die 60er-Jahre sangen. | Die sechziger Jahre sangen.
In den 80er Jahren sang man. | In den achtziger Jahren sang man.
Die 90er sind vorbei. | Die neunziger sind vorbei.
Im Herbst '89 fiel die Mauer. | Im Herbst neunundachtzig fiel die Mauer.
Ein 68er sprach. | Ein achtundsechziger sprach.
# dates
Am 3. Mai 1914 ging er. | Am dritten Mai neunzehnhundertvierzehn ging er.
Der 3. Mai 1914 war kalt. | Der dritte Mai neunzehnhundertvierzehn war kalt.
Berlin, 3. Mai 1914 | Berlin, dritter Mai neunzehnhundertvierzehn
Berlin, den 3. Mai 1914 | Berlin, den dritten Mai neunzehnhundertvierzehn
Vom 2. bis 9. Juli | Vom zweiten bis neunten Juli
Bis zum 31. Dezember | Bis zum einunddreißigsten Dezember
Am 1. Januar 2000 | Am ersten Januar zweitausend
Am 3.5.1914 starb sie. | Am dritten Mai neunzehnhundertvierzehn starb sie.
Geboren am 03.05.1914 in Ulm | Geboren am dritten Mai neunzehnhundertvierzehn in Ulm
Am 3.5. kommt er. | Am dritten Mai kommt er.
Es ist der 24.12.2001 heute. | Es ist der vierundzwanzigste Dezember zweitausendeins heute.
Stand: 2001-12-24 | Stand: vierundzwanzigster Dezember zweitausendeins
Am 21. Dez. 1950 schneite es. | Am einundzwanzigsten Dezember neunzehnhundertfünfzig schneite es.
Montag, 8. August | Montag, achter August
Montag, der 8. August | Montag, der achte August
Seit 1. April ist zu. | Seit ersten April ist zu.
Am 3. und 4. Mai | Am dritten und vierten Mai
Die Nacht des 9. November | Die Nacht des neunten November
Ab 15. März wird gebaut. | Ab fünfzehnten März wird gebaut.
# times
Er kam um 14.30 Uhr an. | Er kam um vierzehn Uhr dreißig an.
Er kam um 14:30 Uhr an. | Er kam um vierzehn Uhr dreißig an.
Beginn um 20:15h, 8:15 h | Beginn um zwanzig Uhr fünfzehn, acht Uhr fünfzehn
Um 14:30 war es still. | Um vierzehn Uhr dreißig war es still.
Um 8 Uhr läutet es. | Um acht Uhr läutet es.
Um 1:15 Uhr schlief er. | Um ein Uhr fünfzehn schlief er.
Um 0:05 Uhr knallte es. | Um null Uhr fünf knallte es.
Um 12.00 Uhr essen wir. | Um zwölf Uhr essen wir.
Von 9 bis 17 Uhr | Von neun bis siebzehn Uhr
Um 21 Uhr ist Schluss. | Um einundzwanzig Uhr ist Schluss.
# money
Der Kaffee kostet 5 €. | Der Kaffee kostet fünf Euro.
Er zahlte 5,20 € bar. | Er zahlte fünf Euro zwanzig bar.
Das macht 1,00 € bitte. | Das macht ein Euro bitte.
Ein Stück zu 0,50 € | Ein Stück zu fünfzig Cent
Ein Gewinn von 2,5 Mio. € im Jahr | Ein Gewinn von zwei Komma fünf Millionen Euro im Jahr
Ein Verlust von 1,9 Mrd. Euro | Ein Verlust von eins Komma neun Milliarden Euro
Es kostet 2,50 Euro. | Es kostet zwei Euro fünfzig.
Er gab 3 Millionen Dollar. | Er gab drei Millionen Dollar.
Er hat $ 3 dabei. | Er hat drei Dollar dabei.
Ein Schein von 20 $ | Ein Schein von zwanzig Dollar
Er schuldet 50 £ dem Schneider. | Er schuldet fünfzig Pfund dem Schneider.
Sie zahlt 1.500 € im Monat. | Sie zahlt tausendfünfhundert Euro im Monat.
Ein Haus für 1 Mio. Euro | Ein Haus für eine Million Euro
Ein Posten zu 10–20 € | Ein Posten zu zehn bis zwanzig Euro
Ein Lohn von 5 DM | Ein Lohn von fünf D-Mark
Es kostet 1 € pro Stück. | Es kostet ein Euro pro Stück.
Das kostet EUR 12 mehr. | Das kostet zwölf Euro mehr.
Eine Rente von 100 Mark | Eine Rente von hundert Mark
# percentages
Ein Plus von 5 %. | Ein Plus von fünf Prozent.
Rund 12,5 % der Stimmen | Rund zwölf Komma fünf Prozent der Stimmen
Etwa 5–10 % der Fälle | Etwa fünf bis zehn Prozent der Fälle
Er hatte 2 ‰ im Blut. | Er hatte zwei Promille im Blut.
Genau 50% davon | Genau fünfzig Prozent davon
# ordinals
Am 3. Tag ruhte er. | Am dritten Tag ruhte er.
Der 2. Stock ist leer. | Der zweite Stock ist leer.
Im 5. Stock brennt Licht. | Im fünften Stock brennt Licht.
Das 3. Buch liegt da. | Das dritte Buch liegt da.
In der 4. Klasse | In der vierten Klasse
Die 9. Sinfonie erklang. | Die neunte Sinfonie erklang.
Zum 100. Mal | Zum hundertsten Mal
Sein 50. Geburtstag | Sein fünfzigster Geburtstag
An seinem 50. Geburtstag | An seinem fünfzigsten Geburtstag
Eine 2. Chance kam. | Eine zweite Chance kam.
Nach der 1. Stunde | Nach der ersten Stunde
3. Kapitel | drittes Kapitel
2., verbesserte Fassung | zweite, verbesserte Fassung
Die 21. Woche | Die einundzwanzigste Woche
Zu Beginn des 3. Aktes | Zu Beginn des dritten Aktes
In 2. Auflage erschienen | In zweiter Auflage erschienen
Das 7. Siegel | Das siebte Siegel
# compounds
Er rief 3-mal laut. | Er rief dreimal laut.
Er rief 3mal laut. | Er rief dreimal laut.
Die 20-jährige Tochter | Die zwanzigjährige Tochter
Ein 3-tägiger Marsch | Ein dreitägiger Marsch
Eine 4-köpfige Familie | Eine vierköpfige Familie
Es wuchs 2fach. | Es wuchs zweifach.
Der 100-Meter-Lauf | Der hundert-Meter-Lauf
# centuries and roman numerals
Im 19. Jahrhundert war es so. | Im neunzehnten Jahrhundert war es so.
Das 20. Jahrhundert begann. | Das zwanzigste Jahrhundert begann.
Ende des 18. Jahrhunderts | Ende des achtzehnten Jahrhunderts
Im 19. Jh. baute man. | Im neunzehnten Jahrhundert baute man.
Im 18. und 19. Jahrhundert | Im achtzehnten und neunzehnten Jahrhundert
Ludwig XIV. starb 1715. | Ludwig der Vierzehnte starb siebzehnhundertfünfzehn.
Unter Ludwig XIV. blühte es. | Unter Ludwig dem Vierzehnten blühte es.
Der Hof Ludwigs XIV. lachte. | Der Hof Ludwigs des Vierzehnten lachte.
Für Karl V. war es spät. | Für Karl den Fünften war es spät.
Kaiser Wilhelm II. floh. | Kaiser Wilhelm der Zweite floh.
Von Kaiser Wilhelm II. sprach man. | Von Kaiser Wilhelm dem Zweiten sprach man.
Elisabeth II. lächelte. | Elisabeth die Zweite lächelte.
Von Elisabeth II. sprach man. | Von Elisabeth der Zweiten sprach man.
Papst Pius IX. schwieg. | Papst Pius der Neunte schwieg.
Friedrich Wilhelm IV. lehnte ab. | Friedrich Wilhelm der Vierte lehnte ab.
Johannes XXIII. war Papst. | Johannes der Dreiundzwanzigste war Papst.
Siehe Kapitel IV des Buches. | Siehe Kapitel vier des Buches.
Band III fehlt. | Band drei fehlt.
Teil I beginnt. | Teil eins beginnt.
Akt V, Szene II | Akt fünf, Szene zwei
Im II. Weltkrieg | Im zweiten Weltkrieg
Der I. Weltkrieg endete. | Der erste Weltkrieg endete.
Eine CD von Maria | Eine CD von Maria
Vitamin C hilft. | Vitamin C hilft.
Herr X rief an. | Herr X rief an.
# fractions
Da war ½ Liter übrig. | Da war ein halber Liter übrig.
Sie ist 2 ½ Jahre alt. | Sie ist zweieinhalb Jahre alt.
Es bleibt ¼ Torte. | Es bleibt ein Viertel Torte.
Noch ¾ Stunden | Noch drei Viertel Stunden
# units
Er lief 5 km im Schnee. | Er lief fünf Kilometer im Schnee.
Er fuhr 100 km/h im Ort. | Er fuhr hundert Kilometer pro Stunde im Ort.
Ein Zimmer von 10 m² | Ein Zimmer von zehn Quadratmeter
Wasser kocht bei 100 °C. | Wasser kocht bei hundert Grad Celsius.
Ein Stick mit 8 GB | Ein Stick mit acht Gigabyte
Er wiegt 70 kg. | Er wiegt siebzig Kilogramm.
Ein Brief von 20 g | Ein Brief von zwanzig Gramm
Ein Turm von 1,5 m Höhe | Ein Turm von eins Komma fünf Meter Höhe
Er goss 2 l Wasser. | Er goss zwei Liter Wasser.
Ein Feld von 3 ha | Ein Feld von drei Hektar
Eine Lampe mit 60 W | Eine Lampe mit sechzig Watt
Es braucht 5 kWh am Tag. | Es braucht fünf Kilowattstunden am Tag.
Er wartete 10 min lang. | Er wartete zehn Minuten lang.
Ein Winkel von 90° | Ein Winkel von neunzig Grad
Er wiegt 1 t genau. | Er wiegt eine Tonne genau.
Es dauerte 1 h länger. | Es dauerte eine Stunde länger.
Auf 101 MHz senden sie. | Auf hunderteins Megahertz senden sie.
Noch 5–10 km weiter | Noch fünf bis zehn Kilometer weiter
Ein Tank mit 6 m³ | Ein Tank mit sechs Kubikmeter
Wind mit 3 m/s | Wind mit drei Meter pro Sekunde
# abbreviations
Obst, z. B. Birnen | Obst, zum Beispiel Birnen
Obst, z.B. Äpfel | Obst, zum Beispiel Äpfel
Er ging, d. h. er floh. | Er ging, das heißt er floh.
Brot, Wein usw. | Brot, Wein und so weiter
Brot, Wein etc. | Brot, Wein et cetera
Dr. Meier kam. | Doktor Meier kam.
Prof. Dr. Meier kam. | Professor Doktor Meier kam.
Fr. Schmidt kam. | Frau Schmidt kam.
Siehe Nr. 5 im Heft. | Siehe Nummer fünf im Heft.
Siehe S. 12 im Buch. | Siehe Seite zwölf im Buch.
Siehe S. 4–9 im Buch. | Siehe Seite vier bis neun im Buch.
Siehe S. 12 f. im Buch. | Siehe Seite zwölf folgende im Buch.
Siehe S. 12 ff. im Buch. | Siehe Seite zwölf folgende im Buch.
Siehe Kap. 3 und Abb. 2. | Siehe Kapitel drei und Abbildung zwei.
Im Jahr 52 v. Chr. kam er. | Im Jahr zweiundfünfzig vor Christus kam er.
Im Jahr 14 n. Chr. starb er. | Im Jahr vierzehn nach Christus starb er.
Er kam ca. 3 Tage später. | Er kam circa drei Tage später.
Tee bzw. Kaffee | Tee beziehungsweise Kaffee
Er wohnt in der Goethestr. 5 im Hof. | Er wohnt in der Goethestraße fünf im Hof.
St. Pauli schläft nie. | Sankt Pauli schläft nie.
Vgl. S. 7 unten | Vergleiche Seite sieben unten
Er hat u. a. Katzen. | Er hat unter anderem Katzen.
Oberst a. D. Krause | Oberst außer Dienst Krause
Nach § 5 der Satzung | Nach Paragraf fünf der Satzung
Nach §§ 5 und 6 der Satzung | Nach Paragrafen fünf und sechs der Satzung
# ranges
Die Seiten 4–9 fehlen. | Die Seiten vier bis neun fehlen.
Etwa 10–12 Leute | Etwa zehn bis zwölf Leute
Es stand 2:1 zur Pause. | Es stand zwei zu eins zur Pause.
Ein Maßstab von 1:100 | Ein Maßstab von eins zu hundert
Tel. 555-1234-99 | Telefon fünf fünf fünf, eins zwei drei vier, neun neun
# symbols and addresses
Meier & Sohn | Meier und Sohn
2 + 2 = 4 | zwei plus zwei gleich vier
3 × 4 = 12 | drei mal vier gleich zwölf
8 ÷ 2 = 4 | acht geteilt durch zwei gleich vier
Wenn x < 5 | Wenn x kleiner als fünf
Siehe www.beispiel.org heute. | Siehe www Punkt beispiel Punkt org heute.
Auf example.org steht es. | Auf example Punkt org steht es.
Schreibt an anna@beispiel.de bald. | Schreibt an anna at beispiel Punkt de bald.
Es steht auf beispiel.com/schnelle-hilfe jetzt. | Es steht auf beispiel Punkt com Schrägstrich schnelle Bindestrich hilfe jetzt.
# what stays
Hier ändert sich nichts. | Hier ändert sich nichts.
Die A4 ist gesperrt. | Die A4 ist gesperrt.
Ende. Der Vorhang fällt. | Ende. Der Vorhang fällt.
Es lebe das Leben! | Es lebe das Leben!
Er sagte: »Komm.« | Er sagte: »Komm.«
Der Mix und das Mil | Der Mix und das Mil
Ein Haus, ein Baum, ein Kind. | Ein Haus, ein Baum, ein Kind.
Wer wagt, gewinnt. | Wer wagt, gewinnt.
Der Wagen, die Frau, das Tor | Der Wagen, die Frau, das Tor
# more in context
Es blieben 5-10 Minuten. | Es blieben fünf bis zehn Minuten.
Es kostet 5,– € am Tag. | Es kostet fünf Euro am Tag.
Die Hl. Elisabeth half. | Die Heilige Elisabeth half.
Der 1. FC Köln spielt. | Der erste FC Köln spielt.
Am 24.12. feiern wir. | Am vierundzwanzigsten Dezember feiern wir.
Er wohnt im Haus 5a. | Er wohnt im Haus fünf a.
Sie rannte 100m weit. | Sie rannte hundert Meter weit.
Es war 1848/49 so. | Es war achtzehnhundertachtundvierzig neunundvierzig so.
Das 1.000-Euro-Problem | Das tausend-Euro-Problem
Heinrich IV. (1553–1610) | Heinrich der Vierte (fünfzehnhundertdreiundfünfzig bis sechzehnhundertzehn)
Das waren 3/4 davon. | Das waren drei Viertel davon.
Die Nr. 1 der Welt | Die Nummer eins der Welt
Er rief: »Um 8 Uhr!« | Er rief: »Um acht Uhr!«
Der 3-Jährige lief. | Der Dreijährige lief.
Er hieß Max. Dann ging er. | Er hieß Max. Dann ging er.
mind. 5 und max. 10 Leute | mindestens fünf und maximal zehn Leute
Er ging um 5. | Er ging um fünf.
In der 2. Hälfte fiel ein Tor. | In der zweiten Hälfte fiel ein Tor.
V. Fräulein Emma. | Fünf. Fräulein Emma.
Haus 9, 88299 Leutkirch. | Haus neun, acht acht zwei neun neun Leutkirch.
Das kurze 112. Kapitel. | Das kurze hundertzwölfte Kapitel.
Art. 2 Abs. 1 S. 1 GG. | Artikel zwei Absatz eins Satz eins GG.
Von 9-5 Uhr. | Von neun bis fünf Uhr.
Die Heil'gen. | Die Heil'gen.
4:20 Minuten vor ihm. | vier Minuten und zwanzig Sekunden vor ihm.
Am 5 Mai kam er. | Am fünften Mai kam er.
Das Gesetz v. 25.3.2019. | Das Gesetz vom fünfundzwanzigsten März zweitausendneunzehn.
Mehl, Salz &c. | Mehl, Salz et cetera
Man kann sie 1125 km weit sehen, 1500 m hoch, 1200 fl., 1848 m. E. wahr. | Man kann sie tausendeinhundertfünfundzwanzig Kilometer weit sehen, tausendfünfhundert Meter hoch, tausendzweihundert Gulden, achtzehnhundertachtundvierzig meines Erachtens wahr.
Nach §. 810 und §§. 3 und 4; vergl. (s. S. 12); p. 29, Vol. II | Nach Paragraf achthundertzehn und Paragrafen drei und vier; vergleiche (siehe Seite zwölf); Seite neunundzwanzig, Band zwei
Gräfin Ida, geb. v. Ahlen; Anna Meier, geb. Schulz, war geb. in Ulm, geb. Berlin 1820. | Gräfin Ida, geborene von Ahlen; Anna Meier, geborene Schulz, war geboren in Ulm, geboren Berlin achtzehnhundertzwanzig.
V. JUNGFER. | Fünfte JUNGFER.
1. Soldat (lacht). | Erster Soldat (lacht).
V. Fräulein | Fünf. Fräulein
die Burg[70] und die „Höhle“ [7]. | die Burg und die „Höhle“ .
[70] Verfluchten | [siebzig] Verfluchten
PEKING 1859 UND DER FELDZUG | PEKING achtzehnhundertneunundfünfzig UND DER FELDZUG
Mit dem Nachfolger desselben, Heinrich II, trat er ein. | Mit dem Nachfolger desselben, Heinrich dem Zweiten, trat er ein.
Es ist Juli der 25. Tag, Sonntag der 5. Mai; in der 25. Stunde | Es ist Juli der fünfundzwanzigste Tag, Sonntag der fünfte Mai; in der fünfundzwanzigsten Stunde
4/1 Mittwoch. | vierter Januar Mittwoch.
7/10 Vm. | siebter Oktober vormittags
7/10 Pfund | sieben Zehntel Pfund
26. Febr. 1658, am 3. Dec. kam er, 17. May 1606, 5. Octbr. Er blieb. | sechsundzwanzigster Februar sechzehnhundertachtundfünfzig, am dritten Dezember kam er, siebzehnter Mai sechzehnhundertsechs, fünfter Oktober. Er blieb.
⅛ l Milch, 3/8 l Rahm, 1⅛ Pfund, ⅜ Zoll | ein Achtel Liter Milch, drei Achtel Liter Rahm, eins ein Achtel Pfund, drei Achtel Zoll
Im 1801ten Jahre, am 15. v. M., am 3. d. J. | Im achtzehnhundertersten Jahre, am fünfzehnten vorigen Monats, am dritten dieses Jahres
Den ältesten griech. Bauten, 48 ital. Meilen, 5,5 engl. Zoll, der frz. König, ein alter engl. Krug; lat. amor | Den ältesten griechischen Bauten, achtundvierzig italienische Meilen, fünf Komma fünf englische Zoll, der französische König, ein alter englischer Krug; lateinisch amor
J. Z. 1785, Z. 5; 13.-16. Tausend; Kleider u. dgl. m. | J. Z. siebzehnhundertfünfundachtzig, Zeile fünf; dreizehntes bis sechzehntes Tausend; Kleider und dergleichen mehr
Vom 24. November 1848 und 17. August 1849, am 3. Mai, 5. Juni und 7. Juli; Ulm, 3. Mai | Vom vierundzwanzigsten November achtzehnhundertachtundvierzig und siebzehnten August achtzehnhundertneunundvierzig, am dritten Mai, fünften Juni und siebten Juli; Ulm, dritter Mai
Im März 19 . . kam er. | Im März neunzehnhundert und etwas kam er.
28/9 Las Briefe. | achtundzwanzigster September Las Briefe.
3/4 Mehl | drei Viertel Mehl
Allein 1/20, 3/16 Zoll, S. 1/12; 2½ Mill. £, 10½ £, 5 Pfd. Mehl, 800 ℔. Garn | Allein ein Zwanzigstel, drei Sechzehntel Zoll, Seite eins/zwölf; zweieinhalb Millionen £, zehneinhalb Pfund, fünf Pfund Mehl, achthundert Pfund Garn
Im 80° auch, im 42° 5' N; den 30° C | Im achtzigsten Grad auch, im zweiundvierzig Grad fünf Minuten Nord; den dreißig Grad Celsius
Ein Statut Heinrich III., die Regierung Ludwig XIV., sein Bruder Karl V. | Ein Statut Heinrichs des Dritten, die Regierung Ludwigs des Vierzehnten, sein Bruder Karl der Fünfte
3 qrs. = 180 sh.; im 16ten Jahrh. Die Ansichten sog. Kenner | drei qrs. gleich hundertachtzig sh.; im sechzehnten Jahrhundert Die Ansichten sogenannte Kenner
Siehe 4. 9. 25. 26. u. 27.; ich höre den 1. und 2. Satz; in den Wa- gen. | Siehe vier. neun. fünfundzwanzig. sechsundzwanzig. u. siebenundzwanzig.; ich höre den ersten und zweiten Satz; in den Wa- gen.
Vom 1 Aug. 1597 an kam mein amerik. Verleger, unterm 6 Febr. ging er. | Vom ersten August fünfzehnhundertsiebenundneunzig an kam mein amerikanischer Verleger, unterm sechsten Februar ging er.
"""
AUSTRIA = """
Am 3. Jänner 1914 kam er. | Am dritten Jänner neunzehnhundertvierzehn kam er.
Am 3.1.1914 kam er. | Am dritten Jänner neunzehnhundertvierzehn kam er.
Im Jänner 1805 fror es. | Im Jänner achtzehnhundertfünf fror es.
Der Kaffee kostet 5,20 € hier. | Der Kaffee kostet fünf Euro zwanzig hier.
Eine Stadt mit 1.234 Menschen | Eine Stadt mit tausendzweihundertvierunddreißig Menschen
Um 14.30 Uhr war es still. | Um vierzehn Uhr dreißig war es still.
"""
SWITZERLAND = """
Eine Stadt mit 1'234 Menschen | Eine Stadt mit tausendzweihundertvierunddreißig Menschen
Insgesamt 1’234’567 Stimmen | Insgesamt eine Million zweihundertvierunddreißigtausendfünfhundertsiebenundsechzig Stimmen
Das kostet 5.20 Franken heute. | Das kostet fünf Franken zwanzig heute.
Das kostet CHF 12.50 heute. | Das kostet zwölf Franken fünfzig heute.
Das kostet Fr. 300 heute. | Das kostet dreihundert Franken heute.
Um 14.30 Uhr war es still. | Um vierzehn Uhr dreißig war es still.
Ein Wert von 3.14 genügt. | Ein Wert von drei Punkt eins vier genügt.
Es kostet 2,5 Mio. Franken. | Es kostet zwei Komma fünf Millionen Franken.
"""


def test_as_in_germany():
    assert_said(GERMANY, "de-DE")


def test_as_in_austria():
    assert_said(AUSTRIA, "de-AT")


def test_as_in_switzerland():
    assert_said(SWITZERLAND, "de-CH")


@pytest.mark.parametrize("region", ("DE", "AT", "CH"))
def test_no_two_numbers_have_the_same_words(region):
    numbers = [*range(2100), *range(21_000, 22_000, 7), *range(10**6, 3 * 10**6, 10**5 + 1)]
    assert len({cardinal(number, region) for number in numbers}) == len(numbers)


@given(st.text(alphabet="abcdefghij ,;", max_size=60))
def test_words_alone_stay(text):
    assert not spoken_line(text, "de").edits


@given(st.text(alphabet="0123456789.,:-–/ºª°½%€$§&+@ IVXLabehmrs\u00a0", max_size=40))
def test_edits_are_in_order_and_do_not_overlap(text):
    at = 0
    for edit in spoken_line(text, "de").edits:
        assert at <= edit.start < edit.end <= len(text)
        at = edit.end
