#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generators/base/choice.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/base/sizes.h"
#include "harness/sched/syntax.h"
#include "harness/sched/traverse.h"
#include "tests/support/naive_sched_expr.h"

// A brute-force interpreter of SCHED: it walks the tree over a map of cells and stops at the first error. It shares
// only generators/value with oracle/interp, and prefers obvious code to fast code. Exact memory only.
//
// Iterations of par loops run sequentially in three orders. In a fourth run they are isolated, as in U-PARLOOP: each
// starts from the memory before the loop, and the cells that it reads and writes are recorded.
namespace haruspex::testing {

// The value of a tensor's cell, by tensor and component.
using NaiveTensors = std::function<value::Value(const std::string&, int, const NaiveCell&)>;
class NaiveSched : private NaiveSchedExpressions {
public:
    enum class Order : std::uint8_t { forward, reverse, shuffled, apart };
    using NaiveSchedExpressions::Wrong;
    using Outputs = std::map<std::string, std::map<NaiveCell, value::Value>>;

    NaiveSched(const sched::Program& program, Order order) : program_(program), order_(order) {}

    // Returns the cells of the outputs, by array and coordinates. Throws Wrong.
    Outputs run(const Sizes& sizes, const NaiveTensors& inputs) {
        for (const std::string& parameter : program_.parameters) { bind(parameter, Number{sizes.at(parameter)}); }
        for (const sched::Array& array : program_.arrays) {
            const std::vector<Side> sides = sides_of(array.dimensions);
            const int id = make(array.type, sides);
            arrays_[id].is_input = array.role == sched::Role::input;
            bind(array.name, Place{id, {}});
            if (!arrays_[id].is_input) { continue; }
            for_each_coordinate(sides, [&](const NaiveCell& coordinates, const NaiveCell& cell) {
                arrays_[id].cells.at(cell) =
                    inputs(array.tensor.empty() ? array.name : array.tensor, array.component, coordinates);
            });
        }
        const std::size_t scope = bindings_.size();
        block(program_.body);
        ENSURE(bindings_.size() == scope && frames_.empty(), "a scope that was not left");
        Outputs outputs;
        for (const sched::Array& array : program_.arrays) {
            if (array.role != sched::Role::output) { continue; }
            const ArrayState& state = arrays_.at(std::get<Place>(find(array.name)).array);
            for_each_coordinate(sides_of(array.dimensions), [&](const NaiveCell& coordinates, const NaiveCell& cell) {
                outputs[array.name].emplace(coordinates, state.cells.at(cell));
            });
        }
        return outputs;
    }

private:
    struct Side {
        std::int64_t extent = 0, min = 0;
        std::optional<std::int64_t> stride;
    };
    struct ArrayState {
        value::Type type = value::Type::i32;
        bool is_live = true, is_input = false, is_freed = false;
        std::map<NaiveCell, Value> cells;
    };
    // The effects of an iteration that runs in isolation.
    struct Frame {
        std::map<Place, Value> written;
        std::set<Place> reads, writes, atomic_reads, atomic_writes;
    };

    // --- Memory --------------------------------------------------------------------------------------------------

    std::vector<Side> sides_of(const std::vector<sched::Dimension>& dimensions) {
        std::vector<Side> sides;
        for (const sched::Dimension& d : dimensions) {
            sides.push_back({certain(d.extent, "an extent"), certain(d.min, "a minimum"), std::nullopt});
            if (d.stride) { sides.back().stride = certain(*d.stride, "a stride"); }
            if (sides.back().extent < 0) { wrong("an extent is negative"); }
        }
        return sides;
    }

    // Calls `body` for all coordinates, with the memory cell of each.
    static void for_each_coordinate(const std::vector<Side>& sides,
                                    const std::function<void(const NaiveCell&, const NaiveCell&)>& body,
                                    const NaiveCell& coordinates = {}) {
        if (coordinates.size() < sides.size()) {
            const Side& side = sides[coordinates.size()];
            for (std::int64_t i = 0; i < side.extent; ++i) {
                NaiveCell longer = coordinates;
                longer.push_back(side.min + i);
                for_each_coordinate(sides, body, longer);
            }
            return;
        }
        if (sides.empty() || !sides.front().stride) { return body(coordinates, coordinates); }
        std::int64_t linear = 0;
        for (std::size_t d = 0; d < sides.size(); ++d) { linear += (coordinates[d] - sides[d].min) * *sides[d].stride; }
        body(coordinates, {linear});
    }

