#include "oracle/validator/flow/float_flow.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include "generators/base/overload.h"
#include "generators/value/type.h"
#include "harness/sched/traverse.h"

namespace haruspex::validator {
namespace {

// The names that floats flow into. Prophecies are left out: nothing that runs reads them.
class Flow {
public:
    Flow(const sched::Program& program, std::set<sare::Component> of_floats) : of_floats_(std::move(of_floats)) {
        for (const sched::Array& array : program.arrays) { declare(array.name, array.type); }
        for (std::size_t before = reached_.size() + 1; before != reached_.size();) {
            before = reached_.size();
            sched::for_each_statement(program.body, [&](const sched::Stmt& statement) { follow(statement); });
        }
    }

    bool decides() const { return decides_; }
    bool reaches(const std::string& name) const { return reached_.contains(name); }

    bool uses_floats_as_prophesied(const sched::Write& write) {
        if (!write.prophecy) { return true; }
        return is_of_floats(*write.prophecy) ? reaches(write.array) : !is_of_floats(write.value);
    }

private:
    void declare(const std::string& name, value::Type type) {
        if (value::is_float(type)) { reached_.insert(name); }
    }

    void follow(const sched::Stmt& statement) {
        std::visit(Overload{[&](const sched::LetValue& s) {
                                declare(s.name, s.type);
                                if (is_of_floats(s.value)) { reached_.insert(s.name); }
                            },
                            [&](const sched::Allocate& s) {
                                declare(s.array, s.type);
                                decide(statement);
                            },
                            [&](const sched::Assign& s) { follow(s); }, [&](const auto&) { decide(statement); }},
                   statement.node);
    }

    void follow(const sched::Assign& assign) {
        if (assign.condition) { decide(*assign.condition); }
        for (const sched::Write& write : assign.writes) {
            for (const sched::Expr& index : write.indices) { decide(index); }
            if (write.accumulation) {
                for (const sched::Expr& index : write.accumulation->reduced) { decide(index); }
            }
            if (is_of_floats(write.value)) { reached_.insert(write.array); }
        }
    }

    void decide(const sched::Stmt& statement) {
        sched::for_each_part(statement, [&](const sched::Expr& part) { decide(part); });
    }
    void decide(const sched::Expr& expr) { decides_ = is_of_floats(expr) || decides_; }

    bool is_of_floats(const sched::Expr& expr) {
        return std::visit(Overload{[](const sched::Literal& n) { return value::is_float(n.value.type()); },
                                   [&](const sched::Embed& n) { return has_part(expr) || value::is_float(n.type); },
                                   [&](const sched::Cast& n) { return has_part(expr) || value::is_float(n.type); },
                                   [&](const sched::ValueVariable& n) { return is_decided(expr) || reaches(n.name); },
                                   [&](const sched::Load& n) { return is_decided(expr) || reaches(n.array); },
                                   [&](const sched::IntegerOf&) { return is_decided(expr); },
                                   [&](const sched::TensorAccess& n) {
                                       return has_part(expr) ||
                                              of_floats_.contains({n.tensor, static_cast<std::size_t>(n.component)});
                                   },
                                   [&](const sched::LetValueIn& n) {
                                       declare(n.name, n.type);
                                       if (is_of_floats(*n.value)) { reached_.insert(n.name); }
                                       return is_of_floats(*n.body);
                                   },
                                   [&](const sched::LetIn& n) {
                                       decide(*n.value);
                                       return is_of_floats(*n.body);
                                   },
                                   [&](const auto&) { return has_part(expr); }},
                          expr.node);
    }

    // Whether a part of the expression is of floats; all parts are followed.
    bool has_part(const sched::Expr& expr) {
        bool has = false;
        sched::for_each_part(expr, [&](const sched::Expr& part) { has = is_of_floats(part) || has; });
        return has;
    }

    // The same for an expression whose parts are lanes, indices and guards, and so control execution.
    bool is_decided(const sched::Expr& expr) {
        const bool is = has_part(expr);
        decides_ = is || decides_;
        return is;
    }

    std::set<sare::Component> of_floats_;
    std::set<std::string> reached_;
    bool decides_ = false;
};

}  // namespace

bool use_floats_as_prophesied(const sched::Program& program, const std::set<sare::Component>& of_floats) {
    Flow flow(program, of_floats);
    bool are = true;
    sched::for_each_statement(program.body, [&](const sched::Stmt& statement) {
        const auto* assign = std::get_if<sched::Assign>(&statement.node);
        if (assign == nullptr) { return; }
        for (const sched::Write& write : assign->writes) { are = flow.uses_floats_as_prophesied(write) && are; }
    });
    return are;
}

bool are_independent_of_floats(const sched::Program& program, const std::set<sare::Component>& components) {
    const Flow flow(program, {});
    return !flow.decides() && std::ranges::none_of(program.arrays, [&](const sched::Array& array) {
        const std::string& tensor = array.tensor.empty() ? array.name : array.tensor;
        const bool is_asked = array.role == sched::Role::output &&
                              components.contains({tensor, static_cast<std::size_t>(array.component)});
        return is_asked && flow.reaches(array.name);
    });
}

}  // namespace haruspex::validator
