#include "harness/halide/prophecy.h"

#include <algorithm>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/halide/reduction_order.h"

namespace haruspex::halide {
namespace {

using namespace Halide::Internal;
using Halide::Expr;

constexpr const char* prefix = "prophecy:";
constexpr const char* hidden = "prophecy#";

// Returns f(x) op e as f(x) op change(e), where f(x) is the cell that is stored to. Undefined for other values.
template <typename Change>
Expr with_addend(const Provide& provide, const Expr& value, const Change& change) {
    const auto is_own = [&](const Expr& e) {
        const Call* read = e.as<Call>();
        return read != nullptr && read->call_type == Call::Halide && read->name == provide.name &&
               std::ranges::equal(read->args, provide.args, [](const Expr& a, const Expr& b) { return equal(a, b); });
    };
    const auto changed = [&](const auto* op) {
        using Op = std::remove_cvref_t<decltype(*op)>;
        if (is_own(op->a)) { return Op::make(op->a, change(op->b)); }
        return is_own(op->b) ? Op::make(change(op->a), op->b) : Expr();
    };
    if (const Let* let = value.as<Let>()) {
        const Expr body = with_addend(provide, let->body, change);
        return body.defined() ? Let::make(let->name, let->value, body) : Expr();
    }
    if (const Add* add = value.as<Add>()) { return changed(add); }
    if (const Mul* mul = value.as<Mul>()) { return changed(mul); }
    if (const Min* min = value.as<Min>()) { return changed(min); }
    if (const Max* max = value.as<Max>()) { return changed(max); }
    if (const And* both = value.as<And>()) { return changed(both); }
    if (const Or* either = value.as<Or>()) { return changed(either); }
    return {};
}

class Foreteller : public IRMutator {
public:
    explicit Foreteller(const std::map<std::string, Function>& environment) : environment_(environment) {}

private:
    using IRMutator::visit;

    Stmt visit(const For* loop) override {
        loops_.push_back(loop->name);
        Stmt result = in_scope(loop->name, [&] { return IRMutator::visit(loop); });
        loops_.pop_back();
        return result;
    }

    Stmt visit(const ProducerConsumer* producer) override {
        if (producer->is_producer) { last_stages_.insert_or_assign(producer->name, -1); }
        return IRMutator::visit(producer);
    }

    Stmt visit(const LetStmt* let) override {
        return in_scope(let->name, [&] { return IRMutator::visit(let); });
    }

    // A specialised stage stores in each branch.
    Stmt visit(const IfThenElse* branches) override {
        const std::map<std::string, int> before = last_stages_;
        Stmt then = mutate(branches->then_case);
        std::map<std::string, int> after = std::exchange(last_stages_, before);
        Stmt otherwise = branches->else_case.defined() ? mutate(branches->else_case) : Stmt();
        for (const auto& [function, stage] : after) {
            int& last = last_stages_.try_emplace(function, stage).first->second;
            last = std::max(last, stage);
        }
        return IfThenElse::make(branches->condition, std::move(then), std::move(otherwise));
    }

    Stmt visit(const Provide* provide) override {
        const auto found = environment_.find(provide->name);
        if (found == environment_.end()) { return provide; }
        const Function& function = found->second;
        const int stage = stage_of(function);
        if (stage < 0 || stage > static_cast<int>(function.updates().size())) { return provide; }
        std::vector<Expr> indices = provide->args;
        const bool keeps = stage == 0 || keeps_order(function, stage - 1);
        if (!keeps && !reduces_in_any_order(function, stage - 1)) { return provide; }
        if (stage > 0) {
            for (const ReductionVariable& r : function.update(stage - 1).schedule().rvars()) {
                const std::string name = function.name() + ".s" + std::to_string(stage) + "." + r.var;
                if (!in_scope_.contains(name)) { return provide; }
                indices.push_back(Variable::make(Halide::Int(32), name));
            }
        }
        const std::string stage_number = function.updates().empty() ? "" : std::to_string(stage);
        const auto around = [&](const Expr& value, std::size_t component) {
            std::vector<Expr> arguments{value};
            arguments.insert(arguments.end(), indices.begin(), indices.end());
            return Call::make(value.type(),
                              prefix + std::to_string(component) + ":" + stage_number + ":" + function.name(),
                              arguments, Call::PureExtern);
        };
        std::vector<Expr> values;
        const bool is_atomic = stage > 0 && function.update(stage - 1).schedule().atomic();
        Expr accumulated;
        if (is_atomic && provide->values.size() == 1) {
            accumulated = with_addend(*provide, provide->values[0], [&](const Expr& e) { return around(e, 0); });
        }
        // The call around the whole value would change how the update is vectorised.
        if (is_atomic && !keeps && !accumulated.defined()) { return provide; }
        for (std::size_t k = 0; k < provide->values.size(); ++k) {
            values.push_back(accumulated.defined() ? accumulated : around(provide->values[k], k));
        }
        return Provide::make(provide->name, values, provide->args, provide->predicate);
    }

