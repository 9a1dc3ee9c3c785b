"""The sentence by which a voice shows how it sounds, in languages that have no declaration here."""

from __future__ import annotations

# By the first subtag of the language.
SENTENCES = {
    "af": "Goeienaand. So klink ek wanneer ek 'n boek lees.",
    "ar": "مساء الخير. هذا صوتي حين أقرأ كتابا.",
    "bg": "Добър вечер. Така звучи гласът ми, когато чета книга.",
    "ca": "Bona nit. Així sona la meva veu quan llegeixo un llibre.",
    "cs": "Dobrý večer. Takhle zní můj hlas, když čtu knihu.",
    "da": "Godaften. Sådan lyder jeg, når jeg læser en bog.",
    "el": "Καλησπέρα. Έτσι ακούγεται η φωνή μου όταν διαβάζω ένα βιβλίο.",
    "eo": "Bonan vesperon. Tiel sonas mia voĉo, kiam mi legas libron.",
    "et": "Tere õhtust. Nii kõlab mu hääl, kui ma raamatut loen.",
    "fa": "عصر بخیر. این صدای من است وقتی کتاب می‌خوانم.",
    "fi": "Hyvää iltaa. Tältä kuulostan, kun luen kirjaa.",
    "he": "ערב טוב. כך נשמע קולי כשאני קורא ספר.",
    "hi": "नमस्ते। किताब पढ़ते समय मेरी आवाज़ ऐसी होती है।",
    "hr": "Dobra večer. Ovako zvuči moj glas kad čitam knjigu.",
    "hu": "Jó estét! Így szól a hangom, amikor könyvet olvasok.",
    "id": "Selamat malam. Beginilah suara saya ketika membaca buku.",
    "ja": "こんばんは。本を読むときの私の声です。",
    "ko": "안녕하세요. 책을 읽을 때 제 목소리입니다.",
    "la": "Salve. Sic sonat vox mea cum librum lego.",
    "nb": "God kveld. Slik høres jeg ut når jeg leser en bok.",
    "pl": "Dobry wieczór. Tak brzmi mój głos, kiedy czytam książkę.",
    "ro": "Bună seara. Așa sună vocea mea când citesc o carte.",
    "sk": "Dobrý večer. Takto znie môj hlas, keď čítam knihu.",
    "sl": "Dober večer. Tako zveni moj glas, ko berem knjigo.",
    "sv": "God kväll. Så här låter jag när jag läser en bok.",
    "tr": "İyi akşamlar. Kitap okurken sesim böyle.",
    "uk": "Добрий вечір. Так звучить мій голос, коли я читаю книгу.",
    "vi": "Xin chào. Đây là giọng của tôi khi đọc sách.",
    "yue": "晚上好。我讀書嘅聲音係咁樣嘅。",
    **dict.fromkeys(("cmn", "zh"), "晚上好。这是我读书的声音。"),
}
