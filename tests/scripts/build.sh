#!/usr/bin/env bash
# Tests that scripts/build builds the given preset and installs below a prefix; setup, CMake and ninja are stand-ins.
set -euo pipefail
scripts=$(cd "$(dirname "$0")/../.." && pwd)/scripts
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

mkdir -p "$tree"/{scripts,bin,elsewhere}
cp "$scripts/build" "$scripts/arguments.bash" "$tree/scripts"
printf '#!/usr/bin/env bash\n' >"$tree/scripts/setup"
# CMake's output while configuring is not shown.
printf '#!/usr/bin/env bash\necho "cmake $*" | tee -a "$LOG"\n' >"$tree/bin/cmake"
printf '#!/usr/bin/env bash\necho "ninja $*" >>"$LOG"\nexit "${NINJA_CODE:-0}"\n' >"$tree/bin/ninja"
chmod +x "$tree/scripts/setup" "$tree"/bin/*
export PATH="$tree/bin:$PATH" LOG="$tree/log"

# expect CODE CALLS ARGUMENTS…: checks the exit code and the calls, ignoring ninja's number of jobs.
expect() {
    local expected_code=$1 expected=$2 code=0
    shift 2
    : >"$LOG"
    (cd "$tree/elsewhere" && "$tree/scripts/build" "$@") >"$tree/out" 2>&1 || code=$?
    local calls
    calls=$(sed "s|$tree/||g; s/ -j [0-9]*//" "$LOG" | paste -sd ';')
    if [[ $code -ne $expected_code || $calls != "$expected" ]]; then
        printf 'build %s: expected %s and\n  %s\nbut got %s and\n  %s\n' "$*" "$expected_code" "$expected" "$code" "$calls"
        cat "$tree/out"
        failed=1
    fi
}

expect 0 'cmake --preset release;ninja -C build/release'
expect 0 'cmake --preset asan;ninja -C build/asan haruspex' asan haruspex
installed='cmake --preset release;ninja -C build/release haruspex;cmake --install build/release --prefix'
expect 0 "$installed elsewhere/prefix" --install prefix
expect 0 "$installed usr" --install "$tree/usr"
NINJA_CODE=1 expect 1 'cmake --preset release;ninja -C build/release haruspex' --install prefix
expect 2 '' --install
expect 2 '' --install prefix haruspex
expect 0 '' --help
exit "$failed"
