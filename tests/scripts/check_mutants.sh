#!/usr/bin/env bash
# Tests which cases of a campaign scripts/check-mutants counts as finding a mutant; the catalogue is small, and the
# command `haruspex` a stand-in.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

mkdir -p "$tree"/{scripts,harness/halide/mutants}
cp "$root"/scripts/{check-mutants,mutants.bash,arguments.bash} "$tree/scripts"
cat >"$tree/harness/halide/mutants/catalogue.def" <<'EOF'
MUTANT(longer, partition_loops, "result", miscompilation, "one more iteration")
MUTANT(second, simplify, "vectorize_loops", miscompilation, "the second call of the simplifier")
MUTANT(crashes, bounds_inference, "argument", crash, "a crash")
EOF
# `fuzz` finds what the file verdicts lists in lines "MUTANT INDEX CLASS PASSES", with plain for no mutant; the other
# cases agree.
cat >"$tree/haruspex" <<'EOF'
#!/usr/bin/env bash
case $1 in
    generate) exit 0 ;;
    run)
        printf 'class     agrees\n\n'
        printf '%s  right\n' bounds_inference simplify vectorize_loops simplify.2 partition_loops
        exit 0 ;;
esac
mutant=plain
while [[ $# -gt 0 ]]; do
    case $1 in
        --seed) seed=$2 ;;
        --first) first=$2 ;;
        --cases) cases=$2 ;;
        --out) out=$2 ;;
        --mutant) mutant=$2 ;;
    esac
    shift
done
mkdir "$out"
code=0
for ((index = first; index < first + cases; ++index)); do
    read -r _ _ class passes < <(grep "^$mutant $index " "${0%/*}/verdicts") || class=agrees
    echo "{\"index\":$index,\"class\":\"$class\",\"message\":\"\"}" >>"$out/cases.jsonl"
    if [[ $class != agrees ]]; then
        code=1
        mkdir -p "$out/findings/$class-1234/$seed-$index"
        echo "    ${passes:+\"pass\": \"$passes\"}" >"$out/findings/$class-1234/$seed-$index/verdict.json"
    fi
done
exit "$code"
EOF
chmod +x "$tree/haruspex"

# expect WHAT CODE LINE… -- ARGUMENT…: the exit code, and the lines of the table without its head and its columns.
expect() {
    local what=$1 expected_code=$2 code=0 expected=() output
    shift 2
    while [[ $1 != -- ]]; do
        expected+=("$1")
        shift
    done
    shift
    output=$("$tree/scripts/check-mutants" --haruspex "$tree/haruspex" --jobs 1 --cases 30 "$@" 2>&1) || code=$?
    output=$(sed 1d <<<"$output" | tr -s ' ')
    if [[ $code -ne $expected_code || $output != "$(printf '%s\n' "${expected[@]}")" ]]; then
        printf '%s: expected exit code %s and\n' "$what" "$expected_code"
        printf '  %s\n' "${expected[@]}"
        printf 'but got %s and\n%s\n' "$code" "$output"
        failed=1
    fi
}

cat >"$tree/verdicts" <<'EOF'
plain 4 program_crash (source, bounds_inference]
longer 2 wrong_lowering (vectorize_loops, partition_loops]
second 17 nondeterminism (vectorize_loops, partition_loops]
crashes 8 program_crash (source, bounds_inference]
crashes 12 compiler_crash
EOF
expect 'mutants that are found' 0 \
    'longer partition_loops miscompilation 3 wrong_lowering (vectorize_loops, partition_loops]' \
    'second simplify miscompilation 18 nondeterminism (vectorize_loops, partition_loops]' \
    'crashes bounds_inference crash 13 compiler_crash ' --
expect 'the mutants that are named' 0 'crashes bounds_inference crash 13 compiler_crash ' -- crashes

# What the installed compiler does wrong in another way is not the mutant's, whatever becomes of it under the mutant.
cat >"$tree/verdicts" <<'EOF'
plain 3 nondeterminism (source, bounds_inference]
longer 3 program_crash (source, bounds_inference]
longer 5 program_crash (simplify.2, partition_loops]
crashes 3 compiler_crash
EOF
expect 'a case that is wrong without the mutant' 1 \
    'longer partition_loops miscompilation 6 program_crash (simplify.2, partition_loops]' \
    'second simplify miscompilation - MISSED' \
    'crashes bounds_inference crash - MISSED' --
"$tree/scripts/check-mutants" --haruspex "$tree/haruspex" --jobs 1 --cases 30 --keep "$tree/kept" longer >"$tree/log"
if ! grep -qF '(simplify.2, partition_loops]' "$tree/kept/longer/verdict.json"; then
    echo 'another finding than the one in the table is kept'
    failed=1
fi

cat >"$tree/verdicts" <<'EOF'
longer 0 wrong_lowering (simplify, simplify.2]
second 0 wrong_code
crashes 0 compiler_hang
EOF
expect 'another pass, no pass, another failure' 1 \
    'longer partition_loops miscompilation 1 wrong_lowering (simplify, simplify.2] WITHOUT ITS PASS' \
    'second simplify miscompilation - MISSED' \
    'crashes bounds_inference crash - MISSED' --

exit "$failed"
