#include "oracle/unrolled/unrolled.h"

#include <optional>
#include <string>
#include <vector>

#include "generators/sare/floats.h"
#include "oracle/interp/sched_compile.h"
#include "oracle/unrolled/evaluation.h"
#include "oracle/unrolled/given_up.h"
#include "oracle/validator/flow/real_numbers.h"
#include "oracle/verdict/validation.h"

namespace haruspex::unrolled {
namespace {

using validator::Inputs;
using validator::Kind;
using validator::Outcome;

class Validation {
public:
    Validation(const sare::Sare& sare, const sched::Program& program, const Sizes& sizes, const Options& options)
        : sare_(sare),
          program_(program),
          sizes_(sizes),
          options_(options),
          may_round_(options.floats == validator::Floats::real && sare::has_floats(sare)),
          exact_reals_(may_round_ && validator::are_real_numbers(sare, program)) {}

    validator::Verdict run() {
        begin("one run");
        // Most wrong programs are wrong on any inputs.
        const Inputs any{Inputs::Style::small, 1, {}};
        const validator::Trial first = tried(any);
        if (!first.ran) {
            verdict_.say(verdict::obstructed(Outcome::undecided, verdict::Cause::budget,
                                             {std::string(name(*first.not_replayed)), first.message}));
            verdict_.is_exhausted = true;
        } else if (!refutes(first, any)) {
            prove();
            if (verdict_.outcome == Outcome::undecided) { refute(); }
        }
        return std::move(verdict_);
    }

private:
    void begin(std::string_view part) const {
        if (options_.on_part) { options_.on_part(part); }
    }

    validator::Trial tried(const Inputs& inputs) {
        validator::Trial trial = validator::replay(sare_, program_, sizes_, inputs, options_.most_steps,
                                                   options_.floats == validator::Floats::real);
        steps_ += trial.steps;
        return trial;
    }

    bool refutes(const Inputs& inputs) { return refutes(tried(inputs), inputs); }

    bool refutes(const validator::Trial& trial, const Inputs& inputs) {
        if (!trial.is_wrong) { return false; }
        verdict_.counterexample = {sizes_, inputs, trial.is_undef, to_string(trial), trial.trouble};
        const std::string kind(trial.trouble ? verdict::name(*trial.trouble) : verdict::name(Kind::value));
        verdict_.say(verdict::obstructed(Outcome::refuted, verdict::Cause::run, {kind, trial.message}));
        return true;
    }

    void prove() {
        begin("proof");
        try {
            attempt();
        } catch (const SharedCell&) {
            exact_reals_ = false;
            attempt();
        }
    }

    // Adds what the solvers said of each other to the verdict, however the proof ends.
    struct Noted {
        validator::Verdict& verdict;
        const Prover& prover;
        ~Noted() { verdict.cross_checks.add(prover.cross_checks()); }
    };

    void attempt() {
        Values values(options_.most_values, exact_reals_);
        Prover prover(values, options_.effort);
        const Noted noted{verdict_, prover};
        try {
            prove(values, prover);
            if (program_.has_loose_floats && !exact_reals_) {
                throw GivenUp(verdict::unsupported(verdict::loose_floats()));
            }
            verdict_.say(verdict::proved(false));
            verdict_.floats = exact_reals_ ? validator::Floats::real : validator::Floats::ieee;
        } catch (const GivenUp& e) {
            verdict_.say(e.said());
            verdict_.is_exhausted = e.is_exhausted();
        } catch (const refinement::TooManyTerms& e) {
            verdict_.say(verdict::obstructed(Outcome::undecided, verdict::Cause::budget, {"terms", e.what()}));
        }
        verdict_.queries = prover.queries();
        verdict_.rlimit = prover.rlimit();
        model_ = prover.counterexample();
    }

