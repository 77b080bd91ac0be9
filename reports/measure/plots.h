#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/results.h"
#include "reports/measure/times.h"

// Plots, drawn by gnuplot as SVG. Colours are the CSS variables of reports/render/html.h.
namespace haruspex::measure {

struct Plot {
    std::string id;           // id of the element, unique on a page
    std::string title;        // what it shows
    std::string description;  // describes the plot for readers who cannot see it
    std::string script;       // for gnuplot
};

// What a plot shows for each cell of a group (results.h): the share of all problems that each prover decides, or the
// share of right problems that it proves.
enum class Share : std::uint8_t { decided, proved };
std::vector<Plot> share_plots(const Results& results, Share share);
Plot cactus_plot(const Times& times);  // how many problems are decided in how much time …
Plot memory_plot(const Times& times);  // … and in how much memory
Plot growth_plot(const Times& times);

// Returns the SVG element. An Error if gnuplot is not installed or fails.
[[nodiscard]] Result<std::string> draw(const Plot& plot);
// Makes a standalone file with its own light and dark colours.
std::string as_file(const std::string& svg);

}  // namespace haruspex::measure
