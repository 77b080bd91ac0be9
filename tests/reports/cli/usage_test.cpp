#include <filesystem>
#include <sstream>
#include <vector>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

// Completions and the manual, which have the same source as --help; and the places of files after cmake --install.
namespace {

namespace fs = std::filesystem;
using namespace command_line;

bool is_there(const Scratch& scratch, const std::string& program) {
    return shell(scratch, "command -v " + program).exit_code == 0;
}

bool has_word(const std::string& text, const std::string& word) {
    std::istringstream words(text);
    for (std::string one; words >> one;) {
        if (one == word) { return true; }
    }
    return false;
}

// The options that `haruspex COMMAND --help` lists, and some commands below "Subcommands:".
std::vector<std::string> options_in_help(const std::string& help) {
    std::vector<std::string> options;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t end = std::min(line.find(' ', 2), line.size());
        if (line.starts_with("  -")) {
            std::string names = line.substr(2, end - 2);
            for (std::size_t comma = names.find(','); comma != std::string::npos; comma = names.find(',')) {
                options.push_back(names.substr(0, comma));
                names.erase(0, comma + 1);
            }
            options.push_back(names);
        }
    }
    return options;
}

const std::vector<std::string> commands{"fuzz",        "generate", "run",     "judge",      "reproduce", "minimize",
                                        "triage",      "recheck",  "compare", "versions",   "known",     "known add",
                                        "known list",  "file",     "show",    "interpret",  "tensor",    "validate",
                                        "equivalence", "measure",  "init",    "completion", "manual"};

class Bash {
public:
    explicit Bash(const Scratch& scratch) : scratch_(scratch) {
        shell(scratch, haruspex + " completion bash > " + (scratch / "completion.bash"));
    }
    // The completions for the last of these words, which are quoted for bash.
    std::string offered(const std::string& words) const {
        write(scratch_ / "offer.bash",
              "cd " + (scratch_ / "") + "; source completion.bash; COMP_WORDS=(" + words +
                  "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _haruspex; echo \"${COMPREPLY[*]}\"");
        const Ran ran = shell(scratch_, "bash " + (scratch_ / "offer.bash"));
        INFO(words);
        CHECK(ran.exit_code == 0);
        CHECK(ran.err.empty());
        return ran.out.substr(0, ran.out.size() - 1);
    }

private:
    const Scratch& scratch_;
};

}  // namespace

TEST_CASE("bash is offered commands, options, values and files") {
    const Scratch scratch;
    const Bash bash(scratch);
    write(scratch / "mine.sare", "");
    CHECK(bash.offered("haruspex r") == "run reproduce recheck");
    CHECK(bash.offered("haruspex known ''") == "add list merge split not");
    CHECK(bash.offered("haruspex run --s") == "--size --seed --strict-float --solver");
    CHECK(bash.offered("haruspex known add --st") == "--status");
    CHECK(bash.offered("haruspex known add --status ''") == "open fixed documented");
    CHECK(bash.offered("haruspex validate a b --float r") == "real");
    // bash splits "--float=r" into words by its COMP_WORDBREAKS.
    CHECK(bash.offered("haruspex validate --float = r") == "real");
    CHECK(bash.offered("haruspex validate --float =") == "ieee real abstract");
    CHECK(bash.offered("haruspex completion ''") == "bash zsh fish");
    CHECK(bash.offered("haruspex run mi") == "mine.sare");
    CHECK(bash.offered("haruspex fuzz --known mi") == "mine.sare");
    CHECK(bash.offered("haruspex run mine.sare mi") == "mine.sare");
    // Numbers are not completed.
    CHECK(bash.offered("haruspex run --seed ''").empty());
    CHECK_FALSE(has_word(bash.offered("haruspex ''"), "compile-cases"));
}

TEST_CASE("completions and the manual know every command and option of --help") {
    const Scratch scratch;
    const Bash bash(scratch);
    const std::string zsh = shell(scratch, haruspex + " completion zsh").out;
    const std::string fish = shell(scratch, haruspex + " completion fish").out;
    const std::string manual = shell(scratch, haruspex + " manual").out;
    for (const std::string& command : commands) {
        INFO(command);
        const std::string help = shell(scratch, haruspex + " " + command + " --help").out;
        const auto options = options_in_help(help);
        CHECK(options.size() >= 2);
        const std::string offered = bash.offered("haruspex " + command + " -");
        for (const std::string& option : options) {
            INFO(option);
            CHECK(has_word(offered, option));
            CHECK(zsh.find(option) != std::string::npos);
            const std::string in_fish =
                option.starts_with("--") ? " -l " + option.substr(2) : " -s " + option.substr(1);
            CHECK(fish.find("'__haruspex_in " + command + "'" + (in_fish.starts_with(" -l") ? "" : in_fish)) !=
                  std::string::npos);
            CHECK(fish.find(in_fish + " ") != std::string::npos);
        }
        CHECK(manual.find(".SS haruspex " + command + "\n") != std::string::npos);
    }
    CHECK(manual.find("compile\\-cases") == std::string::npos);
    CHECK(manual.find("One of \\fBieee\\fR, \\fBreal\\fR.") != std::string::npos);
    CHECK(manual.find("Exit codes: 0 nothing found") != std::string::npos);
    CHECK(shell(scratch, haruspex + " completion csh").exit_code == 2);
    CHECK(shell(scratch, haruspex + " completion").exit_code == 2);
}

