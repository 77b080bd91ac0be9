#include "generators/tensor/reading.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/box.h"
#include "generators/sare/build.h"
#include "generators/sare/traverse.h"

namespace haruspex::tensor {

namespace {

using Reason = NoProgram::Reason;
// How often each variable occurs; no variable occurs 0 times.
using Counts = std::map<std::string, int>;
// The variable of each dimension.
using Dimensions = std::vector<std::string>;

// A chain of products can be read in exponentially many ways; to_sare's have few.
constexpr std::size_t most_readings = 256;

Counts operator+(Counts a, const Counts& b) {
    for (const auto& [name, count] : b) { a[name] += count; }
    return a;
}

std::optional<ElementOp> element_op(value::BinaryOp op) {
    for (const ElementOp candidate : {ElementOp::add, ElementOp::sub, ElementOp::mul, ElementOp::div}) {
        if (binary_op(candidate) == op) { return candidate; }
    }
    return std::nullopt;
}

struct Whole {
    Expr expr;
    Dimensions dimensions;
};

// Transposes until the dimensions have the wanted order, which is one of theirs.
Whole align(Whole whole, const Dimensions& wanted) {
    ENSURE(whole.dimensions.size() == wanted.size(), "both orders are of the same dimensions");
    for (std::size_t d = 0; d < wanted.size(); ++d) {
        if (whole.dimensions[d] == wanted[d]) { continue; }
        const auto found =
            std::find(whole.dimensions.begin() + static_cast<std::ptrdiff_t>(d), whole.dimensions.end(), wanted[d]);
        ENSURE(found != whole.dimensions.end(), "both orders are of the same dimensions");
        const auto other = static_cast<int>(found - whole.dimensions.begin());
        std::swap(whole.dimensions[d], *found);
        whole.expr = Expr{Transposition{std::move(whole.expr), {static_cast<int>(d) + 1, other + 1}}};
    }
    return whole;
}

class Reader {
public:
    // The first thing that no reading can have; nullopt if there is none.
    std::optional<Reason> obstacle() const { return obstacle_; }

    // The counts that some reading of the expression has.
    std::set<Counts> readings(const sare::Expr& expr) {
        if (const auto known = readings_.find(&expr); known != readings_.end()) { return known->second; }
        std::set<Counts> found = find_readings(expr);
        if (found.size() > most_readings) {
            refuse(Reason::ambiguous);
            found.clear();
        }
        return readings_[&expr] = std::move(found);
    }

    // The reading with the wanted counts, which is one of readings(expr).
    Whole read(const sare::Expr& expr, const Counts& wanted) {
        if (const auto* access = std::get_if<sare::Access>(&expr.node)) {
            return {Expr{Variable{access->tensor}}, *variables_of(*access)};
        }
        if (const auto* sum = std::get_if<sare::Reduce>(&expr.node)) { return read_sum(*sum, wanted); }
        const auto& n = std::get<sare::Binary>(expr.node);
        const ElementOp op = *element_op(n.op);
        const bool left = readings(*n.a).contains(wanted);
        const bool right = readings(*n.b).contains(wanted);
        if (left && right) { return both(op, n, wanted); }
        if (op == ElementOp::mul && right && readings(*n.a).contains(Counts{})) {
            Whole scalar = read(*n.a, {});
            Whole b = read(*n.b, wanted);
            return {Expr{Elementwise{op, std::move(scalar.expr), std::move(b.expr)}}, std::move(b.dimensions)};
        }
        if (op == ElementOp::div) {
            Whole a = read(*n.a, wanted);
            return {Expr{Elementwise{op, std::move(a.expr), read(*n.b, {}).expr}}, std::move(a.dimensions)};
        }
        return read_outer(n, wanted);
    }

private:
    std::set<Counts> refuse(Reason reason) {
        if (!obstacle_) { obstacle_ = reason; }
        return {};
    }

    static std::optional<Dimensions> variables_of(const sare::Access& access) {
        Dimensions names;
        for (const sare::Index& index : access.indices) {
            const auto* variable = std::get_if<sare::IndexVariable>(&index.node);
            if (variable == nullptr) { return std::nullopt; }
            names.push_back(variable->name);
        }
        return names;
    }

    std::set<Counts> find_readings(const sare::Expr& expr) {
        const auto other = [&](const auto&) { return refuse(Reason::operation); };
        return std::visit(
            Overload{
                [&](const sare::Literal& n) { return other(n); }, [&](const sare::Embed& n) { return other(n); },
                [&](const sare::Guard& n) { return other(n); }, [&](const sare::Access& n) { return of_access(n); },
                [&](const sare::Unary& n) { return other(n); }, [&](const sare::Binary& n) { return of_binary(n); },
                [&](const sare::Select& n) { return other(n); }, [&](const sare::Cast& n) { return other(n); },
                [&](const sare::Reduce& n) { return of_sum(n); }},
            expr.node);
    }

