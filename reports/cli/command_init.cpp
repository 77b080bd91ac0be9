#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "generators/schedule/language.h"
#include "reports/cli/commands.h"
#include "reports/cli/options.h"
#include "reports/render/view.h"
#include "reports/session/compilers.h"
#include "reports/store/files.h"

namespace haruspex::cli {
namespace {

namespace fs = std::filesystem;

// With TYPES for the compiler's types, and INT for its 32-bit integers.
constexpr std::string_view program_template =
    R"(# A program: what is to be computed, for all sizes and inputs. Run it with the schedule beside it:
#
#   haruspex run prog.sare prog.schedule --size W=64,H=32
#
# The parameters W and H are sizes. What the program assumes of them holds at every size that it gets.
sare prog(W, H) assuming W >= 1 and H >= 1 {
  # Inputs, with their types and ranks. Types are TYPES.
  # An input has a value at every index, also at those below 0 and beyond the sizes; haruspex chooses the values.
  input in : u16[2]
  input weight : INT[1]

  # A pure definition: an equation for every x and y. u16 wraps around; its division rounds down.
  across(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3
  blur(x, y) = (across(x, y - 1) + across(x, y) + across(x, y + 1)) / 3

  # A definition with an update: first every cell is 0, then each step over a reduction, here of columns, adds to it.
  # INT( ) is a cast, and 0INT a literal with its type; a literal without one takes that of the other operand.
  total(y) = 0INT
  update total(y) = total(y) + INT(blur(r, y)) * weight(r) over r in [0, W)

  # More that an equation may have (remove the "#" to try it; general[0] and [1] are its two components):
  # general(x, y) = {select(blur(x, y) > 100, 1u8, 0u8), INT<x + 2*y>}     a choice; the value of an index
  # edge(x, y) = in(max(0, min(x, W - 1)), y)                              indices with min, max, / and % of constants
  # most(y) = max over {[x] : 0 <= x < W} of (blur(x, y))                  a reduction inside an expression
  # update total(0) = total(0) + 1 over r in [0, 8) where r < W            some steps only

  # What is computed: tensors, each on a box.
  output blur on { [x, y] : 0 <= x < W and 0 <= y < H }
  output total on { [y] : 0 <= y < H }
}
)";

std::string replaced(std::string text, std::string_view word, const std::string& by) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size())) {
        text.replace(at, word.size(), by);
    }
    return text;
}

std::string program_of(const schedule::Language& language) {
    const std::string typed = replaced(std::string(program_template), "TYPES", value::names(language.types()));
    return replaced(typed, "INT", std::string(value::name(schedule::plain_integer(language))));
}

// Writes both files or neither, and replaces nothing.
Result<void> write_pair(const fs::path& folder, const fs::path& program_file, const fs::path& schedule_file,
                        const std::string& program, const std::string& schedule) {
    std::error_code error;
    for (const fs::path& file : {program_file, schedule_file}) {
        if (fs::exists(fs::symlink_status(file, error))) {
            return fail(file.string() + " exists already; it is not overwritten");
        }
    }
    const std::string first = program_file.filename().string(), second = schedule_file.filename().string();
    if (!fs::exists(folder, error)) { return store::write_folder(folder, {{first, program}, {second, schedule}}); }
    if (auto written = store::write_atomically(program_file, program); !written) { return written; }
    auto written = store::write_atomically(schedule_file, schedule);
    if (!written) { fs::remove(program_file, error); }
    return written;
}

Result<ExitCode> init(const std::string& argument, const std::string& compiler, Output& output) {
    session::become_owner_of(compiler);
    const auto* language = schedule::find_language(compiler);
    if (language == nullptr) { return fail(session::compiler_named(compiler).error()); }
    if (argument.empty()) { return fail("\"\": expected a name for the folder"); }
    fs::path folder(argument);
    if (!folder.has_filename()) { folder = folder.parent_path(); }
    const fs::path program_file = folder / "prog.sare", schedule_file = folder / "prog.schedule";
    const std::string schedule(render::view(compiler).example_schedule());
    if (const auto written = write_pair(folder, program_file, schedule_file, program_of(*language), schedule);
        !written) {
        return fail(written.error());
    }
    output.print("haruspex run " + program_file.string() + " " + schedule_file.string() + " --size W=64,H=32\n");
    return nothing_found;
}

}  // namespace

Command add_init(CLI::App& app) {
    CLI::App* command = app.add_subcommand("init", "Write a small commented program and schedule to start from");
    const auto folder = std::make_shared<std::string>();
    const auto compiler = std::make_shared<std::string>();
    command->add_option("folder", *folder, "The folder for prog.sare and prog.schedule; created if it does not exist")
        ->required();
    add_compiler_option(*command, *compiler);
    command->footer(
        "Prints the command that runs the two files. Existing files are not overwritten.\n"
        "\n"
        "Examples:\n"
        "  haruspex init mine\n"
        "  haruspex run mine/prog.sare mine/prog.schedule --size W=64,H=32");
    return {command, [folder, compiler](Output& output) { return init(*folder, *compiler, output); }};
}

}  // namespace haruspex::cli
