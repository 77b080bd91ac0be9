#include "generators/case/located_json.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "generators/base/ensure.h"

namespace haruspex::cases::json {
namespace {

// Deeper than any file of ours, shallow enough for the recursive destruction of a tree.
constexpr std::size_t deepest = 32;
// A longer line is not shown under a message: on a terminal the caret would be misplaced.
constexpr std::size_t longest_excerpt = 160;

// Counts the bytes that the lexer has taken.
class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, std::size_t* taken) : at_(at), taken_(taken) {}
    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        ++at_;
        ++*taken_;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator old = *this;
        ++*this;
        return old;
    }
    bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
    bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

private:
    const char* at_;
    std::size_t* taken_;
};

// Builds the tree. A token begins at the first byte after the end of the previous token that is neither white space nor
// "," nor ":". The lexer reads one byte beyond a number, which may be the closing bracket behind it; the position of
// that bracket is never used.
class TreeBuilder {
public:
    struct Fault {
        std::size_t offset;
        std::string message;
    };

    TreeBuilder(std::string_view text, const std::size_t& taken, Node& root)
        : text_(text), taken_(taken), root_(root) {}

    bool null() { return scalar(nullptr); }
    bool boolean(bool value) { return scalar(value); }
    bool number_integer(std::int64_t value) { return scalar(Wide{value}); }
    bool number_unsigned(std::uint64_t value) { return scalar(Wide{value}); }
    bool number_float(double value, const std::string&) { return scalar(value); }
    bool string(std::string& value) { return scalar(std::move(value)); }
    bool binary(nlohmann::json::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(Object{}); }
    bool start_array(std::size_t) { return open(Array{}); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& key) {
        const std::size_t offset = token_start();
        token_end_ = taken_;
        auto& members = std::get<Object>(open_.back()->value);
        for (const Member& member : members) {
            if (member.key == key) {
                return refuse(offset, fmt::format("duplicate key \"{}\"; expected each key once", key));
            }
        }
        members.push_back({std::move(key), offset, {}});
        return true;
    }

    bool parse_error(std::size_t byte, const std::string&, const nlohmann::json::exception& exception) {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …"
        std::string message = exception.what();
        if (const auto column = message.find("column"); column != std::string::npos) {
            if (const auto colon = message.find(": ", column); colon != std::string::npos) {
                message.erase(0, colon + 2);
            }
        }
        if (message.find("expected ", message.find("unexpected ") + 11) == std::string::npos) {
            message += "; expected a JSON value";
        }
        return refuse(byte == 0 ? 0 : byte - 1, "not JSON: " + message);
    }

    const std::optional<Fault>& fault() const { return fault_; }

private:
    std::size_t token_start() const {
        const auto start = text_.find_first_not_of(" \t\r\n,:", token_end_);
        return start == std::string_view::npos ? text_.size() : start;
    }
    bool refuse(std::size_t offset, std::string message) {
        fault_ = Fault{offset, std::move(message)};
        return false;
    }
    template <typename Value>
    Node* add(Value value) {
        Node* place = &root_;
        if (!open_.empty()) {
            if (auto* array = std::get_if<Array>(&open_.back()->value)) {
                place = &array->emplace_back();
            } else {
                place = &std::get<Object>(open_.back()->value).back().value;
            }
        }
        place->value = std::move(value);
        place->offset = token_start();
        token_end_ = taken_;
        return place;
    }
    template <typename Value>
    bool scalar(Value value) {
        add(std::move(value));
        return true;
    }
    template <typename Value>
    bool open(Value value) {
        if (open_.size() == deepest) {
            return refuse(token_start(),
                          fmt::format("values are nested too deeply; expected at most {} levels", deepest));
        }
        // A container grows only after its children are closed, so the pointers to the open ones stay valid.
        open_.push_back(add(std::move(value)));
        return true;
    }
    bool close() {
        open_.pop_back();
        token_end_ = taken_;
        return true;
    }

    std::string_view text_;
    const std::size_t& taken_;
    Node& root_;
    std::vector<Node*> open_;
    std::size_t token_end_ = 0;
    std::optional<Fault> fault_;
};

std::string kind(const Node& node) {
    constexpr const char* kinds[] = {"null",     "a boolean", "an integer", "a fractional number",
                                     "a string", "an array",  "an object"};
    return kinds[node.value.index()];
}

const Node& null_node() {
    static const Node node;
    return node;
}

std::optional<Wide> parse_decimal(std::string_view digits) {
    const bool negative = digits.starts_with('-');
    if (negative) { digits.remove_prefix(1); }
    // 20 digits hold every 64-bit number and cannot overflow Wide.
    if (digits.empty() || digits.size() > 20) { return std::nullopt; }
    Wide value = 0;
    for (const char digit : digits) {
        if (digit < '0' || digit > '9') { return std::nullopt; }
        value = value * 10 + (digit - '0');
    }
    return negative ? -value : value;
}

std::string list(std::span<const char* const> keys) {
    return keys.empty() ? "" : fmt::format("\"{}\"", fmt::join(keys, "\", \""));
}

}  // namespace

