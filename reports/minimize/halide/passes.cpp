#include <array>
#include <utility>

#include "reports/minimize/halide/passes.h"

namespace haruspex::minimize::halide {

std::span<const Pass> passes() {
    static constexpr std::array table{
        Pass{"compute plainly", compute_plainly},
        Pass{"compute at root", compute_at_root},
        Pass{"drop directives", drop_directives},
        Pass{"drop outputs", drop_outputs},
        Pass{"drop tensors", drop_tensors},
        Pass{"drop updates", drop_updates},
        Pass{"inline tensors", inline_tensors},
        Pass{"join loops", join_loops},
        Pass{"drop specializations", drop_specializations},
        Pass{"write out factors", write_out_factors},
        Pass{"drop components", drop_components},
        Pass{"drop dimensions", drop_dimensions},
        Pass{"drop recurrence variables", drop_recurrence_variables},
        Pass{"do without updates", do_without_updates},
        Pass{"replace expressions", replace_expressions},
        Pass{"keep choices", keep_choices},
        Pass{"lay out scalars", lay_out_scalars},
        Pass{"merge inputs", merge_inputs},
        Pass{"drop parameters", drop_parameters},
        Pass{"replace indices", replace_indices},
        Pass{"replace conditions", replace_conditions},
        Pass{"simplify directives", simplify_directives},
        Pass{"split plainly", split_plainly},
        Pass{"simplify types", simplify_types},
        Pass{"simplify operators", simplify_operators},
        Pass{"shrink sizes", shrink_sizes},
        Pass{"shrink constants", shrink_constants},
        Pass{"simplify inputs", simplify_inputs},
    };
    return table;
}

Draft with_schedule(Draft draft, schedule::halide::Schedule schedule) {
    draft.c.schedule = schedule::halide::untyped(std::move(schedule));
    return draft;
}

}  // namespace haruspex::minimize::halide
