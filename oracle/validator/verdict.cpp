#include "oracle/validator/verdict.h"

#include "generators/base/ensure.h"

namespace haruspex::validator {

std::string_view name(Judgement::State state) {
    switch (state) {
        case Judgement::State::holds: return "holds";
        case Judgement::State::not_shown: return "not_shown";
        case Judgement::State::not_looked_at: return "not_looked_at";
    }
    raise_internal_error(__FILE__, __LINE__, "no such state of a judgement");
}

}  // namespace haruspex::validator
