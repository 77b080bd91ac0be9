#include "oracle/validator/validator.h"

namespace haruspex::validator {
namespace {

// Each line of the program with its notes as comments below it.
std::string derivation_text(const std::vector<Step>& steps) {
    std::string text;
    for (const Step& step : steps) {
        const std::string indent(static_cast<std::size_t>(step.level) * 2, ' ');
        if (!step.line.empty()) { text += indent + step.line + "\n"; }
        for (std::string note : step.notes) {
            while (note.ends_with('\n')) { note.pop_back(); }
            text += indent + "  // ";
            for (const char c : note) { text += c == '\n' ? "\n" + indent + "  // " : std::string(1, c); }
            text += "\n";
        }
    }
    return text;
}

std::string obligation_text(const Judgement& judgement) {
    const std::string text = std::string(name(judgement.kind)) + ": " + judgement.statement + "\n    " + judgement.rule;
    if (judgement.state == Judgement::State::not_looked_at) { return text + "\n    not looked at\n"; }
    if (judgement.holds()) { return text + "\n    holds by " + std::string(name(*judgement.rung)) + "\n"; }
    const std::string where = judgement.environments.empty() ? "" : "    where " + judgement.environments + "\n";
    return text + "\n    NOT SHOWN: " + judgement.reason + "\n" + where;
}

}  // namespace

std::string explain(const Verdict& verdict) {
    std::string text = derivation_text(verdict.steps);
    if (!verdict.steps.empty()) { text += "\n"; }
    std::size_t number = 0;
    for (const Judgement& judgement : verdict.judgements) {
        text += "(" + std::to_string(++number) + ") " + obligation_text(judgement);
    }
    text += "\n" + std::string(name(verdict.outcome)) + ": " + reason(verdict) + "\n";
    if (verdict.counterexample) {
        std::string sizes;
        for (const auto& [size, value] : verdict.counterexample->sizes) {
            sizes += " " + size + "=" + std::to_string(value);
        }
        text += "counterexample" + (sizes.empty() ? "" : ":" + sizes) + ": " + verdict.counterexample->message + "\n";
    }
    if (verdict.cross_checks.checked() > 0) { text += "checked " + to_string(verdict.cross_checks) + "\n"; }
    return text;
}

}  // namespace haruspex::validator
