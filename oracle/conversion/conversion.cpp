#include "oracle/conversion/conversion.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "generators/base/overload.h"
#include "harness/sched/normal_form.h"
#include "harness/sched/polynomials.h"
#include "harness/sched/reify.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "harness/sched/typing.h"
#include "harness/sched/unhiding.h"
#include "harness/transform/indices.h"
#include "oracle/conversion/definitions.h"
#include "oracle/conversion/delinearisation.h"
#include "oracle/conversion/denoted.h"
#include "oracle/conversion/dimensions.h"
#include "oracle/conversion/joining.h"
#include "oracle/conversion/multiples.h"
#include "oracle/conversion/premises.h"
#include "oracle/conversion/required.h"
#include "oracle/conversion/unfusing.h"

namespace haruspex::conversion {
namespace {

using sched::Expr;
using sched::Monomial;
using sched::Polynomial;
using sched::Polynomials;

// Ends a conversion. Does not leave this file.
struct NotConverted {
    Feature feature;
};

// The composition of an array's linear index from coordinates: x_0 - min_0 + Σ (x_d - min_d) * strides[d-1].
struct Layout {
    std::vector<Polynomial> mins, strides;
    std::vector<Polynomial> extents;  // local memory only: their products are the strides
};

std::optional<std::string> parameter(const std::optional<Expr>& expr) {
    const auto* variable = expr ? std::get_if<sched::Variable>(&expr->node) : nullptr;
    return variable == nullptr ? std::nullopt : std::optional(variable->name);
}

// Names that a branch defines are in scope after its fork. So none of them may equal a name from outside or hide one of
// the other branch.
sched::Program joined(sched::Program program) {
    program = sched::without_hiding(std::move(program));
    join_forks(program);
    return sched::without_hiding(std::move(program));
}

// Two indices may be equal as polynomials although only one of them reads memory that it must not read.
void refuse_reads_in_indices(const sched::Block& body) {
    const auto refuse = [](const Expr& index, const char* what) {
        bool depends = !sched::arrays_read(index).empty();
        sched::for_each_expr(
            index, [&](const Expr& e) { depends = depends || std::holds_alternative<sched::ValueVariable>(e.node); });
        if (depends) { throw NotConverted{{std::string("data-dependent ") + what, {}}}; }
    };
    sched::for_each_statement(body, [&](const sched::Stmt& statement) {
        if (const auto* loop = std::get_if<sched::For>(&statement.node)) {
            refuse(loop->min, "loop bound");
            refuse(loop->extent, "loop bound");
        } else if (const auto* allocation = std::get_if<sched::Allocate>(&statement.node)) {
            for (const sched::Dimension& dimension : allocation->dimensions) { refuse(dimension.extent, "extent"); }
        } else if (const auto* assign = std::get_if<sched::Assign>(&statement.node)) {
            for (const sched::Write& write : assign->writes) {
                for (const Expr& index : write.indices) { refuse(index, "index"); }
            }
        }
        sched::for_each_part(statement, [&](const Expr& part) {
            sched::for_each_expr(part, [&](const Expr& e) {
                if (std::holds_alternative<sched::IndexBinary>(e.node)) { refuse(e, "index"); }
                const auto* load = std::get_if<sched::Load>(&e.node);
                if (load == nullptr) { return; }
                for (const Expr& index : load->indices) { refuse(index, "index"); }
            });
        });
    });
}

class Conversion {
public:
    Conversion(const sare::Sare& sare, const sched::Program& program, Way way)
        : sare_(sare), way_(way), converted_{joined(program), {}}, polynomials_(atoms_), forms_(atoms_) {}

