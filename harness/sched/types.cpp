#include "harness/sched/types.h"

namespace haruspex::sched {

std::string to_string(ExprType type) {
    switch (type.kind) {
        case Kind::index: return "index";
        case Kind::condition: return "condition";
        case Kind::value: return std::string(value::name(type.type));
    }
    return "";
}

std::string describe(Types types) {
    if (types == Types::index()) { return "an index"; }
    if (types == Types::condition()) { return "a condition"; }
    if (const auto type = types.single()) { return to_string(*type); }
    return types.has_value() ? "a tensor's value" : "an index or a condition";
}

}  // namespace haruspex::sched
