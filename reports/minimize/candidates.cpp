#include "reports/minimize/candidates.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "generators/base/ensure.h"
#include "reports/minimize/size.h"

namespace haruspex::minimize {

std::vector<Candidate> candidates(const cases::Case& c, const Pass& pass, const schedule::Language& language) {
    const auto draft = take_apart(c);
    ENSURE(draft.has_value(), "only cases of algorithms are minimised");
    const auto broken = language.broken_rules(draft->algorithm, c.schedule);
    const auto allowed = broken ? schedule::rules_in(*broken) : schedule::RuleNames{};
    const Size limit = size_of(c);
    std::vector<Candidate> found;
    std::unordered_set<std::string> texts;
    std::size_t number = 0;
    pass.proposals(*draft, [&](Draft proposal) {
        const std::size_t mine = number++;
        auto changed = put_together(std::move(proposal), language, allowed);
        if (!changed) { return; }
        Size size = size_of(*changed);
        if (size < limit && texts.insert(std::move(size.text)).second) { found.push_back({mine, std::move(*changed)}); }
    });
    return found;
}

}  // namespace haruspex::minimize
