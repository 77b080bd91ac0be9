#include "reports/bugs/builds.h"

#include <utility>

namespace haruspex::bugs {

Result<Builds> Builds::start(const std::vector<std::string>& others, const std::string& compiler) {
    Builds builds(compiler);
    auto here = session::peer("self");
    if (!here) { return fail(here.error()); }
    here->label = "here";
    builds.peers_.push_back(std::move(*here));
    for (const std::string& where : others) {
        auto peer = session::peer(where);
        if (!peer) { return fail(peer.error()); }
        builds.peers_.push_back(std::move(*peer));
    }
    for (std::size_t i = 0; i < builds.peers_.size(); ++i) {
        const auto process = builds.process(i, false);
        if (!process) { return fail(process.error()); }
        builds.all_.push_back({builds.peers_[i].label, (*process)->greeting()});
    }
    return builds;
}

Result<session::Answer> Builds::judge(std::size_t build, const cases::Case& c, bool validate) {
    const auto judging = process(build, validate);
    if (!judging) { return fail(judging.error()); }
    return (*judging)->judge(c);
}

Result<session::PeerProcess*> Builds::process(std::size_t build, bool validate) {
    const std::pair key(build, validate);
    auto at = processes_.find(key);
    if (at == processes_.end()) {
        pipeline::Options options;
        options.validate = validate;
        auto started = session::PeerProcess::start(peers_.at(build), compiler_, options);
        if (!started) { return fail(started.error()); }
        at = processes_.emplace(key, std::move(*started)).first;
    }
    return &at->second;
}

}  // namespace haruspex::bugs
