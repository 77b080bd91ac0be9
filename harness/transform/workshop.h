#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/affine/context.h"
#include "generators/base/choice.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/build.h"
#include "harness/sched/syntax.h"
#include "harness/transform/names.h"
#include "harness/transform/policy.h"

// The working environment of the transformations.
namespace haruspex::transform {

// Borrows its public references, and owns the isl context that decides conditions.
class Workshop {
public:
    Workshop(const sare::Algorithm& algorithm, const Policy& policy, Names& names, Choices& choices)
        : algorithm(algorithm), policy(policy), names(names), choices(choices) {}

    const sare::Algorithm& algorithm;
    const Policy& policy;
    Names& names;
    Choices& choices;
    // Stems (names.h) of the arrays with cells that only the surplus iterations of rounded-up loops read or write.
    std::set<std::string> padded;
    std::set<std::string> contracted;  // stems of the arrays that a transformation reduced to the last cells of a
                                       // dimension

    // Whether some values of its variables satisfy the condition; also true if isl takes too long to decide.
    bool possible(const sare::Condition& condition) const;

private:
    affine::Context context_;
    mutable std::map<std::string, bool> answers_;  // by the condition's text
};

// The facts known where a statement stands.
struct Around {
    sare::Condition known;                // over the parameters and the variables of the surrounding loops
    sare::Substitution lets;              // the indices that surrounding affine lets stand for, over the same variables
    std::vector<std::string> loops = {};  // the variables of the surrounding loops

    // Convert an expression that stands there to one over the same variables; nullopt if it is not affine.
    std::optional<sare::Index> index(const sched::Expr& expr) const;
    std::optional<sare::Condition> condition(const sched::Expr& expr) const;
};
// Returns the facts known in the loop's body.
Around inside(const Around& around, const sched::For& loop);

// A statement of a program. Valid until the program changes.
struct Site {
    sched::Block* block;
    std::size_t position;
    Around around;

    sched::Stmt& stmt() const { return (*block)[position]; }
    template <typename Node>
    Node* as() const {
        return std::get_if<Node>(&stmt().node);
    }
};
// Returns all statements, including those inside others, in textual order.
std::vector<Site> sites(sched::Program& program, const sare::Condition& assumptions);

// Returns the arrays that the statements allocate, at any depth.
std::set<std::string> allocated_in(const sched::Block& block);
bool binds_lets(const sched::Block& block);
std::size_t statement_count(const sched::Block& block);
int nesting(const sched::Block& block);
sched::Expr expr(const sare::Index& index);  // to_code of the simplified index

// Calls attempt(site, node) for some statements of a kind, in random order, until it returns true: it has then changed
// the program at that site. An attempt that returns false must leave the program unchanged.
template <typename Node, typename Attempt>
bool at_some(sched::Program& program, Workshop& workshop, Attempt&& attempt) {
    constexpr std::size_t most_attempts = 8;
    std::vector<Site> places = sites(program, workshop.algorithm.assumptions);
    std::erase_if(places, [](const Site& site) { return site.as<Node>() == nullptr; });
    for (std::size_t attempts = 0; !places.empty() && attempts < most_attempts; ++attempts) {
        const auto chosen =
            static_cast<std::size_t>(workshop.choices.integer(0, static_cast<std::int64_t>(places.size()) - 1, 0));
        if (attempt(places[chosen], *places[chosen].template as<Node>())) { return true; }
        places.erase(places.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
    return false;
}

}  // namespace haruspex::transform
