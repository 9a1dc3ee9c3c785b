"""Italian in words: as written, as spoken."""

# ruff: noqa: E501

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.it.language import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said

ITALY = """
«5.o Mancando ad un solo, la 2.a parte | «quinto Mancando ad un solo, la seconda parte
In-16; del 4 per %; questo plebeo,234-143 sagace | In sedicesimo; del quattro per cento; questo plebeo, sagace
L. 5.50; L. 12.00; C. 12 | cinque lire e cinquanta; dodici lire; C. dodici
4 vol. in-8. Roma; 4 vol. in 8. London; dottor Alberto X....! §§. 63 e 64 | quattro vol. in ottavo. Roma; quattro vol. in ottavo. London; dottor Alberto X....! paragrafi sessantatré e sessantaquattro
Sotto Bordeaux. {247} La nave {46} giunse; uomini; 1,080 | Sotto Bordeaux. La nave giunse; uomini; milleottanta
Nel 44 avanti G. C. il signor G. C. arrivò. | Nel quarantaquattro avanti Gesù Cristo il signor G. C. arrivò.
La Gloria(93) sorge. Viva!(4) E poi | La Gloria sorge. Viva! E poi
Li condanno anch'essi82. La Maccabea50 era venuta1 a Ioppa; usa html5, l'art.5. | Li condanno anch'essi. La Maccabea era venuta a Ioppa; usa html5, l'articolo cinque.
Gli elettori del 1° Collegio, al 1° e 2° piano, un opuscolo in –8º o in-4° | Gli elettori del primo Collegio, al primo e secondo piano, un opuscolo in ottavo o in quarto
Scena della 1. parte o la 2. della seconda, v. l'Alamanni. Era la 2. Poi | Scena della prima parte o la seconda della seconda, v. l'Alamanni. Era la due. Poi
Parla S. E. come V.S. illustrissima e S. A. R. la principessa, non S. E. Hinton | Parla Sua Eccellenza come Vostra Signoria illustrissima e Sua Altezza Reale la principessa, non S. E. Hinton
I RR. Padri, i SS. Padri, la SS. Vergine e il SS. Sacramento | I Reverendi Padri, i Santi Padri, la Santissima Vergine e il Santissimo Sacramento
E '1 sangue nostro; il 1.o ottobre; SCENA 1a; i SS. Maurizio e Lazzaro | E il sangue nostro; il primo ottobre; SCENA prima; i Santi Maurizio e Lazzaro
3° ha messo la moglie; 35°: non dedito al vino; 20° di febbre | terzo ha messo la moglie; trentacinquesimo: non dedito al vino; venti gradi di febbre
Ne rimasero 10,721, dice; pesa 12,345 kg | Ne rimasero diecimilasettecentoventuno, dice; pesa dodici virgola tre quattro cinque chilogrammi
Sopra le239 spalle, quasi [215] dimenticata, non mi(14) pare, in [12] è detto. Usa mp3 | Sopra le spalle, quasi dimenticata, non mi pare, in [dodici] è detto. Usa mp3
Un animo mo<lto> virile; aveva ‘1 tort; il Nipote di V. M, non | Un animo molto virile; aveva il tort; il Nipote di V. M, non
Dreams are made on. L'on. Rossi alla S. V. mandò | Dreams are made on. L'onorevole Rossi alla Signoria Vostra mandò
L'art. 81, co. 6, e la sent. n. 238. | L'articolo ottantuno, comma sei, e la sentenza numero duecentotrentotto.
Saltava agli occhi ed... al naso | Saltava agli occhi ed... al naso
1a EDIZIONE, ISBN E-BOOK: 9788890359767 | prima EDIZIONE, ISBN E-BOOK: nove sette otto otto otto nove zero tre cinque nove sette sei sette
Sono 1.000.000 persone e 2.000.000 kg. | Sono un milione di persone e due milioni di chilogrammi.
1/2 tazza, 1/4 cucchiaino e 2 1/2 tazze | mezza tazza, un quarto di cucchiaino e due tazze e mezza
Alle 21h30, un film di 1h40, 1h30min | Alle ventuno e trenta, un film di un'ora e quaranta minuti, un'ora e trenta minuti
Il 30 esimo paese, la 12esima volta | Il trentesimo paese, la dodicesima volta
Che avrete a 360° ripagherà, nei giorni 11-18-25 maggio, il 5/2/28 | Che avrete a trecentosessanta gradi ripagherà, nei giorni undici, diciotto, venticinque maggio, il cinque febbraio ventotto
Il 25° Anno, Ed. Einaudi, 2005/2006/2007, a 25° Nord | Il venticinquesimo Anno, Edizioni Einaudi, duemilacinque, duemilasei, duemilasette, a venticinque gradi Nord
Una vista a 360° gradi | Una vista a trecentosessanta gradi
Ha 1 frase, 1 opinione e 1 foto. | Ha una frase, un'opinione e una foto.
Per 1-2 minuti, 1-3 mesi, 1-2 km, al +905444727355. | Per uno a due minuti, uno a tre mesi, uno a due chilometri, al nove zero cinque quattro quattro quattro sette due sette tre cinque cinque.
L'1 corrisponde a (700-800-900), 'Quaderni 13 - 2010', vedi c.31. | L'uno corrisponde a (settecento, ottocento, novecento), 'Quaderni tredici - duemiladieci', vedi capitolo trentuno.
Il giorno 1° di dicembre | Il giorno primo di dicembre
DAL D.L. 6 LUGLIO 2012, DALLA L. 7 AGOSTO 2012; costa L. 90.000 | DAL decreto legge sei LUGLIO duemiladodici, DALLA legge sette AGOSTO duemiladodici; costa novantamila lire
Il bus (1h andata), rete 5g e 5g di sale, 1.90 mt, ₩27.000 | Il bus (un'ora andata), rete cinque g e cinque grammi di sale, uno virgola novanta metri, ventisettemila won sudcoreani
06.10.14 - Arriva | sei ottobre duemilaquattordici - Arriva
2.2.33 Titolo su http://t.co/oDPUtxkMK3 | due punto due punto trentatré Titolo su t punto co
Aperto 8h-12h30, circa 5·10³. | Aperto otto a dodici e trenta, circa cinque per dieci al cubo.
Ha tavv. 1 b/n. | Ha tavole uno b/n.
La sezione 2.2.33, la norma 1.1.99 e il 3.4.12 | La sezione due punto due punto trentatré, la norma uno punto uno punto novantanove e il tre aprile duemiladodici
Dal 04/2008, nel 10/2009, fino al 03/2010. | Dall'aprile duemilaotto, nell'ottobre duemilanove, fino al marzo duemiladieci.
Sono 20 mq, 3 kmq e 20 mc, a 5 euro al mq e 2 euro al kg. | Sono venti metri quadrati, tre chilometri quadrati e venti metri cubi, a cinque euro al metro quadrato e due euro al chilogrammo.
Alle 20,30 e alle ore 9,15; le 2,50 lire | Alle venti e trenta e alle ore nove e quindici; le due lire e cinquanta
A 45°30'15" nord, un angolo di 90º, il 10º | A quarantacinque gradi trenta minuti quindici secondi nord, un angolo di novanta gradi, il decimo
Costa $5bn, 5 €/mese. | Costa cinque miliardi di dollari, cinque euro per mese.
Al paragrafo 1 subito; dell'art. 1 ultimo comma, art. 1 l'820. | Al paragrafo uno subito; dell'articolo uno ultimo comma, articolo uno l'ottocentoventi.
Le voci 15/17/18/19, 1/1000, canto 17.° - Il | Le voci quindici, diciassette, diciotto, diciannove, uno su mille, canto diciassettesimo - Il
La versione HTML 2 ha introdotto molto. | La versione HTML due ha introdotto molto.
Un campo di 2 ha di terra | Un campo di due ettari di terra
La linea 1 sarebbe troppo. | La linea uno sarebbe troppo.
Usa "^5.2.13" e 125 gr di farina. | Usa "^cinque punto due punto tredici" e centoventicinque grammi di farina.
Alle ore 8-3/4, con lire 200 mila | Alle ore otto e tre quarti, con duecento mila lire
Vennero 15,000 uomini. | Vennero quindicimila uomini.
Nella 7a ed. del 1990 | Nella settima edizione del millenovecentonovanta
Aggiungi 1/4l di latte. | Aggiungi un quarto di litro di latte.
Si veda pp. 129-40 e 1848-9. | Si veda pagine centoventinove a centoquaranta e milleottocentoquarantotto a quarantanove.
La 7a edizione, il 3o posto, la 5a. | La settima edizione, il terzo posto, la quinta.
# cardinals
C'erano 3 cani nel cortile. | C'erano tre cani nel cortile.
Eravamo 17 a tavola. | Eravamo diciassette a tavola.
Manca la pagina 1 del libro. | Manca la pagina uno del libro.
Ha 23 cugini. | Ha ventitré cugini.
Un paese di 100 abitanti | Un paese di cento abitanti
Un paese di 103 abitanti | Un paese di centotré abitanti
Circa 1.000 soldati caddero. | Circa mille soldati caddero.
Una città di 1.234.567 abitanti | Una città di un milione duecentotrentaquattromilacinquecentosessantasette abitanti
Vennero 21.000 uomini. | Vennero ventunomila uomini.
Ottenne 2.000.000 di voti. | Ottenne due milioni di voti.
Restavano 0 punti. | Restavano zero punti.
L'agente 007 arrivò. | L'agente zero zero sette arrivò.
Erano 8 fratelli. | Erano otto fratelli.
Contò 28 stelle. | Contò ventotto stelle.
Un libro di 1500 pagine | Un libro di millecinquecento pagine
# gender and elision
Aspettò 1 ora. | Aspettò un'ora.
Ha 1 figlio e 1 figlia. | Ha un figlio e una figlia.
Compì 21 anni. | Compì ventuno anni.
Vide 1 studente al bar. | Vide uno studente al bar.
Comprò 1 zaino nuovo. | Comprò uno zaino nuovo.
Mancava 1 amico solo. | Mancava un amico solo.
Ci resta 1 isola. | Ci resta un'isola.
Lesse 1 libro al mese. | Lesse un libro al mese.
Passò 1 notte fuori. | Passò una notte fuori.
# decimals and negative numbers
Il numero 3,14 è famoso. | Il numero tre virgola quattordici è famoso.
Una media di 2,5 figli | Una media di due virgola cinque figli
Pesava 0,05 grammi. | Pesava zero virgola zero cinque grammi.
Il valore è 1,618 esatto. | Il valore è uno virgola sei uno otto esatto.
C'erano −5 gradi. | C'erano meno cinque gradi.
C'erano -12 °C in montagna. | C'erano meno dodici gradi Celsius in montagna.
Un totale di 1.234,5 unità | Un totale di milleduecentotrentaquattro virgola cinque unità
Vedi la sezione 2.1 del libro. | Vedi la sezione due punto uno del libro.
La versione 3.2.1 è uscita. | La versione tre punto due punto uno è uscita.
# years
Nacque nel 1897. | Nacque nel milleottocentonovantasette.
La guerra del 1915 cominciò. | La guerra del millenovecentoquindici cominciò.
Dal 2001, nulla. | Dal duemilauno, nulla.
Nel 1921 arrivò il re. | Nel millenovecentoventuno arrivò il re.
La guerra 1915-1918 | La guerra millenovecentoquindici a millenovecentodiciotto
L'inverno 1944-45 fu duro. | L'inverno millenovecentoquarantaquattro a quarantacinque fu duro.
Gli anni '60 passarono. | Gli anni sessanta passarono.
Negli anni ’80 cantavano. | Negli anni ottanta cantavano.
Gli anni Venti e gli anni 1920 | Gli anni Venti e gli anni millenovecentoventi
Regnò dal 1861 al 1878. | Regnò dal milleottocentosessantuno al milleottocentosettantotto.
Il '68 cambiò tutto. | Il sessantotto cambiò tutto.
Nell'anno 476 cadde Roma. | Nell'anno quattrocentosettantasei cadde Roma.
# dates
Il 3 maggio 1914 partì. | Il tre maggio millenovecentoquattordici partì.
Il 1º gennaio 2000 | Il primo gennaio duemila
Il 1° maggio è festa. | Il primo maggio è festa.
Il 1 aprile scherzò. | Il primo aprile scherzò.
Roma, 25 aprile 1945 | Roma, venticinque aprile millenovecentoquarantacinque
L'8 settembre 1943 tacque. | L'otto settembre millenovecentoquarantatré tacque.
L'11 settembre 2001 | L'undici settembre duemilauno
Una lettera del 03/05/1914 | Una lettera del tre maggio millenovecentoquattordici
Nato il 3.5.1914 a Bari | Nato il tre maggio millenovecentoquattordici a Bari
Morto il 2001-12-24. | Morto il ventiquattro dicembre duemilauno.
Lunedì 8 agosto chiuse. | Lunedì otto agosto chiuse.
Il 21 dic. 1950 nevicò. | Il ventuno dicembre millenovecentocinquanta nevicò.
Dal 2 al 9 luglio | Dal due al nove luglio
Il 31-12-1999, a mezzanotte | Il trentuno dicembre millenovecentonovantanove, a mezzanotte
# times
Arrivò alle 14:30. | Arrivò alle quattordici e trenta.
Il treno delle ore 8.15 partì. | Il treno delle ore otto e quindici partì.
Alle 9.00 si apre. | Alle nove si apre.
Alle 10:05 suonò. | Alle dieci e cinque suonò.
Alle ore 12:00 mangiamo. | Alle ore dodici mangiamo.
Alle 7.45 è giorno. | Alle sette e quarantacinque è giorno.
All'1:15 di notte | All'una e quindici di notte
Alle 18:30 in punto | Alle diciotto e trenta in punto
Dalle 8.30 alle 12.30 | Dalle otto e trenta alle dodici e trenta
Alle 0:15 tacque. | Alle zero e quindici tacque.
# money
Il caffè costa 5 €. | Il caffè costa cinque euro.
Pagò 5,20 € al banco. | Pagò cinque euro e venti al banco.
Un prezzo di 1,00 € | Un prezzo di un euro
Una moneta da 0,50 € | Una moneta da cinquanta centesimi
Vinse 2,5 milioni di euro. | Vinse due virgola cinque milioni di euro.
Un debito di 1,9 mld di euro | Un debito di uno virgola nove miliardi di euro
Un fondo di 3 mln € | Un fondo di tre milioni di euro
Pagò 100 lire. | Pagò cento lire.
Costa € 12 in tutto. | Costa dodici euro in tutto.
Gli diedero 21 euro. | Gli diedero ventuno euro.
Ha $ 3 in tasca. | Ha tre dollari in tasca.
Un biglietto da 20 $ | Un biglietto da venti dollari
Deve 1 £ al sarto. | Deve una sterlina al sarto.
Un fondo di 1 milione di dollari | Un fondo di un milione di dollari
Versa 1.500 € al mese. | Versa millecinquecento euro al mese.
Un lotto da 10-20 € | Un lotto da dieci a venti euro
Vale 500 CHF. | Vale cinquecento franchi svizzeri.
# percentages
Salì del 5 %. | Salì del cinque per cento.
Il 12,5% dei voti | Il dodici virgola cinque per cento dei voti
L'8% dei casi | L'otto per cento dei casi
Sono 5-10 % dei casi. | Sono cinque a dieci per cento dei casi.
Il 3 ‰ di sale | Il tre per mille di sale
# ordinals
Il 2º piano è vuoto. | Il secondo piano è vuoto.
La 1ª volta rise. | La prima volta rise.
Abita al 3° piano. | Abita al terzo piano.
La 21ª edizione | La ventunesima edizione
Il 100º giorno | Il centesimo giorno
L'11º comandamento | L'undicesimo comandamento
Il 5° capitolo | Il quinto capitolo
La 2ª guerra punica | La seconda guerra punica
Il 23º anniversario | Il ventitreesimo anniversario
# centuries and roman numerals
Nel secolo XIX tutto cambiò. | Nel secolo diciannovesimo tutto cambiò.
Nel XIX secolo tutto cambiò. | Nel diciannovesimo secolo tutto cambiò.
Nel V secolo cadde Roma. | Nel quinto secolo cadde Roma.
Nel I secolo nacque. | Nel primo secolo nacque.
Tra il IX e il X secolo | Tra il nono e il decimo secolo
Dell'XI secolo resta poco. | Dell'undicesimo secolo resta poco.
Vittorio Emanuele II regnò. | Vittorio Emanuele secondo regnò.
Umberto I morì a Monza. | Umberto primo morì a Monza.
Luigi XIV di Francia | Luigi quattordicesimo di Francia
Carlo V abdicò. | Carlo quinto abdicò.
Papa Pio IX parlò. | Papa Pio nono parlò.
Giovanni Paolo II viaggiò. | Giovanni Paolo secondo viaggiò.
Giovanni XXIII fu papa. | Giovanni ventitreesimo fu papa.
Elisabetta II regnò. | Elisabetta seconda regnò.
Enrico VIII si risposò. | Enrico ottavo si risposò.
Vedi il capitolo IV. | Vedi il capitolo quarto.
Il capitolo XII è lungo. | Il capitolo dodicesimo è lungo.
Il tomo III si perse. | Il tomo terzo si perse.
Atto I, scena II | Atto primo, scena seconda
La parte II annoia. | La parte seconda annoia.
Il canto V dell'Inferno | Il canto quinto dell'Inferno
La II guerra mondiale finì. | La seconda guerra mondiale finì.
La III edizione uscì. | La terza edizione uscì.
Il sec. XIX fu lungo. | Il secolo diciannovesimo fu lungo.
Un CD di Maria | Un CD di Maria
La vitamina C aiuta. | La vitamina C aiuta.
Il signor X telefonò. | Il signor X telefonò.
# fractions
Bevve ½ litro. | Bevve mezzo litro.
Ha 2 ½ anni. | Ha due anni e mezzo.
Resta ¼ di torta. | Resta un quarto di torta.
Mancano ¾ d'ora. | Mancano tre quarti d'ora.
# units
Camminò 5 km nella neve. | Camminò cinque chilometri nella neve.
Andava a 100 km/h. | Andava a cento chilometri orari.
Una stanza di 10 m² | Una stanza di dieci metri quadrati
L'acqua bolle a 100 °C. | L'acqua bolle a cento gradi Celsius.
Un disco da 8 GB | Un disco da otto gigabyte
Pesa 70 kg. | Pesa settanta chilogrammi.
Una lettera di 20 g | Una lettera di venti grammi
Una torre di 1,5 m | Una torre di uno virgola cinque metri
Versò 2 l d'acqua. | Versò due litri d'acqua.
Un campo di 3 ha | Un campo di tre ettari
Una lampada da 60 W | Una lampada da sessanta watt
Consuma 5 kWh al giorno. | Consuma cinque chilowattora al giorno.
Attese 10 min in piedi. | Attese dieci minuti in piedi.
Un angolo di 90° | Un angolo di novanta gradi
Un camion da 21 t | Un camion da ventuno tonnellate
Un residuo di 5 g/1 t | Un residuo di cinque grammi per una tonnellata
È lungo 1 m appena. | È lungo un metro appena.
Radio a 101 MHz | Radio a centouno megahertz
Circa 5–10 km più in là | Circa cinque a dieci chilometri più in là
Un serbatoio di 6 m³ | Un serbatoio di sei metri cubi
Il vento a 3 m/s | Il vento a tre metri al secondo
# abbreviations
Il Sig. Rossi entrò. | Il Signor Rossi entrò.
La Sig.ra Bianchi uscì. | La Signora Bianchi uscì.
La sig.na Verdi cantò. | La signorina Verdi cantò.
Il Dott. Neri venne. | Il Dottor Neri venne.
La dott.ssa Gallo parlò. | La dottoressa Gallo parlò.
Il prof. Conti tacque. | Il professor Conti tacque.
L'avv. Riva perse. | L'avvocato Riva perse.
Frutta, p. es. la pera | Frutta, per esempio la pera
Frutta, ad es. la mela | Frutta, ad esempio la mela
Pane, vino, ecc. | Pane, vino, eccetera
Il n. 5 vinse. | Il numero cinque vinse.
Il n° 12 perse. | Il numero dodici perse.
Vedi p. 12 del libro. | Vedi pagina dodici del libro.
Vedi pp. 4-9. | Vedi pagine quattro a nove.
Vedi pag. 5 in alto. | Vedi pagina cinque in alto.
Vedi cap. 3 e fig. 2. | Vedi capitolo tre e figura due.
Cfr. p. 7 del testo | Confronta pagina sette del testo
Nel 52 a.C. venne Cesare. | Nel cinquantadue avanti Cristo venne Cesare.
Nel 14 d.C. morì Augusto. | Nel quattordici dopo Cristo morì Augusto.
La Banca S.p.A. fallì. | La Banca società per azioni fallì.
Egr. Signore, | egregio Signore,
L'on. Moro parlò. | L'onorevole Moro parlò.
L'ing. Ferri calcolò. | L'ingegner Ferri calcolò.
# ranges
Mancano le pagine 4–9. | Mancano le pagine quattro a nove.
Circa 10–12 uomini | Circa dieci a dodici uomini
Finì 3-3 allo stadio. | Finì tre-tre allo stadio.
Chiami il 555-1234-99. | Chiami il cinque cinque cinque, uno due tre quattro, nove nove.
# symbols and addresses
Rossi & Figli | Rossi e Figli
2 + 2 = 4 | due più due uguale quattro
3 × 4 = 12 | tre per quattro uguale dodici
8 ÷ 2 = 4 | otto diviso due uguale quattro
Se x < 5 | Se x minore di cinque
Vedi www.esempio.org oggi. | Vedi www punto esempio punto org oggi.
Scriva a anna@esempio.it presto. | Scriva a anna chiocciola esempio punto it presto.
Si trova su esempio.com/aiuto-rapido ora. | Si trova su esempio punto com barra aiuto trattino rapido ora.
# what stays
Qui non cambia nulla. | Qui non cambia nulla.
La strada A4 è chiusa. | La strada A4 è chiusa.
Fine. Di nuovo a casa. | Fine. Di nuovo a casa.
Viva la vita! | Viva la vita!
Disse: «Vieni». | Disse: «Vieni».
Il mix e il mil | Il mix e il mil
Un po' di pane | Un po' di pane
L'amico d'infanzia | L'amico d'infanzia
Il Dante di allora | Il Dante di allora
Chi va piano va sano. | Chi va piano va sano.
# more in context
Tra il IX e il X secolo | Tra il nono e il decimo secolo
Erano 10° sotto zero. | Erano dieci gradi sotto zero.
Il XXI Congresso | Il ventunesimo Congresso
I 3/4 della casa | I tre quarti della casa
Il sec. V a.C. finì. | Il secolo quinto avanti Cristo finì.
Le 3 di notte | Le tre di notte
Camminò 1 km più in là. | Camminò un chilometro più in là.
Tel. 06 555 12 34 | Telefono zero sei cinquecentocinquantacinque dodici trentaquattro
A. C. Milan | A. C. Milan
Mangiò 1 uovo. | Mangiò un uovo.
Il 25/12/1900 nevicava. | Il venticinque dicembre millenovecento nevicava.
Nel '900 e nel '500 | Nel novecento e nel cinquecento
Il XX sec. finì. | Il ventesimo secolo finì.
I secoli XIX e XX | I secoli diciannovesimo e ventesimo
Scrisse Giovanni V. Rossi ieri. | Scrisse Giovanni V. Rossi ieri.
Art. 70 l. 633/1941. | Articolo settanta legge seicentotrentatré/millenovecentoquarantuno.
Costa lire 1.000.000 ora. | Costa un milione di lire ora.
1a - che vennero. | prima - che vennero.
Il c. 7 del codice. | Il capitolo sette del codice.
L'art. 3, c. 7, e l'art. 2-bis c. 1. | L'articolo tre, comma sette, e l'articolo due-bis comma uno.
La 38-ma edizione. | La trentottesima edizione.
Si dice [v. 908]. | Si dice [vedi novecentotto].
Al 35'il pareggio. | Al trentacinquesimo il pareggio.
Al punto 1 lettera c. | Al punto uno lettera c.
Agli artt 37/39/43 si dice. | Agli artt trentasette, trentanove, quarantatré si dice.
"""
SWITZERLAND = """
Una città di 1'234 abitanti | Una città di milleduecentotrentaquattro abitanti
Costa 5.20 Fr. al banco. | Costa cinque franchi e venti al banco.
Un totale di 1'234.50 punti | Un totale di milleduecentotrentaquattro punto cinquanta punti
Il 1° agosto è festa. | Il primo agosto è festa.
"""


def test_as_in_italy():
    assert_said(ITALY, "it-IT")


def test_as_in_switzerland():
    assert_said(SWITZERLAND, "it-CH")


@pytest.mark.parametrize("region", ("IT", "CH"))
def test_no_two_numbers_have_the_same_words(region):
    numbers = [*range(2100), *range(21_000, 22_000, 7), *range(10**6, 3 * 10**6, 10**5 + 1)]
    assert len({cardinal(number, region) for number in numbers}) == len(numbers)


@given(st.text(alphabet="abcdefghij ,;", max_size=60))
def test_words_alone_stay(text):
    assert not spoken_line(text, "it").edits


@given(st.text(alphabet="0123456789.,:-–/ºª°½%€$§&+@ IVXLabehmrs\u00a0", max_size=40))
def test_edits_are_in_order_and_do_not_overlap(text):
    at = 0
    for edit in spoken_line(text, "it").edits:
        assert at <= edit.start < edit.end <= len(text)
        at = edit.end
