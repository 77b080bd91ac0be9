#include "oracle/equivalence/equivalence.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "generators/affine/coalesce.h"
#include "generators/affine/context.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/base/ensure.h"
#include "generators/base/sizes.h"
#include "generators/sare/build.h"
#include "generators/sare/isl.h"
#include "oracle/equivalence/conduct.h"
#include "oracle/equivalence/from_sare.h"
#include "oracle/equivalence/from_sched.h"
#include "oracle/equivalence/prover.h"
#include "oracle/equivalence/unsupported.h"
#include "oracle/verdict/validation.h"

namespace haruspex::equivalence {
namespace {

isl::set context_of(isl::ctx ctx, const std::vector<std::string>& parameters, const sare::Condition& assumptions,
                    const Sizes& sizes) {
    isl::set context = sare::AffineSpace(ctx, parameters, {}).convert(assumptions).params();
    for (const auto& [name, size] : sizes) {
        context = context.intersect(affine::parameter(ctx, name).eq_set(affine::constant(ctx, size)));
    }
    return context;
}

class Checker {
public:
    Checker(const affine::Context& isl, const Options& options, isl::set context)
        : options_(options),
          first_(isl.ctx(), "first", context, options.normal_forms),
          second_(isl.ctx(), "second", context, options.normal_forms) {}

    Verdict check(const sare::Sare& sare, const sched::Program& program) {
        build(first_, sare);
        std::set<std::string> scalars;
        for (const sare::Input& input : sare.inputs) {
            if (input.rank == 0) { scalars.insert(input.name); }
        }
        for (const sare::Output& output : sare.outputs) {
            if (output.box.empty()) { scalars.insert(output.tensor); }
        }
        const SchedProgram implementation = build(second_, program, options_.sizes, scalars);
        Prover prover(first_, second_, options_);
        if (conducts(second_, implementation, "", &prover)) {
            for (const GraphOutput& output : first_.outputs) { add_outputs(implementation, output); }
            compare(prover);
        }
        return std::move(verdict_);
    }

    Verdict check(const sched::Program& specification, const sched::Program& program) {
        const SchedProgram first = build(first_, specification, options_.sizes);
        const SchedProgram second = build(second_, program, options_.sizes);
        if (runs_on_buffers_of(first, second) && conducts(first_, first, "the first program: ") &&
            conducts(second_, second, "")) {
            for (const SchedProgram::OutputArray& output : first.outputs) {
                const isl::set cells = output.cell.domain().intersect_params(first_.context());
                add_output(first_, output, cells);
                add_outputs(second, first_.outputs.back());
            }
            Prover prover(first_, second_, options_);
            compare(prover);
        }
        return std::move(verdict_);
    }

private:
    static bool is_for(const SchedProgram::OutputArray& output, const GraphOutput& wanted) {
        return output.tensor == wanted.tensor && output.component == wanted.component;
    }

    // Adds the implementation's output for an output of the specification, over the cells that both have.
    void add_outputs(const SchedProgram& implementation, const GraphOutput& wanted) {
        const auto is_for_it = [&](const SchedProgram::OutputArray& output) { return is_for(output, wanted); };
        if (std::ranges::count_if(implementation.outputs, is_for_it) > 1) {
            throw Unsupported("two output arrays for one component of " + wanted.tensor);
        }
        const auto found = std::ranges::find_if(implementation.outputs, is_for_it);
        if (found == implementation.outputs.end() || found->cell.domain_tuple_dim() != wanted.cells.tuple_dim()) {
            is_there_.push_back(std::nullopt);
            return;
        }
        is_there_.push_back(second_.outputs.size());
        add_output(second_, *found, wanted.cells.intersect(found->cell.domain()));
    }

    // Whether the second program's buffers have only cells that the first one's have.
    bool runs_on_buffers_of(const SchedProgram& first, const SchedProgram& second) {
        for (const SchedProgram::Buffer& buffer : second.buffers) {
            for (const SchedProgram::Buffer& known : first.buffers) {
                if (buffer.tensor != known.tensor || buffer.component != known.component) { continue; }
                const isl::set more =
                    buffer.coordinates.intersect_params(second_.context()).subtract(known.coordinates);
                if (more.is_empty()) { continue; }
                verdict_.mismatches.push_back({"buffer", buffer.name, "", affine::to_string(more), false});
                fail_with("a buffer with cells that the first program's does not have: " + buffer.name);
                return false;
            }
        }
        return true;
    }

