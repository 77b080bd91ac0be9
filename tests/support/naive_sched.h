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
#include "harness/sched/syntax.h"
#include "harness/sched/traverse.h"

// SCHED by brute force: a walk over the tree on a map of cells, which stops at the first thing that is wrong. It shares
// nothing with oracle/interp but generators/value, and prefers what is obvious to what is fast. Exact memory only.
//
// Iterations of par loops run one after the other in three orders, and once more apart, as U-PARLOOP has it: each in
// the memory before the loop, with the set of what it read and the cells that it wrote.
namespace haruspex::testing {

using NaiveCell = std::vector<std::int64_t>;
// The value of a tensor's cell, by tensor and component.
using NaiveTensors = std::function<value::Value(const std::string&, int, const NaiveCell&)>;
using NaiveSizes = std::map<std::string, std::int64_t>;

class NaiveSched {
public:
    enum class Order : std::uint8_t { forward, reverse, shuffled, apart };
    // What is wrong, in words.
    struct Wrong {
        std::string why;
    };
    using Outputs = std::map<std::string, std::map<NaiveCell, value::Value>>;

    NaiveSched(const sched::Program& program, Order order) : program_(program), order_(order) {}

    // The cells of the outputs, by array and coordinates. Throws Wrong.
    Outputs run(const NaiveSizes& sizes, const NaiveTensors& inputs) {
        for (const std::string& parameter : program_.parameters) { bind(parameter, Number{sizes.at(parameter)}); }
        for (const sched::Array& array : program_.arrays) {
            const std::vector<Side> sides = evaluate(array.dimensions);
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
            for_each_coordinate(evaluate(array.dimensions), [&](const NaiveCell& coordinates, const NaiveCell& cell) {
                outputs[array.name].emplace(coordinates, state.cells.at(cell));
            });
        }
        return outputs;
    }

private:
    using Value = value::Value;
    using State = value::State;
    // An index or, as 0 or 1, a condition.
    struct Number {
        value::Int128 n = 0;
        State state = State::defined;
        bool operator==(const Number&) const = default;
    };
    using Item = std::variant<Number, Value>;
    struct Place {
        int array = 0;
        NaiveCell cell;
        auto operator<=>(const Place&) const = default;
    };
    using Bound = std::variant<Number, Value, std::vector<Value>, Place>;
    struct Side {
        std::int64_t extent = 0, min = 0;
        std::optional<std::int64_t> stride;
    };
    struct ArrayState {
        bool is_live = true, is_input = false;
        std::map<NaiveCell, Value> cells;
    };
    // What an iteration does that runs apart from the others.
    struct Frame {
        std::map<Place, Value> written;
        std::set<Place> reads, writes, atomic_reads, atomic_writes;
    };

    [[noreturn]] static void wrong(std::string why) { throw Wrong{std::move(why)}; }

    // --- Names ---------------------------------------------------------------------------------------------------

    void bind(const std::string& name, Bound bound) { bindings_.emplace_back(name, std::move(bound)); }
    const Bound& find(const std::string& name) const {
        const auto found = std::find_if(bindings_.rbegin(), bindings_.rend(),
                                        [&](const auto& binding) { return binding.first == name; });
        ENSURE(found != bindings_.rend(), "no name " + name);
        return found->second;
    }
    template <typename Body>
    void scoped(Body&& body) {
        const std::size_t outside = bindings_.size();
        body();
        while (bindings_.size() > outside) { bindings_.pop_back(); }
    }

    // --- Expressions ---------------------------------------------------------------------------------------------

    // Of two states without a value, Undef spreads.
    static State worse(State a, State b) {
        if (a == State::undef || b == State::undef) { return State::undef; }
        return a == State::uninit || b == State::uninit ? State::uninit : State::defined;
    }

    template <typename Operation>
    Number combine(const sched::Expr& a, const sched::Expr& b, Operation&& operation) {
        const Number x = number(a);
        const Number y = number(b);
        const State state = worse(x.state, y.state);
        return state == State::defined ? Number{operation(x.n, y.n)} : Number{0, state};
    }

    static value::Int128 quotient(value::Int128 a, value::Int128 b) { return b == 0 ? 0 : (a - remainder(a, b)) / b; }
    static value::Int128 remainder(value::Int128 a, value::Int128 b) {
        if (b == 0) { return 0; }
        const value::Int128 r = a % b;
        return r >= 0 ? r : r + (b > 0 ? b : -b);
    }

    static Number denoted(const Value& v) {
        if (!v.is_defined()) { return {0, v.state()}; }
        if (value::is_signed_integer(v.type())) { return {v.as_signed()}; }
        return {static_cast<value::Int128>(v.bit_pattern())};
    }

    Number number(const sched::Expr& e) {
        const Item item = evaluate(e);
        if (const auto* v = std::get_if<Value>(&item)) { return denoted(*v); }
        return std::get<Number>(item);
    }
    Value value(const sched::Expr& e) { return std::get<Value>(evaluate(e)); }

