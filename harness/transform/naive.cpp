#include "harness/transform/naive.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/build.h"
#include "generators/sare/names.h"
#include "harness/transform/indices.h"

namespace haruspex::transform {

using sched::Block;
using sched::Stmt;

namespace {

std::vector<sched::Expr> all_to_code(const std::vector<sare::Index>& indices) {
    std::vector<sched::Expr> code;
    for (const sare::Index& index : indices) { code.push_back(transform::to_code(simplified(index))); }
    return code;
}

std::vector<sched::Dimension> dimensions(const std::vector<Range>& box) {
    std::vector<sched::Dimension> found;
    for (const Range& range : box) {
        const sare::Span span = to_span(range);
        found.push_back({transform::to_code(span.extent), transform::to_code(span.min), std::nullopt});
    }
    return found;
}

class Realiser {
public:
    Realiser(const sare::Algorithm& algorithm, const sare::Function& function, const std::vector<Range>& box,
             Names& names)
        : algorithm_(algorithm), function_(function), box_(box), names_(names) {}

    Block all() {
        Block block{nest(0)};
        for (std::size_t s = 1; s <= function_.updates.size(); ++s) { block.push_back(nest(s)); }
        return block;
    }

private:
    // Builds the loops of a stage around its assignment.
    Stmt nest(std::size_t stage) {
        const sare::UpdateDefinition* update = stage == 0 ? nullptr : &function_.updates[stage - 1];
        renamed_.clear();
        struct Loop {
            std::string variable;
            sare::Span span;
        };
        std::vector<Loop> loops;  // innermost first
        const auto add = [&](const std::string& name, sare::Span span) {
            const std::string fresh = names_.fresh(name);
            renamed_.emplace(name, sare::variable(fresh));
            loops.push_back({fresh, std::move(span)});
        };
        if (update != nullptr) {
            for (const sare::RecurrenceVariable& r : update->over) { add(r.name, {r.min, r.extent}); }
        }
        for (std::size_t d = 0; d < function_.variables.size(); ++d) {
            if (update == nullptr || sare::is_pure_position(function_, *update, d)) {
                add(function_.variables[d], to_span(box_[d]));
            }
        }
        Stmt stmt = assignment(stage);
        if (update != nullptr && update->where != sare::truth(true)) {
            stmt = {sched::If{transform::to_code(sare::substitute(update->where, renamed_)), {std::move(stmt)}, {}}};
        }
        for (Loop& loop : loops) {
            stmt = {sched::For{sched::LoopKind::serial,
                               loop.variable,
                               transform::to_code(simplified(loop.span.min)),
                               transform::to_code(simplified(loop.span.extent)),
                               {std::move(stmt)}}};
        }
        return stmt;
    }

    Stmt assignment(std::size_t stage) {
        const sare::UpdateDefinition* update = stage == 0 ? nullptr : &function_.updates[stage - 1];
        std::vector<sare::Index> target;
        if (update != nullptr) {
            target = update->target;
        } else {
            for (const std::string& v : function_.variables) { target.push_back(sare::variable(v)); }
        }
        for (sare::Index& index : target) { index = sare::substitute(index, renamed_); }
        std::vector<sare::Index> prophesied = target;
        if (update != nullptr) {
            for (const sare::RecurrenceVariable& r : update->over) { prophesied.push_back(renamed_.at(r.name)); }
        }
        const std::string tensor = function_.updates.empty() ? function_.name : sare::stage_name(function_.name, stage);
        const std::vector<sare::Expr>& values = update != nullptr ? update->values : function_.values;
        sched::Assign assign;
        for (std::size_t c = 0; c < values.size(); ++c) {
            assign.writes.push_back(
                {array_name(function_.name, values.size(), c), all_to_code(target),
                 sched::Expr{sched::TensorAccess{tensor, all_to_code(prophesied), static_cast<int>(c)}}, std::nullopt,
                 to_code(values[c])});
        }
        return {std::move(assign)};
    }

    std::size_t components(const std::string& tensor) const {
        const auto found = std::ranges::find(algorithm_.functions, tensor, &sare::Function::name);
        return found == algorithm_.functions.end() ? 1 : found->types.size();
    }

