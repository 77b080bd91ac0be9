#include "oracle/equivalence/from_sare.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "generators/affine/descent.h"
#include "generators/affine/tuples.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/build.h"
#include "generators/sare/isl.h"
#include "generators/sare/outline.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "oracle/equivalence/normal_form.h"
#include "oracle/equivalence/unsupported.h"

namespace haruspex::equivalence {
namespace {

using sare::AffineSpace;
using sare::Index;

// A definition of a tensor's cells: an equation, or a stage of a function.
struct Definition {
    std::string tensor, label;
    std::vector<std::string> variables;
    sare::Condition domain;
    std::vector<Index> target;
    const std::vector<sare::Expr>* values = nullptr;
    std::vector<Index> time;  // for a stage: its number, then the steps
};

class Builder {
public:
    Builder(Graph& graph, const sare::Sare& sare) : graph_(graph), sare_(sare), types_(sare::tensor_types(sare)) {}

    void build() {
        for (const sare::Input& input : sare_.inputs) { declare_input(input); }
        const auto groups = sare::groups(sare_);
        ENSURE(groups, "stagings of a well-formed SARE are complete");
        for (const sare::Group& group : *groups) {
            const std::span tensors = std::span(sare_.tensors).subspan(group.first, group.count);
            if (group.staging == nullptr) {
                define(tensors[0]);
                continue;
            }
            auto function = sare::unstage(tensors, *group.staging);
            if (!function) { throw Unsupported("staged tensor: " + function.error().message); }
            functions_.push_back(std::move(*function));
        }
        for (const sare::Function& function : functions_) { define(function); }
        // Every array exists before the first read.
        for (const Definition& definition : definitions_) { add_nodes(definition); }
        for (const auto& [definition, node, component] : open_) { add_term(*definition, node, component); }
        check_descent();
        for (const sare::Output& output : sare_.outputs) { add_output(output); }
    }

private:
    AffineSpace space(const std::vector<std::string>& variables) const {
        return {graph_.ctx(), sare_.parameters, variables};
    }

    void declare_input(const sare::Input& input) {
        MemoryArray array{input.name, {}, true, {}, input.name, 0};
        const std::string tuple = graph_.fresh_tuple("A");
        const isl::space cells = isl::space::unit(graph_.ctx()).add_unnamed_tuple(static_cast<unsigned>(input.rank));
        array.coordinates = isl::set::universe(cells).identity().set_domain_tuple(tuple);
        declare(input.name, 0, tuple, std::move(array));
    }

    void declare(const std::string& tensor, int component, const std::string& tuple, MemoryArray array) {
        const ArrayId id = graph_.memory().add_array(std::move(array));
        arrays_.insert_or_assign({tensor, component}, std::pair{id, tuple});
    }
    void declare_components(const std::string& tensor, std::size_t count, bool is_single_assignment) {
        for (std::size_t c = 0; c < count; ++c) {
            declare(tensor, static_cast<int>(c), graph_.fresh_tuple("A"),
                    {tensor, {}, is_single_assignment, {}, tensor, static_cast<int>(c)});
        }
    }

    void define(const sare::Tensor& tensor) {
        declare_components(tensor.name, tensor.types.size(), true);
        general_.insert(tensor.name);
        std::vector<Index> target;
        for (const std::string& v : tensor.variables) { target.push_back(sare::variable(v)); }
        for (const sare::Equation& equation : tensor.equations) {
            definitions_.push_back(
                {tensor.name, tensor.name, tensor.variables, equation.domain, target, &equation.values, {}});
        }
    }

