#include "harness/halide/guarded_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "generators/base/ensure.h"

namespace haruspex::halide {
namespace {

// Odd, so that only the first row starts at a vector's alignment.
constexpr std::int64_t gap_elements = 3;
constexpr std::uint64_t too_many = std::uint64_t{1} << 62;
// More than any of our cases needs. A bounds query that asks for more has gone wrong, and filling it would take
// minutes.
constexpr std::uint64_t largest_span = std::uint64_t{1} << 30;

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

}  // namespace

std::uint64_t Shape::cells() const {
    std::uint64_t n = 1;
    for (const std::int64_t e : extent) {
        if (e <= 0) { return 0; }
        n = n > too_many / static_cast<std::uint64_t>(e) ? too_many : n * static_cast<std::uint64_t>(e);
    }
    return n;
}

void Shape::for_each(const std::function<void(const std::vector<std::int64_t>&)>& visit) const {
    if (cells() == 0) { return; }
    std::vector<std::int64_t> at = min;
    for (;;) {
        visit(at);
        std::size_t d = 0;
        while (d < at.size() && ++at[d] == min[d] + extent[d]) {
            at[d] = min[d];
            ++d;
        }
        if (d == at.size()) { return; }
    }
}

GuardedBuffer::GuardedBuffer(Shape shape, int element_bytes, Rows rows, Flush flush, std::uint8_t poison)
    : shape_(std::move(shape)), element_bytes_(element_bytes) {
    // Each gap adds its elements once for every row, so this bounds the span below.
    std::uint64_t elements = shape_.cells();
    if (elements > largest_span) { throw std::bad_alloc(); }
    std::int64_t stride = 1;
    std::int64_t last = 0;  // element offset of the last cell
    for (const std::int64_t e : shape_.extent) {
        strides_.push_back(stride);
        if (elements > 0) { last += (e - 1) * stride; }
        stride = stride * std::max<std::int64_t>(e, 1) + (rows == Rows::padded ? gap_elements : 0);
        if (static_cast<std::uint64_t>(stride) > largest_span) { throw std::bad_alloc(); }
    }
    span_bytes_ = elements == 0 ? 0 : static_cast<std::size_t>(last + 1) * static_cast<std::size_t>(element_bytes);
    const std::size_t page = page_size();
    inside_bytes_ = std::max<std::size_t>((span_bytes_ + page - 1) / page * page, page);
    map_bytes_ = inside_bytes_ + 2 * page;
    void* map = ::mmap(nullptr, map_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) { throw std::bad_alloc(); }
    map_ = static_cast<std::uint8_t*>(map);
    inside_ = map_ + page;
    if (::mprotect(inside_, inside_bytes_, PROT_READ | PROT_WRITE) != 0) {
        ::munmap(map_, map_bytes_);
        throw std::bad_alloc();
    }
    std::memset(inside_, poison, inside_bytes_);
    // A page is a multiple of every element's size, so both ends are aligned for it.
    host_ = flush == Flush::at_start ? inside_ : inside_ + inside_bytes_ - span_bytes_;
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept
    : shape_(std::move(other.shape_)),
      element_bytes_(other.element_bytes_),
      strides_(std::move(other.strides_)),
      map_(std::exchange(other.map_, nullptr)),
      map_bytes_(other.map_bytes_),
      inside_(other.inside_),
      inside_bytes_(other.inside_bytes_),
      host_(other.host_),
      span_bytes_(other.span_bytes_),
      sealed_(std::move(other.sealed_)) {}

GuardedBuffer::~GuardedBuffer() {
    if (map_ != nullptr) { ::munmap(map_, map_bytes_); }
}

template <typename Visit>
void GuardedBuffer::for_each_cell(Visit visit) const {
    shape_.for_each([&](const std::vector<std::int64_t>& at) {
        std::int64_t offset = 0;
        for (std::size_t d = 0; d < at.size(); ++d) { offset += (at[d] - shape_.min[d]) * strides_[d]; }
        visit(host_ + offset * element_bytes_);
    });
}

void GuardedBuffer::fill(const std::vector<std::uint64_t>& bits) {
    ENSURE(bits.size() == shape_.cells(), "a buffer is filled with one bit pattern for each cell");
    auto next = bits.begin();
    for_each_cell([&](std::uint8_t* cell) { std::memcpy(cell, &*next++, static_cast<std::size_t>(element_bytes_)); });
}

std::vector<std::uint64_t> GuardedBuffer::read() const {
    std::vector<std::uint64_t> all;
    all.reserve(static_cast<std::size_t>(shape_.cells()));
    for_each_cell([&](const std::uint8_t* cell) {
        std::uint64_t value = 0;
        std::memcpy(&value, cell, static_cast<std::size_t>(element_bytes_));
        all.push_back(value);
    });
    return all;
}

void GuardedBuffer::seal() { sealed_.assign(inside_, inside_ + inside_bytes_); }

std::optional<std::string> GuardedBuffer::find_change(bool cells_may_change) const {
    ENSURE(sealed_.size() == inside_bytes_, "a buffer is sealed before changes are looked for");
    std::vector<std::uint8_t> present(inside_, inside_ + inside_bytes_);
    if (cells_may_change) {
        for_each_cell([&](const std::uint8_t* cell) {
            const auto at = cell - inside_;
            std::copy_n(sealed_.begin() + at, element_bytes_, present.begin() + at);
        });
    }
    const auto [now, then] = std::ranges::mismatch(present, sealed_);
    if (now == present.end()) { return std::nullopt; }
    return describe((now - present.begin()) - (host_ - inside_));
}

std::string GuardedBuffer::describe(std::ptrdiff_t offset) const {
    if (offset < 0) { return std::to_string(-offset) + " bytes before the first cell"; }
    if (offset >= static_cast<std::ptrdiff_t>(span_bytes_)) {
        return std::to_string(offset - static_cast<std::ptrdiff_t>(span_bytes_)) + " bytes behind the last cell";
    }
    std::int64_t rest = offset / element_bytes_;
    std::vector<std::int64_t> at(strides_.size());
    bool in_gap = false;
    for (std::size_t d = strides_.size(); d-- > 0;) {
        at[d] = rest / strides_[d];
        rest %= strides_[d];
        in_gap = in_gap || at[d] >= shape_.extent[d];
        at[d] += shape_.min[d];
    }
    std::string text = in_gap ? "in a gap, at" : "at";
    for (std::size_t d = 0; d < at.size(); ++d) { text += (d == 0 ? " (" : ", ") + std::to_string(at[d]); }
    return text + (at.empty() ? " the only cell" : ")");
}

}  // namespace haruspex::halide
