#include "oracle/interp/sare_interpreter.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/sizes.h"
#include "generators/value/operators.h"
#include "oracle/interp/cell_table.h"
#include "oracle/interp/program.h"

namespace haruspex::interp {
namespace {

constexpr std::uint64_t tested_of_cell = 16;  // tested steps of an update that count as one cell
// A waiting cell takes some 100 bytes.
constexpr std::size_t most_waiting = std::size_t{1} << 22;
// The largest output: more than any case that finishes in time.
constexpr std::int64_t most_output_cells = std::int64_t{1} << 28;

}  // namespace

// Runs the program on its own stacks, so that long chains of recurrences do not exhaust the thread's.
struct SareInterpreter::Machine {
    // A cell that is being evaluated. Its slots, the first of which are its coordinates, begin at `slots`.
    struct Frame {
        std::uint32_t tensor;
        std::uint32_t component;
        std::uint32_t next;  // instruction to go on with
        std::size_t slots;
        CellTable::Position position;
    };

    Machine(const sare::Sare& sare, const Sizes& parameters, InputFunction input_function, int index_bits)
        : program(compile(sare, parameters, index_bits)), inputs(std::move(input_function)), bits(index_bits) {
        std::size_t widest = 0;
        for (const TensorCode& tensor : program.tensors) {
            std::vector<CellTable>& components = tensor_tables.emplace_back();
            // Outputs are requested with dimension 0 fastest; an update's chains run along its last dimensions.
            const auto order = tensor.link.kind == StageLink::Kind::update ? CellTable::Order::last_fastest
                                                                           : CellTable::Order::first_fastest;
            for (const value::Type type : tensor.types) { components.emplace_back(type, tensor.rank, order); }
            widest = std::max<std::size_t>(widest, tensor.rank);
        }
        for (const InputCode& input : program.inputs) {
            input_tables.emplace_back(input.type, input.rank, CellTable::Order::first_fastest);
            widest = std::max<std::size_t>(widest, input.rank);
        }
        cell.resize(widest);
    }

    std::string describe(std::uint32_t tensor, std::uint32_t component, const std::int64_t* coordinates) const {
        const TensorCode& code = program.tensors[tensor];
        std::string text = code.name + "(";
        for (std::uint32_t d = 0; d < code.rank; ++d) { text += (d == 0 ? "" : ", ") + std::to_string(coordinates[d]); }
        text += ")";
        return code.types.size() == 1 ? text : fmt::format("{}[{}]", text, component);
    }

    bool stop(std::string message) {
        error = Error{std::move(message), {}, {}};
        return false;
    }

    bool stop_overflow(std::uint32_t tensor) {
        program.code.take_overflow();
        return stop(fmt::format("an index in '{}' leaves {} bits", program.tensors[tensor].name, bits));
    }

    // Follows the copies of staged tensors from the cell in `cell` to a computed one.
    bool resolve(std::uint32_t& tensor) {
        for (;;) {
            const TensorCode& code = program.tensors[tensor];
            const StageLink& link = code.link;
            if (link.kind == StageLink::Kind::none) { return true; }
            if (link.kind == StageLink::Kind::update) {
                const std::uint64_t tested = link.steps->tested();
                const StageSteps::Found found = link.steps->seek(cell.data());
                if (!count_work((link.steps->tested() - tested) / tested_of_cell)) { return false; }
                if (link.steps->take_overflow()) [[unlikely]] { return stop_overflow(tensor); }
                if (found == StageSteps::Found::written || found == StageSteps::Found::unknown) { return true; }
            }
            tensor = link.previous;
            const TensorCode& previous = program.tensors[tensor];
            if (previous.link.steps) {
                const std::size_t rank = previous.rank - previous.link.steps->recurrence_rank();
                previous.link.steps->last_point(cell.data() + rank);
            }
        }
    }

    // Pushes the value of the cell in `cell`, or a frame that will compute it.
    bool demand(std::uint32_t tensor, std::uint32_t component) {
        if (!resolve(tensor)) { return false; }
        CellTable& table = tensor_tables[tensor][component];
        CellTable::Position position{};
        if (!table.locate(cell.data(), position)) { return stop_too_far(tensor, component); }
        switch (table.status(position)) {
            case CellTable::Status::known: operands.push_back(table.value(position)); return true;
            case CellTable::Status::in_progress:
                return stop(describe(tensor, component, cell.data()) + " depends on itself");
            case CellTable::Status::unknown: break;
        }
        return enter(tensor, component, table, position);
    }

