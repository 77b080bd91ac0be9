#include "reports/measure/source.h"

#include <nlohmann/json.hpp>

#include "generators/case/json.h"
#include "harness/process/line_server.h"
#include "harness/sched/text.h"
#include "oracle/pipeline/judge_case.h"
#include "oracle/pipeline/prophecies.h"
#include "reports/measure/process.h"

namespace haruspex::measure {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::expected<std::string, std::string>& program) {
    return program ? Json{{"program", *program}} : Json{{"none", program.error()}};
}

std::expected<std::string, std::string> program_of(const Json& json) {
    if (json.contains("program")) { return json.at("program").get<std::string>(); }
    return std::unexpected(json.at("none").get<std::string>());
}

Json json_of(const std::optional<Regions>& regions) {
    if (!regions) { return nullptr; }
    Json all = Json::array();
    for (const compiler::InputRegion& region : *regions) {
        all.push_back({{"input", region.input}, {"min", region.min}, {"extent", region.extent}});
    }
    return all;
}

std::optional<Regions> regions_of(const Json& json) {
    if (json.is_null()) { return std::nullopt; }
    Regions regions;
    for (const Json& region : json) { regions.push_back({region.at("input"), region.at("min"), region.at("extent")}); }
    return regions;
}

std::expected<std::string, std::string> text_of(
    const std::expected<pipeline::LoweredProgram, pipeline::NoProgram>& lowered) {
    if (!lowered) { return std::unexpected(to_string(lowered.error())); }
    return sched::print(lowered->program);
}

std::string line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

class Installed final : public Source {
public:
    Installed(compiler::ForkServer& server, compiler::Identity identity)
        : server_(server), identity_(std::move(identity)) {}
    Result<Compilation> compile(const cases::Case& c, const Asked& asked) const override {
        return measure::compile(c, asked, server_, identity_);
    }

private:
    compiler::ForkServer& server_;
    compiler::Identity identity_;
};

class Preloaded final : public Source {
public:
    Preloaded(std::filesystem::path library, std::vector<std::string> command)
        : library_(std::move(library)), command_(std::move(command)) {}
    Result<Compilation> compile(const cases::Case& c, const Asked& asked) const override {
        // A forked child starts its own server: if it were killed, it would leave the parent's in the middle of an
        // exchange.
        if (!server_process_ || !server_process_->is_of_this_process()) {
            server_process_ = std::make_unique<process::LineServer>(command_, library_);
        }
        const auto answer = server_process_->ask(to_json(c, asked));
        if (!answer) {
            server_process_ = nullptr;
            return fail(answer.error());
        }
        return parse_compilation(*answer);
    }

private:
    std::filesystem::path library_;
    std::vector<std::string> command_;
    mutable std::unique_ptr<process::LineServer> server_process_;
};

}  // namespace

Compilation compile(const cases::Case& c, const Asked& asked, compiler::ForkServer& server,
                    const compiler::Identity& identity) {
    Compilation compilation;
    compiler::Request lowering;
    lowering.run = false;
    lowering.lower = true;
    std::optional<compiler::Observation> own;  // at the case's own sizes
    const auto lowered = [&](const Sizes& sizes) {
        if (own && sizes == c.sizes) { return *own; }
        cases::Case there = c;
        there.sizes = sizes;
        return server.observe(there, lowering);
    };
    if (asked.plain) {
        own = lowered(c.sizes);
        compilation.plain = text_of(pipeline::last_lowered(*own));
        compilation.is_mutated = own->is_mutated;
    }
    if (asked.prophesied) { compilation.prophesied = text_of(pipeline::lower_with_prophecies(c, server)); }
    for (const Sizes& sizes : asked.sizes) {
        const compiler::Observation observation = lowered(sizes);
        const bool is_known = !observation.lowered.empty() && !observation.regions_unknown;
        compilation.regions.push_back(is_known ? std::optional(observation.input_regions) : std::nullopt);
    }
    if (asked.native) {
        pipeline::Options options;
        options.lowered = false;
        server.warm_up();
        const double before = cpu_seconds();
        const pipeline::Judged judged = pipeline::judge_case(c, server, identity, options);
        compilation.native_cpu_seconds = cpu_seconds() - before;
        compilation.native_class = verdict::name(judged.verdict.cls);
        compilation.native_message = judged.verdict.message;
        compilation.native_compile_seconds = std::chrono::duration<double>(judged.times.compiler.compile).count();
    }
    return compilation;
}

std::string to_json(const cases::Case& c, const Asked& asked) {
    return line({{"case", cases::to_json(c)},
                 {"sizes", asked.sizes},
                 {"plain", asked.plain},
                 {"prophesied", asked.prophesied},
                 {"native", asked.native}});
}

std::string to_json(const Compilation& compilation) {
    Json regions = Json::array();
    for (const auto& known : compilation.regions) { regions.push_back(json_of(known)); }
    return line({{"plain", json_of(compilation.plain)},
                 {"prophesied", json_of(compilation.prophesied)},
                 {"mutated", compilation.is_mutated},
                 {"regions", std::move(regions)},
                 {"class", compilation.native_class},
                 {"message", compilation.native_message},
                 {"compile_seconds", compilation.native_compile_seconds},
                 {"cpu_seconds", compilation.native_cpu_seconds}});
}

Result<std::pair<cases::Case, Asked>> parse_request(const std::string& text) {
    try {
        const Json json = Json::parse(text);
        auto c = cases::parse_case(json.at("case").get<std::string>(), "request");
        if (!c) { return fail(c.error()); }
        return std::pair{std::move(*c), Asked{json.at("sizes").get<std::vector<Sizes>>(), json.at("plain"),
                                              json.at("prophesied"), json.at("native")}};
    } catch (const Json::exception& e) { return fail("a malformed request: " + std::string(e.what())); }
}

Result<Compilation> parse_compilation(const std::string& text) {
    try {
        const Json json = Json::parse(text);
        Compilation compilation{program_of(json.at("plain")),
                                program_of(json.at("prophesied")),
                                json.at("mutated"),
                                {},
                                json.at("class"),
                                json.at("message"),
                                json.at("compile_seconds"),
                                json.at("cpu_seconds")};
        for (const Json& regions : json.at("regions")) { compilation.regions.push_back(regions_of(regions)); }
        return compilation;
    } catch (const Json::exception& e) { return fail("a malformed answer: " + std::string(e.what())); }
}

std::string lowered_text(const Source& source, const cases::Case& c) {
    Asked asked;
    asked.plain = true;
    const auto compilation = source.compile(c, asked);
    return compilation && compilation->plain ? *compilation->plain : std::string();
}

bool is_lowered_otherwise(const Source& mutant, const cases::Case& c,
                          const std::function<std::string()>& text_without) {
    Asked asked;
    asked.plain = true;
    const auto compilation = mutant.compile(c, asked);
    // Most mutants leave most cases unchanged, and a change may be simplified away.
    return compilation && compilation->is_mutated && compilation->plain && *compilation->plain != text_without();
}

std::shared_ptr<const Source> installed(compiler::ForkServer& server, compiler::Identity identity) {
    return std::make_shared<Installed>(server, std::move(identity));
}

std::shared_ptr<const Source> preloaded(std::filesystem::path library, std::vector<std::string> command) {
    return std::make_shared<Preloaded>(std::move(library), std::move(command));
}

}  // namespace haruspex::measure
