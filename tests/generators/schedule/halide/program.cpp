#include "tests/generators/schedule/halide/program.h"

#include <sstream>

#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "generators/schedule/halide/admission.h"
#include "generators/schedule/halide/size_rules.h"
#include "generators/schedule/halide/text.h"
#include "tests/support/catch.h"

namespace haruspex::schedule::halide::test {

sare::Algorithm algorithm(const std::string& text) {
    const auto sare = sare::parse_sare(text, "test.sare");
    INFO((sare ? std::string() : to_string(sare.error())));
    REQUIRE(sare.has_value());
    auto algorithm = sare::unstage(*sare);
    REQUIRE(algorithm.has_value());
    return *algorithm;
}

Schedule schedule(const std::string& text) {
    auto schedule = parse_schedule(text, "test.sched");
    INFO((schedule ? std::string() : to_string(schedule.error())));
    REQUIRE(schedule.has_value());
    return *schedule;
}

std::string refusal(const sare::Algorithm& algorithm, const std::string& text, Vocabulary vocabulary) {
    const auto admitted = admits(algorithm, schedule(text), vocabulary);
    return admitted ? std::string() : admitted.error().message;
}

bool refused(const sare::Algorithm& algorithm, const std::string& text, const std::string& words,
             Vocabulary vocabulary) {
    const std::string message = refusal(algorithm, text, vocabulary);
    UNSCOPED_INFO("refusal of " << text << ": " << message);
    return !message.empty() && message.find(words) != std::string::npos;
}

bool sizes_fit(const sare::Algorithm& algorithm, const std::string& text, const std::string& sizes,
               Vocabulary vocabulary) {
    sare::Environment environment;
    std::istringstream words(sizes);
    for (std::string word; words >> word;) {
        const auto equals = word.find('=');
        environment[word.substr(0, equals)] = std::stoll(word.substr(equals + 1));
    }
    for (const SizeRule& rule : size_rules(algorithm, schedule(text), vocabulary)) {
        if (!sare::evaluate(rule.condition, environment)) { return false; }
    }
    return true;
}

}  // namespace haruspex::schedule::halide::test
