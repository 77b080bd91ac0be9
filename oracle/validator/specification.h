#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "generators/affine/descent.h"
#include "generators/sare/build.h"
#include "generators/sare/isl.h"
#include "generators/sare/syntax.h"
#include "oracle/validator/expression.h"
#include "oracle/validator/term.h"
#include "oracle/validator/totality.h"

// The SARE as the discharge of obligations uses it.
namespace haruspex::validator {

class Specification {
public:
    // Parameters with a size have that one only, the others all that the assumptions allow.
    Specification(isl::ctx ctx, const sare::Sare& sare, const Sizes& sizes = {});

    const sare::Sare& sare() const { return sare_; }
    // The parameters alone: each without a size as isl's of its name.
    const sare::AffineSpace& parameters() const { return parameters_; }
    // The parameters for which something is said: those that the SARE assumes, for which no output's box has a negative
    // extent.
    isl::set assumptions() const { return assumptions_; }
    // Whether there are others that the SARE assumes.
    bool has_negative_boxes() const { return !parameters_.convert(sare_.assumptions).is_subset(assumptions_); }
    const TensorSignatures& signatures() const { return signatures_; }
    bool is_input(const std::string& tensor) const { return !definitions_.contains(tensor); }

    // The equations of a defined tensor at these indices: in which of the environments each applies, and its right-hand
    // side there. Copies along the steps of an update (staging.h) are one case, however many steps they are: the last
    // step that wrote the cell, or what it was before the update. A component that each step of an update copies is
    // what it was before the update at every step (also at one that has no value: where the cell is defined, it is
    // that).
    struct Case {
        isl::set environments;  // not empty; those of two cases are disjoint
        Term value;
    };
    struct Unfolding {
        std::vector<Case> cases;
        isl::set undefined;  // the other environments: no equation applies
    };
    // In all the environments the indices have values, and then those of each case's cells have values in the case's.
    const Unfolding& unfold(const term::Cell& cell, const isl::set& environments) const;

    // An order in which a tensor comes after those it reads, except for recurrences: tensors that read each other have
    // one number. Inputs have 0.
    int rank(const std::string& tensor) const;
    // Whether a value of `from` may depend on `to`, in any number of steps; on itself always.
    bool depends(const std::string& from, const std::string& to) const;
    // Whether a tensor's value may depend on another cell of it.
    bool is_recurrent(const std::string& tensor) const { return recurrent_.contains(tensor); }
    // For two cells of a tensor: where the first comes later than the second in the order of a recurrence (for stages,
    // that of staging.h: the last recurrence variable weighs most; else lexicographically).
    isl::set later(const term::Cell& a, const term::Cell& b) const;
    // Whether no cell is ever Undef, or need be taken for it: none depends on itself, and only what cannot overflow or
    // otherwise leave its type is computed on the way, by the ranges of what is computed.
    bool is_total(const std::string& tensor) const;
    bool is_total(const Term& t) const {
        Images known;
        return image(t, known).is_total;
    }
    // All values that a component's cells have where they are defined; nothing is known without it.
    const std::optional<value::Range>& range(const std::string& tensor, int component) const {
        return images_.at(tensor)[static_cast<std::size_t>(component)].range;
    }
    // Whether its cells are computed from indices alone, each at once.
    bool is_of_indices(const std::string& tensor) const {
        return !is_input(tensor) && depends_.at(tensor).size() == 1 && !is_recurrent(tensor);
    }

private:
    // A tensor's equations, by its indices: { [x] : equation n applies }. They are made once, because a pullback of
    // what is known costs isl little, and a complement of what was pulled back much.
    struct Definition {
        const sare::Tensor* tensor = nullptr;
        std::vector<isl::set> domains;
        isl::set undefined;  // { [x] : no equation applies }
        // Of a stage whose steps need not write every cell: { [x, k] -> [k'] }, the last step up to k that writes x.
        // Where none does, it may have any value.
        std::optional<isl::multi_pw_aff> last_writer;
        std::set<std::size_t> idle;  // components that the steps of a stage copy
    };

    // What was unfolded once is asked for again and again, by each way of proving an equation.
    struct Unfolded {
        term::Cell cell;
        isl::set environments;
        Unfolding unfolding;
    };

    void find_dependences();
    bool are_of_one_recurrence(const std::string& a, const std::string& b) const {
        return depends(a, b) && depends(b, a);
    }
    void find_cyclic();
    void add_steps(std::size_t n, std::vector<affine::Descent>& steps) const;
    void find_images();
    void find_ranges(const std::vector<const sare::Tensor*>& tensors);
    void find_totals(const std::vector<const sare::Tensor*>& tensors);
    Image image(const sare::Expr& expr, const sare::TensorTypes& types) const;
    using Images = std::unordered_map<const TermNode*, Image>;
    Image image(const Term& t, Images& known) const;
    Image computed_image(const Term& t, Images& known) const;
    Definition define(const sare::Tensor& tensor) const;
    void define_last_writer(Definition& definition, const std::vector<sare::RecurrenceVariable>& over) const;
    void find_idle(Definition& definition) const;
    Unfolding unfolded(const term::Cell& cell, const isl::set& environments) const;
    sare::AffineSpace at(const sare::Tensor& tensor, const std::vector<isl::pw_aff>& indices) const;
    Term value(const sare::Expr& expr, const sare::AffineSpace& here) const;

    isl::ctx ctx_;
    sare::Sare sare_;
    sare::AffineSpace parameters_;
    isl::set assumptions_;
    TensorSignatures signatures_;
    std::map<std::string, Definition> definitions_;
    std::map<std::string, std::set<std::string>> depends_;
    std::map<std::string, int> ranks_;
    std::map<std::string, std::vector<Image>> images_;  // by component
    std::set<std::string> recurrent_;
    std::set<std::string> cyclic_;  // recurrent tensors of which it is not shown that no cell depends on itself
    std::map<std::string, std::size_t> recurrence_variables_;            // of stage tensors: how many indices are such
    mutable std::unordered_multimap<std::uint32_t, Unfolded> unfolded_;  // by a hash of cell and environments
};

}  // namespace haruspex::validator
