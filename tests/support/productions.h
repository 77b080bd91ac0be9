#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/sched/syntax.h"
#include "harness/sched/traverse.h"

// Records which productions of SCHED's grammar (syntax.h) occur in programs, and in which context.
namespace haruspex::testing {

class Productions {
public:
    void count(const sched::Program& program) {
        for (const sched::Array& array : program.arrays) {
            for (const sched::Dimension& d : array.dimensions) { count(d); }
        }
        count("program", program.body);
    }

    // How often each production was seen, and each pair of a context and a production in it.
    const std::map<std::string, std::uint64_t>& seen() const { return seen_; }
    const std::map<std::pair<std::string, std::string>, std::uint64_t>& pairs() const { return pairs_; }

    // The pairs that grammar and typing allow but that were not seen.
    std::vector<std::pair<std::string, std::string>> missing() const {
        std::vector<std::pair<std::string, std::string>> result;
        const auto look = [&](const std::vector<std::string>& places, const std::vector<std::string>& what) {
            for (const std::string& place : places) {
                for (const std::string& one : what) {
                    if (!pairs_.contains({place, one})) { result.emplace_back(place, one); }
                }
            }
        };
        const std::vector<std::string> pure_index{"integer", "variable", "add",         "sub", "mul",
                                                  "div",     "mod",      "min",         "max", "int",
                                                  "select",  "let in",   "let value in"};
        const std::vector<std::string> condition{"truth", "variable", "comparison", "and",    "or",
                                                 "not",   "int",      "select",     "let in", "let value in"};
        const std::vector<std::string> value{"literal", "embed", "guard",  "value variable", "load",   "unary",
                                             "binary",  "cast",  "select", "lane reduce",    "let in", "let value in"};
        const std::vector<std::string> statement{"skip",          "let",     "let value", "allocate",   "free",
                                                 "assign",        "if",      "loop for",  "loop par",   "loop vector",
                                                 "loop unrolled", "assert",  "atomic",    "accumulate", "semaphore",
                                                 "acquire",       "release", "fork"};
        look({"add",        "sub",         "mul",          "div",          "mod",
              "min",        "max",         "comparison",   "embed",        "value variable",
              "load index", "select",      "let in value", "let in",       "let value in",
              "extent",     "minimum",     "stride",       "loop minimum", "loop extent",
              "units",      "write index", "let"},
             pure_index);
        look({"comparison", "and", "or", "not", "guard", "select condition", "load guard", "select", "let in value",
              "let in", "let value in", "write condition", "if", "assert", "allocate condition", "let"},
             condition);
        look({"int", "unary", "binary", "cast", "select", "lane reduce", "let in", "let value in", "let value in value",
              "written", "let value"},
             value);
        look({"program", "if", "loop for", "loop par", "loop vector", "loop unrolled", "atomic", "accumulate", "fork"},
             statement);
        return result;
    }

private:
    void note(const std::string& place, const std::string& what) {
        ++seen_[what];
        ++pairs_[{place, what}];
    }

    static std::string name(const sched::Expr& e) {
        if (const auto* n = std::get_if<sched::IndexBinary>(&e.node)) {
            static constexpr std::array names{"add", "sub", "mul", "div", "mod", "min", "max"};
            return names[static_cast<std::size_t>(n->op)];
        }
        static constexpr std::array names{"integer",
                                          "truth",
                                          "variable",
                                          "",
                                          "comparison",
                                          "and",
                                          "or",
                                          "not",
                                          "int",
                                          "literal",
                                          "embed",
                                          "guard",
                                          "value variable",
                                          "load",
                                          "tensor",
                                          "unary",
                                          "binary",
                                          "cast",
                                          "select",
                                          "lane reduce",
                                          "let in",
                                          "let value in"};
        return names[e.node.index()];
    }

    void count(const std::string& place, const sched::Expr& e) {
        const std::string here = name(e);
        note(place, here);
        std::visit(Overload{[&](const sched::Load& n) {
                                for (const sched::Expr& index : n.indices) { count("load index", index); }
                                if (n.guard) { count("load guard", **n.guard); }
                            },
                            [&](const sched::Select& n) {
                                count("select condition", *n.condition);
                                count("select", *n.if_true);
                                count("select", *n.if_false);
                            },
                            [&](const sched::LetIn& n) {
                                count("let in value", *n.value);
                                count("let in", *n.body);
                            },
                            [&](const sched::LetValueIn& n) {
                                count("let value in value", *n.value);
                                count("let value in", *n.body);
                            },
                            [&](const auto&) {
                                sched::for_each_part(e, [&](const sched::Expr& part) { count(here, part); });
                            }},
                   e.node);
    }

    void count(const sched::Dimension& d) {
        count("extent", d.extent);
        count("minimum", d.min);
        if (d.stride) { count("stride", *d.stride); }
    }

    void count(const std::string& place, const sched::Block& block) {
        if (block.empty()) { note(place, "skip"); }
        for (const sched::Stmt& s : block) { count(place, s); }
    }

    void count(const std::string& place, const sched::Stmt& stmt) {
        const auto here = [&](const std::string& what) { note(place, what); };
        std::visit(Overload{[&](const sched::Let& s) {
                                here("let");
                                count("let", s.value);
                            },
                            [&](const sched::LetValue& s) {
                                here("let value");
                                count("let value", s.value);
                            },
                            [&](const sched::Allocate& s) {
                                here("allocate");
                                for (const sched::Dimension& d : s.dimensions) { count(d); }
                                if (s.condition) { count("allocate condition", *s.condition); }
                            },
                            [&](const sched::Free&) { here("free"); },
                            [&](const sched::Assign& s) {
                                here("assign");
                                if (s.condition) { count("write condition", *s.condition); }
                                for (const sched::Write& w : s.writes) {
                                    for (const sched::Expr& index : w.indices) { count("write index", index); }
                                    count("written", w.value);
                                }
                            },
                            [&](const sched::If& s) {
                                here("if");
                                count("if", s.condition);
                                count("if", s.then);
                                count("if", s.otherwise);
                            },
                            [&](const sched::For& s) {
                                static constexpr std::array kinds{"loop for", "loop par", "loop vector",
                                                                  "loop unrolled"};
                                const std::string kind = kinds[static_cast<std::size_t>(s.kind)];
                                here(kind);
                                count("loop minimum", s.min);
                                count("loop extent", s.extent);
                                count(kind, s.body);
                            },
                            [&](const sched::Assert& s) {
                                here("assert");
                                count("assert", s.condition);
                            },
                            [&](const sched::Atomic& s) {
                                here("atomic");
                                count("atomic", s.body);
                            },
                            [&](const sched::Accumulate& s) {
                                here("accumulate");
                                count("accumulate", s.body);
                            },
                            [&](const sched::Semaphore& s) {
                                here("semaphore");
                                count("units", s.units);
                            },
                            [&](const sched::Acquire& s) {
                                here("acquire");
                                count("units", s.units);
                            },
                            [&](const sched::Release& s) {
                                here("release");
                                count("units", s.units);
                            },
                            [&](const sched::Fork& s) {
                                here("fork");
                                count("fork", s.first);
                                count("fork", s.second);
                            }},
                   stmt.node);
    }

    std::map<std::string, std::uint64_t> seen_;
    std::map<std::pair<std::string, std::string>, std::uint64_t> pairs_;
};

}  // namespace haruspex::testing
