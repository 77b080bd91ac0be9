#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/choice.h"
#include "generators/sare/build.h"
#include "generators/tensor/typing.h"
#include "generators/tensor/wellformed.h"

// Random well-formed programs of whole tensors.
namespace haruspex::testing {

struct TensorPrograms {
    std::vector<value::Type> elements{value::Type::i32, value::Type::u8, value::Type::f32};
    bool divides = false;
    int depth = 3;
    std::size_t most_rank = 3;  // of what is assigned; within contractions two more
};

class TensorBuilder {
public:
    TensorBuilder(Choices& choices, TensorPrograms kind) : choices_(choices), kind_(std::move(kind)) {}

    tensor::Program program() {
        using namespace tensor;
        program_.name = "random";
        program_.parameters = {"N", "M"};
        program_.assumptions = sare::compare(sare::Relation::ge, sare::variable("N"), sare::constant(1)) &&
                               sare::compare(sare::Relation::ge, sare::variable("M"), sare::constant(1));
        element_ = choices_.one_of(kind_.elements);
        qualified_ = choices_.boolean(600);
        choices_.sequence(1, 5, 700, [&](std::size_t) { statement(); });
        if (!qualified_) { return program_; }
        const std::string last = program_.statements.back().target;
        for (Declaration& d : program_.declarations) {
            d.output = d.name == last || (d.name.front() == 't' && choices_.boolean(300));
        }
        return program_;
    }

private:
    using Indices = std::vector<sare::Index>;

    sare::Index extent() {
        switch (choices_.weighted({3, 3, 4, 4, 1})) {
            case 0: return sare::constant(2);
            case 1: return sare::constant(3);
            case 2: return sare::variable("N");
            case 3: return sare::variable("M");
            default: return sare::variable("N") + sare::constant(1);
        }
    }

    Indices extents() {
        Indices drawn;
        choices_.sequence(0, kind_.most_rank, 650, [&](std::size_t) { drawn.push_back(extent()); });
        return drawn;
    }

    void statement() {
        // A target that exists already may be read in its own assignment.
        std::vector<std::size_t> known;
        for (std::size_t d = 0; d < program_.declarations.size(); ++d) {
            if (program_.declarations[d].name.front() == 't' || choices_.boolean(200)) { known.push_back(d); }
        }
        if (!known.empty() && choices_.boolean(350)) {
            const tensor::Declaration target = program_.declarations[choices_.one_of(known)];
            program_.statements.push_back({target.name, expr(target.extents, kind_.depth)});
            return;
        }
        const Indices type = extents();
        tensor::Expr value = expr(type, kind_.depth);
        const std::string name = "t" + std::to_string(tensors_++);
        program_.declarations.push_back({name, element_, type, false, false});
        program_.statements.push_back({name, std::move(value)});
    }

    tensor::Expr leaf(const Indices& type) {
        std::vector<std::string> known;
        for (const tensor::Declaration& d : program_.declarations) {
            if (d.extents == type) { known.push_back(d.name); }
        }
        if (!known.empty() && choices_.boolean(700)) { return tensor::Expr{tensor::Variable{choices_.one_of(known)}}; }
        const std::string name = "x" + std::to_string(inputs_++);
        program_.declarations.push_back({name, element_, type, qualified_, false});
        return tensor::Expr{tensor::Variable{name}};
    }

    tensor::Expr expr(const Indices& type, int depth) {
        using namespace tensor;
        if (depth <= 0) { return leaf(type); }
        const auto deeper = [&](const Indices& t) { return Box<Expr>(expr(t, depth - 1)); };
        switch (choices_.weighted({3, 4, 2, 4, 4, 3})) {
            case 0: return leaf(type);
            case 1: {
                const auto op = static_cast<ElementOp>(choices_.integer(0, kind_.divides ? 3 : 2));
                Box<Expr> a = deeper(type);
                return Expr{Elementwise{op, std::move(a), deeper(type)}};
            }
            case 2: {
                if (kind_.divides && choices_.boolean(300)) {
                    Box<Expr> a = deeper(type);
                    return Expr{Elementwise{ElementOp::div, std::move(a), deeper({})}};
                }
                Box<Expr> a = deeper({});
                return Expr{Elementwise{ElementOp::mul, std::move(a), deeper(type)}};
            }
            case 3: {
                const auto cut = choices_.integer(0, static_cast<std::int64_t>(type.size()));
                Box<Expr> a = deeper(Indices(type.begin(), type.begin() + cut));
                return Expr{Outer{std::move(a), deeper(Indices(type.begin() + cut, type.end()))}};
            }
            case 4: {
                // Each contraction around another adds two dimensions to what is drawn inside.
                if (type.size() > kind_.most_rank) { return leaf(type); }
                const auto rank = static_cast<std::int64_t>(type.size());
                const std::int64_t low = choices_.integer(0, rank);
                const std::int64_t high = choices_.integer(low + 1, rank + 1);
                Indices inner = type;
                const sare::Index summed = extent();
                inner.insert(inner.begin() + low, summed);
                inner.insert(inner.begin() + high, summed);
                Pair pair{static_cast<int>(low) + 1, static_cast<int>(high) + 1};
                if (choices_.boolean(200)) { std::swap(pair.first, pair.second); }
                return Expr{Contraction{deeper(inner), pair}};
            }
            default: {
                if (type.size() < 2) { return leaf(type); }
                const auto rank = static_cast<std::int64_t>(type.size());
                const std::int64_t first = choices_.integer(0, rank - 1);
                const std::int64_t second = (first + choices_.integer(1, rank - 1)) % rank;
                Indices inner = type;
                std::swap(inner[static_cast<std::size_t>(first)], inner[static_cast<std::size_t>(second)]);
                return Expr{Transposition{deeper(inner), {static_cast<int>(first) + 1, static_cast<int>(second) + 1}}};
            }
        }
    }

    Choices& choices_;
    TensorPrograms kind_;
    tensor::Program program_;
    value::Type element_ = value::Type::i32;
    bool qualified_ = false;
    int inputs_ = 0, tensors_ = 0;
};

// Draws a program of up to five statements. Variables "x…" are read before they are assigned and are qualified as
// inputs, or none is; variables "t…" are assigned first.
inline tensor::Program random_tensor_program(Choices& choices, const TensorPrograms& kind = {}) {
    return TensorBuilder(choices, kind).program();
}

}  // namespace haruspex::testing
