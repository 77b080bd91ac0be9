#pragma once

#include "tests/support/random_sched_expr.h"

// Random well-typed SCHED programs for tests. They have every kind of statement; running them may fail.
namespace haruspex::testing {

class SchedBuilder : public SchedExprBuilder {
public:
    using Context = sched::Context;
    using SchedExprBuilder::SchedExprBuilder;

    sched::Program program() {
        using namespace sched;
        Program program{"random", {}, {}, {}};
        choices_.sequence(0, 3, 600, [&](std::size_t) {
            program.parameters.push_back(fresh("N"));
            variables_.push_back({program.parameters.back(), Kind::index});
        });
        context_ = Context::pure;
        std::vector<Named<Array>> arrays;  // in scope only in the body
        choices_.sequence(1, 4, 600, [&](std::size_t i) {
            const Role role = i == 0 || choices_.boolean(400) ? Role::output : Role::input;
            sched::Array array{role, fresh(role == Role::input ? "in" : "out"), "", 0, random_type(choices_), {}};
            array.tensor = choices_.boolean(500) ? array.name : tensor();
            if (!sare_name(array.tensor)) { array.tensor = tensor(); }
            if (choices_.boolean(200)) { array.component = static_cast<int>(choices_.integer(0, 12)); }
            array.dimensions = dimensions();
            arrays.push_back({array.name, {shape(array.type, array.dimensions), role == Role::output, false}});
            program.arrays.push_back(std::move(array));
        });
        arrays_ = std::move(arrays);
        context_ = Context::code;
        program.body = statements(style_.nesting);
        return program;
    }

    // Draws a block of statements that may be nested in others; names added to the builder are in scope.
    sched::Block block() {
        context_ = Context::code;
        return statements(style_.nesting - 1);
    }

private:
    std::vector<sched::Dimension> dimensions() {
        std::vector<sched::Dimension> dimensions;
        const bool strides = choices_.boolean(300);
        choices_.sequence(0, 3, 600, [&](std::size_t) {
            sched::Dimension dimension{index(1)};
            if (choices_.boolean(400)) { dimension.min = index(1); }
            if (strides) { dimension.stride = index(1); }
            dimensions.push_back(std::move(dimension));
        });
        return dimensions;
    }

    static sched::Scope::ArrayShape shape(value::Type type, const std::vector<sched::Dimension>& dimensions) {
        const bool linear = !dimensions.empty() && dimensions.front().stride;
        return {type, linear ? 1 : dimensions.size()};
    }

    sched::Block statements(int nesting) {
        sched::Block block;
        std::vector<std::string> outside = std::exchange(block_, {});
        // The program's own names belong to the same block as its body.
        if (nesting == style_.nesting) {
            for (const auto& v : variables_) { block_.push_back(v.name); }
            for (const auto& a : arrays_) { block_.push_back(a.name); }
        }
        in_block_ = true;
        const Scoped scoped(*this);
        choices_.sequence(nesting == style_.nesting ? 2 : 0, 5, 700,
                          [&](std::size_t) { block.push_back(statement(nesting)); });
        block_ = std::move(outside);
        return block;
    }

    sched::Block inner(int nesting) { return statements(nesting - 1); }

    sched::Stmt statement(int nesting) {
        using namespace sched;
        if (style_.forks && choices_.boolean(150)) { return of_branches(nesting); }
        switch (nesting <= 1 ? choices_.weighted({2, 2, 2, 6, 1, 1})
                             : choices_.weighted({2, 2, 2, 6, 1, 1, 2, 4, 1, 1})) {
            case 0: {
                const Kind kind = choices_.boolean(700) ? Kind::index : Kind::condition;
                Expr bound = pure(kind, style_.depth);
                const std::string name = fresh("x");
                declare(name);
                variables_.push_back({name, kind});
                return {Let{name, std::move(bound)}};
            }
            case 1: return let_statement();
            case 2: {
                const value::Type type = random_type(choices_);
                std::vector<Dimension> extents = dimensions();
                std::optional<Expr> condition;
                if (choices_.boolean(200)) { condition = truth(2); }
                const std::string name = fresh("t");
                declare(name);
                arrays_.push_back({name, {shape(type, extents), true, true}});
                return {Allocate{name, type, std::move(extents), std::move(condition)}};
            }
            case 3: return assignment();
            case 4: {
                Expr condition = truth(style_.depth);
                std::string message;
                choices_.sequence(0, 12, 800,
                                  [&](std::size_t) { message += static_cast<char>(choices_.integer(-128, 127, 'a')); });
                return {Assert{std::move(condition), std::move(message)}};
            }
            case 5: {
                std::vector<std::string> allocated;
                for (const auto& a : arrays_) {
                    if (a.what.freed) { allocated.push_back(a.name); }
                }
                return allocated.empty() ? assignment() : Stmt{Free{choices_.one_of(allocated)}};
            }
            case 6: {
                Expr condition = truth(style_.depth);
                Block then = inner(nesting);
                return {If{std::move(condition), std::move(then), choices_.boolean(400) ? inner(nesting) : Block{}}};
            }
            case 7: return loop(nesting);
            case 8: return {Atomic{inner(nesting)}};
            default: {
                if (arrays_.empty()) { return {Atomic{inner(nesting)}}; }
                const std::string array = choices_.one_of(arrays_).name;
                return {Accumulate{array, inner(nesting)}};
            }
        }
    }

