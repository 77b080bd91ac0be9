#include "harness/halide/native_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <optional>

#include "generators/base/ensure.h"
#include "generators/base/sizes.h"
#include "generators/sare/build.h"
#include "generators/schedule/halide/directive.h"
#include "harness/compiler/message.h"
#include "harness/halide/expressions.h"
#include "harness/halide/guarded_buffer.h"
#include "harness/halide/guarded_heap.h"

namespace haruspex::halide {
namespace {

using compiler::Observation;
using compiler::Outcome;
using compiler::Phase;
using Clock = std::chrono::steady_clock;

// The fewest threads with which parallel loops run in parallel.
constexpr const char* thread_count = "2";

// Filling more would take minutes. A program may request any size, so this is not the compiler's fault.
constexpr std::uint64_t most_input_cells = std::uint64_t{1} << 26;

struct RunConditions {
    Phase phase;
    Flush flush;
    // The low bit differs, so that even an unwritten bool differs.
    std::uint8_t poison;
};
constexpr RunConditions first_conditions{Phase::first_run, Flush::at_end, 0xa5};
constexpr RunConditions second_conditions{Phase::second_run, Flush::at_start, 0x5a};

// The callbacks of a pipeline's run-time.
struct Context : Halide::JITUserContext {
    explicit Context(std::uint8_t poison) : heap(poison) {
        handlers.custom_error = [](Halide::JITUserContext* self, const char* message) {
            static_cast<Context*>(self)->keep(message);
        };
        handlers.custom_print = [](Halide::JITUserContext*, const char*) {};
        handlers.custom_malloc = [](Halide::JITUserContext* self, std::size_t bytes) {
            return static_cast<Context*>(self)->heap.allocate(bytes);
        };
        handlers.custom_free = [](Halide::JITUserContext* self, void* block) {
            static_cast<Context*>(self)->heap.release(block);
        };
    }

    // All threads of a parallel loop may fail; the first message suffices.
    void keep(const char* message) {
        const std::lock_guard lock(mutex);
        if (error.empty()) { error = message; }
    }

