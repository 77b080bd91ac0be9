#include "tests/reports/render/toy/view.h"

#include "generators/case/json.h"
#include "generators/sare/text.h"

namespace haruspex::render::toy {
namespace {

class ToyView final : public View {
public:
    std::string_view title() const override { return "Toy"; }
    std::string_view language() const override { return "text"; }
    std::string_view program_file() const override { return "repro.toy"; }
    std::string_view tracker() const override { return "toy/toy"; }
    std::string_view example_schedule() const override { return "chunk blur y 8\npass tidy\n"; }

    Result<PipelineText> pipeline(const cases::Case& c) const override {
        return PipelineText{"", sare::print(c.sare), schedule::print(c.schedule)};
    }
    Result<Program> program(const cases::Case& c, const std::optional<verdict::Verdict>& verdict,
                            const std::string& flags, const std::string&) const override {
        const std::string command = flags + " repro.toy";
        std::string text = "# " + command + "\n" + cases::to_json(c) + "\n";
        if (verdict && verdict->difference) {
            const verdict::Difference& difference = *verdict->difference;
            text += "expect " + difference.tensor + " " + std::to_string(difference.component) + " " +
                    value::to_string(difference.expected) + " at";
            for (const std::int64_t coordinate : difference.cell) { text += " " + std::to_string(coordinate); }
            text += "\n";
        }
        return Program{text, command};
    }
    std::string first_line(const std::string& message) const override { return message.substr(0, message.find('\n')); }
    std::string without_checks(const std::string& statement) const override { return statement; }
    bool is_cleanup(std::string_view) const override { return false; }
};

}  // namespace

const View& view() {
    static const ToyView the_view;
    return the_view;
}

}  // namespace haruspex::render::toy