    void define(const sare::Function& function) {
        declare_components(function.name, function.types.size(), false);
        std::size_t steps = 0;
        for (const sare::UpdateDefinition& update : function.updates) { steps = std::max(steps, update.over.size()); }
        Definition pure{function.name, function.name, function.variables, sare::truth(true), {}, &function.values, {}};
        for (const std::string& v : function.variables) { pure.target.push_back(sare::variable(v)); }
        pure.time.assign(steps + 1, sare::constant(0));
        definitions_.push_back(std::move(pure));
        for (std::size_t s = 0; s < function.updates.size(); ++s) {
            const sare::UpdateDefinition& update = function.updates[s];
            Definition stage{function.name,
                             function.name + "." + std::to_string(s + 1),
                             {},
                             sare::recurrence_domain(update.over) && update.where,
                             update.target,
                             &update.values,
                             {}};
            for (std::size_t d = 0; d < function.variables.size(); ++d) {
                if (sare::is_pure_position(function, update, d)) { stage.variables.push_back(function.variables[d]); }
            }
            stage.time.push_back(sare::constant(static_cast<std::int64_t>(s) + 1));
            for (auto over = update.over.rbegin(); over != update.over.rend(); ++over) {
                stage.time.push_back(sare::variable(over->name));
            }
            stage.time.resize(steps + 1, sare::constant(0));
            for (const sare::RecurrenceVariable& over : update.over) { stage.variables.push_back(over.name); }
            definitions_.push_back(std::move(stage));
        }
        // After all of them.
        final_times_[function.name].assign(steps + 1, sare::constant(0));
        final_times_[function.name][0] = sare::constant(static_cast<std::int64_t>(function.updates.size()) + 1);
    }

    void add_nodes(const Definition& definition) {
        const AffineSpace here = space(definition.variables);
        for (std::size_t c = 0; c < definition.values->size(); ++c) {
            const NodeId node = graph_.add_node(here.convert(definition.domain), definition.label);
            const std::string& tuple = graph_.node(node).tuple;
            const auto& [id, array] = arrays_.at({definition.tensor, static_cast<int>(c)});
            const auto over_node = [&](const std::vector<Index>& indices) {
                return here.convert(indices).as_map().set_domain_tuple(tuple).intersect_domain(
                    graph_.node(node).domain);
            };
            std::optional<isl::map> time;
            if (!definition.time.empty()) { time = over_node(definition.time); }
            graph_.memory().array(id).writes.push_back(
                {node, over_node(definition.target).set_range_tuple(array), time});
            open_.push_back({&definition, node, c});
        }
    }

    void add_term(const Definition& definition, NodeId node, std::size_t component) {
        const AffineSpace here = space(definition.variables);
        graph_.set_root(node, term((*definition.values)[component], here, node, definition).first);
    }

    using Typed = std::pair<TermId, value::Type>;

    Typed term(const sare::Expr& expr, const AffineSpace& here, NodeId node, const Definition& definition) {
        const std::string& tuple = graph_.node(node).tuple;
        const auto inner = [&](const sare::Expr& part) { return term(part, here, node, definition); };
        return std::visit(
            Overload{
                [&](const sare::Literal& n) { return Typed{graph_.add({Literal{n.value}, node}), n.value.type()}; },
                [&](const sare::Embed& n) {
                    const isl::map index = isl::multi_pw_aff(here.convert(n.index)).as_map().set_domain_tuple(tuple);
                    return Typed{graph_.add({Embed{n.type, index}, node}), n.type};
                },
                [&](const sare::Guard& n) {
                    const isl::set holds = affine::with_tuple_name(here.convert(n.condition), tuple);
                    return Typed{graph_.add({Guard{holds}, node}), value::Type::boolean};
                },
                [&](const sare::Access& n) {
                    return Typed{read(n, here, node, definition),
                                 types_.at(n.tensor)[static_cast<std::size_t>(n.component)]};
                },
                [&](const sare::Unary& n) {
                    const auto [a, type] = inner(*n.a);
                    return Typed{apply(graph_, node, {n.op, type}, {a}), *value::result_type(n.op, type)};
                },
                [&](const sare::Binary& n) {
                    const auto [a, type] = inner(*n.a);
                    const TermId b = inner(*n.b).first;
                    return Typed{apply(graph_, node, {n.op, type}, {a, b}), *value::result_type(n.op, type, type)};
                },
                [&](const sare::Select& n) {
                    const TermId condition = inner(*n.condition).first;
                    const auto [a, type] = inner(*n.if_true);
                    const TermId b = inner(*n.if_false).first;
                    return Typed{apply(graph_, node, {Choice{}, type}, {condition, a, b}), type};
                },
                [&](const sare::Cast& n) {
                    const auto [a, type] = inner(*n.a);
                    return Typed{apply(graph_, node, {Conversion{n.type}, type}, {a}), n.type};
                },
                [&](const sare::Reduce&) -> Typed {
                    throw Unsupported("reduction that stays inline, in " + definition.label + ": " + sare::why_inline);
                }},
            expr.node);
    }

