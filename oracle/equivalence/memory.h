#pragma once

#include <isl/cpp.h>

#include <optional>
#include <string>
#include <vector>

#include "generators/base/ids.h"

// Arrays with their writes and reads; exact data-flow analysis finds the write that a read sees.
namespace haruspex::equivalence {

using NodeId = Id<struct NodeTag>;
using ArrayId = Id<struct ArrayTag>;
using ReadId = Id<struct ReadTag>;

// A time is a relation { node[i] -> [t_0, …] }, ordered lexicographically. All accesses to one array have times of one
// length. Iterations of a write with the same time and the same cell write the same value.
struct MemoryWrite {
    NodeId node;
    isl::map cell;                 // { node[i] -> array[c] }, single-valued
    std::optional<isl::map> time;  // none for a single-assignment array
};

struct MemoryArray {
    std::string name;  // for people
    std::vector<MemoryWrite> writes;
    // Every cell is written at most once and may be read at any time, so there are no times: for general tensors of a
    // SARE and its inputs.
    bool is_single_assignment = false;
    // Set for an input, which has no writes: { array[c] -> [coordinates] }.
    std::optional<isl::map> coordinates;
    std::string tensor;  // of an input
    int component = 0;
};

struct MemoryRead {
    NodeId node;
    ArrayId array;
    std::optional<isl::map> cell;  // { node[i] -> array[c] }, single-valued
    std::optional<isl::map> time;  // none for a read of a single-assignment array or an input
    // Set instead of array and cell if the value is that of a node: `source`, and { node[i] -> source[j] }.
    std::optional<NodeId> source;
    std::optional<isl::map> direct;
    bool is_later = false;  // later than the node's other reads: it is an accumulation's read of its cell, after the
                            // assignment's preceding writes
};

// A write that a read sees, and in which iterations. A cell without an earlier write is in no flow.
struct Flow {
    NodeId writer;
    isl::map from;  // { reader[i] -> writer[j] }
};

class Memory {
public:
    ArrayId add_array(MemoryArray array);
    MemoryArray& array(ArrayId id) { return arrays_.at(id.value); }
    const MemoryArray& array(ArrayId id) const { return arrays_.at(id.value); }
    ReadId add_read(MemoryRead read);
    void set_later(ReadId read) { reads_.at(read.value).is_later = true; }
    void set_time(ReadId read, const isl::map& time) { reads_.at(read.value).time = time; }
    const MemoryRead& read(ReadId id) const { return reads_.at(id.value); }

    // Returns, for each iteration of the read, the last write before it to the cell that it reads.
    std::vector<Flow> flow(ReadId read);

private:
    // For each cell and the first d parts of a time: the last write by `writers` to the cell among those whose time
    // begins with these parts, { [array[c], t_0, …, t_(d-1)] -> node[i] }. Used for reads whose time begins with the
    // same parts and is later in the next one.
    struct LastWrites {
        ArrayId array;
        std::vector<NodeId> writers;
        std::size_t d = 0;
        std::vector<Flow> last;
    };
    std::vector<Flow> last_before(const MemoryRead& read);
    const std::vector<Flow>& last_writes(ArrayId array, const std::vector<NodeId>& writers, std::size_t d);

    std::vector<MemoryArray> arrays_;
    std::vector<MemoryRead> reads_;
    // Computed once: many reads come after all writes of a loop nest, and the writes they see depend on the cell alone.
    std::vector<LastWrites> last_writes_;
};

}  // namespace haruspex::equivalence