    std::set<Counts> of_access(const sare::Access& access) {
        const auto names = variables_of(access);
        if (!names) { return refuse(Reason::index); }
        Counts counts;
        for (const std::string& name : *names) { ++counts[name]; }
        return {counts};
    }

    std::set<Counts> of_binary(const sare::Binary& n) {
        const auto op = element_op(n.op);
        if (!op) { return refuse(Reason::operation); }
        const std::set<Counts> a = readings(*n.a);
        const std::set<Counts> b = readings(*n.b);
        std::set<Counts> found;
        std::ranges::set_intersection(a, b, std::inserter(found, found.end()));
        if (*op == ElementOp::mul) {
            for (const Counts& x : a) {
                for (const Counts& y : b) {
                    // More than two occurrences of a variable are never asked for.
                    const Counts sum = x + y;
                    if (std::ranges::all_of(sum, [](const auto& of) { return of.second <= 2; })) { found.insert(sum); }
                }
            }
        }
        if (*op == ElementOp::div && b.contains(Counts{})) { found.insert(a.begin(), a.end()); }
        return found;
    }

    std::set<Counts> of_sum(const sare::Reduce& sum) {
        if (sum.op != value::ReductionOp::sum) { return refuse(Reason::operation); }
        if (sum.variables.size() != 1) { return refuse(Reason::sum); }
        std::set<Counts> found;
        for (Counts counts : readings(*sum.body)) {
            const auto of = counts.find(sum.variables.front());
            if (of == counts.end() || of->second != 2) { continue; }
            counts.erase(of);
            found.insert(std::move(counts));
        }
        return found;
    }

    Whole read_sum(const sare::Reduce& sum, Counts wanted) {
        const std::string& name = sum.variables.front();
        wanted[name] = 2;
        Whole body = read(*sum.body, wanted);
        const auto first = std::ranges::find(body.dimensions, name);
        const auto second = std::find(first + 1, body.dimensions.end(), name);
        const Pair pair{static_cast<int>(first - body.dimensions.begin()) + 1,
                        static_cast<int>(second - body.dimensions.begin()) + 1};
        std::erase(body.dimensions, name);
        return {Expr{Contraction{std::move(body.expr), pair}}, std::move(body.dimensions)};
    }

    Whole both(ElementOp op, const sare::Binary& n, const Counts& wanted) {
        Whole a = read(*n.a, wanted);
        Whole b = align(read(*n.b, wanted), a.dimensions);
        return {Expr{Elementwise{op, std::move(a.expr), std::move(b.expr)}}, std::move(a.dimensions)};
    }

    Whole read_outer(const sare::Binary& n, const Counts& wanted) {
        for (const Counts& x : readings(*n.a)) {
            for (const Counts& y : readings(*n.b)) {
                if (x + y != wanted) { continue; }
                Whole a = read(*n.a, x);
                Whole b = read(*n.b, y);
                a.dimensions.insert(a.dimensions.end(), b.dimensions.begin(), b.dimensions.end());
                return {Expr{Outer{std::move(a.expr), std::move(b.expr)}}, std::move(a.dimensions)};
            }
        }
        raise_internal_error(__FILE__, __LINE__, "the product has no reading with these occurrences");
    }

    std::map<const sare::Expr*, std::set<Counts>> readings_;  // looked up only, so that no order of addresses counts
    std::optional<Reason> obstacle_;
};

}  // namespace

std::expected<Expr, Reason> read_whole(const sare::Expr& value, const std::vector<std::string>& variables) {
    Reader reader;
    Counts wanted;
    for (const std::string& name : variables) { wanted[name] = 1; }
    const bool readable = reader.readings(value).contains(wanted);
    if (const auto obstacle = reader.obstacle()) { return std::unexpected(*obstacle); }
    if (!readable) { return std::unexpected(Reason::occurrences); }
    return align(reader.read(value, wanted), variables).expr;
}

std::optional<sare::Index> extent_of_sum(const sare::Reduce& sum, const std::vector<std::string>& parameters) {
    const auto box = sare::box_of(sum.domain, sum.variables);
    if (!box || box->size() != 1 || box->front().min != sare::constant(0)) { return std::nullopt; }
    const sare::Index& extent = box->front().extent;
    const auto free = sare::free_variables(extent);
    const auto is_parameter = [&](const std::string& name) {
        return std::ranges::find(parameters, name) != parameters.end();
    };
    return std::ranges::all_of(free, is_parameter) ? std::optional(extent) : std::nullopt;
}

}  // namespace haruspex::tensor
