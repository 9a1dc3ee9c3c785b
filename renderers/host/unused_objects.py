"""Has Python search less often for unused objects that refer to each other."""

import gc

# Objects that are made between two searches. A start of ours, or of Prefect's server, makes some
# 300,000, which all stay: with Python's 700 a tenth to a sixth of its time is searching. From
# 20,000 on it makes no difference: 7.2 s of processor time for Prefect's import, with 100,000 too.
N_OBJECTS_BETWEEN_SEARCHES = 20_000


def search_less_often() -> None:
    """Set the threshold of this process."""
    gc.set_threshold(N_OBJECTS_BETWEEN_SEARCHES)
