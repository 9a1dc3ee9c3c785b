"""“M.” and “MM.” in English text: “Monsieur”, or the initial of a forename.

    the policy of M. Lormier ─▶ Monsieur     a note by M. Hale     ─▶ M
    M. Paul Lormier came in  ─▶ Monsieur     Sir James M. Hale     ─▶ M
                                             We met M. Scott Hale  ─▶ M

Sentences of stories and histories call a Frenchman so far more often than they shorten a forename
to M. and give no other: that is left to bylines, references and signatures.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.en.amounts import before, begins_sentence, follows_name
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

# French forenames, after which a surname may follow.
_FORENAMES = "|".join(
    (
        *("Adolphe", "Adrien", "Alain", "Albert", "Alexandre", "Alexis", "Alfred", "Alphonse"),
        *("Amédée", "Anatole", "André", "Antoine", "Armand", "Arsène", "Auguste", "Augustin"),
        *("Baptiste", "Barthélemy", "Benjamin", "Benoît", "Bernard", "Bertrand", "Camille"),
        *("Casimir", "César", "Charles", "Christophe", "Claude", "Clément", "Daniel", "Denis"),
        *("Edgar", "Edmond", "Édouard", "Edouard", "Émile", "Emile", "Ernest", "Étienne"),
        *("Etienne", "Eugène", "Félix", "Ferdinand", "Fernand", "Firmin", "François", "Frédéric"),
        *("Gabriel", "Gaspard", "Gaston", "Georges", "Gérard", "Germain", "Gilbert", "Guillaume"),
        *("Gustave", "Guy", "Hector", "Henri", "Hippolyte", "Honoré", "Hubert", "Hugues"),
        *("Isidore", "Jacques", "Jean", "Jérôme", "Joseph", "Josef", "Jules", "Julien", "Justin"),
        *("Lambert", "Laurent", "Léon", "Léopold", "Louis", "Luc", "Lucien", "Marc", "Marcel"),
        *("Marius", "Mathieu", "Maurice", "Maxime", "Michel", "Nicolas", "Octave", "Olivier"),
        *("Pascal", "Paul", "Philippe", "Pierre", "Prosper", "Raoul", "Raymond", "Rémy", "René"),
        *("Robert", "Roger", "Roland", "Simon", "Théodore", "Théophile", "Thierry", "Thomas"),
        *("Ulysse", "Victor", "Vincent", "Xavier", "Yves", "Andrea", "Franz", "Maximilian"),
        *("Maximilien", "Max", "Fabien", "Fabrice", "Sébastien", "Valentin"),
    )
)
# After these and those, “M.” is an initial even where a sentence begins with them.
_ENGLISH_FORENAMES = "|".join(
    (
        *("Andrew", "Ann", "Anna", "Anthony", "Arthur", "Carl", "David", "Edward", "Elizabeth"),
        *("Ellen", "Emma", "Francis", "Frank", "Fred", "Frederick", "George", "Harold", "Harry"),
        *("Helen", "Henry", "Howard", "James", "Jane", "John", "Laura", "Lewis", "Lucy", "Mark"),
        *("Martha", "Mary", "Matthew", "Peter", "Richard", "Ruth", "Samuel", "Sarah", "Stephen"),
        *("Susan", "Walter", "William"),
    )
)
_FORENAME = re.compile(rf"\b(?:{_FORENAMES}|{_ENGLISH_FORENAMES})\s\Z")
_NAME = r"(?:[A-Z]['’])?[A-ZÀ-Þ][a-zà-ÿ]++(?:[-’'][A-ZÀ-Þ]?[a-zà-ÿ]+)*+"
# One name; more only after a French forename. A year after it belongs to a reference.
_CALLED = rf"(?:(?:{_FORENAMES})(?![\w.])|{_NAME}(?:(?<=['’]s)|(?!\s[A-ZÀ-Þ])))(?!,?\s\(?\d)"
# “M. Boirac Makes a Statement”, the title of a chapter.
_IN_TITLE = (
    rf"{_NAME}(?=\s[A-Z][a-z]+(?:s|ed)\s(?:an?|the|his|her|to|in|on|at|for|with|from|up|out|it)\b)"
)
_OF_INITIAL = re.compile(
    r"(?:[A-Z]\.\s(?:and|&)|\bDe|[A-Z]\.|&|\b(?:Mrs?|Ms|Dr|Prof|Capt|Col|Gen|Lt|Lieut|Maj|Rev|Sgt)\.)\s\Z"
)
_TITLED = re.compile(
    r"\b(?:Mrs?|Ms|Dr|Prof|Rev|Hon|Capt|Col|Gen|Lt|Lieut|Maj|Sgt)\.\s[A-Z][a-z]+\s\Z"
)
# What letters count: “Company M. Blue field”.
_LETTERED = frozenset(("Company", "Troop", "Battery", "Section", "Appendix", "Class", "Group"))
_SENTENCE_END = re.compile(r"[.!?…:;,—–-][\s\"'”’»)\]]*\Z")
_SIGNED = re.compile(rf"\s{_NAME}[.\s”\"’]*\Z")


def _monsieur(match: re.Match[str], context: Context) -> str | None:
    text, start = context.text, match.start()
    if context.word_before(start) in _LETTERED:
        return None
    of_name = not begins_sentence(text, start) and follows_name(context, start)
    of_name = of_name or before(text, start, _TITLED)
    if of_name or before(text, start, _OF_INITIAL) or before(text, start, _FORENAME):
        return None
    is_heading = context.kind is BlockKind.HEADING
    is_label = not is_heading and not _SENTENCE_END.search(text)
    is_byline = context.word_before(start).lower() == "by" and not _SENTENCE_END.search(text)
    is_signature = (
        not is_heading and not text[:start].strip('“"—–- ') and _SIGNED.match(text, match.end())
    )
    return None if is_label or is_byline or is_signature else "Monsieur"


def _in_title(match: re.Match[str], context: Context) -> str | None:
    return _monsieur(match, context) if context.kind is BlockKind.HEADING else None


RULES: tuple[Rule, ...] = (
    rule("title", r"MM\.(?=\s(?:d['’]|(?:de|du|des|et)\s|[A-Z]))", always("Messieurs")),
    rule("title", r"M\.(?=\sand\s(?:Madame|Mademoiselle|Mme|Mlle)\b)", always("Monsieur")),
    rule("title", r"M\.(?=\s(?:de|du|des|le|la|d['’])[\s\w])", always("Monsieur")),
    rule("title", rf"M\.(?=\s{_CALLED})", _monsieur),
    rule("title", rf"M\.(?=\s{_IN_TITLE})", _in_title),
)
