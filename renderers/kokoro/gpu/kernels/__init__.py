"""Programs for a GPU, in Triton's dialect of Python: each knows its tile and nothing else.

What they take is described where they are started, one level up; what they are held to is written
plainly in the tests, which run them on a CPU, in Triton's interpreter.
"""
