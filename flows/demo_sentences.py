"""The sentence in each language by which a voice shows how it sounds."""

from __future__ import annotations

from audiomill.inputs.languages.codes import language_tag
from audiomill.renderers.base import Renderer

# Every engine and every language reads digits.
_NUMBERS = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10."
# By the first subtag of the language.
_SENTENCES = {
    "af": "Goeienaand. So klink ek wanneer ek 'n boek lees.",
    "ar": "مساء الخير. هذا صوتي حين أقرأ كتابا.",
    "bg": "Добър вечер. Така звучи гласът ми, когато чета книга.",
    "ca": "Bona nit. Així sona la meva veu quan llegeixo un llibre.",
    "cs": "Dobrý večer. Takhle zní můj hlas, když čtu knihu.",
    "da": "Godaften. Sådan lyder jeg, når jeg læser en bog.",
    "de": "Guten Abend. So klinge ich, wenn ich Ihnen ein Buch vorlese.",
    "el": "Καλησπέρα. Έτσι ακούγεται η φωνή μου όταν διαβάζω ένα βιβλίο.",
    "en": "Good evening. This is how I sound when I read you a book.",
    "eo": "Bonan vesperon. Tiel sonas mia voĉo, kiam mi legas libron.",
    "es": "Buenas noches. Así suena mi voz cuando leo un libro.",
    "et": "Tere õhtust. Nii kõlab mu hääl, kui ma raamatut loen.",
    "fa": "عصر بخیر. این صدای من است وقتی کتاب می‌خوانم.",
    "fi": "Hyvää iltaa. Tältä kuulostan, kun luen kirjaa.",
    "fr": "Bonsoir. Voici ma voix quand je vous lis un livre.",
    "he": "ערב טוב. כך נשמע קולי כשאני קורא ספר.",
    "hi": "नमस्ते। किताब पढ़ते समय मेरी आवाज़ ऐसी होती है।",
    "hr": "Dobra večer. Ovako zvuči moj glas kad čitam knjigu.",
    "hu": "Jó estét! Így szól a hangom, amikor könyvet olvasok.",
    "id": "Selamat malam. Beginilah suara saya ketika membaca buku.",
    "it": "Buonasera. Questa è la mia voce quando leggo un libro.",
    "ja": "こんばんは。本を読むときの私の声です。",
    "ko": "안녕하세요. 책을 읽을 때 제 목소리입니다.",
    "la": "Salve. Sic sonat vox mea cum librum lego.",
    "nb": "God kveld. Slik høres jeg ut når jeg leser en bok.",
    "nl": "Goedenavond. Zo klink ik als ik een boek voorlees.",
    "pl": "Dobry wieczór. Tak brzmi mój głos, kiedy czytam książkę.",
    "pt": "Boa noite. Esta é a minha voz quando leio um livro.",
    "ro": "Bună seara. Așa sună vocea mea când citesc o carte.",
    "ru": "Добрый вечер. Так звучит мой голос, когда я читаю книгу.",
    "sk": "Dobrý večer. Takto znie môj hlas, keď čítam knihu.",
    "sl": "Dober večer. Tako zveni moj glas, ko berem knjigo.",
    "sv": "God kväll. Så här låter jag när jag läser en bok.",
    "tr": "İyi akşamlar. Kitap okurken sesim böyle.",
    "uk": "Добрий вечір. Так звучить мій голос, коли я читаю книгу.",
    "vi": "Xin chào. Đây là giọng của tôi khi đọc sách.",
    "yue": "晚上好。我讀書嘅聲音係咁樣嘅。",
    **dict.fromkeys(("cmn", "zh"), "晚上好。这是我读书的声音。"),
}


def demo_language(renderer: Renderer, voice: str) -> str:
    """The language (BCP 47) of a voice, of a variant of it, or of the first voice of a mix."""
    voice, _, pronounced = voice.partition("@")  # Kokoro: a voice with another pronunciation
    if pronounced:
        return language_tag(pronounced) or "und"
    listed = [one for one in renderer.voices() if voice.lower().startswith(one.name)]
    if listed:
        return max(listed, key=lambda one: len(one.name)).language
    return language_tag(voice.partition("+")[0]) or "und"  # espeak: a language is a voice too


def demo_sentence(language: str) -> str:
    """A short text in `language` (BCP 47); numbers where there is no sentence."""
    return _SENTENCES.get(language.split("-")[0].lower(), _NUMBERS)
