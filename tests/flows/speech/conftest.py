"""A server of speech whose engine waits, and who asks it."""

from support import held_speech

renderer = held_speech.renderer
settings = held_speech.settings
served = held_speech.served
url = held_speech.url
asking = held_speech.asking
