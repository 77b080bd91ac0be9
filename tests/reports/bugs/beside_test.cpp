#include "reports/bugs/beside.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "reports/store/files.h"
#include "tests/support/catch.h"
#include "tests/support/scratch.h"

namespace haruspex::bugs {
namespace {

class Beside {
public:
    // The command appends its arguments to a file, a line for each triage, and then works on until there is a file `done`.
    explicit Beside(std::uint64_t most_runs)
        : triage_({{"/bin/sh", "-c", "echo \"$@\" >> " + log() + "; until [ -e " + done() + " ]; do sleep 0.01; done",
                    "triage"},
                   most_runs,
                   std::chrono::milliseconds(1),
                   0}) {}

    // Looks until the triage under way has ended, and then once more.
    void look(std::uint64_t cases, std::uint64_t findings) {
        std::ofstream(done()) << "";
        for (int i = 0; i < 1000 && triage_.is_at_work(); ++i) {
            ::usleep(10000);
            triage_.look(0, 0);
        }
        REQUIRE_FALSE(triage_.is_at_work());
        std::filesystem::remove(done());
        for (int i = 0; i < 100 && !triage_.is_at_work(); ++i) {
            ::usleep(10000);
            triage_.look(cases, findings);
        }
        // The shell has written its line.
        for (int i = 0; i < 500 && lines() < begun_ + (triage_.is_at_work() ? 1 : 0); ++i) { ::usleep(10000); }
        begun_ = lines();
    }
    std::string said() const { return store::read_file(log()).value_or(""); }
    std::ptrdiff_t lines() const {
        const std::string text = said();
        return std::count(text.begin(), text.end(), '\n');
    }
    TriageBeside& triage() { return triage_; }

private:
    std::string log() const { return (scratch_.path() / "log").string(); }
    std::string done() const { return (scratch_.path() / "done").string(); }

    tests::ScratchFolder scratch_;
    TriageBeside triage_;
    std::ptrdiff_t begun_ = 0;
};

}  // namespace

TEST_CASE("a triage beside a campaign has a run for ten cases, and begins where there is something new") {
    Beside beside(50);
    beside.look(9, 1);  // not enough cases for a run
    CHECK(beside.said().empty());
    beside.look(300, 0);  // nothing found
    CHECK(beside.said().empty());
    beside.look(300, 2);
    CHECK(beside.said() == "--most-runs 30\n");
    beside.look(310, 2);  // nothing new
    CHECK(beside.lines() == 1);
    beside.look(310, 3);
    CHECK(beside.said() == "--most-runs 30\n--most-runs 31\n");
    beside.look(9000, 4);
    CHECK(beside.said() == "--most-runs 30\n--most-runs 31\n--most-runs 50\n");
    // Two are never at work at once.
    CHECK(beside.triage().is_at_work());
    beside.triage().look(20000, 100);
    CHECK(beside.lines() == 3);
}

TEST_CASE("a triage without runs never begins") {
    Beside beside(0);
    beside.look(5000, 20);
    CHECK(beside.said().empty());
    CHECK_FALSE(beside.triage().is_at_work());
}

}  // namespace haruspex::bugs
