#include "reports/measure/asking.h"

#include <nlohmann/json.hpp>

namespace haruspex::measure {
namespace {

using Json = nlohmann::ordered_json;

std::string encode(const Answer& answer) {
    return Json{{"outcome", name(answer.outcome)},
                {"reason", answer.reason},
                {"compile", answer.compile_seconds},
                {"native", answer.native_cpu_seconds}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Answer decode(const std::expected<std::string, NoAnswer>& text) {
    if (!text) { return {text.error().is_limit ? Outcome::undecided : Outcome::failed, text.error().reason}; }
    const Json json = Json::parse(*text);
    return {parse_outcome(json.at("outcome").get<std::string>()).value(), json.at("reason"), json.at("compile"),
            json.at("native")};
}

}  // namespace

Answered ask_limited(Method method, Question question, const Problem& problem, const Sizes& sizes,
                     const compiler::Identity& identity, const Budget& budget) {
    const Limited limited =
        run_limited([&] { return encode(ask(method, question, problem, sizes, identity, budget)); }, budget.limits);
    Answered answered{decode(limited.answer), limited.spent};
    // Do not count starting the process of a mutated compiler.
    if (answered.answer.native_cpu_seconds > 0) { answered.spent.cpu_seconds = answered.answer.native_cpu_seconds; }
    return answered;
}

}  // namespace haruspex::measure
