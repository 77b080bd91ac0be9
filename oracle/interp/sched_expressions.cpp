#include <fmt/core.h>

#include <algorithm>

#include "generators/base/ensure.h"
#include "oracle/interp/sched_machine.h"

// Evaluation of expressions (thesis Fig. 4.3); their reads are marked for races (Fig. 4.4).
namespace haruspex::interp::loops {

Number Machine::compound(const NumberNode& node) {
    ++evaluated_;
    switch (node.op) {
        case NumberOp::constant: return {node.constant};
        case NumberOp::variable: return numbers_[node.slot];
        case NumberOp::linear: {
            LinearSum sum(node.constant);
            for (std::uint32_t t = node.bound; t < node.bound + node.count; ++t) {
                sum.add(code_.terms[t].coefficient, number(code_.terms[t].operand));
            }
            return sum.result();
        }
        case NumberOp::arithmetic: {
            const Number a = number(node.a);
            return compute(node.arithmetic, a, number(node.b));
        }
        case NumberOp::negation: return negate_condition(number(node.a));
        case NumberOp::denoted: return denoted(value(node.value));
        case NumberOp::select: {
            const Number condition = number(node.a);
            const Number if_true = number(node.b);
            return choose(condition, if_true, number(node.c));
        }
        case NumberOp::let: numbers_[node.slot] = number(node.a); return number(node.b);
        case NumberOp::let_value: bind(code_.bindings[node.bound]); return number(node.b);
    }
    ENSURE(false, "an operation on numbers that is not handled");
    return {};
}

value::Value Machine::value(ValueId id) {
    const ValueNode& node = code_.values[id.value];
    switch (node.op) {
        case ValueOp::constant: return node.constant;
        case ValueOp::embed: return embed(node.type, number(node.number));
        case ValueOp::guard: return embed(value::Type::boolean, number(node.number));
        case ValueOp::variable: return values_[node.slot];
        case ValueOp::lane_variable: {
            const Number lane = number(node.number);
            if (!is_usable(lane, "the lane of a family of values")) { return values_[node.slot]; }
            if (lane.value < 0 || lane.value >= node.lanes.count) {
                note(TroubleKind::out_of_bounds_read, {}, {lane.value},
                     fmt::format("reads lane {} of a family of {} values", lane.value, node.lanes.count));
                return value::Value::uninit(values_[node.slot].type());
            }
            return values_[node.slot + static_cast<Slot>(lane.value)];
        }
        case ValueOp::load: return load(code_.accesses[node.entry]);
        case ValueOp::unary: return value::apply(node.unary, value(node.a));
        case ValueOp::binary: {
            const value::Value a = value(node.a);
            return value::apply(node.binary, a, value(node.b));
        }
        case ValueOp::cast: return value::cast(node.type, value(node.a));
        case ValueOp::select: return select(node);
        case ValueOp::reduce: return reduce(node);
        case ValueOp::let: numbers_[node.slot] = number(node.number); return value(node.a);
        case ValueOp::let_value: bind(code_.bindings[node.entry]); return value(node.a);
    }
    ENSURE(false, "an operation on values that is not handled");
    return node.constant;
}

// An index at a type, or a condition as a bool. An integer beyond 64 bits has a value at every type, but that value is
// not known here.
value::Value Machine::embed(value::Type type, Number n) {
    switch (n.flaw) {
        case Flaw::none: break;
        case Flaw::uninit: return value::Value::uninit(type);
        case Flaw::undef: return value::Value::undef(type);
        case Flaw::overflow: note_flaw(n.flaw, "a value"); return value::Value::uninit(type);
    }
    return value::cast(type, value::Value::integer(value::Type::i64, n.value));
}

value::Value Machine::select(const ValueNode& node) {
    const value::Value condition = embed(value::Type::boolean, number(node.number));
    const value::Value if_true = value(node.a);
    return value::select(condition, if_true, value(node.b));
}

value::Value Machine::reduce(const ValueNode& node) {
    const LaneScope scope(*this, node.lanes);
    Number& lane = numbers_[node.lanes.slot];
    lane = {0};
    value::Value result = value(node.a);
    if (!count(static_cast<std::uint64_t>(node.lanes.count))) { return result; }
    for (std::int64_t l = 1; l < node.lanes.count; ++l) {
        lane = {l};
        result = value::apply(node.binary, result, value(node.a));
    }
    return result;
}

void Machine::bind(const ValueBinding& binding) {
    if (binding.lanes.count == 0) {
        values_[binding.slot] = value(binding.value);
        if (values_[binding.slot].is_uninit()) [[unlikely]] { value_ranges_[binding.slot] = range(binding.value); }
        return;
    }
    const LaneScope scope(*this, binding.lanes);
    if (!count(static_cast<std::uint64_t>(binding.lanes.count))) {
        // Computations on them before the run ends need values of their type.
        numbers_[binding.lanes.slot] = {0};
        const value::Value none = value::Value::uninit(value(binding.value).type());
        std::fill_n(values_.begin() + binding.slot, binding.lanes.count, none);
        return;
    }
    for (std::int64_t l = 0; l < binding.lanes.count; ++l) {
        numbers_[binding.lanes.slot] = {l};
        values_[binding.slot + static_cast<Slot>(l)] = value(binding.value);
    }
}

value::Value Machine::load(const Access& access) {
    const value::Type type = code_.arrays[access.array.value].type;
    if (access.guard) {
        const Number guard = number(*access.guard);
        if (!is_usable(guard, "the guard of a read of ", name(access.array)) || guard.value == 0) {
            return value::Value::uninit(type);
        }
    }
    std::size_t place = 0;
    if (!locate(access, Direction::read, place)) { return value::Value::uninit(type); }
    const Store& store = stores_[access.array.value];
    if (!store.loaded.empty() && !store.loaded[place]) { load_input(access.array, place); }
    if (access.is_shared()) { mark(access, Direction::read, place); }
    return store.cells[place];
}

bool Machine::locate(const Access& access, Direction direction, std::size_t& place) {
    const Store& store = stores_[access.array.value];
    const bool is_live = store.state == Store::State::live;
    Flaw flaw = Flaw::none;
    bool is_inside = is_live;
    place = 0;
    for (std::size_t d = 0; d < access.rank; ++d) {
        const Number index = number(code_.indices[access.first_index + d]);
        flaw = std::max(flaw, index.flaw);
        is_inside = is_inside && store.layout.advance(d, index.value, place);
    }
    if (flaw == Flaw::none && is_inside) [[likely]] {
        if (direction == Direction::read && !store.loaded.empty() && store.loaded[place]) { return true; }
        const CellKind kind = store.layout.kind(place);
        const bool may_write = code_.arrays[access.array.value].role != Role::input || kind == CellKind::padding;
        if (kind != CellKind::gap && (direction == Direction::read || may_write)) [[likely]] { return true; }
    }
    explain_access(access, direction, flaw);
    return false;
}

void Machine::explain_access(const Access& access, Direction direction, Flaw flaw) {
    const std::string& array = name(access.array);
    const bool is_read = direction == Direction::read;
    const std::string verb = is_read ? "reads " : "writes ";
    if (flaw != Flaw::none) {
        note_flaw(flaw, "an index of " + array + ", which it " + verb + "there,");
        return;
    }
    const Store& store = stores_[access.array.value];
    std::vector<std::int64_t> cell;
    std::size_t place = 0;
    bool is_inside = store.state == Store::State::live;
    for (std::size_t d = 0; d < access.rank; ++d) {
        cell.push_back(number(code_.indices[access.first_index + d]).value);
        is_inside = is_inside && store.layout.advance(d, cell.back(), place);
    }
    const auto tell = [&](TroubleKind of_read, TroubleKind of_write, const std::string& what) {
        note(is_read ? of_read : of_write, array, cell, verb + cell_name(array, cell) + what);
    };
    const auto tell_bounds = [&](const std::string& what) {
        tell(TroubleKind::out_of_bounds_read, TroubleKind::out_of_bounds_write, what);
    };
    switch (store.state) {
        case Store::State::absent:
            tell(TroubleKind::read_after_free, TroubleKind::write_after_free, ", which was not allocated");
            return;
        case Store::State::freed:
            tell(TroubleKind::read_after_free, TroubleKind::write_after_free, ", which is freed");
            return;
        case Store::State::broken: tell_bounds(", which has no cells"); return;
        case Store::State::live: break;
    }
    if (!is_inside) {
        tell_bounds(", which is out of bounds " + store.layout.bounds());
    } else if (store.layout.kind(place) == CellKind::gap) {
        tell_bounds(", which lies in a gap between its cells");
    } else {
        tell(TroubleKind::write_to_input, TroubleKind::write_to_input, ", which belongs to an input");
    }
}

void Machine::note_flaw(Flaw flaw, const std::string& what) {
    switch (flaw) {
        case Flaw::none: return;
        case Flaw::uninit:
            note(TroubleKind::depends_on_uninit, {}, {}, what + " depends on memory that was not written");
            return;
        case Flaw::overflow: note(TroubleKind::index_overflow, {}, {}, what + " leaves 64 bits"); return;
        case Flaw::undef: note(TroubleKind::depends_on_undef, {}, {}, what + " depends on undefined behaviour"); return;
    }
}

void Machine::note(TroubleKind kind, const std::string& array, std::vector<std::int64_t> cell,
                   const std::string& what) {
    if (!troubles_.is_new(kind, current_)) { return; }
    troubles_.note(kind, current_, array, std::move(cell), what, position());
}

Troubles::Position Machine::position() const {
    Troubles::Position position;
    for (const Place& place : places_) { position.emplace_back(*place.variable, numbers_[place.slot].value); }
    return position;
}

}  // namespace haruspex::interp::loops
