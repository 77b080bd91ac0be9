#include "harness/sched/print.h"

#include <algorithm>
#include <string_view>

#include "generators/base/overload.h"
#include "harness/sched/bounds.h"
#include "harness/sched/precedence.h"

namespace haruspex::sched {

namespace {

constexpr int sum_precedence = precedence(value::BinaryOp::add);

// -1*x is written -x, but a minus in front of a number would be its sign.
bool is_negated(const IndexBinary& n) {
    const auto* factor = std::get_if<Integer>(&n.a->node);
    return n.op == IndexOp::mul && factor != nullptr && factor->value == -1 &&
           !std::holds_alternative<Integer>(n.b->node);
}

int precedence_of(const Expr& expr) {
    return std::visit(
        Overload{
            [](const IndexBinary& n) { return is_negated(n) ? prefix_precedence : precedence(counterpart(n.op)); },
            [](const Comparison& n) { return precedence(counterpart(n.relation)); },
            [](const And&) { return and_precedence; }, [](const Or&) { return or_precedence; },
            [](const Not&) { return not_precedence; },
            [](const Unary& n) { return n.op == value::UnaryOp::absolute ? primary_precedence : prefix_precedence; },
            [](const Binary& n) { return precedence(n.op); }, [](const LetIn&) { return let_precedence; },
            [](const LetValueIn&) { return let_precedence; }, [](const auto&) { return primary_precedence; }},
        expr.node);
}

class Printer {
public:
    std::string take() { return std::move(out_); }

    // Writes brackets if the expression binds less tightly than its place needs.
    void expr(const Expr& e, int least = let_precedence) {
        if (precedence_of(e) < least) {
            put("(");
            bare(e);
            put(")");
        } else {
            bare(e);
        }
    }

    void statement(const Stmt& stmt, int level) {
        indent(level);
        head(stmt);
        std::visit(Overload{[&](const If& s) {
                                block(s.then, level);
                                if (!s.otherwise.empty()) {
                                    put(" else");
                                    block(s.otherwise, level);
                                }
                            },
                            [&](const For& s) { block(s.body, level); }, [&](const Atomic& s) { block(s.body, level); },
                            [&](const Accumulate& s) { block(s.body, level); },
                            [&](const Fork& s) {
                                block(s.first, level);
                                put(" and");
                                block(s.second, level);
                            },
                            [&](const auto&) { put(";"); }},
                   stmt.node);
        put("\n");
    }

    // Writes everything but the blocks and the end of the line.
    void head(const Stmt& stmt) {
        std::visit(
            Overload{[&](const Let& s) {
                         put("let ", s.name, " = ");
                         expr(s.value);
                     },
                     [&](const LetValue& s) { let_value(s.name, s.lanes, s.type, s.value); },
                     [&](const Allocate& s) {
                         put("allocate ", s.array, " : ", value::name(s.type));
                         dimensions(s.dimensions);
                         if (s.condition) {
                             put(" if ");
                             expr(*s.condition);
                         }
                     },
                     [&](const Free& s) { put("free ", s.array); }, [&](const Assign& s) { assign(s); },
                     [&](const If& s) {
                         put("if ");
                         expr(s.condition);
                     },
                     [&](const For& s) {
                         put(spelling(s.kind), " ", s.variable, " in [");
                         expr(s.min);
                         put(", ");
                         expr(upper_bound(s.min, s.extent));
                         put(")");
                     },
                     [&](const Assert& s) {
                         put("assert ");
                         if (s.kind != AssertKind::plain) { put(s.kind == AssertKind::type ? "{type} " : "{size} "); }
                         expr(s.condition);
                         put(" ");
                         string(s.message);
                     },
                     [&](const Atomic&) { put("atomic"); }, [&](const Accumulate& s) { put("accumulate ", s.array); },
                     [&](const Semaphore& s) {
                         put("semaphore ", s.name, " = ");
                         expr(s.units);
                     },
                     [&](const Acquire& s) { units("acquire ", s.units, s.semaphore); },
                     [&](const Release& s) { units("release ", s.units, s.semaphore); },
                     [&](const Fork&) { put("fork"); }},
            stmt.node);
    }

    void array(const Array& a) {
        put(a.role == Role::input ? "input " : "output ", a.name);
        if (a.tensor != a.name || a.component != 0) { put(" for ", a.tensor); }
        if (a.component != 0) { put("[", std::to_string(a.component), "]"); }
        put(" : ", value::name(a.type));
        dimensions(a.dimensions);
    }

