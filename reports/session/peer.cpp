#include "reports/session/peer.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "generators/case/json.h"
#include "reports/session/mutants.h"

namespace haruspex::session {
namespace {

namespace fs = std::filesystem;

// A case takes its limits on time (compiler::Limits) for each of a few dozen runs, and minutes of proving; a busy machine
// takes longer.
constexpr std::chrono::minutes longest_answer{120};

bool is_executable(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

// Returns the first of the names that exists below the folder, even if it is a link that holds only in a chroot.
std::optional<fs::path> first_below(const fs::path& folder, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        std::error_code error;
        if (fs::exists(fs::symlink_status(folder / name, error))) { return fs::path(name); }
    }
    return std::nullopt;
}

bool has_mutants() { return std::getenv(mark_of_mutants) != nullptr; }

// A build that must not inherit the mutants of this process.
std::vector<std::string> without_mutants(const fs::path& executable) {
    std::vector<std::string> command;
    if (has_mutants()) { command = {"env", "-u", "LD_PRELOAD", "-u", mark_of_mutants}; }
    command.push_back(executable.string());
    command.emplace_back("judge");
    return command;
}

// This executable: by the kernel's name, which stays good when its file is replaced, unless another program starts it.
fs::path own_executable() {
    const fs::path own = "/proc/self/exe";
    std::error_code error;
    return has_mutants() ? fs::read_symlink(own, error) : own;
}

// Enters the root as scripts/with-debian does; the mounts end with the process.
std::vector<std::string> in_root(const fs::path& root, const fs::path& executable) {
    constexpr const char* enter =
        "mount -t proc proc \"$1/proc\"; mount --rbind /dev \"$1/dev\"; mount -t tmpfs tmpfs \"$1/run\"; "
        "root=$1; shift; exec chroot \"$root\" env -i HOME=/root LANG=C.UTF-8 "
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \"$@\"";
    return {"unshare", "--mount", "--propagation",  "private", "sh", "-euc", enter,
            "sh",      root,      "/" / executable, "judge"};
}

Result<Peer> peer_in_root(const std::string& where, const fs::path& root) {
    const auto executable = first_below(root, {"usr/local/bin/haruspex", "usr/bin/haruspex"});
    if (!executable) {
        return fail(
            "\"" + where +
            "\" is the root of a Debian without haruspex; expected usr/local/bin/haruspex or usr/bin/haruspex in "
            "it (scripts/build --install /usr/local)");
    }
    if (::geteuid() != 0) { return fail("\"" + where + "\" can be entered only by root: mounts and chroot"); }
    return Peer{where, in_root(root, *executable)};
}

}  // namespace

Result<Peer> peer(const std::string& where) {
    constexpr std::string_view mutant = "mutant:";
    if (where == "self") { return Peer{where, {"/proc/self/exe", "judge"}}; }
    if (where.starts_with(mutant)) {
        const std::string names = where.substr(mutant.size());
        if (const auto built = libraries_of_mutants(names); !built) { return fail(built.error()); }
        std::vector<std::string> command = without_mutants(own_executable());
        command.insert(command.end(), {"--mutant", names});
        return Peer{where, std::move(command)};
    }
    std::error_code error;
    const fs::path path = fs::absolute(where, error);
    if (fs::exists(path / "etc/debian_version", error)) { return peer_in_root(where, path); }
    if (is_executable(path)) { return Peer{where, without_mutants(path)}; }
    for (const char* name : {"haruspex", "bin/haruspex", "build/release/haruspex"}) {
        if (is_executable(path / name)) { return Peer{where, without_mutants(path / name)}; }
    }
    return fail(
        "no build of haruspex is \"" + where +
        "\"; expected its executable, a folder with haruspex, bin/haruspex or build/release/haruspex, the root of "
        "a Debian in which it is installed, mutant:NAME, or self");
}

PeerProcess::PeerProcess(std::string label, std::unique_ptr<process::LineServer> server, Greeting greeting)
    : label_(std::move(label)), server_(std::move(server)), greeting_(std::move(greeting)) {}

Result<PeerProcess> PeerProcess::start(const Peer& peer, const std::string& compiler,
                                       const pipeline::Options& options) {
    std::vector<std::string> command = peer.command;
    // A case that an older build cannot read is refused, and the next one is judged.
    command.insert(command.end(), {"--keep-going", "--compiler", compiler});
    if (options.validate) { command.emplace_back("--validate"); }
    if (!options.native) { command.emplace_back("--no-native"); }
    auto server = std::make_unique<process::LineServer>(std::move(command), fs::path(), longest_answer);
    const auto line = server->listen();
    if (!line) { return fail(peer.label + " does not judge: " + line.error().message); }
    auto greeting = parse_greeting(*line, peer.label);
    if (!greeting) { return fail(greeting.error()); }
    if (greeting->compiler.name != compiler) {
        return fail(peer.label + " judges cases of " + greeting->compiler.name + "; expected " + compiler);
    }
    return PeerProcess(peer.label, std::move(server), std::move(*greeting));
}

Result<Answer> PeerProcess::judge(const cases::Case& c) {
    const auto line = server_->ask(cases::to_json(c));
    if (!line) { return fail(label_ + ": " + line.error().message); }
    return parse_answer(*line, label_);
}

}  // namespace haruspex::session
