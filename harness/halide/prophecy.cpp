#include "harness/halide/prophecy.h"

#include <utility>
#include <vector>

#include "harness/halide/reduction_order.h"

namespace haruspex::halide {
namespace {

using namespace Halide::Internal;
using Halide::Expr;

constexpr const char* prefix = "prophecy:";
constexpr const char* hidden = "prophecy#";

class Foreteller : public IRMutator {
public:
    Foreteller(const std::map<std::string, Function>& environment, const std::set<std::pair<std::string, int>>& merged)
        : environment_(environment), merged_(merged) {}

private:
    using IRMutator::visit;

    Stmt visit(const For* loop) override {
        loops_.push_back(loop->name);
        Stmt result = in_scope(loop->name, [&] { return IRMutator::visit(loop); });
        loops_.pop_back();
        return result;
    }

    Stmt visit(const LetStmt* let) override {
        return in_scope(let->name, [&] { return IRMutator::visit(let); });
    }

    Stmt visit(const Provide* provide) override {
        const auto found = environment_.find(provide->name);
        if (found == environment_.end()) { return provide; }
        const Function& function = found->second;
        const int stage = stage_of(function);
        if (stage < 0 || stage > static_cast<int>(function.updates().size())) { return provide; }
        std::vector<Expr> indices = provide->args;
        if (stage > 0) {
            if (merged_.contains({function.name(), stage - 1}) || !keeps_order(function, stage - 1)) { return provide; }
            for (const ReductionVariable& r : function.update(stage - 1).schedule().rvars()) {
                const std::string name = function.name() + ".s" + std::to_string(stage) + "." + r.var;
                if (!in_scope_.contains(name)) { return provide; }
                indices.push_back(Variable::make(Halide::Int(32), name));
            }
        }
        const std::string stage_number = function.updates().empty() ? "" : std::to_string(stage);
        std::vector<Expr> values;
        for (std::size_t k = 0; k < provide->values.size(); ++k) {
            std::vector<Expr> arguments{provide->values[k]};
            arguments.insert(arguments.end(), indices.begin(), indices.end());
            values.push_back(Call::make(provide->values[k].type(),
                                        prefix + std::to_string(k) + ":" + stage_number + ":" + function.name(),
                                        arguments, Call::PureExtern));
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

    // The innermost loop of the function says it: f.s<stage>.<variable>. Without one it is the stage that has no loops,
    // if there is only one. -1 when nothing says it.
    int stage_of(const Function& function) const {
        const std::string start = function.name() + ".s";
        for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
            if (!loop->starts_with(start)) { continue; }
            const std::size_t dot = loop->find('.', start.size());
            const std::string digits = loop->substr(start.size(), dot - start.size());
            if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos) {
                return std::stoi(digits);
            }
        }
        // All stages have the outermost loop, which is gone by now.
        const auto has_loops = [](const Halide::Internal::StageSchedule& schedule) {
            return schedule.dims().size() > 1;
        };
        int found = has_loops(function.definition().schedule()) ? -1 : 0;
        for (std::size_t u = 0; u < function.updates().size(); ++u) {
            if (has_loops(function.update(static_cast<int>(u)).schedule())) { continue; }
            if (found >= 0) { return -1; }
            found = static_cast<int>(u) + 1;
        }
        return found;
    }

    const std::map<std::string, Function>& environment_;
    const std::set<std::pair<std::string, int>>& merged_;
    std::vector<std::string> loops_;
    std::set<std::string> in_scope_;
};

}  // namespace

Stmt foretell(const Stmt& statement, const std::map<std::string, Function>& environment,
              const std::set<std::pair<std::string, int>>& merged) {
    return Foreteller(environment, merged).mutate(statement);
}

Stmt hide_as_lets(const Stmt& statement) {
    class Hider : public IRMutator {
        using IRMutator::visit;
        Expr visit(const Call* call) override {
            if (!prophecy_of(*call)) { return IRMutator::visit(call); }
            std::vector<Expr> arguments = call->args;
            const Expr value = mutate(arguments[0]);
            arguments[0] = make_zero(value.type());
            const Expr foretold = Call::make(call->type, call->name, arguments, Call::PureExtern);
            return Let::make(hidden + std::to_string(count_++), foretold, value);
        }
        int count_ = 0;
    };
    return Hider().mutate(statement);
}

Stmt show_as_calls(const Stmt& statement) {
    class Shower : public IRMutator {
        using IRMutator::visit;
        Expr visit(const Let* let) override {
            const Call* foretold = let->value.as<Call>();
            if (!let->name.starts_with(hidden) || foretold == nullptr) { return IRMutator::visit(let); }
            std::vector<Expr> arguments = foretold->args;
            arguments[0] = mutate(let->body);
            return Call::make(foretold->type, foretold->name, arguments, Call::PureExtern);
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
