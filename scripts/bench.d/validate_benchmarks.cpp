// Puts the rows of corpus/benchmarks to the validator and compares what it says with what rows.json expects.
//
//   validate_benchmarks FOLDER [--rung small|sizes|all] [--effort N] [--seconds S] [ROW…]
//
//   small    the row's case, every loop unrolled
//   sizes    the sizes of Halide's application
//   all      all sizes that the row allows
//
//   --effort N     so many times the row's budgets for `sizes` and `all`, 1 unless given
//   --seconds S    a rung that takes longer is stopped, "timeout": 120 unless given
//
// Prints a line for each row and rung, with Halide's own compile time. Exit code 1 when a verdict is another one than
// the one expected.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "generators/case/json.h"
#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "harness/compiler/fork_server.h"
#include "harness/halide/halide_compiler.h"
#include "oracle/pipeline/validation.h"

using namespace haruspex;

namespace {

using Clock = std::chrono::steady_clock;

struct Row {
    std::string name, case_name;
    std::optional<std::string> assuming, meant;
    std::optional<validator::Sizes> sizes;        // of Halide's application
    std::map<std::string, std::string> expected;  // by rung
    std::map<std::string, std::string> because;   // by rung: why it is not what the thesis has
    std::uint64_t effort = 1;                     // so many times the budgets of a campaign
};

struct Arguments {
    std::string folder;
    std::vector<std::string> rungs{"small", "sizes", "all"}, rows;
    std::uint64_t effort = 1;
    unsigned seconds = 120;
};

struct Answer {
    std::string outcome, reason;
    double milliseconds = 0;
};

[[noreturn]] void give_up(const std::string& message) {
    std::cerr << "validate_benchmarks: " << message << "\n";
    std::exit(2);
}

Result<std::string> content(const std::string& file) {
    std::ifstream stream(file);
    if (!stream) { return fail("cannot read " + file); }
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::vector<Row> rows_of(const std::string& folder) {
    const auto text = content(folder + "/rows.json");
    if (!text) { give_up(text.error().message); }
    std::vector<Row> rows;
    for (const auto& json : nlohmann::json::parse(*text)) {
        Row row{json.at("row"), json.at("case"), {}, {}, {}, {}, {}, 1};
        row.effort = json.value("effort", row.effort);
        if (json.contains("assuming")) { row.assuming = json.at("assuming").get<std::string>(); }
        if (json.contains("meant")) { row.meant = json.at("meant").get<std::string>(); }
        if (json.contains("sizes")) { row.sizes = json.at("sizes").get<validator::Sizes>(); }
        if (json.contains("expected")) { row.expected = json.at("expected"); }
        if (json.contains("because")) { row.because = json.at("because"); }
        rows.push_back(std::move(row));
    }
    return rows;
}

template <typename T>
T valid(Result<T> result) {
    if (!result) { give_up(to_string(result.error())); }
    return std::move(*result);
}

// What is compiled, and what it is judged by.
struct Subject {
    cases::Case compiled, judged;
};

Subject subject_of(const Row& row, const std::string& folder) {
    const std::string file = folder + "/" + row.case_name + ".json";
    const auto beside = [&](const std::string& name) { return content(folder + "/" + name); };
    Subject subject;
    subject.compiled = subject.judged = valid(cases::parse_case(valid(content(file)), file, beside));
    if (row.meant) { subject.judged.sare = valid(sare::parse_sare(valid(beside(*row.meant)), *row.meant)); }
    if (row.assuming) {
        const sare::Condition assumption = valid(sare::parse_condition(*row.assuming, "rows.json"));
        for (cases::Case* c : {&subject.compiled, &subject.judged}) {
            c->sare.assumptions = {sare::And{c->sare.assumptions, assumption}};
        }
    }
    return subject;
}

std::string reason_of(const validator::Verdict& verdict) {
    std::string text = verdict.reason;
    if (verdict.deciding) {
        const validator::Judgement& judgement = verdict.judgements[*verdict.deciding];
        text += " [" + judgement.reason + "]";
    }
    std::ranges::replace(text, '\n', ' ');
    return text;
}

validator::Verdict verdict_on(const Subject& subject, const std::string& rung, const Row& row,
                              compiler::ForkServer& server, const compiler::Identity& identity, std::uint64_t effort) {
    const cases::Case& c = subject.judged;
    if (rung == "small") {
        compiler::Request request;
        request.run = false;
        request.lower = true;
        const auto plain = pipeline::last_lowered(server.observe(subject.compiled, request));
        if (!plain) { return pipeline::unsupported(plain.error()); }
        const validator::Verdict verdict = pipeline::validate_at_sizes(c, *plain);
        if (verdict.outcome != validator::Outcome::undecided) { return verdict; }
        const auto foretold = pipeline::lower_with_prophecies(subject.compiled, server);
        return foretold ? pipeline::validate_at_sizes(c, *foretold) : verdict;
    }
    const auto foretold = pipeline::lower_with_prophecies(subject.compiled, server);
    if (!foretold) { return pipeline::unsupported(foretold.error()); }
    validator::Options options = pipeline::all_sizes_options();
    // A campaign has no time for a whole one; here each part has what it has there.
    options.operations = validator::Options().operations * effort;
    options.evaluation_operations *= effort;
    options.obligation_operations *= effort;
    if (rung == "sizes") { return pipeline::validate_large_sizes(c, *row.sizes, foretold->program, identity, options); }
    return pipeline::validate_for_all_sizes(c, foretold->program, identity, options);
}

// In a child of its own, which a limit can stop.
Answer answer(const Subject& subject, const std::string& rung, const Row& row, compiler::ForkServer& server,
              const compiler::Identity& identity, const Arguments& arguments) {
    int ends[2];
    if (pipe(ends) != 0) { give_up("no pipe"); }
    const auto begin = Clock::now();
    const pid_t child = fork();
    if (child < 0) { give_up("cannot fork"); }
    if (child == 0) {
        constexpr rlim_t most_memory = rlim_t{6} << 30;
        const rlimit limit{most_memory, most_memory};
        setrlimit(RLIMIT_AS, &limit);
        alarm(arguments.seconds);
        std::string text;
        try {
            const auto verdict = verdict_on(subject, rung, row, server, identity, arguments.effort * row.effort);
            text = std::string(validator::name(verdict.outcome)) + "\n" + reason_of(verdict);
        } catch (const std::exception& e) { text = std::string("fault\n") + e.what(); }
        const bool written = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
        _exit(written ? 0 : 3);
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;) { text.append(buffer, std::size_t(n)); }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    Answer result;
    result.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    const std::size_t end = std::min(text.find('\n'), text.size());
    result.outcome = text.substr(0, end);
    if (end < text.size()) { result.reason = text.substr(end + 1); }
    if (WIFSIGNALED(status)) {
        result.outcome = WTERMSIG(status) == SIGALRM ? "timeout" : "signal " + std::to_string(WTERMSIG(status));
    }
    return result;
}

Arguments parsed(int argc, char** argv) {
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool has_value = word == "--rung" || word == "--effort" || word == "--seconds";
        if (has_value && i + 1 == argc) { give_up(word + " needs a value"); }
        if (word == "--rung") {
            arguments.rungs = {argv[++i]};
        } else if (word == "--effort") {
            arguments.effort = std::stoull(argv[++i]);
        } else if (word == "--seconds") {
            arguments.seconds = static_cast<unsigned>(std::stoul(argv[++i]));
        } else if (arguments.folder.empty()) {
            arguments.folder = word;
        } else {
            arguments.rows.push_back(word);
        }
    }
    if (arguments.folder.empty()) { give_up("usage: FOLDER [--rung R] [--effort N] [--seconds S] [ROW…]"); }
    return arguments;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments arguments = parsed(argc, argv);
    const auto compiler = halide::make_halide();
    const compiler::Identity identity = compiler->identity();
    compiler::ForkServer server(*compiler, {});
    int unexpected = 0;
    for (const Row& row : rows_of(arguments.folder)) {
        const bool is_asked =
            arguments.rows.empty() || std::ranges::find(arguments.rows, row.name) != arguments.rows.end();
        if (!is_asked) { continue; }
        const Subject subject = subject_of(row, arguments.folder);
        const cases::Case& c = subject.compiled;
        const auto timings = server.observe(c).timings;
        std::printf("%-12s compiled by Halide in %.0f ms\n", row.name.c_str(),
                    std::chrono::duration<double, std::milli>(timings.compile).count());
        std::fflush(stdout);  // or a child writes it too
        for (const std::string& rung : arguments.rungs) {
            if (rung == "sizes" && !row.sizes) { continue; }
            if (rung == "small" && !sare::evaluate(c.sare.assumptions, c.sizes)) { continue; }  // the row is of others
            const Answer given = answer(subject, rung, row, server, identity, arguments);
            std::string line = given.outcome;
            if (!given.reason.empty()) { line += ": " + given.reason.substr(0, 400); }
            if (row.expected.contains(rung) && row.expected.at(rung) != given.outcome) {
                ++unexpected;
                line += "   EXPECTED " + row.expected.at(rung);
            }
            if (row.because.contains(rung)) { line += "   because " + row.because.at(rung); }
            std::printf("    %-6s %8.0f ms  %s\n", rung.c_str(), given.milliseconds, line.c_str());
            std::fflush(stdout);
        }
    }
    return unexpected == 0 ? 0 : 1;
}
