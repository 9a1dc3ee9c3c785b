"""Words beside Roman numerals."""

from __future__ import annotations

# What is numbered with Roman numerals.
NAMED = (
    *("chapter", "part", "book", "volume", "act", "scene", "canto", "section", "article", "page"),
    *("appendix", "figure", "table", "letter", "stave", "war", "apollo", "gemini", "bowl"),
    *("type", "phase", "class", "stage", "title", "mark", "grade", "level", "division"),
    *("schedule", "psalm", "sonnet", "hymn", "ode", "stanza", "tome", "episode", "lesson"),
    *("lecture", "plate", "exhibit", "saturn", "amendment", "category", "number", "opus", "fit"),
    *("fable", "epistle", "day", "night", "adventure", "idyll", "preface", "proposition"),
    *("theorem", "annex", "group", "region", "zone", "year"),
)
ABBREVIATED = {
    "vol": "volume",
    "vol.": "volume",
    "ch.": "chapter",
    "chap": "chapter",
    "chap.": "chapter",
    "pt.": "part",
    "bk.": "book",
    "sec.": "section",
    "sect.": "section",
    "art.": "article",
    "fig.": "figure",
    "no.": "number",
    "mk": "mark",
    "mk.": "mark",
    "op.": "opus",
    "sc.": "scene",
    "app.": "appendix",
    "p.": "page",
    "pl.": "plate",
    "pp.": "pages",
    "vols.": "volumes",
    "nos.": "numbers",
    "chs.": "chapters",
}
# Their numbers may be long, and C and L may be numbers too.
LONG = frozenset(("chapter", "canto", "psalm", "sonnet", "letter", "bowl", "hymn", "chap", "ch"))
# These are lettered as well: Type X, Exhibit X.
LETTERED = frozenset(
    (
        "type",
        "class",
        "exhibit",
        "phase",
        "group",
        "figure",
        "table",
        "zone",
        "region",
        "category",
        "year",
    )
)
# Ordinals stand before these.
ORDERED = r"[Cc]entury|[Cc]enturies|CENTURY|c\.|[Ll]egion|Olympiad|[Dd]ynasty|Congress"
# After these verbs “I” is a pronoun: “the Book I read”.
VERBS_OF_I = frozenset(
    (
        *("am", "have", "had", "did", "do", "wrote", "read", "know", "think", "could", "would"),
        *("should", "must", "might", "will", "shall", "saw", "like", "love", "need", "want"),
        *("said", "told", "found", "met", "gave", "took", "made", "got", "went", "came", "used"),
        *("played", "never", "always", "also", "often", "once", "just", "still", "only", "can"),
        *("cannot", "sent", "swear", "vow", "say", "see", "feel", "go", "come", "call", "hear"),
        *("hold", "pray", "beg", "ask", "leave", "mean", "stand", "give", "take"),
    )
)
# Two letters and more that are read as letters or words.
NOT_NUMERALS = frozenset(
    (
        *("IV", "XX", "XXX", "XI", "MI", "CD", "DC", "CV", "MC", "MD", "DM", "DI", "LI", "CI"),
        *("CM", "MM", "CC", "XL", "DIV", "DIX", "MIX", "LIV", "DX", "VC", "MIL", "CL", "VI"),
        *("LV", "LX", "CLI", "CX"),
    )
)
# First words of sentences and titles, which are no surnames.
FIRST_WORDS = frozenset(
    (
        *("The", "A", "An", "In", "On", "Of", "How", "What", "Why", "When", "Where", "Which"),
        *("At", "It", "He", "She", "They", "We", "You", "His", "Her", "Their", "This", "That"),
        *("These", "My", "Our", "Your", "To", "From", "By", "For", "And", "But", "Or", "If"),
        *("As", "So", "There", "With", "After", "Before", "No", "Not", "Another", "Some", "All"),
        *("One", "Then"),
    )
)
