#!/usr/bin/env bash
# Tests that scripts/check-includes --names finds a missing header, and reports nothing in a complete tree.
set -euo pipefail
check=$(cd "$(dirname "$0")/../.." && pwd)/scripts/check-includes
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0
mkdir -p "$tree/generators/base"

# Prints the result of the check on a file with this text, whose header is $2.
says() {
    printf '%s\n' "$1" >"$tree/generators/base/file.cpp"
    printf '%s\n' "${2:-}" >"$tree/generators/base/file.h"
    "$check" --names "$tree" || true
}
expect() {
    local expected=$1
    shift
    local found
    found=$(says "$@")
    if [[ $found != "$expected" ]]; then
        printf 'of\n%s\nexpected\n%s\nfound\n%s\n' "$1" "$expected" "$found"
        failed=1
    fi
}

missing='generators/base/file.cpp:1: uses'
expect "$missing std::uint64_t without <cstdint>" 'std::uint64_t x;'
expect "$missing std::vector without <vector>" 'std::vector<int> x;'
expect "$missing std::ranges::sort without <algorithm>" 'std::ranges::sort(x);'
expect "$missing std::chrono::seconds without <chrono>" 'std::chrono::seconds x;'
expect "${missing/:1:/:2:} fmt::join without <fmt/ranges.h>" $'#include <fmt/format.h>\nfmt::join(x, y);'
# A loop over a list names no type; each of several headers provides std::initializer_list.
expect "$missing std::initializer_list without <initializer_list>" 'for (int i : {1, 2}) {}'
expect '' $'#include <string>\nfor (int i : {1, 2}) {}'
# One of our headers may provide it.
expect '' $'#include "generators/base/file.h"\nstd::vector<int> x;' '#include <vector>'
expect 'generators/base/file.h:1: uses std::map without <map>' '' 'std::map<int, int> x;'
# Names in comments and strings do not count.
expect '' '// std::vector'
expect '' 'auto text = "std::vector";'
expect '' $'auto text = R"(std::vector\nstd::map)";'
expect '' 'std::size_t x;'

code=0
"$check" --nonsense >/dev/null 2>&1 || code=$?
if [[ $code -ne 2 ]]; then
    echo "an unknown option: expected exit code 2, found $code"
    failed=1
fi
exit "$failed"
