#include "oracle/validator/discharge/ladder.h"

#include "generators/base/ensure.h"

namespace haruspex::validator {

std::string_view name(Rung rung) {
    switch (rung) {
        case Rung::presburger: return "isl";
        case Rung::alignment: return "alignment";
        case Rung::rewriting: return "rewriting";
        case Rung::uninterpreted: return "SMT, uninterpreted operations";
        case Rung::arithmetic: return "SMT, arithmetic";
    }
    raise_internal_error(__FILE__, __LINE__, "no such rung");
}

}  // namespace haruspex::validator
