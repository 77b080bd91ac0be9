#include <array>
#include <limits>
#include <set>
#include <sstream>

#include "generators/base/sizes.h"
#include "oracle/interp/indices.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "tests/support/catch.h"
#include "tests/support/litmus.h"

// Checks that the litmus programs' verdicts are true, as far as the interpreters can tell: runs every combination of
// sizes that satisfies the assumptions, on inputs of several seeds.
namespace haruspex::test {
namespace {
using Cell = std::vector<std::int64_t>;
using value::Type;
using value::Value;

// Inputs are small numbers for an even seed, otherwise mixed with the ends of their types.
constexpr std::uint64_t seeds = 10;

std::uint64_t hash(std::uint64_t seed, const std::string& tensor, const Cell& cell) {
    std::uint64_t h = seed;
    // The finalizer of splitmix64, which mixes all bits.
    const auto mix = [&h](std::uint64_t word) {
        h += word + 0x9e3779b97f4a7c15U;
        h = (h ^ (h >> 30U)) * 0xbf58476d1ce4e5b9U;
        h = (h ^ (h >> 27U)) * 0x94d049bb133111ebU;
        h ^= h >> 31U;
    };
    for (const char c : tensor) { mix(static_cast<unsigned char>(c)); }
    for (const std::int64_t i : cell) { mix(static_cast<std::uint64_t>(i)); }
    return h;
}

Value extreme(Type type, std::uint64_t h) {
    if (type == Type::f32) {
        constexpr std::array values{1e30F, -1e30F, 16777216.0F, 1.0F, 0.1F, -0.0F, 3e38F, 1e-40F};
        return Value::f32(values[h % values.size()]);
    }
    if (type == Type::f64) {
        constexpr std::array values{1e300, -1e300, 9007199254740992.0, 1.0, 0.1, -0.0, 1e-310};
        return Value::f64(values[h % values.size()]);
    }
    const int width = value::bits(type);
    const std::uint64_t high = std::uint64_t{1} << static_cast<unsigned>(width - 1);
    // Some values are near the ends, so that a sum stays in range in one order and overflows in another.
    const std::uint64_t near = 1 + (h >> 8U) % 8;
    const std::array<std::uint64_t, 8> patterns{high, high - 1, high, high - 1 - near, high + near, high - 1, 0, 1};
    return Value::from_bits(type, patterns[h % patterns.size()]);
}

// With which sums are exact.
Value special(Type type, std::uint64_t h) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr std::array values{0.0, -0.0, 1.0, -1.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
    return value::cast(type, Value::f64(values[h % values.size()]));
}

Value input(std::uint64_t seed, Type type, const Litmus& litmus, const std::string& tensor, const Cell& cell) {
    const std::uint64_t h = hash(seed, tensor, cell);
    const bool is_odd = seed % 2 == 1 && h % 4 != 0;
    if (is_odd && value::is_float(type) && litmus.floats == Litmus::Float::abstract) { return special(type, h >> 8U); }
    const bool has_small = value::is_float(type) ? litmus.floats == Litmus::Float::real : litmus.sums_fit;
    if (is_odd && !has_small) { return extreme(type, h >> 8U); }
    const auto small = static_cast<std::int64_t>((h >> 8U) % 13);
    if (type == Type::boolean) { return Value::boolean(small % 2 == 0); }
    if (value::is_unsigned_integer(type)) { return Value::integer(type, small); }
    if (type == Type::f32) { return Value::f32(static_cast<float>(small - 6) / 2); }
    if (type == Type::f64) { return Value::f64(static_cast<double>(small - 6) / 2); }
    return Value::integer(type, small - 6);
}

// The kind of obligation that a run with this trouble violates.
std::string kind_of(interp::TroubleKind kind) {
    switch (kind) {
        case interp::TroubleKind::out_of_bounds_read: return "bounds_read";
        case interp::TroubleKind::out_of_bounds_write: return "bounds_write";
        case interp::TroubleKind::read_after_free:
        case interp::TroubleKind::write_after_free:
        case interp::TroubleKind::free_after_free: return "freed";
        case interp::TroubleKind::write_to_input: return "input_written";
        case interp::TroubleKind::read_write_race: return "race_read_write";
        case interp::TroubleKind::write_write_race: return "race_write_write";
        case interp::TroubleKind::lane_conflict: return "lanes";
        case interp::TroubleKind::depends_on_uninit: return "uninit";
        case interp::TroubleKind::assertion_failed: return "assertion";
        case interp::TroubleKind::depends_on_undef:
        case interp::TroubleKind::index_overflow:
        case interp::TroubleKind::negative_extent:
        case interp::TroubleKind::negative_units:
        case interp::TroubleKind::deadlock:
        case interp::TroubleKind::order_matters: break;
    }
    return std::string(name(kind));
}

// The observations from all runs of one program.
struct Observed {
    std::size_t runs = 0, requested_cells = 0;
    std::set<std::string> kinds;     // of trouble
    bool refutes_prophecy = false;   // a write differed from its prophecy
    std::string first, first_false;  // the first trouble or difference, and the first wrong prophecy
    // In runs without trouble: whether a write differed from its prophecy, and whether an output was wrong although no
    // write was.
    bool misses_value = false, misses_coverage = false;
};

class Observer {
public:
    explicit Observer(const Litmus& litmus) : litmus_(litmus) {}

