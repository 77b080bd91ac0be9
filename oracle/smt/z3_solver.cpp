#include <z3++.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "generators/base/ensure.h"
#include "oracle/smt/encoder.h"
#include "oracle/smt/query.h"
#include "oracle/smt/smtlib.h"

namespace haruspex::smt {
namespace {

using value::BinaryOp;
using value::Type;
using value::Value;

constexpr unsigned max_memory_megabytes = 2048;
// A last resort against work that Z3 does not count: the usual rlimits are spent in a second or two, and on a busy
// machine in several times that.
constexpr unsigned most_milliseconds = 60'000;

// For the whole process: a solver ignores its own limits while it prepares a question.
void limit_memory() {
    static std::once_flag once;
    std::call_once(once, [] { z3::set_param("memory_max_size", static_cast<int>(max_memory_megabytes)); });
}

struct Beyond64Bits {};

std::uint64_t bits_of(const z3::expr& v) {
    std::uint64_t bits = 0;
    ENSURE(v.is_numeral_u64(bits), "Z3 gave no bit-vector for a value");
    return bits;
}

// The value of a carrier (Encoder::carrier) in a model.
Value carried(Type type, const z3::expr& v) {
    if (type == Type::boolean) { return Value::boolean(v.is_true()); }
    if (v.is_bv()) { return Value::from_bits(type, bits_of(v)); }
    // More digits than a double distinguishes. An irrational number ends with a question mark.
    std::string digits = v.get_decimal_string(40);
    if (digits.ends_with('?')) { digits.pop_back(); }
    double number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    ENSURE(end == digits.data() + digits.size(), "Z3 gave no number for a real: " + digits);
    if (error != std::errc{}) { throw Beyond64Bits{}; }
    return value::cast(type, Value::f64(number));
}

class Extraction {
public:
    Extraction(const Terms& terms, const Query& query, const Encoder& encoder, z3::context& context,
               const z3::model& model)
        : terms_(terms), query_(query), encoder_(encoder), context_(context), model_(model) {}

    // Throws Beyond64Bits.
    Model extract() {
        Model m;
        for (const std::string& name : encoder_.variables()) {
            std::int64_t v = 0;
            const z3::expr value = evaluated("int " + name, context_.int_sort());
            if (!value.is_numeral_i64(v)) { throw Beyond64Bits{}; }
            m.variables.emplace(name, v);
        }
        std::map<Place, Value> cells;
        for (const Term term : encoder_.cells()) {
            cells.try_emplace(place(std::get<Cell>(terms_[term]), m.variables), cell_value(term));
        }
        for (const auto& [where, v] : cells) {
            m.cells.push_back({std::get<0>(where), std::get<1>(where), std::get<2>(where), v});
        }
        std::map<std::pair<Type, std::uint32_t>, Value> atoms;
        for (const Term term : encoder_.atoms()) {
            const Atom& atom = std::get<Atom>(terms_[term]);
            const std::string name = "atom " + std::to_string(atom.number) + " " + std::string(value::name(atom.type));
            atoms.emplace(std::pair(atom.type, atom.number), read(atom.type, name));
        }
        for (const auto& [key, v] : atoms) { m.atoms.push_back({{key.first, key.second}, v}); }

        Interpretation replay;
        replay.variables = m.variables;
        replay.atom = [&](const Atom& atom) { return atoms.at({atom.type, atom.number}); };
        replay.cell = [&](const Cell& cell, const std::vector<std::int64_t>& coordinates) {
            return cells.at({cell.tensor, cell.component, coordinates});
        };
        m.specification = replayed(query_.specification, replay);
        m.implementation = replayed(query_.implementation, replay);
        const auto inside = affine::contains(query_.domain, m.variables);
        if (!inside) { throw Beyond64Bits{}; }
        m.confirmed = *inside && violates(m.specification, m.implementation, query_.equality);
        return m;
    }

private:
    using Place = std::tuple<std::string, int, std::vector<std::int64_t>>;

    z3::sort sort(Type type) {
        if (type == Type::boolean) { return context_.bool_sort(); }
        if (encoder_.carrier(type) == "Real") { return context_.real_sort(); }
        return context_.bv_sort(static_cast<unsigned>(encoder_.carrier_bits(type)));
    }

