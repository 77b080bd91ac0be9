#include <algorithm>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/base/sizes.h"
#include "generators/sare/names.h"
#include "generators/value/operators.h"
#include "oracle/interp/program.h"

namespace haruspex::interp {
namespace {

class Compiler {
public:
    Compiler(const sare::Sare& sare, const Sizes& parameters, int index_bits)
        : sare_(sare), parameters_(parameters), program_(index_bits), scope_(parameters) {}

    Program compile() {
        for (const std::string& parameter : sare_.parameters) {
            ENSURE(parameters_.contains(parameter), "the parameter '" + parameter + "' has a value");
        }
        for (const sare::Input& input : sare_.inputs) {
            input_numbers_.emplace(input.name, static_cast<std::uint32_t>(program_.inputs.size()));
            program_.inputs.push_back({input.name, input.type, static_cast<std::uint32_t>(input.rank)});
        }
        for (const sare::Tensor& tensor : sare_.tensors) {
            program_.tensor_numbers.emplace(tensor.name, static_cast<std::uint32_t>(program_.tensors.size()));
            TensorCode code;
            code.name = tensor.name;
            code.types = tensor.types;
            code.rank = static_cast<std::uint32_t>(tensor.variables.size());
            program_.tensors.push_back(std::move(code));
        }
        for (const sare::Tensor& tensor : sare_.tensors) { compile_tensor(tensor); }
        for (const sare::Staging& staging : sare_.stagings) { link_stages(staging); }
        return std::move(program_);
    }

private:
    std::uint32_t next() const { return static_cast<std::uint32_t>(program_.instructions.size()); }

    std::uint32_t emit(const Instruction& instruction) {
        program_.instructions.push_back(instruction);
        return next() - 1;
    }

    TensorCode& tensor_code(const std::string& name) {
        const auto number = program_.tensor_numbers.find(name);
        ENSURE(number != program_.tensor_numbers.end(), "'" + name + "' is a tensor of the SARE");
        return program_.tensors[number->second];
    }

    void compile_tensor(const sare::Tensor& tensor) {
        tensor_ = &tensor;
        scope_.shrink(0);
        next_slot_ = 0;
        for (const std::string& variable : tensor.variables) { scope_.declare(variable, next_slot_++); }
        slot_count_ = next_slot_;
        std::vector<EquationCode> equations;
        for (const sare::Equation& equation : tensor.equations) {
            ENSURE(equation.values.size() == tensor.types.size(), "an equation has a value for each component");
            EquationCode code{program_.code.add(equation.domain, scope_), {}};
            for (const sare::Expr& value : equation.values) {
                code.entries.push_back(next());
                compile(value);
                emit({.op = Opcode::finish});
            }
            equations.push_back(std::move(code));
        }
        TensorCode& code = tensor_code(tensor.name);
        code.equations = std::move(equations);
        code.slot_count = slot_count_;
    }

    // Returns the expression's type.
    value::Type compile(const sare::Expr& expr) {
        return std::visit(
            Overload{[&](const sare::Literal& literal) {
                         push(literal.value);
                         return literal.value.type();
                     },
                     [&](const sare::Embed& embed) {
                         const IndexRef index = program_.code.add(embed.index, scope_);
                         emit({.op = Opcode::embed, .type = embed.type, .a = index.node});
                         return embed.type;
                     },
                     [&](const sare::Guard& guard) {
                         emit({.op = Opcode::guard, .a = program_.code.add(guard.condition, scope_).node});
                         return value::Type::boolean;
                     },
                     [&](const sare::Access& access) { return compile(access); },
                     [&](const sare::Unary& unary) {
                         const auto type = value::result_type(unary.op, compile(*unary.a));
                         ENSURE(type, "a unary operator fits its operand");
                         emit({.op = Opcode::unary, .sub = static_cast<std::uint8_t>(unary.op)});
                         return *type;
                     },
                     [&](const sare::Binary& binary) {
                         const value::Type a = compile(*binary.a);
                         const auto type = value::result_type(binary.op, a, compile(*binary.b));
                         ENSURE(type, "a binary operator fits its operands");
                         emit({.op = Opcode::binary, .sub = static_cast<std::uint8_t>(binary.op)});
                         return *type;
                     },
                     [&](const sare::Select& select) { return compile(select); },
                     [&](const sare::Cast& cast) {
                         compile(*cast.a);
                         emit({.op = Opcode::cast, .type = cast.type});
                         return cast.type;
                     },
                     [&](const sare::Reduce& reduce) { return compile(reduce); }},
            expr.node);
    }

    void push(const value::Value& value) {
        program_.literals.push_back(value);
        emit({.op = Opcode::literal, .a = static_cast<std::uint32_t>(program_.literals.size() - 1)});
    }

