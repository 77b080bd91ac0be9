#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "generators/value/type.h"
#include "harness/sched/kinds.h"

namespace haruspex::sched {

// The types that an expression may have, usually a single one. There are several if the expression's type depends on
// the type of a tensor, which is not known here. Empty if no type fits.
class Types {
public:
    static Types index() { return Types(1); }
    static Types condition() { return Types(2); }
    static Types of(value::Type type) { return Types(static_cast<std::uint16_t>(4U << static_cast<unsigned>(type))); }
    static Types of(ExprType type) {
        return type.kind == Kind::index ? index() : type.kind == Kind::condition ? condition() : of(type.type);
    }
    static Types of(Kind kind) {
        return kind == Kind::index ? index() : kind == Kind::condition ? condition() : any_value();
    }
    static Types any_value() {
        Types all;
        for (const value::Type type : value::all_types) { all = all | of(type); }
        return all;
    }

    bool empty() const { return bits_ == 0; }
    bool has(Types other) const { return (bits_ & other.bits_) != 0; }
    bool has_value() const { return has(any_value()); }
    // Returns the type if there is only one.
    std::optional<ExprType> single() const {
        for (const Kind kind : {Kind::index, Kind::condition}) {
            if (*this == of(kind)) { return ExprType{kind}; }
        }
        for (const value::Type type : value::all_types) {
            if (*this == of(type)) { return ExprType{Kind::value, type}; }
        }
        return std::nullopt;
    }

    // Returns the types to which the function maps the scalar types of this set; it may map a type to none.
    template <typename Result>
    Types map_values(Result&& result) const {
        Types results;
        for (const value::Type type : value::all_types) {
            if (!has(of(type))) { continue; }
            if (const std::optional<value::Type> mapped = result(type)) { results = results | of(*mapped); }
        }
        return results;
    }

    friend Types operator&(Types a, Types b) { return Types(static_cast<std::uint16_t>(a.bits_ & b.bits_)); }
    friend Types operator|(Types a, Types b) { return Types(static_cast<std::uint16_t>(a.bits_ | b.bits_)); }
    bool operator==(const Types&) const = default;

private:
    Types() = default;
    explicit Types(std::uint16_t bits) : bits_(bits) {}

    std::uint16_t bits_ = 0;
};

// For messages: "an index", "a condition", "i32", "a tensor's value".
std::string describe(Types types);

}  // namespace haruspex::sched
