#include "oracle/validator/evaluation/derivation.h"

#include <ranges>
#include <set>

#include "generators/affine/coalesce.h"
#include "generators/affine/gist.h"
#include "harness/sched/text.h"

namespace haruspex::validator {
namespace {

bool has_block(const sched::Stmt& stmt) {
    return std::holds_alternative<sched::For>(stmt.node) || std::holds_alternative<sched::If>(stmt.node);
}

std::string rule_of(const sched::Stmt& stmt) {
    if (const auto* loop = std::get_if<sched::For>(&stmt.node)) {
        return (loop->kind == sched::LoopKind::parallel ? "S-ParLoop(" : "S-SeqLoop(") + loop->variable + ")";
    }
    if (std::holds_alternative<sched::If>(stmt.node)) { return "S-If"; }
    if (std::holds_alternative<sched::Free>(stmt.node)) { return "S-Free"; }
    return "S-Assign";
}

// Joins the lines of a text into one.
std::string on_one_line(std::string text, std::string_view separator) {
    if (text.ends_with('\n')) { text.pop_back(); }
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) {
        text.replace(at, 1, separator);
        at += separator.size();
    }
    return text;
}

// Drops the conditions that the context implies. Coalesced first: separate cases may be implied together.
template <typename T>
T within(const T& object, const isl::set& context) {
    return affine::gist_params(affine::coalesced(object.intersect_params(context)), context);
}

std::string locations_text(const heap::Locations& locations, const isl::set& context) {
    return locations.is_empty() ? "∅" : on_one_line(heap::to_string(within(locations, context)), "; ");
}

}  // namespace

// --- Writing ------------------------------------------------------------------------------------------------------

void Derivation::note(const std::string& head) { steps_->back().notes.push_back(head); }

// Adds a line below the head of the note; a text of several lines becomes a block below its label.
void Derivation::fact(const std::string& label, const std::string& text) {
    std::string& last = steps_->back().notes.back();
    std::string whole = text;
    if (whole.ends_with('\n')) { whole.pop_back(); }
    last += "\n   " + label;
    if (!whole.contains('\n')) {
        last += " " + whole;
        return;
    }
    for (const auto line : std::views::split(whole, '\n')) {
        last += "\n     " + std::string(line.begin(), line.end());
    }
}

// Prints a heap relative to h₀.
void Derivation::heap(const std::string& label, const heap::Heap& heap, const Scope& scope) {
    const heap::Heap written = within(heap.subtract(initial_).intersect_params(scope.context()), scope.context());
    if (written.is_empty()) { return fact(label, "h₀"); }
    fact(label + " h₀ ▷", heap::to_string(written, templates_));
}

// --- Γ ------------------------------------------------------------------------------------------------------------

void Derivation::start(const Scope& scope, const heap::Heap& initial, const Lazy<heap::Heap>& within_bounds) {
    if (steps_ == nullptr) { return; }
    initial_ = initial;
    steps_->push_back({0, "", {}});
    note("=> Γ ← " + heap::condition_to_string(scope.context()));
    fact("h₀ ←", initial.is_empty() ? "∅" : heap::to_string(within_bounds(), templates_));
}

void Derivation::statement(int level, const sched::Stmt& stmt) {
    if (steps_ == nullptr) { return; }
    steps_->push_back({level, sched::headline(stmt) + (has_block(stmt) ? " {" : ";"), {}});
}

void Derivation::let(const sched::Let& let) {
    if (steps_ == nullptr) { return; }
    note("=> S-Let: Γ ← Γ, " + let.name + " = " + sched::print(let.value));
}

void Derivation::let_value(const std::vector<Read>& reads, const Lazy<heap::Value>& value, const Scope& scope,
                           const heap::Memory& memory) {
    if (steps_ == nullptr) { return; }
    note("=> S-Let, of a value:");
    operands(reads, scope, memory);
    fact("⟦e⟧_h =", heap::to_string(within(value(), scope.context()), templates_));
}

void Derivation::allocation(const ArrayInScope& array, const Scope& scope) {
    if (steps_ == nullptr) { return; }
    const heap::Locations cells = array.cells().intersect_params(array.exists).to_union_set();
    note("=> S-Allocate: Γ ← Γ, " + locations_text(cells, scope.context()) + ", all of them Uninit");
}

// --- Assignments --------------------------------------------------------------------------------------------------

void Derivation::enter_assign(const sched::Assign& assign, const std::string& lane, const Scope& outer,
                              const Scope& inner) {
    if (steps_ == nullptr) { return; }
    note(inner.context().is_empty() ? "<= S-Assign, which never runs:" : "<= S-Assign:");
    if (!assign.lanes && !assign.condition) { return; }
    fact("Γ ←", "Γ, " + (lane.empty() ? "" : lane + " : 𝔸, ") +
                    heap::condition_to_string(affine::gist(inner.context(), outer.context())));
}

