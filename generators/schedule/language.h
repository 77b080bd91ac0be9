#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/choice.h"
#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/factoring.h"
#include "generators/schedule/rules.h"
#include "generators/schedule/schedule.h"
#include "generators/value/type.h"

// A compiler under test, as the generators know it: the language of its schedules, at one version of the compiler.
//
// To add a compiler, implement Language in a folder below this one that carries the compiler's name, with its
// directives as values (schedule.h), and list it in the registry (reports/registry). Everything here is about text and
// data: the compiler itself need not be installed.
namespace haruspex::schedule {

// The meaning of a feature of schedules (Language::features) for a case that has it.
struct Trait {
    bool is_directive = false;  // the feature is a kind of directive, rather than a choice within a directive
    bool is_plain = false;      // the plainest choice: a minimised case may have it because there is no plainer one
    bool is_parallel = false;   // iterations run in parallel, so that a wrong value shows as a race
    bool is_placement = false;  // a tensor gets memory of its own, and nothing else changes
};

// An update that a directive cuts in two (factoring.h).
struct FactoredUpdate {
    std::string tensor;
    std::size_t update = 0;  // counts from 0
};

// What schedules are drawn for.
enum class Aim : std::uint8_t {
    variety,  // whatever the language has
    padding,  // tensors are computed and stored beyond the cells that the outputs need
};

// Draws the schedules of one program, with probabilities that were mixed for this program.
class Source {
public:
    virtual ~Source() = default;
    // Draws a schedule that breaks no rule for the algorithm.
    virtual Schedule draw(Choices& choices, const sare::Algorithm& algorithm) const = 0;
};

class Language {
public:
    virtual ~Language() = default;

    virtual std::string_view compiler() const = 0;  // also the name of its folders
    // The target of a drawn case, and of a case for which no other is given.
    virtual std::string_view default_target() const = 0;

    // The scalar types of its programs, in the order of value::all_types: they are the profile of its arithmetic. They
    // must include bool, i16 and a signed integer of 32 bits; and for each signed integer the unsigned one of the same
    // width, since absolute values have that type.
    virtual std::span<const value::Type> types() const = 0;

    // Parses syntax only. Errors carry file, line, column.
    [[nodiscard]] virtual Result<Schedule> parse(std::string_view text, std::string_view file) const = 0;
    // Whether the word has a fixed meaning in schedules, so that it is not a name.
    virtual bool is_word(std::string_view word) const = 0;
    // Returns the features of a schedule, by which cases are counted and bugs are told apart: "directive:KIND" for each
    // kind of directive, and others with a prefix of the compiler's own.
    virtual std::set<std::string> features(const Schedule& schedule) const = 0;
    // Returns the forms of a schedule for the algorithm, "form:NAME": how its directives are joined. They are counted,
    // and may be named by known bugs, but do not tell bugs apart.
    virtual std::set<std::string> forms(const sare::Algorithm& algorithm, const Schedule& schedule) const = 0;
    // Returns the features and forms that a schedule can have.
    virtual std::set<std::string> all_features() const = 0;
    // nullopt if `feature` is not a feature of schedules.
    virtual std::optional<Trait> trait(std::string_view feature) const = 0;

    // Draws the probabilities for the schedules of one program. A language that cannot pad ignores that aim.
    virtual std::unique_ptr<Source> source(Choices& choices, Aim aim) const = 0;

    // --- Documented rules. The schedules must be in this language (ENSURE). ---

    // Returns the rules that the schedule breaks, in the order of its directives; none if the schedule is admitted. An
    // error if the schedule names something that does not exist.
    [[nodiscard]] virtual std::expected<BrokenRules, UnknownName> broken_rules(const sare::Algorithm& algorithm,
                                                                               const Schedule& schedule) const = 0;
    // Returns the size rules of a schedule, in the order of its directives. The schedule must name existing things only
    // (ENSURE). Rules about the schedule itself (broken_rules) are not among them.
    virtual std::vector<SizeRule> size_rules(const sare::Algorithm& algorithm, const Schedule& schedule) const = 0;
    // Returns the schedule without the directives at the indices in `dropped`, and without those that are then not
    // admitted: they break a rule that is not in `allowed`, or name something that does not exist.
    virtual Schedule without(const sare::Algorithm& algorithm, const Schedule& schedule,
                             const std::vector<std::size_t>& dropped, const RuleNames& allowed = {}) const = 0;

    // --- Effects of directives on the meaning of a program ---

    // Returns the updates that directives of the schedule cut in two, in the order of these directives.
    virtual std::vector<FactoredUpdate> factored_updates(const Schedule& schedule) const = 0;
    // Returns these updates of a program, before and after the cut. The result must not depend on the compiler's
    // version. An Error if the directives cannot be followed; the factored algorithm does not exist then.
    [[nodiscard]] virtual Result<std::vector<Factoring>> factorings(const sare::Algorithm& algorithm,
                                                                    const Schedule& schedule) const = 0;
    // The index of the first directive that may change the order in which an update accumulates floats, so that results
    // agree only if the arithmetic is exact; nullopt if none does. A directive that is not admitted may do anything.
    virtual std::optional<std::size_t> first_to_reorder_floats(const sare::Algorithm& algorithm,
                                                               const Schedule& schedule) const = 0;
    // Whether two runs of the compiled program may accumulate in different orders.
    virtual bool has_free_order(const Schedule& schedule) const = 0;
};

// Parses a program of the compiler: a SARE with no type that the compiler lacks. Errors carry file, line, column.
[[nodiscard]] Result<sare::Sare> parse_program(std::string_view text, std::string_view file, const Language& language);
// Returns the first signed integer of 32 bits among the language's types.
value::Type plain_integer(const Language& language);

// --- The languages of this build ---

struct Registered {
    std::string_view compiler;
    int newest_version;
    const Language& (*language)(int version);
};
// The list of an executable (reports/registry). The first is the compiler of cases that do not name one.
std::span<const Registered> registered();

// Return the language of a compiler at the given version, or at the newest version that is known. Null if there is no
// such compiler.
const Language* find_language(std::string_view compiler);
const Language* find_language(std::string_view compiler, int version);
// Returns the language of the newest known version of a compiler of this build (ENSURE).
const Language& language(std::string_view compiler);
// Returns the names of the registered compilers.
std::vector<std::string_view> compilers();

}  // namespace haruspex::schedule
