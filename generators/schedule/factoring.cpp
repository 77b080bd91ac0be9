#include "generators/schedule/factoring.h"

#include <algorithm>

#include "generators/base/ensure.h"

namespace haruspex::schedule {

sare::Algorithm factored(sare::Algorithm algorithm, const std::vector<Factoring>& factorings) {
    for (const Factoring& factoring : factorings) {
        const auto function = std::ranges::find(algorithm.functions, factoring.before);
        ENSURE(function != algorithm.functions.end(), "an update is factored in the function that has it");
        *function = factoring.merged;
        algorithm.functions.insert(function, factoring.intermediate);
    }
    return algorithm;
}

}  // namespace haruspex::schedule
