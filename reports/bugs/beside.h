#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

// Triage beside a campaign that runs: its distinct bugs are listed (bugs.json) while it goes on.
//
// A triage is a process of its own. It may take one run of the compiler for every ten cases of the campaign, so that it
// costs the campaign about a tenth of its pace at most, and is started again when there is more to see. It leaves its answers in the
// journals, from which the triage at the end takes them; that one asks the same questions and has the same budget,
// whether there were triages before it and whenever they ran.
namespace haruspex::bugs {

class TriageBeside {
public:
    using Clock = std::chrono::steady_clock;

    struct Options {
        // The command that triages the campaign's folder and keeps its journals. "--most-runs" and the number of runs are
        // added.
        std::vector<std::string> command;
        std::uint64_t most_runs = 0;  // of any triage; 0: there is none
        // Between two triages: this long, or so many times as long as the last one took.
        std::chrono::milliseconds interval{30000};
        int rest = 10;
    };

    explicit TriageBeside(Options options);
    TriageBeside(const TriageBeside&) = delete;
    TriageBeside& operator=(const TriageBeside&) = delete;
    // Kills a triage that is at work. Its answers stay.
    ~TriageBeside();

    // To be called now and then: begins a triage, if it is time for one and there is something new for it. `cases` and
    // `findings` are the numbers of the campaign so far; a case that is a fault of haruspex counts as a finding.
    void look(std::uint64_t cases, std::uint64_t findings);

    bool is_at_work() const { return process_ > 0; }

private:
    void begin(std::uint64_t runs);
    void collect();

    Options options_;
    pid_t process_ = -1;
    Clock::time_point began_, next_;
    std::uint64_t findings_ = 0, runs_ = 0;  // when the last one began
};

}  // namespace haruspex::bugs