    Value read(Type type, const std::string& name) {
        const z3::expr v = evaluated(name, sort(type));
        const AbstractFloats* floats = encoder_.floats();
        if (floats == nullptr || !value::is_float(type)) { return carried(type, v); }
        return floats->decoded(type, bits_of(v), literals_of(*floats, type));
    }

    // The magnitudes that the model gives the literals.
    std::map<double, std::uint64_t> literals_of(const AbstractFloats& floats, Type type) {
        std::map<double, std::uint64_t> codes;
        for (const auto& [key, name] : floats.literals()) {
            if (key.first != type) { continue; }
            const auto width = static_cast<unsigned>(encoder_.carrier_bits(type) - 1);
            codes.emplace(key.second, bits_of(evaluated(name, context_.bv_sort(width))));
        }
        return codes;
    }

    z3::expr evaluated(const std::string& name, const z3::sort& of) {
        return model_.eval(context_.constant(name.c_str(), of), true);
    }

    Value cell_value(Term term) {
        const Cell& cell = std::get<Cell>(terms_[term]);
        const std::string number = std::to_string(term.value);
        if (cell.definedness == Definedness::may_be_undef && evaluated("cu" + number, context_.bool_sort()).is_true()) {
            return Value::undef(cell.type);
        }
        return read(cell.type, "c" + number);
    }

    static Place place(const Cell& cell, const affine::Assignment& variables) {
        std::vector<std::int64_t> coordinates;
        for (const affine::Affine& index : cell.indices) {
            const auto coordinate = affine::evaluate(index, variables);
            if (!coordinate) { throw Beyond64Bits{}; }
            coordinates.push_back(*coordinate);
        }
        return {cell.tensor, cell.component, std::move(coordinates)};
    }

    Value replayed(Term term, const Interpretation& interpretation) const {
        const auto v = evaluate(terms_, term, interpretation);
        if (!v) { throw Beyond64Bits{}; }
        return *v;
    }

    const Terms& terms_;
    const Query& query_;
    const Encoder& encoder_;
    z3::context& context_;
    z3::model model_;
};

// The degree of the polynomials that products of real numbers form; a quotient counts as a product. An integer that is
// converted to a real number is a sum over its bits, and counts twice.
std::uint64_t degree_of_reals(const Terms& terms, const Query& query) {
    if (query.abstraction != Abstraction::arithmetic || query.floats != Floats::real) { return 0; }
    // Enough to be high: the degree of squares of squares does not fit 64 bits.
    constexpr std::uint64_t most = 1000;
    std::uint64_t highest = 0;
    std::map<std::uint32_t, std::uint64_t> degrees;
    for (const Term t : reachable(terms, {query.specification, query.implementation})) {
        if (std::holds_alternative<Literal>(terms[t])) { continue; }
        const auto* n = std::get_if<Binary>(&terms[t]);
        const bool multiplies = n != nullptr && value::is_float(terms.type(n->a)) &&
                                (n->op == BinaryOp::mul || n->op == BinaryOp::div || n->op == BinaryOp::mod);
        const auto* cast = std::get_if<Cast>(&terms[t]);
        const bool is_sum_of_bits =
            cast != nullptr && value::is_float(cast->to) && !value::is_float(terms.type(cast->a));
        std::uint64_t sum = 0;
        std::uint64_t largest = is_sum_of_bits ? 2 : 0;
        for (const Term operand : operands(terms[t])) {
            const auto known = degrees.find(operand.value);
            const std::uint64_t degree = known == degrees.end() ? 0 : known->second;
            sum += degree;
            largest = std::max(largest, degree);
        }
        const std::uint64_t degree = std::clamp<std::uint64_t>(multiplies ? sum : largest, 1, most);
        degrees.emplace(t.value, degree);
        highest = std::max(highest, degree);
    }
    return highest;
}

// Each query has its own context: Z3's answer also depends on the earlier work of its context.
class Question {
public:
    Question(const Terms& terms, const Query& query, std::uint64_t rlimit)
        : terms_(terms), query_(query), encoder_(terms, query), rlimit_(rlimit) {}

