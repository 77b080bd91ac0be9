#include "tests/harness/toy/toy_compiler.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/case/json.h"
#include "generators/sare/build.h"
#include "generators/sare/outline.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "generators/sare/traverse.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "harness/transform/indices.h"
#include "harness/transform/naive.h"
#include "harness/transform/ranges.h"
#include "tests/generators/schedule/toy/directive.h"
#include "tests/support/naive_sched.h"

namespace haruspex::toy {
namespace {

using compiler::Observation;
using compiler::Outcome;
using compiler::Phase;
using schedule::toy::Chunk;
using schedule::toy::Pass;

// The compiler refuses the program.
struct Refusal {
    std::string why;
};
// A bug of the compiler itself.
struct Broken {
    std::string why;
};

sched::Expr integer(std::int64_t value) { return {sched::Integer{value}}; }
sched::Expr binary(sched::IndexOp op, sched::Expr a, sched::Expr b) {
    return {sched::IndexBinary{op, std::move(a), std::move(b)}};
}

// --- Lowering ---

// A sum or difference of variables and numbers.
bool is_plain(const sare::Index& index) {
    const auto* binary = std::get_if<sare::IndexBinary>(&index.node);
    if (binary == nullptr) {
        return std::holds_alternative<sare::IndexConstant>(index.node) ||
               std::holds_alternative<sare::IndexVariable>(index.node);
    }
    const bool is_sum = binary->op == sare::IndexOp::add || binary->op == sare::IndexOp::sub;
    return is_sum && is_plain(*binary->a) && is_plain(*binary->b);
}

// A multiple of a variable, or a sum of those.
bool is_affine(const sare::Index& index) {
    if (const auto* scale = std::get_if<sare::IndexScale>(&index.node)) { return is_affine(*scale->a); }
    const auto* binary = std::get_if<sare::IndexBinary>(&index.node);
    if (binary == nullptr) { return is_plain(index); }
    const bool is_sum = binary->op == sare::IndexOp::add || binary->op == sare::IndexOp::sub;
    return is_sum && is_affine(*binary->a) && is_affine(*binary->b);
}

// An update that reads its own cells elsewhere than it writes them needs cells without end, as far as toy can tell.
void refuse_others(const sare::Algorithm& algorithm) {
    const auto look_in = [](const sare::Expr& value, const std::string& itself) {
        sare::for_each_access(value, [&](const sare::Access& access, const auto&) {
            for (const sare::Index& index : access.indices) {
                if (access.tensor == itself ? is_plain(index) : is_affine(index)) { continue; }
                throw Refusal{"an index that is no sum: " + sare::print(index)};
            }
        });
    };
    for (const sare::Function& function : algorithm.functions) {
        for (const sare::Expr& value : function.values) { look_in(value, function.name); }
        for (const sare::UpdateDefinition& update : function.updates) {
            for (const sare::Expr& value : update.values) { look_in(value, function.name); }
            for (const sare::Index& index : update.target) {
                if (!is_plain(index)) { throw Refusal{"a target that is no sum: " + sare::print(index)}; }
            }
        }
    }
}

// The loop over the chunks, and inside it the loop over a chunk's iterations.
sched::Stmt chunked(sched::For loop, std::int64_t size) {
    const std::string outer = loop.variable + "_chunk", inner = loop.variable + "_in";
    const sched::Expr offset =
        binary(sched::IndexOp::add, binary(sched::IndexOp::mul, {sched::Variable{outer}}, integer(size)),
               {sched::Variable{inner}});
    sched::Block body = std::move(loop.body);
    transform::substitute(body, {{loop.variable, binary(sched::IndexOp::add, loop.min, offset)}});
    sched::If guarded{{sched::Comparison{sched::Relation::lt, offset, loop.extent}}, std::move(body), {}};
    sched::For in{sched::LoopKind::serial, inner, integer(0), integer(size), {}};
    in.body.push_back({std::move(guarded)});
    // The bug: the rest of the iterations is a chunk, too.
    const sched::Expr rounded = size == 3 ? loop.extent : binary(sched::IndexOp::add, loop.extent, integer(size - 1));
    sched::For out{sched::LoopKind::serial, outer, integer(0), binary(sched::IndexOp::div, rounded, integer(size)), {}};
    out.body.push_back({std::move(in)});
    return {std::move(out)};
}

// The loop of a function's definition over one of its variables: the last variable's is outermost.
sched::Stmt& loop_of(sched::Stmt& nest, const sare::Function& function, const std::string& variable) {
    const auto at = std::ranges::find(function.variables, variable);
    ENSURE(at != function.variables.end(), "a function has the loops of its variables");
    sched::Stmt* loop = &nest;
    for (auto depth = function.variables.end() - at - 1; depth > 0; --depth) {
        auto& outer = std::get<sched::For>(loop->node);
        // A loop that is chunked already has the loop of a chunk and a guard inside.
        loop = &outer.body[0];
        while (!std::holds_alternative<sched::For>(loop->node) || outer.variable.ends_with("_chunk")) {
            if (auto* guard = std::get_if<sched::If>(&loop->node)) {
                loop = &guard->then[0];
                break;
            }
            loop = &std::get<sched::For>(loop->node).body[0];
        }
    }
    return *loop;
}

sched::Program lowered(const sare::Algorithm& algorithm, const schedule::Schedule& schedule) {
    refuse_others(algorithm);
    transform::Names names;
    sched::Program program = transform::naive_program(algorithm, names);
    // The nests of the definitions stand in the order of the functions, allocations and updates between them.
    for (const sare::Function& function : algorithm.functions) {
        const std::string array = transform::array_name(function.name, function.types.size(), 0);
        const auto writes_it = [&](const sched::Stmt& statement) {
            bool found = false;
            sched::for_each_statement(sched::Block{statement}, [&](const sched::Stmt& inner) {
                const auto* assign = std::get_if<sched::Assign>(&inner.node);
                found = found || (assign != nullptr && assign->writes[0].array == array);
            });
            return found;
        };
        const auto nest = std::ranges::find_if(program.body, writes_it);
        for (const schedule::Directive& directive : schedule.directives) {
            const auto* chunk = std::get_if<Chunk>(&directive.as<schedule::toy::Directive>()->action);
            if (chunk == nullptr || chunk->tensor != function.name) { continue; }
            if (chunk->size < 1) { throw Refusal{"a chunk of " + std::to_string(chunk->size)}; }
            sched::Stmt& loop = loop_of(*nest, function, chunk->variable);
            if (std::get<sched::For>(loop.node).variable.ends_with("_chunk")) {
                throw Refusal{"a loop that is chunked twice"};
            }
            loop = chunked(std::get<sched::For>(std::move(loop.node)), chunk->size);
        }
    }
    return program;
}

// --- Passes ---

template <typename Change>
void change_exprs(sched::Expr& expr, Change&& change) {
    sched::for_each_part(expr, [&](sched::Expr& part) { change_exprs(part, change); });
    change(expr);
}

template <typename Change>
void change_values(sched::Program& program, Change&& change) {
    sched::for_each_statement(program.body, [&](sched::Stmt& statement) {
        if (auto* assign = std::get_if<sched::Assign>(&statement.node)) {
            for (sched::Write& write : assign->writes) { change_exprs(write.value, change); }
        }
    });
}

// The type of an operand, as far as the operands say it themselves.
std::optional<value::Type> type_of(const sched::Program& program, const sched::Expr& expr) {
    if (const auto* literal = std::get_if<sched::Literal>(&expr.node)) { return literal->value.type(); }
    if (const auto* cast = std::get_if<sched::Cast>(&expr.node)) { return cast->type; }
    if (const auto* embed = std::get_if<sched::Embed>(&expr.node)) { return embed->type; }
    if (const auto* operation = std::get_if<sched::Binary>(&expr.node)) { return type_of(program, *operation->a); }
    if (const auto* select = std::get_if<sched::Select>(&expr.node)) { return type_of(program, *select->if_true); }
    const auto* load = std::get_if<sched::Load>(&expr.node);
    if (load == nullptr) { return std::nullopt; }
    const auto array = std::ranges::find(program.arrays, load->array, &sched::Array::name);
    if (array != program.arrays.end()) { return array->type; }
    std::optional<value::Type> type;
    sched::for_each_statement(program.body, [&](const sched::Stmt& statement) {
        const auto* allocate = std::get_if<sched::Allocate>(&statement.node);
        if (allocate != nullptr && allocate->array == load->array) { type = allocate->type; }
    });
    return type;
}

void tidy(sched::Program& program) {
    sched::for_each_statement(program.body, [](sched::Stmt& statement) {
        auto* loop = std::get_if<sched::For>(&statement.node);
        if (loop == nullptr || !loop->variable.ends_with("_in") || loop->extent != integer(4)) { return; }
        auto* guard = loop->body.size() == 1 ? std::get_if<sched::If>(&loop->body[0].node) : nullptr;
        if (guard == nullptr) { return; }
        // The bug: whether the guard always holds is not asked.
        sched::Block body = std::move(guard->then);
        loop->body = std::move(body);
    });
}

void narrow(sched::Program& program) {
    const sched::Program before = program;
    change_values(program, [&](sched::Expr& expr) {
        auto* operation = std::get_if<sched::Binary>(&expr.node);
        if (operation == nullptr || operation->op != value::BinaryOp::sub) { return; }
        if (type_of(before, *operation->a) == value::Type::u8) { std::swap(operation->a, operation->b); }
    });
}

// Computes sums, differences and products in the next wider type.
void widen(sched::Program& program) {
    using value::Type;
    const sched::Program before = program;
    const auto number = [](std::int64_t n) { return sched::Expr{sched::Literal{value::Value::integer(Type::i64, n)}}; };
    change_values(program, [&](sched::Expr& expr) {
        using enum value::BinaryOp;
        const auto* narrow = std::get_if<sched::Binary>(&expr.node);
        if (narrow == nullptr || type_of(before, *narrow->a) != Type::w32) { return; }
        if (narrow->op != add && narrow->op != sub && narrow->op != mul) { return; }
        const auto wide = [](const sched::Expr& a) { return sched::Expr{sched::Cast{Type::i64, a}}; };
        const sched::Expr exact{sched::Binary{narrow->op, wide(*narrow->a), wide(*narrow->b)}};
        // The bug: what does not fit becomes the nearest number that does.
        using Limits = std::numeric_limits<std::int32_t>;
        const sched::Expr low{sched::Binary{value::BinaryOp::max, exact, number(Limits::min())}};
        const sched::Expr high{sched::Binary{value::BinaryOp::min, low, number(Limits::max())}};
        expr = {sched::Cast{Type::w32, high}};
    });
}

void run_pass(const std::string& name, int times, sched::Program& program) {
    if (name == "tidy") { tidy(program); }
    if (name == "narrow") { narrow(program); }
    if (name == "widen") { widen(program); }
    if (name == "settle" && times > 1) { throw Broken{"settle: the program is settled already"}; }
}

// --- Execution ---

sched::Program misread(sched::Program program) {
    const sched::Program before = program;
    change_values(program, [&](sched::Expr& expr) {
        auto* operation = std::get_if<sched::Binary>(&expr.node);
        if (operation == nullptr || operation->op != value::BinaryOp::mul) { return; }
        if (type_of(before, *operation->a) == value::Type::i16) { operation->op = value::BinaryOp::add; }
    });
    return program;
}

std::vector<compiler::TensorData> run(const sched::Program& program, const cases::Case& c, std::uint64_t poison) {
    const testing::NaiveTensors inputs = [&](const std::string& input, int, const testing::NaiveCell& cell) {
        return cases::input_value(c.input_seed, input, c.inputs.at(input), cell);
    };
    testing::NaiveSched::Outputs outputs;
    try {
        outputs = testing::NaiveSched(program, testing::NaiveSched::Order::forward).run(c.sizes, inputs);
    } catch (const testing::NaiveSched::Wrong&) {
        // An access out of bounds, as on a machine.
        std::raise(SIGSEGV);
    }
    std::vector<compiler::TensorData> found;
    for (const sare::Output& output : c.sare.outputs) {
        for (const sched::Array& array : program.arrays) {
            if (array.role != sched::Role::output || array.tensor != output.tensor) { continue; }
            compiler::TensorData data{output.tensor, array.component, array.type, {}, {}, {}};
            std::size_t cells = 1;
            for (const sare::Span& span : output.box) {
                data.min.push_back(sare::evaluate(span.min, c.sizes));
                data.extent.push_back(std::max<std::int64_t>(0, sare::evaluate(span.extent, c.sizes)));
                cells *= static_cast<std::size_t>(data.extent.back());
            }
            for (std::size_t i = 0; i < cells; ++i) {
                testing::NaiveCell cell;
                std::size_t rest = i;
                for (std::size_t d = 0; d < data.min.size(); ++d) {
                    const auto extent = static_cast<std::size_t>(data.extent[d]);
                    cell.push_back(data.min[d] + static_cast<std::int64_t>(rest % extent));
                    rest /= extent;
                }
                const value::Value& value = outputs.at(array.name).at(cell);
                const std::uint64_t bits = value.is_defined() ? value.bit_pattern() : poison;
                data.bits.push_back(value::Value::from_bits(array.type, bits).bit_pattern());
            }
            found.push_back(std::move(data));
        }
    }
    return found;
}

class Toy final : public compiler::Compiler {
public:
    compiler::Identity identity() const override { return {"toy", "1.0.0", 1}; }
    std::string package() const override { return "part of the tests"; }
    std::optional<std::string> unrunnable(const std::string& target) const override {
        return target == "paper" ? std::nullopt : std::optional<std::string>("toy runs on paper");
    }
    std::optional<std::vector<std::string>> passes_of(const cases::Case& c) const override {
        std::vector<std::string> names{"realise"};
        std::map<std::string, int> times;
        for (const std::string& pass : passes_in(c)) {
            const int time = ++times[pass];
            names.push_back(time == 1 ? pass : pass + "." + std::to_string(time));
        }
        return names;
    }
    void warm_up() override {}