    int make(value::Type type, const std::vector<Side>& sides) {
        ArrayState& state = arrays_[++last_array_];
        state.type = type;
        for_each_coordinate(sides, [&](const NaiveCell&, const NaiveCell& cell) {
            state.cells.insert_or_assign(cell, Value::uninit(type));
        });
        return last_array_;
    }

    Place place(const std::string& array, const std::vector<sched::Expr>& indices) {
        Place place{std::get<Place>(find(array)).array, {}};
        for (const sched::Expr& index : indices) { place.cell.push_back(certain(index, "an index")); }
        const ArrayState& state = arrays_.at(place.array);
        if (!state.is_live) { wrong(array + " is freed, or was not allocated"); }
        if (!state.cells.contains(place.cell)) { wrong(array + " has no such cell"); }
        return place;
    }

    Value read(const Place& place) {
        if (!frames_.empty()) { (atomic_ ? frames_.back().atomic_reads : frames_.back().reads).insert(place); }
        for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
            if (const auto own = frame->written.find(place); own != frame->written.end()) { return own->second; }
        }
        return arrays_.at(place.array).cells.at(place.cell);
    }

    void write(const Place& place, const Value& v) {
        if (frames_.empty()) {
            arrays_.at(place.array).cells.at(place.cell) = v;
            return;
        }
        (atomic_ ? frames_.back().atomic_writes : frames_.back().writes).insert(place);
        frames_.back().written.insert_or_assign(place, v);
    }

    Value load(const sched::Load& n) final {
        const ArrayState& array = arrays_.at(std::get<Place>(find(n.array)).array);
        if (n.guard && certain(**n.guard, "a guard") == 0) { return Value::uninit(array.type); }
        return read(place(n.array, n.indices));
    }

    // --- Statements ----------------------------------------------------------------------------------------------

    void block(const sched::Block& statements) {
        const int outside = last_array_;
        scoped([&] {
            for (const sched::Stmt& s : statements) { statement(s); }
        });
        arrays_.erase(arrays_.upper_bound(outside), arrays_.end());
    }

    void statement(const sched::Stmt& stmt) {
        using namespace sched;
        std::visit(Overload{[&](const Let& s) { bind(s.name, number(s.value)); },
                            [&](const LetValue& s) { bind(s.name, bound_value(s.lanes, family(s.lanes, s.value))); },
                            [&](const Allocate& s) {
                                const bool exists = !s.condition || certain(*s.condition, "a condition") != 0;
                                const int id = exists ? make(s.type, sides_of(s.dimensions)) : make(s.type, {});
                                arrays_[id].is_live = exists;
                                bind(s.array, Place{id, {}});
                            },
                            [&](const Free& s) {
                                ArrayState& state = arrays_.at(std::get<Place>(find(s.array)).array);
                                if (state.is_freed && doubts_ == 0) { wrong(s.array + " is freed twice"); }
                                state.is_freed = state.is_freed || doubts_ == 0;
                                state.is_live = false;
                            },
                            [&](const Assign& s) { assign(s); }, [&](const If& s) { branch(s); },
                            [&](const For& s) { loop(s); },
                            [&](const Assert& s) {
                                if (certain(s.condition, "an assertion") == 0) { wrong("an assertion fails"); }
                            },
                            [&](const Atomic& s) {
                                const bool outside = std::exchange(atomic_, true);
                                block(s.body);
                                atomic_ = outside;
                            },
                            [&](const Accumulate& s) { block(s.body); }, [](const Semaphore&) { refuse_branches(); },
                            [](const Acquire&) { refuse_branches(); }, [](const Release&) { refuse_branches(); },
                            [](const Fork&) { refuse_branches(); }},
                   stmt.node);
    }

    // The truth of a condition; nullopt if it depends on Uninit.
    std::optional<bool> truth(const sched::Expr& condition, const char* what) {
        if (number(condition).state == State::uninit) { return std::nullopt; }
        return certain(condition, what) != 0;
    }

