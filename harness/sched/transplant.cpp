#include "harness/sched/transplant.h"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "harness/sched/idle.h"
#include "harness/sched/normal_form.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"

namespace haruspex::sched {
namespace {

class Parted : public std::exception {
public:
    Parted(Part part, const Stmt& statement) : parting_{part, headline(statement)} {}
    const Parting& parting() const { return parting_; }

private:
    Parting parting_;
};

// The meaning of a name in the other program.
struct Declaration {
    std::string name;
    std::optional<Expr> let;     // the definition if it is a let
    std::string plain_variable;  // else the variable of the plain program
};

class Transplanter {
public:
    explicit Transplanter(const std::vector<std::string>& parameters)
        : parameters_(parameters.begin(), parameters.end()) {}

    Block match(const Block& plain, const Block& prophesied) {
        plain_.enter();
        prophesied_.enter();
        const std::size_t outer = declarations_.size();
        Block result;
        std::size_t other = 0;
        for (const Stmt& stmt : plain) {
            if (declare(stmt, plain_)) {
                result.push_back(stmt);
                continue;
            }
            if (is_idle(stmt, plain_)) {
                other = skip_lets(prophesied, other);
                const bool are_both = other < prophesied.size() && is_same_store(stmt, prophesied[other]);
                result.push_back(are_both ? match(stmt, prophesied[other++]) : stmt);
                continue;
            }
            other = skip(prophesied, other);
            if (other == prophesied.size()) { throw Parted(Part::structure, stmt); }
            result.push_back(match(stmt, prophesied[other++]));
        }
        other = skip(prophesied, other);
        if (other != prophesied.size()) { throw Parted(Part::structure, prophesied[other]); }
        declarations_.resize(outer);
        prophesied_.leave();
        plain_.leave();
        return result;
    }

private:
    // Lets, asserts and frees are not part of the correspondence.
    static bool declare(const Stmt& stmt, NormalForms& forms) {
        if (const auto* let = std::get_if<Let>(&stmt.node)) {
            forms.define(let->name, let->value);
            return true;
        }
        if (const auto* let = std::get_if<LetValue>(&stmt.node)) {
            forms.define(let->name, let->lanes, let->value);
            return true;
        }
        return std::holds_alternative<Assert>(stmt.node) || std::holds_alternative<Free>(stmt.node);
    }

    // Returns the position of the other program's next statement that is compared.
    std::size_t skip(const Block& block, std::size_t i) {
        i = skip_lets(block, i);
        while (i < block.size() && is_idle(block[i], prophesied_)) { i = skip_lets(block, i + 1); }
        return i;
    }

    std::size_t skip_lets(const Block& block, std::size_t i) {
        for (; i < block.size() && declare(block[i], prophesied_); ++i) {
            if (const auto* let = std::get_if<Let>(&block[i].node)) {
                declarations_.push_back({let->name, let->value, {}});
            }
        }
        return i;
    }

    // Whether both are single assignments to the same cells.
    bool is_same_store(const Stmt& plain, const Stmt& prophesied) {
        const auto* s = std::get_if<Assign>(&plain.node);
        const auto* other = std::get_if<Assign>(&prophesied.node);
        const auto is_simple = [](const Assign* a) {
            return a != nullptr && !a->lanes && !a->condition && a->writes.size() == 1;
        };
        if (!is_simple(s) || !is_simple(other)) { return false; }
        const Write &mine = s->writes[0], &theirs = other->writes[0];
        return plain_.of_array(mine.array) == prophesied_.of_array(theirs.array) &&
               std::ranges::equal(mine.indices, theirs.indices,
                                  [&](const Expr& a, const Expr& b) { return plain_.of(a) == prophesied_.of(b); });
    }

    void compare(Part part, const Expr& plain, const Expr& prophesied, const Stmt& where) {
        if (plain_.of(plain) != prophesied_.of(prophesied)) { throw Parted(part, where); }
    }