    void program(const Program& p) {
        put("sched ", p.name, "(");
        for (std::size_t i = 0; i < p.parameters.size(); ++i) { put(i == 0 ? "" : ", ", p.parameters[i]); }
        put(p.has_loose_floats ? ") with loose floats {\n" : ") {\n");
        for (const Array& a : p.arrays) {
            indent(1);
            array(a);
            put(";\n");
        }
        for (const Stmt& s : p.body) { statement(s, 1); }
        put("}\n");
    }

private:
    template <typename... Parts>
    void put(const Parts&... parts) {
        ((out_ += parts), ...);
    }
    void indent(int level) { out_.append(2 * static_cast<std::size_t>(level), ' '); }

    static std::string_view spelling(LoopKind kind) {
        switch (kind) {
            case LoopKind::serial: return "for";
            case LoopKind::parallel: return "par";
            case LoopKind::vector: return "vector";
            case LoopKind::unrolled: return "unrolled";
        }
        return "for";
    }

    void list(const std::vector<Expr>& parts) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (i > 0) { put(", "); }
            expr(parts[i]);
        }
    }

    void call(std::string_view name, std::initializer_list<const Expr*> arguments) {
        put(name, "(");
        for (bool first = true; const Expr* argument : arguments) {
            put(first ? "" : ", ");
            expr(*argument);
            first = false;
        }
        put(")");
    }

    void infix(const Expr& a, std::string_view op, const Expr& b, int level) {
        expr(a, level);
        put(op);
        expr(b, level + 1);
    }
    void infix_spaced(const Expr& a, std::string_view op, const Expr& b, int level) {
        infix(a, " " + std::string(op) + " ", b, level);
    }

    void lanes(const Lanes& lanes) { put(lanes.variable, " < ", std::to_string(lanes.count)); }

    void let_value(const std::string& name, const std::optional<Lanes>& family, value::Type type, const Expr& value) {
        put("let ", name);
        if (family) {
            put("[");
            lanes(*family);
            put("]");
        }
        put(" : ", value::name(type), " = ");
        expr(value);
    }

    void units(std::string_view what, const Expr& count, const std::string& semaphore) {
        put(what);
        expr(count);
        put(" of ", semaphore);
    }

    void index_binary(const IndexBinary& n) {
        const std::string_view op = sched::spelling(n.op);
        if (n.op == IndexOp::min || n.op == IndexOp::max) { return call(op, {&*n.a, &*n.b}); }
        if (is_negated(n)) {
            put("-");
            return expr(*n.b, prefix_precedence);
        }
        const int level = precedence(counterpart(n.op));
        if (level == sum_precedence) { return infix_spaced(*n.a, op, *n.b, level); }
        infix(*n.a, op, *n.b, level);
    }

    void unary(const Unary& n) {
        const std::string_view op = value::spelling(n.op);
        if (n.op == value::UnaryOp::absolute) { return call(op, {&*n.a}); }
        // A minus in front of a number would be its sign.
        if (n.op == value::UnaryOp::negate && std::holds_alternative<Literal>(n.a->node)) { return call(op, {&*n.a}); }
        put(op);
        expr(*n.a, prefix_precedence);
    }