    TermId read(const sare::Access& access, const AffineSpace& here, NodeId node, const Definition& definition) {
        const auto found = arrays_.find({access.tensor, access.component});
        if (found == arrays_.end()) { throw Unsupported("read of a stage: " + access.tensor); }
        const auto& [id, array] = found->second;
        const Node& reader = graph_.node(node);
        const auto over_node = [&](const std::vector<Index>& indices) {
            return here.convert(indices).as_map().set_domain_tuple(reader.tuple).intersect_domain(reader.domain);
        };
        MemoryRead read{node, id, over_node(access.indices).set_range_tuple(array), {}, {}, {}};
        const auto final_time = final_times_.find(access.tensor);
        if (final_time != final_times_.end()) {
            const bool is_own = access.tensor == definition.tensor;
            read.time = over_node(is_own ? definition.time : final_time->second);
        }
        return graph_.add({Read{graph_.memory().add_read(std::move(read))}, node});
    }

    // Stages descend in the algorithm's order; every recurrence with a general tensor in it is checked.
    void check_descent() {
        const auto is_general = [&](const Open& open) {
            return general_.contains(open.definition->tensor) && graph_.is_recurrent(open.node);
        };
        if (std::ranges::none_of(open_, is_general)) { return; }
        std::vector<affine::Descent> steps;
        for (const Open& open : open_) {
            if (!graph_.is_recurrent(open.node)) { continue; }
            for (const ReadId read : graph_.reads(*graph_.node(open.node).root)) {
                for (const Edge& edge : graph_.edges(read)) {
                    if (const auto* to = std::get_if<NodeId>(&edge.to)) {
                        const isl::set there = edge.domain.intersect(graph_.node(open.node).domain);
                        steps.push_back({open.node.value, to->value, edge.step.intersect_domain(there)});
                    }
                }
            }
        }
        if (const auto stuck = affine::find_endless(std::move(steps))) {
            const NodeId node{static_cast<std::uint32_t>(*stuck)};
            throw Unsupported("recurrence that is not seen to end: " + graph_.node(node).label);
        }
    }

    void add_output(const sare::Output& output) {
        const auto types = types_.at(output.tensor);
        std::vector<std::string> variables;
        sare::Condition box = sare::truth(true);
        for (std::size_t d = 0; d < output.box.size(); ++d) {
            // Not a name in the text form, so not a parameter's.
            variables.push_back("#" + std::to_string(d));
            const Index x = sare::variable(variables.back());
            box = box && sare::compare(sare::Relation::ge, x, output.box[d].min) &&
                  sare::compare(sare::Relation::lt, x, output.box[d].min + output.box[d].extent);
        }
        const AffineSpace here = space(variables);
        Definition requested{"", "output " + output.tensor, variables, box, {}, nullptr, {}};
        for (std::size_t c = 0; c < types.size(); ++c) {
            const NodeId node = graph_.add_node(here.convert(box), requested.label);
            sare::Access access{output.tensor, {}, static_cast<int>(c)};
            for (const std::string& v : variables) { access.indices.push_back(sare::variable(v)); }
            const TermId value = read(access, here, node, requested);
            graph_.set_root(node, value);
            graph_.outputs.push_back(
                {output.tensor, static_cast<int>(c), here.convert(box).intersect_params(graph_.context()), value});
        }
    }

    Graph& graph_;
    const sare::Sare& sare_;
    sare::TensorTypes types_;
    std::vector<sare::Function> functions_;
    std::vector<Definition> definitions_;
    struct Open {
        const Definition* definition;
        NodeId node;
        std::size_t component;
    };
    std::vector<Open> open_;
    std::map<std::pair<std::string, int>, std::pair<ArrayId, std::string>> arrays_;  // with the name of its tuples
    std::map<std::string, std::vector<Index>> final_times_;                          // of functions
    std::set<std::string> general_;
};

}  // namespace

void build(Graph& graph, const sare::Sare& sare) {
    const sare::Sare outlined = sare::outlined(sare);
    Builder(graph, outlined).build();
}

}  // namespace haruspex::equivalence
