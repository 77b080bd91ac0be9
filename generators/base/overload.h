#pragma once

namespace haruspex {

// The overload set for std::visit: an alternative without a lambda is a compile error.
template <typename... F>
struct Overload : F... {
    using F::operator()...;
};

}  // namespace haruspex