    Outcome ask() {
        std::string text;
        try {
            // As nested lets: for a function without parameters Z3 sets up the cases of its definition, one for each
            // path through its choices, and counts none of that work.
            text = nested(encoder_.encode());
        } catch (const Inexpressible& reason) { return {Unknown{reason.reason}, 0}; }
        try {
            Outcome outcome;
            outcome.answer = ask(text);
            outcome.rlimit_spent = spent_;
            return outcome;
        } catch (const Beyond64Bits&) {}
        for (const std::string& name : encoder_.variables()) {
            const std::string variable = quoted("int " + name);
            // Far below 64 bits, and beyond all sizes of interest.
            text += sexpr("assert", sexpr("<=", sexpr("-", power_of_two(40)), variable, power_of_two(40))) + "\n";
        }
        Outcome outcome{Unknown{"every counterexample found lies beyond 64 bits"}, spent_};
        try {
            auto again = ask(text);
            if (std::holds_alternative<Fails>(again)) { outcome.answer = std::move(again); }
        } catch (const Beyond64Bits&) {}
        outcome.rlimit_spent = spent_;
        return outcome;
    }

private:
    std::variant<Holds, Fails, Unknown> ask(const std::string& text) {
        const std::uint64_t left = rlimit_ - std::min(rlimit_, spent_);
        // Z3 takes 0 for no limit.
        if (left == 0) { return exhausted(); }
        try {
            limit_memory();
            z3::context context;
            // Z3's default strategies pay off for bits only: they take ten times as long to set up.
            z3::solver solver = query_.abstraction == Abstraction::uninterpreted
                                    ? z3::solver(context, z3::solver::simple())
                                    : z3::solver(context);
            z3::params params(context);
            params.set("rlimit",
                       static_cast<unsigned>(std::min<std::uint64_t>(left, std::numeric_limits<unsigned>::max())));
            params.set("timeout", most_milliseconds);
            params.set("max_memory", max_memory_megabytes);
            params.set("random_seed", 0U);
            // At a high degree, Z3's default arithmetic expands polynomials before it counts any work; its older one
            // does not, but finds fewer models.
            if (degree_of_reals(terms_, query_) > 2) { params.set("arith.solver", 2U); }
            solver.set(params);
            // Many times cheaper than letting the solver read the text.
            solver.add(context.parse_string(text.c_str()));
            const z3::check_result result = solver.check();
            spent_ += rlimit_count(solver);
            switch (result) {
                case z3::unsat: return Holds{};
                case z3::sat: return Fails{Extraction(terms_, query_, encoder_, context, solver.get_model()).extract()};
                case z3::unknown: break;
            }
            if (spent_ >= rlimit_) { return exhausted(); }
            const std::string reason = solver.reason_unknown();
            // Repeated queries must pay for the time.
            if (reason == "timeout" || reason == "canceled") { spent_ = rlimit_; }
            return Unknown{"Z3: " + reason};
        } catch (const z3::exception& error) {
            spent_ = rlimit_;
            return Unknown{std::string("Z3: ") + error.msg()};
        }
    }

    Unknown exhausted() const { return {"the rlimit of " + std::to_string(rlimit_) + " is spent"}; }

    static std::uint64_t rlimit_count(const z3::solver& solver) {
        const z3::stats statistics = solver.statistics();
        for (unsigned i = 0; i < statistics.size(); ++i) {
            if (statistics.key(i) != "rlimit count") { continue; }
            return statistics.is_uint(i) ? statistics.uint_value(i)
                                         : static_cast<std::uint64_t>(statistics.double_value(i));
        }
        return 0;
    }

    const Terms& terms_;
    const Query& query_;
    Encoder encoder_;
    std::uint64_t rlimit_;
    std::uint64_t spent_ = 0;
};

}  // namespace

Outcome refines(const Terms& terms, const Query& query, std::uint64_t rlimit) {
    return Question(terms, query, rlimit).ask();
}

std::string z3_version() {
    unsigned major = 0;
    unsigned minor = 0;
    unsigned build = 0;
    unsigned revision = 0;
    Z3_get_version(&major, &minor, &build, &revision);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace haruspex::smt
