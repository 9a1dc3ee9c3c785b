#!/bin/sh
# Installs packages with pip and shows how far it is: sh install_packages.sh LOG PYTHON ARGUMENT…
# LOG gets what pip says; its last lines are shown if pip fails. On a terminal one line is written
# anew each second; elsewhere a line follows at each doubling of the time, so that logs stay short.

log=$1
python=$2
shift 2

"$python" -m pip install --disable-pip-version-check --progress-bar off "$@" >"$log" 2>&1 &
pip=$!
trap 'kill "$pip" 2>/dev/null; exit 130' INT TERM

progress() {
    packages=$(grep -cE '^(Collecting|Processing|Requirement)' "$log")
    if grep -q '^Installing collected packages' "$log"; then
        echo "installing what was downloaded"
    else
        echo "choosing and downloading: $packages packages so far"
    fi
}

elapsed_s=0
next_line_s=8
while kill -0 "$pip" 2>/dev/null; do
    sleep 1
    elapsed_s=$((elapsed_s + 1))
    if [ -t 1 ]; then
        printf '\r  %s, %d s \033[K' "$(progress)" "$elapsed_s"
    elif [ "$elapsed_s" -eq "$next_line_s" ]; then
        next_line_s=$((next_line_s * 2))
        echo "  $(progress), $elapsed_s s"
    fi
done
[ -t 1 ] && printf '\r\033[K'

wait "$pip" && exit 0
tail -n 15 "$log" >&2
echo "The set-up failed; all that pip said is in $log. The same command goes on from there." >&2
exit 1