    Observation observe(const cases::Case& c, const compiler::Request& request,
                        const compiler::Progress& progress) override {
        Observation o;
        o.phase = Phase::build;
        progress.enter(Phase::build);
        try {
            auto algorithm = sare::unstage(sare::outlined(c.sare));
            if (!algorithm) { throw Refusal{algorithm.error().message}; }
            o.phase = Phase::compile;
            progress.enter(Phase::compile);
            sched::Program program = lowered(*algorithm, c.schedule);
            // A bool is no literal of SCHED.
            change_values(program, [](sched::Expr& expr) {
                const auto* literal = std::get_if<sched::Literal>(&expr.node);
                if (literal == nullptr || literal->value.type() != value::Type::boolean) { return; }
                expr = {sched::Guard{sched::Expr{sched::Truth{literal->value.as_bool()}}}};
            });
            const std::vector<std::string> names = *passes_of(c);
            const std::vector<std::string> passes = passes_in(c);
            const auto show = [&](const std::string& pass) {
                const sched::Program shown = request.prophecies ? program : sched::erase_prophecies(program);
                progress.lowered({pass, compiler::ProgramText{sched::print(shown)}, sched::print(shown)});
            };
            if (request.snapshots) { show(names[0]); }
            std::map<std::string, int> times;
            for (std::size_t i = 0; i < passes.size(); ++i) {
                run_pass(passes[i], ++times[passes[i]], program);
                if (request.snapshots) { show(names[i + 1]); }
            }
            if (request.lower || request.prophecies) { show("final"); }
            if (request.run) { execute(misread(sched::erase_prophecies(program)), c, request, progress, o); }
        } catch (const Refusal& refusal) {
            o.outcome = Outcome::rejected;
            o.message = "toy: " + refusal.why;
            return o;
        } catch (const Broken& broken) {
            o.outcome = Outcome::internal_error;
            o.message = broken.why;
            return o;
        }
        progress.enter(Phase::done);
        o.phase = Phase::done;
        return o;
    }

private:
    static std::vector<std::string> passes_in(const cases::Case& c) {
        std::vector<std::string> names;
        for (const schedule::Directive& directive : c.schedule.directives) {
            const auto* pass = std::get_if<Pass>(&directive.as<schedule::toy::Directive>()->action);
            if (pass != nullptr) { names.push_back(pass->name); }
        }
        return names;
    }

