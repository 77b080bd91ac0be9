#include "reports/minimize/requirements.h"

#include <algorithm>

#include "generators/random/exactness.h"
#include "generators/random/regions.h"
#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/sare/wellformed.h"
#include "generators/tensor/from_sare.h"
#include "oracle/pipeline/documented_rules.h"
#include "oracle/pipeline/reference.h"

namespace haruspex::minimize {
namespace {

bool has_cells(const cases::Case& c) {
    return std::ranges::all_of(c.sare.outputs, [&](const sare::Output& output) {
        return std::ranges::all_of(output.box, [&](const sare::Span& span) {
            return sare::try_evaluate(span.extent, c.sizes).value_or(0) > 0;
        });
    });
}

bool is_defined(const cases::Case& c) {
    const auto reference = pipeline::evaluate_reference(c);
    return reference && std::ranges::all_of(*reference, [](const interp::OutputValues& output) {
               return std::ranges::all_of(output.cells, &value::Value::is_defined);
           });
}

// Whether the generator's repair would change nothing at these sizes.
bool is_exact(const cases::Case& c, const sare::Algorithm& algorithm) {
    sare::Algorithm repaired = algorithm;
    random::make_exact(repaired, {c.inputs, random::intervals_of(c.sizes), c.strict_float});
    return repaired == algorithm;
}

// Whether the outputs are touched only in the cells that are requested.
bool is_inside(const cases::Case& c, const sare::Algorithm& algorithm) {
    return !random::output_touched_outside(algorithm, random::intervals_of(c.sizes));
}

bool is_documented(const cases::Case& c, const sare::Algorithm& algorithm, const schedule::Language& language) {
    return std::ranges::all_of(language.size_rules(algorithm, c.schedule),
                               [&](const auto& rule) { return sare::evaluate(rule.condition, c.sizes); });
}

}  // namespace

Requirements requirements_of(const cases::Case& c, const schedule::Language& language) {
    const auto algorithm = sare::unstage(c.sare);
    return {has_cells(c),
            is_defined(c),
            algorithm && is_exact(c, *algorithm),
            algorithm && is_documented(c, *algorithm, language),
            algorithm && is_inside(c, *algorithm),
            tensor::from_sare(c.sare).has_value(),
            &language};
}

bool meets(const cases::Case& c, const Requirements& requirements) {
    const auto algorithm = sare::unstage(c.sare);
    if (!algorithm) { return false; }
    if (requirements.has_whole_tensors && !tensor::from_sare(c.sare)) { return false; }
    if (!sare::check(*algorithm)) { return false; }
    if (requirements.has_cells && !has_cells(c)) { return false; }
    if (requirements.is_documented && !is_documented(c, *algorithm, *requirements.language)) { return false; }
    if (requirements.is_inside && !is_inside(c, *algorithm)) { return false; }
    if (requirements.is_exact && !is_exact(c, *algorithm)) { return false; }
    return !requirements.is_defined || is_defined(c);
}

}  // namespace haruspex::minimize
