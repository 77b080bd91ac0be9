#include "harness/sched/typing.h"

#include <fmt/core.h>

#include <algorithm>

#include "generators/base/overload.h"
#include "harness/sched/bounds.h"
#include "harness/sched/names.h"
#include "harness/sched/print.h"
#include "harness/sched/rules.h"
#include "harness/sched/traverse.h"

namespace haruspex::sched {

namespace {

using Extent = Environment::Extent;
using Inside = Environment::Inside;

std::unexpected<std::string> wrong(std::string why) { return std::unexpected(std::move(why)); }

std::string too_deep(std::string_view what) {
    return fmt::format("{} are nested too deeply; expected at most {} levels", what, max_depth);
}

// Walks expressions: finds the types of an expression's parts, each in its scope, then applies the rule.
class ExprChecker {
public:
    explicit ExprChecker(Environment& environment) : environment_(environment) {}

    Typed type(const Expr& expr, Setting setting, int level = 1) {
        if (level > max_depth) { return wrong(too_deep("expressions")); }
        std::vector<Types> premises;
        const auto add = [&](const Expr& part, Setting where) -> Sound {
            const Typed typed = type(part, where, level + 1);
            if (!typed) { return wrong(typed.error()); }
            premises.push_back(*typed);
            return {};
        };
        const Sound sound =
            std::visit(Overload{[&](const LaneReduce& n) -> Sound {
                                    const Inside lanes(environment_, Extent::binder);
                                    if (Sound bound = environment_.bind(n.lanes.variable, Types::index()); !bound) {
                                        return bound;
                                    }
                                    return add(*n.body, setting);
                                },
                                [&](const LetIn& n) -> Sound {
                                    if (Sound value = add(*n.value, inside_let(setting)); !value) { return value; }
                                    if (Sound kind = want_index_or_condition(premises[0]); !kind) { return kind; }
                                    const Inside body(environment_, Extent::binder);
                                    if (Sound bound = environment_.bind(n.name, premises[0]); !bound) { return bound; }
                                    return add(*n.body, setting);
                                },
                                [&](const LetValueIn& n) -> Sound {
                                    {
                                        const Inside family(environment_, Extent::binder);
                                        if (Sound bound = bind_lanes(n.lanes); !bound) { return bound; }
                                        if (Sound value = add(*n.value, setting); !value) { return value; }
                                    }
                                    const Inside body(environment_, Extent::binder);
                                    const Scope::ValueShape shape{n.type, n.lanes.has_value()};
                                    if (Sound bound = environment_.bind(n.name, shape); !bound) { return bound; }
                                    return add(*n.body, setting);
                                },
                                [&](const auto&) -> Sound {
                                    Sound all;
                                    for_each_part(expr, [&](const Expr& part) {
                                        if (all) { all = add(part, setting); }
                                    });
                                    return all;
                                }},
                       expr.node);
        return sound ? conclude(expr, premises, environment_, setting) : wrong(sound.error());
    }

    Sound bind_lanes(const std::optional<Lanes>& lanes) {
        if (!lanes) { return {}; }
        if (Sound sound = check_lanes(*lanes); !sound) { return sound; }
        return environment_.bind(lanes->variable, Types::index());
    }

private:
    Environment& environment_;
};

// Walks statements and stops at the first fault.
class ProgramChecker {
public:
    explicit ProgramChecker(Rules rules) : rules_(rules) {}

    Result<void> check(const Program& program) {
        if (!is_program_name(program.name)) {
            need(wrong(fmt::format("expected the program's name, found \"{}\"", program.name)));
        }
        for (const std::string& parameter : program.parameters) {
            need(environment_.declare(parameter, Types::index()));
        }
        for (const Array& array : program.arrays) {
            if (!failed()) { interface_array(array); }
        }
        statements(program.body);
        if (error_) { return fail(*error_); }
        return {};
    }

private:
    bool failed() const { return error_.has_value(); }

    // Keeps the first fault, with the statement around it.
    void need(const Sound& sound) {
        if (!failed() && !sound) {
            error_ = (statement_ != nullptr ? headline(*statement_) + ": " : "") + sound.error();
        }
    }
    Types type(const Expr& expr, Context context = Context::code) {
        const Typed typed = ExprChecker(environment_).type(expr, {rules_, context});
        if (!typed) { need(wrong(typed.error())); }
        return typed.value_or(Types::index());
    }
    void index(const Expr& expr, Context context = Context::code) { need(want_index(type(expr, context))); }
    void condition(const Expr& expr) { need(want_condition(type(expr), {rules_, Context::code})); }
    void value(const Expr& expr, value::Type wanted, Context context = Context::code) {
        need(want_value(type(expr, context), wanted));
    }

    void interface_array(const Array& array) {
        const auto need_here = [&](const Sound& sound) {
            if (!failed() && !sound) { error_ = fmt::format("array \"{}\": {}", array.name, sound.error()); }
        };
        need_here(check_array(array));
        for (const Dimension& dimension : array.dimensions) {
            for (const Expr* e : {&dimension.extent, &dimension.min, dimension.stride ? &*dimension.stride : nullptr}) {
                if (e == nullptr) { continue; }
                const Typed typed = ExprChecker(environment_).type(*e, {rules_, Context::pure});
                need_here(typed ? want_index(*typed) : wrong(typed.error()));
            }
        }
        const auto shape = shape_of(array.type, array.dimensions);
        if (!shape) { return need_here(wrong(shape.error())); }
        const Memory memory = array.role == Role::input ? Memory::input : Memory::output;
        need_here(environment_.declare(array.name, ArrayBinding{*shape, memory}));
    }