    value::Type compile(const sare::Access& access) {
        Read read;
        read.component = static_cast<std::uint32_t>(access.component);
        read.rank = static_cast<std::uint32_t>(access.indices.size());
        read.first_index = static_cast<std::uint32_t>(program_.indices.size());
        for (const sare::Index& index : access.indices) {
            program_.indices.push_back(program_.code.add(index, scope_));
        }
        const auto number = static_cast<std::uint32_t>(program_.reads.size());
        if (const auto input = input_numbers_.find(access.tensor); input != input_numbers_.end()) {
            const InputCode& code = program_.inputs[input->second];
            ENSURE(access.component == 0 && read.rank == code.rank, "an access fits its input");
            read.source = input->second;
            program_.reads.push_back(read);
            emit({.op = Opcode::read_input, .a = number});
            return code.type;
        }
        const TensorCode& code = tensor_code(access.tensor);
        ENSURE(read.component < code.types.size() && read.rank == code.rank, "an access fits its tensor");
        read.source = program_.tensor_numbers.at(access.tensor);
        program_.reads.push_back(read);
        emit({.op = Opcode::read_tensor, .a = number});
        return code.types[read.component];
    }

    value::Type compile(const sare::Select& select) {
        compile(*select.condition);
        const value::Type type = compile(*select.if_true);
        compile(*select.if_false);
        emit({.op = Opcode::select});
        return type;
    }

    // The neutral element, then a loop for each variable, innermost the domain's test and the fold.
    value::Type compile(const sare::Reduce& reduce) {
        const std::size_t scope_size = scope_.size();
        const std::uint32_t first_slot = next_slot_;
        std::vector<std::uint32_t> slots;
        for (const std::string& variable : reduce.variables) {
            slots.push_back(next_slot_);
            scope_.declare(variable, next_slot_);
            next_slot_ += 2;
        }
        slot_count_ = std::max(slot_count_, next_slot_);

        const std::uint32_t neutral = emit({.op = Opcode::literal});
        std::vector<std::uint32_t> loops;
        if (auto bounds = loop_bounds(reduce.domain, reduce.variables, slots, scope_)) {
            for (std::size_t i = 0; i < slots.size(); ++i) {
                loops.push_back(emit({.op = Opcode::loop_begin, .a = add_loop(slots[i], (*bounds)[i])}));
            }
        } else {
            program_.messages.push_back("'" + tensor_->name + "': " + bounds.error().message);
            emit({.op = Opcode::give_up, .a = static_cast<std::uint32_t>(program_.messages.size() - 1)});
        }
        const std::uint32_t branch = emit({.op = Opcode::branch, .a = program_.code.add(reduce.domain, scope_).node});
        const value::Type type = compile(*reduce.body);
        emit({.op = Opcode::binary, .sub = static_cast<std::uint8_t>(value::binary_op(reduce.op))});
        program_.instructions[branch].b = next();
        while (!loops.empty()) {
            const std::uint32_t begin = loops.back();
            emit({.op = Opcode::loop_next, .a = program_.instructions[begin].a, .b = begin + 1});
            program_.instructions[begin].b = next();
            loops.pop_back();
        }

        const auto element = value::neutral(reduce.op, type);
        ENSURE(element, "a reduction's operator is defined at its type");
        program_.literals.push_back(*element);
        program_.instructions[neutral].a = static_cast<std::uint32_t>(program_.literals.size() - 1);
        scope_.shrink(scope_size);
        next_slot_ = first_slot;
        return type;
    }

    std::uint32_t add_loop(std::uint32_t slot, const LoopBounds& bounds) {
        LoopCode loop;
        loop.slot = slot;
        const auto compiled = [&](const std::vector<Bound>& rows) {
            std::vector<LoopCode::BoundCode> code;
            for (const Bound& bound : rows) { code.push_back({program_.code.add(bound.row), bound.divisor}); }
            return code;
        };
        for (const Interval& interval : bounds) {
            loop.intervals.push_back({compiled(interval.lower), compiled(interval.upper)});
        }
        program_.loops.push_back(std::move(loop));
        return static_cast<std::uint32_t>(program_.loops.size() - 1);
    }

    void link_stages(const sare::Staging& staging) {
        std::vector<std::string> variables;
        for (const sare::Tensor& tensor : sare_.tensors) {
            if (tensor.name == staging.tensor) { variables = tensor.variables; }
        }
        for (std::size_t i = 0; i < staging.updates.size(); ++i) {
            StageLink& link = tensor_code(sare::stage_name(staging.tensor, i + 1)).link;
            link.kind = StageLink::Kind::update;
            link.previous = program_.tensor_numbers.at(sare::stage_name(staging.tensor, i));
            link.steps = std::make_unique<StageSteps>(staging.updates[i], variables, parameters_);
        }
        if (staging.updates.empty()) { return; }
        StageLink& link = tensor_code(staging.tensor).link;
        link.kind = StageLink::Kind::final;
        link.previous = program_.tensor_numbers.at(sare::stage_name(staging.tensor, staging.updates.size()));
    }

    const sare::Sare& sare_;
    const Sizes& parameters_;
    Program program_;
    std::map<std::string, std::uint32_t> input_numbers_;
    Scope scope_;
    const sare::Tensor* tensor_ = nullptr;
    std::uint32_t next_slot_ = 0;   // the next free one
    std::uint32_t slot_count_ = 0;  // the most in use at once, in the current tensor
};

}  // namespace

Program compile(const sare::Sare& sare, const Sizes& parameters, int index_bits) {
    return Compiler(sare, parameters, index_bits).compile();
}

}  // namespace haruspex::interp
