#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "generators/base/result.h"
#include "generators/value/range.h"

// JSON with the position of each value, so that an error can be shown in the file. nlohmann/json only reads the text:
// its own tree keeps no positions and silently drops duplicate keys.
namespace haruspex::cases::json {

// Holds every integer that a JSON text of ours can contain: [-2^63, 2^64).
using Wide = decltype(value::Range::low);

struct Node;
struct Member;
using Array = std::vector<Node>;
using Object = std::vector<Member>;  // in the order of the text, keys distinct

struct Node {
    std::variant<std::nullptr_t, bool, Wide, double, std::string, Array, Object> value;
    std::size_t offset = 0;  // of the value's first byte in the text
};
struct Member {
    std::string key;
    std::size_t key_offset = 0;
    Node value;
};

// A text and its tree. Borrows the text.
class Document {
public:
    // Rejects text that is not JSON, nesting deeper than in any of our files, and objects with a duplicate key.
    [[nodiscard]] static Result<Document> parse(std::string_view text, std::string_view file);

    const Node& root() const { return root_; }
    const std::string& file() const { return file_; }
    Error error_at(std::size_t offset, std::string message) const;
    // Returns the offset in the text of a character of the string node's value, counted from 0; of the closing quote if
    // the value is shorter.
    std::size_t offset_in_string(const Node& string, std::size_t character) const;

private:
    Document(std::string_view text, std::string_view file) : text_(text), file_(file) {}

    std::string_view text_;
    std::string file_;
    Node root_;
};

// Reads values out of a document and keeps the first error. A read that fails returns a default: false, `low`, or
// nothing. So code can read one field after the other and check for an error once, at the end.
class Reader {
public:
    explicit Reader(const Document& document) : document_(document) {}

    void error(std::size_t offset, const std::string& message);
    void error(Error error);
    bool failed() const { return error_.has_value(); }
    const Error& first_error() const { return *error_; }
    const Document& document() const { return document_; }

    bool boolean(const Node& node);
    std::string text(const Node& node);
    // A JSON integer or, because other JSON readers round beyond 2^53, a string of decimal digits; in [low, high].
    Wide integer(const Node& node, Wide low, Wide high);
    const Array& array(const Node& node);
    const Object& object(const Node& node);

private:
    const Document& document_;
    std::optional<Error> error_;
};

// Reads the members of an object whose possible keys are known.
class Fields {
public:
    // Reports an error if the node is not an object, lacks one of `keys`, or has a key that is in neither `keys` nor
    // `optional_keys`. Borrows reader and node.
    Fields(Reader& reader, const Node& node, std::string what, std::span<const char* const> keys,
           std::span<const char* const> optional_keys = {});
    Fields(Reader& reader, const Node& node, std::string what, std::initializer_list<const char*> keys,
           std::initializer_list<const char*> optional_keys = {})
        : Fields(reader, node, std::move(what), std::span<const char* const>(keys.begin(), keys.size()),
                 std::span<const char* const>(optional_keys.begin(), optional_keys.size())) {}

    // Returns the value of the key; a null if the key is missing, which must have been reported (ENSURE).
    const Node& at(std::string_view key) const;
    // Null if the key is missing.
    const Node* find(std::string_view key) const;

    bool boolean(std::string_view key) { return reader_.boolean(at(key)); }
    std::string text(std::string_view key) { return reader_.text(at(key)); }
    Wide integer(std::string_view key, Wide low, Wide high) { return reader_.integer(at(key), low, high); }

private:
    Reader& reader_;
    const Object& members_;
};

std::string to_decimal(Wide value);
// Whether a JSON reader that keeps numbers as doubles reads `value` exactly. Other numbers are written as strings.
bool is_exact_in_any_reader(Wide value);

}  // namespace haruspex::cases::json
