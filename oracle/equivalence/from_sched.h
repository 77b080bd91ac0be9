#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/base/sizes.h"
#include "harness/sched/syntax.h"
#include "oracle/equivalence/graph.h"
#include "oracle/equivalence/scope.h"

// Builds the dependence graph of a SCHED program: a node for each write and each value-let. Prophecies are ignored.
//
// A time consists of positions in blocks and loop variables, outermost first. In an assignment, reads come before the
// first write, and all lanes have one time. An accumulation is a write that reads its cell, after the writes before it,
// and applies its operator. An array that is allocated inside loops has separate cells for each of their iterations, so
// that no value flows from one allocation to the next.
//
// The graph describes a run in which par loops run in order and lanes in any order; conduct.h checks that other runs
// give the same results.
namespace haruspex::equivalence {

// A loop or lanes around an access.
struct Loop {
    std::uint32_t id = 0;  // the same for all accesses inside
    bool is_parallel = false;
    bool is_lanes = false;               // of an assignment; always the innermost
    std::vector<std::string> variables;  // the isl parameters of the enclosing loops, its own last
    std::vector<isl::pw_aff> time;       // the time of an iteration, over these parameters; empty for lanes
};

// An access to memory in the program, whether its value is needed or not.
struct Access {
    NodeId node;  // its first dimensions are those of the enclosing loops
    ArrayId array;
    bool writes = false;
    bool accumulates = false;
    isl::map cell;                 // { node[i] -> array[c] }, on all executed iterations
    std::optional<isl::map> time;  // always set once the program is built
    std::vector<Loop> loops;
    std::string label;  // for people: the statement
};

struct FreedArray {
    NodeId node;  // { node[i] } of the iterations that free it; computes nothing
    ArrayId array;
    isl::map around;  // { node[i] -> [the variables of the loops around the allocation] }
    std::optional<isl::map> time;
    bool is_in_parallel_loop = false;  // in a par loop that does not contain the allocation
    std::string label;
};

struct ReadBeyondLanes {
    isl::set iterations;  // of the reading node, not empty
    std::string label;
};

struct AssertedCondition {
    isl::set violations;  // among the enclosing iterations
    std::string label;
};

struct ArrayFacts {
    isl::set cells;          // { array[c] } that exist
    std::size_t around = 0;  // the number of its first dimensions that are variables of loops around the allocation
};

struct SchedProgram {
    std::vector<Access> accesses;
    std::vector<FreedArray> freed;
    std::vector<AssertedCondition> asserted;
    std::vector<ReadBeyondLanes> beyond_lanes;
    std::map<ArrayId, ArrayFacts> arrays;
    // For each output array: { [coordinates] -> array[c] } of its cells, and the time at the end of the program.
    struct OutputArray {
        ArrayId array;
        std::string tensor;
        int component = 0;
        isl::map cell;
        std::vector<isl::pw_aff> end;
    };
    std::vector<OutputArray> outputs;
    // Every array that is passed to the program.
    struct Buffer {
        std::string name, tensor;
        int component = 0;
        isl::set coordinates;  // { [coordinates] } of its cells
    };
    std::vector<Buffer> buffers;
};

// Parameters with a size are replaced by it. `scalars` are tensors without dimensions; such a tensor is the first cell
// of an array that has one dimension. Throws Unsupported. Adds no outputs to the graph: the caller knows which cells
// are requested.
SchedProgram build(Graph& graph, const sched::Program& program, const Sizes& sizes,
                   const std::set<std::string>& scalars = {});

// Adds the output to the graph, with its value at these cells, { [coordinates] }, all of which exist.
void add_output(Graph& graph, const SchedProgram::OutputArray& output, const isl::set& cells);

}  // namespace haruspex::equivalence
