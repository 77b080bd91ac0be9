#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/sare/text.h"
#include "harness/sched/text.h"

// The litmus programs in tests/litmus: a specification, a program, and its true verdict. README.md there describes the
// format.
namespace haruspex::test {

struct Litmus {
    enum class Verdict : std::uint8_t { validated, refuted, undecided };
    // strict: ieee and abstract.
    enum class Float : std::uint8_t { any, real, ieee, abstract, strict };
    // The values of a parameter that the truth test enumerates.
    struct Range {
        std::string parameter;
        std::int64_t low = 0, high = 0;
    };

    std::string name;  // file name without extension
    Verdict verdict = Verdict::validated;
    std::vector<std::string> reasons;  // refuted: the kinds of which one is reported first; undecided: the reasons
    std::vector<Range> sizes;
    Float floats = Float::any;
    std::vector<std::string> reduced;  // tensors of which prophecies name steps that are reduced in any order
    bool sums_fit = false;             // the verdict holds as long as no partial sum overflows
    sare::Sare specification;
    sched::Program program;
};

// The kinds of obligations that a refuted program may violate, and the reasons why one may stay undecided.
inline constexpr std::array<std::string_view, 11> litmus_kinds{
    "bounds_read",     "bounds_write",     "freed", "input_written", "uninit",   "lanes",
    "race_read_write", "race_write_write", "value", "coverage",      "assertion"};
inline constexpr std::array<std::string_view, 3> litmus_reasons{"vacuous", "prophecy", "steps"};

class LitmusReader {
public:
    LitmusReader(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)) {}

    Result<Litmus> read() {
        const std::size_t specification = text_.find(specification_mark), program = text_.find(program_mark);
        if (program == std::string::npos || specification > program) { return error("expected both sections"); }
        if (auto read = read_head(text_.substr(0, specification)); !read) { return std::unexpected(read.error()); }
        auto sare = sare::parse_sare(
            section(specification + specification_mark.size(), program - specification - specification_mark.size()),
            file_);
        if (!sare) { return std::unexpected(sare.error()); }
        auto parsed = sched::parse_program(section(program + program_mark.size(), std::string::npos), file_);
        if (!parsed) { return std::unexpected(parsed.error()); }
        litmus_.specification = *std::move(sare);
        litmus_.program = *std::move(parsed);
        for (const std::string& name : inputs_) {
            const auto array = std::ranges::find(litmus_.program.arrays, name, &sched::Array::name);
            if (array == litmus_.program.arrays.end()) { return error("expected an array: " + name); }
            array->role = sched::Role::input;
        }
        if (litmus_.specification.parameters != litmus_.program.parameters) {
            return error("expected the same parameters in both sections");
        }
        std::vector<std::string> sized;
        for (const Litmus::Range& range : litmus_.sizes) { sized.push_back(range.parameter); }
        if (sized != litmus_.program.parameters) {
            return error("expected a range for each parameter, in their order");
        }
        return litmus_;
    }

private:
    static constexpr std::string_view specification_mark = "--- specification\n", program_mark = "--- program\n";

    std::unexpected<Error> error(const std::string& message) const { return fail(Error{message, {file_, 1, 1}, {}}); }

    // Returns part of the text, preceded by one empty line for each line above it, so that errors have the file's line
    // numbers.
    std::string section(std::size_t first, std::size_t count) const {
        const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(first);
        return std::string(static_cast<std::size_t>(std::count(text_.begin(), begin, '\n')), '\n') +
               text_.substr(first, count);
    }

    static std::vector<std::string> words(const std::string& text) {
        std::vector<std::string> found(1);
        for (const char c : text) {
            if (c != ' ' && c != ',') {
                found.back() += c;
            } else if (!found.back().empty()) {
                found.emplace_back();
            }
        }
        if (found.back().empty()) { found.pop_back(); }
        return found;
    }

    Result<void> read_head(const std::string& head) {
        std::map<std::string, std::string> fields;
        bool says_what_it_shows = false;
        for (std::size_t at = 0; at < head.size();) {
            const std::size_t end = head.find('\n', at);
            const std::string line = head.substr(at, end - at);
            at = end + 1;
            if (line.starts_with("# ")) {
                says_what_it_shows = true;
                continue;
            }
            const std::size_t colon = line.find(':');
            if (colon == std::string::npos || !fields.emplace(line.substr(0, colon), line.substr(colon + 1)).second) {
                return error("expected one field to a line, each once: " + line);
            }
        }
        if (!says_what_it_shows) { return error("expected a comment that says what the program shows"); }
        for (const auto& [field, value] : fields) {
            if (auto read = read_field(field, words(value), value); !read) { return read; }
        }
        if (!fields.contains("verdict") || !fields.contains("sizes")) { return error("expected a verdict and sizes"); }
        return {};
    }

