#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/results.h"
#include "reports/measure/times.h"

// Pictures, drawn by gnuplot as SVG. Colours are the CSS variables of reports/render/html.h.
namespace haruspex::measure {

struct Plot {
    std::string id;           // of the element, unique on a page
    std::string title;        // what it shows
    std::string description;  // what is to be seen in it, for who does not see it
    std::string script;       // of gnuplot
};

// For each cell of a group, what each of the two provers decides of all problems, or proves of the right ones.
enum class Share : std::uint8_t { decided, proved };
std::vector<Plot> share_plots(const Results& results, Share share);
Plot cactus_plot(const Times& times);  // how many are decided in how much time …
Plot memory_plot(const Times& times);  // … and memory
Plot growth_plot(const Times& times);

// The SVG element. An Error when gnuplot is not installed or fails.
[[nodiscard]] Result<std::string> draw(const Plot& plot);
// A file of its own, which brings its colours along, for light and for dark.
std::string as_file(const std::string& svg);

}  // namespace haruspex::measure
