#include "harness/halide/dynamic_symbols.h"

#include <dlfcn.h>

#include "tests/support/catch.h"

namespace haruspex::halide {

extern "C" int haruspex_test_exported() { return 1; }

TEST_CASE("an object's symbols are those that it exports and those that it looks up") {
    const DynamicSymbols own = dynamic_symbols_at(reinterpret_cast<void*>(&haruspex_test_exported));
    CHECK(own.defined.contains("haruspex_test_exported"));
    CHECK_FALSE(own.defined.contains("dlsym"));
    CHECK(own.called.contains("dl_iterate_phdr"));
    CHECK_FALSE(own.called.contains("haruspex_test_exported"));
}

TEST_CASE("another object's symbols are found by an address in it") {
    const DynamicSymbols halide = dynamic_symbols_at(::dlsym(RTLD_NEXT, "_ZN6Halide15get_host_targetEv"));
    CHECK(halide.defined.contains("_ZN6Halide15get_host_targetEv"));
    CHECK_FALSE(halide.defined.contains("haruspex_test_exported"));
    CHECK(halide.called.contains("malloc"));
    // The last symbols of a table count, too: all that dlsym finds there.
    std::size_t found = 0;
    for (const std::string& name : halide.defined) {
        Dl_info info{};
        void* address = ::dlsym(RTLD_DEFAULT, name.c_str());
        found += address != nullptr && ::dladdr(address, &info) != 0 ? 1 : 0;
    }
    CHECK(found > 1000);
}

TEST_CASE("an address in no object has no symbols") {
    const DynamicSymbols none = dynamic_symbols_at(nullptr);
    CHECK(none.defined.empty());
    CHECK(none.called.empty());
}

}  // namespace haruspex::halide
