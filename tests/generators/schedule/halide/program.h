#pragma once

#include <string>

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/vocabulary.h"

// Programs and schedules for the admission tests, in text form.
namespace haruspex::schedule::halide::test {

sare::Algorithm algorithm(const std::string& text);
Schedule schedule(const std::string& text);

// Why the schedule is not admitted; empty if it is.
std::string refusal(const sare::Algorithm& algorithm, const std::string& schedule, Vocabulary vocabulary = {});

// Whether the schedule is refused with a message that contains `words`.
bool refused(const sare::Algorithm& algorithm, const std::string& schedule, const std::string& words,
             Vocabulary vocabulary = {});

// Whether the schedule's size rules hold for the sizes, given as "W=8 H=3".
bool sizes_fit(const sare::Algorithm& algorithm, const std::string& schedule, const std::string& sizes,
               Vocabulary vocabulary = {});

}  // namespace haruspex::schedule::halide::test