Result<Document> Document::parse(std::string_view text, std::string_view file) {
    Document document(text, file);
    // Reported here, because the library's wording differs between its versions.
    if (text.empty()) { return fail(document.error_at(0, "not JSON: the text is empty; expected a JSON value")); }
    std::size_t taken = 0;
    TreeBuilder builder(text, taken, document.root_);
    const bool whole = nlohmann::json::sax_parse(CountingIterator(text.data(), &taken),
                                                 CountingIterator(text.data() + text.size(), &taken), &builder);
    if (builder.fault()) { return fail(document.error_at(builder.fault()->offset, builder.fault()->message)); }
    ENSURE(whole, "the JSON parser stops early only for a fault");
    return document;
}

Error Document::error_at(std::size_t offset, std::string message) const {
    const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
    const auto line = std::count(before.begin(), before.end(), '\n');
    const auto line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    std::string_view excerpt = text_.substr(line_start, text_.find_first_of("\r\n", line_start) - line_start);
    if (excerpt.size() > longest_excerpt) { excerpt = {}; }
    return {std::move(message),
            {file_, static_cast<int>(line) + 1, static_cast<int>(before.size() - line_start) + 1},
            std::string(excerpt)};
}

std::size_t Document::offset_in_string(const Node& string, std::size_t character) const {
    std::size_t offset = string.offset + 1;
    for (; character > 0 && offset < text_.size() && text_[offset] != '"'; --character) {
        if (text_[offset] == '\\') { offset += text_.substr(offset + 1, 1) == "u" ? 5 : 1; }
        ++offset;
    }
    return std::min(offset, text_.size());
}

void Reader::error(std::size_t offset, const std::string& message) { error(document_.error_at(offset, message)); }

void Reader::error(Error error) {
    if (!error_) { error_ = std::move(error); }
}

bool Reader::boolean(const Node& node) {
    if (const bool* value = std::get_if<bool>(&node.value)) { return *value; }
    error(node.offset, "expected true or false, found " + kind(node));
    return false;
}

std::string Reader::text(const Node& node) {
    if (const auto* value = std::get_if<std::string>(&node.value)) { return *value; }
    error(node.offset, "expected a string, found " + kind(node));
    return {};
}

Wide Reader::integer(const Node& node, Wide low, Wide high) {
    std::optional<Wide> value;
    std::string found = kind(node);
    if (const Wide* number = std::get_if<Wide>(&node.value)) { value = *number; }
    if (const auto* digits = std::get_if<std::string>(&node.value)) {
        value = parse_decimal(*digits);
        found = fmt::format("\"{}\"", *digits);
    }
    if (value && (*value < low || *value > high)) {
        found = to_decimal(*value);
        value.reset();
    }
    if (value) { return *value; }
    const std::string expected =
        low == high ? to_decimal(low) : fmt::format("an integer from {} to {}", to_decimal(low), to_decimal(high));
    error(node.offset, fmt::format("expected {}, found {}", expected, found));
    return low;
}

const Array& Reader::array(const Node& node) {
    static const Array none;
    if (const auto* value = std::get_if<Array>(&node.value)) { return *value; }
    error(node.offset, "expected an array, found " + kind(node));
    return none;
}

const Object& Reader::object(const Node& node) {
    static const Object none;
    if (const auto* value = std::get_if<Object>(&node.value)) { return *value; }
    error(node.offset, "expected an object, found " + kind(node));
    return none;
}

Fields::Fields(Reader& reader, const Node& node, std::string what, std::span<const char* const> keys,
               std::span<const char* const> optional_keys)
    : reader_(reader), members_(reader.object(node)) {
    const auto holds = [](std::span<const char* const> set, const std::string& key) {
        return std::find(set.begin(), set.end(), key) != set.end();
    };
    for (const Member& member : members_) {
        if (!holds(keys, member.key) && !holds(optional_keys, member.key)) {
            std::string known = list(keys);
            if (!optional_keys.empty()) { known += ", " + list(optional_keys); }
            reader_.error(member.key_offset,
                          fmt::format("unknown key \"{}\" in {}; expected one of {}", member.key, what, known));
        }
    }
    for (const char* key : keys) {
        if (find(key) == nullptr) {
            reader_.error(node.offset, fmt::format("missing key \"{}\" in {}; expected {}", key, what, list(keys)));
        }
    }
}

const Node* Fields::find(std::string_view key) const {
    for (const Member& member : members_) {
        if (member.key == key) { return &member.value; }
    }
    return nullptr;
}

const Node& Fields::at(std::string_view key) const {
    const Node* node = find(key);
    ENSURE(node != nullptr || reader_.failed(), "a key that was declared is there or was reported");
    return node != nullptr ? *node : null_node();
}

std::string to_decimal(Wide value) {
    std::string digits;
    const bool negative = value < 0;
    do {
        const int digit = static_cast<int>(value % 10);
        digits.insert(digits.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
        value /= 10;
    } while (value != 0);
    return negative ? "-" + digits : digits;
}

bool is_exact_in_any_reader(Wide value) {
    constexpr Wide largest = Wide{1} << 53;
    return -largest <= value && value <= largest;
}

}  // namespace haruspex::cases::json
