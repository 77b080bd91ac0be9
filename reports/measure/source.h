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

// Where lowered programs come from: the installed compiler, or one that is wrong on purpose.
namespace haruspex::measure {
using Regions = std::vector<compiler::InputRegion>;

// What is asked of a compiler about a case.
struct Asked {
    std::vector<Sizes> sizes;  // for each: which regions of its inputs the lowered program reads
    bool plain = false;        // what it lowers to
    bool prophesied = false;   // the same with prophecies
    bool native = false;       // compile and run it at the case's own sizes
};

// The answer. Programs are the same for all sizes.
struct Compilation {
    std::expected<std::string, std::string> plain = std::unexpected("not asked for");       // or why there is none
    std::expected<std::string, std::string> prophesied = std::unexpected("not asked for");  // with prophecies
    bool is_mutated = false;                      // a mutant changed something of the plain program
    std::vector<std::optional<Regions>> regions;  // for each of the sizes, where they are known
    std::string native_class, native_message;     // of the native run alone (verdict::name)
    double native_compile_seconds = 0;            // of which the compiler's own part
    double native_cpu_seconds = 0;                // of compiling and running
};

// What is asked, of this compiler.
Compilation compile(const cases::Case& c, const Asked& asked, compiler::ForkServer& server,
                    const compiler::Identity& identity);

// One line each. An Error says what is malformed.
std::string to_json(const cases::Case& c, const Asked& asked);
std::string to_json(const Compilation& compilation);
[[nodiscard]] Result<std::pair<cases::Case, Asked>> parse_request(const std::string& line);
[[nodiscard]] Result<Compilation> parse_compilation(const std::string& line);

class Source {
public:
    virtual ~Source() = default;
    // An Error when there is no answer, as when a compiler with a mutant breaks.
    [[nodiscard]] virtual Result<Compilation> compile(const cases::Case& c, const Asked& asked) const = 0;
};

// The text of what the case is lowered to, without prophecies; empty when it is not.
std::string lowered_text(const Source& source, const cases::Case& c);

// Whether a mutant lowers the case to something else than the compiler that it was made of does, which is asked for its
// text where the mutant changed anything at all.
bool is_lowered_otherwise(const Source& mutant, const cases::Case& c, const std::function<std::string()>& text_without);

// The compiler of this process. Borrows the server.
std::shared_ptr<const Source> installed(compiler::ForkServer& server, compiler::Identity identity);

// The compiler with a shared object loaded before it: `command` answers each line of its standard input, a request,
// with one. It is kept running as long as the source lives; a process that is forked meanwhile starts one of its own.
std::shared_ptr<const Source> preloaded(std::filesystem::path library, std::vector<std::string> command);

}  // namespace haruspex::measure