    Converted run() {
        sched::Program& program = converted_.program;
        for (const std::string& parameter : sare_.parameters) {
            if (std::ranges::find(program.parameters, parameter) == program.parameters.end()) {
                throw NotConverted{{"a program without a parameter of the specification", parameter}};
            }
        }
        sched::Substitution known;
        for (sched::Array& array : program.arrays) { bind_outside(array, known); }
        denote_indices(program.body);
        refuse_reads_in_indices(program.body);
        if (auto split = split_dimensions(program); !split) { throw NotConverted{split.error()}; }
        transform::substitute(program.body, known);
        unfuse(program);
        divide_multiples(program);
        order_dimensions(program);
        Head head = take_head(program.body, sare_.parameters);
        converted_.premises = std::move(head.premises);
        std::set<std::size_t> met;
        for (sched::Array& array : program.arrays) { bound(array, head.of_buffers, met); }
        for (std::size_t i = 0; i < head.of_buffers.size(); ++i) {
            if (!met.contains(i)) { converted_.premises.push_back({sched::print(head.of_buffers[i]), {}}); }
        }
        block(program.body);
        remove_dead_lets(program.body);
        program.parameters = sare_.parameters;
        // The remaining parameters of buffers are no longer in scope.
        if (const auto typed = sched::check(program, sched::Rules::extended); !typed) {
            throw NotConverted{{"buffers", typed.error().message}};
        }
        return std::move(converted_);
    }

    // Converts only the arrays, using only the assertions at the head of the body.
    std::vector<sched::Array> arrays() {
        sched::Program& program = converted_.program;
        sched::Substitution known;
        for (sched::Array& array : program.arrays) { bind_outside(array, known); }
        transform::substitute(program.body, known);
        const Head head = take_head(program.body, sare_.parameters);
        std::set<std::size_t> met;
        for (sched::Array& array : program.arrays) { bound(array, head.of_buffers, met); }
        return std::move(program.arrays);
    }

private:
    // --- Arrays ---------------------------------------------------------------------------------------------------

    // Gives the array the tensor's dimensions, and adds the values of its parameters to `known`.
    void bind_outside(sched::Array& array, sched::Substitution& known) {
        const bool is_input = array.role == sched::Role::input;
        const auto output = std::ranges::find(sare_.outputs, array.tensor, &sare::Output::tensor);
        if (!is_input && output == sare_.outputs.end()) {
            throw NotConverted{{"output that nobody requests", array.name}};
        }
        const std::size_t rank = is_input ? rank_of(array.tensor) : output->box.size();
        Layout layout;
        std::vector<sched::Dimension> dimensions;
        for (std::size_t d = 0; d < array.dimensions.size(); ++d) {
            const sched::Dimension& source = array.dimensions[d];
            const auto min = parameter(source.min);
            const auto extent = parameter(source.extent);
            const auto stride = parameter(source.stride);
            // The only dimension of a scalar has no parameters.
            if (d >= rank) {
                const sched::Dimension one{Expr{sched::Integer{1}}, Expr{sched::Integer{0}}, Expr{sched::Integer{1}}};
                if (rank > 0 || source != one) {
                    throw NotConverted{{"dimensions that its tensor does not have", array.name}};
                }
                continue;
            }
            const auto is_own = [&](const std::optional<std::string>& name) {
                return name && std::ranges::find(sare_.parameters, *name) == sare_.parameters.end();
            };
            if (!is_own(min) || !is_own(extent) || !is_own(stride)) {
                throw NotConverted{{"array whose bounds are no parameters of its own", array.name}};
            }
            sched::Dimension dimension = source;
            dimension.stride.reset();
            if (!is_input) {
                dimension = {transform::to_code(output->box[d].extent), transform::to_code(output->box[d].min), {}};
                known.insert_or_assign(*min, dimension.min);
                known.insert_or_assign(*extent, dimension.extent);
            }
            layout.mins.push_back(is_input ? polynomials_.atom(*min) : forms_.of(dimension.min));
            if (is_input) { of_buffers_.insert(*min); }
            of_buffers_.insert(*stride);
            if (d == 0) {
                known.insert_or_assign(*stride, Expr{sched::Integer{1}});
            } else {
                layout.strides.push_back(polynomials_.atom(*stride));
            }
            dimensions.push_back(std::move(dimension));
        }
        array.dimensions = std::move(dimensions);
        layouts_.insert_or_assign(array.name, std::move(layout));
    }