    sched::Expr to_code(const sare::Expr& expr) const {
        return std::visit(
            Overload{
                [](const sare::Literal& n) { return sched::Expr{sched::Literal{n.value}}; },
                [&](const sare::Embed& n) {
                    return sched::Expr{
                        sched::Embed{n.type, transform::to_code(simplified(sare::substitute(n.index, renamed_)))}};
                },
                [&](const sare::Guard& n) {
                    return sched::Expr{sched::Guard{transform::to_code(sare::substitute(n.condition, renamed_))}};
                },
                [&](const sare::Access& n) {
                    std::vector<sched::Expr> indices;
                    for (const sare::Index& index : n.indices) {
                        indices.push_back(transform::to_code(simplified(sare::substitute(index, renamed_))));
                    }
                    return sched::Expr{
                        sched::Load{array_name(n.tensor, components(n.tensor), static_cast<std::size_t>(n.component)),
                                    std::move(indices), std::nullopt}};
                },
                [&](const sare::Unary& n) { return sched::Expr{sched::Unary{n.op, to_code(*n.a)}}; },
                [&](const sare::Binary& n) { return sched::Expr{sched::Binary{n.op, to_code(*n.a), to_code(*n.b)}}; },
                [&](const sare::Select& n) {
                    return sched::Expr{sched::Select{to_code(*n.condition), to_code(*n.if_true), to_code(*n.if_false)}};
                },
                [&](const sare::Cast& n) { return sched::Expr{sched::Cast{n.type, to_code(*n.a)}}; },
                [](const sare::Reduce&) -> sched::Expr {
                    raise_internal_error(__FILE__, __LINE__, "reductions are drawn as updates");
                }},
            expr.node);
    }

    const sare::Algorithm& algorithm_;
    const sare::Function& function_;
    const std::vector<Range>& box_;
    Names& names_;
    sare::Substitution renamed_;  // the stage's variables to loops' variables
};

}  // namespace

std::string array_name(const std::string& tensor, std::size_t components, std::size_t component) {
    return components == 1 ? tensor : tensor + "_" + std::to_string(component);
}

Block allocations(const sare::Function& function, const std::vector<Range>& box) {
    Block block;
    for (std::size_t c = 0; c < function.types.size(); ++c) {
        block.push_back({sched::Allocate{array_name(function.name, function.types.size(), c), function.types[c],
                                         dimensions(box), std::nullopt}});
    }
    return block;
}

Block realisation(const sare::Algorithm& algorithm, const sare::Function& function, const std::vector<Range>& box,
                  Names& names) {
    return Realiser(algorithm, function, box, names).all();
}

sched::Program naive_program(const sare::Algorithm& algorithm, Names& names) {
    sched::Program program{algorithm.name, algorithm.parameters, {}, {}};
    const Boxes needed = boxes(algorithm);
    for (const std::string& parameter : algorithm.parameters) { names.fresh(parameter); }
    for (const sare::Input& input : algorithm.inputs) {
        names.fresh(input.name);
        program.arrays.push_back(
            {sched::Role::input, input.name, input.name, 0, input.type, dimensions(needed.at(input.name))});
    }
    for (const sare::Function& f : algorithm.functions) {
        const std::vector<Range>& box = needed.at(f.name);
        for (std::size_t c = 0; c < f.types.size(); ++c) { names.fresh(array_name(f.name, f.types.size(), c)); }
        if (std::ranges::find(algorithm.outputs, f.name, &sare::Output::tensor) != algorithm.outputs.end()) {
            for (std::size_t c = 0; c < f.types.size(); ++c) {
                program.arrays.push_back({sched::Role::output, array_name(f.name, f.types.size(), c), f.name,
                                          static_cast<int>(c), f.types[c], dimensions(box)});
            }
        } else {
            for (Stmt& stmt : allocations(f, box)) { program.body.push_back(std::move(stmt)); }
        }
        for (Stmt& stmt : realisation(algorithm, f, box, names)) { program.body.push_back(std::move(stmt)); }
    }
    return program;
}

}  // namespace haruspex::transform
