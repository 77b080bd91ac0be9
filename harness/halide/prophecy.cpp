#include "harness/halide/prophecy.h"

#include <set>
#include <vector>

namespace haruspex::halide {
namespace {

using namespace Halide::Internal;
using Halide::Expr;

constexpr const char* prefix = "prophecy:";

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

    Stmt visit(const LetStmt* let) override {
        return in_scope(let->name, [&] { return IRMutator::visit(let); });
    }

    Stmt visit(const Provide* provide) override {
        const auto found = environment_.find(provide->name);
        if (found == environment_.end()) { return provide; }
        const Function& function = found->second;
        const int stage = stage_of(function.name());
        if (stage < 0 || stage > static_cast<int>(function.updates().size())) { return provide; }
        std::vector<Expr> indices = provide->args;
        if (stage > 0) {
            for (const ReductionVariable& r : function.update(stage - 1).schedule().rvars()) {
                const std::string name = function.name() + ".s" + std::to_string(stage) + "." + r.var;
                if (!in_scope_.contains(name)) { return provide; }
                indices.push_back(Variable::make(Halide::Int(32), name));
            }
        }
        const std::string tensor =
            function.updates().empty() ? function.name() : function.name() + "." + std::to_string(stage);
        std::vector<Expr> values;
        for (std::size_t k = 0; k < provide->values.size(); ++k) {
            std::vector<Expr> arguments{provide->values[k]};
            arguments.insert(arguments.end(), indices.begin(), indices.end());
            values.push_back(Call::make(provide->values[k].type(), prefix + std::to_string(k) + ":" + tensor, arguments,
                                        Call::PureExtern));
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

    // The innermost loop of the function says it: f.s<stage>.<variable>. -1 when there is none.
    int stage_of(const std::string& function) const {
        const std::string start = function + ".s";
        for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
            if (!loop->starts_with(start)) { continue; }
            const std::size_t dot = loop->find('.', start.size());
            const std::string digits = loop->substr(start.size(), dot - start.size());
            if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos) {
                return std::stoi(digits);
            }
        }
        return -1;
    }

    const std::map<std::string, Function>& environment_;
    std::vector<std::string> loops_;
    std::set<std::string> in_scope_;
};

}  // namespace

Stmt foretell(const Stmt& statement, const std::map<std::string, Function>& environment) {
    return Foreteller(environment).mutate(statement);
}

std::optional<Prophecy> prophecy_of(const Call& call) {
    const std::string& name = call.name;
    const std::string start = prefix;
    if (!name.starts_with(start)) { return std::nullopt; }
    const std::size_t colon = name.find(':', start.size());
    return Prophecy{name.substr(colon + 1), std::stoi(name.substr(start.size(), colon - start.size()))};
}

}  // namespace haruspex::halide
