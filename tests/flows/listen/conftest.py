"""A server of speech whose engine waits, and who listens to it."""

from support import held_speech

renderer = held_speech.renderer
settings = held_speech.settings
served = held_speech.served
dropped = held_speech.dropped
