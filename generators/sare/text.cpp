#include "generators/sare/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "generators/sare/affine_parser.h"
#include "generators/sare/box.h"
#include "generators/sare/build.h"
#include "generators/sare/items.h"
#include "generators/sare/limits.h"
#include "generators/sare/names.h"
#include "generators/sare/wellformed.h"

namespace haruspex::sare {

namespace {

// Reads the items of a system; assembly infers the types.
class SareParser {
public:
    SareParser(std::string_view text, std::string_view file)
        : diagnostics_(text, file), tokens_(diagnostics_), affine_(tokens_), exprs_(tokens_, affine_) {}

    Result<Sare> parse() {
        header();
        tokens_.expect("{");
        while (!tokens_.failed() && !tokens_.at("}")) { item(); }
        tokens_.expect("}");
        if (!tokens_.at_end()) { tokens_.expected("the end of the text"); }
        if (!tokens_.failed()) { assemble(system_, tokens_); }
        if (!tokens_.failed()) { check_whole(); }
        if (diagnostics_.failed()) { return fail(diagnostics_.error()); }
        return std::move(system_.sare);
    }

private:
    using Kind = Subject::Kind;

    void check_whole() {
        const Checked checked = find_fault(system_.sare);
        if (checked) { return; }
        const auto place = system_.places.find(checked.error().subject);
        tokens_.report(place != system_.places.end() ? place->second : 0, to_error(checked.error()).message);
    }

    std::string name(std::string_view what) {
        const Token token = tokens_.peek();
        if (token.kind != TokenKind::name || !is_name(token.text)) { tokens_.expected(what); }
        return std::string(tokens_.take().text);
    }

    std::string tensor_name() {
        const Token token = tokens_.peek();
        if (token.kind != TokenKind::name || !is_tensor_name(token.text)) { tokens_.expected("a tensor's name"); }
        return std::string(tokens_.take().text);
    }

    value::Type type() {
        const auto type = value::parse_type(tokens_.peek().text);
        if (!type) { tokens_.expected("a type (" + value::names(value::all_types) + ")"); }
        tokens_.take();
        return type.value_or(value::Type::i32);
    }

    std::vector<value::Type> types() {
        std::vector<value::Type> types;
        const bool tuple = tokens_.accept("{");
        do { types.push_back(type()); } while (tuple && tokens_.accept(","));
        if (tuple) { tokens_.expect("}"); }
        return types;
    }

    std::vector<RawExpr> values() {
        std::vector<RawExpr> values;
        const bool tuple = tokens_.accept("{");
        do { values.push_back(exprs_.expression()); } while (tuple && tokens_.accept(","));
        if (tuple) { tokens_.expect("}"); }
        return values;
    }

    int rank() {
        tokens_.expect("[");
        const Token token = tokens_.peek();
        int rank = 0;
        const bool digits = !token.text.empty() && token.text.find_first_not_of("0123456789") == std::string_view::npos;
        if (token.kind != TokenKind::number || !digits || token.text.size() > 2 ||
            (rank = std::stoi(std::string(token.text))) > max_rank) {
            tokens_.expected(fmt::format("a rank from 0 to {}", max_rank));
        }
        tokens_.take();
        tokens_.expect("]");
        return rank;
    }

    std::vector<std::string> variables() {
        std::vector<std::string> names;
        tokens_.expect("(");
        if (!tokens_.at(")")) {
            do {
                const std::size_t offset = tokens_.peek().offset;
                std::string variable = name("a variable's name");
                if (std::find(names.begin(), names.end(), variable) != names.end()) {
                    tokens_.report(offset, already_in_scope(variable));
                }
                names.push_back(std::move(variable));
            } while (tokens_.accept(","));
        }
        tokens_.expect(")");
        return names;
    }

    // Closes an item's scope: it must contain every variable used.
    void resolve(const Scope& scope) {
        for (const VariableUse& use : affine_.uses()) {
            if (std::find(scope.begin(), scope.end(), use.name) == scope.end()) {
                tokens_.report(use.offset, unknown_variable(use.name, scope));
            }
        }
        affine_.uses().clear();
    }

    Scope with_parameters(const std::vector<std::string>& names) const {
        Scope scope = system_.sare.parameters;
        scope.insert(scope.end(), names.begin(), names.end());
        return scope;
    }

