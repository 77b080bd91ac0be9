#include "oracle/unrolled/evaluation.h"

#include <algorithm>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"

namespace haruspex::unrolled {
namespace {

using interp::loops::Arithmetic;
using interp::loops::Flaw;
using interp::loops::NumberOp;
using interp::loops::ValueOp;
using validator::Outcome;
using value::BinaryOp;
using value::Type;

constexpr int most_in_vain = 3;  // per write: a prophecy that was not shown three times will not be

// Finds the arrays that are written in atomic blocks, which iterations of a par loop share.
void find_updated(const loops::Steps& steps, const loops::Code& code, bool is_atomic, std::vector<bool>& updated) {
    const auto inside = [&](const loops::Steps& body) { find_updated(body, code, is_atomic, updated); };
    for (const loops::Step& step : steps) {
        std::visit(
            Overload{[&](const loops::AssignStep& s) {
                         for (const loops::WriteCode& write : s.writes) {
                             if (is_atomic) { updated[code.accesses[write.access].array.value] = true; }
                         }
                     },
                     [&](const loops::IfStep& s) {
                         inside(s.then);
                         inside(s.otherwise);
                     },
                     [&](const loops::ForStep& s) { inside(s.body); },
                     [&](const loops::BlockStep& s) { inside(s.body); },
                     [&](const loops::AtomicStep& s) { find_updated(s.body, code, is_atomic || s.depth > 0, updated); },
                     [&](const loops::ForkStep& s) {
                         inside(s.first.body);
                         inside(s.second.body);
                     },
                     [](const auto&) {}},
            step.node);
    }
}

}  // namespace

Evaluation::Evaluation(const loops::Code& code, const sched::Program& program, Values& values, Reference& reference,
                       Prover& prover, std::uint64_t most_steps)
    : code_(code),
      program_(program),
      values_(values),
      reference_(reference),
      prover_(prover),
      steps_left_(most_steps),
      scalars_(code.number_slots),
      value_frame_(code.value_slots),
      stores_(code.arrays.size()),
      updated_(code.arrays.size()),
      strands_(code.strands),
      semaphores_(code.semaphores.size()) {
    find_updated(code.body, code, false, updated_);
}

void Evaluation::count(std::uint64_t steps) {
    if (steps > steps_left_) { out_of_budget("steps", true); }
    steps_left_ -= steps;
}

// --- Indices and conditions ---------------------------------------------------------------------------------------

Evaluation::Scalar Evaluation::scalar(loops::NumberId id) {
    const loops::NumberNode& node = code_.numbers[id.value];
    switch (node.op) {
        case NumberOp::constant: return {{node.constant}, {}};
        case NumberOp::variable: return scalars_[node.slot];
        case NumberOp::linear: {
            loops::LinearSum sum(node.constant);
            for (std::uint32_t t = node.bound; t < node.bound + node.count; ++t) {
                const Scalar operand = scalar(code_.terms[t].operand);
                if (operand.term) { unsupported("data-dependent index"); }
                sum.add(code_.terms[t].coefficient, operand.number);
            }
            return {sum.result(), {}};
        }
        case NumberOp::arithmetic: {
            const Scalar a = scalar(node.a);
            return arithmetic(node.arithmetic, a, scalar(node.b));
        }
        case NumberOp::negation: {
            const Scalar a = scalar(node.a);
            if (!a.term) { return {negate_condition(a.number), {}}; }
            return {{}, values_.apply(value::UnaryOp::logical_not, written_condition(a))};
        }
        case NumberOp::denoted: {
            const Term t = value(node.value);
            if (const auto* known = values_.literal_of(t)) { return {loops::denoted(*known), {}}; }
            if (values_.type(t) != Type::boolean) { unsupported("data-dependent index"); }
            return {{}, t};
        }
        case NumberOp::select: {
            const Scalar c = scalar(node.a), a = scalar(node.b), b = scalar(node.c);
            if (!c.term && !a.term && !b.term) { return {choose(c.number, a.number, b.number), {}}; }
            if (!a.term && !b.term) { unsupported("data-dependent index"); }
            const Term which = written_condition(c), yes = written_condition(a), no = written_condition(b);
            return {{}, values_.select(which, yes, no)};
        }
        case NumberOp::let: scalars_[node.slot] = scalar(node.a); return scalar(node.b);
        case NumberOp::let_value: bind(code_.bindings[node.bound]); return scalar(node.b);
    }
    raise_internal_error(__FILE__, __LINE__, "no such operation on numbers");
}

Evaluation::Scalar Evaluation::arithmetic(Arithmetic op, const Scalar& a, const Scalar& b) {
    if (!a.term && !b.term) { return {compute(op, a.number, b.number), {}}; }
    // The only operators on bools are those of conditions.
    if (op != Arithmetic::both && op != Arithmetic::either) { unsupported("data-dependent index"); }
    const BinaryOp of_bools = op == Arithmetic::both ? BinaryOp::logical_and : BinaryOp::logical_or;
    const Term x = written_condition(a), y = written_condition(b);
    return {{}, values_.apply(of_bools, x, y)};
}

// Uninit propagates through conditions, and stops at a value that decides an operator on bools.
Term Evaluation::written_condition(const Scalar& s) {
    const Term t = condition(s);
    if (values_.mentions_uninit(t)) { unsupported("a condition on memory not written"); }
    return t;
}

std::int64_t Evaluation::integer(loops::NumberId id, const char* what) {
    const Scalar s = scalar(id);
    if (s.term) { unsupported(std::string("data-dependent ") + what); }
    if (s.number.flaw != Flaw::none) { unsupported(std::string(what) + " without a value"); }
    return s.number.value;
}

Term Evaluation::condition(const Scalar& s) { return s.term ? *s.term : embed(Type::boolean, s); }

Term Evaluation::embed(Type type, const Scalar& s) {
    if (s.term) {
        ENSURE(type == Type::boolean, "what depends on the inputs is a condition");
        return *s.term;
    }
    switch (s.number.flaw) {
        case Flaw::none: break;
        case Flaw::uninit: return values_.literal(value::Value::uninit(type));
        case Flaw::undef: return values_.literal(value::Value::undef(type));
        case Flaw::overflow: unsupported("an index beyond 64 bits");
    }
    return values_.cast(type, values_.literal(value::Value::integer(Type::i64, s.number.value)));
}

// --- Values -------------------------------------------------------------------------------------------------------

Term Evaluation::value(loops::ValueId id) {
    const loops::ValueNode& node = code_.values[id.value];
    switch (node.op) {
        case ValueOp::constant: return values_.literal(node.constant);
        case ValueOp::embed: return embed(node.type, scalar(node.number));
        case ValueOp::guard: return condition(scalar(node.number));
        case ValueOp::variable: return value_frame_[node.slot];
        case ValueOp::lane_variable: {
            const std::int64_t lane = integer(node.number, "lane");
            if (lane < 0 || lane >= node.lanes.count) { unsupported("a lane that there is none"); }
            return value_frame_[node.slot + static_cast<loops::Slot>(lane)];
        }
        case ValueOp::load: return load(code_.accesses[node.entry]);
        case ValueOp::unary: return values_.apply(node.unary, value(node.a));
        case ValueOp::binary: {
            const Term a = value(node.a);
            return values_.apply(node.binary, a, value(node.b));
        }
        case ValueOp::cast: return values_.cast(node.type, value(node.a));
        case ValueOp::select: {
            const Term c = condition(scalar(node.number));
            const Term a = value(node.a);
            return values_.select(c, a, value(node.b));
        }
        case ValueOp::reduce: {
            count(static_cast<std::uint64_t>(node.lanes.count));
            scalars_[node.lanes.slot] = {};
            Term result = value(node.a);
            for (std::int64_t l = 1; l < node.lanes.count; ++l) {
                scalars_[node.lanes.slot] = {{l}, {}};
                result = values_.apply(node.binary, result, value(node.a));
            }
            return result;
        }
        case ValueOp::let: scalars_[node.slot] = scalar(node.number); return value(node.a);
        case ValueOp::let_value: bind(code_.bindings[node.entry]); return value(node.a);
    }
    raise_internal_error(__FILE__, __LINE__, "no such operation on values");
}

void Evaluation::bind(const loops::ValueBinding& binding) {
    if (binding.lanes.count == 0) {
        value_frame_[binding.slot] = value(binding.value);
        return;
    }
    count(static_cast<std::uint64_t>(binding.lanes.count));
    for (std::int64_t l = 0; l < binding.lanes.count; ++l) {
        scalars_[binding.lanes.slot] = {{l}, {}};
        value_frame_[binding.slot + static_cast<loops::Slot>(l)] = value(binding.value);
    }
}

Term Evaluation::load(const loops::Access& access) {
    const loops::ArrayCode& array = code_.arrays[access.array.value];
    if (access.guard && !decided(*access.guard, "guard of a read")) {
        return values_.literal(value::Value::uninit(array.type));
    }
    const std::size_t place = locate(access);
    Store& store = stores_[access.array.value];
    if (is_atomic_ && updated_[access.array.value]) {
        const Cell cell{access.array.value, place};
        if (updated_cell_ && updated_cell_->first == cell) { return updated_cell_->second; }
        note_update(cell, std::nullopt);
    }
    if (!store.is_loaded.empty() && !store.is_loaded[place]) {
        std::vector<std::int64_t> coordinates;
        store.layout.coordinates(place, coordinates);
        for (std::size_t d = 0; d < coordinates.size(); ++d) { coordinates[d] += store.layout.spans()[d].min; }
        store.cells[place] = input(access.array, coordinates);
        store.is_loaded[place] = true;
    }
    return store.cells[place];
}

std::size_t Evaluation::locate(const loops::Access& access) {
    const Store& store = stores_[access.array.value];
    std::size_t place = 0;
    bool is_inside = store.is_live;
    for (std::size_t d = 0; d < access.rank; ++d) {
        const std::int64_t index = integer(code_.indices[access.first_index + d], "index");
        is_inside = is_inside && store.layout.advance(d, index, place);
    }
    // The run on one input would have had this trouble.
    if (!is_inside || store.layout.kind(place) != loops::CellKind::proper) { unsupported("an access out of bounds"); }
    return place;
}

// --- Statements ---------------------------------------------------------------------------------------------------

void Evaluation::run() {
    for (std::uint32_t a = 0; a < program_.arrays.size(); ++a) {
        allocate({a}, code_.outer_dimensions[a]);
        if (program_.arrays[a].role == sched::Role::input) { open_input({a}); }
    }
    if (code_.strands == 1 && code_.semaphores.empty()) {
        run(code_.body);
    } else {
        run_strands();
    }
}

void Evaluation::run(const loops::Steps& steps) {
    for (const loops::Step& step : steps) { run(step); }
}

void Evaluation::run(const loops::Step& step) {
    count(1);
    std::visit(
        [&](const auto& node) {
            if constexpr (requires { run(node); }) {
                run(node);
            } else {
                raise_internal_error(__FILE__, __LINE__, "a step at which strands take turns is not run at once");
            }
        },
        step.node);
}

void Evaluation::run(const loops::AllocateStep& step) {
    stores_[step.array.value].is_live = false;
    if (step.condition && !decided(*step.condition, "condition of an allocation")) { return; }
    allocate(step.array, step.dimensions);
}

void Evaluation::allocate(loops::ArrayId array, const std::vector<loops::DimensionCode>& dimensions) {
    std::vector<loops::Span> spans;
    Store& store = stores_[array.value];
    for (const loops::DimensionCode& dimension : dimensions) {
        const std::int64_t extent = integer(dimension.extent, "extent");
        const std::int64_t min = integer(dimension.min, "minimum");
        const auto stride = dimension.stride ? std::optional(integer(*dimension.stride, "stride")) : std::nullopt;
        spans.push_back({min, extent, stride});
    }
    auto layout = loops::Layout::make(std::move(spans), 1);
    // Without cells: any access is out of bounds.
    store.is_live = layout.has_value();
    if (!layout) { return; }
    store.layout = std::move(*layout);
    constexpr std::uint64_t cells_per_step = 64;
    count(store.layout.size() / cells_per_step);
    store.cells.assign(store.layout.size(), values_.literal(value::Value::uninit(code_.arrays[array.value].type)));
}

// If coordinates may share a cell, the last of them determines its value.
void Evaluation::open_input(loops::ArrayId array) {
    Store& store = stores_[array.value];
    if (!store.is_live) { return; }
    if (store.layout.is_nested()) {
        store.is_loaded.assign(store.layout.size(), false);
        return;
    }
    store.layout.for_each([&](const std::vector<std::int64_t>& coordinates, std::size_t place) {
        store.cells[place] = input(array, coordinates);
    });
}

Term Evaluation::input(loops::ArrayId array, const std::vector<std::int64_t>& coordinates) {
    const sched::Array& source = program_.arrays[array.value];
    const std::string& tensor = source.tensor.empty() ? source.name : source.tensor;
    const auto rank = reference_.rank(tensor);
    if (!rank) { unsupported("an input that the specification does not have", tensor); }
    // Linear memory has a dimension, even for a scalar.
    std::vector<std::int64_t> cell = coordinates;
    cell.resize(*rank);
    const auto v = reference_.cell(tensor, source.component, cell);
    ENSURE(v && values_.type(*v) == source.type, "the values of " + tensor + " have the type of their array");
    return *v;
}

void Evaluation::run(const loops::IfStep& step) { run(decided(step.condition, "branch") ? step.then : step.otherwise); }

void Evaluation::run(const loops::ForStep& step) {
    const auto [min, end] = begin_loop(step);
    for (std::int64_t i = min; i < end; ++i) {
        begin_iteration(step, i);
        run(step.body);
        end_iteration(step);
    }
    end_loop(step);
}

// Returns the loop's minimum and end.
std::pair<std::int64_t, std::int64_t> Evaluation::begin_loop(const loops::ForStep& step) {
    const std::int64_t min = integer(step.min, "bound of a loop");
    const std::int64_t extent = integer(step.extent, "bound of a loop");
    if (is_par(step)) { par_loops_.push_back(std::make_shared<ParLoop>()); }
    return {min, min + std::max<std::int64_t>(extent, 0)};
}

void Evaluation::end_loop(const loops::ForStep& step) {
    if (is_par(step)) { par_loops_.pop_back(); }
}

void Evaluation::begin_iteration(const loops::ForStep& step, std::int64_t i) {
    count(1);
    scalars_[step.slot] = {{i}, {}};
}

// S-ParLoop, ww-covered: iterations that write one cell leave the same value in it. Cells of arrays that are allocated
// further out also belong to the outer loops.
void Evaluation::end_iteration(const loops::ForStep& step) {
    if (!is_par(step)) { return; }
    ParLoop& loop = *par_loops_.back();
    const std::uint64_t iteration = loop.iteration++;
    const std::size_t depth = par_loops_.size();
    std::ranges::sort(loop.written);
    const auto [end, unused] = std::ranges::unique(loop.written);
    loop.written.erase(end, unused);
    for (const Cell& cell : loop.written) {
        const auto& [array, place] = cell;
        if (code_.arrays[array].depth >= depth) { continue; }
        const auto update = loop.updates.find(cell);
        if (update != loop.updates.end() && (update->second.is_shared || update->second.first_iteration != iteration)) {
            unsupported("a write beside atomic updates of other iterations");
        }
        const Term left = stores_[array].cells[place];
        const auto [before, is_first] = loop.left_before.try_emplace(cell, left);
        if (!is_first && is_rounded_) { throw SharedCell(); }
        if (!is_first && before->second != left) {
            not_shown(validator::Kind::race_write_write,
                      "iterations that write one cell of " + *code_.arrays[array].name + " are not shown to agree");
        }
        if (depth > 1) { par_loops_[depth - 2]->written.push_back(cell); }
    }
    loop.written.clear();
}

// In a par loop, another iteration may access the freed array.
void Evaluation::run(const loops::FreeStep& step) {
    const std::size_t array = code_.accesses[step.access].array.value;
    if (code_.arrays[array].depth < par_loops_.size()) { unsupported("an iteration that frees what others may have"); }
    stores_[array].is_live = false;
}

void Evaluation::run(const loops::AssertStep& step) {
    if (!decided(step.condition, "assertion")) { unsupported("an assertion that fails"); }
}

void Evaluation::run(const loops::AtomicStep& step) {
    const bool is_outermost = step.depth > 0 && !is_atomic_;
    is_atomic_ = is_atomic_ || step.depth > 0;
    run(step.body);
    if (is_outermost) { is_atomic_ = false; }
}

void Evaluation::run(const loops::AssignStep& step) {
    planned_.clear();
    if (step.lanes.count == 0) {
        plan(step, 0);
    } else {
        count(static_cast<std::uint64_t>(step.lanes.count));
        for (std::int64_t l = 0; l < step.lanes.count; ++l) {
            scalars_[step.lanes.slot] = {{l}, {}};
            plan(step, l);
        }
        compare_lanes();
    }
    for (const Planned& planned : planned_) {
        if (step.lanes.count > 0) { scalars_[step.lanes.slot] = {{planned.lane}, {}}; }
        perform(planned);
    }
}

void Evaluation::plan(const loops::AssignStep& step, std::int64_t lane) {
    if (step.condition && !decided(*step.condition, "condition of a write")) { return; }
    for (const loops::WriteCode& write : step.writes) {
        const Term v = is_atomic_ ? updated(write) : value(write.value);
        const loops::Access& access = code_.accesses[write.access];
        if (code_.arrays[access.array.value].role == loops::Role::input) { unsupported("a write to an input"); }
        planned_.push_back({&write, lane, locate(access), v});
    }
}

// The value that an atomic write leaves, or accumulates.
Term Evaluation::updated(const loops::WriteCode& write) {
    const loops::Access& access = code_.accesses[write.access];
    const Cell cell{access.array.value, locate(access)};
    const value::Type type = code_.arrays[access.array.value].type;
    const auto allows_any_order = [&](BinaryOp op) {
        const bool is_exact = value::is_associative(op, type, false);
        const bool is_allowed = value::is_associative(op, type, values_.has_exact_reals());
        is_rounded_ = is_rounded_ || (is_allowed && !is_exact);
        return is_allowed;
    };
    if (write.accumulation) {
        note_update(cell, allows_any_order(*write.accumulation) ? write.accumulation : std::nullopt);
        return value(write.value);
    }
    const Term before = values_.unknown(code_.arrays[access.array.value].type);
    updated_cell_ = {cell, before};
    const Term v = value(write.value);
    updated_cell_.reset();
    const auto* binary = std::get_if<smt::Binary>(&values_.terms()[v]);
    if (binary != nullptr && allows_any_order(binary->op)) {
        const bool is_first = binary->a == before;
        const Term other = is_first ? binary->b : binary->a;
        if ((is_first || binary->b == before) && !values_.mentions(other, before)) {
            note_update(cell, binary->op);
            return values_.apply(binary->op, stores_[cell.first].cells[cell.second], other);
        }
    }
    note_update(cell, std::nullopt);
    return value(write.value);
}

// Iterations of par loops access a cell in atomic blocks in any order. If there are several, all must combine it with a
// value by one operator whose order does not matter; that value does not depend on cells that others update, since that
// access would be noted, too.
void Evaluation::note_update(const Cell& cell, std::optional<BinaryOp> op) {
    for (std::size_t d = code_.arrays[cell.first].depth; d < par_loops_.size(); ++d) {
        ParLoop& loop = *par_loops_[d];
        if (loop.left_before.contains(cell)) { unsupported("an atomic update beside writes of other iterations"); }
        auto& [first_iteration, is_shared, common_op] =
            loop.updates.try_emplace(cell, Updates{loop.iteration, false, op}).first->second;
        is_shared = is_shared || first_iteration != loop.iteration;
        if (common_op != op) { common_op.reset(); }
        if (is_shared && !common_op) { unsupported("atomic updates in an order that matters"); }
    }
}

// S-Assign: lanes that write one cell leave the same value in it, and none accumulates there.
void Evaluation::compare_lanes() const {
    struct Left {
        std::int64_t lane = 0;
        Term value;
        bool accumulates = false;
    };
    std::map<Cell, std::vector<Left>> cells;
    for (const Planned& planned : planned_) {
        std::vector<Left>& lanes = cells[{code_.accesses[planned.write->access].array.value, planned.place}];
        if (lanes.empty() || lanes.back().lane != planned.lane) { lanes.push_back({planned.lane, planned.value}); }
        lanes.back().value = planned.value;
        lanes.back().accumulates = lanes.back().accumulates || planned.write->accumulation.has_value();
    }
    for (const auto& [cell, lanes] : cells) {
        if (lanes.size() > 1 && is_rounded_) { throw SharedCell(); }
        const bool agree = std::ranges::all_of(lanes, [&](const Left& left) {
            return lanes.size() == 1 || (!left.accumulates && left.value == lanes.front().value);
        });
        if (!agree) {
            not_shown(validator::Kind::lanes,
                      "those that write one cell of " + *code_.arrays[cell.first].name + " are not shown to agree");
        }
    }
}

void Evaluation::perform(const Planned& planned) {
    const loops::WriteCode& write = *planned.write;
    const loops::Access& access = code_.accesses[write.access];
    Term& cell = stores_[access.array.value].cells[planned.place];
    if (!par_loops_.empty() && !is_atomic_) {
        par_loops_.back()->written.emplace_back(access.array.value, planned.place);
    }
    if (write.accumulation) {
        cell = values_.apply(*write.accumulation, cell, planned.value);
        return;
    }
    cell = planned.value;
    if (!write.prophecy || in_vain_[&write] == most_in_vain) { return; }
    const auto named = prophesied(write);
    if (!named || *named == cell || values_.type(*named) != values_.type(cell)) { return; }
    // Where the prophesied value is Undef, iterations may leave different values, which it would hide.
    if (!par_loops_.empty() && !values_.is_never_undef(*named)) { return; }
    if (prover_.shows(*named, cell)) {
        is_rounded_ = is_rounded_ || (values_.has_exact_reals() && values_.has_floats(*named));
        cell = *named;
    } else {
        ++in_vain_[&write];
    }
}

// nullopt if the prophecy names no cell, or one that costs too much: it is a hint.
std::optional<Term> Evaluation::prophesied(const loops::WriteCode& write) {
    try {
        std::vector<std::int64_t> coordinates;
        for (const loops::NumberId id : write.prophecy->indices) { coordinates.push_back(integer(id, "prophecy")); }
        return reference_.cell(write.prophecy->access->tensor, write.prophecy->access->component, coordinates);
    } catch (const GivenUp&) { return std::nullopt; } catch (const refinement::TooManyTerms&) {
        return std::nullopt;
    }
}

std::optional<Term> Evaluation::output(const std::string& tensor, int component,
                                       const std::vector<std::int64_t>& coordinates) const {
    for (std::uint32_t a = 0; a < program_.arrays.size(); ++a) {
        const sched::Array& array = program_.arrays[a];
        const std::string& named = array.tensor.empty() ? array.name : array.tensor;
        if (array.role != sched::Role::output || named != tensor || array.component != component) { continue; }
        const Store& store = stores_[a];
        const auto& spans = store.layout.spans();
        // Linear memory has a dimension, even for a scalar.
        const bool has_rank = spans.size() == coordinates.size() || (spans.size() == 1 && coordinates.empty());
        if (!store.is_live || !has_rank) { return std::nullopt; }
        std::size_t place = 0;
        std::int64_t linear = 0;
        for (std::size_t d = 0; d < coordinates.size(); ++d) {
            const std::int64_t offset = coordinates[d] - spans[d].min;
            if (offset < 0 || offset >= spans[d].extent) { return std::nullopt; }
            if (store.layout.is_linear()) {
                linear += offset * *spans[d].stride;
            } else if (!store.layout.advance(d, coordinates[d], place)) {
                return std::nullopt;
            }
        }
        if (store.layout.is_linear() && !store.layout.advance(0, linear, place)) { return std::nullopt; }
        return store.cells[place];
    }
    return std::nullopt;
}

}  // namespace haruspex::unrolled
