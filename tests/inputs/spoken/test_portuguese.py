"""Portuguese in words: as written, as spoken."""

# ruff: noqa: E501

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.pt.language import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said, cases, said

PORTUGAL = """
Latitude 2¹/2 graus, £ 14-11-1 | Latitude dois e meio graus, catorze libras, onze xelins e um péni
CAMÕES—C. VI; 30.837:374$960; 1.793.645$061 | CAMÕES—Canto VI; trinta mil oitocentos e trinta e sete contos e trezentos e setenta e quatro mil novecentos e sessenta réis; mil setecentos e noventa e três milhões seiscentos e quarenta e cinco mil sessenta e um réis
No Tomo 1.ᵒ das Provas, 2.ᵃ parte | No Tomo primeiro das Provas, segunda parte
Teve 1.700:000 homens, e andou 7,285 braças (398-361), 2 vol. in-12.º, in-8.º, a fl. 76 | Teve um milhão e setecentos mil homens, e andou sete mil duzentas e oitenta e cinco braças (trezentos e noventa e oito a trezentos e sessenta e um), dois vol. in doze, in oitavo, a folha setenta e seis
Diriam vmc.es, v. mcê, V Exa. e v. ex.a. E antes assim. | Diriam vossemecês, vossemecê, vossa excelência e vossa excelência. E antes assim.
O sr. d'Aubry, a snr.ª Rita, os srs. deputados | O senhor d'Aubry, a senhora Rita, os senhores deputados
V. Ex.a vê; v. exc.ª terá; vv. ex.as; S. Ex.a, Sua Ex.a; v. s.a manda | vossa excelência vê; vossa excelência terá; vossas excelências; sua excelência, Sua excelência; vossa senhoria manda
A ex.ma M.me de Moura, St.a Olavia, a 1.ªduqueza | A excelentíssima madame de Moura, santa Olavia, a primeira duqueza
No IV acto, D. Affonso III, do seculo XV | No quarto acto, dom Affonso terceiro, do seculo quinze
O carregador [379]appareceu na[74]casa e as[135] arvores, 213Advinhava-se, ao seu 364braço, 20anos | O carregador appareceu na casa e as arvores, Advinhava-se, ao seu braço, 20anos
Fez os 700^m em 41'', os 1:400 metros em 1',22; tran- 399quila | Fez os setecentos metros em quarenta e um segundos, os mil e quatrocentos metros em um minuto e vinte e dois segundos; tranquila
Lia o D.Quixote, na 2.^a classe, com S. Alteza e m.elle Hortense; vm.ce | Lia o dom Quixote, na segunda classe, com Sua Alteza e mademoiselle Hortense; vossemecê
Nos disse = dae de beber a quem tem sêde = , não isentou | Nos disse dae de beber a quem tem sêde , não isentou
A resposta fosse = Sinto muito, avec de 1'esprit | A resposta fosse Sinto muito, avec de l'esprit
Nos séculos VIII a XII e nos séculos VIII e IX | Nos séculos oito a doze e nos séculos oitavo e nono
Custou 4m para o clube e pagou 1,5m. Gastou 3m de fio. | Custou quatro milhões para o clube e pagou um vírgula cinco milhão. Gastou três metros de fio.
Eram CR$ 26,3 trilhões. | Eram vinte e seis vírgula três trilhões de cruzeiros.
Nos n.os 1 a 6, dos anos 1990s | Nos números um a seis, dos anos mil novecentos e noventa
Artigo 37. o Taxas | Artigo trigésimo sétimo Taxas
Nos artigos 580.º e 581.º, 696.º a 702.º e no artigo 1007.º, o artigo 18.º | Nos artigos quinhentos e oitenta e quinhentos e oitenta e um, seiscentos e noventa e seis a setecentos e dois e no artigo mil e sete, o artigo décimo oitavo
Às 23h e 01h; 10.00-12.00 Filme; uma foto 10x15 cm; na Série I | Às vinte e três horas e uma hora; dez horas a doze horas Filme; uma foto dez por quinze centímetros; na Série um
Um livro de 208 pp. ou 306 p. | Um livro de duzentas e oito páginas ou trezentas e seis páginas
Até 500ºF. | Até quinhentos graus Fahrenheit.
Dias 30 e 31/08, vídeos 360º; ex: 10,25,50,100,250 | Dias trinta e trinta e um de agosto, vídeos trezentos e sessenta graus; ex: dez, vinte e cinco, cinquenta, cem, duzentos e cinquenta
25/02 – Paralisação | vinte e cinco de fevereiro – Paralisação
Até 1 mil €, 1 mil pessoas; no sábado, 25.08, quinta-feira (22.04) e versão 18.09 | Até mil euros, mil pessoas; no sábado, vinte e cinco de agosto, quinta-feira (vinte e dois de abril) e versão dezoito ponto zero nove
A nota é 3/10; p = 3/10 = 0,3 | A nota é três em dez; p igual a três décimos igual a zero vírgula três
Outras 400 de 2.000.000,50 € e 1.000.000,00 € | Outras quatrocentas de dois milhões de euros e cinquenta cêntimos e um milhão de euros
Em 08, 09 e 10 de abril, um div de 16px, nota 8/10 | Em oito, nove e dez de abril, um div de dezasseis píxeis, nota oito em dez
Em 10x de 5 €, 1x por dia, 1024×768, 1920 x 1080, 3x1, fase 4/5 | Em dez vezes de cinco euros, uma vez por dia, mil e vinte e quatro por setecentos e sessenta e oito, mil novecentos e vinte por mil e oitenta, três a um, fase quatro/cinco
São 1 558 196 km ² e 2,382'' de avanço | São um milhão quinhentos e cinquenta e oito mil cento e noventa e seis quilómetros quadrados e dois vírgula três oito dois segundos de avanço
A cenoura (- 13,82), n ° 162; sua 2 º loja, da 1º de maio; com 320 Nm | A cenoura (menos treze vírgula oitenta e dois), número cento e sessenta e dois; sua segunda loja, da primeiro de maio; com trezentos e vinte newton-metros
No 4x100m livre, em 46s91 | No quatro por cem metros livre, em quarenta e seis segundos e noventa e um
Com 110.000.000 habitantes, 1.000.000 pessoas e 5 mg L-1 | Com cento e dez milhões de habitantes, um milhão de pessoas e cinco miligramas por litro
1/2 chávena, 1/4 colher de sopa, 1 1/2 litro e 2 e 1/2 copos | meia chávena, um quarto de colher de sopa, um litro e meio e dois copos e meio
Durou 2h15, um filme de 1h50, das 9h30 a 10h | Durou duas horas e quinze minutos, um filme de uma hora e cinquenta minutos, das nove e meia a dez horas
Correu em 08,8 segundos amanhã (23 / 08), diz a resolução 217 A (III) | Correu em oito vírgula oito segundos amanhã (vinte e três de agosto), diz a resolução duzentos e dezassete A (três)
De 3ª a sáb., às 21h30 | De terça a sáb., às vinte e uma e trinta
Aberto 3ª a 6ª, das 10h às 19h; na 3ª-feira e na 3ª a 6ª série | Aberto terça a sexta, das dez horas às dezanove horas; na terça-feira e na terceira a sexta série
Rua do Ouro, 260, 1.°. Entrou. | Rua do Ouro, duzentos e sessenta, primeiro. Entrou.
O código, c. 2. Depois. | O código, capítulo dois. Depois.
Publicado em 14032017, com uma soma de 20102015 casas | Publicado em catorze de março de dois mil e dezassete, com uma soma de vinte milhões cento e duas mil e quinze casas
Leia Mateus 23,8, Jo 3:16 e 1 Coríntios 13,4-7. | Leia Mateus vinte e três, oito, João três, dezasseis e primeira Coríntios treze, quatro a sete.
Na segunda-feira (05) e no sábado (06) | Na segunda-feira (cinco) e no sábado (seis)
A 41,725 dólares o barril; são 41,725 dólares. | A quarenta e um vírgula sete dois cinco dólares o barril; são quarenta e um mil setecentos e vinte e cinco dólares.
> Um ponto a 1 º / 07 e a 1º/12 |   Um ponto a primeiro de julho e a primeiro de dezembro
Das 10h30-11h, com 10⁻³. | Das dez e meia a onze horas, com dez elevado a menos três.
No 2° DP de Lisboa | No segundo DP de Lisboa
Calor de 15 a 30°, os 6.500$000 réis, 1:620$829 libras | Calor de quinze a trinta graus, os seis milhões e quinhentos mil réis, um milhão seiscentas e vinte mil oitocentas e vinte e nove libras
A lei n.o 9.613 de 02/12 - 16h | A lei número nove mil seiscentos e treze de dois de dezembro - dezasseis horas
Hoje (12/11), às 23.45, custou M2.000. | Hoje (doze de novembro), às vinte e três e quarenta e cinco, custou M dois mil.
São 600 mg em 1h30min, das 9H às 12H. | São seiscentos miligramas em uma hora e trinta minutos, das nove horas às doze horas.
Exportou em 2017 US$ 2,63 bilhões, nesta sexta (1o). | Exportou em dois mil e dezassete dois vírgula sessenta e três bilhões de dólares, nesta sexta (primeiro).
Os autos 0042543-76.2016.401 de John D. Rockefeller | Os autos zero zero quatro dois cinco quatro três, sete seis, dois zero um seis, quatro zero um de John D. Rockefeller
De 27 -13 deles, alguns B-29s e 1.311.700,00 francos | De vinte e sete treze deles, alguns B-vinte e nove e um milhão trezentos e onze mil e setecentos francos
É um 2° Camões, diz o artigo 161.o. | É um segundo Camões, diz o artigo cento e sessenta e um.
São 1 3/4 e 5/8 do total. | São um e três quartos e cinco oitavos do total.
Terias 3750$000 réis. | Terias três milhões setecentos e cinquenta mil réis.
Custou 25$000 réis, depois 12$500. | Custou vinte e cinco mil réis, depois doze mil e quinhentos réis.
Eram 30:500 rs. ao todo. | Eram trinta mil e quinhentos réis ao todo.
Vale 1:000$000 ou 2:350$000. | Vale um conto de réis ou dois contos e trezentos e cinquenta mil réis.
A D. Maria e o D. Pedro vieram. | A dona Maria e o dom Pedro vieram.
Vejam p. 129-40 e 1848-9. | Vejam página cento e vinte e nove a cento e quarenta e mil oitocentos e quarenta e oito a quarenta e nove.
Leve 1/4 kg e 1/2 l. | Leve um quarto de quilograma e meio litro.
# cardinals
Havia 3 cães no pátio. | Havia três cães no pátio.
Éramos 16 à mesa. | Éramos dezasseis à mesa.
Falta a página 1 do livro. | Falta a página um do livro.
Tinha 22 primos. | Tinha vinte e dois primos.
Uma aldeia de 100 habitantes | Uma aldeia de cem habitantes
Uma aldeia de 101 habitantes | Uma aldeia de cento e um habitantes
Cerca de 1.000 soldados | Cerca de mil soldados
Uma cidade de 1.234.567 habitantes | Uma cidade de um milhão duzentos e trinta e quatro mil quinhentos e sessenta e sete habitantes
Vieram 21.000 homens. | Vieram vinte e um mil homens.
Um total de 2.000.000 de votos | Um total de dois milhões de votos
Uma soma de 3.000.000.000 de átomos | Uma soma de três mil milhões de átomos
Restavam 0 pontos. | Restavam zero pontos.
O agente 007 chegou. | O agente zero zero sete chegou.
Tinha 19 anos. | Tinha dezanove anos.
Contou 555 navios. | Contou quinhentos e cinquenta e cinco navios.
Um livro com 1 500 páginas | Um livro com mil e quinhentas páginas
# gender
Esperou 1 hora. | Esperou uma hora.
Tem 1 filho e 1 filha. | Tem um filho e uma filha.
Esperou 2 horas. | Esperou duas horas.
Fez 21 anos. | Fez vinte e um anos.
Leu 21 páginas. | Leu vinte e uma páginas.
Vieram 200 pessoas. | Vieram duzentas pessoas.
Morreram 300 soldados. | Morreram trezentos soldados.
Contou 32 casas. | Contou trinta e duas casas.
Cantaram 102 mulheres. | Cantaram cento e duas mulheres.
Passaram 42 dias. | Passaram quarenta e dois dias.
Foram 201 noites. | Foram duzentas e uma noites.
Chegaram 2.200 cartas. | Chegaram duas mil e duzentas cartas.
Somos 2 em casa. | Somos dois em casa.
Há 2, disse. | Há dois, disse.
# decimals and negative numbers
O número 3,14 é famoso. | O número três vírgula catorze é famoso.
Uma média de 2,5 filhos | Uma média de dois vírgula cinco filhos
Pesava 0,05 gramas. | Pesava zero vírgula zero cinco gramas.
O valor é 1,618 exatamente. | O valor é um vírgula seis um oito exatamente.
Faziam −5 graus. | Faziam menos cinco graus.
Estavam -12 °C na serra. | Estavam menos doze graus Celsius na serra.
Um total de 1.234,5 unidades | Um total de mil duzentos e trinta e quatro vírgula cinco unidades
Veja a secção 2.1 do livro. | Veja a secção dois ponto um do livro.
A versão 3.2.1 saiu ontem. | A versão três ponto dois ponto um saiu ontem.
# years
Nasceu em 1897. | Nasceu em mil oitocentos e noventa e sete.
A guerra de 1914 começou. | A guerra de mil novecentos e catorze começou.
Desde 2001, nada. | Desde dois mil e um, nada.
Em 1932 as ruas ardiam. | Em mil novecentos e trinta e dois as ruas ardiam.
Em 1922 chegou o rei. | Em mil novecentos e vinte e dois chegou o rei.
A guerra de 1914-1918 | A guerra de mil novecentos e catorze a mil novecentos e dezoito
O inverno de 1944-45 foi duro. | O inverno de mil novecentos e quarenta e quatro a quarenta e cinco foi duro.
Os anos 90 passaram. | Os anos noventa passaram.
Os anos 1920 brilharam. | Os anos mil novecentos e vinte brilharam.
Nos anos '80 cantavam. | Nos anos oitenta cantavam.
Reinou de 1495 a 1521. | Reinou de mil quatrocentos e noventa e cinco a mil quinhentos e vinte e um.
No ano 711 atravessaram. | No ano setecentos e onze atravessaram.
# dates
A 3 de maio de 1914 partiu. | A três de maio de mil novecentos e catorze partiu.
No dia 1 de janeiro de 2000 | No dia um de janeiro de dois mil
No 1.º de maio há festa. | No primeiro de maio há festa.
Lisboa, 25 de abril de 1974 | Lisboa, vinte e cinco de abril de mil novecentos e setenta e quatro
No 5 de outubro, Lisboa acordou. | No cinco de outubro, Lisboa acordou.
Uma carta de 03/05/1914 | Uma carta de três de maio de mil novecentos e catorze
Nasceu a 3-5-1914 em Braga. | Nasceu a três de maio de mil novecentos e catorze em Braga.
Morreu em 2001-12-24. | Morreu em vinte e quatro de dezembro de dois mil e um.
Segunda-feira, 8 de agosto | Segunda-feira, oito de agosto
A 21 de dez. de 1950 | A vinte e um de dezembro de mil novecentos e cinquenta
De 2 a 9 de julho | De dois a nove de julho
A 16 de março de 1916 | A dezasseis de março de mil novecentos e dezasseis
# times
Chegou às 14h30. | Chegou às catorze e trinta.
Saiu às 3h30. | Saiu às três e meia.
O comboio das 8h15 partiu. | O comboio das oito e quinze partiu.
São 10:05 agora. | São dez e cinco agora.
Às 12h almoçamos. | Às doze horas almoçamos.
Às 7:45 amanhece. | Às sete e quarenta e cinco amanhece.
À 1h voltou. | À uma hora voltou.
À 1h20 dormia. | À uma e vinte dormia.
Fecha às 20 h. | Fecha às vinte horas.
Às 22h começa. | Às vinte e duas horas começa.
Às 23:59 calou. | Às vinte e três e cinquenta e nove calou.
Às 2h em ponto | Às duas horas em ponto
Trabalhou 8 h por dia. | Trabalhou oito horas por dia.
# money
O café custa 5 €. | O café custa cinco euros.
Pagou 5,20 € ao balcão. | Pagou cinco euros e vinte cêntimos ao balcão.
Um preço de 1,00 € | Um preço de um euro
Uma moeda de 0,50 € | Uma moeda de cinquenta cêntimos
Ganhou 2,5 milhões de euros. | Ganhou dois vírgula cinco milhões de euros.
Uma dívida de 1,9 milhões de € | Uma dívida de um vírgula nove milhões de euros
Um gasto de 3 M€ | Um gasto de três milhões de euros
Pagou 21 euros. | Pagou vinte e um euros.
Ganha 200 libras. | Ganha duzentas libras.
Deve 2 £ ao alfaiate. | Deve duas libras ao alfaiate.
Tem $ 3 no bolso. | Tem três dólares no bolso.
Uma nota de 20 $ | Uma nota de vinte dólares
Um fundo de 1 milhão de dólares | Um fundo de um milhão de dólares
Paga 1.500 € por mês. | Paga mil e quinhentos euros por mês.
Um lote de 10-20 € | Um lote de dez a vinte euros
Vale 500 CHF. | Vale quinhentos francos suíços.
# percentages
Subiu 5 %. | Subiu cinco por cento.
São 12,5 % dos votos. | São doze vírgula cinco por cento dos votos.
Mais 22% de chuva | Mais vinte e dois por cento de chuva
Uns 5-10 % dos casos | Uns cinco a dez por cento dos casos
Há 3 ‰ de sal. | Há três por mil de sal.
# ordinals
O 2.º andar está vazio. | O segundo andar está vazio.
A 1.ª vez riu. | A primeira vez riu.
Mora no 3º andar. | Mora no terceiro andar.
A 2ª parte | A segunda parte
O 11.º mandamento | O décimo primeiro mandamento
A 21.ª edição | A vigésima primeira edição
Os 1.ºs lugares | Os primeiros lugares
O 100.º dia | O centésimo dia
O 50.º aniversário | O quinquagésimo aniversário
# centuries and roman numerals
No século XIX tudo mudou. | No século dezanove tudo mudou.
No século V caiu Roma. | No século quinto caiu Roma.
No século I nasceu. | No século primeiro nasceu.
Os séculos XIX e XX | Os séculos dezanove e vinte
Entre os séculos IX e XI | Entre os séculos nono e onze
Os séculos XVI-XVII | Os séculos dezasseis a dezassete
No séc. XVI partiram. | No século dezasseis partiram.
D. João II mandava. | dom João segundo mandava.
Carlos V abdicou. | Carlos quinto abdicou.
Manuel I reinou. | Manuel primeiro reinou.
Luís XIV de França | Luís catorze de França
Isabel II reinou. | Isabel segunda reinou.
O papa Pio XII falou. | O papa Pio doze falou.
João Paulo II viajou. | João Paulo segundo viajou.
João XXIII foi papa. | João vinte e três foi papa.
Veja o capítulo IV. | Veja o capítulo quarto.
O capítulo XII é longo. | O capítulo doze é longo.
O tomo III perdeu-se. | O tomo terceiro perdeu-se.
Ato I, cena II | Ato primeiro, cena segunda
A parte II aborrece. | A parte segunda aborrece.
A II Guerra Mundial acabou. | A segunda Guerra Mundial acabou.
A I República caiu. | A primeira República caiu.
Um CD de Maria | Um CD de Maria
A vitamina C cura. | A vitamina C cura.
O senhor X ligou. | O senhor X ligou.
# fractions
Bebeu ½ litro. | Bebeu meio litro.
Tem 2 ½ anos. | Tem dois anos e meio.
Resta ¼ do bolo. | Resta um quarto do bolo.
Faltam ¾ de hora. | Faltam três quartos de hora.
# units
Andou 5 km na neve. | Andou cinco quilómetros na neve.
Ia a 100 km/h. | Ia a cem quilómetros por hora.
Um quarto de 10 m² | Um quarto de dez metros quadrados
A água ferve a 100 °C. | A água ferve a cem graus Celsius.
Um disco de 8 GB | Um disco de oito gigabytes
Pesa 70 kg. | Pesa setenta quilogramas.
Uma carta de 20 g | Uma carta de vinte gramas
Uma torre de 2,5 m | Uma torre de dois vírgula cinco metros
Deitou 2 l de água. | Deitou dois litros de água.
Um campo de 3 ha | Um campo de três hectares
Uma lâmpada de 60 W | Uma lâmpada de sessenta watts
Gasta 5 kWh por dia. | Gasta cinco quilowatts-hora por dia.
Esperou 10 min lá fora. | Esperou dez minutos lá fora.
Um ângulo de 90° | Um ângulo de noventa graus
Um camião de 2 t | Um camião de duas toneladas
Mede 1 m apenas. | Mede um metro apenas.
Rádio em 101 MHz | Rádio em cento e um megahertz
Uns 5–10 km adiante | Uns cinco a dez quilómetros adiante
Um tanque de 6 m³ | Um tanque de seis metros cúbicos
# abbreviations
O Sr. Silva entrou. | O senhor Silva entrou.
A Sra. Reis saiu. | A senhora Reis saiu.
A Sr.ª Reis saiu. | A senhora Reis saiu.
O Dr. Gil veio. | O doutor Gil veio.
A Dra. Pinto falou. | A doutora Pinto falou.
Fruta, p. ex. a pera | Fruta, por exemplo a pera
Pão, vinho, etc. | Pão, vinho, et cetera
Exmo. Senhor, | excelentíssimo Senhor,
V. Exa. manda. | vossa excelência manda.
O n.º 5 ganhou. | O número cinco ganhou.
O nº 12 perdeu. | O número doze perdeu.
Veja p. 5 do livro. | Veja página cinco do livro.
Veja pp. 4-9. | Veja páginas quatro a nove.
Veja pág. 12 do livro. | Veja página doze do livro.
Veja cap. 3 e fig. 2. | Veja capítulo três e figura dois.
Em 52 a.C. veio César. | Em cinquenta e dois antes de Cristo veio César.
Em 14 d.C. morreu Augusto. | Em catorze depois de Cristo morreu Augusto.
A Av. da Liberdade | A Avenida da Liberdade
O Prof. Sousa calou. | O professor Sousa calou.
D. Afonso partiu. | dom Afonso partiu.
# ranges
Faltam as páginas 4–9. | Faltam as páginas quatro a nove.
Uns 10–12 homens | Uns dez a doze homens
Ficou 3-3 no fim. | Ficou três-três no fim.
Ligue 555-1234-99. | Ligue cinco cinco cinco, um dois três quatro, nove nove.
# symbols and addresses
Silva & Filhos | Silva e Filhos
2 + 2 = 4 | dois mais dois igual a quatro
3 × 4 = 12 | três vezes quatro igual a doze
8 ÷ 2 = 4 | oito dividido por dois igual a quatro
Se x < 5 | Se x menor que cinco
Veja www.exemplo.org hoje. | Veja www ponto exemplo ponto org hoje.
Escreva a ana@exemplo.pt já. | Escreva a ana arroba exemplo ponto pt já.
Está em exemplo.com/ajuda-rapida agora. | Está em exemplo ponto com barra ajuda hífen rapida agora.
# what stays
Nada muda aqui. | Nada muda aqui.
A estrada A4 fechou. | A estrada A4 fechou.
Fim. De novo em casa. | Fim. De novo em casa.
Viva a vida! | Viva a vida!
Disse: «Vem». | Disse: «Vem».
O mil e o mix | O mil e o mix
O amigo de infância | O amigo de infância
Quem ri por último ri melhor. | Quem ri por último ri melhor.
# more in context
Vieram 2 mil pessoas. | Vieram duas mil pessoas.
Vieram 200 mil pessoas. | Vieram duzentas mil pessoas.
Eram 2 da manhã. | Eram duas da manhã.
Às 2 da tarde | Às duas da tarde
Os 2/3 da turma | Os dois terços da turma
O 1o lugar | O primeiro lugar
D. Pedro I e D. Pedro II | dom Pedro primeiro e dom Pedro segundo
Fruta, por ex. a pera | Fruta, por exemplo a pera
O séc. V a.C. acabou. | O século quinto antes de Cristo acabou.
Leu 2 ou 3 vezes. | Leu duas ou três vezes.
Nos sécs. XIX e XX | Nos séculos dezanove e vinte
Escreveu João V. Silva ontem. | Escreveu João V. Silva ontem.
Com 2 amigas ao lado | Com duas amigas ao lado
Ganha R $ 1.000 por mês. | Ganha mil reais por mês.
Custou 50:000 francos. | Custou cinquenta mil francos.
Superior ......1$500. | Superior ......mil e quinhentos réis.
O Artigo 1° diz. | O Artigo primeiro diz.
A Google Inc. 2. | A Google Inc. dois.
Tel. 231-5346 e 288-3514. | Telefone dois três um, cinco três quatro seis e dois oito oito, três cinco um quatro.
Custa CR$ 2.200,00 hoje. | Custa dois mil e duzentos cruzeiros hoje.
Tem 0m,053 de largo. | Tem zero vírgula zero cinco três metros de largo.
O 13 ° salário veio. | O décimo terceiro salário veio.
Marcou aos 66', e saiu. | Marcou aos sessenta e seis minutos, e saiu.
"""
BRAZIL = """
As eleições de 2018 próximas, 1 frase, à 1830, 2 espécies | As eleições de dois mil e dezoito próximas, uma frase, à mil oitocentos e trinta, duas espécies
Uma taxa de 1010 s-1, das 400 maiores, e $000 | Uma taxa de mil e dez por segundo, das quatrocentas maiores, e zero réis
A Casa Verde (4a), 2º O padre Roque, na audiência de 13/09, a 40° N | A Casa Verde (quarta), segundo O padre Roque, na audiência de treze de setembro, a quarenta graus norte
São 435 congressistas, 200 listas e 200 revistas. | São quatrocentos e trinta e cinco congressistas, duzentas listas e duzentas revistas.
Tinha U$ 56 mil ("Cotidiano", 17/9). | Tinha cinquenta e seis mil dólares ("Cotidiano", dezessete de setembro).
São 03 (três) horas e 02 pessoas. | São três (três) horas e duas pessoas.
O número é 01-436.15.38. | O número é zero um, quatro três seis, um cinco, três oito.
Ganhou de 6 x 1; 3 x 5 = 15; uma foto de 10 x 15 cm | Ganhou de seis a um; três vezes cinco igual a quinze; uma foto de dez por quinze centímetros
De 2a a 5a, das 17h; figura 5a, Consolação, 3120-5535. | De segunda a quinta, das dezessete horas; figura cinco a, Consolação, três um dois zero, cinco cinco três cinco.
Entre 2500-3000 pessoas | Entre duas mil e quinhentas a três mil pessoas
No título 3° do Regimento, no covil do 4° | No título terceiro do Regimento, no covil do quarto
Temperaturas acima dos 30o e 23º à sombra, calor do 10º dia | Temperaturas acima dos trinta graus e vinte e três graus à sombra, calor do décimo dia
Os §§ 1º e 2º, R$ 4,221 por litro, quinta  22/02 19:30 | Os parágrafos primeiro e segundo, quatro vírgula dois dois um reais por litro, quinta vinte e dois de fevereiro dezenove e trinta
Veja o 10.001º exemplo. | Veja o dez mil e um exemplo.
Gráfico diário-11h, volume de R$ 28,68 mm. | Gráfico diário-onze horas, volume de vinte e oito vírgula sessenta e oito milhões de reais.
No dia 07 - 17:20: Maiores | No dia sete - dezessete e vinte: Maiores
Às 00h21 choveu. | Às zero hora e vinte e um choveu.
Veio o 13o. Sem a 10a. Vara, no 3o. Ofício, a 2a. edição, a 1 ª Delegacia | Veio o décimo terceiro. Sem a décima Vara, no terceiro Ofício, a segunda edição, a primeira Delegacia
Em 2012/13/14 valiam $221bn e £ 1,4bn. | Em dois mil e doze, treze, catorze valiam duzentos e vinte e um bilhões de dólares e um vírgula quatro bilhão de libras.
São 1,6 mil/ano e R$ 20 mil/mês. | São um vírgula seis mil por ano e vinte mil reais por mês.
Venceu por 6/2, 1/6 e 7/6. | Venceu por seis dois, um seis e sete seis.
Às 20,30 horas, a 45º 30' S, um giro de 180º | Às vinte e trinta, a quarenta e cinco graus trinta minutos sul, um giro de cento e oitenta graus
Custou US $ 39,99. | Custou trinta e nove dólares e noventa e nove centavos.
Éramos 16 à mesa. | Éramos dezesseis à mesa.
Tinha 17 anos e 19 primos. | Tinha dezessete anos e dezenove primos.
Nasceu em 1897. | Nasceu em mil oitocentos e noventa e sete.
No século XIX tudo mudou. | No século dezenove tudo mudou.
No dia 1º de janeiro de 2000 | No dia primeiro de janeiro de dois mil
No dia 1 de maio descansou. | No dia primeiro de maio descansou.
O café custa R$ 5,00 hoje. | O café custa cinco reais hoje.
Pagou R$ 5,20 no balcão. | Pagou cinco reais e vinte centavos no balcão.
Uma moeda de R$ 0,50 caiu. | Uma moeda de cinquenta centavos caiu.
Ganhou R$ 2,5 milhões ontem. | Ganhou dois vírgula cinco milhões de reais ontem.
Uma empresa de 1,5 bilhão de reais | Uma empresa de um vírgula cinco bilhão de reais
São 3.000.000.000 de átomos. | São três bilhões de átomos.
Andou 5 km na neve. | Andou cinco quilômetros na neve.
Na linha 30 à 32 | Na linha trinta à trinta e dois
Às 14h30 choveu. | Às catorze e trinta choveu.
Luís XVI morreu. | Luís dezesseis morreu.
São 16.019 casas. | São dezesseis mil e dezenove casas.
Paga R$ 1.500 por mês. | Paga mil e quinhentos reais por mês.
"""


def test_as_in_portugal():
    assert_said(PORTUGAL, "pt-PT")


@pytest.mark.parametrize(("written", "spoken"), cases(BRAZIL))
def test_as_in_brazil(written, spoken):
    assert said(written, "pt-BR") == said(written, "pt") == spoken


@pytest.mark.parametrize("region", ("PT", "BR"))
def test_no_two_numbers_have_the_same_words(region):
    numbers = [*range(2100), *range(21_000, 22_000, 7), *range(10**6, 3 * 10**6, 10**5 + 1)]
    assert len({cardinal(number, region) for number in numbers}) == len(numbers)


@given(st.text(alphabet="abcdefghij ,;", max_size=60))
def test_words_alone_stay(text):
    assert not spoken_line(text, "pt").edits


@given(st.text(alphabet="0123456789.,:-–/ºª°½%€$§&+@ IVXLabehmrs\u00a0", max_size=40))
def test_edits_are_in_order_and_do_not_overlap(text):
    at = 0
    for edit in spoken_line(text, "pt").edits:
        assert at <= edit.start < edit.end <= len(text)
        at = edit.end
