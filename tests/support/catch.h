#pragma once

// Catch2 is version 2 in Debian 12 and version 3 in Debian 13; tests include this instead of either.
#ifdef HARUSPEX_CATCH2_V3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
