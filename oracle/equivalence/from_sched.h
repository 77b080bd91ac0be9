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

// A SCHED program as a dependence graph: a node for each write and each value-let. Prophecies are not looked at.
//
// Times are positions in blocks and loops' variables from the outside in; of an assignment, reads come before its first
// write, and all lanes are at one time. An array that is allocated inside of loops has cells for each of their
// iterations, so that nothing flows from one entry to the next. Accumulations read their cell and apply their operator.
//
// par loops run in order here, and lanes in any order; that this is right is what conduct.h has to show.
namespace haruspex::equivalence {

// A loop or lanes around an access: one object for all accesses inside.
struct Loop {
    std::uint32_t id = 0;
    bool is_parallel = false;
    bool is_lanes = false;               // of an assignment; always the innermost
    std::vector<std::string> variables;  // the isl parameters of the loops around it, its own the last
    std::vector<isl::pw_aff> time;       // of its iterations, over these; of lanes there is none
};

// An access of memory as the program does it, wanted or not.
struct Access {
    NodeId node;  // its first dimensions are those of the loops around
    ArrayId array;
    bool writes = false;
    bool accumulates = false;
    isl::map cell;                 // { node[i] -> array[c] }, on all that is executed
    std::optional<isl::map> time;  // always, once the program is built
    std::vector<Loop> loops;
    std::string label;  // for people: the statement
};

struct FreedArray {
    NodeId node;  // { node[i] } of the iterations that free it; computes nothing
    ArrayId array;
    isl::map around;  // { node[i] -> [the loops' variables around the allocation] }
    std::optional<isl::map> time;
    bool is_in_parallel_loop = false;  // one that is inside of the allocation's block
    std::string label;
};

struct ReadBeyondLanes {
    isl::set iterations;  // of the reading node, not empty
    std::string label;
};

struct AssertedCondition {
    isl::set violations;  // of the iterations around
    std::string label;
};

struct ArrayFacts {
    isl::set cells;          // { array[c] } that exist
    std::size_t around = 0;  // how many of its dimensions are loops' variables around the allocation
};

struct SchedProgram {
    std::vector<Access> accesses;
    std::vector<FreedArray> freed;
    std::vector<AssertedCondition> asserted;
    std::vector<ReadBeyondLanes> beyond_lanes;
    std::map<ArrayId, ArrayFacts> arrays;
    // Of each output array: { [coordinates] -> array[c] } of the cells that there are, and when all is over.
    struct OutputArray {
        ArrayId array;
        std::string tensor;
        int component = 0;
        isl::map cell;
        std::vector<isl::pw_aff> end;
    };
    std::vector<OutputArray> outputs;
    // Every array that is passed.
    struct Buffer {
        std::string name, tensor;
        int component = 0;
        isl::set coordinates;  // { [coordinates] } of the cells that there are
    };
    std::vector<Buffer> buffers;
};

// Parameters with a size are that number. A scalar, a tensor without dimensions, is the first cell of an array that has
// one. Throws Unsupported. Makes no outputs of the graph: which cells are requested, the caller knows.
SchedProgram build(Graph& graph, const sched::Program& program, const Sizes& sizes,
                   const std::set<std::string>& scalars = {});

// The output's value at these cells, { [coordinates] }, all of which there are.
void add_output(Graph& graph, const SchedProgram::OutputArray& output, const isl::set& cells);

}  // namespace haruspex::equivalence
