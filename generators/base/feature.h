#pragma once

#include <expected>
#include <string>
#include <utility>

namespace haruspex {

// A construct that a part of haruspex does not handle. Cases are counted by `kind`, so there are few kinds, and a kind
// contains no names or numbers of a case. `detail` is for people and may be empty.
struct Feature {
    std::string kind, detail;
    bool operator==(const Feature&) const = default;
};

template <typename T>
using Supported = std::expected<T, Feature>;

// "product of indices: i*j"; the kind alone if there is no detail.
inline std::string to_string(const Feature& feature) {
    return feature.detail.empty() ? feature.kind : feature.kind + ": " + feature.detail;
}

[[nodiscard]] inline std::unexpected<Feature> not_supported(std::string kind, std::string detail = {}) {
    return std::unexpected(Feature{std::move(kind), std::move(detail)});
}

}  // namespace haruspex