    std::mutex mutex;
    std::string error;
    GuardedHeap heap;
};

struct OutputSlot {
    std::string tensor;
    int component = 0;
    value::Type type = value::Type::i32;
    Shape shape;
    Rows rows = Rows::padded;
};

// The region of an input that the bounds query requested, and the values of its cells.
struct Region {
    Input* input;
    Shape shape;
    std::vector<std::uint64_t> bits;
};

Rows rows_of(const std::string& output, const schedule::halide::Schedule& schedule) {
    const auto is_atomic = [&](const schedule::halide::Directive& d) {
        return d.stage.tensor == output && std::holds_alternative<schedule::halide::Atomic>(d.action);
    };
    return std::ranges::any_of(schedule.directives, is_atomic) ? Rows::dense : Rows::padded;
}

// Returns a halide_buffer_t with its dimensions.
Halide::Buffer<> view(value::Type type, const Shape& shape, const std::vector<std::int64_t>& strides,
                      std::uint8_t* host) {
    std::vector<halide_dimension_t> dimensions;
    for (std::size_t d = 0; d < shape.min.size(); ++d) {
        dimensions.emplace_back(static_cast<std::int32_t>(shape.min[d]), static_cast<std::int32_t>(shape.extent[d]),
                                static_cast<std::int32_t>(strides[d]));
    }
    halide_buffer_t raw{};
    raw.host = host;
    raw.type = halide_type(type);
    raw.dimensions = static_cast<std::int32_t>(dimensions.size());
    raw.dim = dimensions.data();
    return Halide::Buffer<>(raw);
}

Halide::Buffer<> view(value::Type type, const GuardedBuffer& buffer) {
    return view(type, buffer.shape(), buffer.strides(), buffer.host());
}

Shape shape_of(const Halide::Buffer<>& buffer) {
    Shape shape;
    for (int d = 0; d < buffer.dimensions(); ++d) {
        shape.min.push_back(buffer.dim(d).min());
        shape.extent.push_back(buffer.dim(d).extent());
    }
    return shape;
}

std::vector<Shape> shapes_of(const std::vector<Halide::Buffer<>>& buffers) {
    std::vector<Shape> shapes;
    for (const Halide::Buffer<>& b : buffers) { shapes.push_back(shape_of(b)); }
    return shapes;
}

// Returns a dense buffer in the given memory, which it may exceed, or without memory.
Halide::Buffer<> dense(value::Type type, const Shape& shape, std::uint8_t* memory) {
    std::vector<std::int64_t> strides;
    std::int64_t stride = 1;
    for (const std::int64_t e : shape.extent) {
        strides.push_back(stride);
        stride *= e;
    }
    return view(type, shape, strides, memory);
}

std::string to_string(const Shape& shape) {
    std::string text;
    for (std::size_t d = 0; d < shape.min.size(); ++d) {
        text += fmt::format("{}{}, {})", d == 0 ? "[" : " x [", shape.min[d], shape.min[d] + shape.extent[d]);
    }
    return text;
}

class NativeRun {
public:
    NativeRun(Program& program, const std::vector<Input*>& inputs_read, const cases::Case& c, Observation& observation)
        : program_(program), inputs_read_(inputs_read), case_(c), observation_(observation), target_(c.target) {
        for (const sare::Output& output : c.sare.outputs) {
            Shape shape;
            for (const sare::Span& span : output.box) {
                shape.min.push_back(sare::evaluate(span.min, c.sizes));
                shape.extent.push_back(sare::evaluate(span.extent, c.sizes));
            }
            const std::vector<value::Type>& types = program.types.at(output.tensor);
            for (std::size_t k = 0; k < types.size(); ++k) {
                outputs_.push_back({output.tensor, static_cast<int>(k), types[k], shape,
                                    rows_of(output.tensor, schedule::halide::typed(c.schedule))});
            }
        }
    }

    void compile() {
        observation_.phase = Phase::compile;
        const auto start = Clock::now();
        program_.pipeline.compile_jit(target_);
        observation_.timings.compile = Clock::now() - start - observation_.timings.translate;
    }

    // Runs everything from the bounds query on.
    void run_twice(const std::function<void(Phase)>& enter,
                   const std::function<void(const std::vector<compiler::InputRegion>&)>& tell_regions) {
        enter(Phase::bounds_query);
        if (!query_bounds()) { return; }
        tell_regions(regions_found_);
        enter(Phase::first_run);
        if (!run(first_conditions, observation_.first)) { return; }
        enter(Phase::second_run);
        if (!run(second_conditions, observation_.second)) { return; }
        enter(Phase::done);
        observation_.phase = Phase::done;
    }

private:
    // Finds the region of each input that the pipeline reads; false if the query failed. Halide's own
    // infer_input_bounds would also allocate the regions, however large, before they can be checked.
    bool query_bounds() {
        observation_.phase = Phase::bounds_query;
        const auto start = Clock::now();
        // Without a buffer to query, this would be a run.
        if (inputs_read_.empty()) { return true; }
        std::vector<Halide::Buffer<>> outputs, inputs;
        // A buffer without memory is queried, which changes its shape. Outputs are passed as in the runs, which will
        // show whether their shapes suffice. Their memory is real: if the compiler has simplified away all reads of an
        // input, the program does not check whether this is a query, and runs.
        std::vector<GuardedBuffer> memory = output_buffers(first_conditions);
        for (std::size_t i = 0; i < outputs_.size(); ++i) { outputs.push_back(view(outputs_[i].type, memory[i])); }
        for (Input* input : inputs_read_) {
            const auto rank = static_cast<std::size_t>(input->param.dimensions());
            inputs.push_back(
                dense(input->type, Shape{std::vector<std::int64_t>(rank), std::vector<std::int64_t>(rank)}, nullptr));
            input->param.set(inputs.back());
        }
        const bool converged = query_until_stable(outputs, inputs);
        observation_.timings.bounds = Clock::now() - start;
        return converged && take_regions(inputs);
    }

