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
// To add a compiler, implement Reducer in a folder below this one that carries the compiler's name, and list it in the
// registry (reports/registry). A change of a schedule need not be admitted: directives that a candidate's program does
// not admit are dropped, and the minimiser takes only what is smaller (size.h) and shows the finding. So each function
// may do its best, and none has to be right.
namespace haruspex::minimize {

struct Pass;

// How much of a schedule a reader has to keep in mind, beside the number of its directives.
struct ScheduleSize {
    std::int64_t tensors = 0;  // that directives make
    std::int64_t words = 0;    // names, choices: the details of directives
    std::int64_t numbers = 0;  // the sum of the magnitudes of factors
};

class Reducer {
public:
    virtual ~Reducer() = default;

    // All passes for the compiler's cases in the order in which they are tried, those that remove much first: passes
    // over programs (pass.h) and its own over schedules.
    virtual std::span<const Pass> passes() const = 0;
    virtual ScheduleSize size(const schedule::Schedule& schedule) const = 0;

    // The indices and conditions over parameters in the directives, in their order. The pointers are valid until the
    // schedule is changed.
    virtual std::vector<sare::Index*> indices(schedule::Schedule& schedule) const = 0;
    virtual std::vector<sare::Condition*> conditions(schedule::Schedule& schedule) const = 0;

    // --- The tensor is one of the program ---

    // Gives it memory of its own, which does not depend on updates or reductions, unless the schedule says already
    // where it is computed.
    virtual void place(schedule::Schedule& schedule, const std::string& tensor) const = 0;
    // One of its dimensions or (with an update) of that update's recurrence variables is gone.
    virtual void forget_variable(schedule::Schedule& schedule, const std::string& tensor, std::optional<int> update,
                                 const std::string& variable) const = 0;
    // `count` of its updates are gone, from `first` on; later ones have other numbers.
    virtual void forget_updates(schedule::Schedule& schedule, const std::string& tensor, std::size_t first,
                                std::size_t count) const = 0;
    // Moves what the schedule says of its updates to its definition.
    virtual void move_to_definition(schedule::Schedule& schedule, const std::string& tensor) const = 0;
    // A definition takes the place of its updates: keeps the guards that an update's loops have unless the schedule
    // says otherwise.
    virtual void write_out_guards(schedule::Schedule& schedule, const std::string& tensor) const = 0;
};

struct Registered {
    std::string_view compiler;
    const Reducer& (*reducer)();
};
// The list of an executable (reports/registry).
std::span<const Registered> registered();

// The reducer of one of them; there must be one (ENSURE).
const Reducer& reducer(std::string_view compiler);

}  // namespace haruspex::minimize
