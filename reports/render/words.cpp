#include "reports/render/words.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "generators/base/assignments.h"
#include "generators/base/ensure.h"
#include "oracle/judge/outputs.h"
#include "reports/render/view.h"

namespace haruspex::render {
namespace {

using verdict::Class;

struct TroubleWords {
    std::string_view heading, rule;
};

TroubleWords words_of(verdict::TroubleKind kind) {
    using verdict::TroubleKind;
    switch (kind) {
        case TroubleKind::out_of_bounds_read:
            return {"out-of-bounds read", "Every access lies within its allocation or its buffer."};
        case TroubleKind::out_of_bounds_write:
            return {"out-of-bounds write", "Every access lies within its allocation or its buffer."};
        case TroubleKind::read_after_free:
            return {"read after free", "No access to an allocation comes after its free."};
        case TroubleKind::write_after_free:
            return {"write after free", "No access to an allocation comes after its free."};
        case TroubleKind::free_after_free: return {"second free", "An allocation is freed once."};
        case TroubleKind::write_to_input: return {"write to an input", "Inputs are not written."};
        case TroubleKind::read_write_race:
            return {"race",
                    "What runs in parallel does not access a cell that another thread writes, unless a semaphore or a "
                    "mutex orders the two."};
        case TroubleKind::write_write_race:
            return {"race",
                    "What runs in parallel does not write a cell that another thread writes, unless a semaphore or a "
                    "mutex orders the two."};
        case TroubleKind::lane_conflict:
            return {"lanes in conflict", "Two lanes of a vector store do not write different values to one cell."};
        case TroubleKind::depends_on_uninit:
            return {"use of memory that is not written",
                    "No bound, condition, index or output depends on memory that was not written."};
        case TroubleKind::depends_on_undef:
            return {"use of an undefined value",
                    "No bound, condition or index depends on an overflow that the algorithm does not have."};
        case TroubleKind::assertion_failed:
            return {"failing assertion", "The pipeline's assertions hold on sizes that are allowed."};
        case TroubleKind::index_overflow: return {"overflow of an index", "Indices stay within their type."};
        case TroubleKind::negative_extent: return {"negative extent", "Extents are not negative."};
        case TroubleKind::negative_units:
            return {"negative count of a semaphore", "Semaphores are not acquired by negative counts."};
        case TroubleKind::deadlock:
            return {"deadlock", "The producers and consumers of a pipeline do not wait for each other."};
        case TroubleKind::order_matters:
            return {"result that depends on the order of threads",
                    "The result is the same in whatever order threads run."};
    }
    raise_internal_error(__FILE__, __LINE__, "no such kind of trouble");
}

std::optional<verdict::TroubleKind> trouble_of(const verdict::Verdict& v) {
    return v.lowered ? v.lowered->trouble : std::nullopt;
}

// Removes " in `statement`", which is too long for a title.
std::string without_statements(std::string text) {
    for (std::size_t open = text.find(" in `"); open != std::string::npos; open = text.find(" in `")) {
        const std::size_t close = text.find('`', open + 5);
        if (close == std::string::npos) { break; }
        text.erase(open, close + 1 - open);
    }
    return text;
}

std::string value_words(const cases::Case& c, const verdict::Difference& difference) {
    return judge::cell_name(c.sare, difference) + " is " + plain_value(difference.actual) + ", expected " +
           plain_value(difference.expected);
}

// The kinds of directives, each once.
std::string directives(const cases::Case& c) {
    std::set<std::string> kinds;
    for (const schedule::Directive& directive : c.schedule.directives) { kinds.insert(directive.kind()); }
    return fmt::format("{}", fmt::join(kinds, ", "));
}

std::string signal_name(int signal) {
    const char* name = ::sigabbrev_np(signal);
    return name == nullptr ? "signal " + std::to_string(signal) : "SIG" + std::string(name);
}

std::string kind_of_fault(const verdict::Verdict& v) {
    const auto trouble = trouble_of(v);
    switch (v.cls) {
        case Class::wrong_result:
        case Class::wrong_lowering:
        case Class::wrong_code:
        case Class::refuted_lowering:
        case Class::nondeterminism:
        case Class::stray_write: return "Wrong code";
        case Class::introduced_overflow: return "Overflow introduced";
        case Class::latent_bug:
            return trouble ? "Wrong code (" + std::string(words_of(*trouble).heading) + ")" : "Wrong code";
        case Class::over_rejection: return "Run-time error on valid sizes";
        case Class::compiler_crash: return "Compiler crash (" + signal_name(v.signal) + ")";
        case Class::compiler_internal_error: return "Internal error";
        case Class::compiler_hang: return "Compiler hang";
        case Class::compiler_out_of_memory: return "Compiler out of memory";
        case Class::program_crash: return "Crash of compiled code (" + signal_name(v.signal) + ")";
        case Class::program_hang: return (is_deadlock(v) ? "Deadlock" : "Hang") + std::string(" of compiled code");
        case Class::program_out_of_memory: return "Compiled code out of memory";
        case Class::agrees:
        case Class::rejected:
        case Class::bad_case:
        case Class::outside_context:
        case Class::not_compared:
        case Class::too_large: break;
        case Class::translation_fault:
        case Class::unsound_validator:
        case Class::solver_contradiction:
        case Class::harness_failure: return "Fault of haruspex";
    }
    return "No finding";
}

std::string what_breaks(const cases::Case& c, const verdict::Verdict& v) {
    switch (v.cls) {
        case Class::nondeterminism:
            return v.difference ? judge::cell_name(c.sare, *v.difference) + " depends on what the memory held before"
                                : "two runs differ";
        case Class::stray_write: return v.message;
        case Class::over_rejection:
        case Class::compiler_internal_error: return view(c.compiler).first_line(v.message);
        case Class::refuted_lowering: return "on inputs other than the first";
        default: break;
    }
    if (trouble_of(v)) { return without_statements(v.lowered->detail); }
    return v.difference ? value_words(c, *v.difference) : std::string();
}

// Returns where the program goes wrong, if known; otherwise the kinds of directives in the schedule.
std::string where(const cases::Case& c, const verdict::Verdict& v) {
    if (v.pass && !is_where_it_failed(v)) {
        const auto plain = [](const std::string& pass) { return pass.substr(0, pass.find('.')); };
        const std::string right = plain(v.pass->after), wrong = plain(v.pass->upto);
        return view(c.compiler).is_cleanup(wrong) && right != verdict::source
                   ? "wrong between " + right + " and " + wrong
                   : "wrong after " + wrong;
    }
    if (v.cls == Class::wrong_code) { return "in code generation"; }
    const std::string kinds = directives(c);
    return kinds.empty() ? "without a schedule" : "with " + kinds;
}

template <typename Float>
std::string shortest(Float value) {
    char characters[64];
    std::string text(characters, std::to_chars(characters, characters + sizeof characters, value).ptr);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace

std::string decimal(float value) { return shortest(value); }
std::string decimal(double value) { return shortest(value); }

std::string plain_value(const value::Value& v) {
    if (v.is_undef()) { return "undef"; }
    if (v.is_uninit()) { return "uninit"; }
    if (v.type() == value::Type::boolean) { return v.as_bool() ? "true" : "false"; }
    if (value::is_unsigned_integer(v.type())) { return std::to_string(v.as_unsigned()); }
    if (value::is_signed_integer(v.type())) { return std::to_string(v.as_signed()); }
    if (!std::isfinite(v.as_double())) {
        return std::isnan(v.as_double()) ? "nan" : v.as_double() < 0 ? "-inf" : "inf";
    }
    return v.type() == value::Type::f32 ? decimal(static_cast<float>(v.as_double())) : decimal(v.as_double());
}

std::string position_of(const verdict::LoweredOutcome& lowered) { return assignments(lowered.position); }

bool has_free_variable(const verdict::Verdict& v) {
    return v.lowered && v.lowered->not_run == verdict::NotRun::free_variable;
}

bool is_where_it_failed(const verdict::Verdict& v) {
    const bool has_failed = v.cls == Class::compiler_crash || v.cls == Class::compiler_internal_error;
    return has_failed && (!v.lowered || (v.pass && verdict::is_code_generation(*v.pass)));
}

std::string pass_name(const std::string& pass) {
    const std::size_t dot = pass.find('.');
    if (dot == std::string::npos) { return pass; }
    const std::string number = pass.substr(dot + 1);
    const std::string suffix = number == "2" ? "nd" : number == "3" ? "rd" : "th";
    return pass.substr(0, dot) + " (" + number + suffix + " time)";
}

std::string title(const cases::Case& c, const verdict::Verdict& v) {
    std::string text = kind_of_fault(v);
    const std::string what = what_breaks(c, v);
    return what.empty() ? text + " " + where(c, v) : text + ": " + what + " (" + where(c, v) + ")";
}

std::string outcome(const verdict::Verdict& v) {
    const std::string phase = v.phase.empty() ? "" : " (" + v.phase + ")";
    switch (v.cls) {
        case Class::wrong_code:
            return "The lowered program is right, and what is compiled from it gives a wrong result.";
        case Class::wrong_result: return "The compiled pipeline gives a wrong result.";
        case Class::introduced_overflow:
            return "The lowered program overflows, or converts a value out of range, where the algorithm does not.";
        case Class::latent_bug:
            return "The lowered program is wrong; the compiled code happens to give the right result.";
        case Class::refuted_lowering: return "The lowered program is right on these inputs and wrong on others.";
        case Class::over_rejection: return "The compiled pipeline stops with an error" + phase + ":";
        case Class::compiler_crash: return "The compiler dies of " + signal_name(v.signal) + phase + ".";
        case Class::compiler_internal_error: return "The compiler stops with an error of its own" + phase + ":";
        case Class::compiler_hang: return "The compiler does not come to an end" + phase + ".";
        case Class::compiler_out_of_memory: return "The compiler needs more than 2 GB of memory" + phase + ".";
        case Class::program_crash: return "The compiled pipeline dies of " + signal_name(v.signal) + phase + ".";
        case Class::program_hang:
            return "The compiled pipeline does not come to an end" + phase +
                   (is_deadlock(v) ? ": each of its threads waits for another." : ".");
        case Class::program_out_of_memory: return "The compiled pipeline needs more than 2 GB of memory" + phase + ".";
        case Class::stray_write: return "The compiled pipeline writes where nothing was asked for:";
        case Class::nondeterminism:
            return "Two runs differ, between which only what the memory held before they wrote to it is other.";
        default: return "The result is wrong, and so is the lowered program.";
    }
}

bool has_words(Class cls) {
    return cls == Class::over_rejection || cls == Class::compiler_internal_error || cls == Class::stray_write;
}

std::string broken_rule(const verdict::Verdict& v) {
    if (const auto trouble = trouble_of(v)) { return std::string(words_of(*trouble).rule); }
    switch (v.cls) {
        case Class::over_rejection:
            return "The compiled pipeline runs on every size that the documentation of its directives allows.";
        case Class::compiler_crash:
        case Class::compiler_internal_error:
        case Class::compiler_hang:
        case Class::compiler_out_of_memory:
            return "The compiler compiles every program and schedule that it does not refuse with a user error.";
        case Class::program_crash:
        case Class::program_hang:
        case Class::program_out_of_memory: return "The compiled pipeline runs to its end.";
        case Class::nondeterminism: return "The outputs do not depend on what the memory held before.";
        case Class::stray_write: return "Only the requested cells of an output are written.";
        case Class::wrong_result: return "The compiled pipeline gives a wrong result.";
        case Class::introduced_overflow:
            return "The lowered program overflows only where the algorithm does: every requested cell that the "
                   "algorithm defines holds that value.";
        default: return "Every requested cell holds the value that the algorithm defines.";
    }
}

}  // namespace haruspex::render