    // Gives an input exactly the cells that the program asserts it has, and none if it asserts no bounds and reads
    // nothing. Adds to `met` the positions of the assertions that hold then; that an extent is not negative is a
    // premise.
    void bound(sched::Array& array, const std::vector<Expr>& asserted, std::set<std::size_t>& met) {
        if (array.role != sched::Role::input) { return; }
        const std::set<std::string> sizes(sare_.parameters.begin(), sare_.parameters.end());
        for (sched::Dimension& dimension : array.dimensions) {
            auto bounds = required(asserted, *parameter(dimension.min), *parameter(dimension.extent), sizes, atoms_);
            if (!bounds && is_read(array.name)) {
                throw NotConverted{{"input of which no bounds are asserted", array.name}};
            }
            if (!bounds) {
                dimension = {Expr{sched::Integer{0}}, Expr{sched::Integer{0}}, {}};
                continue;
            }
            dimension = std::move(bounds->dimension);
            met.merge(bounds->met);
            if (!bounds->needs_nonnegative_extent) { continue; }
            constexpr std::size_t most_nodes = 2'000;
            const bool is_short = is_shorter_without_lets(dimension.extent, most_nodes);
            Expr cells = is_short ? without_lets(dimension.extent) : dimension.extent;
            const Expr has_room{sched::Comparison{sare::Relation::ge, std::move(cells), Expr{sched::Integer{0}}}};
            if (auto taken = premise(has_room)) {
                taken->is_needed = false;
                converted_.premises.push_back(std::move(*taken));
            }
        }
    }

    bool is_read(const std::string& array) const {
        bool found = false;
        sched::for_each_statement(converted_.program.body, [&](const sched::Stmt& statement) {
            sched::for_each_part(statement,
                                 [&](const Expr& part) { found = found || sched::arrays_read(part).contains(array); });
        });
        return found;
    }

    std::size_t rank_of(const std::string& input) const {
        const auto found = std::ranges::find(sare_.inputs, input, &sare::Input::name);
        if (found == sare_.inputs.end()) { throw NotConverted{{"input that the specification does not have", input}}; }
        return static_cast<std::size_t>(found->rank);
    }

    // Leaves the index as it is unless the size is a product of extents.
    void bind_inside(sched::Allocate& allocation) {
        layouts_.erase(allocation.array);
        std::vector<Polynomial> extents;
        // A dimension whose stride is a constant multiple of the previous one needs no coordinate of its own.
        bool is_multiple = false;
        for (const sched::Dimension& dimension : allocation.dimensions) {
            Polynomial extent = forms_.of(dimension.extent);
            const auto constant = Polynomials::as_constant(extent);
            if (constant == 1) { continue; }
            if (is_multiple && way_.rows == Rows::joined) {
                extents.back() = times(extents.back(), extent);
            } else {
                extents.push_back(extent);
            }
            is_multiple = constant.has_value();
        }
        if (extents.empty()) { extents.push_back(Polynomials::constant(1)); }
        allocation.dimensions.clear();
        for (const Polynomial& extent : extents) {
            allocation.dimensions.push_back({index(extent, "extent"), {sched::Integer{0}}, {}});
        }
        if (extents.size() == 1) { return; }
        Layout layout;
        for (std::size_t d = 0; d + 1 < extents.size(); ++d) {
            layout.strides.push_back(d == 0 ? extents[0] : times(layout.strides.back(), extents[d]));
        }
        layout.mins.resize(extents.size());
        layout.extents = extents;
        layouts_.insert_or_assign(allocation.array, std::move(layout));
    }

    Polynomial times(const Polynomial& a, const Polynomial& b) const {
        auto product = polynomials_.multiply(a, b);
        if (!product) { throw NotConverted{{"linear memory", "extents too large"}}; }
        return std::move(*product);
    }

    Expr index(const Polynomial& form, const char* what) const {
        auto expr = sched::index_of(form, atoms_);
        if (!expr) {
            const bool is_large = expr.error() == sched::NoIndex::too_large;
            throw NotConverted{{std::string(is_large ? "too large an " : "data-dependent ") + what, {}}};
        }
        return transform::tidied(std::move(*expr));
    }

