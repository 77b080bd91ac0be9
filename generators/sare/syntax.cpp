#include "generators/sare/syntax.h"

#include "generators/base/alternatives_impl.h"

namespace haruspex {

template class Alternatives<sare::IndexConstant, sare::IndexVariable, sare::IndexBinary, sare::IndexScale,
                            sare::IndexDiv, sare::IndexMod, sare::IndexSelect>;
template class Alternatives<sare::Truth, sare::Comparison, sare::And, sare::Or, sare::Not>;
template class Alternatives<sare::Literal, sare::Embed, sare::Guard, sare::Access, sare::Unary, sare::Binary,
                            sare::Select, sare::Cast, sare::Reduce>;

}  // namespace haruspex
