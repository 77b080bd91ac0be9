#include <algorithm>
#include <set>
#include <string_view>

#include "generators/affine/context.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/affine/tuples.h"
#include "generators/base/ensure.h"
#include "oracle/heap/heap.h"

namespace haruspex::heap {
namespace {

// Names for dimensions, in the order in which people use them, without those of parameters.
class Names {
public:
    explicit Names(const isl::set& params) {
        for (const std::string& name : affine::parameters(params)) { taken_.insert(name); }
    }

    std::vector<std::string> take(std::size_t count) {
        std::vector<std::string> names;
        while (names.size() < count) {
            std::string name =
                next_ < letters.size() ? std::string(1, letters[next_]) : "i" + std::to_string(next_ - letters.size());
            ++next_;
            if (taken_.insert(name).second) { names.push_back(std::move(name)); }
        }
        return names;
    }

private:
    static constexpr std::string_view letters = "ijklmnpq";
    std::set<std::string> taken_;
    std::size_t next_ = 0;
};

std::string tuple_text(const std::string& name, const std::vector<std::string>& dimensions) {
    std::string text = name + "[";
    for (std::size_t i = 0; i < dimensions.size(); ++i) { text += (i == 0 ? "" : ", ") + dimensions[i]; }
    return text + "]";
}

// " : 0 <= i < N" of "[N] -> { a[i] : 0 <= i < N }", as isl prints it; nothing where isl prints no condition.
std::string condition_text(const std::string& set) {
    ENSURE(set.ends_with(" }"), "isl prints a set in other brackets: " + set);
    const std::size_t colon = set.find(" : "), end = set.size() - std::string_view(" }").size();
    return colon == std::string::npos || colon + std::string_view(" : ").size() >= end ? ""
                                                                                       : set.substr(colon, end - colon);
}

// What isl prints for "[N] -> { a[i] -> [(N - i)] }" in the last brackets.
std::string expression_text(const isl::aff& expression) {
    const std::string whole = affine::to_string(expression);
    const std::size_t begin = whole.rfind('[') + 1;
    ENSURE(begin > 0 && whole.ends_with("] }"), "isl prints an expression in other brackets: " + whole);
    const std::string text = whole.substr(begin, whole.size() - 3 - begin);
    const bool enclosed = text.starts_with('(') && [&] {
        int depth = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
            if (depth == 0) { return i + 1 == text.size(); }
        }
        return false;
    }();
    return enclosed ? text.substr(1, text.size() - 2) : text;
}

using Text = std::function<std::string(const std::vector<std::string>&)>;

// The lines of { array[…] -> expr[…] }: `left` of the array's dimensions, `right` of what is in the holes.
std::vector<std::string> lines_of(const isl::map& map, const Text& left, const Text& right) {
    Names names(map.domain().params());
    const auto dimensions = names.take(map.domain_tuple_dim());
    const auto holes = names.take(map.range_tuple_dim());
    const isl::map named = affine::with_dimension_names(map.coalesce(), dimensions, holes);
    std::vector<std::string> lines;
    const auto add = [&](const isl::set& where, const std::vector<std::string>& texts) {
        where.coalesce().foreach_basic_set([&](const isl::basic_set& disjunct) {
            lines.push_back(left(dimensions) + right(texts) +
                            condition_text(affine::to_string(affine::without_idle_divisions(disjunct))));
        });
    };
    named.foreach_basic_map([&](const isl::basic_map& disjunct) {
        const isl::map single(disjunct);
        if (!single.is_single_valued()) {
            add(disjunct.wrap(), holes);
            return;
        }
        single.as_pw_multi_aff().foreach_piece([&](const isl::set& domain, const isl::multi_aff& indices) {
            std::vector<std::string> texts;
            for (unsigned i = 0; i < indices.size(); ++i) {
                texts.push_back(expression_text(indices.at(static_cast<int>(i))));
            }
            add(domain, texts);
        });
    });
    std::ranges::sort(lines);
    return lines;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) { text += line + "\n"; }
    return text;
}

}  // namespace

std::string to_string(const Heap& heap, const Templates& templates) {
    std::vector<isl::map> maps;
    heap.foreach_map([&](const isl::map& map) { maps.push_back(map); });
    const auto key = [](const isl::map& map) {
        return std::pair{map.domain_tuple_id().name(), Templates::of_tuple(map.range_tuple_id().name())};
    };
    std::ranges::sort(maps, {}, key);
    std::string text;
    for (const isl::map& map : maps) {
        const auto [array, expr] = key(map);
        text += joined(lines_of(
            map, [&](const auto& dimensions) { return tuple_text(array, dimensions) + " -> "; },
            [&](const auto& holes) { return templates.to_string(expr, holes); }));
    }
    return text;
}

namespace {

// The lines of { tuple[…] }, by `key` of each tuple.
template <typename Key>
std::string lines_of_sets(const isl::union_set& all, const Key& key, const std::function<Text(const isl::set&)>& text) {
    std::vector<isl::set> sets;
    all.foreach_set([&](const isl::set& set) { sets.push_back(set); });
    std::ranges::sort(sets, {}, key);
    std::string lines;
    for (const isl::set& set : sets) {
        const isl::map map = set.insert_domain(isl::space::unit(set.ctx()).add_unnamed_tuple(0));
        lines += joined(lines_of(map, [](const auto&) { return std::string(); }, text(set)));
    }
    return lines;
}

}  // namespace

std::string to_string(const Value& value, const Templates& templates) {
    const auto key = [](const isl::set& set) { return Templates::of_tuple(affine::tuple_name(set)); };
    return lines_of_sets(value, key, [&](const isl::set& set) -> Text {
        return [&templates, expr = key(set)](const auto& holes) { return templates.to_string(expr, holes); };
    });
}

std::string to_string(const Locations& locations) {
    const auto key = [](const isl::set& set) { return affine::tuple_name(set); };
    return lines_of_sets(locations, key, [&](const isl::set& set) -> Text {
        return [array = key(set)](const auto& indices) { return tuple_text(array, indices); };
    });
}

std::string condition_to_string(const isl::set& environments) {
    const std::string whole = affine::to_string(environments.coalesce());
    // "[N] -> {  : 0 < N }"
    const std::size_t colon = whole.find(" : "), end = whole.size() - std::string_view(" }").size();
    if (colon == std::string::npos) { return environments.is_empty() ? "false" : "true"; }
    return whole.substr(colon + 3, end - colon - 3);
}

}  // namespace haruspex::heap
