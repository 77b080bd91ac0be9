#include "reports/store/bug_list.h"

#include <nlohmann/json.hpp>
#include <system_error>

#include "reports/store/files.h"

namespace haruspex::store {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* list_name = "bugs.json";

}  // namespace

Result<void> write_bug_list(const BugList& list, const std::filesystem::path& campaign) {
    Json bugs = Json::array();
    for (const ListedBug& bug : list.bugs) {
        bugs.push_back({{"state", bug.state},
                        {"reported", bug.is_reported},
                        {"title", bug.title},
                        {"size", bug.size},
                        {"group", bug.group},
                        {"known", bug.known},
                        {"groups", bug.groups},
                        {"cases", bug.cases}});
    }
    const Json json{{"bugs", std::move(bugs)}, {"triaged", list.groups}};
    return write_atomically(campaign / list_name, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<std::optional<BugList>> read_bug_list(const std::filesystem::path& campaign) {
    const std::filesystem::path file = campaign / list_name;
    std::error_code error;
    if (!std::filesystem::exists(file, error)) { return std::nullopt; }
    const auto text = read_file(file);
    if (!text) { return fail(text.error()); }
    try {
        const Json json = Json::parse(*text);
        BugList list;
        for (const Json& bug : json.at("bugs")) {
            list.bugs.push_back({bug.at("state"), bug.at("reported"), bug.at("title"), bug.at("size"), bug.at("group"),
                                 bug.at("known"), bug.at("groups"), bug.at("cases")});
        }
        list.groups = json.at("triaged").get<std::map<std::string, std::uint64_t>>();
        return list;
    } catch (const Json::exception& exception) {
        return fail(file.string() + ": not a list of bugs that haruspex triage wrote; " + exception.what());
    }
}

}  // namespace haruspex::store
