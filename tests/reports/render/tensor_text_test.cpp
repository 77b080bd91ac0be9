#include "reports/render/tensor_text.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/catch.h"

namespace haruspex::render {
namespace {

// A tensor whose cells are numbered in memory.
interp::StoredTensor numbered(std::vector<std::int64_t> extents, std::vector<std::int64_t> allocated) {
    interp::StoredTensor tensor{value::Type::u8, std::move(extents), std::move(allocated), {}};
    std::int64_t cells = 1;
    for (const std::int64_t extent : tensor.allocated) { cells *= extent; }
    for (std::int64_t i = 0; i < cells; ++i) { tensor.cells.push_back(value::Value::integer(value::Type::u8, i)); }
    return tensor;
}

}  // namespace

TEST_CASE("a scalar stands in one line, and a vector is a row") {
    CHECK(to_text("s", numbered({}, {})) == "s : u8[] = 0\n");
    CHECK(to_text("v", numbered({3}, {3})) == "v : u8[3]\n  0 1 2\n");
    CHECK(to_text("v", numbered({3}, {4})) == "v : u8[3] in u8[4]\n  0 1 2 | 3\n");
}

TEST_CASE("a matrix has a row for each index of its first dimension, and its padding is set off") {
    CHECK(to_text("A", numbered({2, 3}, {2, 3})) == "A : u8[2 3]\n  0 2 4\n  1 3 5\n");
    CHECK(to_text("A", numbered({1, 2}, {2, 2})) == "A : u8[1 2] in u8[2 2]\n  0 2\n  ---\n  1 3\n");
    CHECK(to_text("A", numbered({2, 1}, {2, 2})) == "A : u8[2 1] in u8[2 2]\n  0 | 2\n  1 | 3\n");
    CHECK(to_text("A", numbered({1, 1}, {2, 2})) == "A : u8[1 1] in u8[2 2]\n  0 | 2\n  --+--\n  1 | 3\n");
}

TEST_CASE("a tensor of more dimensions is a matrix for each choice of the others, which may be padding") {
    CHECK(to_text("T", numbered({1, 2, 1}, {2, 2, 2})) ==
          "T : u8[1 2 1] in u8[2 2 2]\n"
          "  T(_, _, 0)\n"
          "  0 2\n"
          "  ---\n"
          "  1 3\n"
          "  T(_, _, 1), padding\n"
          "  4 6\n"
          "  5 7\n");
}

TEST_CASE("values that nobody has computed are words, and columns are as wide as they are") {
    interp::StoredTensor tensor = numbered({2}, {2});
    tensor.cells[1] = value::Value::undef(value::Type::u8);
    CHECK(to_text("v", tensor) == "v : u8[2]\n      0 undef\n");
    tensor.cells[0] = value::Value::uninit(value::Type::u8);
    CHECK(to_text("v", tensor) == "v : u8[2]\n  uninit  undef\n");
}

}  // namespace haruspex::render