    void prove(Values& values, Prover& prover) {
        const auto code = interp::loops::compile(program_, sizes_, true);
        if (!code) {
            throw GivenUp(
                verdict::obstructed(Outcome::undecided, verdict::Cause::budget, {"lanes", code.error().message}));
        }
        Reference reference(sare_, sizes_, values, options_.most_values);
        Evaluation evaluation(*code, program_, values, reference, prover, options_.most_steps);
        evaluation.run();
        std::uint64_t shown = 0;
        for (const sare::Output& output : sare_.outputs) {
            const std::size_t components = reference.components(output.tensor);
            for (std::size_t k = 0; k < components; ++k) {
                for_each_cell(output, [&](const std::vector<std::int64_t>& cell) {
                    shown += show(output.tensor, static_cast<int>(k), cell, reference, evaluation, prover) ? 1 : 0;
                });
            }
        }
        if (shown == 0) { not_shown(Kind::vacuous, "no output cell is requested that is defined"); }
    }

    // Visits the cells of the requested box.
    template <typename Visit>
    void for_each_cell(const sare::Output& output, Visit visit) const {
        std::vector<std::int64_t> min, end;
        for (const sare::Span& span : output.box) {
            min.push_back(sare::evaluate(span.min, sizes_));
            end.push_back(min.back() + sare::evaluate(span.extent, sizes_));
            if (end.back() <= min.back()) { return; }
        }
        std::vector<std::int64_t> cell = min;
        for (;;) {
            visit(cell);
            std::size_t d = 0;
            for (; d < cell.size() && ++cell[d] == end[d]; ++d) { cell[d] = min[d]; }
            if (d == cell.size()) { return; }
        }
    }

    // Returns false if the specification is Undef, so that nothing is claimed.
    bool show(const std::string& tensor, int component, const std::vector<std::int64_t>& cell, Reference& reference,
              const Evaluation& evaluation, Prover& prover) const {
        const auto held = evaluation.output(tensor, component, cell);
        const auto wanted = reference.cell(tensor, component, cell);
        // With strict floats, zeros must have the right sign.
        const auto equality = exact_reals_ ? smt::Equality::same_number : smt::Equality::same_result;
        if (held && wanted && prover.shows(*wanted, *held, equality)) { return !reference.is_undef(*wanted); }
        std::string name = tensor + "(";
        for (std::size_t d = 0; d < cell.size(); ++d) { name += (d == 0 ? "" : ", ") + std::to_string(cell[d]); }
        name += ")" + (component == 0 ? "" : "[" + std::to_string(component) + "]");
        if (held && wanted) { prover.refute(*wanted, *held, equality); }
        const std::string why = held ? " is not shown" : " is missing";
        not_shown(Kind::coverage, name + why + (prover.beyond().empty() ? "" : ": " + prover.beyond()));
    }

    void refute() {
        begin("counterexamples");
        using Style = Inputs::Style;
        // A counterexample model for IEEE floats may be due to rounding alone.
        const bool is_exact = exact_reals_ || !may_round_;
        if (!model_.empty() && is_exact && refutes({Style::small, 1, model_})) { return; }
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            for (const Style style : {Style::small, Style::extreme, Style::wide}) {
                if (style != Style::small && may_round_) { continue; }
                if (steps_ < options_.most_steps && refutes({style, seed, {}})) { return; }
            }
        }
    }

    const sare::Sare& sare_;
    const sched::Program& program_;
    const Sizes& sizes_;
    const Options& options_;
    validator::Verdict verdict_;
    std::vector<smt::CellValue> model_;
    bool may_round_;           // the program may round, and still be right
    bool exact_reals_;         // the proof is about exact reals
    std::uint64_t steps_ = 0;  // of all runs
};

}  // namespace

validator::Verdict validate(const sare::Sare& sare, const sched::Program& program, const Sizes& sizes,
                            const Options& options) {
    return Validation(sare, program, sizes, options).run();
}

}  // namespace haruspex::unrolled
