#!/usr/bin/env bash
# Tests that scripts/check-layers accepts a tree that keeps the order, and otherwise names each violation.
set -euo pipefail
check=$(cd "$(dirname "$0")/../.." && pwd)/scripts/check-layers
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# A tree without violations; each test below adds one file to a fresh copy of it.
plant() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/{generators/base,generators/affine,generators/sare,harness/halide,oracle/judge,reports/render,tests/oracle/judge}
    echo '#include <isl/cpp.h>' >"$tree/generators/sare/domain.h"
    echo '#include <isl/set.h>' >"$tree/generators/affine/context.cpp"
    echo '#include <Halide.h>' >"$tree/harness/halide/builder.cpp"
    echo '#include "harness/halide/builder.h"' >"$tree/oracle/judge/judge.cpp"
    printf '%s\n' '#include <Halide.h>' '#include "oracle/judge/judge.h"' >"$tree/tests/oracle/judge/judge_test.cpp"
    # An include in the text of a generated program is not an include of this file.
    printf '%s\n' 'const char* text = R"cpp(' '#include "Halide.h"' ')cpp";' >"$tree/reports/render/program.cpp"
    printf '%s\n' 'haruspex_library(generators/base)' 'haruspex_library(generators/sare DEPENDS generators_base' \
        '                 PRIVATE generators_affine)' >"$tree/CMakeLists.txt"
    mkdir "$tree/build"
}

refuses() {
    local what=$1 expected=$2 output
    if output=$("$check" "$tree"); then
        echo "accepted although $what"
        failed=1
    elif [[ $output != *"$expected"* ]]; then
        printf '%s: expected\n  %s\nbut got\n%s\n' "$what" "$expected" "$output"
        failed=1
    elif [[ $(wc -l <<<"$output") -ne 1 ]]; then
        printf '%s: expected one violation, got\n%s\n' "$what" "$output"
        failed=1
    fi
}

plant
mkdir "$tree/night" "$tree/measured"
touch "$tree/night/.haruspex" "$tree/measured/measure.json"
if ! output=$("$check" "$tree"); then
    printf 'refused a tree that is in order:\n%s\n' "$output"
    failed=1
fi

plant
printf '\n#include "oracle/judge/judge.h"\n' >"$tree/generators/base/result.h"
refuses "a folder includes one after it" \
    "generators/base/result.h:2: generators/base includes oracle/judge/judge.h, but oracle/judge stands after it"

plant
echo '#include "generators/sare/domain.h"' >"$tree/generators/affine/space.h"
refuses "a folder includes a later one of the same stage" "generators/affine/space.h:1:"

plant
echo '#include "tests/support/catch.h"' >"$tree/generators/base/result.h"
refuses "code includes tests" "generators/base/result.h:1: generators/base includes tests/support/catch.h"

plant
echo '#include "result.h"' >"$tree/generators/base/result.cpp"
refuses "an include is not relative to the root" 'generators/base/result.cpp:1: "result.h" is not relative to the root'

plant
echo '#include <generators/base/result.h>' >"$tree/generators/sare/text.h"
refuses "a header of the project stands in angle brackets" "generators/sare/text.h:1:"

plant
echo '#include <Halide.h>' >"$tree/oracle/judge/judge.h"
refuses "Halide.h outside harness/halide" "oracle/judge/judge.h:1: oracle/judge includes <Halide.h>"

plant
echo '#include "HalideRuntime.h"' >"$tree/oracle/judge/judge.h"
refuses "a header of Halide in quotes" "oracle/judge/judge.h:1: oracle/judge includes <HalideRuntime.h>"

plant
printf '%s\n' 'const char* text = R"(closed at once)";' '#include <Halide.h>' >"$tree/reports/render/program.cpp"
refuses "Halide.h after a raw string" "reports/render/program.cpp:2:"

plant
echo 'isl::set left = set.gist(context);' >"$tree/generators/sare/text.cpp"
refuses "a call of isl's gist" "generators/sare/text.cpp:1: generators/sare calls gist of isl"

plant
echo 'isl::set less = set.unite(more).coalesce();' >"$tree/generators/sare/text.cpp"
refuses "a call of isl's coalesce" "generators/sare/text.cpp:1: generators/sare calls coalesce of isl"

