// haruspex-fuzz: draws a case from libFuzzer's bytes, as choices, and runs it through the campaign's pipeline.
//
//   haruspex-fuzz [--out=DIR] [libFuzzer's options] [CORPUS…]
//
// A finding does not end the run: it is filed in DIR as in a campaign, one for each group. The exit code is 1 if there
// are findings, 3 if haruspex itself failed. The compiler runs in a child process and is not instrumented. Besides the
// coverage of the generators, libFuzzer is therefore told which features occur together in a case, and the case's class
// and group.

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "generators/base/ensure.h"
#include "generators/base/fnv1a.h"
#include "generators/random/random_case.h"
#include "harness/compiler/compilers.h"
#include "reports/campaign/examine.h"
#include "reports/store/store.h"

namespace {

using namespace haruspex;

constexpr std::size_t signals = 1 << 14;

// Read by libFuzzer after each run, in addition to its own counters; it finds them by the section's name.
__attribute__((section("__libfuzzer_extra_counters"))) std::array<std::uint8_t, signals> counters;

class Target {
public:
    explicit Target(store::Store store)
        : store_(std::move(store)),
          compiler_(compiler::make_compiler(compiler::names().front())),
          identity_(compiler_->identity()),
          server_(*compiler_, compiler::Limits{}) {}

    void run(std::span<const std::uint8_t> bytes) {
        Choices choices(byte_source(bytes));
        const cases::Case c = random::draw_case(choices, random::Policy{}, compiler::language_of(identity_));
        store::Record record = campaign::examine(0, c, server_, identity_);
        signal(record);
        if (record.group.empty() || !groups_.insert(record.group).second) { return; }
        // The bytes have no seed; name the case by their hash.
        const std::uint64_t name = fnv1a({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        const auto folder = store_.add({.seed = name,
                                        .index = 0,
                                        .c = c,
                                        .verdict = record.verdict,
                                        .compiler = identity_,
                                        .group = record.group,
                                        .attachments = std::move(record.attachments),
                                        .seeded = false});
        ENSURE(folder.has_value(), to_string(folder.error()));
        std::fprintf(stderr, "%s: %s\n", folder->c_str(), record.verdict.message.c_str());
        ++(verdict::is_own_fault(record.verdict.cls) ? own_faults_ : findings_);
    }

    std::size_t findings() const { return findings_; }
    std::size_t own_faults() const { return own_faults_; }

private:
    // Signals pairs of features: all single features are seen within a few hundred cases.
    static void signal(const store::Record& record) {
        const auto raise = [](std::uint64_t h) { counters[h % signals] = 1; };
        raise(fnv1a(record.group, fnv1a(verdict::name(record.verdict.cls))));
        for (auto a = record.features.begin(); a != record.features.end(); ++a) {
            for (auto b = a; b != record.features.end(); ++b) { raise(fnv1a(*b, fnv1a(*a))); }
        }
    }

    store::Store store_;
    std::unique_ptr<compiler::Compiler> compiler_;
    compiler::Identity identity_;
    compiler::ForkServer server_;
    std::set<std::string> groups_;
    std::size_t findings_ = 0, own_faults_ = 0;  // groups
};

// A global, since libFuzzer passes nothing from its initialisation to its runs.
std::optional<Target> target;

// Sets the exit code at exit, since libFuzzer ends with 0 if nothing stopped it.
void report_findings() {
    if (target->findings() + target->own_faults() == 0) { return; }
    std::fprintf(stderr, "%zu groups of findings, %zu of faults of haruspex itself\n", target->findings(),
                 target->own_faults());
    std::fflush(nullptr);
    ::_exit(target->own_faults() > 0 ? 3 : 1);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    constexpr std::string_view option = "--out=";
    std::string out = "haruspex-fuzz-findings";
    // libFuzzer ignores options that begin with two dashes.
    for (int i = 1; i < *argc; ++i) {
        const std::string_view argument = (*argv)[i];
        if (argument.starts_with(option)) { out = argument.substr(option.size()); }
    }
    auto store = store::Store::open(out);
    if (!store) {
        std::fprintf(stderr, "%s\n", to_string(store.error()).c_str());
        std::exit(2);
    }
    store->remove_leftovers();
    target.emplace(std::move(*store));
    std::atexit(report_findings);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    target->run({data, size});
    return 0;
}
