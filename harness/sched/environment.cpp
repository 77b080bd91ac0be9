#include "harness/sched/environment.h"

#include <fmt/core.h>

#include "harness/sched/names.h"

namespace haruspex::sched {

std::optional<Binding> Environment::find(std::string_view name) const {
    const auto found = entries_.find(name);
    if (found != entries_.end() && !found->second.empty()) { return found->second.back().binding; }
    if (around_ == nullptr) { return std::nullopt; }
    const std::string key(name);
    if (const auto v = around_->variables.find(key); v != around_->variables.end()) { return Types::of(v->second); }
    if (const auto v = around_->values.find(key); v != around_->values.end()) { return v->second; }
    if (const auto a = around_->arrays.find(key); a != around_->arrays.end()) { return ArrayBinding{a->second}; }
    return std::nullopt;
}

Sound Environment::add(const std::string& name, Binding binding, int block) {
    if (!is_name(name)) { return std::unexpected(fmt::format("expected a name, found \"{}\"", name)); }
    entries_[name].push_back({binding, block});
    bound_.push_back(name);
    return {};
}

Sound Environment::bind(const std::string& name, Binding binding) { return add(name, binding, 0); }

Sound Environment::declare(const std::string& name, Binding binding) {
    const auto found = entries_.find(name);
    if (found != entries_.end() && !found->second.empty() && found->second.back().block == block_) {
        return std::unexpected(
            fmt::format("the name \"{}\" is already declared in this block; expected a new one", name));
    }
    return add(name, binding, block_);
}

Environment::Inside::Inside(Environment& environment, Extent extent)
    : environment_(environment), mark_(environment.bound_.size()), block_(environment.block_) {
    if (extent == Extent::block) { environment.block_ = ++environment.blocks_; }
}

Environment::Inside::~Inside() {
    for (auto& bound = environment_.bound_; bound.size() > mark_; bound.pop_back()) {
        environment_.entries_.find(bound.back())->second.pop_back();
    }
    environment_.block_ = block_;
}

}  // namespace haruspex::sched