    bool stop_too_far(std::uint32_t tensor, std::uint32_t component) {
        return stop(describe(tensor, component, cell.data()) + " is too far from the other cells of its tensor");
    }

    bool enter(std::uint32_t tensor, std::uint32_t component, CellTable& table, CellTable::Position position) {
        const TensorCode& code = program.tensors[tensor];
        const auto equation = std::ranges::find_if(code.equations, [&](const EquationCode& candidate) {
            return program.code.holds(candidate.domain, cell.data());
        });
        if (program.code.overflowed()) [[unlikely]] { return stop_overflow(tensor); }
        if (equation == code.equations.end()) {
            return stop(describe(tensor, component, cell.data()) + " lies in the domain of no equation");
        }
        if (!count_work()) { return false; }
        if (frames.size() >= most_waiting) {
            return stop(fmt::format("more than {} cells wait for each other", most_waiting));
        }
        ++steps;
        table.set_in_progress(position);
        frames.push_back({tensor, component, equation->entries[component], slot_top, position});
        if (slot_top + code.slot_count > slots.size()) { slots.resize(2 * (slot_top + code.slot_count)); }
        for (std::uint32_t d = 0; d < code.rank; ++d) { slots[slot_top + d] = cell[d]; }
        slot_top += code.slot_count;
        return true;
    }

    bool count_work(std::uint64_t more = 1) {
        if (work + more > limit) [[unlikely]] {
            return stop(fmt::format("needs more than {} cell evaluations", limit));
        }
        work += more;
        return true;
    }

    CellTable::Position entry_of(const Frame& frame, CellTable& table) const {
        CellTable::Position position = frame.position;
        if (!table.is_current(position)) {
            ENSURE(table.locate(slots.data() + frame.slots, position), "a cell in evaluation has an entry");
        }
        return position;
    }

    // Stores the value on the operand stack in the topmost frame's cell, and ends the frame.
    void finish() {
        const Frame frame = frames.back();
        CellTable& table = tensor_tables[frame.tensor][frame.component];
        table.set_value(entry_of(frame, table), operands.back());
        slot_top = frame.slots;
        frames.pop_back();
    }

    bool read_input(const Read& read) {
        CellTable& table = input_tables[read.source];
        CellTable::Position position{};
        const InputCode& input = program.inputs[read.source];
        if (!table.locate(cell.data(), position)) {
            return stop("a cell of '" + input.name + "' is too far from the others");
        }
        if (table.status(position) == CellTable::Status::unknown) {
            coordinates.assign(cell.begin(), cell.begin() + read.rank);
            const value::Value value = inputs(input.name, coordinates);
            ENSURE(value.type() == input.type, "an input's cell has the input's type");
            table.set_value(position, value);
        }
        operands.push_back(table.value(position));
        return true;
    }

    void load_cell(const Read& read, const std::int64_t* variables) {
        for (std::uint32_t d = 0; d < read.rank; ++d) {
            cell[d] = program.code.evaluate(program.indices[read.first_index + d], variables);
        }
    }

    value::Value pop() {
        const value::Value top = operands.back();
        operands.pop_back();
        return top;
    }

    // The loop's interval for the variables outside it.
    std::pair<std::int64_t, std::int64_t> interval(const LoopCode& loop, const std::int64_t* variables) const {
        std::pair<std::int64_t, std::int64_t> hull{INT64_MAX, INT64_MIN};
        for (const LoopCode::IntervalCode& part : loop.intervals) {
            std::int64_t low = INT64_MIN;
            std::int64_t high = INT64_MAX;
            for (const LoopCode::BoundCode& bound : part.lower) {
                low = std::max(low, ceil_quotient(program.code.evaluate(bound.row, variables), bound.divisor));
            }
            for (const LoopCode::BoundCode& bound : part.upper) {
                high = std::min(high, floor_quotient(program.code.evaluate(bound.row, variables), bound.divisor));
            }
            if (low <= high) { hull = {std::min(hull.first, low), std::max(hull.second, high)}; }
        }
        return hull;
    }

