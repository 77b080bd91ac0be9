#pragma once

#include <memory>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "harness/process/line_server.h"
#include "oracle/pipeline/judged.h"
#include "reports/session/answer.h"

// Another build of haruspex, or this one with a mutant, that judges cases beside this process.
namespace haruspex::session {

struct Peer {
    std::string label;                 // as the user named it
    std::vector<std::string> command;  // begins `haruspex judge`: the program and its first arguments
};

// Finds a build. `where` is one of
//
//   self             this executable
//   mutant:NAME      this executable with the mutant, or with several, separated by commas
//   a file           a haruspex executable
//   a folder         with an executable: haruspex, bin/haruspex or build/release/haruspex
//   a Debian root    a folder with etc/debian_version and usr/local/bin/haruspex or usr/bin/haruspex, which is entered by
//                    chroot in a mount namespace of its own; needs root
//
// An Error if it is none of them, or the mutant is not built.
[[nodiscard]] Result<Peer> peer(const std::string& where);

// A running peer. Cases are judged one at a time. Only the process that started it may use it; it ends with that
// process.
class PeerProcess {
public:
    // Starts the peer and waits for its greeting. Of the options only `validate` and `native` count. An Error if it does
    // not start, or its build has no such compiler.
    [[nodiscard]] static Result<PeerProcess> start(const Peer& peer, const std::string& compiler,
                                                   const pipeline::Options& options = {});

    const Greeting& greeting() const { return greeting_; }
    const compiler::Identity& compiler() const { return greeting_.compiler; }
    // Returns the verdict, or the reason why the peer refuses the case. An Error if the peer died, did not answer for
    // two hours, or broke the protocol; it is then of no further use.
    [[nodiscard]] Result<Answer> judge(const cases::Case& c);

private:
    PeerProcess(std::string label, std::unique_ptr<process::LineServer> server, Greeting greeting);

    std::string label_;
    std::unique_ptr<process::LineServer> server_;
    Greeting greeting_;
};

}  // namespace haruspex::session
