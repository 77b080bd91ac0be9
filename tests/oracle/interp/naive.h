#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "generators/base/sizes.h"
#include "generators/sare/build.h"
#include "generators/sare/syntax.h"
#include "oracle/interp/sare_interpreter.h"

namespace haruspex::interp {

// The meaning of a SARE by its definition: substitutes environments, tries equations one after the other, and evaluates
// reductions at every point of a cube. Knows no stages. Slow, and recursive on the thread's stack.
class NaiveEvaluator {
public:
    // Reductions must lie within [-radius, radius] in each variable.
    NaiveEvaluator(const sare::Sare& sare, Sizes parameters, InputFunction inputs, std::int64_t radius)
        : sare_(sare), parameters_(std::move(parameters)), inputs_(std::move(inputs)), radius_(radius) {}

    value::Value evaluate(const std::string& tensor, int component, const std::vector<std::int64_t>& cell);

private:
    value::Value evaluate(const sare::Expr& expr, const sare::Environment& environment);
    value::Value reduce(const sare::Reduce& reduce, const sare::Environment& environment);
    value::Type type_of(const sare::Expr& expr) const { return sare::type_of(expr, sare::tensor_types(sare_)); }

    const sare::Sare& sare_;
    Sizes parameters_;
    InputFunction inputs_;
    std::int64_t radius_;
    std::map<std::tuple<std::string, int, std::vector<std::int64_t>>, value::Value> known_;
};

}  // namespace haruspex::interp