    void statements(const Block& block) {
        for (const Stmt& stmt : block) {
            if (failed()) { return; }
            statement_ = &stmt;
            std::visit([&](const auto& s) { statement(s); }, stmt.node);
        }
    }

    void inner(const Block& block) {
        if (failed()) { return; }
        if (++level_ >= max_depth && !block.empty()) { need(wrong(too_deep("statements"))); }
        const Inside inside(environment_, Extent::block);
        statements(block);
        --level_;
    }

    void statement(const Let& s) {
        const Types types = type(s.value, Context::pure);
        need(want_index_or_condition(types));
        need(environment_.declare(s.name, types));
    }

    void statement(const LetValue& s) {
        {
            const Inside family(environment_, Extent::binder);
            need(ExprChecker(environment_).bind_lanes(s.lanes));
            value(s.value, s.type);
        }
        need(environment_.declare(s.name, Scope::ValueShape{s.type, s.lanes.has_value()}));
    }

    void statement(const Allocate& s) {
        for (const Dimension& dimension : s.dimensions) {
            index(dimension.extent);
            index(dimension.min);
            if (dimension.stride) { index(*dimension.stride); }
        }
        const auto shape = shape_of(s.type, s.dimensions);
        if (!shape) { need(wrong(shape.error())); }
        if (s.condition) { condition(*s.condition); }
        need(environment_.declare(s.array, ArrayBinding{shape.value_or(Scope::ArrayShape{}), Memory::allocated}));
    }

    void statement(const Free& s) {
        const auto array = find_array(s.array, environment_);
        need(array ? check_freed(s.array, *array) : wrong(array.error()));
    }

    void statement(const Assign& s) {
        if (s.writes.empty() && !failed()) { error_ = "the assignment has no writes; expected at least one"; }
        const Inside inside(environment_, Extent::binder);
        need(ExprChecker(environment_).bind_lanes(s.lanes));
        if (s.condition) { condition(*s.condition); }
        for (const Write& w : s.writes) { write(w); }
    }

    void write(const Write& w) {
        const auto array = find_array(w.array, environment_);
        if (!array) { return need(wrong(array.error())); }
        need(check_written(w.array, *array));
        for (const Expr& i : w.indices) { index(i); }
        need(check_index_count(w.array, array->shape, w.indices.size()));
        if (w.prophecy) { value(*w.prophecy, array->shape.type, Context::prophecy); }
        if (w.accumulation) {
            need(check_accumulation(w.accumulation->op, array->shape.type));
            for (const Expr& i : w.accumulation->reduced) { index(i, Context::prophecy); }
        }
        value(w.value, array->shape.type);
    }

    void statement(const If& s) {
        condition(s.condition);
        inner(s.then);
        inner(s.otherwise);
    }

    void statement(const For& s) {
        index(s.min);
        index(s.extent);
        // The text has the loop's end as its bound, which may be one level deeper.
        if (depth(upper_bound(s.min, s.extent)) > max_depth) { need(wrong(too_deep("expressions"))); }
        const Inside inside(environment_, Extent::binder);
        need(environment_.bind(s.variable, Types::index()));
        inner(s.body);
    }

    void statement(const Assert& s) { condition(s.condition); }
    void statement(const Atomic& s) { inner(s.body); }

    void statement(const Accumulate& s) {
        if (const auto array = find_array(s.array, environment_); !array) { need(wrong(array.error())); }
        inner(s.body);
    }

    void statement(const Semaphore& s) {
        index(s.units);
        need(environment_.declare(s.name, SemaphoreBinding{}));
    }
    void statement(const Acquire& s) { units_of(s.units, s.semaphore); }
    void statement(const Release& s) { units_of(s.units, s.semaphore); }
    void units_of(const Expr& units, const std::string& semaphore) {
        index(units);
        need(find_semaphore(semaphore, environment_));
    }

    void statement(const Fork& s) {
        inner(s.first);
        inner(s.second);
    }

    Rules rules_;
    Environment environment_;
    const Stmt* statement_ = nullptr;
    int level_ = 0;
    std::optional<std::string> error_;
};

// `level`: the nesting of the surrounding statements.
bool nests_too_deeply(const Block& block, int level) {
    if (block.empty()) { return false; }
    return level >= max_depth || std::ranges::any_of(block, [&](const Stmt& stmt) {
               bool too_deep = false;
               for_each_part(stmt, [&](const Expr& part) { too_deep = too_deep || depth(part) > max_depth; });
               if (const auto* loop = std::get_if<For>(&stmt.node)) {
                   too_deep = too_deep || depth(upper_bound(loop->min, loop->extent)) > max_depth;
               }
               for_each_block(stmt,
                              [&](const Block& inner) { too_deep = too_deep || nests_too_deeply(inner, level + 1); });
               return too_deep;
           });
}

}  // namespace

bool nests_too_deeply(const Program& program) { return nests_too_deeply(program.body, 0); }

Result<void> check(const Program& program, Rules rules) { return ProgramChecker(rules).check(program); }

Result<ExprType> type_of(const Expr& expr, const Scope& scope, Rules rules, Context context) {
    Environment environment(scope);
    const Typed typed = ExprChecker(environment).type(expr, {rules, context});
    if (!typed) { return fail(typed.error()); }
    if (const auto type = typed->single()) { return *type; }
    return fail(
        "the type depends on a tensor's type, which is not known here; expected an expression that determines it");
}

}  // namespace haruspex::sched
