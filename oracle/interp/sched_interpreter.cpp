#include "oracle/interp/sched_interpreter.h"

#include "generators/base/ensure.h"
#include "oracle/interp/sched_compile.h"
#include "oracle/interp/sched_machine.h"

namespace haruspex::interp {

Result<Execution> run(const sched::Program& program, const std::map<std::string, std::int64_t>& parameters,
                      const TensorValues& inputs, const Options& options) {
    constexpr std::int64_t greatest_multiple = std::int64_t{1} << 20;
    ENSURE(!options.padding || (options.padding->multiple >= 1 && options.padding->multiple <= greatest_multiple),
           "extents are rounded up to a multiple from 1 to 2^20");
    const auto code = loops::compile(program, parameters, options.foretold != nullptr);
    if (!code) { return fail(code.error()); }
    return loops::Machine(*code, program, inputs, options).run();
}

}  // namespace haruspex::interp