    // If the condition depends on Uninit, runs both branches; each of their writes may or may not take place.
    void branch(const sched::If& s) {
        const std::optional<bool> is_true = truth(s.condition, "a branch");
        if (!is_true) { ++doubts_; }
        if (is_true.value_or(true)) { block(s.then); }
        if (!is_true.value_or(false)) { block(s.otherwise); }
        if (!is_true) { --doubts_; }
    }

    static void refuse_branches() { ENSURE(false, "brute force runs one thing after the other"); }

    void assign(const sched::Assign& s) {
        struct Planned {
            std::int64_t lane;
            Place place;
            Value value;
            std::optional<value::ReductionOp> op;
        };
        std::vector<Planned> all;
        for (std::int64_t l = 0; l < (s.lanes ? s.lanes->count : 1); ++l) {
            scoped([&] {
                if (s.lanes) { bind(s.lanes->variable, Number{l}); }
                const std::optional<bool> is_done = s.condition ? truth(*s.condition, "a condition") : true;
                if (is_done == false) { return; }
                for (const sched::Write& w : s.writes) {
                    Value v = value(w.value);
                    if ((!is_done || doubts_ > 0) && !v.is_undef()) { v = Value::uninit(v.type()); }
                    const Place where = place(w.array, w.indices);
                    if (arrays_.at(where.array).is_input) { wrong(w.array + " is an input"); }
                    all.push_back({l, where, v, w.accumulation ? std::optional(w.accumulation->op) : std::nullopt});
                }
            });
        }
        // Whether this is the last write of its lane to its place.
        const auto is_last = [&](const Planned& a) {
            return std::none_of(&a + 1, static_cast<const Planned*>(all.data() + all.size()),
                                [&](const Planned& b) { return b.lane == a.lane && b.place == a.place; });
        };
        for (const Planned& a : all) {
            for (const Planned& b : all) {
                if (a.lane == b.lane || a.place != b.place) { continue; }
                const bool differ = is_last(a) && is_last(b) && !alike(a.value, b.value);
                if (a.op || b.op || differ) { wrong("two lanes write one cell"); }
            }
        }
        for (const Planned& p : all) {
            write(p.place, p.op ? value::apply(value::binary_op(*p.op), read(p.place), p.value) : p.value);
        }
    }

    static bool alike(const Value& a, const Value& b) {
        return a == b || (a.is_defined() && b.is_defined() && value::same_result(a, b));
    }

    void loop(const sched::For& s) {
        const std::int64_t min = certain(s.min, "a bound");
        const std::int64_t extent = certain(s.extent, "a bound");
        std::vector<std::int64_t> iterations;
        for (std::int64_t i = 0; i < extent; ++i) { iterations.push_back(min + i); }
        const auto iterate = [&](std::int64_t i) {
            scoped([&] {
                bind(s.variable, Number{i});
                block(s.body);
            });
        };
        const bool is_par = s.kind == sched::LoopKind::parallel;
        if (is_par && order_ == Order::apart) { return loop_apart(s, iterations, iterate); }
        if (is_par && order_ == Order::reverse) { std::ranges::reverse(iterations); }
        if (is_par && order_ == Order::shuffled) { shuffles_.shuffle(iterations); }
        for (const std::int64_t i : iterations) { iterate(i); }
    }

