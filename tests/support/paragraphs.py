"""A paragraph in each of many languages, of the same old mill."""

PARAGRAPHS = {
    "en": "The mill stood at the river, and nobody in the town could say who had built it. When the"
    " wind came from the north, the wheel began to turn, and then we heard it in all the houses."
    " My father said that it was only the water, but he would not go there at night.",
    "de": "Die Mühle stand am Fluss, und niemand in der Stadt konnte sagen, wer sie gebaut hatte."
    " Wenn der Wind aus dem Norden kam, begann sich das Rad zu drehen, und dann hörten wir es in"
    " allen Häusern. Mein Vater sagte, es sei nur das Wasser, aber er ging nachts nicht hin.",
    "fr": "Le moulin était au bord de la rivière, et personne dans la ville ne savait qui l’avait"
    " bâti. Quand le vent venait du nord, la roue se mettait à tourner et nous l’entendions dans"
    " toutes les maisons. Mon père disait que c’était l’eau, mais il n’y allait pas la nuit.",
    "es": "El molino estaba junto al río, y nadie en la ciudad sabía quién lo había hecho. Cuando"
    " el viento venía del norte, la rueda empezaba a girar y la oíamos en todas las casas. Padre"
    " decía que era sólo el agua, pero no iba allí por la noche, y se quedaba con los demás.",
    "it": "Il mulino era sulla riva del fiume, e nessuno nella città sapeva chi lo aveva fatto."
    " Quando il vento veniva dal nord, la ruota cominciava a girare e la sentivamo in ogni casa."
    " Mio padre diceva che era solo l’acqua, ma non ci andava di notte, e con lui gli altri.",
    "pt": "O moinho ficava à beira do rio, e ninguém na cidade sabia quem o tinha feito. Quando o"
    " vento vinha do norte, a roda começava a girar e nós a ouvíamos em todas as casas. Meu pai"
    " dizia que era só a água, mas não ia lá à noite, e ficava com os outros até depois da chuva.",
    "gl": "O muíño estaba á beira do río, e ninguén na cidade sabía quen o fixera. Cando o vento"
    " viña do norte, a roda comezaba a xirar e nós oíamola en todas as casas. Meu pai dicía que"
    " era só a auga, pero non ía alí pola noite, e quedaba cos outros ata despois da chuvia.",
    "ca": "El molí era a la vora del riu, i ningú a la ciutat no sabia qui l’havia fet. Quan el"
    " vent venia del nord, la roda començava a girar i la sentíem a totes les cases. El meu pare"
    " deia que només era l’aigua, però no hi anava de nit, i es quedava amb els altres.",
    "ro": "Moara era pe malul râului, și nimeni din oraș nu știa cine o făcuse. Când vântul venea"
    " din nord, roata începea să se învârtă și o auzeam în toate casele. Tatăl meu spunea că este"
    " doar apa, dar nu se ducea acolo noaptea, ci rămânea cu ceilalți până după ploaie.",
    "nl": "De molen stond aan de rivier, en niemand in de stad kon zeggen wie hem had gebouwd. Als"
    " de wind uit het noorden kwam, begon het rad te draaien, en dan hoorden wij het in alle"
    " huizen. Mijn vader zei dat het maar water was, maar hij ging er in de nacht niet naar toe.",
    "af": "Die meul het by die rivier gestaan, en niemand in die stad kon sê wie dit gebou het nie."
    " As die wind uit die noorde kom, begin die wiel draai, en dan hoor ons dit in al die huise."
    " My pa het gesê dat dit net die water was, maar hy sal nie in die nag daar na toe gaan nie.",
    "sv": "Kvarnen stod vid ån, och ingen i staden kunde säga vem som hade byggt den. När vinden"
    " kom från norr började hjulet att gå, och då hörde vi det i alla hus. Min far sade att det"
    " inte var något annat än vattnet, men han gick aldrig dit om natten, och vi fick inte heller.",
    "da": "Møllen stod ved åen, og ingen i byen kunne sige, hvem der havde bygget den. Når vinden"
    " kom fra nord, begyndte hjulet at dreje, og så hørte vi det i alle huse. Min far sagde, at"
    " det kun var vandet, men han gik ikke derud om natten, og vi måtte heller ikke.",
    "nb": "Møllen sto ved elven, og ingen i byen kunne si hvem som hadde bygget den. Når vinden kom"
    " fra nord, begynte hjulet å gå rundt, og så hørte vi det i alle husene. Min far sa at det"
    " bare var vannet, men han gikk ikke ut dit om natten, og vi fikk heller ikke lov til det.",
    "pl": "Młyn stał nad rzeką i nikt w mieście nie wiedział, kto go zbudował. Kiedy wiatr wiał od"
    " północy, koło zaczynało się obracać i słychać je było we wszystkich domach. Ojciec mówił, że"
    " to tylko woda, ale nie chodził tam w nocy, a my baliśmy się o niego jak nigdy przez rok.",
    "cs": "Mlýn stál u řeky a nikdo ve městě nevěděl, kdo ho postavil. Když vítr vál od severu,"
    " kolo se začalo točit a bylo je slyšet ve všech domech. Otec říkal, že je to jen voda, ale v"
    " noci tam nechodil a my jsme se o něj báli, protože už byl starý a také si na nic nevzpomněl.",
    "sk": "Mlyn stál pri rieke a nikto v meste nevedel, kto ho postavil. Keď vietor vial od severu,"
    " koleso sa začalo krútiť a bolo ho počuť vo všetkých domoch. Otec hovoril, že je to len voda,"
    " ale v noci tam nechodil a my sme sa o neho báli, lebo už bol starý a na nič si nespomenul.",
    "hr": "Mlin je stajao uz rijeku i nitko u gradu nije znao tko ga je sagradio. Kad je vjetar"
    " puhao sa sjevera, kolo bi se počelo okretati i čulo se u svim kućama. Otac je govorio da je"
    " to samo voda, ali noću nije išao tamo, a mi smo se bojali za njega jer je već bio star.",
    "sl": "Mlin je stal ob reki in nihče v mestu ni vedel, kdo ga je zgradil. Ko je veter pihal s"
    " severa, se je kolo začelo vrteti in slišalo se je v vseh hišah. Oče je govoril, da je to samo"
    " voda, ali ponoči ni hodil tja, in mi smo se bali zanj, ker je bil že star.",
    "hu": "A malom a folyó mellett állt, és senki sem tudta a városban, hogy ki építette. Amikor"
    " a szél északról fújt, a kerék forogni kezdett, és azt minden házban lehetett hallani. Apám"
    " azt mondta, hogy ez csak a víz, de éjszaka nem ment oda, mert már öreg volt.",
    "fi": "Mylly oli joen rannalla, eikä kukaan kaupungissa tiennyt, kuka sen oli rakentanut. Kun"
    " tuuli kävi pohjoisesta, ratas alkoi pyöriä, ja silloin se kuului joka talossa. Isä sanoi,"
    " että se on vain vesi, mutta hän ei mennyt sinne yöllä, ja me olimme jo niin peloissamme.",
    "et": "Veski oli jõe ääres ja keegi linnas ei teadnud, kes selle oli ehitanud. Kui tuul tuli"
    " põhjast, hakkas ratas käima ja siis oli seda kuulda kõigis majades. Isa ütles, et see on"
    " ainult vesi, aga ta ei läinud sinna öösel, ja ma ei ole ka nüüd seal käinud.",
    "tr": "Değirmen nehrin kıyısındaydı ve onu kimin yaptığını kasabada bilen yoktu. Kuzeyden"
    " rüzgâr geldiği zaman çark dönmeye başlar, biz de onu bütün evlerde duyardık. Babam bunun"
    " sadece su olduğunu söylerdi ama gece oraya gitmezdi, çünkü o kadar yaşlı bir adam için çok"
    " uzak bir yol vardı ve daha sonra ne olduğu belli değil gibi.",
    "lt": "Malūnas stovėjo prie upės, ir niekas mieste nežinojo, kas jį pastatė. Kai vėjas pūtė iš"
    " šiaurės, ratas pradėdavo suktis, ir tai buvo girdėti visuose namuose. Tėvas sakė, kad tai"
    " tik vanduo, bet jis ten nėjo naktį, nes jau buvo senas ir labai bijojo, kaip ir mes.",
    "lv": "Dzirnavas bija pie upes, un neviens pilsētā nezināja, kas tās ir cēlis. Kad vējš nāca no"
    " ziemeļiem, rats sāka griezties, un tad to varēja dzirdēt visās mājās. Tēvs teica, ka tas ir"
    " tikai ūdens, bet viņš tur naktī negāja, jo jau bija vecs, un mēs arī ne.",
    "is": "Myllan stóð við ána og enginn í bænum vissi hver hafði byggt hana. Þegar vindurinn kom"
    " að norðan fór hjólið að snúast og þá heyrðum við það í öllum húsum. Faðir minn sagði að það"
    " væri ekki annað en vatnið, en hann fór aldrig þangað um nætur og við ekki til hans.",
    "la": "Mola erat ad flumen, et nemo in urbe sciebat quis eam fecisset. Cum ventus a"
    " septentrionibus veniret, rota se vertere coepit, atque in omnibus domibus audiebatur. Pater"
    " dixit hoc non esse nisi aquam, sed nocte eo non ibat, quod iam senex erat nec quid timeret.",
    "ru": "Он вошел в дом и сел у окна, не снимая пальто.",
    "uk": "Млин стояв біля річки, і ніхто в місті не знав, хто його збудував.",
    "bg": "Мелницата беше до реката и никой в града не знаеше кой я е построил. Баща ми казваше,"
    " че това е само вода, но той не ходеше там през нощта.",
    "be": "Млын стаяў каля ракі, і ніхто ў горадзе не ведаў, хто яго збудаваў.",
    "sr": "Млин је стајао уз реку и нико у граду није знао ко га је саградио.",
    "mk": "Мелницата беше крај реката и никој во градот не знаеше кој ја изградил.",
    "kk": "Мен өзенге бардым да, диірменнің енді ол жерде жоқ екенін көрдім.",
    "ar": "كانت الطاحونة على ضفة النهر ولم يعرف أحد في المدينة من بناها",
    "fa": "آسیاب در کنار رودخانه بود و هیچ کس در شهر نمی‌دانست که چه کسی آن را ساخته است",
    "ur": "چکی دریا کے کنارے تھی اور شہر میں کوئی نہیں جانتا تھا کہ اسے کس نے بنایا ہے",
    "he": "הטחנה עמדה על שפת הנהר, ואיש בעיר לא ידע מי בנה אותה.",
    "yi": "די מיל איז געשטאַנען בײַם טײַך, און קיינער אין שטאָט האָט ניט געוווּסט ווער עס האָט זי געבויט.",
    "el": "Ο μύλος ήταν δίπλα στο ποτάμι και κανείς στην πόλη δεν ήξερε ποιος τον είχε χτίσει.",
    "hi": "चक्की नदी के किनारे थी और शहर में कोई नहीं जानता था कि उसे किसने बनाया है।",
    "mr": "गिरणी नदीच्या काठी होती आणि ती कोणी बांधली हे गावात कोणालाही माहीत नाही.",
    "ka": "წისქვილი მდინარესთან იდგა და ქალაქში არავინ იცოდა, ვინ ააშენა.",
    "hy": "Ջրաղացը գետի ափին էր, և քաղաքում ոչ ոք չգիտեր, թե ով է այն կառուցել։",
    "ko": "물레방아는 강가에 있었고 마을 사람 아무도 누가 지었는지 알지 못했다.",
    "ja": "水車は川のそばにあり、町の人はだれがそれを作ったのか知らなかった。",
    "zh": "磨坊在河边，镇上没有人知道是谁把它造起来的，父亲说那只是水的声音。",
    "th": "โรงสีอยู่ริมแม่น้ำ และไม่มีใครในเมืองรู้ว่าใครเป็นคนสร้าง",
}
