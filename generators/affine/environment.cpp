#include "generators/affine/environment.h"

#include <isl/aff.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <utility>

namespace haruspex::affine {

std::optional<isl::point> some_environment(const isl::set& environments) {
    isl::point point = environments.sample_point();
    return isl_point_is_void(point.get()) == isl_bool_true ? std::nullopt : std::optional(std::move(point));
}

std::optional<std::int64_t> value_in(const isl::pw_aff& index, const isl::point& environment) {
    const isl::space space = isl::manage(isl_point_get_space(environment.get()));
    const isl::pw_aff aligned = isl::manage(isl_pw_aff_align_params(index.copy(), space.copy()));
    if (isl_pw_aff_dim(aligned.get(), isl_dim_param) != isl_space_dim(space.get(), isl_dim_param)) {
        return std::nullopt;
    }
    const isl::val value = isl::manage(isl_pw_aff_eval(aligned.copy(), environment.copy()));
    return value.is_int() ? std::optional<std::int64_t>(value.num_si()) : std::nullopt;
}

bool is_one_of(const isl::point& environment, const isl::set& condition) {
    return isl::manage(isl_set_from_point(environment.copy())).is_subset(condition);
}

}  // namespace haruspex::affine
