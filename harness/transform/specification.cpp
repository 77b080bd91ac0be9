#include "harness/transform/specification.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "harness/transform/indices.h"

namespace haruspex::transform {

using sare::Expr;
using sare::Index;
using value::BinaryOp;
using value::Type;

namespace {

constexpr std::array drawn_types{Type::i32, Type::u8, Type::u32, Type::f32, Type::i16, Type::i64};
constexpr std::array variable_names{"x", "y", "z"};
// The largest size for which values are kept from overflowing.
constexpr double largest_size = 20;

struct Axis {
    Index min, size;
    std::int64_t least = 0;  // the smallest size
    bool at_zero = true;     // min is zero
};

struct Source {
    std::string name;
    std::vector<Type> types;
    std::vector<std::size_t> axes;
    std::vector<double> magnitude;  // upper bound of each component's values
};

struct Bounded {
    Expr expr;
    double magnitude = 0;
};

Expr literal(Type type, std::int64_t n) { return {sare::Literal{value::Value::integer(type, n)}}; }
Expr binary(BinaryOp op, Expr a, Expr b) { return {sare::Binary{op, std::move(a), std::move(b)}}; }

// The magnitude beyond which values of the type are clamped.
double most(Type type) {
    if (value::wraps(type)) { return std::ldexp(1.0, value::bits(type)); }
    return type == Type::i64 ? 1e15 : type == Type::f32 ? 1e6 : 1e7;
}
// Whether values fit the type, whatever the source holds. Floats do not become integers.
bool converts(Type from, double magnitude, Type to) {
    if (from == to) { return true; }
    if (value::is_float(from)) { return false; }
    return to != Type::i32 || magnitude < 2e9;
}

class Builder {
public:
    Builder(Choices& choices, const Policy& policy) : choices_(choices), policy_(policy) {}

    sare::Algorithm draw() {
        algorithm_.name = "program";
        draw_axes();
        const std::size_t inputs = 1 + choices_.weighted(policy_.inputs);
        for (std::size_t i = 0; i < inputs; ++i) { draw_input(i); }
        const std::size_t functions = 1 + choices_.weighted(policy_.functions);
        for (std::size_t i = 0; i < functions && statements_ <= 12; ++i) { draw_function(i); }
        request_what_is_unread();
        return std::move(algorithm_);
    }

private:
    void assume(const sare::Condition& condition) { algorithm_.assumptions = algorithm_.assumptions && condition; }

    void draw_axes() {
        constexpr std::array sizes{"W", "H", "N"};
        constexpr std::array minima{"X0", "Y0", "Z0"};
        constexpr std::array<std::int64_t, 5> least_sizes{0, 1, 2, 4, 8};
        const std::size_t count = 1 + choices_.weighted(policy_.axes);
        for (std::size_t a = 0; a < count; ++a) {
            Axis axis{sare::constant(0), sare::constant(0)};
            if (a > 0 && choices_.boolean(policy_.constant_size_per_mille)) {
                axis.least = choices_.integer(2, 9);
                axis.size = sare::constant(axis.least);
            } else {
                axis.least = least_sizes[choices_.weighted(policy_.least_size)];
                axis.size = sare::variable(sizes[a]);
                algorithm_.parameters.emplace_back(sizes[a]);
                assume(sare::compare(sare::Relation::ge, axis.size, sare::constant(axis.least)));
                if (choices_.boolean(policy_.divisible_per_mille)) {
                    assume(sare::compare(sare::Relation::eq, sare::floor_mod(axis.size, 4), sare::constant(0)));
                }
            }
            if (choices_.boolean(policy_.symbolic_minimum_per_mille)) {
                axis.min = sare::variable(minima[a]);
                axis.at_zero = false;
                algorithm_.parameters.emplace_back(minima[a]);
                assume(sare::compare(sare::Relation::ge, axis.min, sare::constant(0)));
            }
            axes_.push_back(std::move(axis));
        }
    }

    Type draw_type() { return drawn_types[choices_.weighted(policy_.types)]; }

    std::vector<std::size_t> draw_shape() {
        const std::size_t rank = choices_.weighted(policy_.rank);
        std::vector<std::size_t> order;
        for (std::size_t a = 0; a < axes_.size(); ++a) { order.push_back(a); }
        choices_.shuffle(order);
        std::vector<std::size_t> shape;
        for (std::size_t d = 0; d < rank; ++d) {
            shape.push_back(d < order.size() ? order[d] : choices_.one_of(order));
        }
        return shape;
    }

    void draw_input(std::size_t number) {
        std::vector<std::size_t> shape = draw_shape();
        if (shape.empty()) { shape.push_back(0); }
        Source source{"in" + std::to_string(number), {draw_type()}, std::move(shape), {3}};
        algorithm_.inputs.push_back({source.name, source.types.front(), static_cast<int>(source.axes.size())});
        inputs_.insert(source.name);
        sources_.push_back(std::move(source));
    }

