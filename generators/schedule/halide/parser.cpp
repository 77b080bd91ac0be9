#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <span>

#include "generators/base/ensure.h"
#include "generators/sare/text.h"
#include "generators/schedule/halide/spelling.h"
#include "generators/schedule/halide/text.h"

// One directive stands on one line, so the parser reads line by line with a cursor. The error at the first place that
// does not fit is returned as a Result.
namespace haruspex::schedule::halide {
namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class LineParser {
public:
    LineParser(std::string_view line, std::string_view file, int number)
        : line_(line), file_(file), number_(number), end_(std::min(line.find('#'), line.size())) {
        skip_blanks();
    }

    bool at_end() const { return at_ == end_; }

    Result<Directive> directive() {
        auto stage_and_action = stage("an action such as \"split\" or \"compute_root\"");
        if (!stage_and_action) { return fail(std::move(stage_and_action.error())); }
        auto& [stage, name, name_at] = *stage_and_action;
        const auto known = std::ranges::find(action_names, std::string_view(name));
        if (known == action_names.end()) {
            return fail_at(name_at,
                           fmt::format("expected an action such as \"split\" or \"compute_root\", found \"{}\"", name));
        }
        if (auto opened = expect("(", "after the action"); !opened) { return fail(std::move(opened.error())); }
        auto parsed = action(name);
        if (!parsed) { return fail(std::move(parsed.error())); }
        if (auto closed = expect(")", "after the last argument"); !closed) { return fail(std::move(closed.error())); }
        if (!at_end()) { return unexpected("the end of the line after the directive"); }
        return Directive{std::move(stage), std::move(*parsed)};
    }

private:
    struct StageAndName {
        StageRef stage;
        std::string name;  // the name after the stage, if one is required
        std::size_t name_at = 0;
    };

    // tensor [".update(n)"] [".specialize[i]"], then "." name unless `what_follows` is empty.
    Result<StageAndName> stage(std::string_view what_follows) {
        StageAndName result;
        auto tensor = name("a tensor's name");
        if (!tensor) { return fail(std::move(tensor.error())); }
        result.stage.tensor = std::move(*tensor);
        while (looking_at(".")) {
            take(".");
            result.name_at = at_;
            auto word = name(what_follows.empty() ? "\"update\"" : what_follows);
            if (!word) { return fail(std::move(word.error())); }
            if (*word == "update" && !result.stage.update && !result.stage.specialization) {
                auto index = bracketed("(", ")");
                if (!index) { return fail(std::move(index.error())); }
                result.stage.update = *index;
            } else if (*word == "specialize" && looking_at("[") && !result.stage.specialization) {
                auto index = bracketed("[", "]");
                if (!index) { return fail(std::move(index.error())); }
                result.stage.specialization = *index;
            } else if (what_follows.empty()) {
                return fail_at(result.name_at, fmt::format("expected \"update\", found \"{}\"", *word));
            } else {
                result.name = std::move(*word);
                return result;
            }
        }
        if (!what_follows.empty()) { return unexpected(fmt::format("\".\" and {}", what_follows)); }
        return result;
    }

    Result<int> bracketed(std::string_view open, std::string_view close) {
        if (auto opened = expect(open, "before the number"); !opened) { return fail(std::move(opened.error())); }
        const std::size_t number_at = at_;
        auto value = integer("the number of an update or a specialization");
        if (!value) { return fail(std::move(value.error())); }
        if (*value < 0 || *value > 1000) {
            return fail_at(number_at, fmt::format("expected a number from 0 to 1000, found {}", *value));
        }
        if (auto closed = expect(close, "after the number"); !closed) { return fail(std::move(closed.error())); }
        return static_cast<int>(*value);
    }

    Result<Action> action(std::string_view name);

    // --- Arguments: each records the first error in `error_` and then returns something harmless, so that an
    // action's arguments can be read in one expression. ---

    template <typename T>
    T keep(Result<T> result) {
        if (result) { return std::move(*result); }
        if (!error_) { error_ = std::move(result.error()); }
        return T{};
    }
    void separator() {
        if (error_) { return; }
        if (auto comma = expect(",", "and another argument"); !comma) { error_ = std::move(comma.error()); }
    }
    std::string var_argument(std::string_view what = "a loop variable") {
        return error_ ? std::string() : keep(name(what));
    }
    std::string next_var(std::string_view what = "a loop variable") {
        separator();
        return var_argument(what);
    }
    std::int64_t next_integer(std::string_view what) {
        separator();
        return integer_argument(what);
    }
    std::int64_t integer_argument(std::string_view what) { return error_ ? 0 : keep(integer(what)); }
    std::vector<std::string> var_list(std::string_view what) {
        std::vector<std::string> vars{var_argument(what)};
        while (!error_ && looking_at(",")) { vars.push_back(next_var(what)); }
        return vars;
    }
    Tail optional_tail() { return optional_word<Tail>(tail_names, "a tail strategy such as GuardWithIf or RoundUp"); }
    template <typename Enum, std::size_t N>
    Enum optional_word(const std::array<std::string_view, N>& words, std::string_view what) {
        return error_ || !looking_at(",") ? Enum{} : next_word<Enum>(words, what);
    }
    template <typename Enum, std::size_t N>
    Enum next_word(const std::array<std::string_view, N>& words, std::string_view what) {
        separator();
        const std::size_t word_at = at_;
        const std::string word = var_argument(what);
        const auto known = std::ranges::find(words, std::string_view(word));
        if (!error_ && known == words.end()) {
            error_ = fail_at(word_at, fmt::format("expected {}, found \"{}\"", what, word)).error();
        }
        return error_ ? Enum{} : static_cast<Enum>(known - words.begin());
    }
    template <typename Mark>
    Mark mark() {
        Mark mark{var_argument(), std::nullopt, Tail::automatic};
        if (!error_ && looking_at(",")) {
            mark.factor = next_integer("a factor");
            mark.tail = optional_tail();
        }
        return mark;
    }
    LoopLevel level() {
        if (error_) { return {}; }
        StageAndName found = keep(stage(""));
        return LoopLevel{std::move(found.stage), next_var()};
    }
    bool boolean() {
        const std::size_t word_at = at_;
        const std::string word = var_argument("true or false");
        if (!error_ && word != "true" && word != "false") {
            error_ = fail_at(word_at, fmt::format("expected true or false, found \"{}\"", word)).error();
        }
        return word == "true";
    }
    RFactor rfactor();
    Prefetch prefetch();
    sare::Index next_index() {
        separator();
        return error_ ? sare::Index{sare::IndexConstant{0}} : embedded(sare::parse_index, sare::Index{});
    }
    sare::Condition condition() {
        return error_ ? sare::Condition{} : embedded(sare::parse_condition, sare::Condition{});
    }

    // Parses the text up to the argument's end in its own language; error positions are adapted.
    template <typename T>
    T embedded(Result<T> (*parse)(std::string_view, std::string_view), T harmless) {
        const std::size_t from = at_;
        int depth = 0;
        std::size_t to = at_;
        for (; to < end_; ++to) {
            const char c = line_[to];
            if (depth == 0 && (c == ',' || c == ')')) { break; }
            depth += c == '(' || c == '[' || c == '{' ? 1 : 0;
            depth -= c == ')' || c == ']' || c == '}' ? 1 : 0;
        }
        at_ = to;
        auto result = parse(line_.substr(from, to - from), file_);
        if (result) { return std::move(*result); }
        Error& inner = result.error();
        const auto column = from + static_cast<std::size_t>(std::max(inner.where.column, 1)) - 1;
        error_ = fail_at(std::min(column, line_.size()), inner.message).error();
        return harmless;
    }

    // --- Tokens ---

    void skip_blanks() {
        while (at_ < end_ && (line_[at_] == ' ' || line_[at_] == '\t' || line_[at_] == '\r')) { ++at_; }
    }
    bool looking_at(std::string_view token) const { return line_.substr(at_, end_ - at_).starts_with(token); }
    void take(std::string_view token) {
        at_ += token.size();
        skip_blanks();
    }
    Result<void> expect(std::string_view token, std::string_view where) {
        if (!looking_at(token)) { return unexpected(fmt::format("\"{}\" {}", token, where)); }
        take(token);
        return {};
    }
    Result<std::string> name(std::string_view what) {
        std::size_t to = at_;
        while (to < end_ && (to == at_ ? starts_name(line_[to]) : continues_name(line_[to]))) { ++to; }
        if (to == at_) { return unexpected(what); }
        std::string found(line_.substr(at_, to - at_));
        at_ = to;
        skip_blanks();
        return found;
    }
    Result<std::int64_t> integer(std::string_view what) {
        const bool negative = looking_at("-");
        std::size_t to = at_ + (negative ? 1 : 0);
        const std::size_t digits = to;
        std::int64_t value = 0;
        for (; to < end_ && std::isdigit(static_cast<unsigned char>(line_[to])) != 0; ++to) {
            value = value * 10 + (line_[to] - '0');
            if (value > std::numeric_limits<std::int32_t>::max()) {
                return fail_at(at_, fmt::format("expected {} that fits 32 bits", what));
            }
        }
        if (to == digits) { return unexpected(what); }
        at_ = to;
        skip_blanks();
        return negative ? -value : value;
    }

    std::unexpected<Error> unexpected(std::string_view what) const {
        std::size_t to = at_;
        while (to < end_ && continues_name(line_[to])) { ++to; }
        const std::size_t length = std::max<std::size_t>(to - at_, 1);
        const std::string found =
            at_ == end_ ? "the end of the line" : fmt::format("\"{}\"", line_.substr(at_, length));
        return fail_at(at_, fmt::format("expected {}, found {}", what, found));
    }
    std::unexpected<Error> fail_at(std::size_t column, std::string message) const {
        return fail(Error{std::move(message), Location{std::string(file_), number_, static_cast<int>(column) + 1},
                          std::string(line_.substr(0, line_.find_last_not_of("\r") + 1))});
    }

    std::string_view line_, file_;
    int number_;
    std::size_t at_ = 0;
    std::size_t end_;  // where a comment begins
    std::optional<Error> error_;
};

RFactor LineParser::rfactor() {
    RFactor result;
    const auto pair = [&] {
        std::string rvar = var_argument("a recurrence variable");
        result.preserved.emplace_back(std::move(rvar), next_var("a new pure variable"));
    };
    if (looking_at("{")) {
        take("{");
        do {
            if (!result.preserved.empty()) { separator(); }
            if (auto opened = expect("{", "before a pair"); !opened && !error_) { error_ = opened.error(); }
            pair();
            if (error_) { return result; }
            if (auto closed = expect("}", "after a pair"); !closed) { error_ = closed.error(); }
        } while (!error_ && looking_at(","));
        if (error_) { return result; }
        if (auto closed = expect("}", "after the last pair"); !closed) { error_ = closed.error(); }
    } else {
        pair();
    }
    result.intermediate = next_var("the new tensor's name");
    return result;
}

// Halide's older call names one loop: that is `at` and `from`.
Prefetch LineParser::prefetch() {
    Prefetch result{var_argument("a tensor's name"), next_var(), {}};
    result.from = result.at;
    if (error_ || !looking_at(",")) { return result; }
    separator();
    if (at_ < end_ && starts_name(line_[at_])) {
        result.from = var_argument();
        if (error_ || !looking_at(",")) { return result; }
        separator();
    }
    result.offset = integer_argument("an offset");
    result.bound = optional_word<FetchBound>(fetch_bound_names, "GuardWithIf, Clamp or NonFaulting");
    return result;
}

Result<Action> LineParser::action(std::string_view name) {
    // Braced initialisation reads the arguments from left to right.
    const auto parse = [&]() -> Action {
        const auto factor = "a factor";
        if (name == "split") {
            return Split{var_argument(), next_var(), next_var(), next_integer(factor), optional_tail()};
        }
        if (name == "tile") {
            return Tile{var_argument(), next_var(),           next_var(),           next_var(),     next_var(),
                        next_var(),     next_integer(factor), next_integer(factor), optional_tail()};
        }
        if (name == "fuse") { return Fuse{var_argument(), next_var(), next_var()}; }
        if (name == "reorder") { return Reorder{var_list("a loop variable")}; }
        if (name == "vectorize") { return mark<Vectorize>(); }
        if (name == "unroll") { return mark<Unroll>(); }
        if (name == "parallel") { return mark<Parallel>(); }
        if (name == "serial") { return Serial{var_argument()}; }
        if (name == "partition") {
            return Partition{var_argument(), next_word<Partitioning>(partitioning_names, "Auto, Never or Always")};
        }
        if (name == "never_partition") { return NeverPartition{var_list("a loop variable")}; }
        if (name == "always_partition") { return AlwaysPartition{var_list("a loop variable")}; }
        if (name == "never_partition_all") { return NeverPartitionAll{}; }
        if (name == "always_partition_all") { return AlwaysPartitionAll{}; }
        if (name == "prefetch") { return prefetch(); }
        if (name == "compute_root") { return ComputeRoot{}; }
        if (name == "compute_inline") { return ComputeInline{}; }
        if (name == "compute_at") { return ComputeAt{level()}; }
        if (name == "store_root") { return StoreRoot{}; }
        if (name == "store_at") { return StoreAt{level()}; }
        if (name == "hoist_storage") { return HoistStorage{level()}; }
        if (name == "hoist_storage_root") { return HoistStorageRoot{}; }
        if (name == "bound") { return Bound{var_argument("a variable"), next_index(), next_index()}; }
        if (name == "bound_extent") { return BoundExtent{var_argument("a variable"), next_index()}; }
        if (name == "align_bounds") {
            AlignBounds result{var_argument("a variable"), next_integer("a modulus"), 0};
            if (!error_ && looking_at(",")) { result.remainder = next_integer("a remainder"); }
            return result;
        }
        if (name == "reorder_storage") { return ReorderStorage{var_list("a variable")}; }
        if (name == "fold_storage") {
            FoldStorage result{var_argument("a variable"), next_integer(factor), true};
            if (!error_ && looking_at(",")) {
                separator();
                result.forward = boolean();
            }
            return result;
        }
        if (name == "align_storage") { return AlignStorage{var_argument("a variable"), next_integer("an alignment")}; }
        if (name == "ring_buffer") { return RingBuffer{integer_argument("an extent")}; }
        if (name == "specialize") { return Specialize{condition()}; }
        if (name == "atomic") { return Atomic{!looking_at(")") && boolean()}; }
        if (name == "rfactor") { return rfactor(); }
        if (name == "async") { return Async{}; }
        ENSURE(name == "compute_with", "every name of an action has its arguments");
        LoopLevel at = level();
        return ComputeWith{std::move(at), optional_word<Align>(align_names, "an alignment such as AlignStart")};
    };
    Action result = parse();
    if (error_) { return fail(std::move(*error_)); }
    return result;
}

}  // namespace

Result<Schedule> parse_schedule(std::string_view text, std::string_view file) {
    Schedule schedule;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t newline = text.find('\n');
        LineParser line(text.substr(0, newline), file, number);
        if (!line.at_end()) {
            auto directive = line.directive();
            if (!directive) { return fail(std::move(directive.error())); }
            schedule.directives.push_back(std::move(*directive));
        }
        text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    }
    return schedule;
}

Result<Directive> parse_directive(std::string_view text, std::string_view file) {
    auto schedule = parse_schedule(text, file);
    if (!schedule) { return fail(std::move(schedule.error())); }
    if (schedule->directives.size() != 1) {
        return fail(Error{fmt::format("expected one directive, found {}", schedule->directives.size()),
                          Location{std::string(file), 1, 1}, std::string(text.substr(0, text.find('\n')))});
    }
    return std::move(schedule->directives.front());
}

}  // namespace haruspex::schedule::halide
