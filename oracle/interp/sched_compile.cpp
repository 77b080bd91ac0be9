#include "oracle/interp/sched_compile.h"

#include <algorithm>
#include <deque>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/base/sizes.h"
#include "oracle/interp/sched_compile_expr.h"

namespace haruspex::interp::loops {
namespace {

bool mentions_tensor(const sched::Expr& expr) {
    const auto in = [](const auto&... operands) { return (mentions_tensor(*operands) || ...); };
    const auto in_all = [](const std::vector<sched::Expr>& exprs) {
        return std::ranges::any_of(exprs, mentions_tensor);
    };
    return std::visit(Overload{[](const sched::TensorAccess&) { return true; },
                               [](const sched::Integer&) { return false; },
                               [](const sched::Truth&) { return false; },
                               [](const sched::Variable&) { return false; },
                               [](const sched::Literal&) { return false; },
                               [&](const sched::IndexBinary& n) { return in(n.a, n.b); },
                               [&](const sched::Comparison& n) { return in(n.a, n.b); },
                               [&](const sched::And& n) { return in(n.a, n.b); },
                               [&](const sched::Or& n) { return in(n.a, n.b); },
                               [&](const sched::Not& n) { return in(n.a); },
                               [&](const sched::IntegerOf& n) { return in(n.a); },
                               [&](const sched::Embed& n) { return in(n.index); },
                               [&](const sched::Guard& n) { return in(n.condition); },
                               [&](const sched::ValueVariable& n) { return n.lane && in(*n.lane); },
                               [&](const sched::Load& n) { return in_all(n.indices) || (n.guard && in(*n.guard)); },
                               [&](const sched::Unary& n) { return in(n.a); },
                               [&](const sched::Binary& n) { return in(n.a, n.b); },
                               [&](const sched::Cast& n) { return in(n.a); },
                               [&](const sched::Select& n) { return in(n.condition, n.if_true, n.if_false); },
                               [&](const sched::LaneReduce& n) { return in(n.body); },
                               [&](const sched::LetIn& n) { return in(n.value, n.body); },
                               [&](const sched::LetValueIn& n) { return in(n.value, n.body); }},
                      expr.node);
}

class Compiler {
public:
    Compiler(const sched::Program& program, bool with_prophecies)
        : program_(program), with_prophecies_(with_prophecies), exprs_(code_) {}

    Result<Code> compile(const Sizes& parameters) {
        for (const std::string& parameter : program_.parameters) {
            const auto found = parameters.find(parameter);
            ENSURE(found != parameters.end(), "the parameter " + parameter + " has a value");
            exprs_.names().bind(parameter, exprs_.constant(found->second));
        }
        for (const sched::Array& array : program_.arrays) {
            code_.outer_dimensions.push_back(dimensions(array.dimensions));
            const Role role = array.role == sched::Role::input ? Role::input : Role::output;
            exprs_.names().bind(array.name, add_array({&array.name, array.type, role, 0}));
        }
        code_.body = block(program_.body);
        if (exprs_.is_too_large()) { return fail("the program's lanes need more than 2^26 values"); }
        return std::move(code_);
    }

private:
    Steps block(const sched::Block& block) {
        const Names::Mark mark = exprs_.names().mark();
        Steps steps;
        steps.reserve(block.size());
        for (const sched::Stmt& stmt : block) {
            const StepId id{static_cast<std::uint32_t>(code_.sources.size())};
            code_.sources.push_back(&stmt);
            std::visit([&](const auto& node) { steps.push_back({id, false, step(node)}); }, stmt.node);
            steps.back().may_switch = may_switch(steps.back());
        }
        exprs_.names().unwind(mark);
        return steps;
    }

    static bool may_switch(const Steps& steps) { return std::ranges::any_of(steps, &Step::may_switch); }
    static bool may_switch(const Step& step) {
        return std::visit(Overload{[](const IfStep& s) { return may_switch(s.then) || may_switch(s.otherwise); },
                                   [](const ForStep& s) { return may_switch(s.body); },
                                   [](const AtomicStep& s) { return may_switch(s.body); },
                                   [](const BlockStep& s) { return may_switch(s.body); },
                                   [](const AcquireStep&) { return true; }, [](const ReleaseStep&) { return true; },
                                   [](const ForkStep&) { return true; }, [](const auto&) { return false; }},
                          step.node);
    }

    LetStep step(const sched::Let& let) {
        const NumberId value = exprs_.number(let.value);
        const auto [id, slot] = exprs_.variable();
        // Constants are folded into the code that uses them; the slot is then written and never read.
        const bool is_constant = code_.numbers[value.value].op == NumberOp::constant;
        exprs_.names().bind(let.name, is_constant ? value : id);
        return {slot, value};
    }

