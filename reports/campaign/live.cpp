#include "reports/campaign/live.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

namespace haruspex::campaign {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string to_json(const Live& live) {
    return Json{{"process", live.process},
                {"seconds", live.seconds},
                {"cases", live.cases},
                {"cases_per_second", live.cases_per_second},
                {"left", live.left ? Json(*live.left) : Json(nullptr)},
                {"jobs", live.jobs},
                {"at_work", live.at_work},
                {"longest", live.longest},
                {"deaths", live.deaths},
                {"set_aside", live.set_aside}}
        .dump();
}

Result<Live> parse_live(const std::string& text) {
    try {
        const Json json = Json::parse(text);
        Live live{
            json.at("process"), json.at("seconds"), json.at("cases"),  json.at("cases_per_second"), {}, json.at("jobs"),
            json.at("at_work"), json.at("longest"), json.at("deaths"), json.at("set_aside")};
        if (!json.at("left").is_null()) { live.left = json.at("left").get<double>(); }
        return live;
    } catch (const Json::exception& exception) {
        return fail(std::string("not what a run says of itself; ") + exception.what());
    }
}

std::filesystem::path live_file(const std::filesystem::path& folder, std::int64_t run) {
    return folder / ("campaign." + std::to_string(run) + ".live");
}

void write_live(const std::filesystem::path& file, const Live& live) {
    // Complete or not there for a reader; it need not outlive the machine, so it is not synced.
    std::filesystem::path temporary = file;
    temporary += ".new";
    std::ofstream stream(temporary);
    stream << to_json(live) << '\n';
    stream.close();
    std::error_code error;
    if (stream) { std::filesystem::rename(temporary, file, error); }
    if (!stream || error) { std::filesystem::remove(temporary, error); }
}

void remove_stale_live_files(const std::filesystem::path& folder, const std::vector<std::int64_t>& at_work) {
    std::error_code error;
    std::vector<std::filesystem::path> stale;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        const bool is_live = name.starts_with("campaign.") && name.find(".live") != std::string::npos;
        const bool is_wanted = std::ranges::any_of(
            at_work, [&](std::int64_t run) { return name.starts_with(live_file({}, run).string()); });
        if (is_live && !is_wanted) { stale.push_back(at->path()); }
    }
    for (const std::filesystem::path& file : stale) { std::filesystem::remove(file, error); }
}

std::optional<Live> read_live(const std::filesystem::path& file) {
    std::ifstream stream(file);
    if (!stream) { return std::nullopt; }
    auto live = parse_live({std::istreambuf_iterator<char>(stream), {}});
    return live ? std::optional(*live) : std::nullopt;
}

}  // namespace haruspex::campaign
