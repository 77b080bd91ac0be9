#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The versions of a compiler in which a bug lives.
namespace haruspex::bugs {

// What a bug's case shows under one version.
enum class Presence : std::uint8_t {
    shows,    // the stored symptom, by the rule of State::fails (recheck.h)
    differs,  // another symptom
    gone,     // nothing
    refused,  // the case cannot be put to this version, or the compiler rejects it
    not_run,  // nothing is known: the bug has no case, or this version's answer does not decide it
};
inline constexpr int presence_count = 5;
std::string_view name(Presence presence);  // "shows", …

struct AtVersion {
    std::string version;  // the compiler's, "14.0.0"
    Presence presence = Presence::not_run;
    std::string symptom;                // what the case shows instead, as text; empty unless it differs
    std::optional<bool> program_fails;  // whether the report's stand-alone program exits with 1; none if it was not run
    bool operator==(const AtVersion&) const = default;
};

// Whether the bug is there: its program fails, or its case shows it. A case that shows another symptom is a sign of the
// bug, too, unless the program was run and is right: versions name passes differently, and a wrong value in one may be
// a crash in another.
bool lives(const AtVersion& row);
// Whether the row tells that the bug is there or that it is not. Otherwise the case was refused or not judged, and the
// program was not run.
bool is_decided(const AtVersion& row);

// Adds the row to rows that are sorted by version. A row of the same version is replaced, but keeps what the new one
// does not know: a presence if the new one is not_run, the result of the program if it was not run.
void put(std::vector<AtVersion>& rows, AtVersion row);

// Where a bug lives, from rows that are sorted by version.
struct Span {
    std::optional<std::string> first_bad, last_bad;  // versions; none if the bug lives in no version
    std::optional<std::string> mended_in;            // the first version after `last_bad` that does not have the bug
    std::vector<std::string> absent, unknown;        // between the first and the last bad version
    bool operator==(const Span&) const = default;
};
Span span(const std::vector<AtVersion>& rows);

// Returns a version without the zeros at its end: "14", "19.0.1".
std::string in_short(std::string_view version);
// Returns "14, 19 and 21".
std::string listed(const std::vector<std::string>& words);
// Returns the versions in which the bug lives: "14, 19 and 21"; empty if there are none.
std::string bad_versions(const std::vector<AtVersion>& rows);
// Returns "lives in 14, 19 and 21" or "lives in 14, mended in 19", with gaps: "lives in 14 and 21, not in 19"; "not seen
// in 14 and 19" if it lives in no version; empty if no row is decided.
std::string describe(const std::vector<AtVersion>& rows);

struct InVersion {
    std::string version;
    std::size_t living = 0;
    std::size_t unknown = 0;  // bugs that other versions are known of, but not this one
    bool operator==(const InVersion&) const = default;
};
struct Count {
    std::size_t bugs = 0;
    std::vector<InVersion> versions;  // the oldest first
    std::size_t untried = 0;          // bugs of which no version is known
    bool operator==(const Count&) const = default;
};
// Returns the versions in which something is known of one of the bugs, the oldest first. Each bug is given by its rows.
std::vector<std::string> decided_versions(const std::vector<std::vector<AtVersion>>& bugs);
Count count_of(const std::vector<std::vector<AtVersion>>& bugs);
// Returns "68 bugs: 60 live in 14, 41 in 19 and 39 in 21 (2 not known); versions not known: 1". `of` follows "bugs".
std::string to_string(const Count& count, std::string_view of = "");

// Whether `version` is older than `than`. Parts are compared as numbers: "9.1" is older than "14.0.0".
bool is_older(std::string_view version, std::string_view than);

}  // namespace haruspex::bugs