    void draw_function(std::size_t number) {
        sare::Function f;
        f.name = std::string(1, static_cast<char>('f' + number));
        Source source{f.name, {}, draw_shape(), {}};
        const std::size_t components = choices_.boolean(policy_.tuple_per_mille) ? 2 : 1;
        for (std::size_t c = 0; c < components; ++c) { f.types.push_back(draw_type()); }
        source.types = f.types;
        variables_.clear();
        for (std::size_t d = 0; d < source.axes.size(); ++d) {
            f.variables.emplace_back(variable_names[d]);
            variables_.emplace_back(f.variables.back(), source.axes[d]);
        }
        for (const Type type : f.types) {
            Bounded value = draw_expr(type, choices_.weighted(policy_.operators));
            f.values.push_back(std::move(value.expr));
            source.magnitude.push_back(value.magnitude);
        }
        const std::size_t updates = choices_.weighted(policy_.updates);
        statements_ += components + f.variables.size() + 1;
        for (std::size_t u = 0; u < updates && statements_ <= 16; ++u) {
            draw_update(f, source);
            statements_ += f.variables.size() + f.updates.back().over.size() + 2;
        }
        sources_.push_back(std::move(source));
        algorithm_.functions.push_back(std::move(f));
    }

    // --- Updates ---

    sare::RecurrenceVariable recurrence(std::size_t number, std::int64_t skipped, std::size_t axis) {
        const Axis& a = axes_[axis];
        const std::string name = "r" + std::to_string(number);
        variables_.emplace_back(name, axis);
        return {name, a.min + sare::constant(skipped), a.size - sare::constant(skipped)};
    }

    void draw_update(sare::Function& f, Source& self) {
        sare::UpdateDefinition update;
        for (const std::string& v : f.variables) { update.target.push_back(sare::variable(v)); }
        variables_.resize(f.variables.size());
        const auto whole = variables_;
        const std::size_t rank = f.variables.size();
        const auto form = static_cast<UpdateForm>(choices_.weighted(policy_.update));
        std::optional<std::size_t> dimension;
        if (rank > 0) {
            dimension = static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(rank) - 1));
        }
        const auto replace = [&](Index index) {
            update.target[*dimension] = std::move(index);
            variables_.erase(variables_.begin() + static_cast<std::ptrdiff_t>(*dimension));
        };
        std::vector<Index> before = update.target;
        double steps = 1;
        if (form == UpdateForm::scan && dimension && axes_[self.axes[*dimension]].least >= 1) {
            replace(sare::variable("r0"));
            update.over.push_back(recurrence(0, 1, self.axes[*dimension]));
            before = update.target;
            before[*dimension] = sare::variable("r0") - sare::constant(1);
            steps = largest_size;
        } else if (form == UpdateForm::boundary && dimension && axes_[self.axes[*dimension]].at_zero) {
            replace(sare::constant(choices_.integer(0, 2)));
            before = update.target;
        } else if (form == UpdateForm::scatter && dimension && axes_[self.axes[*dimension]].at_zero) {
            replace(sare::floor_mod(sare::variable("r0"), 3));
            update.over.push_back(recurrence(0, 0, draw_axis()));
            before = update.target;
            steps = largest_size;
        } else if (form != UpdateForm::pointwise) {
            const std::size_t axis = draw_axis();
            update.over.push_back(recurrence(0, 0, axis));
            steps = largest_size;
            if (choices_.boolean(policy_.second_recurrence_per_mille)) {
                update.over.push_back(recurrence(1, 0, draw_axis()));
                steps *= largest_size;
            }
        }
        if (!update.over.empty() && choices_.boolean(policy_.where_per_mille)) { update.where = draw_where(); }
        for (std::size_t c = 0; c < f.types.size(); ++c) {
            update.values.push_back(draw_step(f, self, c, before, steps));
        }
        variables_ = whole;
        f.updates.push_back(std::move(update));
    }

