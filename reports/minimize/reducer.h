#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/sare/build.h"
#include "generators/schedule/schedule.h"

// What a compiler brings to the minimiser: how its schedules become smaller, and what becomes of them when the program
// becomes smaller.
//
// To add a compiler, implement Reducer in a folder below this one that has the compiler's name, and list it in the
// registry (reports/registry). The functions may return schedules that are not admitted: directives that the program
// does not admit are dropped, and the minimiser takes a case only if it is smaller (size.h) and shows the finding. So a
// function may guess.
namespace haruspex::minimize {

struct Pass;

// How much of a schedule a reader has to keep in mind, besides the number of its directives.
struct ScheduleSize {
    std::int64_t tensors = 0;  // tensors that directives make
    std::int64_t words = 0;    // details of directives, such as names and choices
    std::int64_t numbers = 0;  // the sum of the magnitudes of factors
};

class Reducer {
public:
    virtual ~Reducer() = default;

    // Returns all passes for the compiler's cases in the order in which they are tried: passes over programs (pass.h),
    // and the compiler's own over schedules. Passes that remove much come first.
    virtual std::span<const Pass> passes() const = 0;
    virtual ScheduleSize size(const schedule::Schedule& schedule) const = 0;

    // Return the indices and conditions over parameters in the directives, in the order of the directives. The pointers
    // are valid until the schedule is changed.
    virtual std::vector<sare::Index*> indices(schedule::Schedule& schedule) const = 0;
    virtual std::vector<sare::Condition*> conditions(schedule::Schedule& schedule) const = 0;

    // --- Changes for a tensor of the program ---

    // Gives the tensor memory of its own, which it keeps when it loses its updates or reductions, unless the schedule
    // already says where it is computed.
    virtual void place(schedule::Schedule& schedule, const std::string& tensor) const = 0;
    // Forgets a variable that the program no longer has: a dimension of the tensor, or (if `update` is given) a
    // recurrence variable of that update.
    virtual void forget_variable(schedule::Schedule& schedule, const std::string& tensor, std::optional<int> update,
                                 const std::string& variable) const = 0;
    // Forgets `count` updates of the tensor, from number `first` on, and renumbers the later ones.
    virtual void forget_updates(schedule::Schedule& schedule, const std::string& tensor, std::size_t first,
                                std::size_t count) const = 0;
    // Turns the directives for the tensor's updates into directives for its definition.
    virtual void move_to_definition(schedule::Schedule& schedule, const std::string& tensor) const = 0;
    // Keeps the guards of loops when a definition takes the place of updates: if a directive does not name a guard,
    // the loops of an update have one, and those of a definition have none.
    virtual void write_out_guards(schedule::Schedule& schedule, const std::string& tensor) const = 0;
};

struct Registered {
    std::string_view compiler;
    const Reducer& (*reducer)();
};
// Returns the list of this executable (reports/registry).
std::span<const Registered> registered();

// Returns the reducer of a compiler in this list (ENSURE).
const Reducer& reducer(std::string_view compiler);

}  // namespace haruspex::minimize