    Observed observe() {
        for (const Sizes& sizes : combinations(litmus_.sizes)) {
            if (!admits(sizes)) { continue; }
            for (std::uint64_t seed = 0; seed < seeds; ++seed) { run(sizes, seed); }
        }
        return observed_;
    }

private:
    bool admits(const Sizes& sizes) const {
        interp::IndexCode code;
        return code.is_always(code.add(litmus_.specification.assumptions, interp::Scope(sizes)), true);
    }

    Type type_of(const std::string& tensor) const {
        const auto& inputs = litmus_.specification.inputs;
        const auto found = std::ranges::find(inputs, tensor, &sare::Input::name);
        if (found == inputs.end()) { FAIL(litmus_.name + ": no input " + tensor); }
        return found->type;
    }

    void run(const Sizes& sizes, std::uint64_t seed) {
        std::ostringstream where;
        where << litmus_.name << " at";
        for (const auto& [parameter, value] : sizes) { where << " " << parameter << " = " << value; }
        where << ", seed " << seed << ": ";
        where_ = where.str();
        ++observed_.runs;

        const auto cell_of_input = [&](const std::string& tensor, const Cell& cell) {
            return input(seed, type_of(tensor), litmus_, tensor, cell);
        };
        std::vector<interp::ProphesiedWrite> prophesied;
        interp::Options options;
        options.prophesied = [&](const interp::ProphesiedWrite& write) { prophesied.push_back(write); };
        const auto execution = interp::run(
            litmus_.program, sizes,
            [&](const std::string& tensor, int, const Cell& cell) { return cell_of_input(tensor, cell); }, options);
        if (!execution) { FAIL(where_ + to_string(execution.error())); }
        const auto reference = interp::evaluate_outputs(litmus_.specification, sizes, cell_of_input);
        if (!reference) { FAIL(where_ + to_string(reference.error())); }

        for (const interp::Trouble& trouble : execution->troubles) {
            observed_.kinds.insert(kind_of(trouble.kind));
            note(observed_.first, to_string(trouble));
        }
        bool differs = false, prophesies = true;
        for (const interp::OutputValues& output : *reference) {
            observed_.requested_cells += output.cells.size();
            if (execution->troubles.empty() && !compare(output, execution->outputs)) { differs = true; }
        }
        interp::SareInterpreter specification(litmus_.specification, sizes, cell_of_input);
        for (const interp::ProphesiedWrite& write : prophesied) {
            if (std::ranges::count(litmus_.reduced, write.tensor) > 0) { continue; }
            const bool is_input =
                std::ranges::count(litmus_.specification.inputs, write.tensor, &sare::Input::name) > 0;
            if (!compare(write, is_input ? cell_of_input(write.tensor, write.coordinates)
                                         : specification.evaluate(write.tensor, write.component, write.coordinates))) {
                prophesies = false;
            }
        }
        observed_.refutes_prophecy |= !prophesies;
        if (execution->troubles.empty()) {
            // A reduction of other steps leaves a wrong value, although no write is known to be wrong.
            const bool has_reductions = !litmus_.reduced.empty();
            observed_.misses_value |= !prophesies || (differs && has_reductions);
            observed_.misses_coverage |= differs && prophesies && !has_reductions;
        }
    }

    void note(std::string& first, const std::string& what) const {
        if (first.empty()) { first = where_ + what; }
    }

