#include "generators/random/written_case.h"

#include <utility>

#include "generators/random/domains.h"
#include "generators/random/regions.h"
#include "generators/sare/floats.h"
#include "generators/sare/staging.h"

namespace haruspex::random {
cases::Case case_of(Written written, const schedule::Language& language) {
    cases::Case c;
    c.compiler = language.compiler();
    c.inputs = domains(domain_choices - 1, written.sare.inputs);
    if (const auto algorithm = sare::unstage(written.sare)) {
        const Intervals sizes = intervals_of(written.sizes);
        auto exact = exact_domains(*algorithm, sizes, false);
        const bool is_rounded = !exact && sare::has_floats(written.sare);
        if (!exact) { exact = exact_domains(*algorithm, sizes, true); }
        if (exact) { c.inputs = std::move(*exact); }
        const bool is_loose = written.strict_float
                                  ? language.first_to_reorder_floats(*algorithm, written.schedule).has_value()
                                  : is_rounded;
        if (is_loose) { c.comparison = cases::Comparison::not_compared; }
    }
    c.sare = std::move(written.sare);
    c.schedule = std::move(written.schedule);
    c.sizes = std::move(written.sizes);
    c.input_seed = written.input_seed;
    c.strict_float = written.strict_float;
    c.target = std::move(written.target);
    return c;
}

}  // namespace haruspex::random