    void delinearise(const std::string& array, std::vector<Expr>& indices) {
        const auto layout = layouts_.find(array);
        if (layout == layouts_.end()) { return; }
        const std::vector<Polynomial>& mins = layout->second.mins;
        if (mins.empty()) {
            if (Polynomials::as_constant(forms_.of(indices.at(0))) != 0) {
                throw NotConverted{{"a cell beyond a scalar", array + "[" + sched::print(indices[0]) + "]"}};
            }
            indices.clear();
            return;
        }
        auto found = coordinates(forms_.of(indices.at(0)), layout->second.strides, polynomials_);
        if (!found) { throw NotConverted{{"linear memory", array + "[" + sched::print(indices[0]) + "]"}}; }
        const std::vector<Polynomial>& extents = layout->second.extents;
        if (!extents.empty()) { move_inside(*found, extents, ranges_); }
        indices.clear();
        for (std::size_t d = 0; d < found->size(); ++d) {
            const auto coordinate = Polynomials::add((*found)[d], mins[d]);
            if (!coordinate) { throw NotConverted{{"linear memory", "coordinates too large"}}; }
            indices.push_back(index(*coordinate, "index"));
        }
        for (std::size_t d = 0; d + 1 < extents.size(); ++d) {
            // In W*y + W - 8 the terms that belong to y are W*y, but the division treated it as W*(y + 1) - 8.
            if (way_.carried == Corrected::all || mentions(forms_.of(indices[d]), extents[d])) {
                carry(indices[d], indices[d + 1], index(extents[d], "extent"));
            }
        }
    }

    // Whether the index and the extent have a name in common. An index W + min(0, x - W) equals min(x, W); the division
    // by W has then taken one W too many out of it.
    bool mentions(const Polynomial& index, const Polynomial& extent) const {
        std::set<sched::Atom> in_index, in_extent;
        collect_names(index, in_index);
        collect_names(extent, in_extent);
        return std::ranges::any_of(in_extent, [&](sched::Atom name) { return in_index.contains(name); });
    }

    void collect_names(const Polynomial& form, std::set<sched::Atom>& names) const {
        for (const auto& [monomial, coefficient] : form) {
            for (const sched::Atom atom : monomial) {
                const auto& operands = atoms_.meaning(atom).operands;
                if (operands.empty()) { names.insert(atom); }
                for (const Polynomial& operand : operands) { collect_names(operand, names); }
            }
        }
    }

    // Moves a coordinate that is just beyond its dimension, on either side, into it, and adjusts the next one by one:
    // the cell of linear memory stays the same.
    static void carry(Expr& coordinate, Expr& next, const Expr& extent) {
        const Expr none{sched::Integer{0}}, one{sched::Integer{1}};
        const auto binary = [](sched::IndexOp op, const Expr& a, const Expr& b) {
            return Expr{sched::IndexBinary{op, a, b}};
        };
        const Expr is_below{sched::Comparison{sare::Relation::lt, coordinate, none}};
        const Expr is_beyond{sched::Comparison{sare::Relation::le, extent, coordinate}};
        const auto moved = [&](const Expr& up, const Expr& stays, const Expr& down) {
            return Expr{sched::Select{is_below, up, Expr{sched::Select{is_beyond, down, stays}}}};
        };
        next = binary(sched::IndexOp::add, next, moved(Expr{sched::Integer{-1}}, none, one));
        coordinate = moved(binary(sched::IndexOp::add, coordinate, extent), coordinate,
                           binary(sched::IndexOp::sub, coordinate, extent));
    }

    // --- Walk -----------------------------------------------------------------------------------------------------

    void rewrite(Expr& expr) {
        std::visit(Overload{[&](sched::Load& n) {
                                if (n.guard) { rewrite(**n.guard); }
                                for (Expr& i : n.indices) { rewrite(i); }
                                delinearise(n.array, n.indices);
                            },
                            [&](sched::LetIn& n) {
                                rewrite(*n.value);
                                use_shared_name(*n.value);
                                inside([&] { define(n.name, *n.value); }, [&] { rewrite(*n.body); });
                                // The index contains the value of the let by now.
                                if (!sched::free_names(*n.body).contains(n.name)) {
                                    Expr body = std::move(*n.body);
                                    expr = std::move(body);
                                }
                            },
                            [&](sched::LaneReduce& n) {
                                bind(n.lanes);
                                rewrite(*n.body);
                            },
                            [&](sched::LetValueIn& n) {
                                bind(n.lanes);
                                rewrite(*n.value);
                                inside([&] { forms_.define(n.name, n.lanes, *n.value); }, [&] { rewrite(*n.body); });
                            },
                            [&](auto&) { sched::for_each_part(expr, [&](Expr& part) { rewrite(part); }); }},
                   expr.node);
    }