    void compare(Part part, const std::optional<Expr>& plain, const std::optional<Expr>& prophesied,
                 const Stmt& where) {
        if (plain.has_value() != prophesied.has_value()) { throw Parted(part, where); }
        if (plain) { compare(part, *plain, *prophesied, where); }
    }

    // Binds a variable of both programs.
    void bind(const std::string& plain, const std::string& prophesied) {
        const std::string common = "$" + std::to_string(++variables_);
        plain_.represent(plain, common);
        prophesied_.represent(prophesied, common);
        declarations_.push_back({prophesied, std::nullopt, plain});
    }

    void compare_names(const std::string& plain, const std::string& prophesied, const Stmt& where) {
        if (plain_.of_array(plain) != prophesied_.of_array(prophesied)) { throw Parted(Part::structure, where); }
    }

    // Returns a name for a let of the other program that the plain program does not have.
    std::string binder(std::size_t declaration) const {
        return declarations_[declaration].name + ".p" + std::to_string(declaration);
    }

    // Replaces the names declared before `limit`, and notes the lets among them. nullopt if the expression mentions
    // anything that the plain program does not have, such as a value.
    std::optional<Expr> renamed(const Expr& expr, std::size_t limit, std::set<std::size_t>& lets) const {
        Substitution substitution;
        for (const std::string& name : free_names(expr)) {
            std::size_t i = limit;
            while (i > 0 && declarations_[i - 1].name != name) { --i; }
            if (i == 0) {
                if (!parameters_.contains(name)) { return std::nullopt; }
                continue;
            }
            const Declaration& declaration = declarations_[i - 1];
            if (declaration.let) { lets.insert(i - 1); }
            substitution.insert_or_assign(name,
                                          Expr{Variable{declaration.let ? binder(i - 1) : declaration.plain_variable}});
        }
        return substitute(expr, substitution);
    }

    // Returns a prophecy in the plain program's names, inside the lets that it needs.
    std::optional<Expr> in_plain_words(const Expr& prophecy) const {
        std::set<std::size_t> lets;
        std::optional<Expr> result = renamed(prophecy, declarations_.size(), lets);
        if (!result) { return std::nullopt; }
        while (!lets.empty()) {
            const std::size_t innermost = *lets.rbegin();
            lets.erase(innermost);
            std::optional<Expr> value = renamed(*declarations_[innermost].let, innermost, lets);
            if (!value) { return std::nullopt; }
            result = Expr{LetIn{binder(innermost), std::move(*value), std::move(*result)}};
        }
        return result;
    }

    Stmt match(const Stmt& plain, const Stmt& prophesied) {
        if (plain.node.index() != prophesied.node.index()) { throw Parted(Part::structure, plain); }
        return std::visit(
            Overload{
                [&](const Assign& s) { return match_assign(s, std::get<Assign>(prophesied.node), plain); },
                [&](const For& s) { return match_for(s, std::get<For>(prophesied.node), plain); },
                [&](const If& s) {
                    const If& other = std::get<If>(prophesied.node);
                    compare(Part::condition, s.condition, other.condition, plain);
                    If result{s.condition, match(s.then, other.then), match(s.otherwise, other.otherwise)};
                    return Stmt{std::move(result)};
                },
                [&](const Allocate& s) {
                    const Allocate& other = std::get<Allocate>(prophesied.node);
                    const std::string common = "#" + std::to_string(++variables_);
                    plain_.represent(s.array, common);
                    prophesied_.represent(other.array, common);
                    return plain;
                },
                [&](const Atomic& s) { return Stmt{Atomic{match(s.body, std::get<Atomic>(prophesied.node).body)}}; },
                [&](const Accumulate& s) {
                    const Accumulate& other = std::get<Accumulate>(prophesied.node);
                    compare_names(s.array, other.array, plain);
                    return Stmt{Accumulate{s.array, match(s.body, other.body)}};
                },
                [&](const Semaphore& s) {
                    const Semaphore& other = std::get<Semaphore>(prophesied.node);
                    compare(Part::units, s.units, other.units, plain);
                    const std::string common = "%" + std::to_string(++variables_);
                    plain_.represent(s.name, common);
                    prophesied_.represent(other.name, common);
                    return plain;
                },
                [&](const Acquire& s) { return match_units(s, std::get<Acquire>(prophesied.node), plain); },
                [&](const Release& s) { return match_units(s, std::get<Release>(prophesied.node), plain); },
                [&](const Fork& s) {
                    const Fork& other = std::get<Fork>(prophesied.node);
                    return Stmt{Fork{match(s.first, other.first), match(s.second, other.second)}};
                },
                [&](const auto&) { return plain; }},
            plain.node);
    }

