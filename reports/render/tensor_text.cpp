#include "reports/render/tensor_text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "generators/value/type.h"
#include "reports/render/words.h"

namespace haruspex::render {
namespace {

std::string type_text(value::Type element, const std::vector<std::int64_t>& extents) {
    return fmt::format("{}[{}]", value::name(element), fmt::join(extents, " "));
}

// The matrices of a tensor: the first two dimensions, for one choice of the others.
class Matrices {
public:
    Matrices(const std::string& name, const interp::StoredTensor& tensor) : name_(name), tensor_(tensor) {
        // A vector is a matrix of one row.
        const std::size_t rank = tensor.extents.size();
        rows_ = rank == 1 ? 1 : tensor.allocated[0];
        proper_rows_ = rank == 1 ? 1 : tensor.extents[0];
        columns_ = tensor.allocated[rank == 1 ? 0 : 1];
        proper_columns_ = tensor.extents[rank == 1 ? 0 : 1];
        for (const value::Value& cell : tensor.cells) { width_ = std::max(width_, plain_value(cell).size()); }
    }

    std::string text() const {
        std::string text;
        const auto matrix_cells = static_cast<std::size_t>(rows_ * columns_);
        for (std::size_t first = 0; first < tensor_.cells.size(); first += matrix_cells) {
            if (tensor_.extents.size() > 2) { text += heading(first); }
            text += matrix(first);
        }
        return text;
    }

private:
    // "  T(_, _, 2), padding"
    std::string heading(std::size_t first) const {
        const std::vector<std::int64_t> indices = tensor_.indices(first);
        std::string text = "  " + name_ + "(_, _";
        for (std::size_t d = 2; d < indices.size(); ++d) { text += fmt::format(", {}", indices[d]); }
        return text + (tensor_.is_padding(first) ? "), padding\n" : ")\n");
    }

    std::string matrix(std::size_t first) const {
        const bool is_padding = tensor_.is_padding(first);
        std::string text;
        for (std::int64_t row = 0; row < rows_; ++row) {
            if (row == proper_rows_ && !is_padding) { text += "  " + line() + "\n"; }
            text += " ";
            for (std::int64_t column = 0; column < columns_; ++column) {
                if (column == proper_columns_ && !is_padding) { text += " |"; }
                // The first dimension is the fastest.
                const auto cell = first + static_cast<std::size_t>(row + column * rows_);
                text += fmt::format(" {:>{}}", plain_value(tensor_.cells[cell]), width_);
            }
            text += "\n";
        }
        return text;
    }

    // Sets the rows of the padding off.
    std::string line() const {
        const auto dashes = [&](std::int64_t columns) {
            return std::string(static_cast<std::size_t>(columns) * (width_ + 1), '-');
        };
        if (proper_columns_ == columns_) { return dashes(columns_).substr(1); }
        return dashes(proper_columns_) + "+" + dashes(columns_ - proper_columns_);
    }

    const std::string& name_;
    const interp::StoredTensor& tensor_;
    std::int64_t rows_, proper_rows_, columns_, proper_columns_;
    std::size_t width_ = 0;
};

}  // namespace

std::string to_text(const std::string& name, const interp::StoredTensor& tensor) {
    std::string text = name + " : " + type_text(tensor.element, tensor.extents);
    if (tensor.allocated != tensor.extents) { text += " in " + type_text(tensor.element, tensor.allocated); }
    if (tensor.extents.empty()) { return text + " = " + plain_value(tensor.cells.at(0)) + "\n"; }
    return text + "\n" + Matrices(name, tensor).text();
}

}  // namespace haruspex::render
