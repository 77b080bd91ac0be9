#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

#include "generators/affine/coalesce.h"
#include "generators/affine/context.h"
#include "generators/affine/gist.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/affine/tuples.h"
#include "generators/base/ensure.h"
#include "oracle/heap/heap.h"

namespace haruspex::heap {
namespace {

// Generates names for dimensions in the customary order, skipping the names of parameters.
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

// Extracts the condition from a set as isl prints it: " : 0 <= i < N" from "[N] -> { a[i] : 0 <= i < N }"; empty if isl
// prints no condition.
std::string condition_text(const std::string& set) {
    ENSURE(set.ends_with(" }"), "isl prints a set in other brackets: " + set);
    const std::size_t colon = set.find(" : "), end = set.size() - std::string_view(" }").size();
    return colon == std::string::npos || colon + std::string_view(" : ").size() >= end ? ""
                                                                                       : set.substr(colon, end - colon);
}

// Extracts the text in isl's last brackets: "N - i" from "[N] -> { a[i] -> [(N - i)] }".
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

// Whether a name occurs in a text; a digit before the name is a factor.
bool has_word(const std::string& text, const std::string& word) {
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool ends =
            end == text.size() || (!is_letter(text[end]) && std::isdigit(static_cast<unsigned char>(text[end])) == 0);
        if (ends && (at == 0 || !is_letter(text[at - 1]))) { return true; }
    }
    return false;
}

// A dimension whose value is the same expression over the parameters everywhere in a set.
struct Fixed {
    std::string text;
    isl::set equation;  // of the set's space
};
std::optional<Fixed> fixed_dimension(const isl::basic_set& set, std::size_t dimension) {
    const isl::set hull(set.affine_hull());
    const isl::pw_aff coordinate(hull.space().identity_multi_aff_on_domain().at(static_cast<int>(dimension)));
    const isl::space point = isl::space::unit(set.ctx()).add_unnamed_tuple(0);
    const isl::map value = hull.apply(coordinate.as_map()).insert_domain(point);
    if (!value.is_single_valued()) { return std::nullopt; }
    std::vector<isl::aff> pieces;
    value.as_pw_multi_aff().foreach_piece(
        [&](const isl::set&, const isl::multi_aff& piece) { pieces.push_back(piece.at(0)); });
    if (pieces.size() != 1) { return std::nullopt; }
    const isl::pw_aff expression = isl::pw_aff(pieces[0]).bind_domain(point.multi_id(isl::id_list(set.ctx(), 0)));
    return Fixed{expression_text(pieces[0]), coordinate.eq_set(expression.insert_domain(hull.space()))};
}

// Prints a set of an array's cells on one line: c[i, 2j] rather than c[k, l] : k = i and l = 2j.
std::string cells_line(const isl::basic_set& cells, const std::vector<std::string>& dimensions, const Text& left,
                       const std::string& right) {
    const auto condition = [](const isl::basic_set& set) {
        return condition_text(affine::to_string(affine::without_idle_divisions(set)));
    };
    std::vector<std::string> shown = dimensions;
    isl::set rest(cells);
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        const auto fixed = fixed_dimension(cells, d);
        if (!fixed) { continue; }
        shown[d] = fixed->text;
        rest = affine::gist(rest, fixed->equation);
    }
    std::string text = right;
    std::size_t disjuncts = 0;
    rest.foreach_basic_set([&](const isl::basic_set& set) {
        text += condition(set);
        ++disjuncts;
    });
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        // A dimension that still occurs in the text needs its name.
        const bool is_named = shown[d] != dimensions[d] && has_word(text, dimensions[d]);
        if (is_named || disjuncts != 1) { return left(dimensions) + right + condition(cells); }
    }
    return left(shown) + text;
}