    // The pairs of iterations whose values in one output cell are not both shown to equal the specified value (both
    // Undef if that is Undef).
    isl::map not_as_specified(Prover& prover, const SchedProgram& program, const SameValue& same) {
        const auto output = std::ranges::find(program.outputs, *same.never_read, &SchedProgram::OutputArray::array);
        if (output == program.outputs.end()) { return same.relation; }
        const auto wanted = std::ranges::find_if(first_.outputs, [&](const GraphOutput& specified) {
            return is_for(*output, specified) && specified.cells.tuple_dim() == output->cell.domain_tuple_dim();
        });
        if (wanted == first_.outputs.end()) { return same.relation; }
        const isl::map cell = *second_.memory().read(std::get<Read>(second_.term(same.first).what).read).cell;
        const isl::map all = output->cell.intersect_domain(wanted->cells)
                                 .apply_range(cell.reverse())
                                 .set_domain_tuple(first_.node(first_.term(wanted->value).node).tuple);
        // Usually all writes are as specified; that question has fewer parts, and is asked later anyway.
        const bool is_all = prover.proves_same(wanted->value, same.first, all);
        const isl::set written = second_.node(second_.term(same.first).node).domain;
        if (is_all && written.is_subset(all.range())) { return same.relation.subtract(same.relation); }
        pay_for_pairs(all.n_basic_map(), same.relation.n_basic_map());
        const isl::map left = all.intersect_range(same.relation.domain());
        const isl::set right =
            is_all ? left.range() : prover.prove_equal(wanted->value, same.first, left).pairs.range();
        pay_for_pairs(same.relation.n_basic_map(), std::uint64_t{right.n_basic_set()} * right.n_basic_set());
        return same.relation.subtract(same.relation.intersect_domain(right).intersect_range(right));
    }

    // isl makes a part for each pair of parts, but counts few operations for it.
    static void pay_for_pairs(std::uint64_t parts, std::uint64_t others) {
        constexpr std::uint64_t operations_of_pair = 100;
        affine::spend(operations_of_pair * parts * others);
    }

    // Whether the program behaves as its graph says (conduct.h). If there is a prover, it compares the specification
    // with this program.
    bool conducts(Graph& graph, const SchedProgram& program, const std::string& whose, Prover* specified = nullptr) {
        const Conduct conduct = examine(graph, program);
        for (const Violation& fault : conduct.faults) {
            verdict_.mismatches.push_back({whose + fault.kind, fault.statement, "", fault.where, false});
        }
        if (!conduct.faults.empty()) {
            fail_with(whose + conduct.faults.front().kind + ": " + conduct.faults.front().statement);
            return false;
        }
        Prover prover(graph, graph, options_);
        for (const SameValue& same : conduct.same) {
            const bool is_specified = specified != nullptr && same.never_read;
            const isl::map rest = is_specified ? not_as_specified(*specified, program, same) : same.relation;
            if (rest.is_empty()) { continue; }
            const Shown shown = prover.prove_equal(same.first, same.second, rest);
            if (shown.is_all) { continue; }
            verdict_.mismatches = prover.mismatches();
            verdict_.mismatches.insert(verdict_.mismatches.begin(),
                                       Mismatch{whose + same.kind, same.statement, same.statement,
                                                affine::to_string(rest.subtract(shown.pairs)), false});
            fail_with(whose + same.kind + ": " + same.statement);
            add(prover);
            return false;
        }
        add(prover);
        return true;
    }

    void compare(Prover& prover) {
        bool is_proved = true, is_vacuous = true;
        for (std::size_t i = 0; i < first_.outputs.size(); ++i) {
            const GraphOutput& wanted = first_.outputs[i];
            OutputCells cells{wanted.tensor, wanted.component, affine::to_string(wanted.cells), "", "", false};
            const isl::set proved = shown(prover, wanted, is_there_[i]);
            const isl::set left = affine::coalesced(wanted.cells.subtract(proved));
            cells.proved = affine::to_string(proved);
            cells.not_proved = affine::to_string(left);
            cells.is_proved = left.is_empty();
            is_proved = is_proved && cells.is_proved;
            is_vacuous = is_vacuous && wanted.cells.is_empty();
            verdict_.outputs.push_back(std::move(cells));
        }
        verdict_.mismatches = prover.mismatches();
        add(prover);
        if (is_vacuous) {
            fail_with("vacuous: no output cell is ever requested");
        } else if (is_proved) {
            verdict_.outcome = Outcome::proved;
            verdict_.reason = "every requested cell is the same";
        } else if (verdict_.mismatches.empty()) {
            fail_with("missing output cells");
        } else {
            const Mismatch& mismatch = verdict_.mismatches.front();
            fail_with(mismatch.what + ": " + mismatch.first + " | " + mismatch.second);
        }
    }