TEST_CASE("zsh reads its completion") {
    const Scratch scratch;
    if (!is_there(scratch, "zsh")) { return; }
    CHECK(shell(scratch, haruspex + " completion zsh > " + (scratch / "_haruspex")).exit_code == 0);
    CHECK(shell(scratch, "zsh -n " + (scratch / "_haruspex")).exit_code == 0);
    const Ran ran = shell(scratch, "cd " + (scratch / "") +
                                       " && zsh -fc 'fpath=($PWD $fpath); autoload -Uz compinit && compinit -u -D && "
                                       "print $_comps[haruspex]'");
    CHECK(ran.out == "_haruspex\n");
}

TEST_CASE("fish is offered commands, options, values and files") {
    const Scratch scratch;
    if (!is_there(scratch, "fish")) { return; }
    const std::string script = scratch / "haruspex.fish";
    CHECK(shell(scratch, haruspex + " completion fish > " + script).exit_code == 0);
    CHECK(shell(scratch, "fish -n " + script).exit_code == 0);
    write(scratch / "mine.sare", "");
    const auto offered = [&](const std::string& line) {
        // fish puts each word's description behind a tab.
        return shell(scratch, "cd " + (scratch / "") + " && HOME=. fish -c \"source haruspex.fish; complete -C '" +
                                  line + "' | cut -f 1 | sort | tr '\\n' ' '\"")
            .out;
    };
    CHECK(offered("haruspex r") == "recheck reproduce run ");
    CHECK(offered("haruspex known ") == "add list ");
    CHECK(offered("haruspex run --s") == "--seed --size --solver --strict-float ");
    CHECK(offered("haruspex known add --status ") == "documented fixed open ");
    CHECK(offered("haruspex completion ") == "bash fish zsh ");
    CHECK(offered("haruspex run mi") == "mine.sare ");
    CHECK(offered("haruspex fuzz --known mi") == "mine.sare ");
    CHECK(offered("haruspex run --seed ").empty());
}

TEST_CASE("the manual is a page without warnings") {
    const Scratch scratch;
    const std::string page = scratch / "haruspex.1";
    CHECK(shell(scratch, haruspex + " manual > " + page).exit_code == 0);
    CHECK(content_of(page).starts_with(".TH HARUSPEX 1 "));
    if (!is_there(scratch, "groff")) { return; }
    const Ran ran = shell(scratch, "groff -man -Tutf8 -ww " + page);
    CHECK(ran.exit_code == 0);
    CHECK(ran.err.empty());
    for (const std::string words : {"haruspex minimize case.json -o small --jobs 2", "--strict-float", "EXAMPLES"}) {
        INFO(words);
        // Remove the overstrikes that make letters bold.
        const std::string plain =
            shell(scratch, "GROFF_NO_SGR=1 groff -man -Tascii " + page + " | sed 's/.\\x08//g'").out;
        CHECK((words == "EXAMPLES" || plain.find(words) != std::string::npos));
    }
}

TEST_CASE("what is installed works from elsewhere") {
    const Scratch scratch;
    const std::string prefix = scratch / "prefix";
    const Ran installed = shell(scratch, "cmake --install " HARUSPEX_BINARY_DIR " --prefix " + prefix);
    INFO(installed.err);
    REQUIRE(installed.exit_code == 0);
    for (const std::string file :
         {"share/man/man1/haruspex.1", "share/bash-completion/completions/haruspex",
          "share/zsh/site-functions/_haruspex", "share/fish/vendor_completions.d/haruspex.fish",
          "share/haruspex/known/min-accumulation-trimmed.json", "share/haruspex/schema/case-1.json",
          "share/doc/haruspex/LICENSE", "share/doc/haruspex/README.md"}) {
        INFO(file);
        CHECK(fs::file_size(fs::path(prefix) / file) > 0);
    }
    CHECK(content_of(prefix + "/share/man/man1/haruspex.1") == shell(scratch, haruspex + " manual").out);
    const std::string command = "cd " + (scratch / "") + " && env -i " + prefix + "/bin/haruspex ";
    CHECK(shell(scratch, command + "--version").out == shell(scratch, haruspex + " --version").out);
    CHECK(shell(scratch, command + "init mine").exit_code == 0);
    const Ran ran = shell(scratch, command + "run mine/prog.sare mine/prog.schedule --size W=20,H=9");
    CHECK(ran.exit_code == 0);
    CHECK(ran.out == "class     agrees\nlowered   agrees\n");
    // Findings need the hooks at the passes, which must be among the command's own symbols.
    const Ran traced = shell(scratch, command + "run mine/prog.sare --size W=20,H=9 --trace-passes");
    CHECK(traced.out.find("bounds_inference") != std::string::npos);
    CHECK(shell(scratch, command + "fuzz --cases 3 --seed 7 --out night --triage-runs 0 --known " + prefix +
                             "/share/haruspex/known")
              .exit_code < 2);
}
