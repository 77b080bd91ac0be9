#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "generators/sare/build.h"
#include "generators/sare/syntax.h"
#include "oracle/refinement/values.h"
#include "oracle/unrolled/given_up.h"

// The cells of a SARE at given sizes, evaluated on demand and once each.
namespace haruspex::unrolled {

using refinement::Term;
using refinement::Values;

class Reference {
public:
    // Every parameter has a size. Throws GivenUp, here and below: for a reduction in an equation, for an index that
    // leaves 64 bits, and if more than `most_cells` cells are needed.
    Reference(const sare::Sare& sare, const Sizes& sizes, Values& values, std::uint64_t most_cells);

    // The value of a cell; Undef where no equation applies. nullopt if the specification has no such tensor or
    // component, or if the tensor has another rank.
    std::optional<Term> cell(const std::string& tensor, int component, const std::vector<std::int64_t>& coordinates);

    bool is_undef(Term t) const {
        const value::Value* literal = values_.literal_of(t);
        return literal != nullptr && literal->is_undef();
    }
    // The rank of an input or a tensor; nullopt if there is none of this name.
    std::optional<std::size_t> rank(const std::string& tensor) const;
    // The number of components of a tensor, which must exist (ENSURE).
    std::size_t components(const std::string& tensor) const;

private:
    struct Key {
        const sare::Tensor* tensor = nullptr;
        int component = 0;
        std::vector<std::int64_t> coordinates;
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };

    Term demand(const Key& key);
    // The cell's value; nullopt if it needs cells that are not known yet, which missing_ then lists.
    std::optional<Term> value(const Key& key);
    std::optional<Term> value(const sare::Expr& expr, const sare::Environment& here);
    std::optional<Term> access(const sare::Access& access, const sare::Environment& here);

    sare::Environment sizes_;
    Values& values_;
    std::uint64_t cells_left_;
    std::map<std::string, const sare::Input*> inputs_;
    std::map<std::string, const sare::Tensor*> tensors_;
    std::unordered_map<Key, Term, Hash> known_;
    std::vector<Key> missing_;
};

}  // namespace haruspex::unrolled
