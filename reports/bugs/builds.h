#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "reports/session/answer.h"
#include "reports/session/peer.h"

// The builds of haruspex under which a bug is judged.
namespace haruspex::bugs {

// A build: where it is, in the user's words, and what it says of itself.
struct Build {
    std::string where;
    session::Greeting greeting;
};

// This build and others, each running as a process of its own.
class Builds {
public:
    // Starts this build, which is called "here", and the others (session::peer). An Error if one is not there or does not
    // have the compiler.
    [[nodiscard]] static Result<Builds> start(const std::vector<std::string>& others, const std::string& compiler);

    const std::vector<Build>& all() const { return all_; }
    // Judges the case with one of all(). An Error if that build does not answer any more.
    [[nodiscard]] Result<session::Answer> judge(std::size_t build, const cases::Case& c, bool validate);

private:
    explicit Builds(std::string compiler) : compiler_(std::move(compiler)) {}

    // The processes with and without the validator are started when they are needed.
    [[nodiscard]] Result<session::PeerProcess*> process(std::size_t build, bool validate);

    std::string compiler_;
    std::vector<session::Peer> peers_;
    std::vector<Build> all_;
    std::map<std::pair<std::size_t, bool>, session::PeerProcess> processes_;
};

}  // namespace haruspex::bugs
