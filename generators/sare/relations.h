#pragma once

#include "generators/sare/syntax.h"

namespace haruspex::sare {

// Returns the relation that b has to a if a has `relation` to b.
constexpr Relation mirrored(Relation relation) {
    switch (relation) {
        case Relation::lt: return Relation::gt;
        case Relation::le: return Relation::ge;
        case Relation::gt: return Relation::lt;
        case Relation::ge: return Relation::le;
        case Relation::eq:
        case Relation::ne: break;
    }
    return relation;
}

}  // namespace haruspex::sare