    template <typename Node>
    Stmt match_units(const Node& s, const Node& other, const Stmt& where) {
        compare_names(s.semaphore, other.semaphore, where);
        compare(Part::units, s.units, other.units, where);
        return where;
    }

    Stmt match_for(const For& s, const For& other, const Stmt& where) {
        if (s.kind != other.kind) { throw Parted(Part::structure, where); }
        compare(Part::bounds, s.min, other.min, where);
        compare(Part::bounds, s.extent, other.extent, where);
        scoped([&] { bind(s.variable, other.variable); });
        Block body = match(s.body, other.body);
        unscope();
        return {For{s.kind, s.variable, s.min, s.extent, std::move(body)}};
    }

    Stmt match_assign(const Assign& s, const Assign& other, const Stmt& where) {
        const bool same_lanes =
            s.lanes.has_value() == other.lanes.has_value() && (!s.lanes || s.lanes->count == other.lanes->count);
        if (!same_lanes || s.writes.size() != other.writes.size()) { throw Parted(Part::structure, where); }
        Assign result = s;
        scoped([&] {
            if (s.lanes) { bind(s.lanes->variable, other.lanes->variable); }
        });
        compare(Part::condition, s.condition, other.condition, where);
        for (std::size_t i = 0; i < s.writes.size(); ++i) {
            const Write& mine = s.writes[i];
            const Write& theirs = other.writes[i];
            compare_names(mine.array, theirs.array, where);
            if (mine.indices.size() != theirs.indices.size()) { throw Parted(Part::structure, where); }
            for (std::size_t d = 0; d < mine.indices.size(); ++d) {
                compare(Part::indices, mine.indices[d], theirs.indices[d], where);
            }
            if (theirs.prophecy) { result.writes[i].prophecy = in_plain_words(*theirs.prophecy); }
        }
        unscope();
        return {std::move(result)};
    }

    template <typename Declare>
    void scoped(Declare declare_variables) {
        plain_.enter();
        prophesied_.enter();
        scopes_.push_back(declarations_.size());
        declare_variables();
    }
    void unscope() {
        declarations_.resize(scopes_.back());
        scopes_.pop_back();
        prophesied_.leave();
        plain_.leave();
    }

    Atoms atoms_;
    NormalForms plain_{atoms_}, prophesied_{atoms_};
    std::vector<Declaration> declarations_;  // of the other program, innermost last
    std::vector<std::size_t> scopes_;
    int variables_ = 0;
    std::set<std::string> parameters_;  // of both programs
};

}  // namespace

std::string_view name(Part part) {
    switch (part) {
        case Part::structure: return "structure";
        case Part::bounds: return "bounds";
        case Part::condition: return "condition";
        case Part::indices: return "indices";
        case Part::units: return "units";
    }
    raise_internal_error(__FILE__, __LINE__, "no such part of a statement");
}

std::expected<Program, Parting> transplant(const Program& plain, const Program& prophesied) {
    try {
        Program result = plain;
        result.body = Transplanter(plain.parameters).match(plain.body, prophesied.body);
        return result;
    } catch (const Parted& e) { return std::unexpected(e.parting()); }
}

}  // namespace haruspex::sched