    // Runs once under the given conditions; false if the run failed.
    bool run(const RunConditions& conditions, std::vector<compiler::TensorData>& results) {
        observation_.phase = conditions.phase;
        std::vector<GuardedBuffer> inputs;
        for (const Region& region : regions_) {
            inputs.push_back(input_buffer(region, conditions));
            region.input->param.set(view(region.input->type, inputs.back()));
        }
        std::vector<GuardedBuffer> outputs = output_buffers(conditions);
        std::vector<Halide::Buffer<>> views;
        for (std::size_t i = 0; i < outputs_.size(); ++i) { views.push_back(view(outputs_[i].type, outputs[i])); }
        Halide::Realization realization(views);
        Context context(conditions.poison);
        const auto start = Clock::now();
        program_.pipeline.realize(&context, realization, target_);
        observation_.timings.run += Clock::now() - start;
        if (has_failed(context)) { return false; }
        note_stray_writes(inputs, outputs, context.heap);
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            results.push_back({outputs_[i].tensor, outputs_[i].component, outputs_[i].type, outputs_[i].shape.min,
                               outputs_[i].shape.extent, outputs[i].read()});
        }
        return true;
    }

    // A pipeline that is run on a buffer without memory writes the required shape into it.
    bool query_until_stable(std::vector<Halide::Buffer<>> outputs, const std::vector<Halide::Buffer<>>& inputs) {
        // As many as Halide's own infer_input_bounds allows.
        constexpr int most_rounds = 16;
        Halide::Realization realization(outputs);
        for (int round = 0; round < most_rounds; ++round) {
            const std::vector<Shape> before = shapes_of(inputs);
            Context context(first_conditions.poison);
            program_.pipeline.realize(&context, realization, target_);
            if (has_failed(context)) { return false; }
            if (shapes_of(inputs) == before) { return true; }
        }
        observation_.outcome = Outcome::run_time_error;
        observation_.message = "The bounds query of the inputs does not converge";
        return false;
    }

    bool take_regions(const std::vector<Halide::Buffer<>>& queried) {
        for (std::size_t i = 0; i < inputs_read_.size(); ++i) {
            Input* input = inputs_read_[i];
            const std::string& name = input->name;
            const Shape shape = shape_of(queried[i]);
            regions_found_.push_back({name, shape.min, shape.extent});
            if (shape.cells() > most_input_cells) {
                observation_.outcome = Outcome::too_large;
                observation_.message = fmt::format("The bounds query asks for {} cells of input {}: {}", shape.cells(),
                                                   name, to_string(shape));
                return false;
            }
            regions_.push_back({input, shape, input_bits(*input, shape)});
        }
        return true;
    }

    std::vector<std::uint64_t> input_bits(const Input& input, const Shape& shape) const {
        const auto domain = case_.inputs.find(input.name);
        ENSURE(domain != case_.inputs.end(), "input " + input.name + " has a domain");
        std::vector<std::uint64_t> bits;
        bits.reserve(static_cast<std::size_t>(shape.cells()));
        shape.for_each([&](const std::vector<std::int64_t>& at) {
            bits.push_back(cases::input_value(case_.input_seed, input.name, domain->second, at).bit_pattern());
        });
        return bits;
    }

    std::vector<GuardedBuffer> output_buffers(const RunConditions& conditions) const {
        std::vector<GuardedBuffer> buffers;
        for (const OutputSlot& slot : outputs_) {
            buffers.emplace_back(slot.shape, value::bytes(slot.type), slot.rows, conditions.flush, conditions.poison);
            buffers.back().seal();
        }
        return buffers;
    }

