#include "reports/triage/features.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "generators/base/overload.h"
#include "generators/sare/staging.h"
#include "generators/schedule/language.h"
#include "reports/triage/forms.h"

namespace haruspex::triage {
namespace {

using Names = std::set<std::string>;

// How a cell is read.
enum class Access : std::uint8_t {
    point,
    stencil,
    diagonal,
    reversed,
    strided,
    divided,
    modulo,
    clamped,
    select,
    broadcast,
    transposed,
    self,
    input,
    tensor,
};
constexpr std::array<std::string_view, 14> access_features{
    "access:point",      "access:stencil", "access:diagonal", "access:reversed", "access:strided",
    "access:divided",    "access:modulo",  "access:clamped",  "access:select",   "access:broadcast",
    "access:transposed", "access:self",    "access:input",    "access:tensor"};

// --- Indices -----------------------------------------------------------------------------------------------------

struct Linear {
    std::map<std::string, std::int64_t> factors;
    std::int64_t constant = 0;
};

std::optional<Linear> linear(const sare::Index& index) {
    return std::visit(
        Overload{
            [](const sare::IndexConstant& c) -> std::optional<Linear> { return Linear{{}, c.value}; },
            [](const sare::IndexVariable& v) -> std::optional<Linear> { return Linear{{{v.name, 1}}, 0}; },
            [](const sare::IndexBinary& binary) -> std::optional<Linear> {
                if (binary.op != sare::IndexOp::add && binary.op != sare::IndexOp::sub) { return std::nullopt; }
                auto a = linear(*binary.a);
                const auto b = linear(*binary.b);
                if (!a || !b) { return std::nullopt; }
                const std::int64_t sign = binary.op == sare::IndexOp::add ? 1 : -1;
                for (const auto& [name, factor] : b->factors) { a->factors[name] += sign * factor; }
                a->constant += sign * b->constant;
                return a;
            },
            [](const sare::IndexScale& scale) -> std::optional<Linear> {
                auto a = linear(*scale.a);
                if (!a) { return std::nullopt; }
                for (auto& [name, factor] : a->factors) { factor *= scale.factor; }
                a->constant *= scale.factor;
                return a;
            },
            [](const auto&) -> std::optional<Linear> { return std::nullopt; },
        },
        index.node);
}

class Walk {
public:
    explicit Walk(Names& names) : names_(names) {}

    // Sets the definition whose right-hand sides are walked next, with all variables that are loops of it.
    void enter(const std::string& tensor, const std::vector<std::string>& variables,
               const std::vector<sare::RecurrenceVariable>& over) {
        tensor_ = tensor;
        variables_ = variables;
        for (const auto& variable : over) { variables_.push_back(variable.name); }
    }

    void expr(const sare::Expr& e) {
        std::visit(Overload{
                       [&](const sare::Literal& literal) { type(literal.value.type()); },
                       [&](const sare::Embed& embed) {
                           add("embed");
                           type(embed.type);
                       },
                       [&](const sare::Guard&) { add("guard"); },
                       [&](const sare::Access& a) { access(a); },
                       [&](const sare::Unary& unary) {
                           add("op:unary " + std::string(value::spelling(unary.op)));
                           expr(*unary.a);
                       },
                       [&](const sare::Binary& binary) {
                           add("op:" + std::string(value::spelling(binary.op)));
                           expr(*binary.a);
                           expr(*binary.b);
                       },
                       [&](const sare::Select& select) {
                           const bool affine = std::holds_alternative<sare::Guard>(select.condition->node);
                           add(affine ? "select:affine" : "select:value");
                           expr(*select.condition);
                           expr(*select.if_true);
                           expr(*select.if_false);
                       },
                       [&](const sare::Cast& cast) {
                           add("cast");
                           type(cast.type);
                           expr(*cast.a);
                       },
                       [&](const sare::Reduce& reduce) {
                           add("reduce:" + std::string(value::spelling(reduce.op)));
                           expr(*reduce.body);
                       },
                   },
                   e.node);
    }

    void type(value::Type t) { add("type:" + std::string(value::name(t))); }
    void add(const std::string& name) { names_.insert(name); }
    void add(Access access) { add(std::string(access_features.at(static_cast<std::size_t>(access)))); }
    void inputs(const std::vector<sare::Input>& inputs) {
        for (const auto& input : inputs) {
            inputs_.insert(input.name);
            type(input.type);
            add("rank:" + std::to_string(input.rank));
        }
    }

private:
    void access(const sare::Access& a) {
        if (a.tensor == tensor_) { add(Access::self); }
        add(inputs_.contains(a.tensor) ? Access::input : Access::tensor);
        std::map<std::string, int> occurrences;  // in how many of the indices a variable occurs
        std::vector<std::size_t> order;          // the definition's variables in the order of the indices
        bool point = a.indices.size() <= variables_.size();
        for (std::size_t i = 0; i < a.indices.size(); ++i) {
            Names inside;
            index(a.indices[i], inside);
            for (const std::string& name : inside) { ++occurrences[name]; }
            const auto* variable = std::get_if<sare::IndexVariable>(&a.indices[i].node);
            point = point && variable != nullptr && variable->name == variables_[i];
            for (std::size_t v = 0; v < variables_.size(); ++v) {
                if (inside.contains(variables_[v])) { order.push_back(v); }
            }
        }
        if (point) { add(Access::point); }
        if (!std::is_sorted(order.begin(), order.end())) { add(Access::transposed); }
        for (const auto& [name, count] : occurrences) {
            if (count > 1) { add(Access::diagonal); }
        }
        if (std::any_of(variables_.begin(), variables_.end(),
                        [&](const auto& v) { return !occurrences.contains(v); })) {
            add(Access::broadcast);
        }
    }

