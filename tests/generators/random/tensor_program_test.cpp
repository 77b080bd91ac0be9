#include "generators/random/tensor_program.h"

#include <map>
#include <string>

#include "generators/random/random_case.h"
#include "generators/sare/build.h"
#include "generators/sare/fold.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "generators/sare/wellformed.h"
#include "generators/schedule/halide/admission.h"
#include "generators/schedule/halide/language.h"
#include "generators/schedule/halide/text.h"
#include "generators/tensor/dataflow.h"
#include "generators/tensor/from_sare.h"
#include "generators/tensor/print.h"
#include "generators/tensor/to_sare.h"
#include "generators/tensor/wellformed.h"
#include "oracle/interp/sare_interpreter.h"
#include "tests/support/catch.h"

// Cases whose programs are those of whole tensors.
namespace haruspex::random {
namespace {

const schedule::halide::Vocabulary vocabulary{14};
const schedule::Language& language = schedule::halide::language(14);

Policy of_tensors() {
    Policy policy;
    policy.programs = ProgramKind::tensor;
    return policy;
}
const Policy policy = of_tensors();

cases::Case nth(std::uint64_t index) { return campaign_case(63, index, policy, language); }

}  // namespace

TEST_CASE("drawn programs of whole tensors are well-formed, and divide by inputs of their own that nothing assigns") {
    std::size_t dividing = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Choices choices(random_source(seed));
        const tensor::Program program = draw_tensors(choices, policy.tensor, value::Type::i32);
        INFO(tensor::print(program));
        const auto checked = tensor::check(program);
        INFO((checked ? "" : to_string(checked.error())));
        REQUIRE(checked.has_value());
        REQUIRE(tensor::uninitialised_reads(program).empty());
        const auto divisors = dividing_inputs(program);
        for (const tensor::Statement& s : program.statements) {
            REQUIRE_FALSE(divisors.contains(s.target));
            tensor::for_each_node(s.value, [&](const tensor::Expr& node) {
                const auto* n = std::get_if<tensor::Elementwise>(&node.node);
                if (n == nullptr || n->op != tensor::ElementOp::div) { return; }
                ++dividing;
                const auto* divisor = std::get_if<tensor::Variable>(&n->b->node);
                REQUIRE(divisor != nullptr);
                REQUIRE(divisors.contains(divisor->name));
            });
        }
    }
    CHECK(dividing > 200);
}

TEST_CASE("cases of whole tensors are well-formed, admitted, and within the documented size rules") {
    for (std::uint64_t i = 0; i < 500; ++i) {
        const cases::Case c = nth(i);
        INFO(sare::print(c.sare) << schedule::print(c.schedule));
        REQUIRE(sare::check(c.sare).has_value());
        const auto algorithm = sare::unstage(c.sare);
        REQUIRE(algorithm.has_value());
        REQUIRE(sare::check(*algorithm).has_value());
        REQUIRE(schedule::halide::admits(*algorithm, schedule::halide::typed(c.schedule), vocabulary).has_value());
        for (const auto& rule : language.size_rules(*algorithm, c.schedule)) {
            REQUIRE(sare::evaluate(rule.condition, c.sizes));
        }
        REQUIRE(sare::evaluate(c.sare.assumptions, c.sizes));
        REQUIRE(c.sizes.size() == c.sare.parameters.size());
        REQUIRE(c.inputs.size() == c.sare.inputs.size());
        REQUIRE(c.comparison == cases::Comparison::exact);
        Intervals sizes;
        for (const auto& [name, size] : c.sizes) { sizes[name] = {size, size}; }
        REQUIRE_FALSE(output_touched_outside(*algorithm, sizes).has_value());
    }
}

TEST_CASE("a case of whole tensors is a function of its choices, and every byte string gives one") {
    REQUIRE(nth(1) == nth(1));
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Choices first(random_source(seed));
        const cases::Case c = draw_case(first, policy, language);
        Choices again(replay_source(first.record()));
        REQUIRE(draw_case(again, policy, language) == c);
    }
    Choices bytes(random_source(3));
    for (int n = 0; n < 100; ++n) {
        std::vector<std::uint8_t> text;
        bytes.sequence(0, 400, 990,
                       [&](std::size_t) { text.push_back(static_cast<std::uint8_t>(bytes.integer(0, 255))); });
        Choices choices(byte_source(text));
        REQUIRE(sare::check(draw_case(choices, policy, language).sare).has_value());
    }
}

TEST_CASE("every cell of a case of whole tensors has a value") {
    for (std::uint64_t i = 0; i < 200; ++i) {
        const cases::Case c = nth(i);
        INFO(sare::print(c.sare));
        const auto outputs = interp::evaluate_outputs(
            c.sare, c.sizes, [&](const std::string& input, const std::vector<std::int64_t>& cell) {
                return cases::input_value(c.input_seed, input, c.inputs.at(input), cell);
            });
        REQUIRE(outputs.has_value());
        for (const interp::OutputValues& output : *outputs) {
            for (const value::Value& cell : output.cells) { REQUIRE(cell.is_defined()); }
        }
    }
}

TEST_CASE("a case of whole tensors is the translation of its program, and has every form") {
    std::map<std::size_t, std::size_t> with;  // programs by the form that they have
    constexpr std::uint64_t rounds = 500;
    for (std::uint64_t i = 0; i < rounds; ++i) {
        const cases::Case c = campaign_case(64, i, policy, language);
        INFO(sare::print(c.sare));
        const auto program = tensor::from_sare(c.sare);
        INFO((program ? "" : to_string(program.error())));
        REQUIRE(program.has_value());
        const auto translation = tensor::to_sare(*program);
        REQUIRE(translation.has_value());
        REQUIRE(sare::folded(translation->sare) == c.sare);
        std::set<std::size_t> forms;
        for (const tensor::Statement& s : program->statements) {
            tensor::for_each_node(s.value, [&](const tensor::Expr& node) { forms.insert(node.node.index()); });
        }
        for (const std::size_t form : forms) { ++with[form]; }
    }
    // Variables, element-wise operators, outer products, contractions, transpositions.
    REQUIRE(with.size() == 5);
    for (const auto& [form, programs] : with) {
        INFO(form);
        CHECK(programs > rounds / 10);
    }
}

TEST_CASE("inputs by which a case of whole tensors divides have no zeros, transposed or not") {
    std::size_t divisors = 0;
    for (std::uint64_t i = 0; i < 500; ++i) {
        const cases::Case c = nth(i);
        const std::string text = sare::print(c.sare);
        for (const auto& [name, domain] : c.inputs) {
            if (text.find("/ " + name + "(") == std::string::npos) { continue; }
            ++divisors;
            INFO(text << name);
            REQUIRE(domain.range.low >= 1);
        }
    }
    CHECK(divisors > 50);
}

TEST_CASE("sums of most cases of whole tensors are updates that schedules name") {
    std::size_t updates = 0, inline_sums = 0;
    for (std::uint64_t i = 0; i < 500; ++i) {
        const auto algorithm = sare::unstage(nth(i).sare);
        REQUIRE(algorithm.has_value());
        bool has_update = false;
        for (const sare::Function& function : algorithm->functions) { has_update |= !function.updates.empty(); }
        updates += has_update ? 1 : 0;
        inline_sums += sare::print(nth(i).sare).find("sum over") != std::string::npos ? 1 : 0;
    }
    CHECK(updates > inline_sums);
    CHECK(inline_sums > 30);
}

}  // namespace haruspex::random
