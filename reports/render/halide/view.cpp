#include "reports/render/halide/view.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "reports/render/halide/program.h"

namespace haruspex::render::halide {
namespace {

constexpr const char* example =
    R"(# A schedule: how Halide is to compute the program. A directive to a line, spelt as the C++ call that makes it in Halide,
# so that it can be pasted from and into a program. Tensors without one are computed inline where they are used, outputs
# in a plain loop over their cells.

# The rows of blur in strips of 8, which run in parallel; 16 pixels of a row at a time. H and W need not be multiples: a
# tail strategy says what becomes of the rest.
#   GuardWithIf    an if around what is beyond the size; any size works
#   RoundUp        the size is rounded up; an output's must be a multiple
#   ShiftInwards   the last strip is moved back, over cells that are there already; an output must have one strip at least
#   Predicate, PredicateLoads, PredicateStores     the vector's accesses are masked
blur.split(y, yo, yi, 8, GuardWithIf)
blur.parallel(yo)
blur.vectorize(x, 16, GuardWithIf)

# The first direction is computed for each row of blur that needs it, in vectors; it is no output, so rounding up is
# harmless.
across.compute_at(blur, yi)
across.vectorize(x, 16, RoundUp)

# An update is a stage of its own. Its pure variables may be split, reordered and run in parallel like any other.
total.update(0).parallel(y)

# More to try:
# across.compute_root()                           all of it before blur
# across.store_at(blur, yo)                       keeps rows of the strip, so that none is computed twice (with compute_at)
# blur.tile(x, y, xo, yo, xi, yi, 16, 8)          in place of the two directives that split
# total.update(0).reorder(y, r)                   innermost first
# blur.specialize(W >= 64)                        a version of its own for wide images: blur.specialize[0]
# blur.bound(x, 0, W)                             a promise that holds
)";

class HalideView final : public View {
public:
    std::string_view title() const override { return "Halide"; }
    std::string_view language() const override { return "cpp"; }
    std::string_view program_file() const override { return halide::program_file; }

    Result<PipelineText> pipeline(const cases::Case& c) const override { return pipeline_text(c); }
    Result<Program> program(const cases::Case& c, const std::optional<verdict::Verdict>& verdict,
                            const std::string& flags, const std::string& statement) const override {
        return halide::program(c, verdict, flags, statement);
    }

    std::string_view example_schedule() const override { return example; }

    std::string first_line(const std::string& message) const override {
        std::string text = message.substr(0, message.find('\n'));
        const std::pair<std::string_view, std::string_view> phrases[] = {{"Internal Error at ", ""},
                                                                         {" triggered by user code at :", ":"},
                                                                         {" Condition failed:", ""},
                                                                         {" Error:", ":"},
                                                                         {"  ", " "}};
        for (const auto& [phrase, by] : phrases) {
            for (std::size_t at = text.find(phrase); at != std::string::npos; at = text.find(phrase)) {
                text.replace(at, phrase.size(), by);
            }
        }
        constexpr std::size_t longest = 120;
        if (text.size() > longest) { text = text.substr(0, longest) + "…"; }
        while (!text.empty() && (text.back() == ' ' || text.back() == ':')) { text.pop_back(); }
        return text;
    }

    // The passes that simplify change all checks of buffers, with which every pipeline begins.
    std::string without_checks(const std::string& statement) const override {
        std::string text;
        std::istringstream stream(statement);
        for (std::string line; std::getline(stream, line);) {
            const std::size_t first = line.find_first_not_of(' ');
            const std::string_view words = std::string_view(line).substr(std::min(first, line.size()));
            if (!words.starts_with("assert(") && words != "0") { text += line + "\n"; }
        }
        return text;
    }

    std::string_view tracker() const override { return "halide/Halide"; }
    // The simplifier runs after nearly every pass.
    bool is_cleanup(std::string_view pass) const override { return pass.starts_with("simplify"); }
};

}  // namespace

const View& view() {
    static const HalideView the_view;
    return the_view;
}

}  // namespace haruspex::render::halide