    // Adds the kinds of one index and collects the definition's variables that occur in it.
    void index(const sare::Index& i, Names& inside) {
        if (const auto form = linear(i)) {
            int variables = 0;
            for (const auto& [name, factor] : form->factors) {
                if (factor == 0 || std::find(variables_.begin(), variables_.end(), name) == variables_.end()) {
                    continue;
                }
                ++variables;
                inside.insert(name);
                if (factor < 0) { add(Access::reversed); }
                if (factor > 1 || factor < -1) { add(Access::strided); }
            }
            if (variables > 1) { add(Access::diagonal); }
            if (variables == 1 && form->constant != 0) { add(Access::stencil); }
            return;
        }
        std::visit(Overload{
                       [](const sare::IndexConstant&) {},
                       [](const sare::IndexVariable&) {},
                       [&](const sare::IndexBinary& binary) {
                           if (binary.op == sare::IndexOp::min || binary.op == sare::IndexOp::max) {
                               add(Access::clamped);
                           }
                           index(*binary.a, inside);
                           index(*binary.b, inside);
                       },
                       [&](const sare::IndexScale& scale) { index(*scale.a, inside); },
                       [&](const sare::IndexDiv& div) {
                           add(Access::divided);
                           index(*div.a, inside);
                       },
                       [&](const sare::IndexMod& mod) {
                           add(Access::modulo);
                           index(*mod.a, inside);
                       },
                       [&](const sare::IndexSelect& select) {
                           add(Access::select);
                           index(*select.if_true, inside);
                           index(*select.if_false, inside);
                       },
                   },
                   i.node);
    }

    Names& names_;
    Names inputs_;
    std::string tensor_;
    std::vector<std::string> variables_;
};

// --- Definitions -------------------------------------------------------------------------------------------------

void definition(Walk& walk, const std::vector<value::Type>& types, std::size_t rank) {
    for (const value::Type type : types) { walk.type(type); }
    walk.add("rank:" + std::to_string(rank));
    if (types.size() > 1) { walk.add("tuple"); }
}

void walk_algorithm(Walk& walk, const sare::Algorithm& algorithm) {
    for (const sare::Function& f : algorithm.functions) {
        definition(walk, f.types, f.variables.size());
        walk.enter(f.name, f.variables, {});
        for (const sare::Expr& value : f.values) { walk.expr(value); }
        for (const sare::UpdateDefinition& update : f.updates) {
            walk.add("update");
            if (update.over.size() > 1) { walk.add("update:two-rvars"); }
            if (update.where != sare::Condition{sare::Truth{true}}) { walk.add("update:predicate"); }
            std::vector<std::string> pure;
            for (std::size_t i = 0; i < update.target.size(); ++i) {
                if (sare::is_pure_position(f, update, i)) { pure.push_back(f.variables[i]); }
            }
            walk.enter(f.name, pure, update.over);
            for (const sare::Expr& value : update.values) { walk.expr(value); }
        }
    }
}

void walk_tensors(Walk& walk, const sare::Sare& sare) {
    for (const sare::Tensor& tensor : sare.tensors) {
        definition(walk, tensor.types, tensor.variables.size());
        walk.enter(tensor.name, tensor.variables, {});
        for (const sare::Equation& equation : tensor.equations) {
            for (const sare::Expr& value : equation.values) { walk.expr(value); }
        }
    }
}

}  // namespace

std::set<std::string> features(const cases::Case& c) {
    Names names;
    Walk walk(names);
    walk.inputs(c.sare.inputs);
    // The algorithm is the program as written; the stage tensors' equations also hold what the reduction adds.
    if (const auto algorithm = sare::unstage(c.sare)) {
        walk_algorithm(walk, *algorithm);
        names.merge(forms(c, *algorithm));
        if (!c.schedule.directives.empty()) {
            names.merge(schedule::language(c.compiler).forms(*algorithm, c.schedule));
        }
    } else {
        walk_tensors(walk, c.sare);
    }
    if (!c.schedule.directives.empty()) { names.merge(schedule::language(c.compiler).features(c.schedule)); }
    if (c.strict_float) { names.insert("strict_float"); }
    if (c.comparison == cases::Comparison::not_compared) { names.insert("not_compared"); }
    for (const auto& [name, domain] : c.inputs) {
        if (domain.special_values) { names.insert("special_values"); }
    }
    return names;
}

std::set<std::string> all_features(const schedule::Language& language) {
    Names names = language.all_features();
    const auto add = [&](std::string_view prefix, std::string_view name) {
        names.insert(std::string(prefix) + std::string(name));
    };
    for (const value::Type type : language.types()) { add("type:", value::name(type)); }
    for (const value::UnaryOp op : value::all_unary_ops) { add("op:unary ", value::spelling(op)); }
    for (const value::BinaryOp op : value::all_binary_ops) { add("op:", value::spelling(op)); }
    for (const value::ReductionOp op : value::all_reduction_ops) { add("reduce:", value::spelling(op)); }
    for (const std::string_view access : access_features) { add("", access); }
    for (int rank = 0; rank <= 4; ++rank) { add("rank:", std::to_string(rank)); }
    for (const std::string_view other :
         {"select:value", "select:affine", "cast", "embed", "guard", "update", "update:predicate", "update:two-rvars",
          "tuple", "strict_float", "special_values", "not_compared"}) {
        add("", other);
    }
    for (const std::string_view form : program_forms) { add("", form); }
    return names;
}

bool is_access(const std::string& feature) {
    return std::ranges::find(access_features, feature) != access_features.end();
}

}  // namespace haruspex::triage
