"""Spanish in words: as written, as spoken."""

# ruff: noqa: E501

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.es.language import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said

SPAIN = """
El papa Pío IX y Alfonso IX | El papa Pío nono y Alfonso noveno
De 64.000,000 de habitantes. Teléf. 14-30 | De sesenta y cuatro millones de habitantes. Teléf. catorce treinta
El Niño, 4,00 ptas. La busca, 3,00. Az. 20—C. 300 gramos, c. 1200; 3,50 ptas. | El Niño, cuatro pesetas La busca, tres. Az. veinte—C. trescientos gramos, circa mil doscientos; tres pesetas con cincuenta
El pueblo de V... da un 40 p.% a V...; el mismo; 1,234; 228 | El pueblo de V... da un cuarenta por ciento a usted..; el mismo; mil doscientos treinta y cuatro; doscientos veintiocho
Dije a un hombre, (6) en el Reino. Después del Diluvio. (9) A este modo. Hay dos. (2) Una, (3) otra. | Dije a un hombre, en el Reino. Después del Diluvio. A este modo. Hay dos. (dos) Una, (tres) otra.
Llegaron a la c/ Mayor. | Llegaron a la calle Mayor.
La figura 2-3 y las figuras 2-3 | La figura dos-tres y las figuras dos a tres
Al amanecer del 21 vimos 21 barcos. | Al amanecer del veintiuno vimos veintiún barcos.
Son 1.000.000 personas y 2.000.000 kg a 9,8 m s-2. | Son un millón de personas y dos millones de kilogramos a nueve coma ocho metros por segundo al cuadrado.
1/2 taza, 1/4 cucharadita, 1 1/2 tazas y 8 oz | media taza, un cuarto de cucharadita, una taza y media y ocho onzas
Llegó a las 21h30 y duró 1h50. | Llegó a las veintiuna treinta y duró una hora y cincuenta minutos.
Son las 400 mayores. | Son las cuatrocientas mayores.
Son 435 congresistas, 200 listas y 200 entrevistas. | Son cuatrocientos treinta y cinco congresistas, doscientas listas y doscientas entrevistas.
En 3300 aC hubo 91 especies, [-1.5607, 1.6123] | En tres mil trescientos antes de Cristo hubo noventa y una especies, [menos uno punto cinco seis cero siete, uno punto seis uno dos tres]
Cocer 1-2 minutos o 1-2 horas. | Cocer uno a dos minutos o una a dos horas.
Vale 1e-3, 5e-5 o 2.5e10. | Vale uno e menos tres, cinco e menos cinco o dos coma cinco e diez.
"Zaragoza"; Sandra D. Guajardo, Carlos D. Pérez y D. Juan, §§ 3 y 4 | "Zaragoza"; Sandra D. Guajardo, Carlos D. Pérez y don Juan, párrafos tres y cuatro
El día 05, 17:20: US$ 5 MM por la red 4g, Linux >= 4.6 | El día cinco, diecisiete veinte: cinco millones de dólares por la red cuatro g, Linux mayor o igual que cuatro punto seis
Abierto de 8h-12h, unos 10⁻³ y x². | Abierto de ocho a doce, unos diez elevado a menos tres y x al cuadrado.
Los artículos 2o-A y 6o primero, el 2o piso | Los artículos segundo-A y sexto primero, el segundo piso
Llegó a casa (6,25 tarde), a las 10,30 horas y a las 8,30. | Llegó a casa (seis y veinticinco tarde), a las diez y media y a las ocho y media.
Un premio de US3,494 millones y 6,251 millones de pesos | Un premio de tres mil cuatrocientos noventa y cuatro millones de dólares y seis mil doscientos cincuenta y un millones de pesos
Se invierten $120,000'000,000 y 1'234.567 pesos. | Se invierten ciento veinte mil millones de dólares y un millón doscientos treinta y cuatro mil quinientos sesenta y siete pesos.
Estaba a 305º, giró 180° norte, un giro de 45º. | Estaba a trescientos cinco grados, giró ciento ochenta grados norte, un giro de cuarenta y cinco grados.
Está a 40º 25' N, 3º 42' O, cerca de 40° 25′ 30″ S. | Está a cuarenta grados veinticinco minutos norte, tres grados cuarenta y dos minutos oeste, cerca de cuarenta grados veinticinco minutos treinta segundos sur.
En 2003-04 iba a 115 mph con N. D. Kondratieff. | En dos mil tres a dos mil cuatro iba a ciento quince millas por hora con N. D. Kondratieff.
El 14 º país, su 125º aniversario, US $ 5 millones | El decimocuarto país, su centésimo vigésimo quinto aniversario, cinco millones de dólares
Los del 11° Batallón, a 5° Celsius; 1 ° Difamación | Los del undécimo Batallón, a cinco grados Celsius; primero Difamación
Son 20 €/mes y 24 horas/día, de día/noche. | Son veinte euros por mes y veinticuatro horas por día, de día/noche.
Ganó por 6/4, 3/6 y 7/5. | Ganó por seis cuatro, tres seis y siete cinco.
La 2a. edición y el Artículo 1o.- dicen: $5bn. | La segunda edición y el Artículo primero- dicen: cinco mil millones de dólares.
Una mujer en sus 20s esperó 20s. | Una mujer en sus veinte esperó veinte segundos.
Unos 5 habitantes por km2 | Unos cinco habitantes por kilómetro cuadrado
Madrid, 6-VIII-1906 y 24.V.1901 | Madrid, seis de agosto de mil novecientos seis y veinticuatro de mayo de mil novecientos uno
A 2º C o 70 ° C, a las 11.00h o 20:15h | A dos grados Celsius o setenta grados Celsius, a las once horas o veinte quince
El 2do piso, la 3ra vez, el siglo 5to | El segundo piso, la tercera vez, el siglo quinto
Son $1.683 millones de pesos y $ 12.559 pesos. | Son mil seiscientos ochenta y tres millones de pesos y doce mil quinientos cincuenta y nueve pesos.
Cuesta 1,335 euros por litro y no 18,186 dólares. | Cuesta uno coma tres tres cinco euros por litro y no dieciocho mil ciento ochenta y seis dólares.
Dijo Amy D. Lykins al Rey D. Alfonso. Entonces D. Juan | Dijo Amy D. Lykins al Rey don Alfonso. Entonces don Juan
El 20/04/20, del 5/10 al 17/12, 5/10 del total | El veinte de abril de dos mil veinte, del cinco de octubre al diecisiete de diciembre, cinco décimos del total
Tardó 2h 6m 12s en la fase III. | Tardó dos horas seis minutos doce segundos en la fase tres.
El Covid -19 y la variante P.1 | El Covid diecinueve y la variante P.uno
Un disco de 3 ½ puede más. | Un disco de tres y medio puede más.
Vea https://elpais.com/politica/2017/09/12/x_1.html. | Vea elpais punto com.
Llame al +57 318 312452. | Llame al cinco siete, tres uno ocho, tres uno dos cuatro cinco dos.
A 967 mts. de altitud, a 180 ºC | A novecientos sesenta y siete metros de altitud, a ciento ochenta grados Celsius
Vino S. I. al fin. | Vino S. I. al fin.
los FF. CC. Vascos | los ferrocarriles Vascos
A las 16:07:37 en la versión v1.0.1 | A las dieciséis cero siete y treinta y siete segundos en la versión v uno punto cero punto uno
Eran 1/8 de taza y 5/6 del resto. | Eran un octavo de taza y cinco sextos del resto.
Vive en la Av. de Mayo. | Vive en la avenida de Mayo.
Vive en el N°65 o en el n.º5. | Vive en el Número sesenta y cinco o en el número cinco.
Está en 3° año, en el 1º piso. | Está en tercer año, en el primer piso.
Es el 3º de la lista. | Es el tercero de la lista.
Ver págs. 129-40 y 1848-9. | Ver páginas ciento veintinueve a ciento cuarenta y mil ochocientos cuarenta y ocho a cuarenta y nueve.
Lleva 1/4 kg de harina y 1/2 l de leche. | Lleva un cuarto de kilogramo de harina y medio litro de leche.
# cardinals
Había 3 perros en el patio. | Había tres perros en el patio.
Éramos 16 en la mesa. | Éramos dieciséis en la mesa.
La página 1 falta. | La página uno falta.
Tenía 22 primos. | Tenía veintidós primos.
Un pueblo de 100 vecinos | Un pueblo de cien vecinos
Un pueblo de 101 vecinos | Un pueblo de ciento un vecinos
Cerca de 1.000 soldados | Cerca de mil soldados
Una ciudad de 1.234.567 habitantes | Una ciudad de un millón doscientos treinta y cuatro mil quinientos sesenta y siete habitantes
Vinieron 21.000 hombres. | Vinieron veintiún mil hombres.
Ganó 1.000.000 de votos. | Ganó un millón de votos.
Quedaban 0 puntos. | Quedaban cero puntos.
El agente 007 llegó. | El agente cero cero siete llegó.
Unos 35 barcos zarparon. | Unos treinta y cinco barcos zarparon.
Un ejército de 31.000 soldados | Un ejército de treinta y un mil soldados
Contó 555 estrellas. | Contó quinientas cincuenta y cinco estrellas.
# gender and short forms
Esperó 1 hora. | Esperó una hora.
Tiene 1 hijo y 1 hija. | Tiene un hijo y una hija.
Cumplió 21 años. | Cumplió veintiún años.
Leyó 21 páginas. | Leyó veintiuna páginas.
Vinieron 200 personas. | Vinieron doscientas personas.
Murieron 300 soldados. | Murieron trescientos soldados.
Contó 31 casas. | Contó treinta y una casas.
Cantaron 101 mujeres. | Cantaron ciento una mujeres.
Pasaron 41 días. | Pasaron cuarenta y un días.
Son 201 noches. | Son doscientas una noches.
Llegaron 2.200 cartas. | Llegaron dos mil doscientas cartas.
Somos 21 en clase. | Somos veintiuno en clase.
Hay 21, dijo. | Hay veintiuno, dijo.
# decimals and negative numbers
El número 3,14 es famoso. | El número tres coma catorce es famoso.
Una media de 2,5 hijos | Una media de dos coma cinco hijos
Pesaba 0,05 gramos. | Pesaba cero coma cero cinco gramos.
El valor es 1,618 exactamente. | El valor es uno coma seis uno ocho exactamente.
Hacía −5 grados. | Hacía menos cinco grados.
Hacía -12 °C en la sierra. | Hacía menos doce grados Celsius en la sierra.
Un total de 1.234,5 unidades | Un total de mil doscientos treinta y cuatro coma cinco unidades
Véase la sección 2.1 del libro. | Véase la sección dos punto uno del libro.
La versión 3.2.1 salió ayer. | La versión tres punto dos punto uno salió ayer.
# years
Nació en 1897. | Nació en mil ochocientos noventa y siete.
La guerra de 1936 empezó. | La guerra de mil novecientos treinta y seis empezó.
Desde 2001, nada. | Desde dos mil uno, nada.
En 1931 las calles ardían. | En mil novecientos treinta y uno las calles ardían.
En 1921 llegó el rey. | En mil novecientos veintiuno llegó el rey.
La guerra de 1936-1939 | La guerra de mil novecientos treinta y seis a mil novecientos treinta y nueve
El curso 1998-99 fue largo. | El curso mil novecientos noventa y ocho a noventa y nueve fue largo.
Los años 60 pasaron. | Los años sesenta pasaron.
Los años 1920 brillaron. | Los años mil novecientos veinte brillaron.
En los años '80 cantaban. | En los años ochenta cantaban.
Reinó de 1516 a 1556. | Reinó de mil quinientos dieciséis a mil quinientos cincuenta y seis.
En el año 711 cruzaron. | En el año setecientos once cruzaron.
# dates
El 3 de mayo de 1914 partió. | El tres de mayo de mil novecientos catorce partió.
El 1 de enero de 2000 | El uno de enero de dos mil
El 1.º de mayo es fiesta. | El primero de mayo es fiesta.
Madrid, 14 de abril de 1931 | Madrid, catorce de abril de mil novecientos treinta y uno
El 2 de mayo, Madrid ardió. | El dos de mayo, Madrid ardió.
Una carta del 03/05/1914 | Una carta del tres de mayo de mil novecientos catorce
Nació el 3-5-1914 en Soria. | Nació el tres de mayo de mil novecientos catorce en Soria.
Murió el 2001-12-24. | Murió el veinticuatro de diciembre de dos mil uno.
El lunes 8 de agosto | El lunes ocho de agosto
El 21 de dic. de 1950 | El veintiuno de diciembre de mil novecientos cincuenta
El 11 de septiembre del 2001 | El once de septiembre de dos mil uno
Del 2 al 9 de julio | Del dos al nueve de julio
El 23 de abril murió. | El veintitrés de abril murió.
El 31/12/1999, a medianoche | El treinta y uno de diciembre de mil novecientos noventa y nueve, a medianoche
# times
Llegó a las 14:30. | Llegó a las catorce treinta.
Salió a las 3:30. | Salió a las tres y media.
El tren de las 8.15 partió. | El tren de las ocho y cuarto partió.
Son las 10:05. | Son las diez y cinco.
A las 12:00 comemos. | A las doce comemos.
A las 7:45 amanece. | A las siete cuarenta y cinco amanece.
A la 1:15 de la noche | A la una y cuarto de la noche
A la 1:20 volvió. | A la una y veinte volvió.
A las 20 h cierran. | A las veinte horas cierran.
A las 14:30 h empieza. | A las catorce treinta empieza.
A las 18.00 horas | A las dieciocho horas
A las 0:15 sonó. | A las cero quince sonó.
A las 23:59 calló. | A las veintitrés cincuenta y nueve calló.
A las 3 p. m. salió. | A las tres pe eme salió.
# money
El café cuesta 5 €. | El café cuesta cinco euros.
Pagó 5,20 € en la barra. | Pagó cinco euros con veinte en la barra.
Un precio de 1,00 € | Un precio de un euro
Una moneda de 0,50 € | Una moneda de cincuenta céntimos
Ganó 2,5 millones de euros. | Ganó dos coma cinco millones de euros.
Una deuda de 1,9 millones de € | Una deuda de uno coma nueve millones de euros
Un gasto de 3 M€ | Un gasto de tres millones de euros
Pagó 100 pesetas. | Pagó cien pesetas.
Le dieron 21 euros. | Le dieron veintiún euros.
Gana 200 libras. | Gana doscientas libras.
Tiene $ 3 en el bolsillo. | Tiene tres dólares en el bolsillo.
Un billete de 20 $ | Un billete de veinte dólares
Debe 21 £ al sastre. | Debe veintiuna libras al sastre.
Un fondo de 1 millón de dólares | Un fondo de un millón de dólares
Paga 1.500 € al mes. | Paga mil quinientos euros al mes.
Vale 500 ptas. el kilo. | Vale quinientas pesetas el kilo.
Un lote de 10-20 € | Un lote de diez a veinte euros
Vale 500 CHF. | Vale quinientos francos suizos.
# percentages
Subió un 5 %. | Subió un cinco por ciento.
El 12,5 % de los votos | El doce coma cinco por ciento de los votos
Un 21% más | Un veintiún por ciento más
Quizá un 5-10 % de los casos | Quizá un cinco a diez por ciento de los casos
El 3 ‰ de la sal | El tres por mil de la sal
# ordinals
El 2.º piso está vacío. | El segundo piso está vacío.
La 1.ª vez rió. | La primera vez rió.
Vive en el 3.er piso. | Vive en el tercer piso.
El 1.er día | El primer día
El 10º puesto | El décimo puesto
La 2ª parte | La segunda parte
El 11.º mandamiento | El undécimo mandamiento
La 21.ª edición | La vigésima primera edición
El 18.º aniversario | El decimoctavo aniversario
Los 1.os premios | Los primeros premios
El 100.º día | El centésimo día
El 75.º aniversario | El septuagésimo quinto aniversario
# centuries and roman numerals
En el siglo XIX todo cambió. | En el siglo diecinueve todo cambió.
En el siglo V cayó Roma. | En el siglo quinto cayó Roma.
En el siglo I nació. | En el siglo primero nació.
Los siglos XIX y XX | Los siglos diecinueve y veinte
Entre los siglos IX y XI | Entre los siglos noveno y once
Los siglos XVI-XVII | Los siglos dieciséis a diecisiete
Carlos V abdicó. | Carlos quinto abdicó.
Felipe II mandaba. | Felipe segundo mandaba.
Alfonso X el Sabio | Alfonso décimo el Sabio
Alfonso XIII se fue. | Alfonso trece se fue.
Luis XIV de Francia | Luis catorce de Francia
Isabel II reinó. | Isabel segunda reinó.
Juan Pablo II viajó. | Juan Pablo segundo viajó.
Juan XXIII fue papa. | Juan veintitrés fue papa.
Véase el capítulo IV. | Véase el capítulo cuarto.
El capítulo XII es largo. | El capítulo doce es largo.
El tomo III se perdió. | El tomo tercero se perdió.
Acto I, escena II | Acto primero, escena segunda
La parte II aburre. | La parte segunda aburre.
La II Guerra Mundial acabó. | La segunda Guerra Mundial acabó.
La I Guerra Mundial empezó. | La primera Guerra Mundial empezó.
La II República cayó. | La segunda República cayó.
El s. XIX fue largo. | El siglo diecinueve fue largo.
Un CD de María | Un CD de María
El rey y yo | El rey y yo
La vitamina C cura. | La vitamina C cura.
El señor X llamó. | El señor X llamó.
# fractions
Bebió ½ litro. | Bebió medio litro.
Tiene 2 ½ años. | Tiene dos años y medio.
Queda ¼ de tarta. | Queda un cuarto de tarta.
Faltan ¾ de hora. | Faltan tres cuartos de hora.
# units
Caminó 5 km por la nieve. | Caminó cinco kilómetros por la nieve.
Iba a 100 km/h. | Iba a cien kilómetros por hora.
Un piso de 10 m² | Un piso de diez metros cuadrados
El agua hierve a 100 °C. | El agua hierve a cien grados Celsius.
Un disco de 8 GB | Un disco de ocho gigabytes
Pesa 70 kg. | Pesa setenta kilogramos.
Una carta de 20 g | Una carta de veinte gramos
Una torre de 1,5 m | Una torre de uno coma cinco metros
Vertió 2 l de agua. | Vertió dos litros de agua.
Un campo de 3 ha | Un campo de tres hectáreas
Una bombilla de 60 W | Una bombilla de sesenta vatios
Gasta 5 kWh al día. | Gasta cinco kilovatios hora al día.
Esperó 10 min más. | Esperó diez minutos más.
Un ángulo de 90° | Un ángulo de noventa grados
Un camión de 21 t | Un camión de veintiuna toneladas
Mide 1 m de largo. | Mide un metro de largo.
Radio en 101 MHz | Radio en ciento un megahercios
Unos 5–10 km más allá | Unos cinco a diez kilómetros más allá
Un depósito de 6 m³ | Un depósito de seis metros cúbicos
Una carga de 200 t | Una carga de doscientas toneladas
# abbreviations
El Sr. López entró. | El señor López entró.
La Sra. Ruiz salió. | La señora Ruiz salió.
La Srta. Vega cantó. | La señorita Vega cantó.
El Dr. Gil vino. | El doctor Gil vino.
La Dra. Sanz habló. | La doctora Sanz habló.
Frutas, p. ej. la pera | Frutas, por ejemplo la pera
Frutas, p.ej. la uva | Frutas, por ejemplo la uva
Pan, vino, etc. | Pan, vino, etcétera
Usted, Ud. y Uds. ríen. | Usted, usted y ustedes ríen.
El n.º 5 ganó. | El número cinco ganó.
El núm. 12 perdió. | El número doce perdió.
Véase pág. 5 del libro. | Véase página cinco del libro.
Véanse págs. 4-9. | Véanse páginas cuatro a nueve.
Véase p. 12. | Véase página doce.
Véase cap. 3 y fig. 2. | Véase capítulo tres y figura dos.
En 52 a. C. vino César. | En cincuenta y dos antes de Cristo vino César.
En 14 d. C. murió Augusto. | En catorce después de Cristo murió Augusto.
Viaja a EE. UU. mañana. | Viaja a Estados Unidos mañana.
D. Quijote y Sancho | don Quijote y Sancho
Dña. Ana calló. | doña Ana calló.
Sta. Teresa escribió. | santa Teresa escribió.
El Excmo. señor duque | El excelentísimo señor duque
Vive en la Avda. del Mar. | Vive en la Avenida del Mar.
# ranges
Las páginas 4–9 faltan. | Las páginas cuatro a nueve faltan.
Unos 10–12 hombres | Unos diez a doce hombres
Quedaron 3-3 al final. | Quedaron tres-tres al final.
Llame al 555-1234-99. | Llame al cinco cinco cinco, uno dos tres cuatro, nueve nueve.
# symbols and addresses
Pérez & Hijos | Pérez e Hijos
2 + 2 = 4 | dos más dos igual a cuatro
3 × 4 = 12 | tres por cuatro igual a doce
8 ÷ 2 = 4 | ocho entre dos igual a cuatro
Si x < 5 | Si x menor que cinco
Véase www.ejemplo.org hoy. | Véase www punto ejemplo punto org hoy.
Escriba a ana@ejemplo.es pronto. | Escriba a ana arroba ejemplo punto es pronto.
Está en ejemplo.com/ayuda-rapida ahora. | Está en ejemplo punto com barra ayuda guion rapida ahora.
# what stays
Nada cambia aquí. | Nada cambia aquí.
La autovía A4 está cerrada. | La autovía A4 está cerrada.
Fin. De nuevo en casa. | Fin. De nuevo en casa.
¿Vas a venir? | ¿Vas a venir?
¡Viva la vida! | ¡Viva la vida!
Dijo: «Ven». | Dijo: «Ven».
El cid y el mil | El cid y el mil
Don D. calló. | Don D. calló.
# more in context
Entre 200 y 300 personas | Entre doscientas y trescientas personas
Ganó 200 mil personas más. | Ganó doscientas mil personas más.
A las 21 volvió. | A las veintiuna volvió.
A la 1 de la tarde | A la una de la tarde
Volvió a las 9 y a las 10. | Volvió a las nueve y a las diez.
Los 3/4 de la casa | Los tres cuartos de la casa
El tel. 91 555 12 34 | El teléfono noventa y uno quinientos cincuenta y cinco doce treinta y cuatro
El D. F. es grande. | El D. F. es grande.
S. M. el rey | Su Majestad el rey
Pérez & Iglesias | Pérez e Iglesias
1 kg de patatas | un kilogramo de patatas
En los 80 todo era así. | En los ochenta todo era así.
Llegó 1 vez tarde. | Llegó una vez tarde.
Escribió Juan V. López ayer. | Escribió Juan V. López ayer.
Los ss. XV y XVI | Los siglos quince y dieciséis
Véase Cap. 3 y Cap. IV. | Véase Capítulo tres y Capítulo cuarto.
S. S. Q. S. M. B. | S. S. Q. S. M. B.
Los SHA-1s. | Los SHA-uno.
El 1999/12/31. | El treinta y uno de diciembre de mil novecientos noventa y nueve.
Cuesta 2.000.000 euros. | Cuesta dos millones de euros.
Está a 22'6 km. | Está a veintidós coma seis kilómetros.
Renta de $ 18,186 al año. | Renta de dieciocho mil ciento ochenta y seis dólares al año.
El teléfono es 675611884. | El teléfono es seis siete cinco seis uno uno ocho ocho cuatro.
Lo que sirviese.de lección. | Lo que sirviese.de lección.
Ve V. que V. E. calla, á VV. y el capítulo V, ¿sabe V.? | Ve usted que Vuestra Excelencia calla, á ustedes y el capítulo quinto, ¿sabe usted?
Hombre 2° | Hombre segundo
Vio al V. padre Juan. | Vio al V. padre Juan.
A 2° bajo cero | A dos grados bajo cero
Salió el 18,544 y tenía 21,500 personas, 12,345 metros y 18,544 %. | Salió el dieciocho mil quinientos cuarenta y cuatro y tenía veintiún mil quinientas personas, doce coma tres cuatro cinco metros y dieciocho coma cinco cuatro cuatro por ciento.
Enero de 187.... y en 18… y mayo de 18**; dijo 18... y calló | Enero de mil ochocientos setenta y tantos y en mil ochocientos y tantos y mayo de mil ochocientos y tantos; dijo dieciocho... y calló
30.000 rs. que, 5 rs. vn.; §. 5; un capuchino[15] muerto, un gato [11]. | treinta mil reales que, cinco reales de vellón; párrafo cinco; un capuchino muerto, un gato .
⅛ de litro, 3/8 l, 1⅛ kg | un octavo de litro, tres octavos de litro, un kilogramo y un octavo
3° He visto dos. | tercero He visto dos.
Un 30 por 100 de «12'50; 7'95». | Un treinta por ciento de «doce coma cincuenta; siete coma noventa y cinco».
Entre lobos, (18) imitando; vino (3) y pan (12), el Ingenio [ 3 ] de Ana, una losa [3] -dijo-. ¿Es ese?... (2) | Entre lobos, imitando; vino (tres) y pan (doce), el Ingenio de Ana, una losa -dijo-. ¿Es ese?...
Una montaña de 4,500 pies (V. M. Ferey); 4,500 metros [pág. 270]Al sur | Una montaña de cuatro mil quinientos pies (véase M. Ferey); cuatro coma cinco cero cero metros Al sur
"""
MEXICO = """
Una ciudad de 1,234,567 habitantes | Una ciudad de un millón doscientos treinta y cuatro mil quinientos sesenta y siete habitantes
El número 3.14 es famoso. | El número tres punto catorce es famoso.
Un total de 1,234.5 unidades | Un total de mil doscientos treinta y cuatro punto cinco unidades
El café cuesta $3.50 hoy. | El café cuesta tres pesos con cincuenta hoy.
Pagó $20 en la tienda. | Pagó veinte pesos en la tienda.
El 1 de enero de 2000 | El primero de enero de dos mil
Mide 1.5 m de alto. | Mide uno punto cinco metros de alto.
Un 12.5 % más | Un doce punto cinco por ciento más
Costó $1,500.00 ayer. | Costó mil quinientos pesos ayer.
Pagó 200 MXN en caja. | Pagó doscientos pesos mexicanos en caja.
"""
UNITED_STATES = """
Nació el 03/05/1914 en Texas. | Nació el cinco de marzo de mil novecientos catorce en Texas.
Ganó 1,500 dólares. | Ganó mil quinientos dólares.
"""


def test_as_in_spain():
    assert_said(SPAIN, "es-ES")


def test_as_in_mexico():
    assert_said(MEXICO, "es-MX")


def test_as_in_united_states():
    assert_said(UNITED_STATES, "es-US")


@pytest.mark.parametrize("region", ("ES", "MX", "US"))
def test_no_two_numbers_have_the_same_words(region):
    numbers = [*range(2100), *range(21_000, 22_000, 7), *range(10**6, 3 * 10**6, 10**5 + 1)]
    assert len({cardinal(number, region) for number in numbers}) == len(numbers)


@given(st.text(alphabet="abcdefghij ,;", max_size=60))
def test_words_alone_stay(text):
    assert not spoken_line(text, "es").edits


@given(st.text(alphabet="0123456789.,:-–/ºª°½%€$§&+@ IVXLabehmrs\u00a0", max_size=40))
def test_edits_are_in_order_and_do_not_overlap(text):
    at = 0
    for edit in spoken_line(text, "es").edits:
        assert at <= edit.start < edit.end <= len(text)
        at = edit.end