    // What something hinges on.
    std::int64_t certain(const sched::Expr& e, const char* what) {
        const Number n = number(e);
        if (n.state != State::defined) { wrong(std::string(what) + " has no value"); }
        return narrow(n.n);
    }
    static std::int64_t narrow(value::Int128 n) {
        const auto small = static_cast<std::int64_t>(n);
        if (small != n) { wrong("an index leaves 64 bits"); }
        return small;
    }

    static Value at_type(value::Type type, Number n) {
        switch (n.state) {
            case State::undef: return Value::undef(type);
            case State::uninit: return Value::uninit(type);
            case State::defined: break;
        }
        return value::cast(type, Value::integer(value::Type::i64, narrow(n.n)));
    }

    Item select(const sched::Select& n) {
        const Number condition = number(*n.condition);
        const Item if_true = evaluate(*n.if_true);
        const Item if_false = evaluate(*n.if_false);
        if (const auto* v = std::get_if<Value>(&if_true)) {
            return value::select(at_type(value::Type::boolean, condition), *v, std::get<Value>(if_false));
        }
        const Number a = std::get<Number>(if_true);
        const Number b = std::get<Number>(if_false);
        if (worse(worse(a.state, b.state), condition.state) == State::undef) { return Number{0, State::undef}; }
        if (condition.state == State::uninit) { return a == b ? a : Number{0, State::uninit}; }
        return condition.n != 0 ? a : b;
    }

    std::vector<Value> family(const std::optional<sched::Lanes>& lanes, const sched::Expr& body) {
        std::vector<Value> values;
        for (std::int64_t l = 0; l < (lanes ? lanes->count : 1); ++l) {
            scoped([&] {
                if (lanes) { bind(lanes->variable, Number{l}); }
                values.push_back(value(body));
            });
        }
        return values;
    }
    static Bound bound_value(const std::optional<sched::Lanes>& lanes, std::vector<Value> values) {
        if (lanes) { return values; }
        return values.front();
    }

    Item evaluate(const sched::Expr& e) {
        using namespace sched;
        using value::Int128;
        return std::visit(
            Overload{[&](const Integer& n) -> Item { return Number{n.value}; },
                     [&](const Truth& n) -> Item { return Number{n.value ? 1 : 0}; },
                     [&](const Variable& n) -> Item { return std::get<Number>(find(n.name)); },
                     [&](const IndexBinary& n) -> Item {
                         return combine(*n.a, *n.b, [&](Int128 a, Int128 b) -> Int128 {
                             switch (n.op) {
                                 case IndexOp::add: return a + b;
                                 case IndexOp::sub: return a - b;
                                 case IndexOp::mul: return a * b;
                                 case IndexOp::div: return quotient(a, b);
                                 case IndexOp::mod: return remainder(a, b);
                                 case IndexOp::min: return std::min(a, b);
                                 case IndexOp::max: return std::max(a, b);
                             }
                             return 0;
                         });
                     },
                     [&](const Comparison& n) -> Item {
                         return combine(*n.a, *n.b, [&](Int128 a, Int128 b) -> Int128 {
                             switch (n.relation) {
                                 case Relation::lt: return a < b;
                                 case Relation::le: return a <= b;
                                 case Relation::eq: return a == b;
                                 case Relation::ne: return a != b;
                                 case Relation::gt: return a > b;
                                 case Relation::ge: return a >= b;
                             }
                             return 0;
                         });
                     },
                     [&](const And& n) -> Item {
                         return combine(*n.a, *n.b, [](Int128 a, Int128 b) -> Int128 { return a != 0 && b != 0; });
                     },
                     [&](const Or& n) -> Item {
                         return combine(*n.a, *n.b, [](Int128 a, Int128 b) -> Int128 { return a != 0 || b != 0; });
                     },
                     [&](const Not& n) -> Item {
                         const Number a = number(*n.a);
                         return a.state == State::defined ? Number{a.n == 0 ? 1 : 0} : a;
                     },
                     [&](const Denoted& n) -> Item { return denoted(value(*n.a)); },
                     [&](const Literal& n) -> Item { return n.value; },
                     [&](const Embed& n) -> Item { return at_type(n.type, number(*n.index)); },
                     [&](const Guard& n) -> Item { return at_type(value::Type::boolean, number(*n.condition)); },
                     [&](const ValueVariable& n) -> Item {
                         if (!n.lane) { return std::get<Value>(find(n.name)); }
                         const auto& lanes = std::get<std::vector<Value>>(find(n.name));
                         const std::int64_t lane = certain(**n.lane, "a lane");
                         if (lane < 0 || lane >= std::ssize(lanes)) { wrong("there is no such lane of " + n.name); }
                         return lanes[static_cast<std::size_t>(lane)];
                     },
                     [&](const Load& n) -> Item { return load(n); },
                     [&](const TensorAccess&) -> Item { wrong("a tensor in code"); },
                     [&](const Unary& n) -> Item { return value::apply(n.op, value(*n.a)); },
                     [&](const Binary& n) -> Item {
                         const Value a = value(*n.a);
                         return value::apply(n.op, a, value(*n.b));
                     },
                     [&](const Cast& n) -> Item { return value::cast(n.type, value(*n.a)); },
                     [&](const Select& n) -> Item { return select(n); },
                     [&](const LaneReduce& n) -> Item {
                         const std::vector<Value> values = family(n.lanes, *n.body);
                         Value result = values.front();
                         for (std::size_t l = 1; l < values.size(); ++l) {
                             result = value::apply(value::binary_op(n.op), result, values[l]);
                         }
                         return result;
                     },
                     [&](const LetIn& n) -> Item {
                         std::optional<Item> result;
                         scoped([&] {
                             bind(n.name, number(*n.value));
                             result = evaluate(*n.body);
                         });
                         return *result;
                     },
                     [&](const LetValueIn& n) -> Item {
                         std::optional<Item> result;
                         scoped([&] {
                             bind(n.name, bound_value(n.lanes, family(n.lanes, *n.value)));
                             result = evaluate(*n.body);
                         });
                         return *result;
                     }},
            e.node);
    }

