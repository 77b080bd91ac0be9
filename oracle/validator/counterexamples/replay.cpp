#include "oracle/validator/counterexamples/replay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "generators/base/ensure.h"
#include "generators/base/mix.h"
#include "generators/sare/build.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"

namespace haruspex::validator {
namespace {

// Limits for the specification, which also evaluates cells that a schedule leaves out: `least_cells`, and
// `cells_of_step` more for each step of the program. A specification that needs more is taken to have no end.
constexpr std::uint64_t least_cells = 1'000'000, cells_of_step = 10;

value::Value drawn(value::Type type, Inputs::Style style, std::uint64_t bits) {
    if (!value::is_float(type) && type != value::Type::boolean) {
        if (style == Inputs::Style::wide) { return value::Value::from_bits(type, bits); }
        if (style == Inputs::Style::extreme || style == Inputs::Style::special) {
            // Zero and the ends of the ranges of this type and of smaller ones that it may be cast to, moved a little.
            constexpr std::array narrower{0, 0, 1, 2};
            const int width = std::max(value::bits(type) >> narrower[(bits >> 16) % narrower.size()], 8);
            const std::uint64_t end = bits % 4 == 0 ? 0 : std::uint64_t{1} << (width - 1);
            return value::Value::from_bits(type, ((bits >> 20) % 2 == 0 ? end : -end) + (bits >> 8) % 7 - 3);
        }
    } else if (style != Inputs::Style::small && type != value::Type::boolean) {
        const double mantissa = static_cast<double>(static_cast<std::int64_t>(bits >> 20)) / (std::uint64_t{1} << 44);
        double number = std::ldexp(mantissa, static_cast<int>(bits % 30)) * (bits % 2 == 0 ? 1 : -1);
        if (style == Inputs::Style::special) {
            number = static_cast<double>(static_cast<std::int64_t>((bits >> 16) % 19) - 9) / 4;
        }
        if (style != Inputs::Style::wide && bits % 3 != 0) {
            constexpr double infinity = std::numeric_limits<double>::infinity();
            constexpr std::array specials{0.0, -0.0, 1.0, -1.0, infinity, -infinity};
            const std::size_t which = (bits >> 8) % (specials.size() + 1);
            number = which == specials.size() ? std::numeric_limits<double>::quiet_NaN() : specials[which];
        }
        return type == value::Type::f32 ? value::Value::f32(static_cast<float>(number)) : value::Value::f64(number);
    }
    const auto small = static_cast<std::int64_t>(bits % 19) - 9;
    if (type == value::Type::boolean) { return value::Value::boolean(bits % 2 == 0); }
    if (value::is_unsigned_integer(type)) { return value::Value::integer(type, small + 9); }
    if (value::is_float(type)) {
        const double quarter = static_cast<double>(small) / 4;
        return type == value::Type::f32 ? value::Value::f32(static_cast<float>(quarter)) : value::Value::f64(quarter);
    }
    return value::Value::integer(type, small);
}

class Source {
public:
    Source(const sare::Sare& sare, const Inputs& inputs) : inputs_(inputs) {
        for (const sare::Input& input : sare.inputs) {
            shapes_.insert_or_assign(input.name, std::pair{input.type, static_cast<std::size_t>(input.rank)});
        }
        for (const smt::CellValue& cell : inputs.given) {
            if (cell.value.is_defined()) { given_.insert_or_assign({cell.tensor, cell.coordinates}, cell.value); }
        }
    }
    // Linear memory has a dimension even for a scalar.
    value::Value operator()(const std::string& input, std::vector<std::int64_t> cell) const {
        const auto& [type, rank] = shapes_.at(input);
        cell.resize(rank);
        if (const auto found = given_.find({input, cell}); found != given_.end()) { return found->second; }
        std::uint64_t h = mix(inputs_.seed);
        for (const char c : input) { h = mix(h ^ static_cast<unsigned char>(c)); }
        for (const std::int64_t i : cell) { h = mix(h ^ static_cast<std::uint64_t>(i)); }
        return drawn(type, inputs_.style, h);
    }

private:
    Inputs inputs_;
    std::map<std::string, std::pair<value::Type, std::size_t>> shapes_;
    std::map<std::pair<std::string, std::vector<std::int64_t>>, value::Value> given_;
};

std::string cell_text(const interp::OutputValues& output, const std::vector<std::int64_t>& cell) {
    std::string text = output.tensor + "(";
    for (std::size_t d = 0; d < cell.size(); ++d) { text += (d == 0 ? "" : ", ") + std::to_string(cell[d]); }
    return text + ")" + (output.component == 0 ? "" : "[" + std::to_string(output.component) + "]");
}

// Whether two numbers, not both of them zero, may differ by rounding.
bool are_close(const value::Value& a, const value::Value& b) {
    if (!value::is_float(a.type())) { return false; }
    constexpr double close = 1e-3;
    const double x = a.as_double(), y = b.as_double();
    if (!std::isfinite(x) || !std::isfinite(y) || (x == 0 && y == 0)) { return false; }
    return std::abs(x - y) <= close * std::max({1.0, std::abs(x), std::abs(y)});
}

struct Difference {
    std::string text;
    bool is_undef = false;
};

// The first cell that has another value than the specification's; if there is none, the first that is Undef.
std::optional<Difference> difference(const std::vector<interp::OutputValues>& reference,
                                     const std::vector<interp::FinalArray>& arrays, bool ignores_sign_of_zero,
                                     bool ignores_rounding) {
    const auto same = [&](const value::Value& a, const value::Value& b) {
        if (ignores_rounding && are_close(a, b)) { return true; }
        return ignores_sign_of_zero ? value::same_number(a, b) : value::same_result(a, b);
    };
    std::optional<Difference> undef;
    for (const interp::OutputValues& output : reference) {
        const auto array = std::ranges::find_if(arrays, [&](const interp::FinalArray& a) {
            return a.tensor == output.tensor && a.component == output.component;
        });
        std::vector<std::int64_t> cell = output.min;
        for (const value::Value& expected : output.cells) {
            const value::Value* actual = array == arrays.end() ? nullptr : interp::cell_of(*array, cell);
            const bool is_right =
                actual != nullptr && actual->is_defined() && expected.is_defined() && same(expected, *actual);
            // Where the specification is Undef, any value is right, but there must be one.
            const bool is_missing = actual == nullptr || actual->is_uninit();
            if (expected.is_defined() ? !is_right : is_missing) {
                Difference found{cell_text(output, cell) + " is " +
                                     (actual == nullptr ? "missing" : value::to_string(*actual)) + ", expected " +
                                     value::to_string(expected),
                                 actual != nullptr && actual->is_undef()};
                if (!found.is_undef) { return found; }
                if (!undef) { undef = std::move(found); }
            }
            for (std::size_t d = 0; d < cell.size() && ++cell[d] == output.min[d] + output.extent[d]; ++d) {
                cell[d] = output.min[d];
            }
        }
    }
    return undef;
}

// The headlines of the assertions at the program's head.
std::set<std::string> assertions_at_head(const sched::Program& program) {
    std::set<std::string> headlines;
    for (const sched::Stmt& statement : program.body) {
        if (!sched::is_of_head(statement)) { break; }
        if (std::holds_alternative<sched::Assert>(statement.node)) { headlines.insert(sched::headline(statement)); }
    }
    return headlines;
}

// Whether an output's box has a negative extent; nothing is claimed for such sizes.
bool has_negative_box(const sare::Sare& sare, const Sizes& sizes) {
    return std::ranges::any_of(sare.outputs, [&](const sare::Output& output) {
        return std::ranges::any_of(output.box,
                                   [&](const sare::Span& span) { return sare::evaluate(span.extent, sizes) < 0; });
    });
}

// Whether more cells are requested than a run of `most_steps` can write.
bool are_too_many(const sare::Sare& sare, const Sizes& sizes, std::uint64_t most_steps) {
    std::uint64_t cells = 0;
    for (const sare::Output& output : sare.outputs) {
        std::uint64_t here = 1;
        for (const sare::Span& span : output.box) {
            const auto extent =
                static_cast<std::uint64_t>(std::max<std::int64_t>(sare::evaluate(span.extent, sizes), 0));
            if (extent > 0 && here > most_steps / extent) { return true; }
            here *= extent;
        }
        cells += here;
    }
    return cells > most_steps;
}

bool is_at_head(const interp::Trouble& trouble, const sched::Program& program) {
    return trouble.kind == interp::TroubleKind::assertion_failed && trouble.position.empty() &&
           assertions_at_head(program).contains(trouble.statement);
}

}  // namespace

std::string_view name(Inputs::Style style) {
    switch (style) {
        case Inputs::Style::small: return "small";
        case Inputs::Style::wide: return "wide";
        case Inputs::Style::extreme: return "extreme";
        case Inputs::Style::special: return "special";
    }
    raise_internal_error(__FILE__, __LINE__, "no such style of inputs");
}

std::string_view name(NotReplayed reason) {
    switch (reason) {
        case NotReplayed::sizes: return "sizes";
        case NotReplayed::boxes: return "boxes";
        case NotReplayed::parameters: return "parameters";
        case NotReplayed::refused: return "refused";
        case NotReplayed::indices: return "indices";
        case NotReplayed::steps: return "steps";
        case NotReplayed::cells: return "cells";
        case NotReplayed::specification: return "specification";
    }
    raise_internal_error(__FILE__, __LINE__, "no such reason");
}

Trial untried(NotReplayed reason, std::string message, std::uint64_t steps) {
    Trial trial;
    trial.message = std::move(message);
    trial.steps = steps;
    trial.not_replayed = reason;
    return trial;
}

std::string to_string(const Trial& trial) {
    return (trial.trouble ? std::string(verdict::name(*trial.trouble)) + ": " : "") + trial.message;
}

interp::InputFunction inputs_of(const sare::Sare& sare, const Inputs& inputs) { return Source(sare, inputs); }

Trial replay(const sare::Sare& sare, const sched::Program& program, const Sizes& sizes, const Inputs& inputs,
             std::uint64_t most_steps, bool ignores_sign_of_zero, AtHead at_head, bool ignores_rounding) {
    if (sare::try_evaluate(sare.assumptions, sizes) != true) {
        return untried(NotReplayed::sizes, "sizes outside the context");
    }
    const Source source(sare, inputs);
    interp::Options options;
    options.most_steps = most_steps;
    options.ignores_sign_of_zero = ignores_sign_of_zero;
    const auto execution = interp::run(
        program, sizes,
        [&](const std::string& tensor, int, const std::vector<std::int64_t>& cell) { return source(tensor, cell); },
        options);
    if (!execution) { return untried(NotReplayed::steps, execution.error().message); }
    const std::uint64_t steps = execution->steps;
    if (has_negative_box(sare, sizes)) { return untried(NotReplayed::boxes, "an output's box has a negative extent"); }
    for (const interp::Trouble& trouble : execution->troubles) {
        if (interp::is_harmless(trouble.kind)) { continue; }
        if (at_head == AtHead::refuses && is_at_head(trouble, program)) {
            return untried(NotReplayed::refused, "the program refuses the sizes: " + interp::to_string(trouble), steps);
        }
        // Indices are mathematical integers; the interpreter could not compute this one.
        if (trouble.kind == interp::TroubleKind::index_overflow) {
            return untried(NotReplayed::indices, interp::to_string(trouble), steps);
        }
        return {true, true, false, interp::to_string(trouble), trouble.kind, steps};
    }
    if (are_too_many(sare, sizes, most_steps)) {
        return untried(NotReplayed::cells, "more cells are requested than steps", steps);
    }
    const std::uint64_t most = std::min(interp::default_most_steps, least_cells + cells_of_step * steps);
    const auto reference = interp::evaluate_outputs(sare, sizes, source, most);
    if (!reference) {
        return untried(NotReplayed::specification, "the specification: " + reference.error().message, steps + most);
    }
    if (auto found = difference(*reference, execution->outputs, ignores_sign_of_zero, ignores_rounding)) {
        return {true, true, found->is_undef, std::move(found->text), {}, steps};
    }
    return {true, false, false, "agrees", {}, steps};
}

}  // namespace haruspex::validator
