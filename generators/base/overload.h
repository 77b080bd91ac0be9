#pragma once

namespace haruspex {

// The overload set for std::visit: a new alternative that no lambda takes is a compile error.
template <typename... F>
struct Overload : F... {
    using F::operator()...;
};

}  // namespace haruspex
