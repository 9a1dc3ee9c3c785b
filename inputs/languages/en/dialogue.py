"""How English prints what people say."""

from __future__ import annotations

from dataclasses import replace

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.languages.dialogue import DialogueConventions

_SAID = """said cried replied answered asked exclaimed shouted whispered muttered murmured yelled
screamed demanded inquired enquired retorted responded stammered declared insisted announced
admitted"""
DIALOGUE = DialogueConventions(
    pairs=(("“", "”"), ('"', '"')),
    verbs=words(
        _SAID
        + """ says called began continued added observed remarked returned growled sighed laughed
        snapped repeated agreed suggested explained protested gasped groaned hissed sobbed
        interrupted ventured urged pleaded begged warned promised persisted resumed roared bellowed
        mumbled grumbled wondered thought told saying crying asks replies cries""",
    ),
    name_first_verbs=words(_SAID + " says asks"),
    titles=r"Mr\.?|Mrs\.?|Ms\.?|Miss|Dr\.?|Doctor|Sir|Lady|Lord|Captain|Colonel|Major|Professor"
    r"|Father|Mother|Uncle|Aunt|Inspector|Sergeant|King|Queen|Prince|Princess",
    no_names=words(
        """He She It They We You The A An This That These Those There Then Nobody Everybody Everyone
        Someone Somebody Anyone One Both Neither All Another His Her Their My Your Our Its Who What
        But And So As When If At In On Now Here No Yes Not Only For From With After Before Each Some
        Several Many Most Few Two Three"""
    ),
)
# With single quotation marks outside, as most British books are printed.
DIALOGUE_SINGLE = replace(DIALOGUE, pairs=(("‘", "’"), ("'", "'")))