    void bare(const Expr& e) {
        std::visit(Overload{[&](const Integer& n) { put(std::to_string(n.value)); },
                            [&](const Truth& n) { put(n.value ? "true" : "false"); },
                            [&](const Variable& n) { put(n.name); },
                            [&](const IndexBinary& n) { index_binary(n); },
                            [&](const Comparison& n) {
                                infix_spaced(*n.a, sched::spelling(n.relation), *n.b,
                                             precedence(counterpart(n.relation)));
                            },
                            [&](const And& n) { infix(*n.a, " and ", *n.b, and_precedence); },
                            [&](const Or& n) { infix(*n.a, " or ", *n.b, or_precedence); },
                            [&](const Not& n) {
                                put("not ");
                                expr(*n.a, not_precedence);
                            },
                            [&](const IntegerOf& n) { call("int", {&*n.a}); },
                            [&](const Literal& n) { put(value::to_string(n.value)); },
                            [&](const Embed& n) {
                                put(value::name(n.type), "<");
                                expr(*n.index, sum_precedence);
                                put(">");
                            },
                            [&](const Guard& n) {
                                put("[");
                                expr(*n.condition);
                                put("]");
                            },
                            [&](const ValueVariable& n) {
                                put(n.name);
                                if (n.lane) {
                                    put("[");
                                    expr(**n.lane);
                                    put("]");
                                }
                            },
                            [&](const Load& n) {
                                put(n.array, "[");
                                list(n.indices);
                                put("]");
                                if (n.guard) { call("?", {&**n.guard}); }
                            },
                            [&](const TensorAccess& n) {
                                put(n.tensor, "(");
                                list(n.indices);
                                put(")");
                                if (n.component != 0) { put("[", std::to_string(n.component), "]"); }
                            },
                            [&](const Unary& n) { unary(n); },
                            [&](const Binary& n) {
                                const std::string_view op = value::spelling(n.op);
                                if (sare::is_call(n.op)) { return call(op, {&*n.a, &*n.b}); }
                                infix_spaced(*n.a, op, *n.b, precedence(n.op));
                            },
                            [&](const Cast& n) { call(value::name(n.type), {&*n.a}); },
                            [&](const Select& n) { call("select", {&*n.condition, &*n.if_true, &*n.if_false}); },
                            [&](const LaneReduce& n) {
                                put(value::spelling(n.op), " lanes ");
                                lanes(n.lanes);
                                call(" of ", {&*n.body});
                            },
                            [&](const LetIn& n) {
                                put("let ", n.name, " = ");
                                expr(*n.value);
                                put(" in ");
                                expr(*n.body);
                            },
                            [&](const LetValueIn& n) {
                                let_value(n.name, n.lanes, n.type, *n.value);
                                put(" in ");
                                expr(*n.body);
                            }},
                   e.node);
    }

    void dimensions(const std::vector<Dimension>& dimensions) {
        put("[");
        for (std::size_t i = 0; i < dimensions.size(); ++i) {
            const Dimension& d = dimensions[i];
            put(i == 0 ? "" : ", ");
            expr(d.extent);
            if (d.min != Expr{Integer{0}}) {
                put(" from ");
                expr(d.min);
            }
            if (d.stride) {
                put(" stride ");
                expr(*d.stride);
            }
        }
        put("]");
    }

    void assign(const Assign& s) {
        if (s.lanes) {
            put("lanes ");
            lanes(*s.lanes);
            put(" do ");
        }
        if (s.condition) {
            put("if ");
            expr(*s.condition);
            put(" do ");
        }
        for (std::size_t i = 0; i < s.writes.size(); ++i) {
            put(i == 0 ? "" : ", ");
            write(s.writes[i]);
        }
    }

    void write(const Write& w) {
        put(w.array, "[");
        list(w.indices);
        put("]");
        if (w.prophecy) {
            put(" {");
            expr(*w.prophecy);
            put("}");
        }
        if (w.accumulation) {
            put(" ", accumulating(w.accumulation->op), " {");
            list(w.accumulation->reduced);
            put("} ");
        } else {
            put(" := ");
        }
        expr(w.value);
    }

    void block(const Block& block, int level) {
        put(" {");
        if (!block.empty()) {
            put("\n");
            for (const Stmt& s : block) { statement(s, level + 1); }
            indent(level);
        }
        put("}");
    }

    // Bytes other than printable ASCII are written \xHH, since a message may hold any.
    void string(std::string_view text) {
        constexpr std::string_view digits = "0123456789abcdef";
        put("\"");
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\') {
                out_ += {'\\', c};
            } else if (c == '\n') {
                put("\\n");
            } else if (byte < 0x20 || byte >= 0x7F) {
                out_ += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
            } else {
                out_ += c;
            }
        }
        put("\"");
    }

    std::string out_;
};

}  // namespace

std::string print(const Program& program) {
    Printer printer;
    printer.program(program);
    return printer.take();
}

std::string print(const Expr& expr) {
    Printer printer;
    printer.expr(expr);
    return printer.take();
}

std::string print(const Stmt& stmt, int level) {
    Printer printer;
    printer.statement(stmt, level);
    return printer.take();
}

std::string headline(const Stmt& stmt) {
    Printer printer;
    printer.head(stmt);
    return printer.take();
}

}  // namespace haruspex::sched
