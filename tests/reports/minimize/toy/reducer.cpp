#include "tests/reports/minimize/toy/reducer.h"

#include <array>

#include "reports/minimize/numbers.h"
#include "reports/minimize/pass.h"
#include "tests/generators/schedule/toy/directive.h"

namespace haruspex::minimize::toy {
namespace {

using schedule::toy::Chunk;
using schedule::toy::Directive;

void shrink_chunks(const Draft& draft, const Propose& propose) {
    for (std::size_t i = 0; i < draft.c.schedule.directives.size(); ++i) {
        const auto* chunk = std::get_if<Chunk>(&draft.c.schedule.directives[i].as<Directive>()->action);
        if (chunk == nullptr) { continue; }
        for (const std::int64_t size : smaller(chunk->size, 2)) {
            Draft changed = draft;
            std::get<Chunk>(changed.c.schedule.directives[i].as<Directive>()->action).size = size;
            propose(std::move(changed));
        }
    }
}

class ToyReducer final : public Reducer {
public:
    std::span<const Pass> passes() const override {
        static constexpr std::array table{
            Pass{"drop directives", drop_directives},   Pass{"drop outputs", drop_outputs},
            Pass{"drop tensors", drop_tensors},         Pass{"drop updates", drop_updates},
            Pass{"inline tensors", inline_tensors},     Pass{"drop components", drop_components},
            Pass{"drop dimensions", drop_dimensions},   Pass{"replace expressions", replace_expressions},
            Pass{"drop parameters", drop_parameters},   Pass{"replace indices", replace_indices},
            Pass{"shrink chunks", shrink_chunks},       Pass{"shrink sizes", shrink_sizes},
            Pass{"shrink constants", shrink_constants}, Pass{"simplify inputs", simplify_inputs}};
        return table;
    }
    ScheduleSize size(const schedule::Schedule& schedule) const override {
        ScheduleSize size;
        for (const schedule::Directive& directive : schedule.directives) {
            size.words += 2;
            const auto* chunk = std::get_if<Chunk>(&directive.as<Directive>()->action);
            if (chunk != nullptr) { size.numbers += magnitude(chunk->size); }
        }
        return size;
    }
    std::vector<sare::Index*> indices(schedule::Schedule&) const override { return {}; }
    std::vector<sare::Condition*> conditions(schedule::Schedule&) const override { return {}; }
    // Every tensor has memory.
    void place(schedule::Schedule&, const std::string&) const override {}
    // Directives that name what is gone are dropped.
    void forget_variable(schedule::Schedule&, const std::string&, std::optional<int>,
                         const std::string&) const override {}
    void forget_updates(schedule::Schedule&, const std::string&, std::size_t, std::size_t) const override {}
    void move_to_definition(schedule::Schedule&, const std::string&) const override {}
    void write_out_guards(schedule::Schedule&, const std::string&) const override {}
};

}  // namespace

const Reducer& reducer() {
    static const ToyReducer the_reducer;
    return the_reducer;
}

}  // namespace haruspex::minimize::toy
