#include "oracle/judge/judge.h"
#include "generators/schedule/halide/directive.h"

#include <csignal>
#include <functional>
#include <limits>

#include "tests/support/catch.h"

namespace haruspex::judge {
namespace {

using compiler::Observation;
using compiler::Outcome;
using compiler::Phase;
using value::Type;
using value::Value;
using verdict::Class;
using verdict::Verdict;
using Reference = Result<std::vector<interp::OutputValues>>;

Value i32(std::int64_t v) { return Value::integer(Type::i32, v); }

// Outputs A : i32 on [3, 5) x [0, 2), and the tuple T : {f32, bool} on [0, 1).
cases::Case a_case() {
    cases::Case c;
    c.compiler = "halide";
    c.sare.name = "judged";
    c.sare.tensors = {{"A", {Type::i32}, {"x", "y"}, {}}, {"T", {Type::f32, Type::boolean}, {"x"}, {}}};
    return c;
}

std::vector<interp::OutputValues> a_reference() {
    return {{"A", 0, {3, 0}, {2, 2}, {i32(1), i32(2), i32(3), i32(4)}},
            {"T", 0, {0}, {1}, {Value::f32(0.5F)}},
            {"T", 1, {0}, {1}, {Value::boolean(true)}}};
}

std::vector<compiler::TensorData> data_of(const std::vector<interp::OutputValues>& values) {
    std::vector<compiler::TensorData> data;
    for (const interp::OutputValues& output : values) {
        compiler::TensorData d{output.tensor, output.component, output.cells.front().type(),
                               output.min,    output.extent,    {}};
        for (const Value& cell : output.cells) { d.bits.push_back(cell.bit_pattern()); }
        data.push_back(std::move(d));
    }
    return data;
}

Observation a_run() {
    Observation o;
    o.first = data_of(a_reference());
    o.second = o.first;
    return o;
}

Observation ended(Outcome outcome, Phase phase, std::string message, int signal = 0) {
    Observation o;
    o.outcome = outcome;
    o.phase = phase;
    o.message = std::move(message);
    o.signal = signal;
    return o;
}

const std::string excuse = "RoundUp on an output: extent of x is a multiple of 8";

// The parts that vary between the table's rows.
struct Given {
    cases::Case c = a_case();
    Reference reference = a_reference();
    Observation observation = a_run();
    std::vector<std::string> excuses;
};
struct Row {
    std::string name;
    std::function<void(Given&)> change;
    Class cls;
    std::string message;
    std::string phase;
    int signal = 0;
};

const std::string segv = "SIGSEGV: Segmentation fault in f0";

const std::vector<Row>& rows() {
    static const std::vector<Row> table{
        {"all cells agree", [](Given&) {}, Class::agrees, "", "", 0},
        {"the harness failed",
         [](Given& g) {
             g.observation = ended(Outcome::harness_failed, Phase::compile, "the child broke the protocol");
         },
         Class::harness_failure, "the child broke the protocol", "compile", 0},
        {"the compiler died while building",
         [](Given& g) { g.observation = ended(Outcome::crashed, Phase::build, "SIGABRT", SIGABRT); },
         Class::compiler_crash, "SIGABRT", "build", SIGABRT},
        {"the compiler died while compiling, without naming the signal",
         [](Given& g) {
             g.observation = ended(Outcome::crashed, Phase::compile, "terminate called\n  twice\n", SIGABRT);
         },
         Class::compiler_crash, "SIGABRT: terminate called twice", "compile", SIGABRT},
        {"the compiler called exit",
         [](Given& g) { g.observation = ended(Outcome::crashed, Phase::compile, "called exit(1)"); },
         Class::compiler_crash, "called exit(1)", "compile", 0},
        {"the compiler died in silence",
         [](Given& g) { g.observation = ended(Outcome::crashed, Phase::compile, "", SIGSEGV); }, Class::compiler_crash,
         "SIGSEGV", "compile", SIGSEGV},
        {"the compiler reported a bug of its own",
         [](Given& g) {
             g.observation = ended(Outcome::internal_error, Phase::compile,
                                   "Internal Error at Bounds.cpp:12\nCondition failed: min.defined()\n");
         },
         Class::compiler_internal_error, "Internal Error at Bounds.cpp:12 Condition failed: min.defined()", "compile",
         0},
        {"the compiler hung",
         [](Given& g) { g.observation = ended(Outcome::timed_out, Phase::compile, "CPU limit of 20000 ms"); },
         Class::compiler_hang, "CPU limit of 20000 ms", "compile", 0},
        {"the compiler ran out of memory",
         [](Given& g) {
             g.observation = ended(Outcome::out_of_memory, Phase::compile, "memory limit of 2048 MiB", SIGABRT);
         },
         Class::compiler_out_of_memory, "memory limit of 2048 MiB", "compile", SIGABRT},
        {"the compiler refused",
         [](Given& g) { g.observation = ended(Outcome::rejected, Phase::build, "Error: can't\nvectorize"); },
         Class::rejected, "Error: can't vectorize", "build", 0},
        {"the compiler refused what it had not lowered",
         [](Given& g) { g.observation = ended(Outcome::rejected, Phase::compile, "Error: overflow"); }, Class::rejected,
         "Error: overflow", "compile", 0},
        {"the compiler refused to generate code",
         [](Given& g) {
             g.observation = ended(Outcome::rejected, Phase::compile, "Error: overflow");
             g.observation.lowered = {{"final", compiler::ProgramText{"sched s() {}"}, ""}};
         },
         Class::compiler_internal_error, "Error: overflow", "compile", 0},
        {"the compiler refused to generate code of what may do anything",
         [](Given& g) {
             g.observation = ended(Outcome::rejected, Phase::compile, "Error: overflow");
             g.observation.lowered = {{"final", compiler::ProgramText{"sched s() {}"}, ""}};
             g.reference->front().cells.front() = Value::undef(Type::i32);
         },
         Class::rejected, "Error: overflow", "compile", 0},
        {"the reference failed", [](Given& g) { g.reference = fail("A(3, 0) depends on itself"); }, Class::bad_case,
         "the reference fails: A(3, 0) depends on itself", "", 0},
        {"the reference is undefined", [](Given& g) { (*g.reference)[0].cells[2] = Value::undef(Type::i32); },
         Class::bad_case, "the reference is undefined at A(3, 1)", "", 0},
        {"the reference of a component is undefined",
         [](Given& g) { (*g.reference)[2].cells[0] = Value::undef(Type::boolean); }, Class::bad_case,
         "the reference is undefined at T(0)[1]", "", 0},
        {"a run-time error inside the context",
         [](Given& g) { g.observation = ended(Outcome::run_time_error, Phase::bounds_query, "Constraint violated\n"); },
         Class::over_rejection, "Constraint violated", "bounds query", 0},
        {"a run-time error outside the context",
         [](Given& g) {
             g.observation = ended(Outcome::run_time_error, Phase::first_run, "Constraint violated");
             g.excuses = {excuse};
         },
         Class::outside_context,
         "Constraint violated (documented: RoundUp on an output: extent of x is a multiple of 8)", "first run", 0},
        {"the program died", [](Given& g) { g.observation = ended(Outcome::crashed, Phase::first_run, segv, SIGSEGV); },
         Class::program_crash, segv, "first run", SIGSEGV},
        {"the program died of an illegal instruction in the bounds query",
         [](Given& g) { g.observation = ended(Outcome::crashed, Phase::bounds_query, "", SIGILL); },
         Class::program_crash, "SIGILL", "bounds query", SIGILL},
        {"the program's damage showed when all was done",
         [](Given& g) { g.observation = ended(Outcome::crashed, Phase::done, "SIGABRT: double free", SIGABRT); },
         Class::program_crash, "SIGABRT: double free", "clean-up", SIGABRT},
        {"the program hung",
         [](Given& g) { g.observation = ended(Outcome::timed_out, Phase::second_run, "wall-clock limit of 60000 ms"); },
         Class::program_hang, "wall-clock limit of 60000 ms", "second run", 0},
        {"the program ran out of memory",
         [](Given& g) { g.observation = ended(Outcome::out_of_memory, Phase::first_run, "memory limit of 2048 MiB"); },
         Class::program_out_of_memory, "memory limit of 2048 MiB", "first run", 0},
        {"the program asks for larger inputs than the harness fills",
         [](Given& g) {
             g.observation = ended(Outcome::too_large, Phase::bounds_query, "The bounds query asks for 2^28 cells");
         },
         Class::too_large, "The bounds query asks for 2^28 cells", "bounds query", 0},
        {"the program allocates more than a buffer may have",
         [](Given& g) {
             g.observation = ended(Outcome::too_large, Phase::first_run,
                                   "Total allocation for buffer f is 2153983552, which exceeds the maximum size of "
                                   "2147483647");
             g.excuses = {excuse};
         },
         Class::too_large, "Total allocation for buffer f is 2153983552, which exceeds the maximum size of 2147483647",
         "first run", 0},
        {"the program asks for larger inputs than the harness fills, and is none",
         [](Given& g) { g.observation = ended(Outcome::too_large, Phase::compile, "The bounds query asks"); },
         Class::harness_failure, "a program's inputs are too large before there is a program", "compile", 0},
        {"the program wrote into the padding",
         [](Given& g) { g.observation.stray_write = "a write behind the last row of A"; }, Class::stray_write,
         "a write behind the last row of A", "", 0},
        {"the second run is another", [](Given& g) { g.observation.second[0].bits[3] = 9; }, Class::nondeterminism,
         "A(4, 1) is 4i32 in the first run and 9i32 in the second; 1 of 6 cells differ", "", 0},
        {"the first run is wrong and the second right", [](Given& g) { g.observation.first[2].bits[0] = 0; },
         Class::nondeterminism, "T(0)[1] is false in the first run and true in the second; 1 of 6 cells differ", "", 0},
        {"the result cannot be exact",
         [](Given& g) {
             g.c.comparison = cases::Comparison::not_compared;
             g.observation.first[1].bits[0] = g.observation.second[1].bits[0] = Value::f32(0.25F).bit_pattern();
         },
         Class::not_compared, "the result cannot be exact", "", 0},
        {"the result cannot be exact, and differs between the runs",
         [](Given& g) {
             g.c.comparison = cases::Comparison::not_compared;
             g.observation.second[1].bits[0] = Value::f32(0.25F).bit_pattern();
         },
         Class::nondeterminism, "T(0)[0] is 0.5f32 in the first run and 0.25f32 in the second; 1 of 6 cells differ", "",
         0},
        {"atomic updates that cannot be exact may round in any order",
         [](Given& g) {
             g.c.comparison = cases::Comparison::not_compared;
             g.c.schedule.directives.emplace_back(
                 schedule::halide::Directive{{"A", 0, std::nullopt}, schedule::halide::Atomic{}});
             g.observation.second[1].bits[0] = Value::f32(0.25F).bit_pattern();
         },
         Class::not_compared, "the result cannot be exact", "", 0},
        {"exact atomic updates may not",
         [](Given& g) {
             g.c.schedule.directives.emplace_back(
                 schedule::halide::Directive{{"A", 0, std::nullopt}, schedule::halide::Atomic{}});
             g.observation.second[1].bits[0] = Value::f32(0.25F).bit_pattern();
         },
         Class::nondeterminism, "T(0)[0] is 0.5f32 in the first run and 0.25f32 in the second; 1 of 6 cells differ", "",
         0},
        {"both runs are wrong in the same way",
         [](Given& g) {
             for (auto* run : {&g.observation.first, &g.observation.second}) {
                 (*run)[0].bits[1] = 7;
                 (*run)[1].bits[0] = 0;
             }
         },
         Class::wrong_result, "A(4, 0) is 7i32, expected 2i32; 2 of 6 cells differ", "", 0},
        {"broken size rules do not excuse a wrong result",
         [](Given& g) {
             g.excuses = {excuse};
             g.observation.first[0].bits[1] = g.observation.second[0].bits[1] = 7;
         },
         Class::wrong_result, "A(4, 0) is 7i32, expected 2i32; 1 of 6 cells differ", "", 0},
        {"a sign of zero is a difference under strict_float",
         [](Given& g) {
             g.c.strict_float = true;
             (*g.reference)[1].cells[0] = Value::f32(0.0F);
             g.observation.first[1].bits[0] = g.observation.second[1].bits[0] = Value::f32(-0.0F).bit_pattern();
         },
         Class::wrong_result, "T(0)[0] is -0.0f32, expected 0.0f32; 1 of 6 cells differ", "", 0},
        {"a sign of zero is none without strict_float",
         [](Given& g) {
             (*g.reference)[1].cells[0] = Value::f32(0.0F);
             g.observation.first[1].bits[0] = g.observation.second[1].bits[0] = Value::f32(-0.0F).bit_pattern();
         },
         Class::agrees, "", "", 0},
        {"a sign of zero between the runs is a difference under strict_float",
         [](Given& g) {
             g.c.strict_float = true;
             (*g.reference)[1].cells[0] = Value::f32(0.0F);
             g.observation.first[1].bits[0] = Value::f32(0.0F).bit_pattern();
             g.observation.second[1].bits[0] = Value::f32(-0.0F).bit_pattern();
         },
         Class::nondeterminism, "T(0)[0] is 0.0f32 in the first run and -0.0f32 in the second; 1 of 6 cells differ", "",
         0},
        {"a sign of zero between the runs is none without strict_float, where iterations may leave either",
         [](Given& g) {
             (*g.reference)[1].cells[0] = Value::f32(0.0F);
             g.observation.first[1].bits[0] = Value::f32(0.0F).bit_pattern();
             g.observation.second[1].bits[0] = Value::f32(-0.0F).bit_pattern();
         },
         Class::agrees, "", "", 0},
        {"all NaNs are one",
         [](Given& g) {
             (*g.reference)[1].cells[0] = Value::f32(std::numeric_limits<float>::quiet_NaN());
             g.observation.first[1].bits[0] = 0x7fc00001;
             g.observation.second[1].bits[0] = 0xffc00002;
         },
         Class::agrees, "", "", 0},
        {"the observation stops short of the end", [](Given& g) { g.observation.phase = Phase::second_run; },
         Class::harness_failure, "the case ran, but only up to: second run", "second run", 0},
        {"a run-time error without a run",
         [](Given& g) { g.observation = ended(Outcome::run_time_error, Phase::compile, "Constraint violated"); },
         Class::harness_failure, "a run-time error before the program ran: Constraint violated", "compile", 0},
        {"an output is missing", [](Given& g) { g.observation.second.pop_back(); }, Class::harness_failure,
         "the observed outputs do not fit the case: 2 output components instead of 3", "", 0},
        {"an output is another", [](Given& g) { g.observation.first[2].component = 0; }, Class::harness_failure,
         "the observed outputs do not fit the case: output component 2, T[1]: found T[0]", "", 0},
        {"an output has another type", [](Given& g) { g.observation.first[1].type = Type::f64; },
         Class::harness_failure,
         "the observed outputs do not fit the case: output component 1, T[0]: its type is f64 instead of f32", "", 0},
        {"an output has another box", [](Given& g) { g.observation.first[0].min = {3, 1}; }, Class::harness_failure,
         "the observed outputs do not fit the case: output component 0, A[0]: its box is another", "", 0},
        {"an output has too few cells", [](Given& g) { g.observation.second[0].bits.pop_back(); },
         Class::harness_failure,
         "the observed outputs do not fit the case: output component 0, A[0]: 3 cells instead of 4", "", 0},
    };
    return table;
}

TEST_CASE("each kind of observation has its class, message and phase") {
    for (const Row& row : rows()) {
        CAPTURE(row.name);
        Given given;
        row.change(given);
        const Verdict v = judge(given.c, given.reference, given.observation, given.excuses);
        CHECK(verdict::name(v.cls) == verdict::name(row.cls));
        CHECK(v.message == row.message);
        CHECK(v.phase == row.phase);
        CHECK(v.signal == row.signal);
        CHECK(v.difference.has_value() == (row.cls == Class::wrong_result || row.cls == Class::nondeterminism));
    }
}

TEST_CASE("what comes first in the order of judgement decides") {
    const auto cls = [](const std::function<void(Given&)>& change) {
        Given given;
        change(given);
        return std::string(verdict::name(judge(given.c, given.reference, given.observation, given.excuses).cls));
    };
    const auto undefined = [](Given& g) { (*g.reference)[0].cells[0] = Value::undef(Type::i32); };
    // A bad case still shows the compiler's outcome, …
    for (const auto& [outcome, expected] : {std::pair{Outcome::crashed, "compiler_crash"},
                                            {Outcome::timed_out, "compiler_hang"},
                                            {Outcome::out_of_memory, "compiler_out_of_memory"},
                                            {Outcome::internal_error, "compiler_internal_error"},
                                            {Outcome::rejected, "rejected"},
                                            {Outcome::harness_failed, "harness_failure"}}) {
        CHECK(cls([&](Given& g) {
                  undefined(g);
                  g.observation = ended(outcome, Phase::compile, "words");
              }) == expected);
    }
    // … but not its program's.
    for (const Outcome outcome :
         {Outcome::crashed, Outcome::timed_out, Outcome::out_of_memory, Outcome::run_time_error}) {
        CHECK(cls([&](Given& g) {
                  undefined(g);
                  g.observation = ended(outcome, Phase::first_run, "words");
              }) == "bad_case");
    }
    CHECK(cls([&](Given& g) {
              undefined(g);
              g.observation.stray_write = "there";
          }) == "bad_case");
    // The same holds for a case that is not compared.
    CHECK(cls([&](Given& g) {
              undefined(g);
              g.c.comparison = cases::Comparison::not_compared;
          }) == "bad_case");
    CHECK(cls([](Given& g) {
              g.observation.stray_write = "there";
              g.observation.second[0].bits[0] = 9;
          }) == "stray_write");
    CHECK(cls([](Given& g) {
              g.observation.first[0].bits[0] = 8;
              g.observation.second[0].bits[0] = 9;
          }) == "nondeterminism");
}

TEST_CASE("the difference is the first in output order, with the numbers of cells") {
    Given given;
    for (auto* run : {&given.observation.first, &given.observation.second}) {
        (*run)[0].bits = {1, 2, 33, 44};
        (*run)[2].bits = {0};
    }
    const Verdict v = judge(given.c, given.reference, given.observation, {});
    REQUIRE(v.difference);
    CHECK(v.difference->tensor == "A");
    CHECK(v.difference->component == 0);
    CHECK(v.difference->cell == std::vector<std::int64_t>{3, 1});
    CHECK(v.difference->expected == i32(3));
    CHECK(v.difference->actual == i32(33));
    CHECK(v.difference->differing_cells == 3);
    CHECK(v.difference->compared_cells == 6);
}

TEST_CASE("between two runs the difference holds both, and an error before any output has none") {
    Given given;
    given.observation.second[1].bits[0] = Value::f32(2).bit_pattern();
    const Verdict v = judge(given.c, given.reference, given.observation, {});
    REQUIRE(v.difference);
    CHECK(v.difference->expected == Value::f32(0.5F));
    CHECK(v.difference->actual == Value::f32(2));
    CHECK(v.difference->cell == std::vector<std::int64_t>{0});
}

TEST_CASE("nothing is found of a schedule that breaks a rule that nobody checks") {
    for (int number = 0; number <= static_cast<int>(Class::harness_failure); ++number) {
        Verdict v;
        v.cls = static_cast<Class>(number);
        v.message = "a cell differs";
        v.pass = verdict::PassInterval{"a", "b"};
        INFO(verdict::name(v.cls));
        const Verdict judged = outside_context(v, "that it is not so");
        const bool is_excused =
            verdict::is_finding(v.cls) || v.cls == Class::translation_fault || v.cls == Class::unsound_validator;
        CHECK((judged == v) != is_excused);
        if (!is_excused) { continue; }
        CHECK(judged.cls == Class::outside_context);
        CHECK(judged.message ==
              std::string(verdict::name(v.cls)) + ": a cell differs (the documentation asks that it is not so)");
        CHECK_FALSE(judged.pass);
    }
}

TEST_CASE("cells of rank 0 and empty outputs are judged") {
    cases::Case c;
    c.compiler = "halide";
    c.sare.tensors = {{"S", {Type::i32}, {}, {}}, {"E", {Type::u8}, {"x"}, {}}};
    const Reference reference = std::vector<interp::OutputValues>{{"S", 0, {}, {}, {i32(5)}}, {"E", 0, {0}, {0}, {}}};
    Observation o;
    o.first = {{"S", 0, Type::i32, {}, {}, {5}}, {"E", 0, Type::u8, {0}, {0}, {}}};
    o.second = o.first;
    CHECK(judge(c, reference, o, {}).cls == Class::agrees);
    o.first[0].bits[0] = o.second[0].bits[0] = 6;
    CHECK(judge(c, reference, o, {}).message == "S() is 6i32, expected 5i32; 1 of 1 cells differ");
}

}  // namespace
}  // namespace haruspex::judge
