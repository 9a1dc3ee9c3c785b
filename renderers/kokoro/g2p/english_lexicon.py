"""misaki's dictionary of English, corrected, and with regular forms of its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from misaki import en

from audiomill.renderers.kokoro.g2p.requirements import TEXT_ERRORS

# What misaki has wrong or lacks, in American and British English; "-" where it is right. After a
# colon is the tag that the pronunciation is for. Of "bowed", "toiled" and the like misaki takes
# "bowe" and "toile" for the stem.
_CORRECTIONS = """
aged:ADJ      ˈAʤɪd          ˈAʤɪd
an'           ən             ən
automating    ˈɔɾəmˌAɾɪŋ     ˈɔːtəmAtɪŋ
bailed        bˈAld          bˈAld
batteries     -              bˈatəɹiz
beloved:ADJ   bəlˈʌvɪd       bɪlˈʌvɪd
blessed:ADJ   blˈɛsɪd        blˈɛsɪd
bowed         bˈWd           bˈWd
breathed      bɹˈiðd         -
butted        bˈʌɾᵻd         bˈʌtɪd
catch         kˈæʧ           -
catcher       kˈæʧəɹ         -
consult       -              kənsˈʌlt
couched       kˈWʧt          kˈWʧt
cursed        kˈɜɹst         kˈɜːst
cursed:ADJ    kˈɜɹsɪd        kˈɜːsɪd
daubed        dˈɔbd          dˈɔːbd
distributing  dəstɹˈɪbjuɾɪŋ  dɪstɹˈɪbjuːtɪŋ
drawing       dɹˈɔɪŋ         -
enveloped     -              ɪnvˈɛləpt
fillets       fˈɪləts        -
focussed      fˈOkəst        fˈQkəst
gi'           ɡɪ             ɡɪ
gnawing       nˈɔɪŋ          -
graves        -              ɡɹˈAvz
ha'           hæ             ha
houses        hˈWzᵻz         hˈWzɪz
im            ɪm             ɪm
imagines      ɪmˈæʤənz       ɪmˈaʤɪnz
manes         mˈAnz          mˈAnz
mended        mˈɛndᵻd        mˈɛndɪd
mouths        mˈWðz          mˈWðz
o'            ə              ə
philosophic   fˌɪləsˈɑfɪk    fˌɪləsˈɒfɪk
protest:VERB  pɹətˈɛst       pɹətˈɛst
protests:VERB pɹətˈɛsts      pɹətˈɛsts
resent        ɹəzˈɛnt        ɹɪzˈɛnt
resume:NOUN   ɹˈɛzəmˌA       ɹˈɛzjʊmA
seconded      sˈɛkəndᵻd      -
seth          -              sˈɛθ
terminate     tˈɜɹmənˌAt     -
th'           ðə             ðə
thawing       θˈɔɪŋ          -
tho'          ðˌO            ðˌQ
toiled        tˈYld          tˈYld
tours         tˈʊɹz          tˈʊəz
transported   -              tɹɑːnspˈɔːtɪd
trenchant     -              tɹˈɛnʧᵊnt
warn't        wˈɔɹnt         wˈɔːnt
wi'           wɪ             wɪ
wilder        wˈIldəɹ        wˈIldə
"""

# Forms that misaki does not derive: the ending or beginning, that of the word which it knows, how
# the phonemes change, and the tag if it is certain. look'd, mak'st, know'st, singest, comin',
# th'eternal, 'ouse
_FORMS = tuple(
    (re.compile(form), base, re.compile(old), new, tag)
    for form, base, old, new, tag in (
        (r"(?<=[a-z]{3})'d\Z", "ed", r"\Z", "", "VBD"),
        (r"(?<=[a-z]{2})'st\Z", "e", r"\Z", "st", "VBP"),
        (r"(?<=[a-z]{2})'st\Z", "", r"\Z", "st", "VBP"),
        (r"(?<=[a-z]ng)est\Z", "", r"\Z", "ɪst", "VBP"),
        (r"in'\Z", "ing", r"ŋ\Z", "n", ""),
        (r"\A[Tt]h'(?=[a-z])", "", r"\A", "ð", ""),
        (r"\A'(?=[aeiou])", "h", r"\Ah", "", ""),
    )
)


class EnglishLexicon(en.Lexicon):
    """misaki's dictionary. A word on which misaki fails counts as unknown."""

    def __init__(self, british: bool) -> None:  # noqa: FBT001  misaki's signature
        super().__init__(british)
        for word, tag, phonemes in _corrections(british=british):
            entry = {**_entry(self.golds.get(word, phonemes)), tag: phonemes}
            for written in (word, word.capitalize()):
                self.golds[written] = entry if tag != "DEFAULT" else phonemes

    def __call__(self, tk: Any, ctx: Any) -> tuple[str | None, int | None]:
        """The phonemes of a token, and misaki's rating of them."""
        known = self._known(tk, ctx)
        return known if known[0] is not None else self._form_of_known(tk, ctx)

    def stem_ed(self, word: str, tag: Any, stress: Any, ctx: Any) -> Any:
        """Overrides misaki's method, which does not know "descried"."""
        verb = f"{word[:-3]}y"
        if not word.endswith("ied") or not self.is_known(verb, tag):
            return super().stem_ed(word, tag, stress, ctx)
        phonemes, rating = self.lookup(verb, tag, stress, ctx)
        return phonemes and f"{phonemes}d", rating

    def homographs(self) -> dict[str, frozenset[str]]:
        """The words with several pronunciations, and the tags that distinguish these."""
        return {
            word: frozenset(pronunciations) - {"DEFAULT", "None"}
            for word, pronunciations in self.golds.items()
            if isinstance(pronunciations, dict)
        }

    def _known(self, tk: Any, ctx: Any) -> tuple[str | None, int | None]:
        try:
            return super().__call__(tk, ctx)
        except TEXT_ERRORS:
            return None, None

    def _form_of_known(self, tk: Any, ctx: Any) -> tuple[str | None, int | None]:
        word = tk.text.replace("’", "'")
        if word[:1] == "'" and word[1:2].isupper():  # 'Tis
            return self(replace(tk, text=word.lower()), ctx)
        for form, base, old, new, tag in _FORMS:
            if form.search(word):
                base_token = replace(tk, text=form.sub(base, word), tag=tag or tk.tag)
                phonemes, rating = self._known(base_token, ctx)
                if phonemes is not None:
                    return old.sub(new, phonemes, count=1), rating
        return None, None


def _corrections(*, british: bool) -> Iterator[tuple[str, str, str]]:
    """Word, tag and phonemes of each correction for an accent."""
    for line in _CORRECTIONS.strip().splitlines():
        entry, *pronunciations = line.split()
        word, _, tag = entry.partition(":")
        if (phonemes := pronunciations[british]) != "-":
            yield word, tag or "DEFAULT", phonemes


def _entry(pronunciations: str | dict[str, str]) -> dict[str, str]:
    return pronunciations if isinstance(pronunciations, dict) else {"DEFAULT": pronunciations}