    LetValueStep step(const sched::LetValue& let) {
        const ValueBinding binding = exprs_.value_binding(let);
        exprs_.names().bind(let.name, binding);
        return {binding};
    }

    AllocateStep step(const sched::Allocate& allocate) {
        AllocateStep step;
        step.dimensions = dimensions(allocate.dimensions);
        if (allocate.condition) { step.condition = exprs_.truth(*allocate.condition); }
        step.array = add_array({&allocate.array, allocate.type, Role::local, depth_});
        exprs_.names().bind(allocate.array, step.array);
        return step;
    }

    // For races, a free is a write to each of the array's cells.
    FreeStep step(const sched::Free& free) {
        const ArrayId array = exprs_.names().array(free.array);
        written_.push_back(array);
        return {exprs_.access(array, {}, nullptr)};
    }

    AssignStep step(const sched::Assign& assign) {
        AssignStep step;
        const Names::Mark mark = exprs_.names().mark();
        if (assign.lanes) { step.lanes = exprs_.lane_range(*assign.lanes); }
        if (assign.condition) { step.condition = exprs_.truth(*assign.condition); }
        for (const sched::Write& source : assign.writes) {
            const WriteCode code = write(source);
            const ArrayId array = code_.accesses[code.access].array;
            for (const WriteCode& other : step.writes) {
                step.repeats_array = step.repeats_array || code_.accesses[other.access].array == array;
            }
            step.writes.push_back(code);
        }
        exprs_.names().unwind(mark);
        return step;
    }

    WriteCode write(const sched::Write& source) {
        WriteCode code{.source = &source};
        const ArrayId array = exprs_.names().array(source.array);
        code.value = exprs_.value(source.value);
        code.access = exprs_.access(array, source.indices, nullptr);
        written_.push_back(array);
        if (source.accumulation) { code.accumulation = value::binary_op(source.accumulation->op); }
        if (with_prophecies_ && source.prophecy) { code.prophecy = prophecy(source); }
        return code;
    }

    // nullopt unless the prophecy is one access, possibly inside lets, with indices that a program could compute.
    std::optional<ProphecyCode> prophecy(const sched::Write& source) {
        std::vector<const sched::LetIn*> lets;
        const sched::Expr* inner = &*source.prophecy;
        while (const auto* let = std::get_if<sched::LetIn>(&inner->node)) {
            lets.push_back(let);
            inner = &*let->body;
        }
        const bool is_computable =
            std::ranges::none_of(lets, [](const sched::LetIn* let) { return mentions_tensor(*let->value); });
        const auto* access = std::get_if<sched::TensorAccess>(&inner->node);
        if (access == nullptr || !is_computable || std::ranges::any_of(access->indices, mentions_tensor)) {
            return std::nullopt;
        }
        ProphecyCode code{.access = access};
        for (const sched::Expr& index : access->indices) {
            sched::Expr& whole = indices_.emplace_back(index);
            for (auto let = lets.rbegin(); let != lets.rend(); ++let) {
                whole = {sched::LetIn{(*let)->name, (*let)->value, std::move(whole)}};
            }
            code.indices.push_back(exprs_.number(whole));
        }
        if (source.accumulation) {
            const auto& reduced = source.accumulation->reduced;
            if (std::ranges::any_of(reduced, mentions_tensor)) { return std::nullopt; }
            for (const sched::Expr& index : reduced) { code.reduced.push_back(exprs_.number(index)); }
        }
        return code;
    }

    IfStep step(const sched::If& branch) {
        const NumberId condition = exprs_.truth(branch.condition);
        return {condition, block(branch.then), block(branch.otherwise)};
    }

    ForStep step(const sched::For& loop) {
        ForStep step{.variable = &loop.variable, .min = exprs_.number(loop.min), .extent = exprs_.number(loop.extent)};
        const Names::Mark mark = exprs_.names().mark();
        const auto [id, slot] = exprs_.variable();
        exprs_.names().bind(loop.variable, id);
        step.slot = slot;
        if (loop.kind == sched::LoopKind::parallel) {
            const std::size_t first_access = code_.accesses.size();
            const std::size_t first_write = written_.size();
            if (++depth_ > levels_.size()) { add_level(); }
            step.level = levels_[depth_ - 1];
            step.body = block(loop.body);
            mark_races(step.level, first_access, first_write);
            --depth_;
        } else {
            step.body = block(loop.body);
        }
        exprs_.names().unwind(mark);
        return step;
    }

    void add_level() {
        levels_.push_back({static_cast<std::uint32_t>(code_.levels.size())});
        code_.levels.push_back({levels_});
    }

