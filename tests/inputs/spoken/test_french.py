"""French in words: as written, as spoken."""

# ruff: noqa: E501

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.fr.language import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said

FRANCE = """
D’ici le 23/10, le 01/02. | D’ici le vingt-trois octobre, le premier février.
Article 1°, l’art. 2° | Article premier, l’article deux
La Sté Durand vint. | La société Durand vint.
La loi du 19 ventôse an XI, de l'an II. | La loi du dix-neuf ventôse an onze, de l'an deux.
Une grille 9 × 9, un carré de 9 x 9, 3 × 4 × 5 m, 2 × 5 = 10 | Une grille neuf sur neuf, un carré de neuf sur neuf, trois sur quatre sur cinq mètres, deux fois cinq égale dix
Il gelait (—19° la nuit). Il faut 1° ouvrir la porte. Il fait 1° ce matin. | Il gelait (moins dix-neuf degrés la nuit). Il faut primo ouvrir la porte. Il fait un degré ce matin.
M.de Séligny vint. | monsieur de Séligny vint.
« Ta mère, Ve Barberin. » La Ve République de M. Paul X. ? Alexandre XXX. Jean XXIII | « Ta mère, veuve Barberin. » La cinquième République de monsieur Paul X. ? Alexandre XXX. Jean vingt-trois
1/4 t de jus et 1/3 t (80 ml) de lait | un quart de tasse de jus et un tiers de tasse (quatre-vingts millilitres) de lait
Un in-8 de VII-327 pp. ; en 2:00.531 | Un in-octavo de sept et trois cent vingt-sept pages ; en deux minutes zéro virgule cinq trois un seconde
1/2 cc de sel, 2 cs d'huile, à -4 Ma ; 12° Wolsten, armurier ; 13° Bolton | une demi cuillère à café de sel, deux cuillères à soupe d'huile, à moins quatre millions d'années ; douze Wolsten, armurier ; treize Bolton
1 oz de rhum et une moto de 250cc | une once de rhum et une moto de deux cent cinquante centimètres cubes
Un moule de 13 x 9 pouces, 10x15 cm, 3 x 4 = 12 | Un moule de treize sur neuf pouces, dix sur quinze centimètres, trois fois quatre égale douze
2 vol. de 345 et 306 pp., 12 p., chez Farlane & C° | deux vol. de trois cent quarante-cinq et trois cent six pages, douze pages, chez Farlane et compagnie
Vers 365 Ma, 15,7 pts, 9 po (23 cm), 400 g / 14 oz, 80 mg / 100 ml | Vers trois cent soixante-cinq millions d'années, quinze virgule sept points, neuf pouces (vingt-trois centimètres), quatre cents grammes / quatorze onces, quatre-vingts milligrammes par cent millilitres
Le 1,3-butadiène et le 2,4,6-trinitrotoluène, à 450 C, à 870 cm-1, 760 KJ.mol-1 | Le un, trois butadiène et le deux, quatre, six trinitrotoluène, à quatre cent cinquante degrés Celsius, à huit cent soixante-dix par centimètre, sept cent soixante kilojoules par mole
500 gr de farine, 0,35 cts, 18,5 ME, n ° 5 (- 1,25 %) ; enfourner à 350F 10 à 15 minutes | cinq cents grammes de farine, zéro virgule trente-cinq centimes, dix-huit virgule cinq millions d'euros, numéro cinq (moins un virgule vingt-cinq pour cent) ; enfourner à trois cent cinquante degrés Fahrenheit dix à quinze minutes
Voir l'article III-365. | Voir l'article trois, trois cent soixante-cinq.
Le 4x100 m en 46s91 | Le quatre fois cent mètres en quarante-six secondes quatre-vingt-onze
Entre 160 F et 175 F au four ; 1/8 de c. à thé ; 1 t. de sucre ; le rugby à XV ; le XV de France | Entre cent soixante degrés Fahrenheit et cent soixante-quinze degrés Fahrenheit au four ; un huitième de cuillère à thé ; une tasse de sucre ; le rugby à quinze ; le quinze de France
1° Ouvrir. 2° Ne rien dire ; le 15 avril 188., il vint. | primo Ouvrir. secundo Ne rien dire ; le quinze avril mille huit cent quatre-vingts et quelques, il vint.
110 000 000 habitants, 2 000 000 haricots, 2 000 000 dans la ville, 1 000 000 kg et 3 000 000 % | cent dix millions d'habitants, deux millions de haricots, deux millions dans la ville, un million de kilogrammes et trois millions pour cent
150 kJ.mol-1, 9,81 m·s⁻², 5 J.K-1.mol-1, en mol.L-1 ; 15 kJ/mol | cent cinquante kilojoules par mole, neuf virgule quatre-vingt-un mètres par seconde au carré, cinq joules par kelvin par mole, en mole par litre ; quinze kilojoules par mole
1/2 tasse de lait, ¼ tasse, 1/3 oignon et 1 1/2 minute | une demi tasse de lait, un quart de tasse, un tiers d'oignon et une minute et demie
2 ½ c. à soupe, 1 1/2 c. à thé, ¾ c. à t. et 1 tasse 1/2 | deux cuillères à soupe et demie, une cuillère à thé et demie, trois quarts de cuillère à thé et une tasse et demie
1 lb de porc, 15 oz, 1 1/2 kg et 2½ km | une livre de porc, quinze onces, un kilogramme et demi et deux kilomètres et demi
La guerre de 14-18 ; la résolution 217 A (III), puis C5-0004/1999-1999/0083 en 08,8 secondes | La guerre de quatorze dix-huit ; la résolution deux cent dix-sept A (trois), puis C5-zéro zéro zéro quatre, mille neuf cent quatre-vingt-dix-neuf, mille neuf cent quatre-vingt-dix-neuf, zéro zéro huit trois en huit virgule huit secondes
En 21 saisons, d'une ½ part supplémentaire | En vingt et une saisons, d'une demi part supplémentaire
Une salle 90's, les 1980’s et 12 voitures Apm 61 85 19-90 | Une salle quatre-vingt-dix, les mille neuf cent quatre-vingts et douze voitures Apm soixante et un, quatre-vingt-cinq, dix-neuf, quatre-vingt-dix
Selon Jean 3,16, Mt 5,3-12 et 1 Rois 8.27 | Selon Jean trois, seize, Matthieu cinq, trois à douze et premier Rois huit, vingt-sept
Avec Marc 2,5 fois ; Luc 3,5 % | Avec Marc deux virgule cinq fois ; Luc trois virgule cinq pour cent
Il faut 1° lire et 2° partir. Il a 1° mangé, 2° bu. | Il faut primo lire et secundo partir. Il a primo mangé, secundo bu.
Une limite de -40º, puis de 20º. | Une limite de moins quarante degrés, puis de vingt degrés.
Il fait 1° ce matin et 2° dehors. | Il fait un degré ce matin et deux degrés dehors.
M. A. Dupont et M. J.-P. Durand ; Dupont, M. A. Martin | monsieur A. Dupont et monsieur J.-P. Durand ; Dupont, M. A. Martin
Ses services • 2° on voulait savoir | Ses services • secundo on voulait savoir
En 1/17 000e de seconde, 35, 000 soldats | En un dix-sept millième de seconde, trente-cinq mille soldats
En trois parties ! 1° Les devoirs ; la 21 e nuit ; 20, 000 francs | En trois parties ! primo Les devoirs ; la vingt et unième nuit ; vingt mille francs
Il touche 10 p. 100, soit cinq p. 100 ou 6 p. c. ; voir p. 100. | Il touche dix pour cent, soit cinq pour cent ou six pour cent ; voir page cent.
Un taux de 5 0/0. | Un taux de cinq pour cent.
Paris, 27 mai 186… ; en 18**, en 18... | Paris, vingt-sept mai mille huit cent soixante et quelques ; en mille huit cents et quelques, en mille huit cents et quelques
Napoléon I er, le 1 er mai, au XIX e siècle | Napoléon premier, le premier mai, au dix-neuvième siècle
La Ve République et la Ire | La cinquième République et la première
Elle valait 3 fr. 50, puis 1,800 fr. par an. | Elle valait trois francs cinquante, puis mille huit cents francs par an.
Vers 6 h. ½, à 8 h. du soir, à 80 cm. de là | Vers six heures et demie, à huit heures du soir, à quatre-vingts centimètres de là
Ouvert de 8h-12h et 14h/15h30, 24 h/24 et 7j/7 | Ouvert de huit heures à douze heures et quatorze heures à quinze heures trente, vingt-quatre heures sur vingt-quatre et sept jours sur sept
Mettre 1 c. à s. et 2 c. à café, 15 mn à 180 °C (th. 6). | Mettre une cuillère à soupe et deux cuillères à café, quinze minutes à cent quatre-vingts degrés Celsius (thermostat six).
M. de Rênal, M. d’Artagnan, M. le curé et M. X… | monsieur de Rênal, monsieur d’Artagnan, monsieur le curé et monsieur X…
Pages 12 sq. et 15 sqq., p. 3 et s. | Pages douze et suivante et quinze et suivantes, page trois et suivants
Appelez le 06.12.34.56.78. | Appelez le zéro six, douze, trente-quatre, cinquante-six, soixante-dix-huit.
5·10³ et 10⁻³ ; 3 × 10⁸ km ; x² ; 3 x 4 cm | cinq fois dix au cube et dix puissance moins trois ; trois fois dix puissance huit kilomètres ; x au carré ; trois sur quatre centimètres
Un budget de 3 Md€, 4,5 Mds et 3 k€ | Un budget de trois milliards d'euros, quatre virgule cinq milliards et trois mille euros
Mᵐᵉ Roux, nᵒ 5, 12e arr., sc. III ; Vatican II | madame Roux, numéro cinq, douzième arrondissement, scène trois ; Vatican deux
À 48° 51′ N, 5 €/jour et $5bn. | À quarante-huit degrés cinquante et une minutes nord, cinq euros par jour et cinq milliards de dollars.
Il gagna 6/4 et 6/3 en 2003-04. | Il gagna six quatre et six trois en deux mille trois à deux mille quatre.
Chez J.-C. Marchiani, vers-365, de type I (169/176). | Chez J.-C. Marchiani, vers moins trois cent soixante-cinq, de type un (cent soixante-neuf sur cent soixante-seize).
Le Monde du 11.01.02, né avant J.-C. vers Rome. | Le Monde du onze janvier deux mille deux, né avant Jésus-Christ vers Rome.
Une limite de 80 mg/100 ml, soit 0.25 mg/kg. | Une limite de quatre-vingts milligrammes par cent millilitres, soit zéro virgule vingt-cinq milligramme par kilogramme.
Peu fréquent (1/1000 à 1/100), la cote 76 F 2. | Peu fréquent (un sur mille à un sur cent), la cote soixante-seize F deux.
Résumé : 09-2008, 10 000 US $. | Résumé : septembre deux mille huit, dix mille dollars.
Nés en 1994-95-96. | Nés en mille neuf cent quatre-vingt-quatorze, quatre-vingt-quinze, quatre-vingt-seize.
Il vit de vol. C'était tard ; l'art pour l'art. L'homme rit. | Il vit de vol. C'était tard ; l'art pour l'art. L'homme rit.
Un gros in-4° et un in-18 | Un gros in-quarto et un in-dix-huit
Mgr. Loup, bd. Voltaire | monseigneur Loup, boulevard Voltaire
Il eut en 1834 l'idée du livre. | Il eut en mille huit cent trente-quatre l'idée du livre.
À 5 h. 17 m. 34 s. du soir | À cinq heures dix-sept minutes trente-quatre secondes. du soir
Il faut 18 coups 3/8, puis 10,000 francs. | Il faut dix-huit coups trois huitièmes, puis dix mille francs.
Il lit le livre M. Lund a écrit. | Il lit le livre monsieur Lund a écrit.
Voir au 1° du texte (1°, 2° et 3°). | Voir au primo du texte (primo, secundo et tertio).
La loi n° 2006-911 et la loi n° 64-1328 | La loi numéro deux mille six-neuf cent onze et la loi numéro soixante-quatre-mille trois cent vingt-huit
1° Le premier point ; 2° le second. | primo Le premier point ; secundo le second.
Il gèle à 2° ce matin. | Il gèle à deux degrés ce matin.
La version 1.7b est là. | La version un point sept b est là.
Voir l'article L. 123-4 du code. | Voir l'article L cent vingt-trois tiret quatre du code.
Voir pp. 129-40 et 1848-9. | Voir pages cent vingt-neuf à cent quarante et mille huit cent quarante-huit à quarante-neuf.
Le COVID-19 et le billet #12 | Le COVID dix-neuf et le billet numéro douze
Ajoutez 1/4 l de lait. | Ajoutez un quart de litre de lait.
Il habite à St-Denis. | Il habite à Saint-Denis.
La Ste-Anne arrive. | La Sainte-Anne arrive.
# cardinals
Il y avait 3 chiens dans la cour. | Il y avait trois chiens dans la cour.
Nous étions 17 à table. | Nous étions dix-sept à table.
Elle a 21 ans depuis hier. | Elle a vingt et un ans depuis hier.
On comptait 71 maisons. | On comptait soixante et onze maisons.
Il reste 80 pages à lire. | Il reste quatre-vingts pages à lire.
Le village a 81 habitants. | Le village a quatre-vingt-un habitants.
Il a perdu 91 moutons. | Il a perdu quatre-vingt-onze moutons.
Un troupeau de 200 bêtes | Un troupeau de deux cents bêtes
Un troupeau de 201 moutons | Un troupeau de deux cent un moutons
Près de 1 000 soldats tombèrent. | Près de mille soldats tombèrent.
Le livre coûte cher : 1 234 567 personnes l'ont lu. | Le livre coûte cher : un million deux cent trente-quatre mille cinq cent soixante-sept personnes l'ont lu.
Une ville de 80 000 âmes | Une ville de quatre-vingt mille âmes
Il avait 2 000 000 de lecteurs. | Il avait deux millions de lecteurs.
La page 1 manque. | La page un manque.
Il ne restait que 0 point. | Il ne restait que zéro point.
Le numéro 007 est célèbre. | Le numéro zéro zéro sept est célèbre.
# gender
Il attendit 1 heure. | Il attendit une heure.
Elle dormit 21 heures. | Elle dormit vingt et une heures.
Il a 1 frère et 1 sœur. | Il a un frère et une sœur.
On a vu 31 femmes et 31 hommes. | On a vu trente et une femmes et trente et un hommes.
Une forêt de 101 plantes | Une forêt de cent une plantes
Il n'a qu'1 fois essayé. | Il n'a qu'une fois essayé.
# decimals and negative numbers
Le nombre 3,14 est connu. | Le nombre trois virgule quatorze est connu.
Une moyenne de 2,5 enfants | Une moyenne de deux virgule cinq enfants
Il pesait 0,05 gramme. | Il pesait zéro virgule zéro cinq gramme.
Le taux valait 1,618 exactement. | Le taux valait un virgule six un huit exactement.
Il faisait −5 dehors. | Il faisait moins cinq dehors.
Il faisait -12 °C cette nuit. | Il faisait moins douze degrés Celsius cette nuit.
Un total de 1 234,5 unités | Un total de mille deux cent trente-quatre virgule cinq unités
Le taux passa à 0,75. | Le taux passa à zéro virgule soixante-quinze.
Voir la section 2.1 du livre. | Voir la section deux point un du livre.
La version 3.2.1 est sortie. | La version trois point deux point un est sortie.
# years
Il naquit en 1897. | Il naquit en mille huit cent quatre-vingt-dix-sept.
La Révolution de 1789 changea tout. | La Révolution de mille sept cent quatre-vingt-neuf changea tout.
Paris en 1900 brillait. | Paris en mille neuf cents brillait.
Depuis 2001, rien. | Depuis deux mille un, rien.
Dès 1066, les Normands avancent. | Dès mille soixante-six, les Normands avancent.
La guerre de 1914-1918 | La guerre de mille neuf cent quatorze à mille neuf cent dix-huit
Il régna de 1643 à 1715. | Il régna de mille six cent quarante-trois à mille sept cent quinze.
L'hiver 1914-15 fut rude. | L'hiver mille neuf cent quatorze à quinze fut rude.
Les années 1990 furent calmes. | Les années mille neuf cent quatre-vingt-dix furent calmes.
Les années 60 chantaient. | Les années soixante chantaient.
Les années '30 grondaient. | Les années trente grondaient.
Mai 68 dans la rue | Mai soixante-huit dans la rue
# dates
Le 3 mai 1914, il partit. | Le trois mai mille neuf cent quatorze, il partit.
Le 1er janvier 2000 | Le premier janvier deux mille
Le 1er mai est férié. | Le premier mai est férié.
Paris, le 14 juillet 1789 | Paris, le quatorze juillet mille sept cent quatre-vingt-neuf
Le 21 déc. 1950, il neigea. | Le vingt et un décembre mille neuf cent cinquante, il neigea.
Une lettre du 03/05/1914 | Une lettre du trois mai mille neuf cent quatorze
Né le 3.5.1914 à Lyon | Né le trois mai mille neuf cent quatorze à Lyon
Mort le 2001-12-24. | Mort le vingt-quatre décembre deux mille un.
Le lundi 8 août, tout ferma. | Le lundi huit août, tout ferma.
Du 2 au 9 septembre | Du deux au neuf septembre
Le 11 novembre 1918 sonna la fin. | Le onze novembre mille neuf cent dix-huit sonna la fin.
Le 1/2/1999, tout changea. | Le premier février mille neuf cent quatre-vingt-dix-neuf, tout changea.
# times
Il arriva à 14h30. | Il arriva à quatorze heures trente.
Le train de 14 h 30 est parti. | Le train de quatorze heures trente est parti.
Rendez-vous à 8h. | Rendez-vous à huit heures.
Il est 21 h. | Il est vingt et une heures.
À 1h15, la lune parut. | À une heure quinze, la lune parut.
Réunion à 14:30 précises. | Réunion à quatorze heures trente précises.
À 0 h 15, le feu prit. | À zéro heure quinze, le feu prit.
Le cours finit à 12h00. | Le cours finit à douze heures.
Il courut pendant 2 h 05. | Il courut pendant deux heures cinq.
Il dormit 8 h par nuit. | Il dormit huit heures par nuit.
# money
Le café coûte 5 €. | Le café coûte cinq euros.
Il paya 5,20 € au comptoir. | Il paya cinq euros vingt au comptoir.
Un timbre à 1,00 € | Un timbre à un euro
Une pièce de 0,50 € | Une pièce de cinquante centimes
Il gagne 2,5 millions d'euros. | Il gagne deux virgule cinq millions d'euros.
Une dette de 1,9 milliard d'euros | Une dette de un virgule neuf milliard d'euros
Un budget de 3 M€ | Un budget de trois millions d'euros
Le journal à 12 F 50 | Le journal à douze francs cinquante
Un loyer de 300 F | Un loyer de trois cents francs
Il coûte 100 francs. | Il coûte cent francs.
Elle a $ 3 en poche. | Elle a trois dollars en poche.
Un billet de 20 $ | Un billet de vingt dollars
Une rente de 50 £ | Une rente de cinquante livres
Il doit 21 £ au tailleur. | Il doit vingt et une livres au tailleur.
Un fonds de 2 millions de dollars | Un fonds de deux millions de dollars
Il verse 1 500 € par mois. | Il verse mille cinq cents euros par mois.
Entre 10 et 20 € | Entre dix et vingt euros
Un lot à 10-20 € | Un lot à dix à vingt euros
Cela vaut 500 CHF. | Cela vaut cinq cents francs suisses.
# percentages
Une hausse de 5 %. | Une hausse de cinq pour cent.
Près de 12,5 % des voix | Près de douze virgule cinq pour cent des voix
Environ 5-10 % des cas | Environ cinq à dix pour cent des cas
Un taux de 3 ‰ seulement | Un taux de trois pour mille seulement
Le 50% restant | Le cinquante pour cent restant
# ordinals
Le 2e étage est vide. | Le deuxième étage est vide.
La 1re fois, il rit. | La première fois, il rit.
La 1ère page manque. | La première page manque.
Le 21e jour | Le vingt et unième jour
La 80e fois | La quatre-vingtième fois
La 3ème rue à gauche | La troisième rue à gauche
Le 2nd tome | Le second tome
La 2nde classe | La seconde classe
Les 1ers hommes | Les premiers hommes
Au 9e rang | Au neuvième rang
Le 5e et le 6e étage | Le cinquième et le sixième étage
Le 100e anniversaire | Le centième anniversaire
# centuries and roman numerals
Au XXe siècle, tout change. | Au vingtième siècle, tout change.
Au Ve siècle, Rome tombe. | Au cinquième siècle, Rome tombe.
Dès le Ier siècle | Dès le premier siècle
La IIIe République | La troisième République
Au XIXe et au XXe siècle | Au dix-neuvième et au vingtième siècle
La XVIIe dynastie | La dix-septième dynastie
Le XVIᵉ siècle | Le seizième siècle
L'an Ier de la République | L'an premier de la République
Louis XIV mourut en 1715. | Louis quatorze mourut en mille sept cent quinze.
Sous Louis XVI, la France | Sous Louis seize, la France
Napoléon III abdiqua. | Napoléon trois abdiqua.
François Ier chassait. | François premier chassait.
Élisabeth II régna. | Élisabeth deux régna.
Le pape Pie IX parla. | Le pape Pie neuf parla.
Charles V dit le Sage | Charles cinq dit le Sage
Jean-Paul II voyagea. | Jean-Paul deux voyagea.
Henri IV et sa poule | Henri quatre et sa poule
Voir le chapitre II. | Voir le chapitre deux.
Le chapitre I commence. | Le chapitre premier commence.
Tome III, page 12 | Tome trois, page douze
Acte V, scène II | Acte cinq, scène deux
La partie II ennuie. | La partie deux ennuie.
Chapitre XIV | Chapitre quatorze
Il dit : C'est moi. | Il dit : C'est moi.
Le CD de Marie | Le CD de Marie
Le mot MIX est court. | Le mot MIX est court.
Madame X attend. | Madame X attend.
# fractions
Il but ½ verre. | Il but un demi verre.
Il a 2 ½ ans. | Il a deux ans et demi.
Un litre ¾ de plus | Un litre trois quarts de plus
Il reste ¼ de tarte. | Il reste un quart de tarte.
# units
Il marcha 5 km dans la neige. | Il marcha cinq kilomètres dans la neige.
Il roulait à 100 km/h. | Il roulait à cent kilomètres par heure.
Une chambre de 10 m² | Une chambre de dix mètres carrés
L'eau bout à 100 °C. | L'eau bout à cent degrés Celsius.
Un disque de 8 Go | Un disque de huit gigaoctets
Un fichier de 500 Mo | Un fichier de cinq cents mégaoctets
Il pèse 70 kg. | Il pèse soixante-dix kilogrammes.
Une lettre de 20 g | Une lettre de vingt grammes
Elle mesure 1,5 m de haut. | Elle mesure un virgule cinq mètre de haut.
Une fosse de 2,5 m de fond | Une fosse de deux virgule cinq mètres de fond
Un puits de 30 m de profondeur | Un puits de trente mètres de profondeur
Il verse 2 l d'eau. | Il verse deux litres d'eau.
Un champ de 3 ha | Un champ de trois hectares
Une lampe de 60 W | Une lampe de soixante watts
Il consomme 5 kWh par jour. | Il consomme cinq kilowatt-heures par jour.
Une attente de 10 min | Une attente de dix minutes
Un angle de 90° | Un angle de quatre-vingt-dix degrés
Il pèse 1 t à vide. | Il pèse une tonne à vide.
Une radio à 101 MHz | Une radio à cent un mégahertz
Encore 5–10 km plus loin | Encore cinq à dix kilomètres plus loin
Une vitesse de 3 m/s | Une vitesse de trois mètres par seconde
Un volume de 6 m³ | Un volume de six mètres cubes
# abbreviations
M. Dupont entra. | monsieur Dupont entra.
Mme Renard sortit. | madame Renard sortit.
Mlle Blanche chanta. | mademoiselle Blanche chanta.
MM. Petit et Grand | messieurs Petit et Grand
Mgr Martin bénit la foule. | monseigneur Martin bénit la foule.
Le Dr Vidal soigna. | Le docteur Vidal soigna.
Me Roux plaida. | maître Roux plaida.
Des fruits, p. ex. la pomme | Des fruits, par exemple la pomme
Des fruits, par ex. la poire | Des fruits, par exemple la poire
Du pain, du vin, etc. | Du pain, du vin, et cetera
Il part, c.-à-d. il fuit. | Il part, c'est-à-dire il fuit.
Le n° 5 gagna. | Le numéro cinq gagna.
Au no 12 de la rue | Au numéro douze de la rue
Voir p. 12 et suivantes. | Voir page douze et suivantes.
Voir pp. 4-9. | Voir pages quatre à neuf.
Voir chap. 3. | Voir chapitre trois.
Voir fig. 2 ci-dessous. | Voir figure deux ci-dessous.
Le t. IV manque. | Le tome quatre manque.
En 52 av. J.-C., César vint. | En cinquante-deux avant Jésus-Christ, César vint.
En 14 apr. J.-C., Auguste mourut. | En quatorze après Jésus-Christ, Auguste mourut.
La maison Dubois & Cie | La maison Dubois et compagnie
Répondez, s.v.p. | Répondez, s'il vous plaît
St Nicolas passa. | saint Nicolas passa.
La rue Ste Anne | La rue sainte Anne
# ranges
Les pages 4–9 manquent. | Les pages quatre à neuf manquent.
De 10–12 personnes | De dix à douze personnes
Le score fut 3-3. | Le score fut trois-trois.
Un 747-400 se posa. | Un sept cent quarante-sept-quatre cents se posa.
# symbols and addresses
Pierre & Paul | Pierre et Paul
2 + 2 = 4 | deux plus deux égale quatre
3 × 4 = 12 | trois fois quatre égale douze
8 ÷ 2 = 4 | huit divisé par deux égale quatre
Si x < 5 | Si x inférieur à cinq
Voir www.exemple.org ce soir. | Voir www point exemple point org ce soir.
Écrivez à jean@exemple.fr demain. | Écrivez à jean arobase exemple point fr demain.
Sur exemple.com/aide-rapide, tout est dit. | Sur exemple point com barre oblique aide tiret rapide, tout est dit.
Voir https://exemple.fr. | Voir exemple point fr.
C++ est un langage. | C++ est un langage.
# what stays
Rien ne change ici. | Rien ne change ici.
L'homme qui rit, c'est toi. | L'homme qui rit, c'est toi.
Le Me voilà du roi | Le Me voilà du roi
Le A4 est une route. | Le A4 est une route.
Il a crié : Non ! | Il a crié : Non !
Elle dit : « Viens. » | Elle dit : « Viens. »
Vive la vie, dit-il. | Vive la vie, dit-il.
Le vif et le mil | Le vif et le mil
Au no man's land | Au no man's land
# more in context
M. et Mme Dupont | monsieur et madame Dupont
La 1e fois fut belle. | La première fois fut belle.
Au XVIIIe s. déjà | Au dix-huitième siècle déjà
Les 3/4 des gens | Les trois quarts des gens
Tél. 06 12 34 56 78 | Téléphone zéro six douze trente-quatre cinquante-six soixante-dix-huit
Le 15 août. | Le quinze août.
Il mesure 1 m 80. | Il mesure un mètre quatre-vingts.
Les XIXe et XXe siècles | Les dix-neuvième et vingtième siècles
Le 4x4 de Paul, 2x par jour, 1⁄2 litre | Le quatre-quatre de Paul, deux fois par jour, un demi litre
5° (abrogé) ; les articles 10,25,50 et 3 | quinto (abrogé) ; les articles dix, vingt-cinq, cinquante et trois
Au 2020-05-11T14:08:32Z, à 48.563433, AVANT LE 31/03 : la période de 14-18 coûte USD$2,000. | Au onze mai deux mille vingt, quatorze heures huit, à quarante-huit point cinq six trois quatre trois trois, AVANT LE trente et un mars : la période de quatorze dix-huit coûte deux mille dollars.
(...) 5° les informations | (...) quinto les informations
1° A la remise, 12,5/20 et 100 000 000,00 € | primo A la remise, douze virgule cinq sur vingt et cent millions d'euros
(art. L.2333-34 du CGCT), note 8/10, 3/10 de l’eau | (article L deux mille trois cent trente-trois tiret trente-quatre du CGCT), note huit sur dix, trois dixièmes de l’eau
Marie Ire régna. | Marie première régna.
C'étaient nos 3 chiens. | C'étaient nos trois chiens.
Elle vit au 5 av. Foch. | Elle vit au cinq avenue Foch.
Les 20 et 21 mai | Les vingt et vingt et un mai
L'article 1843-4 et les articles 21-28. | L'article mille huit cent quarante-trois tiret quatre et les articles vingt et un tiret vingt-huit.
6° "Décret du 4 janvier". | sexto "Décret du quatre janvier".
1∘ de se trouver. | primo de se trouver.
Il reçoit 1,75 mg/kg/h. | Il reçoit un virgule soixante-quinze milligramme par kilogramme par heure.
Dans l'annexe C du livre. | Dans l'annexe C du livre.
ISBN 2226116214. | ISBN deux deux deux six un un six deux un quatre.
Il mesure 1 m. 50. | Il mesure un mètre cinquante.
Les articles 57,62. | Les articles cinquante-sept, soixante-deux.
CHAPITRE DIX-SEPTIÈME | CHAPITRE DIX-SEPTIÈME
Du côté de la 10° Ils ont. | Du côté de la dixième Ils ont.
Au XVIIIes., il vint. | Au dix-huitième siècle, il vint.
Une dose de 1,75 mg/kg/heure. | Une dose de un virgule soixante-quinze milligramme par kilogramme par heure.
Les articles 21-2,21-11 et. | Les articles vingt et un tiret deux, vingt et un tiret onze et.
Il finit en 1m19,32s. | Il finit en une minute dix-neuf virgule trente-deux secondes.
SCÈNE I, p. 283 et suiv. ; vers 12 et suiv. ; tom. III ; strophe II | SCÈNE première, page deux cent quatre-vingt-trois et suivantes ; vers douze et suivants ; tome trois ; strophe deux
le mot[12] et 3/8 l, ⅛ de litre | le mot et trois huitièmes de litre, un huitième de litre
Un rythme à 2/4, à 6/8 et les 3/4 du temps | Un rythme à deux quatre, à six huit et les trois quarts du temps
"""
SWITZERLAND = """
En 1897, il naquit. | En mille huit cent nonante-sept, il naquit.
Il a 71 ans. | Il a septante et un ans.
Elle a 80 vaches. | Elle a huitante vaches.
Un troupeau de 81 vaches | Un troupeau de huitante et une vaches
Il pèse 92 kg. | Il pèse nonante-deux kilogrammes.
On voit 77 chalets. | On voit septante-sept chalets.
Il y a 1'234 votants. | Il y a mille deux cent trente-quatre votants.
Un prix de 5.20 Fr. au marché | Un prix de cinq francs vingt au marché
La 70e fois | La septantième fois
La 99e page | La nonante-neuvième page
Un total de 275 francs | Un total de deux cent septante-cinq francs
"""
BELGIUM = """
Il a 71 ans. | Il a septante et un ans.
Elle a 80 ans. | Elle a quatre-vingts ans.
Il a 95 ans. | Il a nonante-cinq ans.
En 1897, il naquit. | En mille huit cent nonante-sept, il naquit.
"""


def test_as_in_france():
    assert_said(FRANCE, "fr-FR")


def test_as_in_switzerland():
    assert_said(SWITZERLAND, "fr-CH")


def test_as_in_belgium():
    assert_said(BELGIUM, "fr-BE")


@pytest.mark.parametrize("region", ("FR", "CH", "BE"))
def test_no_two_numbers_have_the_same_words(region):
    numbers = [*range(2100), *range(21_000, 22_000, 7), *range(10**6, 3 * 10**6, 10**5 + 1)]
    assert len({cardinal(number, region) for number in numbers}) == len(numbers)


@given(st.text(alphabet="abcdefghij ,;", max_size=60))
def test_words_alone_stay(text):
    assert not spoken_line(text, "fr").edits


@given(st.text(alphabet="0123456789.,:-–/ºª°½%€$§&+@ IVXLabehmrs\u00a0", max_size=40))
def test_edits_are_in_order_and_do_not_overlap(text):
    at = 0
    for edit in spoken_line(text, "fr").edits:
        assert at <= edit.start < edit.end <= len(text)
        at = edit.end