    Result<void> read_field(const std::string& field, std::vector<std::string> values, const std::string& text) {
        if (field == "verdict") { return read_verdict(text); }
        if (field == "inputs") {
            inputs_ = std::move(values);
            return {};
        }
        if (field == "reduced") {
            litmus_.reduced = std::move(values);
            return {};
        }
        static const std::map<std::string, Litmus::Float> floats{{"real", Litmus::Float::real},
                                                                 {"ieee", Litmus::Float::ieee},
                                                                 {"abstract", Litmus::Float::abstract},
                                                                 {"strict", Litmus::Float::strict}};
        if (field == "float" && values.size() == 1 && floats.contains(values[0])) {
            litmus_.floats = floats.at(values[0]);
            return {};
        }
        if (field == "sums" && values == std::vector<std::string>{"fit"}) {
            litmus_.sums_fit = true;
            return {};
        }
        if (field == "sizes") {
            for (const std::string& value : values) {
                if (auto read = read_range(value); !read) { return read; }
            }
            return {};
        }
        return error("expected another field: " + field + ":" + text);
    }

    Result<void> read_verdict(const std::string& text) {
        const std::size_t colon = std::min(text.find(':'), text.size());
        const std::vector<std::string> verdict = words(text.substr(0, colon));
        litmus_.reasons = words(text.substr(std::min(colon + 1, text.size())));
        const auto are_of = [this](const auto& known) {
            return !litmus_.reasons.empty() && std::ranges::all_of(litmus_.reasons, [&](const std::string& reason) {
                return std::ranges::find(known, reason) != known.end();
            });
        };
        if (verdict == std::vector<std::string>{"validated"} && litmus_.reasons.empty()) { return {}; }
        if (verdict == std::vector<std::string>{"refuted"} && are_of(litmus_kinds)) {
            litmus_.verdict = Litmus::Verdict::refuted;
            return {};
        }
        if (verdict == std::vector<std::string>{"undecided"} && litmus_.reasons.size() == 1 && are_of(litmus_reasons)) {
            litmus_.verdict = Litmus::Verdict::undecided;
            return {};
        }
        return error("expected a verdict with known kinds:" + text);
    }

    // Reads "N=-2..6".
    Result<void> read_range(const std::string& text) {
        const std::size_t equals = text.find('='), dots = text.find("..");
        if (equals == std::string::npos || dots == std::string::npos) { return error("expected a range: " + text); }
        Litmus::Range range{text.substr(0, equals), 0, 0};
        const auto number = [&](std::size_t first, std::size_t last, std::int64_t& into) {
            const auto [stop, failure] = std::from_chars(text.data() + first, text.data() + last, into);
            return failure == std::errc() && stop == text.data() + last;
        };
        if (!number(equals + 1, dots, range.low) || !number(dots + 2, text.size(), range.high) ||
            range.low > range.high) {
            return error("expected a range: " + text);
        }
        litmus_.sizes.push_back(std::move(range));
        return {};
    }

    std::string text_, file_;
    std::vector<std::string> inputs_;
    Litmus litmus_;
};

inline Result<Litmus> read_litmus(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file.good()) { return fail("cannot be read: " + path.string()); }
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    auto litmus = LitmusReader(std::move(text), path.filename().string()).read();
    if (litmus) { litmus->name = path.stem().string(); }
    return litmus;
}

// The files in tests/litmus, sorted by name.
inline std::vector<std::filesystem::path> litmus_files() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(HARUSPEX_SOURCE_DIR "/tests/litmus")) {
        if (entry.path().extension() == ".litmus") { paths.push_back(entry.path()); }
    }
    std::ranges::sort(paths);
    return paths;
}

// Every combination of the sizes, including those that violate the assumptions; one empty combination if there are no
// parameters.
inline std::vector<Sizes> combinations(const std::vector<Litmus::Range>& sizes) {
    std::vector<Sizes> found(1);
    for (const Litmus::Range& range : sizes) {
        std::vector<Sizes> longer;
        for (const auto& combination : found) {
            for (std::int64_t value = range.low; value <= range.high; ++value) {
                longer.push_back(combination);
                longer.back()[range.parameter] = value;
            }
        }
        found = std::move(longer);
    }
    return found;
}

}  // namespace haruspex::test