    void header() {
        tokens_.expect("sare");
        system_.places[Subject{}] = tokens_.peek().offset;
        system_.sare.name = name("the system's name");
        system_.sare.parameters = variables();
        if (!tokens_.accept("assuming")) { return; }
        system_.places[Subject{Kind::assumptions}] = tokens_.peek().offset;
        system_.sare.assumptions = affine_.condition();
        resolve(system_.sare.parameters);
    }

    void item() {
        if (tokens_.accept("input")) {
            input();
        } else if (tokens_.accept("tensor")) {
            declaration();
        } else if (tokens_.accept("update")) {
            update();
        } else if (tokens_.accept("output")) {
            output();
        } else if (tokens_.peek().kind == TokenKind::name && is_tensor_name(tokens_.peek().text)) {
            equation();
        } else {
            tokens_.expected("an item (\"input\", \"tensor\", \"update\", \"output\" or an equation) or \"}\"");
        }
    }

    void input() {
        const std::size_t offset = tokens_.peek().offset;
        Input input;
        input.name = name("the input's name");
        tokens_.expect(":");
        input.type = type();
        input.rank = rank();
        const auto same = [&](const Input& other) { return other.name == input.name; };
        if (std::any_of(system_.sare.inputs.begin(), system_.sare.inputs.end(), same)) {
            tokens_.report(offset, already_used(input.name));
        }
        system_.places.emplace(Subject{Kind::input, input.name}, offset);
        system_.sare.inputs.push_back(std::move(input));
    }

    void declaration() {
        RawDeclaration declaration;
        declaration.offset = tokens_.peek().offset;
        RawTensor& tensor = system_.tensor(tensor_name());
        tokens_.expect(":");
        declaration.types = types();
        declaration.rank = rank();
        if (tensor.declaration) {
            tokens_.report(declaration.offset,
                           fmt::format("\"{}\" is declared twice; expected one declaration", tensor.name));
        }
        tensor.declaration = std::move(declaration);
    }

    void equation() {
        RawEquation equation;
        equation.offset = tokens_.peek().offset;
        const std::string tensor = tensor_name();
        if (!tokens_.at("(")) { tokens_.expected(fmt::format("\"(\" and the variables of \"{}\"", tensor)); }
        equation.variables = variables();
        if (tokens_.accept(":")) { equation.types = types(); }
        tokens_.expect("=");
        equation.values = values();
        if (tokens_.accept("if")) { equation.domain = affine_.condition(); }
        resolve(with_parameters(equation.variables));
        system_.tensor(tensor).equations.push_back(std::move(equation));
    }

    void update() {
        RawUpdate update;
        update.offset = tokens_.peek().offset;
        const std::string tensor = tensor_name();
        tokens_.expect("(");
        if (!tokens_.at(")")) {
            do { update.target.push_back(affine_.index()); } while (tokens_.accept(","));
        }
        tokens_.expect(")");
        tokens_.expect("=");
        update.values = values();
        const std::size_t mark = affine_.uses().size();
        if (tokens_.accept("over")) {
            do { update.over.push_back(recurrence_variable()); } while (tokens_.accept(","));
        }
        bounds_resolve(mark);
        if (tokens_.accept("where")) { update.where = affine_.condition(); }
        resolve(update_scope(tensor, update));
        system_.tensor(tensor).updates.push_back(std::move(update));
    }

    // The bounds of recurrence variables are over parameters alone.
    void bounds_resolve(std::size_t mark) {
        auto& uses = affine_.uses();
        std::vector<VariableUse> before(uses.begin(),
                                        uses.begin() + static_cast<std::ptrdiff_t>(std::min(mark, uses.size())));
        uses.erase(uses.begin(), uses.begin() + static_cast<std::ptrdiff_t>(before.size()));
        resolve(system_.sare.parameters);
        uses = std::move(before);
    }

    RecurrenceVariable recurrence_variable() {
        RecurrenceVariable k{name("a recurrence variable's name"), Index{IndexConstant{0}}, Index{IndexConstant{0}}};
        tokens_.expect("in");
        tokens_.expect("[");
        k.min = affine_.index();
        tokens_.expect(",");
        k.extent = extent_between(k.min, affine_.index());
        tokens_.expect(")");
        return k;
    }

