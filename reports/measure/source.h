#pragma once

#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"

// Sources of lowered programs: the installed compiler, or a mutant.
namespace haruspex::measure {
using Regions = std::vector<compiler::InputRegion>;

// What a compiler is asked about a case.
struct Asked {
    std::vector<Sizes> sizes;  // at which to find the regions of the inputs that the lowered program reads
    bool plain = false;        // lower the case
    bool prophesied = false;   // lower the case with prophecies
    bool native = false;       // compile and run the case at its own sizes
};

// The answers. The programs are the same for all sizes.
struct Compilation {
    std::expected<std::string, std::string> plain = std::unexpected("not asked for");       // or why there is none
    std::expected<std::string, std::string> prophesied = std::unexpected("not asked for");  // or why there is none
    bool is_mutated = false;                      // a mutant changed something when the plain program was lowered
    std::vector<std::optional<Regions>> regions;  // for each of the sizes; nullopt if unknown
    std::string native_class, native_message;     // the native run's outcome (verdict::name)
    double native_compile_seconds = 0;            // the time that the compiler itself took for that run
    double native_cpu_seconds = 0;                // the processor time of compiling and running
};

// Answers what is asked, using the compiler of the server.
Compilation compile(const cases::Case& c, const Asked& asked, compiler::ForkServer& server,
                    const compiler::Identity& identity);

// Convert a request or an answer to one line of JSON, and back. An Error says what is malformed.
std::string to_json(const cases::Case& c, const Asked& asked);
std::string to_json(const Compilation& compilation);
[[nodiscard]] Result<std::pair<cases::Case, Asked>> parse_request(const std::string& line);
[[nodiscard]] Result<Compilation> parse_compilation(const std::string& line);

class Source {
public:
    virtual ~Source() = default;
    // An Error if there is no answer, for example because a mutated compiler crashes.
    [[nodiscard]] virtual Result<Compilation> compile(const cases::Case& c, const Asked& asked) const = 0;
};

// Returns the text of the lowered case, without prophecies; empty if lowering fails.
std::string lowered_text(const Source& source, const cases::Case& c);

// Whether the mutant lowers the case to another program than the unmutated compiler does. `text_without` returns the
// text of the unmutated compiler's program. It is called only if the mutant changed anything.
bool is_lowered_otherwise(const Source& mutant, const cases::Case& c, const std::function<std::string()>& text_without);

// Returns a source: the compiler in this process. Borrows the server.
std::shared_ptr<const Source> installed(compiler::ForkServer& server, compiler::Identity identity);

// Returns a source: the compiler with a shared object preloaded. `command` answers each line of its standard input, a
// request, with one line. The command runs as long as the source lives; a forked process starts a command of its own.
std::shared_ptr<const Source> preloaded(std::filesystem::path library, std::vector<std::string> command);

}  // namespace haruspex::measure