    // Prefers an axis over which the function does not extend.
    std::size_t draw_axis() {
        std::vector<std::size_t> free;
        for (std::size_t a = 0; a < axes_.size(); ++a) {
            if (std::ranges::none_of(variables_, [&](const auto& v) { return v.second == a; })) { free.push_back(a); }
        }
        if (!free.empty() && choices_.boolean(policy_.new_axis_per_mille)) { return choices_.one_of(free); }
        return static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(axes_.size()) - 1));
    }

    sare::Condition draw_where() {
        const Index r = sare::variable(choices_.one_of(variables_).first);
        const Index other = sare::variable(choices_.one_of(variables_).first);
        if (r == other || choices_.boolean(policy_.where_remainder_per_mille)) {
            return sare::compare(sare::Relation::eq, sare::floor_mod(r, choices_.integer(2, 3)), sare::constant(0));
        }
        const Index shifted = simplified(other + sare::constant(choices_.integer(-1, 2)));
        const bool is_below = choices_.boolean(policy_.where_below_per_mille);
        return sare::compare(is_below ? sare::Relation::le : sare::Relation::gt, r, shifted);
    }

    // Combines the value before the step with a new one.
    Expr draw_step(const sare::Function& f, Source& self, std::size_t component, const std::vector<Index>& before,
                   double steps) {
        const Type type = f.types[component];
        const Expr old{sare::Access{f.name, before, static_cast<int>(component)}};
        Bounded by = choices_.boolean(policy_.self_mul_per_mille) ? product(type) : draw_expr(type, 1);
        double& magnitude = self.magnitude[component];
        static constexpr std::array ops{BinaryOp::add, BinaryOp::sub, BinaryOp::max, BinaryOp::min};
        BinaryOp op = ops[choices_.weighted(policy_.step)];
        const bool sums = op == BinaryOp::add || op == BinaryOp::sub;
        if (sums && magnitude + steps * by.magnitude > most(type)) { op = BinaryOp::max; }
        if (value::wraps(type)) {
            magnitude = most(type);
        } else {
            magnitude = op == BinaryOp::max || op == BinaryOp::min ? std::max(magnitude, by.magnitude)
                                                                   : magnitude + steps * by.magnitude;
        }
        return binary(op, old, std::move(by.expr));
    }

    // --- Expressions ---

    Bounded fitted(Type type, Expr expr, double magnitude) {
        if (value::wraps(type)) { return {std::move(expr), most(type)}; }
        if (magnitude <= most(type)) { return {std::move(expr), magnitude}; }
        return {binary(BinaryOp::min, binary(BinaryOp::max, std::move(expr), literal(type, -50)), literal(type, 50)),
                50};
    }

    Bounded product(Type type) {
        const Bounded a = leaf(type);
        const Bounded b = leaf(type);
        if (!value::wraps(type) && a.magnitude * b.magnitude > 2e9) { return a; }
        return fitted(type, binary(BinaryOp::mul, a.expr, b.expr), a.magnitude * b.magnitude);
    }

    Bounded draw_expr(Type type, std::size_t operators) {
        if (operators == 0) { return leaf(type); }
        switch (choices_.weighted(policy_.form)) {
            case 0: return combined(BinaryOp::add, type, operators);
            case 1: return combined(BinaryOp::sub, type, operators);
            case 2: return combined(BinaryOp::max, type, operators);
            case 3: return combined(BinaryOp::min, type, operators);
            case 4: return product(type);
            case 5: {
                const Bounded a = draw_expr(type, operators - 1);
                const std::int64_t factor = choices_.integer(2, 3);
                return fitted(type, binary(BinaryOp::mul, a.expr, literal(type, factor)),
                              a.magnitude * static_cast<double>(factor));
            }
            default: {
                const Bounded a = draw_expr(type, operators - 1);
                const Bounded b = leaf(type);
                return {Expr{sare::Select{binary(BinaryOp::lt, leaf(type).expr, literal(type, 1)), a.expr, b.expr}},
                        std::max(a.magnitude, b.magnitude)};
            }
        }
    }

    Bounded combined(BinaryOp op, Type type, std::size_t operators) {
        const Bounded a = draw_expr(type, operators - 1);
        const Bounded b = leaf(type);
        const bool sums = op == BinaryOp::add || op == BinaryOp::sub;
        const double magnitude = sums ? a.magnitude + b.magnitude : std::max(a.magnitude, b.magnitude);
        return fitted(type, binary(op, a.expr, b.expr), magnitude);
    }

    Bounded leaf(Type type) {
        const std::size_t what = choices_.weighted(policy_.leaf);
        if (what == 1) {
            const std::int64_t n = choices_.integer(value::is_unsigned_integer(type) ? 0 : -3, 4);
            return {literal(type, n), 4};
        }
        if (what == 2 && !variables_.empty()) {
            const auto& [name, axis] = choices_.one_of(variables_);
            return fitted(type, Expr{sare::Embed{type, sare::variable(name)}}, 2 * largest_size);
        }
        return access(type);
    }

    Bounded access(Type type) {
        struct Candidate {
            const Source* source;
            std::size_t component;
        };
        std::vector<Candidate> candidates;
        for (const Source& source : sources_) {
            for (std::size_t c = 0; c < source.types.size(); ++c) {
                if (!converts(source.types[c], source.magnitude[c], type)) { continue; }
                // Later tensors are likelier, so that functions form chains.
                const std::size_t copies = inputs_.contains(source.name) ? 1 : 3;
                candidates.insert(candidates.end(), copies, Candidate{&source, c});
            }
        }
        if (candidates.empty()) { return {literal(type, 1), 1}; }
        const Candidate chosen = choices_.one_of(candidates);
        const Source& source = *chosen.source;
        const bool is_input = inputs_.contains(source.name);
        std::vector<Index> indices;
        std::set<std::string> used;
        for (const std::size_t axis : source.axes) { indices.push_back(index(axis, is_input, used)); }
        Expr read{sare::Access{source.name, std::move(indices), static_cast<int>(chosen.component)}};
        const Type from = source.types[chosen.component];
        if (from == type) { return {std::move(read), source.magnitude[chosen.component]}; }
        return fitted(type, Expr{sare::Cast{type, std::move(read)}}, source.magnitude[chosen.component]);
    }

    // An index that stays near the axis. Prefers a variable that no other dimension uses.
    Index index(std::size_t axis, bool is_input, std::set<std::string>& used) {
        const Axis& a = axes_[axis];
        std::vector<std::string> names, unused;
        for (const auto& [name, of] : variables_) {
            if (of != axis) { continue; }
            names.push_back(name);
            if (!used.contains(name)) { unused.push_back(name); }
        }
        if (names.empty()) { return a.min + sare::constant(choices_.integer(0, 2)); }
        const std::string name = choices_.one_of(unused.empty() ? names : unused);
        used.insert(name);
        const Index v = sare::variable(name);
        const Index last = a.min + a.size - sare::constant(1);
        switch (static_cast<AccessKind>(choices_.weighted(policy_.access))) {
            case AccessKind::aligned: return v;
            case AccessKind::stencil:
                return simplified(v + sare::constant(choices_.one_of(std::array{-1, 1, -2, 2, 1, -1})));
            case AccessKind::reversed: return last - (a.at_zero ? v : v - a.min);
            case AccessKind::strided:
                if (!is_input || !a.at_zero) { return v; }
                return 2 * v + sare::constant(choices_.integer(0, 1));
            case AccessKind::halved: return a.at_zero ? sare::floor_div(v, 2) : v;
            case AccessKind::clamped:
                if (!a.at_zero) { return v; }
                return sare::min(sare::max(v + sare::constant(choices_.integer(-1, 1)), a.min), last);
            case AccessKind::modulo: return a.at_zero ? sare::floor_mod(v, choices_.integer(2, 4)) : v;
        }
        return v;
    }

    // --- Outputs ---

    // Requests the last function and all others that are not read; drops inputs that are not read.
    void request_what_is_unread() {
        std::set<std::string> read;
        for (const sare::Function& f : algorithm_.functions) {
            const auto note = [&](const sare::Access& access, const auto&) {
                if (access.tensor != f.name) { read.insert(access.tensor); }
            };
            for (const Expr& value : f.values) { sare::for_each_access(value, note); }
            for (const sare::UpdateDefinition& update : f.updates) {
                for (const Expr& value : update.values) { sare::for_each_access(value, note); }
            }
        }
        std::erase_if(algorithm_.inputs, [&](const sare::Input& input) { return !read.contains(input.name); });
        for (const sare::Function& f : algorithm_.functions) {
            if (read.contains(f.name)) { continue; }
            const auto source = std::ranges::find(sources_, f.name, &Source::name);
            sare::Output output{f.name, {}};
            for (const std::size_t axis : source->axes) {
                const std::int64_t shift =
                    choices_.boolean(policy_.shifted_output_per_mille) ? choices_.one_of(std::array{1, -2, 3}) : 0;
                output.box.push_back({axes_[axis].min + sare::constant(shift), axes_[axis].size});
            }
            algorithm_.outputs.push_back(std::move(output));
        }
    }

    Choices& choices_;
    const Policy& policy_;
    sare::Algorithm algorithm_;
    std::vector<Axis> axes_;
    std::vector<Source> sources_;
    std::set<std::string> inputs_;
    std::size_t statements_ = 0;                                  // upper bound for the naive program
    std::vector<std::pair<std::string, std::size_t>> variables_;  // in scope, with their axes
};

}  // namespace

sare::Algorithm draw_algorithm(Choices& choices, const Policy& policy) { return Builder(choices, policy).draw(); }

value::Value input_value(Type type, std::uint64_t hash) {
    if (type == Type::boolean) { return value::Value::boolean(hash % 2 == 0); }
    const auto n = static_cast<std::int64_t>(hash % 7) - 3;
    return value::Value::integer(type, value::is_unsigned_integer(type) ? std::abs(n) : n);
}

}  // namespace haruspex::transform
