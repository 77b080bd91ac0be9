# The mutants of the lowering (harness/halide/mutants), for the scripts that measure them; they source this file from
# the root.

# "NAME PASS BOUNDARY KIND" of each mutant.
mutants=$(sed -nE 's/^MUTANT\(([a-z_]+), ([a-z_]+), "([a-z_]+)", ([a-z_]+),.*/\1 \2 \3 \4/p' \
    harness/halide/mutants/catalogue.def)

# list_passes HARUSPEX: sets `passes` to those that can be observed, in order: "split_tuples", "simplify.2", … All cases
# go through the same.
list_passes() {
    passes=$("$1" generate --seed 1 | { "$1" run - --trace-passes || true; } |
        awk 'NF == 0 { lists = 1 } lists && /^[a-z_]+(\.[0-9]+)?  / { print $1 }')
    if [[ -z $passes ]]; then
        echo "$(basename "$0"): no pass can be observed" >&2
        exit 3
    fi
}

# holds INTERVAL PASS BOUNDARY: whether "(after, up_to]" holds the call of the pass that the mutant changes: the first
# after the boundary, when that is another pass. What is not listed comes before everything that is.
holds() {
    local after=${1#(} up_to=${1#*, }
    awk -v after="${after%%,*}" -v up_to="${up_to%]}" -v pass="$2" -v boundary="$3" '
        BEGIN { called = 0.5; reached = boundary ~ /^(result|argument)$/ }
        { place[$0] = NR; sub(/\.[0-9]+$/, "") }
        called < 1 && reached && $0 == pass { called = NR }
        $0 == boundary { reached = 1 }
        END { exit !(place[after] < called && called <= place[up_to]) }' <<<"$passes"
}

# expect_mutants NAME…: ends the script when one of them is none.
expect_mutants() {
    local name
    for name in "$@"; do
        if ! grep -q "^$name " <<<"$mutants"; then
            echo "$(basename "$0"): no mutant '$name'" >&2
            exit 2
        fi
    done
}
