#!/bin/sh
# Prints the path of a Python that audiomill runs on: 3.11 or 3.12, with venv.
# Looks at $PYTHON, the usual names, and version managers' folders; if there is none, lets `uv`
# fetch one; if that fails too, says what to install. Changes nothing outside .python/.

wanted='import sys, venv, ensurepip
sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 13))'

suits() { "$1" -c "$wanted" >/dev/null 2>&1; }

found() {
    "$1" -c 'import sys; print(sys.executable)'
    exit 0
}

if [ -n "$PYTHON" ]; then
    suits "$PYTHON" && found "$PYTHON"
    echo "PYTHON=$PYTHON is not a Python 3.11 or 3.12 with venv." >&2
    exit 1
fi

for candidate in python3.12 python3.11 python3 python \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.12.*/bin/python \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.11.*/bin/python \
    "$HOME"/.local/share/uv/python/cpython-3.1[12].*/bin/python; do
    suits "$candidate" && found "$candidate"
done

# No suitable Python: uv knows how to fetch one. Any Python 3 can install uv from the index.
fetch() { "$1" python install --quiet 3.12 >&2 && fetched=$("$1" python find 3.12) && suits "$fetched"; }

echo "No Python 3.11 or 3.12 here; trying to fetch one with uv ..." >&2
if command -v uv >/dev/null 2>&1; then
    fetch uv && found "$fetched"
elif python3 -m pip --version >/dev/null 2>&1; then
    python3 -m pip install --quiet --target .python uv >&2 && fetch .python/bin/uv && found "$fetched"
fi

cat >&2 <<MESSAGE
audiomill needs Python 3.11 or 3.12 (Kokoro does not run on later ones), with its venv module.
Install one (Debian and Ubuntu: apt install python3.11-venv; macOS: brew install python@3.12;
anywhere: uv python install 3.12), or name one: make PYTHON=/path/to/python3.12
MESSAGE
exit 1