    // U-PARLOOP. Iterations with atomic updates see the effects of earlier iterations.
    void loop_apart(const sched::For& s, const std::vector<std::int64_t>& iterations,
                    const std::function<void(std::int64_t)>& iterate) {
        bool has_atomic = false;
        sched::for_each_statement(s.body, [&](const sched::Stmt& inner) {
            has_atomic = has_atomic || std::holds_alternative<sched::Atomic>(inner.node);
        });
        const bool atomic_outside = std::exchange(atomic_, false);
        std::vector<Frame> done;
        std::map<Place, Value> before;  // private memory of the earlier iterations, kept for the next one
        Frame all;
        for (const std::int64_t i : iterations) {
            frames_.emplace_back();
            if (has_atomic) { frames_.back().written = before; }
            iterate(i);
            Frame frame = std::move(frames_.back());
            frames_.pop_back();
            std::erase_if(frame.written, [&](const auto& w) { return !arrays_.contains(w.first.array); });
            if (has_atomic) { before = frame.written; }
            for (const auto& [where, v] : frame.written) { all.written.insert_or_assign(where, v); }
            done.push_back(std::move(frame));
        }
        atomic_ = atomic_outside;
        judge(done);
        for (const auto& [where, v] : all.written) {
            if (frames_.empty()) {
                arrays_.at(where.array).cells.at(where.cell) = v;
            } else {
                frames_.back().written.insert_or_assign(where, v);
            }
        }
        if (frames_.empty()) { return; }
        Frame& outer = frames_.back();
        for (const Frame& frame : done) {
            (atomic_ ? outer.atomic_reads : outer.reads).insert(frame.reads.begin(), frame.reads.end());
            (atomic_ ? outer.atomic_writes : outer.writes).insert(frame.writes.begin(), frame.writes.end());
            outer.atomic_reads.insert(frame.atomic_reads.begin(), frame.atomic_reads.end());
            outer.atomic_writes.insert(frame.atomic_writes.begin(), frame.atomic_writes.end());
        }
    }

    static bool reads(const Frame& f, const Place& p) { return f.reads.contains(p) || f.atomic_reads.contains(p); }
    static bool writes(const Frame& f, const Place& p) { return f.writes.contains(p) || f.atomic_writes.contains(p); }
    static bool updates(const Frame& f, const Place& p) {
        return f.atomic_writes.contains(p) && !f.reads.contains(p) && !f.writes.contains(p);
    }

    void judge(const std::vector<Frame>& iterations) const {
        for (const Frame& a : iterations) {
            for (const std::set<Place>* written : {&a.writes, &a.atomic_writes}) {
                for (const Place& p : *written) {
                    if (!arrays_.contains(p.array)) { continue; }
                    for (const Frame& b : iterations) {
                        if (&a == &b || (updates(a, p) && updates(b, p))) { continue; }
                        if (reads(b, p)) { wrong("one iteration reads what another writes"); }
                        if (writes(b, p) && !alike(a.written.at(p), b.written.at(p))) {
                            wrong("two iterations leave different values");
                        }
                    }
                }
            }
        }
    }

    const sched::Program& program_;
    Order order_;
    std::map<int, ArrayState> arrays_;
    int last_array_ = 0;
    std::vector<Frame> frames_;
    bool atomic_ = false;
    int doubts_ = 0;  // enclosing branches that may or may not be executed
    Choices shuffles_{random_source(1)};
};

// Why the program is wrong at these sizes, compared with the expected values of its outputs; nullopt if it is right. An
// output that should be Undef may hold any value.
inline std::optional<std::string> accusation_by_brute_force(const sched::Program& program, const Sizes& sizes,
                                                            const NaiveTensors& inputs, const NaiveTensors& expected) {
    using Order = NaiveSched::Order;
    bool has_par = false;
    sched::for_each_statement(program.body, [&](const sched::Stmt& s) {
        const auto* loop = std::get_if<sched::For>(&s.node);
        has_par = has_par || (loop != nullptr && loop->kind == sched::LoopKind::parallel);
    });
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled, Order::apart}) {
        if (!has_par && order != Order::forward) { continue; }
        try {
            const NaiveSched::Outputs outputs = NaiveSched(program, order).run(sizes, inputs);
            for (const sched::Array& array : program.arrays) {
                if (array.role != sched::Role::output || !outputs.contains(array.name)) { continue; }
                for (const auto& [cell, v] : outputs.at(array.name)) {
                    const value::Value wanted =
                        expected(array.tensor.empty() ? array.name : array.tensor, array.component, cell);
                    if (wanted.is_undef() || (v.is_defined() && value::same_result(v, wanted))) { continue; }
                    return array.name + " holds " + value::to_string(v) + " instead of " + value::to_string(wanted);
                }
            }
        } catch (const NaiveSched::Wrong& found) { return found.why; }
    }
    return std::nullopt;
}

}  // namespace haruspex::testing
