#include "oracle/conversion/dimensions.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/sched/normal_form.h"
#include "harness/sched/polynomials.h"
#include "harness/sched/traverse.h"
#include "oracle/conversion/delinearisation.h"
#include "oracle/conversion/in_scope.h"

namespace haruspex::conversion {
namespace {

using sched::Polynomial;
using sched::Polynomials;

constexpr std::size_t most_dimensions = 5;

// Appends the factors of a product as it is written, those of the left operand first; one of them may be a product
// itself.
void collect_factors(const sched::Expr& expr, std::vector<const sched::Expr*>& factors) {
    const auto* product = std::get_if<sched::IndexBinary>(&expr.node);
    if (product != nullptr && product->op == sched::IndexOp::mul) {
        collect_factors(*product->a, factors);
        factors.push_back(&*product->b);
    } else {
        factors.push_back(&expr);
    }
}

Supported<void> split(sched::Block& statements) {
    for (sched::Stmt& statement : statements) {
        if (auto* allocation = std::get_if<sched::Allocate>(&statement.node)) {
            const auto is_linear = [](const std::vector<sched::Dimension>& dimensions) {
                return dimensions.size() == 1 && !dimensions[0].stride &&
                       dimensions[0].min == sched::Expr{sched::Integer{0}};
            };
            if (!is_linear(allocation->dimensions)) {
                return not_supported("memory that is not linear", allocation->array);
            }
            const sched::Expr extent = std::move(allocation->dimensions[0].extent);
            std::vector<const sched::Expr*> factors;
            collect_factors(extent, factors);
            allocation->dimensions.clear();
            for (const sched::Expr* factor : factors) {
                allocation->dimensions.push_back({*factor, {sched::Integer{0}}, {}});
            }
        }
        Supported<void> result;
        sched::for_each_block(statement, [&](sched::Block& inner) {
            if (result) { result = split(inner); }
        });
        if (!result) { return result; }
    }
    return {};
}

// Positions of dimensions, the innermost one first.
using Order = std::vector<std::size_t>;

struct Memory {
    sched::Allocate* allocation = nullptr;
    std::vector<Polynomial> extents;
    std::vector<Polynomial> indices;  // of its accesses
};

// The cost of storing memory in one order.
struct Left {
    std::size_t products = 0;  // accesses that have no coordinates free of products
    std::size_t zeros = 0;     // coordinates that are 0: an unused dimension may be misplaced
    auto operator<=>(const Left&) const = default;
};

class Orders {
public:
    explicit Orders(sched::Program& program) : polynomials_(atoms_), forms_(atoms_) {
        for_each_in_scope(
            program.body, forms_,
            [&](sched::Expr& expr) {
                if (const auto* load = std::get_if<sched::Load>(&expr.node)) { meet(load->array, load->indices); }
            },
            [&](sched::Stmt& statement) {
                if (auto* allocation = std::get_if<sched::Allocate>(&statement.node)) { enter(*allocation); }
                const auto* assign = std::get_if<sched::Assign>(&statement.node);
                if (assign == nullptr) { return; }
                for (const sched::Write& write : assign->writes) { meet(write.array, write.indices); }
            });
    }

    void apply() {
        for (const Memory& memory : memories_) {
            const Order order = best(memory);
            std::vector<sched::Dimension> dimensions;
            for (const std::size_t d : order) { dimensions.push_back(std::move(memory.allocation->dimensions[d])); }
            memory.allocation->dimensions = std::move(dimensions);
        }
    }

private:
    void enter(sched::Allocate& allocation) {
        Memory memory{&allocation, {}, {}};
        for (const sched::Dimension& d : allocation.dimensions) { memory.extents.push_back(forms_.of(d.extent)); }
        in_scope_.insert_or_assign(allocation.array, memories_.size());
        memories_.push_back(std::move(memory));
    }

    void meet(const std::string& array, const std::vector<sched::Expr>& indices) {
        const auto place = in_scope_.find(array);
        if (place == in_scope_.end()) { return; }
        const Polynomial index = forms_.of(indices.at(0));
        std::vector<Polynomial>& known = memories_[place->second].indices;
        if (std::ranges::find(known, index) == known.end()) { known.push_back(index); }
    }

    Order best(const Memory& memory) const {
        Order order(memory.extents.size());
        std::iota(order.begin(), order.end(), 0);
        Order best = order;
        auto fewest = left_by(memory, order);
        if (!fewest || fewest->products == 0 || order.size() > most_dimensions) { return best; }
        while (std::ranges::next_permutation(order).found) {
            if (const auto left = left_by(memory, order, fewest); left && *left < *fewest) {
                fewest = left;
                best = order;
            }
        }
        return best;
    }

    // nullopt if an extent becomes too large. Counting stops once the result exceeds `fewest`.
    std::optional<Left> left_by(const Memory& memory, const Order& order,
                                const std::optional<Left>& fewest = std::nullopt) const {
        std::vector<Polynomial> strides;
        Polynomial stride = Polynomials::constant(1);
        for (std::size_t k = 0; k + 1 < order.size(); ++k) {
            const Polynomial& extent = memory.extents[order[k]];
            if (Polynomials::as_constant(extent) == 1) { continue; }
            auto next = polynomials_.multiply(stride, extent);
            if (!next) { return std::nullopt; }
            stride = std::move(*next);
            strides.push_back(stride);
        }
        Left left;
        for (const Polynomial& index : memory.indices) {
            if (fewest && left > *fewest) { break; }
            const auto found = coordinates(index, strides, polynomials_);
            if (!found || std::ranges::any_of(*found, [&](const Polynomial& c) { return has_product(c); })) {
                ++left.products;
            } else {
                left.zeros += static_cast<std::size_t>(std::ranges::count(*found, Polynomial{}));
            }
        }
        return left;
    }

    bool has_product(const Polynomial& form) const {
        return std::ranges::any_of(form, [&](const auto& term) { return sched::is_product(term.first, atoms_); });
    }

    sched::Atoms atoms_;
    Polynomials polynomials_;
    sched::NormalForms forms_;
    std::vector<Memory> memories_;
    std::map<std::string, std::size_t> in_scope_;  // places in memories_
};

}  // namespace

Supported<void> split_dimensions(sched::Program& program) { return split(program.body); }

void order_dimensions(sched::Program& program) { Orders(program).apply(); }

}  // namespace haruspex::conversion
