"""The scripts and the stop words of languages, by which a text shows its language.

Stop words are the small, most common ones: articles, prepositions, pronouns. Words of a letter or
two that English or program code has as well belong to English too.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

_MOSTLY = 0.5  # of the letters, that are of one script
_MOSTLY_HAN = 1 / 3  # a Chinese character says as much as some letters
_KANA_SHARE = 0.1  # of the letters of Japanese
# Names and quotations bring letters that a language has not.
_FOREIGN_SHARE = 0.005

_LATIN = re.compile("[A-Za-z\u00aa-\u024f\u1e00-\u1eff]")
_KANA = re.compile("[\u3040-\u30ff]")
_SCRIPTS = {
    name: re.compile(letters)
    for name, letters in {
        "han": "[\u3040-\u30ff\u3400-\u9fff]",
        "ko": "[\u1100-\u11ff\uac00-\ud7af]",
        "cyrillic": "[\u0400-\u052f]",
        "arabic": "[\u0600-\u077f]",
        "hebrew": "[\u0590-\u05ff\ufb1d-\ufb4f]",
        "devanagari": "[\u0900-\u097f]",
        "el": "[\u0370-\u03ff\u1f00-\u1fff]",
        "hy": "[\u0530-\u058f]",
        "ka": "[\u10a0-\u10ff]",
        "am": "[\u1200-\u137f]",
        "th": "[\u0e00-\u0e7f]",
        "lo": "[\u0e80-\u0eff]",
        "bo": "[\u0f00-\u0fff]",
        "my": "[\u1000-\u109f]",
        "km": "[\u1780-\u17ff]",
        "bn": "[\u0980-\u09ff]",
        "pa": "[\u0a00-\u0a7f]",
        "gu": "[\u0a80-\u0aff]",
        "or": "[\u0b00-\u0b7f]",
        "ta": "[\u0b80-\u0bff]",
        "te": "[\u0c00-\u0c7f]",
        "kn": "[\u0c80-\u0cff]",
        "ml": "[\u0d00-\u0d7f]",
        "si": "[\u0d80-\u0dff]",
    }.items()
}
_WORD = re.compile(r"[^\s\d.,;:!?…«»“”„\"()।،؛؟—–-]+")
# Languages that share most of their stop words: each group is told from others as one.
CLOSE_LANGUAGES = (
    frozenset(("nb", "da", "sv")),
    frozenset(("pt", "gl", "es", "ca")),
    frozenset(("cs", "sk")),
    frozenset(("hr", "sl")),
    frozenset(("nl", "af")),
)

STOP_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the and of to is was that it with as for are this be his her they which by from"
        " you we not have has had were their an but he she at or a i in on so do no me my if up"
        " all can will would one out what there when who him your more said then could been them"
        " some into than only about its over like must should how now any these those",
        "de": "der die das und ist nicht mit den von zu sich auf für ein eine einen einer dem des"
        " als auch wird sind aus bei noch nach wie oder er sie wir ich im zum zur dass es an so"
        " in war hatte wenn aber nur um man über mir mich ihm ihr was durch vor am hat werden",
        "fr": "le la les des et est une un du pour dans que qui pas sur plus par au aux avec ce"
        " cette il elle nous vous sont ont être mais ou ses leur en de ne se son sa je on était"
        " avait comme tout si lui même où fait sans y dont ils elles à",
        "es": "el la los las de y que en un una por con para es del se su al como más pero sus le"
        " ha esta este son fue está hay muy también no lo me si ya cuando había era sin sobre"
        " todo ser porque donde desde nos ella hasta",
        "it": "il la di e che è un una per con non sono del della dei delle degli gli le si da al"
        " alla nel nella anche più come ma ha questo questa lo i in a era dal se su ci mi suo sua"
        " quando aveva tutto senza perché o dalla",
        "pt": "o a os as de e que em um uma para com não por mais do da dos das no na se como foi"
        " ao mas são também pelo pela ele ela seu sua é nos nas já quando muito eu está havia à"
        " até sem me isso era depois",
        "gl": "o a os as de e que en un unha para con non por máis do da dos das no na se como foi"
        " ao pero son tamén polo pola el ela seu súa é nos nas xa cando moi eu está había á ata"
        " sen lle isto era despois onde",
        "ca": "el la els les de i que en un una per amb és no del al seu com més però a va ser els"
        " dels als ha són pel o aquest aquesta també hi havia molt quan sense sobre seva ja es"
        " fins perquè on era tot ho li després",
        "ro": "și de în la nu cu că pe să se un o este din pentru a mai care ce sunt au fost era"
        " dar lui ei ca după fără prin până când foarte unei unui al ale le lor am ar el ea îi își"
        " sau deja acest această între sub",
        "nl": "de het een en van is dat op te in voor met zijn niet aan er om ook als bij maar"
        " wordt door naar uit nog over dan werd deze was had hij ze ik je die wij hun geen kan"
        " heeft toen waar zich zo tot of wat",
        "af": "die en van is dat op te in vir met nie aan om ook as by maar word deur na uit nog"
        " oor dan was het hy sy ek jy ons hulle geen kan toe waar sal so tot of wat daar hierdie",
        "sv": "och att det som en på är av för med den till inte har de ett om var jag men så vi"
        " kan från i han hon hade när eller sig där efter vid under mot mycket också ut upp utan"
        " då nu blev skulle ingen hans dem ur sin över mig",
        "da": "og at det som en på er af for med den til ikke har de et om var jeg men så vi kan"
        " fra i han hun havde når eller sig der efter ved under mod meget også ud op uden da nu"
        " blev skulle ingen hans dem sin over mig hvad blive mellem nogen noget have",
        "nb": "og at det som en på er av for med den til ikke har de et om var jeg men så vi kan"
        " fra i han hun hadde når eller seg der etter ved under mot mye også ut opp uten da nå ble"
        " skulle ingen hans dem sin over meg hva bli mellom noen noe ha",
        "pl": "i w na z że się nie do to jest o jak po co za od ale przez dla są tym czy oraz ich"
        " był a było była który która jego jej tak już gdy tylko ze by przed bez bardzo go mu on"
        " ona kiedy nad jeszcze nic",
        "cs": "a je v se na že s z do to o i by jsem ale jako za pro jeho její když už by jen po k"
        " byl byla bylo od který která si tak co nebo jsou není ve také než při ještě bez podle"
        " být však nad pod ze aby mezi jak",
        "sk": "a je v sa na že s z do to o i by som ale ako za pre jeho jej keď už len po k bol"
        " bola bolo od ktorý ktorá si tak čo alebo sú nie vo aj tiež než pri ešte bez podľa byť"
        " však nad pod zo aby medzi",
        "hr": "i je u se na da su s od za ne to iz o kao ali bio bila bilo sam koji koja koje što"
        " kad samo po ili nije jer do bi već pred kako ni nad pod bez njegov njegova on ona oni"
        " ga mu nisu nego još sve smo te",
        "sl": "in je v se na da so s z od za ne to iz o kot pa bil bila bilo sem ki ko samo po ali"
        " ni ker do bi že pred kako nad pod brez njegov on ona oni ga mu niso še vse smo tudi pri"
        " bo ta tako",
        "hu": "a az és hogy nem is egy ez de volt meg csak mint már még ha el vagy azt kell van"
        " mert aki ami ki majd amikor le fel sem én ő olyan minden után itt ott így pedig nagyon"
        " akkor lesz voltak ezt neki mi",
        "fi": "ja on ei se että hän oli joka kun ovat mutta kuin niin myös sen ne tai jos mitä vain"
        " hänen jo olivat sitten nyt minä sinä ole vielä sitä mukaan kanssa tämä siitä siellä"
        " jälkeen olla eivät mikä jotka koko",
        "et": "ja on ei see et ta oli kes kui aga nagu siis ka selle need või mida ainult tema juba"
        " olid nüüd ma sa ole veel seda järgi koos oma siit seal pärast olla ning mis",
        "tr": "ve bir bu da de için ile çok ne o gibi daha olarak var değil mi ama kadar sonra ki"
        " en ben her onun olan ya şey diye hiç oldu olduğu vardı zaman ise bile önce yok biz şu"
        " nasıl göre onu kendi",
        "lt": "ir į iš su kad yra ne bet kaip o tai jis ji buvo apie už prie nuo jo jos tik dar jau"
        " kai per po be savo ar taip labai šis kuris kuri mes aš ant pas",
        "lv": "un ir uz no ar ka par bet kā tas viņš viņa bija pie pēc ne vai to tik vēl jau kad"
        " pa bez savu ļoti šis kas kura mēs es lai nav viņu arī tā līdz",
        "is": "og að í á er sem en það við hann hún var ekki til með um af fyrir frá ég en eða þá"
        " þegar sig svo þar upp út eftir þeir voru hafa hafði nú því hans hennar",
        "ga": "agus an na ar ag go bhí sé sí tá le is i a do den nach ní ach leis air ó mar féin"
        " chuig anseo ansin nuair gur aige raibh é iad",
        "cy": "y yr a i yn o ar ac mae oedd ei eu am gan wedi nid ond fel hynny hi ef ni bod pan"
        " hyn roedd nad na wrth dros at iddo un",
        "eu": "eta da ez bat zen du ere hori baina oso izan dira egin zuen ziren hau bere gabe"
        " baino dute beste zuten gero edo izango ondoren zela dela bezala",
        "sq": "dhe në të e i një me për që nuk është nga ka ai ajo kishte si por u së ishte do më"
        " kur edhe ku mund tij saj këtë pa deri pas janë",
        "id": "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga ke karena ada bisa"
        " oleh sudah atau mereka saya dia kami seperti telah lagi hanya tetapi orang",
        "vi": "và của là có không được cho một những trong với các đã người này khi như từ đến"
        " trên ở cũng về ông thì lại nhưng nó ra tôi còn rất",
        "eo": "la kaj de en estas ne al ke li ŝi mi estis por kun sur el pri sed tiu ĝi kiel kiu"
        " oni aŭ ĉiuj tre ili sia ankaŭ kiam nur sen per ĝis",
        "la": "et in est non ad cum ut sed quod qui quae ex si ab de per atque nec sunt esse hoc"
        " enim quam aut autem etiam quid me te se eius sic ac erat quo haec",
    }.items()
}


@dataclass(frozen=True)
class _Written:
    """How a language is written: the letters that it has not (of its script), its stop words."""

    without: str
    words: str


# Of the languages that fit a text alike the first is taken.
_CYRILLIC_OTHERS = "әғқңөұүһҙҡҫҳҷӑӗӳӣӯҗҥѐѝ"
_SOUTH = "ђћѓќѕјљњџ"
_LANGUAGES = {
    "cyrillic": {
        "ru": _Written(
            "іїєґў" + _SOUTH + _CYRILLIC_OTHERS,
            "и в не на что он с как это по но из у за от она так о же бы к а было был была его"
            " ее её я мы вы они все только для когда уже или если чтобы",
        ),
        "uk": _Written(
            "ыэёъўѣ" + _SOUTH + _CYRILLIC_OTHERS,
            "і в не на що він з як це по але із у за від вона так о ж би до а було був була його"
            " її я ми ви вони все тільки для коли вже або якщо щоб й та",
        ),
        "bg": _Written(
            "ыэёіїєґўѣ" + _SOUTH + _CYRILLIC_OTHERS,
            "и в не на че той с как това по но от за тя така о же ще да се е беше са му си до"
            " аз ние вие те са само когато вече или ако като към бил била го ги я",
        ),
        "be": _Written(
            "ищъїєґѣ" + _SOUTH + _CYRILLIC_OTHERS,
            "і ў у не на што ён з як гэта па але за ад яна так а было быў была яго яе я мы вы яны"
            " толькі для калі ўжо або каб да",
        ),
        "sr": _Written(
            "йщъыьэюяёіїєґўѣѓќѕ" + _CYRILLIC_OTHERS,
            "и у не на што он са као то по али из за од она тако о же да се је су му био била је",
        ),
        "mk": _Written(
            "йщъыьэюяёіїєґўѣђћ" + _CYRILLIC_OTHERS.rstrip("ѐѝ"),
            "и во не на што тој со како тоа по но од за таа така да се е беше се му го ја ги ќе",
        ),
        "kk": _Written(
            "їєґўѣҙҡҫҳҷӑӗӳӣӯҗҥѐѝ" + _SOUTH,
            "мен бір және бұл да де ол деп еді үшін бар жоқ сол осы емес керек ғана болды",
        ),
        "ky": _Written(
            "іїєґўѣәғқұһҙҡҫҳҷӑӗӳӣӯҗҥѐѝ" + _SOUTH,
            "мен бир жана бул да де ал деп эле үчүн бар жок ошол эмес керек гана болду",
        ),
        "tt": _Written(
            "іїєґўѣғқұҙҡҫҳҷӑӗӳӣӯҥѐѝ" + _SOUTH,
            "мин бер һәм бу да дә ул дип иде өчен бар юк шул түгел кирәк генә булды",
        ),
        "ba": _Written(
            "іїєґўѣқұҳҷӑӗӳӣӯҗҥѐѝ" + _SOUTH,
            "мин бер һәм был да дә ул тип ине өсөн бар юҡ шул түгел кәрәк генә булды",
        ),
        "mn": _Written("іїєґўѣәғқңұһҙҡҫҳҷӑӗӳӣӯҗҥѐѝ" + _SOUTH, "нэг энэ бол ба нь юм байна гэж"),
        "tg": _Written("іїєґўѣыщцьәңөұүһҙҡҫӑӗӳҗҥѐѝ" + _SOUTH, "ва дар аз ба ки ин буд бо то"),
        "uz": _Written("іїєґѣыщәңөұүһҙҡҫҷӑӗӳӣӯҗҥѐѝ" + _SOUTH, "ва бир бу ҳам учун билан эди"),
        "cv": _Written("іїєґўѣәғқңөұүһҙҡҳҷӣӯҗҥѐѝ" + _SOUTH, "тата пӗр ку та те вӑл тесе"),
    },
    "arabic": {
        "ar": _Written(
            "پچژگکیےںٹڈڑہھټځڅډړږښې",
            "في من على إلى أن ما لا التي الذي هذا هذه كان عن مع ثم قد لم هو هي و كل بعد أو",
        ),
        "fa": _Written(
            "ةىكيےںٹڈڑہھټځڅډړږښې", "و در به از که این را با است آن برای بود تا هم یک می شد او"
        ),
        "ur": _Written("ةىكيټځڅډړږښې", "کے میں کی ہے اور سے کا کو اس نے پر یہ تھا کہ ہیں تھی"),
        "ps": _Written("ةىكےںٹڈڑہ", "د په او چې له دا ته کې سره یو هم و هغه"),
    },
    "hebrew": {
        "he": _Written(
            "װױײ", "של את לא על הוא היא זה עם כי אבל גם או אל היה היתה אני הם כל כמו יש אין מה"
        ),
        "yi": _Written(
            "", "און די דער איז ניט נישט פון אין צו אז דאס האט מיט איך ער זי אויף געווען"
        ),
    },
    "devanagari": {
        "hi": _Written("ळ", "है के में की का और से को पर ने कि यह वह नहीं हैं था थी एक भी हो तो"),
        "mr": _Written("", "आहे आणि या ही हे व तो ती ते होता होती नाही एक पण मी त्या मध्ये"),
        "ne": _Written("ळ", "छ र को मा हो यो पनि छन् थियो भने एक लागि गर्न त्यो थिए ले"),
    },
}
LANGUAGES_BY_SCRIPT = frozenset(
    {"zh", "ja", *_SCRIPTS, *(name for one in _LANGUAGES.values() for name in one)} - {"han"}
    - _LANGUAGES.keys()
)  # fmt: skip


def is_mostly_latin(letters: str) -> bool:
    """True if at least half of the letters are Latin ones."""
    return len(_LATIN.findall(letters)) >= _MOSTLY * len(letters)


def language_by_script(text: str, letters: str) -> str:
    """The language of a text that is mostly in one script; "" of Latin and unknown scripts.

    `letters` are those of the text, without anything between them.
    """
    counts = {name: len(script.findall(letters)) for name, script in _SCRIPTS.items()}
    script, n_letters = max(counts.items(), key=lambda item: item[1])
    if n_letters <= (_MOSTLY_HAN if script == "han" else _MOSTLY) * len(letters):
        return ""
    if script == "han":
        return "ja" if len(_KANA.findall(letters)) >= _KANA_SHARE * len(letters) else "zh"
    return _best_fit(_LANGUAGES[script], text.lower()) if script in _LANGUAGES else script


def _best_fit(languages: dict[str, _Written], text: str) -> str:
    """The language whose letters and stop words a text in lower case has."""
    counts = Counter(text)
    limit = _FOREIGN_SHARE * sum(n for letter, n in counts.items() if letter.isalpha())
    foreign = {
        name: sum(counts[letter] for letter in set(language.without))
        for name, language in languages.items()
    }
    least = min(foreign.values())
    fitting = [name for name, n_foreign in foreign.items() if n_foreign - least <= limit]
    words = Counter(_WORD.findall(text))
    return max(fitting, key=lambda name: sum(words[one] for one in languages[name].words.split()))
