#include <algorithm>
#include <set>
#include <utility>

#include "harness/halide/translator.h"

// Finds the prophecy of a store.
namespace haruspex::halide {

using namespace Halide::Internal;
using Halide::Expr;

// Finds prophecies and shuffles in an expression and in the definitions of the lets that it mentions. Lets of the
// expression that enclose them are put around their parts.
ExpressionTranslator::Found ExpressionTranslator::find_prophecies(const Expr& value) {
    class Finder : public IRGraphVisitor {
    public:
        explicit Finder(const Bindings& scope) : scope_(scope) {}
        Found found;

    private:
        using IRGraphVisitor::visit;
        void visit(const Call* c) override {
            if (const auto p = prophecy_of(*c)) {
                FoundProphecy prophecy{*p, c->type.lanes(), {}, reduced_by_};
                for (std::size_t i = 1; i < c->args.size(); ++i) {
                    prophecy.indices.push_back(within_lets(c->args[i]));
                }
                found.prophecies.push_back(std::move(prophecy));
            }
            IRGraphVisitor::visit(c);
        }
        void visit(const Shuffle* s) override {
            std::vector<Expr> vectors;
            for (const Expr& vector : s->vectors) { vectors.push_back(within_lets(vector)); }
            found.shuffles.push_back(Shuffle::make(vectors, s->indices));
            IRGraphVisitor::visit(s);
        }
        void visit(const VectorReduce* reduce) override {
            const Expr outer = std::exchange(reduced_by_, reduce);
            IRGraphVisitor::visit(reduce);
            reduced_by_ = outer;
        }
        void visit(const Let* let) override {
            include(let->value);
            lets_.push_back(let);
            include(let->body);
            lets_.pop_back();
        }
        void visit(const Variable* v) override {
            const auto let = scope_.find(v->name);
            if (let == scope_.end() || !let->second.definition.defined() || !seen_.insert(v->name).second) { return; }
            include(let->second.definition);
        }
        Expr within_lets(Expr e) const {
            for (auto let = lets_.rbegin(); let != lets_.rend(); ++let) {
                if (expr_uses_var(e, (*let)->name)) { e = Let::make((*let)->name, (*let)->value, e); }
            }
            return e;
        }

        const Bindings& scope_;
        Expr reduced_by_;
        std::set<std::string> seen_;
        std::vector<const Let*> lets_;
    };
    Finder finder(scope_);
    value.accept(&finder);
    return std::move(finder.found);
}

std::optional<ExpressionTranslator::FoundProphecy> ExpressionTranslator::prophesied(const Expr& value,
                                                                                    const std::string& array) {
    const Found found = find_prophecies(value);
    const auto own = [&](const auto& fits) -> std::optional<FoundProphecy> {
        const auto it = std::ranges::find_if(found.prophecies, [&](const FoundProphecy& f) {
            const Prophecy& p = f.prophecy;
            const bool is_own = array == p.function || array == p.function + "." + std::to_string(p.component);
            return is_own && fits(f);
        });
        return it == found.prophecies.end() ? std::nullopt : std::optional(*it);
    };
    const auto with_lanes = [&](int lanes) {
        return own([&](const FoundProphecy& f) { return !f.reduced_by.defined() && f.lanes == lanes; });
    };
    if (auto one = with_lanes(value.type().lanes())) { return one; }
    // Each lane reduces several steps.
    const auto several = own([&](const FoundProphecy& f) {
        return f.reduced_by.defined() && f.reduced_by.type().lanes() == value.type().lanes() &&
               f.lanes == f.reduced_by.as<VectorReduce>()->value.type().lanes();
    });
    if (several) { return several; }
    // A value that is put together from parts is prophesied part by part.
    for (const Expr& e : found.shuffles) {
        const auto& shuffle = *e.as<Shuffle>();
        if (shuffle.type.lanes() != value.type().lanes()) { continue; }
        std::optional<FoundProphecy> whole;
        std::vector<std::vector<Expr>> indices;  // by index, for each vector
        for (const Expr& vector : shuffle.vectors) {
            const auto part = prophesied(vector, array);
            const bool fits = part && (!whole || (whole->prophecy.stage == part->prophecy.stage &&
                                                  whole->indices.size() == part->indices.size()));
            if (!fits) {
                whole.reset();
                break;
            }
            if (!whole) { whole = part; }
            indices.resize(part->indices.size());
            const int lanes = vector.type().lanes();
            for (std::size_t k = 0; k < indices.size(); ++k) {
                const Expr& index = part->indices[k];
                indices[k].push_back(index.type().lanes() == lanes ? index : Broadcast::make(index, lanes));
            }
        }
        if (!whole) { continue; }
        for (std::size_t k = 0; k < indices.size(); ++k) {
            whole->indices[k] = Shuffle::make(indices[k], shuffle.indices);
        }
        return whole;
    }
    // A value that is the same in all lanes has a prophecy without lanes, inside the broadcast.
    return with_lanes(1);
}

std::optional<sched::Expr> ExpressionTranslator::prophecy(const Expr& value, const std::string& array,
                                                          const Lane& lane) {
    const auto found = prophesied(value, array);
    if (!found) { return std::nullopt; }
    const Prophecy& p = found->prophecy;
    sched::TensorAccess access{readable(p.function) + (p.stage ? "." + std::to_string(*p.stage) : ""), {}, p.component};
    const auto at = [&](const Lane& of_lane) {
        for (const Expr& e : found->indices) {
            access.indices.push_back(index(e, e.type().is_scalar() ? Lane{} : of_lane));
        }
        return sched::Expr{std::move(access)};
    };
    const auto* reduce = found->reduced_by.as<VectorReduce>();
    if (reduce == nullptr) { return at(lane); }
    const int factor = found->lanes / reduce->type.lanes();
    const sched::Lanes lanes = take_lanes(factor);
    const Term step = index_term(sched::Expr{sched::Variable{lanes.variable}});
    const Term first =
        lane ? arithmetic(sched::IndexOp::mul, value::BinaryOp::mul, index_term(*lane), integer(factor)) : integer(0);
    sched::Expr body = at(as_index(arithmetic(sched::IndexOp::add, value::BinaryOp::add, first, step)));
    release_lane();
    return sched::Expr{sched::LaneReduce{operator_of(*reduce), lanes, std::move(body)}};
}

}  // namespace haruspex::halide