    isl::set shown(Prover& prover, const GraphOutput& wanted, std::optional<std::size_t> position) {
        if (!position) { return isl::set::empty(wanted.cells.space()); }
        const GraphOutput& found = second_.outputs[*position];
        const std::string first = first_.node(first_.term(wanted.value).node).tuple;
        const std::string second = second_.node(second_.term(found.value).node).tuple;
        const isl::map same = found.cells.identity().set_domain_tuple(first).set_range_tuple(second);
        const isl::map pairs = prover.prove(wanted.value, found.value, same).pairs;
        return affine::coalesced(pairs.domain().apply(found.cells.identity().set_domain_tuple(first)));
    }

    void fail_with(const std::string& reason) {
        verdict_.outcome = Outcome::not_proved;
        verdict_.reason = reason;
    }

    void add(const Prover& prover) {
        const Effort& effort = prover.effort();
        verdict_.effort.pairs += effort.pairs;
        verdict_.effort.inductions += effort.inductions;
        verdict_.effort.widenings += effort.widenings;
        verdict_.effort.narrowings += effort.narrowings;
        verdict_.effort.permutations += effort.permutations;
        for (const std::string& note : prover.notes()) {
            if (std::ranges::find(verdict_.notes, note) == verdict_.notes.end()) { verdict_.notes.push_back(note); }
        }
    }

    const Options& options_;
    Graph first_, second_;
    std::vector<std::optional<std::size_t>> is_there_;  // by output of the first: its position among the second's
    Verdict verdict_;
};

Verdict without_proof(Outcome outcome, std::string reason, std::uint64_t operations = 0) {
    Verdict verdict;
    verdict.outcome = outcome;
    verdict.reason = std::move(reason);
    verdict.operations = operations;
    return verdict;
}

// Nothing is proved bit by bit unless all floats are IEEE's.
void refuse_loose(const sched::Program& program, const Options& options) {
    if (program.has_loose_floats && !options.exact_reals) { throw Unsupported(verdict::loose_floats().kind); }
}

// Sizes at which an output's box has a negative extent are excluded.
sare::Condition assumed(const sare::Sare& sare) {
    sare::Condition all = sare.assumptions;
    for (const sare::Output& output : sare.outputs) {
        for (const sare::Span& span : output.box) {
            all = all && sare::compare(sare::Relation::ge, span.extent, sare::constant(0));
        }
    }
    return all;
}

Verdict guarded(const Options& options, const std::vector<std::string>& parameters, const sare::Condition& assumptions,
                const auto& check) {
    const affine::Context isl;
    std::uint64_t left = options.operations;
    auto verdict = affine::within(isl, options.operations, left, [&]() -> Verdict {
        try {
            Checker checker(isl, options, context_of(isl.ctx(), parameters, assumptions, options.sizes));
            return check(checker);
        } catch (const Unsupported& what) { return without_proof(Outcome::unsupported, what.what()); }
    });
    if (!verdict) { return without_proof(Outcome::undecided, verdict.error().message, options.operations); }
    verdict->operations = options.operations - left;
    return std::move(*verdict);
}

}  // namespace

Result<void> fits(const sched::Program& first, const sched::Program& second) {
    const auto names = [](const sched::Program& program) {
        return std::set<std::string>(program.parameters.begin(), program.parameters.end());
    };
    if (names(first) != names(second)) { return fail("its parameters are not those of the first program"); }
    for (const sched::Array& array : second.arrays) {
        const auto same = std::ranges::find_if(first.arrays, [&](const sched::Array& other) {
            return other.tensor == array.tensor && other.component == array.component;
        });
        if (same == first.arrays.end()) {
            return fail("array " + array.name + " is for no tensor of the first program");
        }
        if (same->role != array.role || same->type != array.type ||
            same->dimensions.size() != array.dimensions.size()) {
            return fail("array " + array.name + " has another role, type or rank than " + same->name +
                        " of the first program");
        }
    }
    for (const sched::Array& array : first.arrays) {
        const bool is_there = std::ranges::any_of(second.arrays, [&](const sched::Array& other) {
            return other.tensor == array.tensor && other.component == array.component;
        });
        if (array.role == sched::Role::output && !is_there) { return fail("it has no output for " + array.tensor); }
    }
    return {};
}

Verdict check(const sare::Sare& sare, const sched::Program& program, const Options& options) {
    return guarded(options, sare.parameters, assumed(sare), [&](Checker& checker) {
        refuse_loose(program, options);
        return checker.check(sare, program);
    });
}

Verdict check(const sched::Program& first, const sched::Program& second, const sare::Condition& assumptions,
              const Options& options) {
    return guarded(options, first.parameters, assumptions, [&](Checker& checker) {
        for (const sched::Program* program : {&first, &second}) { refuse_loose(*program, options); }
        return checker.check(first, second);
    });
}

}  // namespace haruspex::equivalence
