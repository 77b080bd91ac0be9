#include "generators/base/ensure.h"

namespace haruspex {

void raise_internal_error(const char* file, int line, const std::string& message) {
    throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + message);
}

}  // namespace haruspex
