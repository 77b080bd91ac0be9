#include "reports/session/answer.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "generators/case/located_json.h"
#include "reports/store/verdict_json.h"
#include "reports/store/version.h"

namespace haruspex::session {
namespace {

using cases::json::Document;
using cases::json::Fields;
using cases::json::Node;
using cases::json::Object;
using cases::json::Reader;
using Json = nlohmann::ordered_json;

// The version of this protocol.
constexpr int protocol = 1;

std::string line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json tree_of(const compiler::Unobserved& unobserved) {
    return {{"lowered", unobserved.lowered}, {"prophecies", unobserved.prophecies}, {"passes", unobserved.passes}};
}

compiler::Unobserved read_unobserved(Reader& reader, const Node& node) {
    compiler::Unobserved unobserved;
    Fields fields(reader, node, "what is not observed", {"lowered", "prophecies", "passes"});
    if (reader.failed()) { return unobserved; }
    unobserved.lowered = fields.boolean("lowered");
    unobserved.prophecies = fields.boolean("prophecies");
    for (const Node& pass : reader.array(fields.at("passes"))) { unobserved.passes.push_back(reader.text(pass)); }
    return unobserved;
}

bool is_refusal(const Document& document) {
    const auto* members = std::get_if<Object>(&document.root().value);
    return members != nullptr && !members->empty() && members->front().key == "refused";
}

}  // namespace

bool Greeting::operator==(const Greeting& other) const {
    return haruspex == other.haruspex && compiler.name == other.compiler.name &&
           compiler.version == other.compiler.version && compiler.major == other.compiler.major &&
           compiler.unobserved == other.compiler.unobserved && package == other.package;
}

Answer refused(std::string reason) { return {std::nullopt, std::move(reason)}; }

Greeting greeting_of(const compiler::Compiler& compiler) {
    return {store::haruspex_version(), compiler.identity(), compiler.package()};
}

std::string to_json(const Greeting& greeting) {
    return line({{"haruspex_judge", protocol},
                 {"haruspex", greeting.haruspex},
                 {"compiler", greeting.compiler.name},
                 {"version", greeting.compiler.version},
                 {"major", greeting.compiler.major},
                 {"package", greeting.package},
                 {"unobserved", tree_of(greeting.compiler.unobserved)}});
}

std::string to_json(const Answer& answer) {
    return answer.verdict ? store::to_json(*answer.verdict) : line({{"refused", answer.refusal}});
}

Result<Greeting> parse_greeting(std::string_view text, std::string_view from) {
    const auto document = Document::parse(text, from);
    if (!document) { return fail(document.error()); }
    Reader reader(*document);
    Fields fields(reader, document->root(), "a greeting",
                  {"haruspex_judge", "haruspex", "compiler", "version", "major", "package"}, {"unobserved"});
    if (reader.failed()) { return fail(reader.first_error()); }
    fields.integer("haruspex_judge", protocol, protocol);
    Greeting greeting;
    greeting.haruspex = fields.text("haruspex");
    greeting.compiler.name = fields.text("compiler");
    greeting.compiler.version = fields.text("version");
    greeting.compiler.major = static_cast<int>(fields.integer("major", 0, std::numeric_limits<int>::max()));
    greeting.package = fields.text("package");
    if (const Node* unobserved = fields.find("unobserved")) {
        greeting.compiler.unobserved = read_unobserved(reader, *unobserved);
    }
    if (reader.failed()) { return fail(reader.first_error()); }
    return greeting;
}

Result<Answer> parse_answer(std::string_view text, std::string_view from) {
    const auto document = Document::parse(text, from);
    if (!document) { return fail(document.error()); }
    if (!is_refusal(*document)) {
        auto verdict = store::parse_verdict(text, from);
        if (!verdict) { return fail(verdict.error()); }
        return Answer{std::move(*verdict), {}};
    }
    Reader reader(*document);
    Fields fields(reader, document->root(), "a refusal", {"refused"});
    if (reader.failed()) { return fail(reader.first_error()); }
    Answer answer = refused(fields.text("refused"));
    if (reader.failed()) { return fail(reader.first_error()); }
    return answer;
}

}  // namespace haruspex::session
