"""Tells the senses of words that tags do not tell apart, or that taggers often mistake. Pure.

Both a model's tags and those by rule are corrected here: "used to him", "ships' bows", "bass drum".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from audiomill.renderers.kokoro.g2p.tagged_sentence import (
    FINITE,
    MARKS,
    NOUNS,
    OBJECTS,
    Sentence,
)

# Words after "lead", the metal, and beside it. misaki only has the pronunciation of the verb.
_LEAD_OBJECTS = frozenset(
    {"pipe", "pipes", "paint", "paints", "poisoning", "acid", "bullet", "bullets", "shot", "roof"}
    | {"weight", "weights", "sheet", "sheets", "ore", "crystal", "pencil", "coffin", "sinker"}
)
_BEFORE_LEAD = frozenset({"molten", "melted", "boiling", "black", "red", "white", "pig", "sheet"})
_METALS = frozenset({"copper", "iron", "tin", "zinc", "silver", "gold", "steel", "brass"})
# Near them a bow is of a ship; near those of the second set it is tied, or shoots or plays.
_SHIPS = frozenset(
    {"ship", "ships", "boat", "boats", "vessel", "stern", "deck", "canoe", "keel", "yacht", "sea"}
    | {"anchor", "oar", "oars", "whale", "whales", "harpoon", "mast", "sail", "sails", "waves"}
)
_RIBBONS = frozenset(
    {"ribbon", "ribbons", "tie", "tied", "hair", "knot", "silk", "shoe", "shoes", "dress", "lace"}
    | {"pin", "pinned", "sash", "sashes", "velvet", "satin"}
    | {"arrow", "arrows", "quiver", "quivers", "archer", "archers", "bended", "drawn", "flexible"}
    | {"violin", "fiddle", "fiddles", "cello", "string", "strings", "butterfly", "shot"}
)
_ARROWS = frozenset({"arrow", "arrows"})
# Before "bow" they say how somebody bows.
_BOWED = frozenset(
    {"low", "deep", "slight", "little", "stiff", "formal", "polite", "graceful", "courteous"}
    | {"playful", "pretty"}
    | {"profound", "hasty", "courtly", "grave", "cold", "ceremonious", "humble", "sweeping"}
    | {"respectful", "gallant", "distant", "awkward", "solemn", "silent", "lowest", "smiling"}
    | {"grateful", "obsequious", "dignified", "stately", "gracious", "ironical", "mock", "curt"}
)
_MAKE = frozenset({"make", "makes", "making", "made", "give", "gives", "giving", "gave"})
_FISH = frozenset({"fish", "fishing", "trout", "pike", "perch", "salmon", "cod", "striped"})
_PLOTS = frozenset(
    {"x", "y", "z", "axis", "plot", "plots", "chart", "graph", "scale", "coordinate", "data"}
    | {"coordinates", "vertical", "horizontal", "rotation", "symmetry", "label", "labels"}
)
_ROWED = frozenset(
    {"fearful", "terrible", "dreadful", "awful", "frightful", "infernal", "horrible"}
)
_AFTER_ROW = frozenset({"about", "over", "with", "it", "there", "if", "when"})
_BEFORE_ILL = frozenset({"an", "the", "a", "great", "confirmed", "poor", "helpless", "old"})
_RELATIVES = frozenset({"wife", "mother", "father", "sister", "husband", "brother", "daughter"})
_OWNERS = frozenset({"his", "her", "their", "my", "your", "our", "thy", "own"})
_AROUND = frozenset({"up", "round", "around", "itself", "through", "its"})
_SEEM = frozenset({"seem", "seems", "seemed", "remain", "remained", "feel", "felt", "quite"})
_USE = frozenset({"no", "of", "any", "some", "little", "much", "further"})  # before the noun
_BECOME = ("get", "got", "becom", "became", "grow", "grew")
_INITIALS = frozenset("BCDEFGHJKLMNPQRSTUVWXYZ")
_FOODS = frozenset({"cheese", "wine", "beef", "whiskey", "steak"})


def sense_tag(sentence: Sentence, index: int) -> str:
    """The tag of the word at `index` if its sense is certain; "" if not."""
    rule = _RULES.get(sentence.lower[index])
    return rule(sentence, index) if rule else ""


def sense_phonemes(sentence: Sentence, index: int) -> str:
    """The phonemes of the word at `index` if misaki cannot choose them by a tag; "" if it can."""
    is_sense, phonemes = _PHONEMES.get(sentence.lower[index], (None, ""))
    return phonemes if is_sense and is_sense(sentence, index) else ""


def _is_lead_metal(sentence: Sentence, index: int) -> bool:
    """True in "lead pipes" and "as heavy as lead"."""
    before, after = sentence.word(index - 1), sentence.word(index + 1)
    if before in _BEFORE_LEAD or after in _LEAD_OBJECTS:
        return True
    if after in {"and", "or", "into"} and sentence.word(index + 2) in _METALS:
        return True
    if before in {"and", "or"} and sentence.word(index - 2) in _METALS:
        return True
    if before == "to" and sentence.word(index - 2).startswith("turn"):
        return True
    return before in {"of", "as", "like", "into"} and sentence.tag(index + 1) not in NOUNS


def _is_quarrel(sentence: Sentence, index: int) -> bool:
    """True in "kicked up a row" and "a fearful row", not in "a row of trees"."""
    before, after = sentence.word(index - 1), sentence.word(index + 1)
    if after in {"of", "in", "for"}:
        return False
    if before in _ROWED or (before == "the" and sentence.word(index - 2) == "'s"):
        return True
    if before == "this" and sentence.word(index - 2) == "all":
        return True
    is_made = sentence.word(index - 2) in _MAKE | {"up", "had", "having", "be"}
    ends = sentence.tag(index + 1) in MARKS or after in _AFTER_ROW
    return before == "a" and is_made and ends


def _is_low_voice(sentence: Sentence, index: int) -> bool:
    """Also false for the name."""
    if index and sentence.tags[index] == "NNP":
        return False
    return not sentence.has_any(_FISH) and sentence.word(index + 1) != "wood"


def _is_nod_or_prow(sentence: Sentence, index: int) -> bool:
    """True for the bow that one makes, and for that of a ship."""
    before = sentence.word(index - 1)
    article = index - 2 if sentence.tag(index - 1) == "JJ" else index - 1
    is_made = sentence.word(article) == "a" and sentence.word(article - 1) in _MAKE | {"with"}
    if before in _BOWED | OBJECTS or (is_made and not sentence.has_any(_ARROWS | _RIBBONS)):
        return True
    is_held = sentence.lower[index + 1 : index + 3] == ("in", "hand")
    return sentence.has_any(_SHIPS) and not sentence.has_any(_RIBBONS) and not is_held


def _are_nods_or_prows(sentence: Sentence, _index: int) -> bool:
    return not sentence.has_any(_RIBBONS)


def _used(sentence: Sentence, index: int) -> str:
    """VBD or JJ for "used to swim" and "was used to it"; VBN for "is used to cut"."""
    previous = sentence.previous(index)
    if sentence.word(index + 1) != "to":
        return ""
    if sentence.word(previous).startswith(_BECOME):
        return "JJ"
    if sentence.is_be(previous):
        is_verb = sentence.tag(index + 2) == "NN" and sentence.tag(index + 3) not in MARKS
        return "VBN" if is_verb or sentence.tag(index + 2) == "VB" else "JJ"
    others = sentence.tags[:index] + sentence.tags[index + 1 :]
    return "" if not FINITE.isdisjoint(others) and sentence.tag(previous) != "PRP" else "VBD"


def _use(sentence: Sentence, index: int) -> str:
    """NN for "no use" and "put it to use"; VB for "to use" and "let them use"."""
    before = sentence.word(index - 1)
    if before in _USE or (before == "that" and sentence.word(index + 1) == "to"):
        return "NN"
    if before == "to":
        is_put = "put" in sentence.lower[max(0, index - 5) : index]
        return "NN" if is_put and sentence.tag(index + 1) in MARKS else "VB"
    return "VB" if before in OBJECTS else ""


def _close(sentence: Sentence, index: int) -> str:
    """NN for "to a close"; JJ for "close to"."""
    ends = sentence.tag(index + 1) in MARKS | {"IN"}
    if sentence.lower[max(0, index - 2) : index] in {("to", "a"), ("at", "the")} and ends:
        return "NN"
    is_bare = sentence.requires_bare_verb(sentence.previous(index))
    return "JJ" if sentence.word(index + 1) == "to" and not is_bare else ""


def _tear(sentence: Sentence, index: int) -> str:
    """VB, which sounds as the noun, for "wear and tear"."""
    return "VB" if sentence.lower[max(0, index - 2) : index] in _BEFORE_TEAR else ""


_BEFORE_TEAR = frozenset({("wear", "and"), ("rip", "and"), ("cut", "and")})


def _wound(sentence: Sentence, index: int) -> str:
    is_noun = sentence.tag(index - 1) in {"DT", "JJ", "PRP$", "POS", "TO", "MD"}
    return "VBD" if sentence.word(index + 1) in _AROUND and not is_noun else ""


def _axes(sentence: Sentence, _index: int) -> str:
    """VBZ, which sounds as the plural of "axe"."""
    return "NNS" if sentence.has_any(_PLOTS) else "VBZ"


def _deserts(sentence: Sentence, index: int) -> str:
    """VBZ, which sounds as the noun, for "he got his deserts"."""
    return "VBZ" if sentence.word(index - 1) in _OWNERS | {"just"} else ""


def _excuse(sentence: Sentence, index: int) -> str:
    return "VB" if sentence.has_object_pronoun(index) else ""


def _invalid(sentence: Sentence, index: int) -> str:
    """NN for somebody who is ill: "she was an invalid"."""
    before, after = sentence.word(index - 1), sentence.tag(index + 1)
    if sentence.word(index + 1) in _RELATIVES:
        return "NN"
    is_before_other = after in NOUNS | {"JJ"} or sentence.word(index + 1) == "or"
    is_ill = before in _BEFORE_ILL | _OWNERS or sentence.tag(index - 1) == "JJ"
    return "NN" if is_ill and not is_before_other else "JJ"


def _content(sentence: Sentence, index: int) -> str:
    previous = sentence.previous(index)
    is_asked = sentence.tag(previous) == "PRP" and sentence.is_be(previous - 1)
    seems = is_asked or sentence.is_be(previous) or sentence.word(previous) in _SEEM
    ends = sentence.tag(index + 1) in MARKS | {"TO"} or sentence.word(index + 1) == "with"
    return "JJ" if seems and ends else ""


def _resume(sentence: Sentence, index: int) -> str:
    """NN for a curriculum vitae: "my resume"."""
    is_owned = sentence.word(index - 1) in _OWNERS | {"a"}
    return "NN" if is_owned or sentence.word(index + 1) == "format" else "VB"


def _i(sentence: Sentence, index: int) -> str:
    """NNP for a letter of an initialism: "the G I F"."""
    is_between = not _INITIALS.isdisjoint(sentence.words[max(0, index - 1) : index + 2])
    is_letter = is_between or sentence.words[index + 1 : index + 2] == ("O",)
    return "NNP" if is_letter and sentence.words[index] == "I" else ""


def _participle(sentence: Sentence, index: int) -> str:
    """JJ, with its own syllable for "-ed", in "an aged man"; VBN in "aged ten", "he blessed it"."""
    before, after = sentence.tag(index - 1), sentence.tag(index + 1)
    if after in {"CD", "PRP", "DT", "PRP$"} or sentence.word(index + 1) in _FOODS | {"by"}:
        return "VBN"
    previous = sentence.previous(index)
    if before in {"PRP", "WP"} or sentence.is_have(previous) or sentence.is_be(previous):
        return "VBN"
    is_named = sentence.words[index].istitle() and after == "NNP"
    is_before_noun = after in NOUNS | {"JJ"} or sentence.word(index - 1) == "the"
    is_attribute = before in {"DT", "PRP$", "JJ", "POS"}
    return "JJ" if is_named or (is_attribute and is_before_noun) else ""


def _blessed(sentence: Sentence, index: int) -> str:
    """JJ also for "Blessed are they that mourn"."""
    is_praise = index == 0 and sentence.word(1) in {"are", "is", "be"}
    return "JJ" if is_praise else _participle(sentence, index)


def _learned(sentence: Sentence, index: int) -> str:
    """As for the other participles, but "he was very learned"."""
    is_said_of = sentence.is_be(sentence.previous(index))
    return "" if is_said_of else _participle(sentence, index)


def _beloved(sentence: Sentence, index: int) -> str:
    """JJ also for "my beloved"; VBN for "beloved of artists"."""
    if sentence.word(index + 1) in {"by", "of", "for"}:
        return "VBN"
    is_attribute = sentence.tag(index - 1) in {"DT", "PRP$"}
    return "JJ" if is_attribute else _participle(sentence, index)


def _cursed(sentence: Sentence, index: int) -> str:
    """JJ also for "cursed hard"; VBN for "and cursed Pip"."""
    before, after = sentence.tag(index - 1), sentence.tag(index + 1)
    if after == "NNP" and before in MARKS | NOUNS | {"CC"} and sentence.words[index].islower():
        return "VBN"
    is_adverb = after == "JJ" and before != "PRP"
    return "JJ" if is_adverb else _participle(sentence, index)


def _shabby(sentence: Sentence, index: int) -> str:
    """JJ for "crooked" and "ragged", but VBD for "he crooked his finger"."""
    return "VBD" if sentence.tag(index + 1) == "PRP$" else "JJ"


_RULES: Mapping[str, Callable[[Sentence, int], str]] = {
    "aged": _participle,
    "axes": _axes,
    "beloved": _beloved,
    "blessed": _blessed,
    "close": _close,
    "content": _content,
    "crooked": _shabby,
    "cursed": _cursed,
    "deserts": _deserts,
    "dogged": _participle,
    "excuse": _excuse,
    "i": _i,
    "invalid": _invalid,
    "jagged": _shabby,
    "learned": _learned,
    "ragged": _shabby,
    "resume": _resume,
    "resumes": _resume,
    "tear": _tear,
    "use": _use,
    "used": _used,
    "wound": _wound,
}
# The pronunciation is the same in American and British English.
_PHONEMES: Mapping[str, tuple[Callable[[Sentence, int], bool], str]] = {
    "bass": (_is_low_voice, "bˈAs"),
    "bow": (_is_nod_or_prow, "bˈW"),
    "bows": (_are_nods_or_prows, "bˈWz"),
    "lead": (_is_lead_metal, "lˈɛd"),
    "row": (_is_quarrel, "ɹˈW"),
}