    // The arrays written since `first_write`, as flags by array.
    std::vector<bool> written_since(std::size_t first_write) const {
        std::vector<bool> is_written(code_.arrays.size());
        for (std::size_t w = first_write; w < written_.size(); ++w) { is_written[written_[w].value] = true; }
        return is_written;
    }

    // Among the accesses in a par loop's body, those to arrays from outside that are written there can race. Inner
    // loops come first, so the innermost level is kept.
    void mark_races(LevelId level, std::size_t first_access, std::size_t first_write) {
        const std::vector<bool> is_written = written_since(first_write);
        for (std::size_t a = first_access; a < code_.accesses.size(); ++a) {
            Access& access = code_.accesses[a];
            const bool is_from_outside = code_.arrays[access.array.value].depth < code_.levels[level.value].depth();
            if (access.level.value == 0 && is_from_outside && is_written[access.array.value]) { access.level = level; }
        }
    }

    SemaphoreStep step(const sched::Semaphore& semaphore) {
        const NumberId units = exprs_.number(semaphore.units);
        const SemaphoreId id{static_cast<std::uint32_t>(code_.semaphores.size())};
        code_.semaphores.push_back(&semaphore.name);
        exprs_.names().bind(semaphore.name, id);
        return {id, units};
    }
    AcquireStep step(const sched::Acquire& s) {
        return {exprs_.names().semaphore(s.semaphore), exprs_.number(s.units)};
    }
    ReleaseStep step(const sched::Release& s) {
        return {exprs_.names().semaphore(s.semaphore), exprs_.number(s.units)};
    }

    ForkStep step(const sched::Fork& fork) {
        const auto outer_arrays = static_cast<std::uint32_t>(code_.arrays.size());
        const std::size_t first_access = code_.accesses.size();
        const std::size_t first_write = written_.size();
        ForkStep step;
        step.first = branch(fork.first);
        const std::size_t middle = code_.accesses.size();
        step.second = branch(fork.second);
        // Arrays from outside that both branches access, at least one of them for writing.
        const std::vector<bool> is_written = written_since(first_write);
        const auto accessed_in = [&](std::size_t from, std::size_t to) {
            std::vector<bool> is_accessed(code_.arrays.size());
            for (std::size_t a = from; a < to; ++a) { is_accessed[code_.accesses[a].array.value] = true; }
            return is_accessed;
        };
        const std::vector<bool> in_first = accessed_in(first_access, middle);
        const std::vector<bool> in_second = accessed_in(middle, code_.accesses.size());
        for (std::size_t a = first_access; a < code_.accesses.size(); ++a) {
            const std::uint32_t array = code_.accesses[a].array.value;
            if (array < outer_arrays && is_written[array] && in_first[array] && in_second[array]) {
                code_.accesses[a].is_shared_by_branches = true;
            }
        }
        return step;
    }

    ForkStep::Branch branch(const sched::Block& source) {
        ForkStep::Branch branch{{code_.strands++}, {}};
        // Its own par loops have separate levels.
        const std::vector<LevelId> outside = levels_;
        levels_.resize(depth_);
        branch.body = block(source);
        levels_ = outside;
        return branch;
    }

    AssertStep step(const sched::Assert& assertion) { return {exprs_.truth(assertion.condition), &assertion.message}; }

    AtomicStep step(const sched::Atomic& atomic) { return {depth_, block(atomic.body)}; }

    BlockStep step(const sched::Accumulate& accumulate) { return {block(accumulate.body)}; }

    std::vector<DimensionCode> dimensions(const std::vector<sched::Dimension>& source) {
        std::vector<DimensionCode> codes;
        for (const sched::Dimension& d : source) {
            DimensionCode code{exprs_.number(d.extent), exprs_.number(d.min), std::nullopt};
            if (d.stride) { code.stride = exprs_.number(*d.stride); }
            codes.push_back(code);
        }
        return codes;
    }

    ArrayId add_array(ArrayCode array) {
        code_.arrays.push_back(array);
        return {static_cast<std::uint32_t>(code_.arrays.size() - 1)};
    }

    const sched::Program& program_;
    const bool with_prophecies_;
    Code code_;
    std::deque<sched::Expr> indices_;  // of prophecies, inside their lets; names refer to them
    ExprCompiler exprs_;
    std::uint32_t depth_ = 0;       // number of par loops around the current statement
    std::vector<LevelId> levels_;   // of this strand, by depth less one; may be more than enclose the current statement
    std::vector<ArrayId> written_;  // or freed, so far, in order
};

}  // namespace

Result<Code> compile(const sched::Program& program, const Sizes& parameters, bool with_prophecies) {
    return Compiler(program, with_prophecies).compile(parameters);
}

}  // namespace haruspex::interp::loops