    // --- Memory --------------------------------------------------------------------------------------------------

    std::vector<Side> evaluate(const std::vector<sched::Dimension>& dimensions) {
        std::vector<Side> sides;
        for (const sched::Dimension& d : dimensions) {
            sides.push_back({certain(d.extent, "an extent"), certain(d.min, "a minimum"), std::nullopt});
            if (d.stride) { sides.back().stride = certain(*d.stride, "a stride"); }
            if (sides.back().extent < 0) { wrong("an extent is negative"); }
        }
        return sides;
    }

    // With the cell of each coordinate.
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

    Value load(const sched::Load& n) {
        const ArrayState& array = arrays_.at(std::get<Place>(find(n.array)).array);
        if (n.guard && certain(**n.guard, "a guard") == 0) { return Value::uninit(type_of(n.array, array)); }
        return read(place(n.array, n.indices));
    }
    value::Type type_of(const std::string& name, const ArrayState& array) const {
        if (!array.cells.empty()) { return array.cells.begin()->second.type(); }
        std::optional<value::Type> type;
        for (const sched::Array& a : program_.arrays) {
            if (a.name == name) { type = a.type; }
        }
        sched::for_each_statement(program_.body, [&](const sched::Stmt& s) {
            const auto* allocation = std::get_if<sched::Allocate>(&s.node);
            if (allocation != nullptr && allocation->array == name) { type = allocation->type; }
        });
        return type.value();
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
                                const int id = exists ? make(s.type, evaluate(s.dimensions)) : make(s.type, {});
                                arrays_[id].is_live = exists;
                                bind(s.array, Place{id, {}});
                            },
                            [&](const Free& s) { arrays_.at(std::get<Place>(find(s.array)).array).is_live = false; },
                            [&](const Assign& s) { assign(s); },
                            [&](const If& s) { block(certain(s.condition, "a branch") != 0 ? s.then : s.otherwise); },
                            [&](const For& s) { loop(s); },
                            [&](const Assert& s) {
                                if (certain(s.condition, "an assertion") == 0) { wrong("an assertion fails"); }
                            },
                            [&](const Atomic& s) {
                                const bool outside = std::exchange(atomic_, true);
                                block(s.body);
                                atomic_ = outside;
                            },
                            [&](const Accumulate& s) { block(s.body); }},
                   stmt.node);
    }

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
                if (s.condition && certain(*s.condition, "a condition") == 0) { return; }
                for (const sched::Write& w : s.writes) {
                    const Value v = value(w.value);
                    const Place where = place(w.array, w.indices);
                    if (arrays_.at(where.array).is_input) { wrong(w.array + " is an input"); }
                    all.push_back({l, where, v, w.accumulation ? std::optional(w.accumulation->op) : std::nullopt});
                }
            });
        }
        for (const Planned& a : all) {
            for (const Planned& b : all) {
                if (a.lane == b.lane || a.place != b.place) { continue; }
                if (a.op || b.op || !alike(a.value, b.value)) { wrong("two lanes write one cell"); }
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

    // U-PARLOOP. Iterations that update cells atomically see what those before them did.
    void loop_apart(const sched::For& s, const std::vector<std::int64_t>& iterations,
                    const std::function<void(std::int64_t)>& iterate) {
        bool has_atomic = false;
        sched::for_each_statement(s.body, [&](const sched::Stmt& inner) {
            has_atomic = has_atomic || std::holds_alternative<sched::Atomic>(inner.node);
        });
        const bool atomic_outside = std::exchange(atomic_, false);
        std::vector<Frame> done;
        std::map<Place, Value> before;  // the iterations' own memory, put aside for the next one's
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
    std::vector<std::pair<std::string, Bound>> bindings_;
    std::map<int, ArrayState> arrays_;
    int last_array_ = 0;
    std::vector<Frame> frames_;
    bool atomic_ = false;
    Choices shuffles_{random_source(1)};
};

// Why a program is wrong at these sizes, against the values its outputs should have; nothing when it is right. An
// output that should be Undef may be anything.
inline std::optional<std::string> accusation_by_brute_force(const sched::Program& program, const NaiveSizes& sizes,
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
