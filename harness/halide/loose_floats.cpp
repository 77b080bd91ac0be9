#include "harness/halide/loose_floats.h"

#include <algorithm>
#include <set>
#include <string>

namespace haruspex::halide {
namespace {

using namespace Halide::Internal;

// Skips the contents of a strict_float. Nodes that also occur outside one are visited there.
class LooseFloats : public IRGraphVisitor {
public:
    bool found() const { return found_; }

private:
    using IRGraphVisitor::visit;

    static bool computes(const Call& call) {
        static const std::set<std::string> copies{"likely",          "likely_if_innermost",    "if_then_else",
                                                  "promise_clamped", "unsafe_promise_clamped", "undef",
                                                  "reinterpret"};
        if (call.call_type == Call::Halide || call.call_type == Call::Image) { return false; }
        const auto is_float = [](const Halide::Expr& e) { return e.type().is_float(); };
        return (call.type.is_float() || std::ranges::any_of(call.args, is_float)) && !copies.contains(call.name);
    }

    template <typename Node>
    void operation(const Node* node, const Halide::Type& type) {
        found_ = found_ || type.is_float();
        IRGraphVisitor::visit(node);
    }

    void visit(const Add* node) override { operation(node, node->type); }
    void visit(const Sub* node) override { operation(node, node->type); }
    void visit(const Mul* node) override { operation(node, node->type); }
    void visit(const Div* node) override { operation(node, node->type); }
    void visit(const Mod* node) override { operation(node, node->type); }
    void visit(const Min* node) override { operation(node, node->type); }
    void visit(const Max* node) override { operation(node, node->type); }
    void visit(const EQ* node) override { operation(node, node->a.type()); }
    void visit(const NE* node) override { operation(node, node->a.type()); }
    void visit(const LT* node) override { operation(node, node->a.type()); }
    void visit(const LE* node) override { operation(node, node->a.type()); }
    void visit(const GT* node) override { operation(node, node->a.type()); }
    void visit(const GE* node) override { operation(node, node->a.type()); }
    void visit(const Select* node) override { operation(node, node->type); }
    void visit(const VectorReduce* node) override { operation(node, node->type); }
    void visit(const Call* call) override {
        if (call->name == "strict_float") { return; }
        // Later than version 19, "strict_add" and the like are strict themselves; their operands need not be.
        found_ = found_ || (computes(*call) && !call->name.starts_with("strict_"));
        IRGraphVisitor::visit(call);
    }

    bool found_ = false;
};

}  // namespace

bool has_loose_floats(const Stmt& statement) {
    LooseFloats floats;
    statement.accept(&floats);
    return floats.found();
}

}  // namespace haruspex::halide
