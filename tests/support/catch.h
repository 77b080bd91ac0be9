#pragma once

// Includes Catch2, which is version 2 in Debian 12 and version 3 in Debian 13; tests include this header instead.
#ifdef HARUSPEX_CATCH2_V3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
