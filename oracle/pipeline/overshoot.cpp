#include "oracle/pipeline/overshoot.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "generators/random/regions.h"
#include "generators/sare/staging.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/pipeline/factored.h"
#include "oracle/pipeline/parameter_binding.h"

namespace haruspex::pipeline {
namespace {

using Box = std::vector<random::Interval>;

// The box of each tensor of a staged SARE, those of the stages included.
Result<std::map<std::string, Box>> needed_boxes(const sare::Sare& sare, const Sizes& sizes) {
    const auto algorithm = sare::unstage(sare);
    if (!algorithm) { return fail(algorithm.error()); }
    const auto groups = sare::groups(sare);
    if (!groups) { return fail(groups.error()); }
    const random::Regions regions = random::infer_regions(*algorithm, random::intervals_of(sizes));
    std::map<std::string, Box> boxes;
    for (const sare::Group& group : *groups) {
        // The last tensor of a group has the name of the function.
        const auto touched = regions.touched.find(sare.tensors[group.first + group.count - 1].name);
        if (touched == regions.touched.end()) { continue; }
        for (std::size_t i = 0; i < group.count; ++i) { boxes[sare.tensors[group.first + i].name] = touched->second; }
    }
    return boxes;
}

// Recurrence variables stand behind the dimensions; their domains are never rounded up.
bool is_within(const Box& box, const std::vector<std::int64_t>& coordinates) {
    for (std::size_t d = 0; d < std::min(box.size(), coordinates.size()); ++d) {
        if (coordinates[d] < box[d].low || coordinates[d] > box[d].high) { return false; }
    }
    return true;
}

std::string words(const interp::ProphesiedWrite& write, const Box& box) {
    std::string extents;
    for (const random::Interval& interval : box) {
        extents += fmt::format("{}[{}, {}]", extents.empty() ? "" : " x ", interval.low, interval.high);
    }
    return fmt::format("{}({}), of {}", write.tensor, fmt::join(write.coordinates, ", "), extents);
}

}  // namespace

Result<Overshoot> measure_overshoot(const cases::Case& c, const LoweredProgram& prophesied, std::uint64_t most_steps) {
    const auto sare = prophesied_specification(c);
    if (!sare) { return fail(to_string(sare.error())); }
    const auto boxes = needed_boxes(*sare, c.sizes);
    if (!boxes) { return fail(boxes.error()); }
    const auto parameters = bind_parameters(prophesied.program, c, prophesied.regions);
    if (!parameters) { return fail(parameters.error()); }
    Overshoot seen;
    interp::Options options;
    options.most_steps = most_steps;
    options.prophesied = [&](const interp::ProphesiedWrite& write) {
        const auto box = boxes->find(write.tensor);
        if (box == boxes->end()) { return; }
        if (is_within(box->second, write.coordinates)) {
            ++seen.within;
            return;
        }
        ++seen.beyond;
        if (seen.first_beyond.empty()) { seen.first_beyond = words(write, box->second); }
    };
    const auto run = interp::run(prophesied.program, *parameters, input_values(c), options);
    if (!run) { return fail(run.error()); }
    if (!run->cut_short.empty()) { return fail(run->cut_short); }
    return seen;
}

}  // namespace haruspex::pipeline