    static std::string name_of(const std::string& tensor, const Cell& cell) {
        std::string text = tensor + "(";
        for (const std::int64_t i : cell) { text += (text.back() == '(' ? "" : ", ") + std::to_string(i); }
        return text + ")";
    }

    // Whether the program's value refines the specification's: it is defined and equal where that one is defined.
    static bool refines(const Value& specified, const Value& found) {
        return specified.is_undef() || (found.is_defined() && value::same_result(specified, found));
    }

    bool compare(const interp::OutputValues& specified, const std::vector<interp::FinalArray>& outputs) {
        const auto found = std::ranges::find_if(outputs, [&](const interp::FinalArray& array) {
            return array.tensor == specified.tensor && array.component == specified.component;
        });
        if (found == outputs.end()) { FAIL(where_ + "no array holds the output " + specified.tensor); }
        Cell cell = specified.min;
        bool agrees = true;
        for (const Value& expected : specified.cells) {
            const Value actual = cell_in(*found, cell, expected.type());
            if (!refines(expected, actual) || actual.is_uninit()) {
                agrees = false;
                note(observed_.first, name_of(specified.tensor, cell) + " is " + value::to_string(actual) + ", not " +
                                          value::to_string(expected));
            }
            for (std::size_t d = 0; d < cell.size(); ++d) {
                if (++cell[d] < specified.min[d] + specified.extent[d]) { break; }
                cell[d] = specified.min[d];
            }
        }
        return agrees;
    }

    static Value cell_in(const interp::FinalArray& array, const Cell& cell, Type type) {
        std::size_t index = 0, stride = 1;
        for (std::size_t d = 0; d < cell.size(); ++d) {
            const std::int64_t offset = cell[d] - array.min[d];
            if (offset < 0 || offset >= array.extent[d]) { return Value::uninit(type); }
            index += static_cast<std::size_t>(offset) * stride;
            stride *= static_cast<std::size_t>(array.extent[d]);
        }
        return array.cells[index];
    }

    // A write of Uninit is garbage, whose prophecy need not be true.
    bool compare(const interp::ProphesiedWrite& write, const Result<Value>& specified) {
        if (write.value.is_uninit() || (specified && refines(*specified, write.value))) { return true; }
        note(observed_.first_false, "the prophecy " + name_of(write.tensor, write.coordinates) + " of " +
                                        value::to_string(write.value) + " is " +
                                        (specified ? value::to_string(*specified) : specified.error().message));
        return false;
    }

    const Litmus& litmus_;
    std::string where_;
    Observed observed_;
};

void check_truth(const Litmus& litmus, const Observed& observed) {
    const auto lists = [&](const std::string& kind) { return std::ranges::count(litmus.reasons, kind) > 0; };
    const bool is_vacuous = lists("vacuous");
    INFO(observed.first << "\n" << observed.first_false);
    CHECK((observed.requested_cells == 0) == is_vacuous);
    switch (litmus.verdict) {
        case Litmus::Verdict::validated:
            CHECK(observed.first.empty());
            CHECK(observed.first_false.empty());
            break;
        case Litmus::Verdict::undecided:
            CHECK(observed.first.empty());
            CHECK(observed.refutes_prophecy == lists("prophecy"));
            break;
        case Litmus::Verdict::refuted:
            CHECK_FALSE(observed.first.empty());
            // Any failure that is seen may be the one reported first.
            for (const std::string& kind : observed.kinds) {
                INFO("seen: " << kind);
                CHECK(lists(kind));
            }
            if (observed.misses_value) { CHECK(lists("value")); }
            if (observed.misses_coverage) { CHECK((lists("coverage") || lists("uninit"))); }
            break;
    }
}

TEST_CASE("the verdicts of the litmus programs are true, and there are enough of both kinds") {
    std::size_t count = 0, refuted = 0, runs = 0;
    for (const std::filesystem::path& path : litmus_files()) {
        const auto litmus = read_litmus(path);
        if (!litmus) { FAIL(to_string(litmus.error())); }
        INFO(litmus->name);
        const Observed observed = Observer(*litmus).observe();
        CHECK(observed.runs > 0);
        check_truth(*litmus, observed);
        ++count;
        refuted += litmus->verdict == Litmus::Verdict::refuted ? 1 : 0;
        runs += observed.runs;
    }
    INFO(count << " programs, " << refuted << " of them wrong, " << runs << " runs");
    CHECK(count >= 120);
    CHECK(2 * refuted >= count);
}

}  // namespace
}  // namespace haruspex::test