    // Runs the topmost frame until it ends or needs a cell that must be evaluated first.
    bool run_frame() {
        const std::size_t depth = frames.size();
        const std::uint32_t tensor = frames.back().tensor;
        std::int64_t* const variables = slots.data() + frames.back().slots;
        std::uint32_t next = frames.back().next;
        for (;;) {
            const Instruction& instruction = program.instructions[next++];
            switch (instruction.op) {
                case Opcode::literal: operands.push_back(program.literals[instruction.a]); break;
                case Opcode::embed: {
                    const std::int64_t index = program.code.evaluate(IndexRef{instruction.a}, variables);
                    if (program.code.overflowed()) [[unlikely]] { return stop_overflow(tensor); }
                    const auto number = value::Value::integer(value::Type::i64, index);
                    operands.push_back(value::cast(instruction.type, number));
                    break;
                }
                case Opcode::guard: {
                    const bool truth = program.code.holds(ConditionRef{instruction.a}, variables);
                    if (program.code.overflowed()) [[unlikely]] { return stop_overflow(tensor); }
                    operands.push_back(value::Value::boolean(truth));
                    break;
                }
                case Opcode::read_tensor: {
                    const Read& read = program.reads[instruction.a];
                    load_cell(read, variables);
                    if (program.code.overflowed()) [[unlikely]] { return stop_overflow(tensor); }
                    frames.back().next = next;
                    if (!demand(read.source, read.component)) { return false; }
                    if (frames.size() != depth) { return true; }
                    break;
                }
                case Opcode::read_input: {
                    const Read& read = program.reads[instruction.a];
                    load_cell(read, variables);
                    if (program.code.overflowed()) [[unlikely]] { return stop_overflow(tensor); }
                    if (!read_input(read)) { return false; }
                    break;
                }
                case Opcode::unary:
                    operands.back() = value::apply(static_cast<value::UnaryOp>(instruction.sub), operands.back());
                    break;
                case Opcode::binary: {
                    const value::Value right = pop();
                    operands.back() =
                        value::apply(static_cast<value::BinaryOp>(instruction.sub), operands.back(), right);
                    break;
                }
                case Opcode::select: {
                    const value::Value if_false = pop();
                    const value::Value if_true = pop();
                    operands.back() = value::select(operands.back(), if_true, if_false);
                    break;
                }
                case Opcode::cast: operands.back() = value::cast(instruction.type, operands.back()); break;
                case Opcode::branch: {
                    const bool truth = program.code.holds(ConditionRef{instruction.a}, variables);
                    if (program.code.overflowed()) [[unlikely]] { return stop_overflow(tensor); }
                    if (!truth) { next = instruction.b; }
                    break;
                }
                case Opcode::loop_begin: {
                    const LoopCode& loop = program.loops[instruction.a];
                    const auto [low, high] = interval(loop, variables);
                    if (program.code.overflowed()) [[unlikely]] { return stop_overflow(tensor); }
                    variables[loop.slot] = low;
                    variables[loop.slot + 1] = high;
                    if (low > high) { next = instruction.b; }
                    break;
                }
                case Opcode::loop_next: {
                    const LoopCode& loop = program.loops[instruction.a];
                    if (!count_work()) { return false; }
                    if (variables[loop.slot] < variables[loop.slot + 1]) {
                        ++variables[loop.slot];
                        next = instruction.b;
                    }
                    break;
                }
                case Opcode::give_up: return stop(program.messages[instruction.a]);
                case Opcode::finish: finish(); return true;
            }
        }
    }

    Result<value::Value> evaluate(std::uint32_t tensor, std::uint32_t component) {
        bool going = demand(tensor, component);
        while (going && !frames.empty()) { going = run_frame(); }
        if (going) { return pop(); }
        for (const Frame& frame : frames) {
            CellTable& table = tensor_tables[frame.tensor][frame.component];
            table.set_unknown(entry_of(frame, table));
        }
        frames.clear();
        slot_top = 0;
        operands.clear();
        return fail(error);
    }

