// Compares two ways to say that a sum is a function of the multiset of its summands: sums of hashes and arrays of counts
// (scripts/bench-sums; CAV 2022, 5.3 and Fig. 4).
//
//   bench_sums [SIZE…]     10, 30, 100, 300 and 1000 unless given
//
// For each size, the query whether the sum of so many floats is that of the same floats in another order, of which parts
// are added up first. A line for each: milliseconds of either, and their ratio. A query that is not answered within the
// rlimit counts as the time that it took, which is too short then. Exit code 1 if at some size sums of hashes are not
// proved, or take more than a tenth of the time.
#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/choice.h"
#include "oracle/smt/query.h"

using namespace haruspex;

namespace {

constexpr std::uint64_t rlimit = 20'000'000;

smt::Term sum(smt::Terms& terms, const std::vector<smt::Term>& summands, std::size_t first, std::size_t past) {
    smt::Term total = summands[first];
    for (std::size_t n = first + 1; n < past; ++n) { total = terms.apply(value::BinaryOp::add, total, summands[n]); }
    return total;
}

struct Measured {
    double milliseconds = 0;
    bool holds = false;
};

Measured measured(std::size_t size, smt::Sums sums) {
    smt::Terms terms;
    std::vector<smt::Term> summands;
    for (std::size_t n = 0; n < size; ++n) {
        summands.push_back(terms.atom(value::Type::f32, static_cast<std::uint32_t>(n)));
    }
    std::vector<smt::Term> others = summands;
    Choices choices(random_source(size));
    for (std::size_t n = size; n > 1; --n) {
        const auto with = static_cast<std::size_t>(choices.integer(0, static_cast<std::int64_t>(n) - 1));
        std::swap(others[n - 1], others[with]);
    }
    smt::Query query;
    query.domain = {affine::Conjunction{}};
    query.specification = sum(terms, summands, 0, size);
    query.implementation =
        terms.apply(value::BinaryOp::add, sum(terms, others, 0, size / 2), sum(terms, others, size / 2, size));
    query.floats = smt::Floats::abstract;
    query.sums = sums;
    const auto begin = std::chrono::steady_clock::now();
    const smt::Outcome outcome = smt::refines(terms, query, rlimit);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    return {took.count(), outcome.holds()};
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::size_t> sizes;
    for (int n = 1; n < argc; ++n) { sizes.push_back(std::stoul(argv[n])); }
    if (sizes.empty()) { sizes = {10, 30, 100, 300, 1000}; }
    bool is_good = true;
    for (const std::size_t size : sizes) {
        if (size < 2) {
            std::cerr << "bench_sums: expected at least two summands, found " << size << "\n";
            return 2;
        }
        const Measured hashed = measured(size, smt::Sums::hashed), counted = measured(size, smt::Sums::counted);
        const double ratio = hashed.milliseconds / counted.milliseconds;
        std::cout << size << " summands: hashes " << hashed.milliseconds << " ms"
                  << (hashed.holds ? "" : " (not proved)") << ", counts " << counted.milliseconds << " ms"
                  << (counted.holds ? "" : " (not proved)") << ", ratio " << ratio << std::endl;
        is_good = is_good && hashed.holds && ratio <= 0.1;
    }
    return is_good ? 0 : 1;
}
