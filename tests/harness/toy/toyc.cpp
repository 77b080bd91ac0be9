#include <cstdio>

#include "tests/harness/toy/toy_compiler.h"

// toyc FILE
int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: toyc FILE\n");
        return 2;
    }
    return haruspex::toy::run_file(argv[1]);
}
