"""Words beside four digits that tell a year from a count."""

from __future__ import annotations

# Words before a year.
TELL_YEARS = frozenset(
    (
        *("in", "since", "until", "till", "before", "after", "during", "circa", "year"),
        *("between", "spring", "summer", "autumn", "fall", "winter", "early", "late", "mid"),
        *("throughout", "january", "february", "march", "april", "may", "june", "july", "august"),
        *("september", "october", "november", "december", "easter", "christmas", "michaelmas"),
        *("c", "ca", "b", "d", "fl"),
    )
)
POSSESSIVES = frozenset(("the", "that", "this", "his", "her", "its", "our", "their", "my", "your"))
# Words before a count.
QUANTIFIERS = frozenset(
    (
        *("nearly", "almost", "some", "roughly", "approximately", "exactly", "another", "these"),
        *("those", "all", "precisely", "numbering", "numbered", "totalling", "totaling"),
        *("totalled", "totaled", "over", "additional"),
    )
)
# Words in "s" after a year that are no plurals.
NO_PLURALS = frozenset(
    (
        *("was", "is", "has", "as", "does", "this", "thus", "his", "us", "yes", "always", "its"),
        *("perhaps", "sees", "marks", "brings", "begins", "ends", "remains", "comes", "passes"),
        *("gives", "finds", "opens", "means", "makes", "stands", "belongs", "towards", "besides"),
        *("afterwards", "onwards", "changes", "shows", "starts", "closes", "appears", "seems"),
        *(
            "presents",
            "looks",
            "sounds",
            "feels",
            "holds",
            "becomes",
            "represents",
            "includes",
            "contains",
        ),
        *("lies", "provides", "continues", "proves", "follows", "saves", "takes", "goes", "says"),
        *("improves", "adds", "supports", "allows", "gets", "introduces", "requires", "offers"),
        *("celebrates", "delivers", "lets", "keeps", "wants", "creates", "applies", "defines"),
        *("establishes", "prohibits", "specifies", "helps"),
        *("versus", "series", "sometimes", "nevertheless", "whereas", "across", "unless"),
    )
)
# Plurals that a year may stand before: “the 1844 elections”.
EVENTS = frozenset(
    (
        *("elections", "riots", "games", "championships", "floods", "fires", "protests", "talks"),
        *("accords", "reforms", "hearings", "revolutions", "uprisings", "finals", "primaries"),
        *("storms", "playoffs", "strikes", "bombings", "attacks", "olympics", "trials"),
        *(
            "wars",
            "campaigns",
            "negotiations",
            "celebrations",
            "wildfires",
            "hurricanes",
            "standards",
        ),
        *("regulations", "exports", "imports", "prices", "levels", "figures", "estimates"),
        *("budgets", "revenues", "statistics"),
    )
)
# What is counted even where a year may stand: “in 1500 words”.
UNITS = frozenset(
    (
        *("words", "miles", "feet", "foot", "metres", "meters", "yards", "inches", "kilometres"),
        *("kilometers", "acres", "hectares", "degrees", "pounds", "dollars", "euros", "francs"),
        *("guineas", "shillings", "crowns", "cents", "pence", "percent", "per", "tons", "tonnes"),
        *("grams", "kilograms", "litres", "liters", "gallons", "calories", "watts", "volts"),
        *("volumes", "pages", "lines", "copies", "years", "days", "weeks", "months", "hours"),
        *("minutes", "seconds", "times", "fathoms", "leagues", "bushels", "barrels", "knots"),
        *("horsepower", "km", "kg", "mm", "cm", "ft", "mph", "lb", "lbs", "characters", "bytes"),
    )
)
# Plurals without "s".
COUNTED = frozenset(
    ("men", "women", "people", "children", "sheep", "cattle", "oxen", "horse", "troops", "souls")
)
MORE = frozenset(
    (
        *("more", "other", "others", "different", "additional", "extra", "square", "cubic"),
        *("odd", "such", "metric", "nautical", "dead", "wounded", "strong", "armed", "or"),
    )
)
# After a hyphen these belong to a year: “a 1960-style kitchen”.
ERA_SUFFIXES = frozenset(("style", "era", "vintage", "model", "built", "born", "present", "set"))
