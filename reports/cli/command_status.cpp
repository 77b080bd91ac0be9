#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "reports/campaign/status.h"
#include "reports/campaign/status_page.h"
#include "reports/cli/commands.h"
#include "reports/cli/screen.h"
#include "reports/cli/stopping.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    std::string campaign;
    bool json = false, watch = false;
};

constexpr std::size_t any_height = 10000;
// At most a fiftieth of the time is spent on reading.
constexpr int reading_share = 50;

// The page as text, with all bugs.
std::string text_of(const campaign::Status& status) {
    const std::size_t width = ::isatty(STDOUT_FILENO) == 1 ? size_of_terminal(stdout).width : 100;
    std::string text;
    for (const std::string& line : campaign::page_of(status, width, any_height)) { text += line + "\n"; }
    return text;
}

Result<ExitCode> show(const Arguments& arguments, Output& output) {
    using Clock = std::chrono::steady_clock;
    const bool draws = arguments.watch && !arguments.json && takes_control_sequences(stdout);
    const std::chrono::seconds interval(draws ? 2 : 10);
    const std::atomic<bool>& stop = stop_on_signals();
    Screen screen(stdout);
    while (true) {
        const auto begin = Clock::now();
        const auto status = campaign::read_status(arguments.campaign);
        if (!status) {
            screen.leave();
            return fail(status.error());
        }
        const bool is_last = !arguments.watch || status->processes == 0 || stop;
        if (draws && !is_last) {
            const TerminalSize room = screen.room();
            screen.draw(campaign::page_of(*status, room.width, room.height));
        } else {
            screen.erase();
            if (!output.print(arguments.json ? to_json(*status) : text_of(*status))) { return nothing_found; }
        }
        if (is_last) { return nothing_found; }
        const auto now = Clock::now();
        const auto next = now + std::max<Clock::duration>(interval, reading_share * (now - begin));
        while (!stop && Clock::now() < next) { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }
    }
}

}  // namespace

Command add_status(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("status", "Show how a campaign stands: one that runs, was stopped or killed");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("campaign", arguments->campaign, "A campaign's folder")->required();
    command->add_flag("--json", arguments->json, "Print JSON");
    command->add_flag("--watch", arguments->watch,
                      "Show it again every few seconds, until no process works on the campaign any more, or Ctrl-C");
    command->footer(
        "Reads the folder and changes nothing in it; processes that work on the campaign are not disturbed.\n"
        "Distinct bugs are those of the last triage. Groups of findings that it did not examine, or that came later, "
        "are\n"
        "counted apart. Exit code 0, or 2 if the folder holds no campaign.\n"
        "\n"
        "Examples:\n"
        "  haruspex status night\n"
        "  haruspex status night --watch\n"
        "  haruspex status night --json");
    return {command, [arguments](Output& output) { return show(*arguments, output); }};
}

}  // namespace haruspex::cli