    sched::Stmt of_branches(int nesting) {
        using namespace sched;
        const auto kind = choices_.weighted({2, 2, 2, nesting > 1 ? 3 : 0});
        if (kind == 3) {
            Block first = inner(nesting);
            return {Fork{std::move(first), inner(nesting)}};
        }
        Expr units = index(2);
        if (kind == 0 || semaphores_.empty()) {
            const std::string name = fresh("s");
            declare(name);
            semaphores_.push_back({name, {}});
            return {sched::Semaphore{name, std::move(units)}};
        }
        const std::string semaphore = choices_.one_of(semaphores_).name;
        if (kind == 1) { return {Acquire{semaphore, std::move(units)}}; }
        return {Release{semaphore, std::move(units)}};
    }

    sched::Stmt let_statement() {
        const value::Type type = random_type(choices_);
        std::optional<sched::Lanes> lanes;
        std::optional<Expr> bound;
        {
            const Scoped family(*this);
            lanes = maybe_lanes();
            bound = value(type, style_.depth);
        }
        const std::string name = fresh("v");
        declare(name);
        values_.push_back({name, {type, lanes.has_value()}});
        return {sched::LetValue{name, std::move(lanes), type, std::move(*bound)}};
    }

    sched::Stmt loop(int nesting) {
        const auto kind = static_cast<sched::LoopKind>(choices_.weighted({4, 2, 1, 1}));
        Expr min = choices_.boolean(500) ? Expr{sched::Integer{0}} : index(2);
        Expr extent = index(2);
        if (choices_.boolean(200)) { extent = {sched::IndexBinary{sched::IndexOp::sub, std::move(extent), min}}; }
        const Scoped scoped(*this);
        const std::string name = fresh("k");
        variables_.push_back({name, Kind::index});
        return {sched::For{kind, name, std::move(min), std::move(extent), inner(nesting)}};
    }

    sched::Stmt assignment() {
        std::vector<Named<Array>> written;
        for (const auto& a : arrays_) {
            if (a.what.written) { written.push_back(a); }
        }
        if (written.empty()) { return let_statement(); }
        const Scoped scoped(*this);
        sched::Assign assign;
        assign.lanes = maybe_lanes();
        // The lane's variable may hide an array that could have been written.
        std::erase_if(written, [&](const auto& a) { return assign.lanes && a.name == assign.lanes->variable; });
        if (written.empty()) { return {sched::Atomic{}}; }
        if (choices_.boolean(300)) { assign.condition = truth(2); }
        choices_.sequence(1, 3, 250, [&](std::size_t) { assign.writes.push_back(write(choices_.one_of(written))); });
        return {std::move(assign)};
    }

    sched::Write write(const Named<Array>& array) {
        const value::Type type = array.what.shape.type;
        sched::Write write{array.name, indices(array.what.shape.index_count, 2), {}, {}, {}};
        context_ = sched::Context::prophecy;
        if (choices_.boolean(500)) { write.prophecy = value(type, 2); }
        const value::ReductionOp op = choices_.one_of(value::all_reduction_ops);
        if (choices_.boolean(300) && sare::type_reduce(op, type)) {
            write.accumulation = {op, indices(static_cast<std::size_t>(choices_.integer(0, 2)), 1)};
        }
        context_ = sched::Context::code;
        write.value = value(type, style_.depth);
        return write;
    }
};

inline sched::Program random_program(Choices& choices, SchedStyle style = {}) {
    return SchedBuilder(choices, style).program();
}

}  // namespace haruspex::testing