// Prints the lines of { array[…] -> expr[…] }: `left` prints the array's dimensions, `right` the contents of the holes.
std::vector<std::string> lines_of(const isl::map& map, const Text& left, const Text& right) {
    Names names(map.domain().params());
    const auto dimensions = names.take(map.domain_tuple_dim());
    const auto holes = names.take(map.range_tuple_dim());
    const isl::map named = affine::with_dimension_names(affine::coalesced(map), dimensions, holes);
    std::vector<std::string> lines;
    named.foreach_basic_map([&](const isl::basic_map& disjunct) {
        const isl::map single(disjunct);
        if (!single.is_single_valued()) {
            affine::coalesced(disjunct.wrap()).foreach_basic_set([&](const isl::basic_set& part) {
                lines.push_back(left(dimensions) + right(holes) +
                                condition_text(affine::to_string(affine::without_idle_divisions(part))));
            });
            return;
        }
        single.as_pw_multi_aff().foreach_piece([&](const isl::set& domain, const isl::multi_aff& indices) {
            std::vector<std::string> texts;
            for (unsigned i = 0; i < indices.size(); ++i) {
                texts.push_back(expression_text(indices.at(static_cast<int>(i))));
            }
            affine::coalesced(domain).foreach_basic_set([&](const isl::basic_set& cells) {
                lines.push_back(cells_line(cells, dimensions, left, right(texts)));
            });
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

// Returns each { tuple[…] } as { [] -> tuple[…] }, in the order of `key`.
template <typename Key>
std::vector<isl::map> sorted_relations(const isl::union_set& all, const Key& key) {
    std::vector<isl::set> sets;
    all.foreach_set([&](const isl::set& set) { sets.push_back(set); });
    std::ranges::sort(sets, {}, key);
    std::vector<isl::map> maps;
    for (const isl::set& set : sets) {
        maps.push_back(affine::coalesced(set).insert_domain(isl::space::unit(set.ctx()).add_unnamed_tuple(0)));
    }
    return maps;
}

}  // namespace

std::string to_string(const Value& value, const Templates& templates) {
    const auto key = [](const isl::set& set) { return Templates::of_tuple(affine::tuple_name(set)); };
    std::string text;
    for (const isl::map& map : sorted_relations(value, key)) {
        text += joined(lines_of(
            map, [](const auto&) { return std::string(); },
            [&](const auto& holes) { return templates.to_string(key(map.range()), holes); }));
    }
    return text;
}

std::string to_string(const Locations& locations) {
    std::string text;
    for (const isl::map& map : sorted_relations(locations, affine::tuple_name)) {
        const auto indices = Names(map.domain().params()).take(map.range_tuple_dim());
        const std::string array = affine::tuple_name(map.range());
        // One cell in each environment, printed with its indices in place: a[floor((i)/2)].
        if (map.is_single_valued()) {
            text += joined(lines_of(
                map, [](const auto&) { return std::string(); },
                [&](const auto& shown) { return tuple_text(array, shown); }));
            continue;
        }
        const isl::map named = affine::with_dimension_names(map, {}, indices);
        std::vector<std::string> lines;
        named.range().foreach_basic_set([&](const isl::basic_set& cells) {
            lines.push_back(
                cells_line(cells, indices, [&](const auto& shown) { return tuple_text(array, shown); }, ""));
        });
        std::ranges::sort(lines);
        text += joined(lines);
    }
    return text;
}

std::string condition_to_string(const isl::set& environments) {
    if (environments.is_empty()) { return "false"; }
    const std::string text = condition_text(affine::to_string(affine::coalesced(environments)));
    return text.empty() ? "true" : text.substr(std::string_view(" : ").size());
}

std::string index_to_string(const isl::pw_aff& index) {
    std::vector<isl::aff> pieces;
    index.as_pw_multi_aff().foreach_piece(
        [&](const isl::set&, const isl::multi_aff& piece) { pieces.push_back(piece.at(0)); });
    return pieces.size() == 1 ? expression_text(pieces[0]) : affine::to_string(index);
}

}  // namespace haruspex::heap
