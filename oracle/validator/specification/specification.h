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
#include "generators/base/sizes.h"
#include "generators/sare/build.h"
#include "generators/sare/isl.h"
#include "generators/sare/syntax.h"
#include "oracle/validator/specification/signature.h"
#include "oracle/validator/terms/image.h"
#include "oracle/validator/terms/term.h"

// The SARE as the discharge of obligations uses it.
namespace haruspex::validator {

class Specification {
public:
    // A parameter with a size has only that value; the others have all values that the assumptions allow.
    Specification(isl::ctx ctx, const sare::Sare& sare, const Sizes& sizes = {});

    const sare::Sare& sare() const { return sare_; }
    // The space of the parameters alone; a parameter without a size is the isl parameter of its name.
    const sare::AffineSpace& parameters() const { return parameters_; }
    // The parameter values that a claim covers: the SARE assumes them, and no output's box has a negative extent.
    isl::set assumptions() const { return assumptions_; }
    // Whether the SARE allows other values, too.
    bool has_negative_boxes() const { return !parameters_.convert(sare_.assumptions).is_subset(assumptions_); }
    const TensorSignatures& signatures() const { return signatures_; }
    bool is_input(const std::string& tensor) const { return !definitions_.contains(tensor); }

    // A case of a cell's definition: the environments in which an equation of its tensor applies, and the right-hand
    // side there. Copies along the steps of an update (sare/staging.h) are one case, however many there are: the last
    // step that wrote the cell, or its value before the update. A component that all steps of an update copy has its
    // value before the update at every step. (Whether that step has a value is not checked; if it has, it is this one.)
    struct Case {
        isl::set environments;  // not empty; those of two cases are disjoint
        Term value;
    };
    struct Unfolding {
        std::vector<Case> cases;
        isl::set undefined;  // the other environments: no equation applies
    };
    // The cell's indices must have values in all of these environments; the indices of the cells in each case then have
    // values in the case's environments.
    const Unfolding& unfold(const term::Cell& cell, const isl::set& environments) const;

    // A rank by which a tensor comes after the tensors that it reads, except for recurrences: tensors that read each
    // other have the same rank. Inputs have rank 0.
    int rank(const std::string& tensor) const;
    // Whether a value of `from` may depend on `to`, in any number of steps; always true of a tensor itself.
    bool depends(const std::string& from, const std::string& to) const;
    // Whether a cell of the tensor may depend on another one.
    bool is_recurrent(const std::string& tensor) const { return recurrent_.contains(tensor); }
    // For two cells of a tensor: the environments in which the first comes later than the second in the order of a
    // recurrence. For stages that is the order of sare/staging.h (the last recurrence variable weighs most), otherwise
    // the lexicographic order.
    isl::set later(const term::Cell& a, const term::Cell& b) const;
    // Whether no cell is ever Undef, or has to be treated as Undef: no cell depends on itself, and by the ranges of its
    // operands no operation on the way can overflow or otherwise leave its type.
    bool is_total(const std::string& tensor) const;
    bool is_total(const Term& t) const {
        Images known;
        return image(t, known).is_total;
    }
    // A range that contains the values of all defined cells of a component; nullopt: unknown.
    const std::optional<value::Range>& range(const std::string& tensor, int component) const {
        return images_.at(tensor)[static_cast<std::size_t>(component)].range;
    }
    // Whether its cells are computed from indices alone: the tensor reads nothing.
    bool is_computed_from_indices(const std::string& tensor) const {
        return !is_input(tensor) && depends_.at(tensor).size() == 1 && !is_recurrent(tensor);
    }

private:
    // The domains of a tensor's equations, in terms of its indices: { [x] : equation n applies }. They are computed
    // once: for isl it is cheap to pull back a known set, but expensive to complement one that was pulled back.
    struct Definition {
        const sare::Tensor* tensor = nullptr;
        std::vector<isl::set> domains;
        isl::set undefined;  // { [x] : no equation applies }
        // For a stage whose steps need not write every cell: { [x, k] -> [k'] }, the last step up to k that writes x;
        // arbitrary where no step does.
        std::optional<isl::multi_pw_aff> last_writer;
        std::set<std::size_t> idle;  // components that all steps of a stage copy
    };

    // A cached unfolding: every way of proving an equation needs the same ones.
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
    std::set<std::string> cyclic_;                             // recurrent tensors in which a cell may depend on itself
    std::map<std::string, std::size_t> recurrence_variables_;  // by stage tensor: their number
    mutable std::unordered_multimap<std::uint32_t, Unfolded> unfolded_;  // by a hash of cell and environments
};

}  // namespace haruspex::validator
