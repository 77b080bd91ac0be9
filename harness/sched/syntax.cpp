#include "harness/sched/syntax.h"

#include "generators/base/alternatives_impl.h"

namespace haruspex {

template class Alternatives<sched::Integer, sched::Truth, sched::Variable, sched::IndexBinary, sched::Comparison,
                            sched::And, sched::Or, sched::Not, sched::IntegerOf, sched::Literal, sched::Embed,
                            sched::Guard, sched::ValueVariable, sched::Load, sched::TensorAccess, sched::Unary,
                            sched::Binary, sched::Cast, sched::Select, sched::LaneReduce, sched::LetIn,
                            sched::LetValueIn>;
template class Alternatives<sched::Let, sched::LetValue, sched::Allocate, sched::Free, sched::Assign, sched::If,
                            sched::For, sched::Assert, sched::Atomic, sched::Accumulate, sched::Semaphore,
                            sched::Acquire, sched::Release, sched::Fork>;

}  // namespace haruspex