    // The lets of a prophecy repeat those of the code under other names. Replaces a value that a let in scope already
    // names by that name; otherwise returns its normal form.
    std::optional<Polynomial> use_shared_name(Expr& value) {
        if (!is_number(value)) { return std::nullopt; }
        Polynomial form = forms_.of(value);
        const auto let = shared_.find(form);
        if (let == shared_.end()) { return form; }
        value = Expr{sched::Variable{let->second}};
        return std::nullopt;
    }

    void define(const std::string& name, const Expr& value) {
        bind(name);
        if (is_number(value) && is_kept(forms_.of(value))) {
            forms_.represent(name, name);
        } else {
            conversion::define(forms_, name, value);
        }
    }

    // Excludes conditions, which have no name in an index, and mere renamings, whose original name is used.
    static bool is_number(const Expr& value) {
        return std::visit(
            Overload{[](const sched::IndexBinary&) { return true; },
                     [](const sched::Select& n) { return is_number(*n.if_true); },
                     [](const sched::LetIn& n) { return is_number(*n.body); }, [](const auto&) { return false; }},
            value.node);
    }

    // Whether a let keeps its name in indices. Only linear forms do: a product with strides belongs to an index.
    bool is_kept(const Polynomial& form) const {
        const std::size_t few = way_.inlined == Inlined::none ? 0 : 2;
        bool has_operations = false;
        if (way_.inlined == Inlined::all) { return false; }
        for (const auto& [monomial, coefficient] : form) {
            if (sched::is_product(monomial, atoms_) || is_of_rows(monomial, coefficient)) { return false; }
            for (const sched::Atom atom : monomial) {
                const sched::Atoms::Meaning& meaning = atoms_.meaning(atom);
                if (of_buffers_.contains(meaning.head)) { return false; }
                has_operations = has_operations || !meaning.operands.empty();
            }
        }
        return has_operations && form.size() > few;
    }

    // Whether the term is a multiple of a local row with a constant number of cells.
    bool is_of_rows(const Monomial& monomial, std::int64_t coefficient) const {
        return !monomial.empty() && std::ranges::any_of(layouts_, [&](const auto& layout) {
            return std::ranges::any_of(layout.second.strides, [&](const Polynomial& stride) {
                const auto cells = Polynomials::as_constant(stride);
                return cells && *cells > 1 && coefficient % *cells == 0;
            });
        });
    }

    // --- Ranges of variables ----------------------------------------------------------------------------------------

    // The name may have stood for something else before, in a scope beside this one.
    void bind(const std::string& name, const std::optional<Range>& range = {}) {
        const sched::Atom atom = polynomials_.atom(name).begin()->first.front();
        ranges_.erase(atom);
        if (range) { ranges_.emplace(atom, *range); }
    }

    void bind(const std::optional<sched::Lanes>& lanes) {
        if (lanes) { bind(lanes->variable, Range{0, lanes->count - 1}); }
    }

    void bind(const sched::For& loop) {
        const auto min = Polynomials::as_constant(forms_.of(loop.min));
        const auto extent = Polynomials::as_constant(forms_.of(loop.extent));
        std::int64_t past = 0;
        const bool is_known = min && extent && !__builtin_add_overflow(*min, *extent, &past) && *min < past;
        bind(loop.variable, is_known ? std::optional(Range{*min, past - 1}) : std::nullopt);
    }

    void bind(const sched::Stmt& statement) {
        std::visit(
            Overload{[&](const sched::Assign& s) { bind(s.lanes); }, [&](const sched::LetValue& s) { bind(s.lanes); },
                     [&](const sched::For& s) { bind(s); }, [](const auto&) {}},
            statement.node);
    }

    template <typename Bind, typename Body>
    void inside(Bind&& bind, Body&& body) {
        forms_.enter();
        bind();
        body();
        forms_.leave();
    }

