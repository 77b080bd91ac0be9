#pragma once

#include <isl/cpp.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/heap/heap.h"

// What must hold for a program to implement its specification (thesis 5.1, C in Fig. 5.4), and where it comes from.
namespace haruspex::validator {

enum class Kind : std::uint8_t {
    bounds_read,
    bounds_write,
    freed,             // no access to a freed array
    input_written,     // no write to an input
    uninit,            // no index, condition or requested output depends on memory that was not written
    lanes,             // two lanes do not write different values to one cell
    race_read_write,   // rw-safe
    race_write_write,  // ww-covered
    value,             // a write's value is that of its prophecy
    coverage,          // every requested output cell holds the value of its tensor's cell
    assertion,         // an assert holds
    vacuous,           // there is something to show: the context allows sizes at which an output cell is requested
};
std::string_view name(Kind kind);  // "bounds_read", …

// Two values that must be equal: where the specification's is defined, the implementation's is, and they are the same.
struct Equation {
    heap::Value specification, implementation;
    isl::set environments;
};

struct Obligation {
    Kind kind = Kind::value;
    std::string statement;  // its headline; for coverage the output
    std::string rule;       // "S-Assign: reads(e) ⊆ dom(h)"
    // Either where it is violated, a set of parameters that has to be empty, …
    std::optional<isl::set> violations;
    // … or what has to be equal.
    std::optional<Equation> equation;
    // The write that an equation of kind `value` is about.
    const sched::Write* write = nullptr;
};

}  // namespace haruspex::validator
