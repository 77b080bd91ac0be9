#include "harness/halide/mutants/rewrite.h"

namespace haruspex::halide::mutants {

const Call* as_prophecy(const Expr& value) {
    const Call* call = value.as<Call>();
    return call != nullptr && starts_with(call->name, "prophecy:") ? call : nullptr;
}

Expr with_value(const Call* prophecy, const Expr& value) {
    if (value.same_as(prophecy->args.front())) { return prophecy; }
    std::vector<Expr> arguments = prophecy->args;
    arguments.front() = value;
    return Call::make(prophecy->type, prophecy->name, arguments, prophecy->call_type);
}

Expr without_prophecy(const Expr& value) {
    const Call* prophecy = as_prophecy(value);
    return prophecy == nullptr ? value : prophecy->args.front();
}

Stmt with_value(const LetStmt* let, const Expr& value) { return LetStmt::make(let->name, value, let->body); }

Stmt with_value(const Store* store, const Expr& value) {
    return Store::make(store->name, value, store->index, store->param, store->predicate, store->alignment);
}

Stmt with_predicate(const Store* store, const Expr& predicate) {
    return Store::make(store->name, store->value, store->index, store->param, predicate, store->alignment);
}

// The known alignment was that of the old index.
Expr with_index(const Load* load, const Expr& index) {
    return Load::make(load->type, load->name, index, load->image, load->param, load->predicate, ModulusRemainder());
}

}  // namespace haruspex::halide::mutants