    void block(sched::Block& statements) {
        const auto outside = layouts_;
        const auto shared_outside = shared_;
        forms_.enter();
        for (sched::Stmt& statement : statements) { convert(statement); }
        forms_.leave();
        layouts_ = outside;
        shared_ = shared_outside;
    }

    void convert(sched::Stmt& statement) {
        bind(statement);
        std::visit(Overload{[&](sched::Assign& s) {
                                for (sched::Write& write : s.writes) {
                                    rewrite(write.value);
                                    if (write.prophecy) { rewrite(*write.prophecy); }
                                    for (Expr& i : write.indices) { rewrite(i); }
                                    delinearise(write.array, write.indices);
                                }
                                if (s.condition) { rewrite(*s.condition); }
                            },
                            [&](auto&) { sched::for_each_part(statement, [&](Expr& part) { rewrite(part); }); }},
                   statement.node);
        if (auto* allocation = std::get_if<sched::Allocate>(&statement.node)) { bind_inside(*allocation); }
        if (auto* let = std::get_if<sched::Let>(&statement.node)) {
            if (auto form = use_shared_name(let->value)) { shared_.emplace(std::move(*form), let->name); }
            define(let->name, let->value);
        }
        if (const auto* let = std::get_if<sched::LetValue>(&statement.node)) {
            conversion::define(forms_, let->name, let->lanes, let->value);
        }
        sched::for_each_block(statement, [&](sched::Block& inner) { block(inner); });
    }

    // --- Unused lets ------------------------------------------------------------------------------------------------

    static void remove_dead_lets(sched::Block& body) {
        for (bool is_changed = true; is_changed;) {
            std::set<std::string> used;
            sched::for_each_statement(body, [&](const sched::Stmt& statement) {
                sched::for_each_part(statement, [&](const Expr& part) { used.merge(sched::free_names(part)); });
            });
            is_changed = remove_lets(body, used);
        }
    }

    // A let that reads memory stays: it may read what it must not.
    static bool remove_lets(sched::Block& body, const std::set<std::string>& used) {
        const auto is_dead = [&](const sched::Stmt& statement) {
            const auto* let = std::get_if<sched::Let>(&statement.node);
            const auto* value = std::get_if<sched::LetValue>(&statement.node);
            return (let != nullptr && !used.contains(let->name)) ||
                   (value != nullptr && !used.contains(value->name) && sched::arrays_read(value->value).empty());
        };
        bool is_changed = std::erase_if(body, is_dead) > 0;
        for (sched::Stmt& statement : body) {
            sched::for_each_block(statement,
                                  [&](sched::Block& inner) { is_changed = remove_lets(inner, used) || is_changed; });
        }
        return is_changed;
    }

    const sare::Sare& sare_;
    Way way_;
    Converted converted_;
    sched::Atoms atoms_;
    sched::Polynomials polynomials_;
    sched::NormalForms forms_;
    std::map<std::string, Layout> layouts_;     // of arrays in scope that are linear
    Ranges ranges_;                             // of variables in scope
    std::set<std::string> of_buffers_;          // parameters that are not determined by the sizes
    std::map<Polynomial, std::string> shared_;  // lets of indices in scope, by their normal forms
};

}  // namespace

sare::Condition small_sizes(const sare::Sare& sare) {
    sare::Condition all{sare::Truth{true}};
    for (const std::string& parameter : sare.parameters) {
        const sare::Condition is_small{
            sare::Comparison{sare::Relation::le, {sare::IndexVariable{parameter}}, {sare::IndexConstant{most_size}}}};
        all = {sare::And{all, is_small}};
    }
    return all;
}

Supported<Converted> convert(const sare::Sare& sare, const sched::Program& program, Way way) {
    try {
        return Conversion(sare, program, way).run();
    } catch (const NotConverted& e) { return std::unexpected(e.feature); }
}

Supported<std::vector<sched::Array>> converted_arrays(const sare::Sare& sare, const sched::Program& program) {
    try {
        return Conversion(sare, program, {}).arrays();
    } catch (const NotConverted& e) { return std::unexpected(e.feature); }
}

}  // namespace haruspex::conversion