plant
mkdir -p "$tree/generators/random"
echo 'if (choices_.boolean(350)) { return first; }' >"$tree/generators/random/draw.cpp"
refuses "a probability beside the policy" "generators/random/draw.cpp:1: a probability that is no field of generators/random/policy.h"

plant
echo '#include <isl/set.h>' >"$tree/generators/sare/text.cpp"
refuses "isl's C interface outside generators/affine" "generators/sare/text.cpp:1: generators/sare includes <isl/set.h>"

plant
echo '#include <z3++.h>' >"$tree/oracle/judge/judge.h"
refuses "Z3 outside oracle/smt" "oracle/judge/judge.h:1: oracle/judge includes <z3++.h>"

plant
mkdir "$tree/generators/misc"
echo '' >"$tree/generators/misc/util.h"
refuses "a folder that no layer names" "generators/misc/util.h:1: lies in no folder"

plant
mkdir "$tree/tools"
refuses "a folder in the root that may not be there" "tools:1: the root may hold only"

plant
echo 'haruspex_library(generators/affine DEPENDS generators_base generators_sare)' >>"$tree/CMakeLists.txt"
refuses "a library links one after it" "CMakeLists.txt:4: generators/affine links generators_sare"

plant
echo '#include "generators/sare/text.h"' >"$tree/generators/sare/print.h"
echo '#include "generators/sare/print.h"' >"$tree/generators/sare/text.cpp"
refuses "two files of a folder include each other, one of them from its source" \
    "files of one folder include each other: generators/sare/print -> generators/sare/text -> generators/sare/print"

plant
echo '#include "generators/sare/b.h"' >"$tree/generators/sare/a.h"
printf '%s\n' '#include "generators/sare/b.h"' '#include "generators/sare/c.h"' >"$tree/generators/sare/b.cpp"
echo '#include "generators/sare/a.h"' >"$tree/generators/sare/c.h"
echo '#include "generators/sare/c.h"' >"$tree/generators/sare/d.h"
refuses "three files of a folder include each other in turn" \
    "generators/sare/c.h:1: files of one folder include each other: generators/sare/a -> generators/sare/b -> generators/sare/c -> generators/sare/a"

plant
echo '#include "generators/sare/b.h"' >"$tree/generators/sare/a.cpp"
printf '%s\n' '#include "generators/sare/b.h"' '#include "generators/sare/c.h"' >"$tree/generators/sare/b.cpp"
echo '#include "generators/sare/c.h"' >"$tree/generators/sare/a.h"
if ! output=$("$check" "$tree"); then
    printf 'refused files that include each other in one direction:\n%s\n' "$output"
    failed=1
fi

# A compiler with a vocabulary, which only its own folders know.
plant_compiler() {
    plant
    echo '#include "generators/sare/domain.h"' >"$tree/oracle/judge/judge.cpp"
    mkdir -p "$tree/generators/schedule/halide"
    echo 'constexpr std::array names{"split", "compute_root", "GuardWithIf"};' >"$tree/generators/schedule/halide/spelling.h"
    echo 'PASS(storage_folding, Stmt)' >"$tree/harness/halide/version.h"
}

plant_compiler
echo 'const char* known[] = {"split", "root"};' >"$tree/oracle/judge/words.cpp"
if ! output=$("$check" "$tree"); then
    printf 'refused a word that need not be of a compiler:\n%s\n' "$output"
    failed=1
fi

plant_compiler
printf '\n// As Halide does.\n' >"$tree/oracle/judge/words.cpp"
refuses "a file outside its folders names a compiler" "oracle/judge/words.cpp:2: names the compiler halide"

plant_compiler
echo 'bool is_root = name == "compute_root";' >"$tree/oracle/judge/words.cpp"
refuses "a file knows a directive of a compiler" \
    "oracle/judge/words.cpp:1: knows \"compute_root\" of a compiler's vocabulary"

plant_compiler
echo 'bool is_guarded = name == "GuardWithIf";' >"$tree/reports/render/words.cpp"
refuses "a file knows an option of a compiler" "reports/render/words.cpp:1: knows \"GuardWithIf\""

plant_compiler
echo 'bool is_folding = name == "storage_folding";' >"$tree/generators/sare/words.cpp"
refuses "a file knows a pass of a compiler" "generators/sare/words.cpp:1: knows \"storage_folding\""

exit "$failed"