    Program program;
    InputFunction inputs;
    std::vector<std::vector<CellTable>> tensor_tables;  // by tensor and component
    std::vector<CellTable> input_tables;
    std::vector<Frame> frames;
    std::vector<std::int64_t> slots;  // in use below slot_top
    std::size_t slot_top = 0;
    std::vector<value::Value> operands;
    std::vector<std::int64_t> cell;         // coordinates of the requested cell
    std::vector<std::int64_t> coordinates;  // of an input's cell
    std::uint64_t steps = 0;
    std::uint64_t work = 0;
    std::uint64_t limit = default_most_steps;
    int bits;  // of indices
    Error error;
};

SareInterpreter::SareInterpreter(const sare::Sare& sare, const Sizes& parameters, InputFunction inputs, int index_bits)
    : machine_(std::make_unique<Machine>(sare, parameters, std::move(inputs), index_bits)) {}
SareInterpreter::~SareInterpreter() = default;
SareInterpreter::SareInterpreter(SareInterpreter&&) noexcept = default;
SareInterpreter& SareInterpreter::operator=(SareInterpreter&&) noexcept = default;

Result<value::Value> SareInterpreter::evaluate(const std::string& tensor, int component,
                                               const std::vector<std::int64_t>& cell) {
    const auto number = machine_->program.tensor_numbers.find(tensor);
    ENSURE(number != machine_->program.tensor_numbers.end(), "'" + tensor + "' is a tensor of the SARE");
    const TensorCode& code = machine_->program.tensors[number->second];
    ENSURE(component >= 0 && static_cast<std::size_t>(component) < code.types.size(), "a component of the tensor");
    ENSURE(cell.size() == code.rank, "a cell has the tensor's rank");
    std::ranges::copy(cell, machine_->cell.begin());
    return machine_->evaluate(number->second, static_cast<std::uint32_t>(component));
}

void SareInterpreter::expect(const std::string& tensor, int component, const std::vector<std::int64_t>& min,
                             const std::vector<std::int64_t>& extent) {
    std::uint32_t number = machine_->program.tensor_numbers.at(tensor);
    const auto reserve = [&](const std::vector<std::int64_t>& low, const std::vector<std::int64_t>& size) {
        machine_->tensor_tables[number][static_cast<std::size_t>(component)].reserve(low, size);
    };
    // A staged tensor's cells are those of its stages: all of them if every step writes, otherwise unknown.
    for (;;) {
        const StageLink& link = machine_->program.tensors[number].link;
        if (link.kind == StageLink::Kind::none) { break; }
        if (link.kind == StageLink::Kind::update && link.steps->writes_always()) {
            std::vector<std::int64_t> low = min;
            std::vector<std::int64_t> size = extent;
            link.steps->append_box(low, size);
            reserve(low, size);
        }
        number = link.previous;
    }
    reserve(min, extent);
}

std::uint64_t SareInterpreter::steps() const { return machine_->steps; }

void SareInterpreter::limit_steps(std::uint64_t most) { machine_->limit = most; }

namespace {

// The cells of one output component, dimension 0 fastest.
Result<void> fill(SareInterpreter& interpreter, OutputValues& values, std::int64_t count) {
    interpreter.expect(values.tensor, values.component, values.min, values.extent);
    values.cells.reserve(static_cast<std::size_t>(count));
    std::vector<std::int64_t> cell = values.min;
    for (std::int64_t i = 0; i < count; ++i) {
        auto value = interpreter.evaluate(values.tensor, values.component, cell);
        if (!value) { return fail(std::move(value.error())); }
        values.cells.push_back(*value);
        for (std::size_t d = 0; d < cell.size(); ++d) {
            if (++cell[d] < values.min[d] + values.extent[d]) { break; }
            cell[d] = values.min[d];
        }
    }
    return {};
}

}  // namespace

Result<std::vector<OutputValues>> evaluate_outputs(const sare::Sare& sare, const Sizes& parameters,
                                                   const InputFunction& inputs, std::uint64_t most_steps,
                                                   int index_bits) {
    SareInterpreter interpreter(sare, parameters, inputs, index_bits);
    interpreter.limit_steps(most_steps);
    std::vector<OutputValues> outputs;
    IndexCode code(index_bits);
    const Scope scope(parameters);
    for (const sare::Output& output : sare.outputs) {
        OutputValues values;
        values.tensor = output.tensor;
        std::int64_t count = 1;
        for (const sare::Span& span : output.box) {
            values.min.push_back(code.evaluate(code.add(span.min, scope), nullptr));
            values.extent.push_back(code.evaluate(code.add(span.extent, scope), nullptr));
            const std::int64_t extent = values.extent.back();
            if (code.take_overflow()) {
                return fail(fmt::format("the box of output '{}' leaves {} bits", output.tensor, index_bits));
            }
            if (extent < 0) { return fail("the box of output '" + output.tensor + "' has a negative extent"); }
            if (extent != 0 && count > most_output_cells / extent) {
                return fail("the box of output '" + output.tensor + "' has too many cells");
            }
            count *= extent;
        }
        const auto tensor = std::ranges::find(sare.tensors, output.tensor, &sare::Tensor::name);
        ENSURE(tensor != sare.tensors.end(), "an output is a tensor of the SARE");
        for (std::size_t component = 0; component < tensor->types.size(); ++component) {
            values.component = static_cast<int>(component);
            OutputValues& filled = outputs.emplace_back(values);
            if (auto done = fill(interpreter, filled, count); !done) { return fail(std::move(done.error())); }
        }
    }
    return outputs;
}

}  // namespace haruspex::interp
