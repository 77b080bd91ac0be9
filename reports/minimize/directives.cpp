#include <algorithm>

#include "reports/minimize/pass.h"

// A pass over the schedule that needs no knowledge of its language.
namespace haruspex::minimize {

void drop_directives(const Draft& draft, const Propose& propose) {
    const std::size_t count = draft.c.schedule.directives.size();
    // All, halves, quarters, … and one at a time, the last first: directives build on those before them.
    for (std::size_t length = count; length > 0; length /= 2) {
        for (std::size_t end = count; end > 0; end -= std::min(length, end)) {
            const std::size_t first = end - std::min(length, end);
            Draft changed = draft;
            auto& directives = changed.c.schedule.directives;
            directives.erase(directives.begin() + static_cast<std::ptrdiff_t>(first),
                             directives.begin() + static_cast<std::ptrdiff_t>(end));
            propose(std::move(changed));
        }
    }
}

}  // namespace haruspex::minimize
