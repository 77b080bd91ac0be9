#pragma once

#include <isl/cpp.h>

#include <optional>
#include <string>
#include <vector>

#include "generators/base/ids.h"

// Arrays with their writes and reads, and exact data-flow analysis: the write that a read sees.
namespace haruspex::equivalence {

using NodeId = Id<struct NodeTag>;
using ArrayId = Id<struct ArrayTag>;
using ReadId = Id<struct ReadTag>;

// Times: { node[i] -> [t_0, …] }, ordered lexicographically. All times of one array's accesses have one length.
// Iterations of one write with the same time and the same cell write the same value.
struct MemoryWrite {
    NodeId node;
    isl::map cell;                 // { node[i] -> array[c] }, single-valued
    std::optional<isl::map> time;  // none for a single-assignment array
};

struct MemoryArray {
    std::string name;  // for people
    std::vector<MemoryWrite> writes;
    // Every cell is written at most once and may be read at any time: there are no times. For general tensors of a
    // SARE.
    bool is_single_assignment = false;
    // For an input: { array[c] -> [coordinates] }; it has no writes.
    std::optional<isl::map> coordinates;
    std::string tensor;  // of an input
    int component = 0;
};

struct MemoryRead {
    NodeId node;
    ArrayId array;
    std::optional<isl::map> cell;  // { node[i] -> array[c] }, single-valued
    std::optional<isl::map> time;  // none for a read of a single-assignment array or an input
    // Used instead of array and cell: the value computed by a node, { node[i] -> source[j] }.
    std::optional<NodeId> source;
    std::optional<isl::map> direct;
    bool is_later = false;  // than the other reads of its node: an accumulation reads after the writes before it
};

// A write that a read sees, and where. Cells without an earlier write are in no flow.
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

    // Returns the last write before each read to the cell that it reads.
    std::vector<Flow> flow(ReadId read);

private:
    // For writes to an array, in this order, whose times differ from the read's from the d-th part on: the last write
    // of each cell and each prefix of the time, { [array[c], t_0, …, t_(d-1)] -> node[i] }.
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
    // Many reads come after all writes of a loop nest: the writes they see depend on the cell alone.
    std::vector<LastWrites> last_writes_;
};

}  // namespace haruspex::equivalence