    static void execute(const sched::Program& program, const cases::Case& c, const compiler::Request& request,
                        const compiler::Progress& progress, Observation& o) {
        constexpr std::uint64_t first_poison = 0xa5a5a5a5a5a5a5a5, second_poison = 0x5b5b5b5b5b5b5b5b;
        o.phase = Phase::first_run;
        progress.enter(Phase::first_run);
        o.first = run(program, c, first_poison);
        o.phase = Phase::second_run;
        progress.enter(Phase::second_run);
        o.second = run(program, c, second_poison);
        for (const Sizes& sizes : request.other_sizes) {
            Observation there;
            const cases::Case elsewhere = cases::at_sizes(c, sizes);
            there.first = run(program, elsewhere, first_poison);
            there.second = run(program, elsewhere, second_poison);
            o.elsewhere.push_back(std::move(there));
        }
    }
};

}  // namespace

std::unique_ptr<compiler::Compiler> make_toy() { return std::make_unique<Toy>(); }

int run_file(const char* path) {
    // "# …", the case, and perhaps "expect TENSOR COMPONENT VALUE at NUMBER…".
    std::ifstream file(path);
    std::string comment, json, word, tensor, expected, at;
    int component = 0;
    if (!std::getline(file, comment) || !std::getline(file, json)) { return 2; }
    const auto c = cases::parse_case(json, path);
    if (!c) {
        std::fprintf(stderr, "%s\n", to_string(c.error()).c_str());
        return 2;
    }
    compiler::Progress progress{[](Phase) {}, [](const compiler::Lowered&) {}, [](const auto&) {}};
    Observation o = Toy().observe(*c, {}, progress);
    if (o.outcome != Outcome::ran) {
        std::printf("%s\n", o.message.c_str());
        return 1;
    }
    if (!(file >> word >> tensor >> component >> expected >> at)) { return 0; }
    std::vector<std::int64_t> cell;
    for (std::int64_t coordinate = 0; file >> coordinate;) { cell.push_back(coordinate); }
    for (const compiler::TensorData& data : o.first) {
        if (data.tensor != tensor || data.component != component) { continue; }
        std::size_t index = 0, stride = 1;
        for (std::size_t d = 0; d < cell.size(); ++d) {
            index += static_cast<std::size_t>(cell[d] - data.min[d]) * stride;
            stride *= static_cast<std::size_t>(data.extent[d]);
        }
        const std::string actual = value::to_string(value::Value::from_bits(data.type, data.bits.at(index)));
        std::printf("%s is %s, expected %s\n", tensor.c_str(), actual.c_str(), expected.c_str());
        return actual == expected ? 0 : 1;
    }
    return 2;
}

}  // namespace haruspex::toy