void Derivation::operands(const std::vector<Read>& reads, const Scope& scope, const heap::Memory& memory) {
    if (steps_ == nullptr || reads.empty()) { return; }
    std::set<std::string> arrays, seen;
    for (const Read& read : reads) { arrays.insert(scope.array(read.array).unique_name); }
    const heap::Heap heap = memory.only(arrays);
    this->heap("h =", heap, scope);
    for (const Read& read : reads) {
        if (read.location.is_empty()) { continue; }
        const heap::Value held = heap::apply(heap, read.location).intersect_params(read.environments);
        std::string text = heap::to_string(within(held, scope.context()), templates_);
        const isl::set missing = read.environments.subtract(heap::environments(held));
        if (!missing.is_empty()) {
            const std::string where = heap::condition_to_string(affine::gist(missing, scope.context()));
            text += where == "true" ? "uninit\n" : "uninit : " + where + "\n";
        }
        const std::string label = "⟦" + locations_text(read.location, scope.context()) + "⟧_h =";
        if (seen.insert(label + text).second) { fact(label, text); }
    }
}

// C of S-Assign: decompose(t) = ⟦e⟧_h
void Derivation::equation(const Deferred<Equation>& deferred, const Scope& scope) {
    if (steps_ == nullptr) { return; }
    const Equation equation = deferred();
    const auto side = [&](const heap::Value& value) {
        const heap::Value here = within(value.intersect_params(equation.environments), scope.context());
        return on_one_line(heap::to_string(here, templates_), "\n");
    };
    const std::string prophesied = side(equation.specification), computed = side(equation.implementation);
    if (!prophesied.contains('\n') && !computed.contains('\n')) { return fact("C ←", prophesied + " = " + computed); }
    fact("decompose(t) =", prophesied);
    fact("⟦e⟧_h =", computed);
    fact("C ←", "decompose(t) = ⟦e⟧_h");
}

// --- Loops and branches -------------------------------------------------------------------------------------------

void Derivation::enter_loop(const sched::Stmt& stmt, const std::string& variable, const isl::set& iterations,
                            const Scope& outer, const Scope& inner, const heap::Memory& memory,
                            const std::set<std::string>& arrays) {
    if (steps_ == nullptr) { return; }
    note("=> " + rule_of(stmt) + ": Γ ← Γ, " + variable + " : 𝔸, " +
         heap::condition_to_string(affine::gist(iterations, outer.context())));
    this->heap("h ←", memory.only(arrays), inner);
}

void Derivation::enter_branch(int level, const sched::Expr& condition, bool holds) {
    if (steps_ == nullptr) { return; }
    if (!holds) { steps_->push_back({level, "} else {", {}}); }
    note("=> S-If: Γ ← Γ, " + std::string(holds ? "" : "not (") + sched::print(condition) + (holds ? "" : ")"));
}

void Derivation::leave(int level, const sched::Stmt& stmt, const Summary& summary, const Scope& scope) {
    if (steps_ == nullptr) { return; }
    if (has_block(stmt)) { steps_->push_back({level, "}", {}}); }
    // For an assignment, the note goes on.
    if (!std::holds_alternative<sched::Assign>(stmt.node)) { note("<= " + rule_of(stmt) + ":"); }
    const heap::Heap delta = within(heap::whole(scope.ctx(), summary.delta), scope.context());
    fact("Δh ←", delta.is_empty() ? "∅" : heap::to_string(delta, templates_));
    const heap::Heap reduced = within(heap::whole(scope.ctx(), summary.reduced), scope.context());
    if (!reduced.is_empty()) { fact("reduced ←", heap::to_string(reduced, templates_)); }
    const heap::Locations reads = heap::whole(scope.ctx(), summary.all_reads());
    if (!reads.is_empty()) { fact("R ←", locations_text(reads, scope.context())); }
}

void Derivation::race_freedom(const std::string& variable, const Summary& body, const Scope& inner) {
    if (steps_ == nullptr) { return; }
    const std::string other = variable + "~";
    fact("rw-safe:", "dom(Δh) # R[" + variable + " := " + other + "] of two iterations, " + variable + " != " + other);
    const heap::Heap delta = heap::whole(inner.ctx(), body.delta);
    fact("  dom(Δh) =", locations_text(heap::domain(delta), inner.context()));
    fact("  R =", locations_text(heap::whole(inner.ctx(), body.all_reads()), inner.context()));
    const bool is_single = heap::is_single_valued(heap::iterated_union(delta, variable, inner.context()));
    fact("ww-covered:", is_single ? "⋃ Δh is single-valued" : "see the obligations");
}

}  // namespace haruspex::validator