    static GuardedBuffer input_buffer(const Region& region, const RunConditions& conditions) {
        GuardedBuffer buffer(region.shape, value::bytes(region.input->type), Rows::padded, conditions.flush,
                             conditions.poison);
        buffer.fill(region.bits);
        buffer.seal();
        return buffer;
    }

    bool has_failed(const Context& context) {
        if (context.error.empty()) { return false; }
        // The mutexes of an atomic stage are in another heap.
        const bool exhausted = context.heap.is_exhausted() || context.error.starts_with("Out of memory");
        observation_.outcome = exhausted ? Outcome::out_of_memory : outcome_of_error(context.error);
        observation_.message = compiler::normalise(context.error);
        return true;
    }

    void note_stray_writes(const std::vector<GuardedBuffer>& inputs, const std::vector<GuardedBuffer>& outputs,
                           const GuardedHeap& heap) {
        const auto note = [&](const std::string& what, bool is_of_heap = false) {
            if (!observation_.stray_write.empty()) { return; }
            observation_.stray_write = what;
            observation_.is_heap_write = is_of_heap;
        };
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (const auto change = outputs[i].find_change(true)) {
                note(fmt::format("output {}[{}] {}", outputs_[i].tensor, outputs_[i].component, *change));
            }
        }
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (const auto change = inputs[i].find_change(false)) {
                note("input " + regions_[i].input->name + " " + *change);
            }
        }
        if (!heap.stray_write().empty()) { note(heap.stray_write(), true); }
    }

    Program& program_;
    const std::vector<Input*>& inputs_read_;
    const cases::Case& case_;
    Observation& observation_;
    Halide::Target target_;
    std::vector<OutputSlot> outputs_;
    std::vector<compiler::InputRegion> regions_found_;
    std::vector<Region> regions_;
};

}  // namespace

std::vector<Input*> inputs_read(Program& program, const std::vector<Halide::Argument>& arguments) {
    std::vector<Input*> read;
    for (Input& input : program.inputs) {
        const auto is_it = [&](const Halide::Argument& a) { return a.is_buffer() && a.name == input.name; };
        if (std::ranges::any_of(arguments, is_it)) { read.push_back(&input); }
    }
    return read;
}

void compile_and_run(Program& program, const std::vector<Input*>& inputs_read, const cases::Case& c,
                     const std::vector<Sizes>& other_sizes, const compiler::Progress& progress,
                     Observation& observation) {
    const auto& enter = progress.enter;
    // Read when the first parallel loop starts the thread pool, which happens only in the child.
    ::setenv("HL_NUM_THREADS", thread_count, 1);
    enter(Phase::compile);
    observation.phase = Phase::compile;
    NativeRun native(program, inputs_read, c, observation);
    native.compile();
    native.run_twice(enter, progress.regions);
    for (const auto& sizes : other_sizes) {
        if (!is_clean(observation)) { return; }
        const cases::Case there = cases::at_sizes(c, sizes);
        Observation other;
        try {
            set_sizes(program, sizes);
            NativeRun run(program, inputs_read, there, other);
            run.run_twice(enter, [&](const auto& regions) { other.input_regions = regions; });
        } catch (const Halide::Error&) {  // no std::exception in Halide 19
            return;
        } catch (const haruspex::InternalError&) { throw; } catch (const std::exception&) {
            return;
        }
        if (!is_clean(other)) { return; }
        observation.elsewhere.push_back(std::move(other));
    }
}

compiler::Outcome outcome_of_error(std::string_view message) {
    const auto start = std::min(message.find_first_not_of(" \n"), message.size());
    const std::string_view words = message.substr(start);
    const bool is_of_size =
        words.starts_with("Total allocation for buffer ") || words.starts_with("Product of extents for buffer ");
    return is_of_size && words.contains("which exceeds the maximum size of ") ? compiler::Outcome::too_large
                                                                              : compiler::Outcome::run_time_error;
}

}  // namespace haruspex::halide
