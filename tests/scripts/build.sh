#!/usr/bin/env bash
# Tests that scripts/build builds the given preset and installs below a prefix; setup, CMake and ninja are stand-ins.
set -euo pipefail
scripts=$(cd "$(dirname "$0")/../.." && pwd)/scripts
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

mkdir -p "$tree"/{scripts,bin,elsewhere}
cp "$scripts/build" "$scripts/arguments.bash" "$tree/scripts"
printf '#!/usr/bin/env bash\nif [[ $# -gt 0 ]]; then echo "setup $*" >>"$LOG"; fi\n' >"$tree/scripts/setup"
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
    elif [[ $(cat "$tree/out") != "$words"* ]]; then
        printf 'build %s: expected the output\n  %s\nbut got\n' "$*" "$words"
        cat "$tree/out"
        failed=1
    fi
    words=
}
# The output of the next call begins with these words.
words=
expect_words() { words=$1; }

expect 0 'cmake --preset release;ninja -C build/release'
expect 0 'cmake --preset asan;ninja -C build/asan haruspex' asan haruspex
installed='cmake --preset release;ninja -C build/release haruspex;cmake --install build/release --prefix'
expect 0 "$installed elsewhere/prefix" --install prefix
expect 0 "$installed usr" --install "$tree/usr"
NINJA_CODE=1 expect 1 'cmake --preset release;ninja -C build/release haruspex' --install prefix
expect 2 '' --install
expect 2 '' --install prefix haruspex
# A Halide of one's own: installed, its folder named, or built in a tree; none; two of them.
mkdir -p "$tree"/elsewhere/{empty,own/lib/x86_64-linux-gnu/cmake/Halide,two/lib/cmake/Halide{18,20}}
for folder in own/lib/x86_64-linux-gnu/cmake/Halide two/lib/cmake/Halide{18,20}; do
    touch "$tree/elsewhere/$folder/HalideConfig.cmake"
done
config=elsewhere/own/lib/x86_64-linux-gnu/cmake/Halide
own="setup --own-halide;cmake --preset release -B build/release-halide -DHARUSPEX_HALIDE=$config"
expect 0 "$own;ninja -C build/release-halide haruspex" --halide own
expect 0 "$own;ninja -C build/release-halide haruspex" --halide "$tree/$config"
expect 0 "$own;ninja -C build/release-halide all mutants" --halide own release all mutants
expect 0 "$own;ninja -C build/release-halide haruspex;cmake --install build/release-halide --prefix elsewhere/prefix" \
    --halide own --install prefix
expect 0 "${own//release/asan};ninja -C build/asan-halide haruspex" --halide own asan
expect 2 '' --halide
expect_words "build: no HalideConfig.cmake in $tree/elsewhere/empty; expected"
expect 2 '' --halide empty
expect_words "build: $tree/elsewhere/nowhere is no folder; expected"
expect 2 '' --halide nowhere
expect_words "build: several HalideConfig.cmake in $tree/elsewhere/two; expected one of the folders $tree/elsewhere/two/lib/cmake/Halide18"
expect 2 '' --halide two
expect 2 '' --halide own --install
expect 2 '' --unknown
# Its compilers are listed at the end, since what can be observed of them depends on that Halide.
mkdir -p "$tree/build/release-halide"
printf '#!/usr/bin/env bash\necho "haruspex $*" >>"$LOG"\n' >"$tree/build/release-halide/haruspex"
chmod +x "$tree/build/release-halide/haruspex"
expect 0 "$own;ninja -C build/release-halide haruspex;haruspex compilers" --halide own
expect 0 '' --help
exit "$failed"