    Scope update_scope(const std::string& tensor, const RawUpdate& update) {
        const RawTensor& raw = system_.tensor(tensor);
        Scope scope = with_parameters({});
        if (raw.equations.empty()) {
            tokens_.report(update.offset,
                           fmt::format("expected the pure definition of \"{}\" before its updates", tensor));
            return scope;
        }
        const std::vector<std::string>& variables = raw.equations.back().variables;
        // Only variables at their own position are bound; the others have no value in an update.
        for (std::size_t p = 0; p < std::min(variables.size(), update.target.size()); ++p) {
            if (update.target[p] == variable(variables[p])) { scope.push_back(variables[p]); }
        }
        for (const RecurrenceVariable& k : update.over) { scope.push_back(k.name); }
        return scope;
    }

    void output() {
        Output output;
        const std::size_t offset = tokens_.peek().offset;
        output.tensor = tensor_name();
        system_.places.emplace(Subject{Kind::output, output.tensor}, offset);
        tokens_.expect("on");
        tokens_.expect("{");
        const std::vector<std::string> variables = names_of(bracketed_names(tokens_));
        tokens_.expect(":");
        const std::size_t condition_offset = tokens_.peek().offset;
        const Condition condition = affine_.condition();
        tokens_.expect("}");
        resolve(with_parameters(variables));
        auto box = box_of(condition, variables);
        if (!box) { tokens_.report(condition_offset, box.error()); }
        if (box) { output.box = std::move(*box); }
        const auto same = [&](const Output& other) { return other.tensor == output.tensor; };
        if (std::any_of(system_.sare.outputs.begin(), system_.sare.outputs.end(), same)) {
            tokens_.report(offset, requested_twice(output.tensor));
        }
        system_.sare.outputs.push_back(std::move(output));
    }

    Diagnostics diagnostics_;
    Tokens tokens_;
    AffineParser affine_;
    ExprParser exprs_;
    RawSystem system_;
};

// The type that the token names, alone or at the end of a literal.
std::optional<value::Type> type_in(const Token& token) {
    if (const auto type = value::parse_type(token.text)) { return type; }
    if (token.kind != TokenKind::number && !is_literal_word(token)) { return std::nullopt; }
    const auto* const type =
        std::ranges::find_if(value::all_types, [&](value::Type t) { return token.text.ends_with(value::name(t)); });
    return type == value::all_types.end() ? std::nullopt : std::optional(*type);
}

template <typename Parse>
auto parse_alone(std::string_view text, std::string_view file, Parse&& parse)
    -> Result<decltype(parse(std::declval<AffineParser&>()))> {
    Diagnostics diagnostics(text, file);
    Tokens tokens(diagnostics);
    AffineParser affine(tokens);
    auto tree = parse(affine);
    if (!tokens.at_end()) { tokens.expected("the end of the text"); }
    if (diagnostics.failed()) { return fail(diagnostics.error()); }
    return tree;
}

}  // namespace

Result<Sare> parse_sare(std::string_view text, std::string_view file) { return SareParser(text, file).parse(); }

Result<Sare> parse_sare(std::string_view text, std::string_view file, const KnownTypes& known) {
    auto sare = parse_sare(text, file);
    if (!sare) { return sare; }
    // Names of types and literals are reserved words, so that these tokens say all types that do not follow from others.
    Diagnostics diagnostics(text, file);
    Tokens tokens(diagnostics);
    while (!tokens.at_end() && !tokens.failed()) {
        const Token token = tokens.take();
        const auto type = type_in(token);
        if (!type || std::ranges::find(known.types, *type) != known.types.end()) { continue; }
        tokens.report(token.offset, std::string(known.owner) + " has no type " + std::string(value::name(*type)) +
                                        ": expected one of " + value::names(known.types));
    }
    if (diagnostics.failed()) { return fail(diagnostics.error()); }
    return sare;
}

Result<Condition> parse_condition(std::string_view text, std::string_view file) {
    return parse_alone(text, file, [](AffineParser& parser) { return parser.condition(); });
}

Result<Index> parse_index(std::string_view text, std::string_view file) {
    return parse_alone(text, file, [](AffineParser& parser) { return parser.index(); });
}

}  // namespace haruspex::sare