    template <typename Visit>
    Stmt in_scope(const std::string& name, Visit visit) {
        const bool fresh = in_scope_.insert(name).second;
        Stmt result = visit();
        if (fresh) { in_scope_.erase(name); }
        return result;
    }

    // Returns the stage from the function's innermost loop, f.s<stage>.<variable>. Without such a loop it is the stage
    // after the last one that was stored to, if that stage has no loops. -1 if unknown.
    int stage_of(const Function& function) {
        int& last = last_stages_.try_emplace(function.name(), -1).first->second;
        const std::string start = function.name() + ".s";
        for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
            if (!loop->starts_with(start)) { continue; }
            const std::size_t dot = loop->find('.', start.size());
            const std::string digits = loop->substr(start.size(), dot - start.size());
            if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos) {
                return last = std::stoi(digits);
            }
        }
        const int next = last + 1;
        if (next > static_cast<int>(function.updates().size())) { return -1; }
        const Definition& definition = next == 0 ? function.definition() : function.update(next - 1);
        // All stages have the outermost loop, which is already removed.
        const bool has_no_loops = definition.schedule().dims().size() == 1;
        return has_no_loops ? last = next : -1;
    }

    const std::map<std::string, Function>& environment_;
    std::vector<std::string> loops_;
    std::set<std::string> in_scope_;
    std::map<std::string, int> last_stages_;  // by function, within its producer that is being walked
};

}  // namespace

Stmt add_prophecies(const Stmt& statement, const std::map<std::string, Function>& environment) {
    return Foreteller(environment).mutate(statement);
}

Stmt hide_as_lets(const Stmt& statement) {
    class Hider : public IRMutator {
        using IRMutator::visit;
        Expr visit(const Call* call) override {
            if (!prophecy_of(*call)) { return IRMutator::visit(call); }
            std::vector<Expr> arguments = call->args;
            const Expr value = mutate(arguments[0]);
            arguments[0] = make_zero(value.type());
            const Expr prophesied = Call::make(call->type, call->name, arguments, Call::PureExtern);
            return Let::make(hidden + std::to_string(count_++), prophesied, value);
        }
        int count_ = 0;
    };
    return Hider().mutate(statement);
}

Stmt show_as_calls(const Stmt& statement) {
    class Shower : public IRMutator {
        using IRMutator::visit;
        Expr visit(const Let* let) override {
            const Call* prophesied = let->value.as<Call>();
            if (!let->name.starts_with(hidden) || prophesied == nullptr) { return IRMutator::visit(let); }
            std::vector<Expr> arguments = prophesied->args;
            arguments[0] = mutate(let->body);
            return Call::make(prophesied->type, prophesied->name, arguments, Call::PureExtern);
        }
    };
    return Shower().mutate(statement);
}

std::optional<Prophecy> prophecy_of(const Call& call) {
    const std::string& name = call.name;
    const std::string start = prefix;
    if (!name.starts_with(start)) { return std::nullopt; }
    const std::size_t first = name.find(':', start.size());
    const std::size_t second = name.find(':', first + 1);
    const std::string stage = name.substr(first + 1, second - first - 1);
    return Prophecy{name.substr(second + 1), stage.empty() ? std::nullopt : std::optional(std::stoi(stage)),
                    std::stoi(name.substr(start.size(), first - start.size()))};
}

}  // namespace haruspex::halide
