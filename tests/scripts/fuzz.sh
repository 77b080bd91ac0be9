#!/usr/bin/env bash
# Tests that scripts/fuzz forwards its options, adds its defaults, and returns the right exit code; the build and the
# campaign are stand-ins.
set -euo pipefail
fuzz=$(cd "$(dirname "$0")/../.." && pwd)/scripts/fuzz
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

mkdir -p "$tree"/{scripts,build/release,elsewhere}
cp "$fuzz" "$tree/scripts/fuzz"
cat >"$tree/scripts/build" <<'EOF'
#!/usr/bin/env bash
exit "${BUILD_CODE:-0}"
EOF
cat >"$tree/build/release/haruspex" <<'EOF'
#!/usr/bin/env bash
echo "haruspex $*"
exit "${FUZZ_CODE:-0}"
EOF
chmod +x "$tree/scripts/build" "$tree/build/release/haruspex"

# The campaign's command without the tree's path, and the rest of the output.
run() {
    code=0
    output=$(cd "$tree/elsewhere" && "$tree/scripts/fuzz" "$@" 2>&1) || code=$?
    output=${output//"$tree/"/}
}

expect() {
    local what=$1 expected_code=$2 expected=$3
    if [[ $code -ne $expected_code || $output != $expected ]]; then
        printf '%s: expected exit code %s and\n  %s\nbut got %s and\n%s\n' "$what" "$expected_code" "$expected" "$code" "$output"
        failed=1
    fi
}

campaigns() { find "$tree/build/campaigns" -mindepth 1 2>/dev/null || true; }

jobs=$(nproc)
run
expect 'no argument' 0 \
    "haruspex fuzz --known corpus/known --cases 500 --jobs $jobs --out build/campaigns/*"$'\n'"*nothing found (exit code 0)"
run --cases 7 --jobs 1 --out night
expect 'options' 0 "haruspex fuzz --known corpus/known --cases 7 --jobs 1 --out night"$'\n'"*"
run --time=60 --seed 3 --out=night
expect 'options with =' 0 "haruspex fuzz --known corpus/known --time=60 --seed 3 --jobs $jobs --out night"$'\n'"*"
run --against before --time 10m --out night
expect 'another build' 0 "haruspex fuzz --against before --time 10m --jobs $jobs --out night"$'\n'"*"
mkdir "$tree/elsewhere/there"
touch "$tree/elsewhere/there/.haruspex"
run --out there
expect 'a campaign that is there' 0 "haruspex fuzz --known corpus/known --jobs $jobs --out there"$'\n'"*"

FUZZ_CODE=1 run --out night
expect 'findings' 1 '*there are findings (exit code 1)'
mkdir -p "$tree/elsewhere/night/issues"
touch "$tree/elsewhere/night/issues/index.html"
FUZZ_CODE=1 run --out night
expect 'findings with issues' 1 '*look at them in a browser: night/issues/index.html'
FUZZ_CODE=3 run --out night
expect 'a fault' 3 '*haruspex itself failed (exit code 3)'
BUILD_CODE=1 run --out night
expect 'a build that fails' 3 '*the build failed (exit code 3)'

rm -rf "$tree/build/campaigns"
FUZZ_CODE=2 run --cases none
expect 'a campaign that refuses' 2 '*wrong usage or input (exit code 2)'
for arguments in '--out' '--out=' '--engine' '--engine afl' '--engine=afl'; do
    read -ra words <<<"$arguments"
    run "${words[@]}"
    expect "$arguments" 2 'scripts/fuzz: *\(exit code 2)'
done
run --out ''
expect 'an empty folder' 2 'scripts/fuzz: --out without its value (exit code 2)'
if [[ -n $(campaigns) ]]; then
    echo "what is refused leaves $(campaigns)"
    failed=1
fi

exit "$failed"
