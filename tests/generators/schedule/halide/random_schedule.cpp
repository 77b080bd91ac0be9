#include "tests/generators/schedule/halide/random_schedule.h"

#include <array>
#include <variant>

#include "generators/sare/build.h"

namespace haruspex::schedule::halide::test {
namespace {

class Drawer {
public:
    explicit Drawer(Choices& choices) : choices_(choices) {}

    Directive directive() { return {stage(true), action()}; }

private:
    std::string name() {
        static const std::array<std::string, 8> names{"x",      "yo",    "xi_2",       "_t",
                                                      "update", "split", "specialize", "Auto1"};
        return choices_.one_of(names);
    }
    std::int64_t number() { return choices_.integer(-40, 40); }
    Tail tail() { return static_cast<Tail>(choices_.integer(0, 8)); }
    StageRef stage(bool may_be_specialized) {
        StageRef ref{name(), std::nullopt, std::nullopt};
        if (choices_.boolean(400)) { ref.update = static_cast<int>(choices_.integer(0, 3)); }
        if (may_be_specialized && choices_.boolean(300)) {
            ref.specialization = static_cast<int>(choices_.integer(0, 3));
        }
        return ref;
    }
    LoopLevel level() { return {stage(false), name()}; }
    std::vector<std::string> names() {
        std::vector<std::string> result;
        choices_.sequence(1, 5, 600, [&](std::size_t) { result.push_back(name()); });
        return result;
    }
    sare::Index index() {
        switch (choices_.integer(0, 6)) {
            case 0: return sare::constant(choices_.integer(0, 100));
            case 1: return sare::variable("W");
            case 2: return sare::variable("W") + sare::variable("H");
            case 3: return sare::floor_div(sare::variable("W") + sare::constant(7), 8);
            case 4: return sare::min(sare::variable("W"), sare::constant(9));
            case 5: return sare::select(condition(), sare::variable("H"), sare::constant(1));
            default: return 3 * sare::variable("W") - sare::floor_mod(sare::variable("H"), 4);
        }
    }
    sare::Condition condition() {
        const auto comparison =
            sare::compare(sare::Relation::ge, sare::variable("W"), sare::constant(choices_.integer(0, 64)));
        switch (choices_.integer(0, 3)) {
            case 0: return comparison;
            case 1:
                return comparison &&
                       sare::compare(sare::Relation::eq, sare::floor_mod(sare::variable("H"), 2), sare::constant(0));
            case 2: return !comparison;
            default: return comparison || sare::compare(sare::Relation::lt, sare::variable("H"), sare::constant(3));
        }
    }
    template <typename Mark>
    Mark mark() {
        Mark mark{name(), std::nullopt, Tail::automatic};
        if (choices_.boolean(600)) {
            mark.factor = number();
            mark.tail = tail();
        }
        return mark;
    }
    RFactor rfactor() {
        RFactor action;
        choices_.sequence(1, 3, 400, [&](std::size_t) { action.preserved.emplace_back(name(), name()); });
        action.intermediate = name();
        return action;
    }
    Action action() {
        static_assert(std::variant_size_v<Action> == 33, "every directive is drawn");
        switch (choices_.integer(0, 32)) {
            case 0: return Split{name(), name(), name(), number(), tail()};
            case 1: return Tile{name(), name(), name(), name(), name(), name(), number(), number(), tail()};
            case 2: return Fuse{name(), name(), name()};
            case 3: return Reorder{names()};
            case 4: return mark<Vectorize>();
            case 5: return mark<Unroll>();
            case 6: return mark<Parallel>();
            case 7: return Serial{name()};
            case 8: return ComputeRoot{};
            case 9: return ComputeInline{};
            case 10: return ComputeAt{level()};
            case 11: return StoreRoot{};
            case 12: return StoreAt{level()};
            case 13: return Bound{name(), index(), index()};
            case 14: return BoundExtent{name(), index()};
            case 15: return AlignBounds{name(), number(), number()};
            case 16: return ReorderStorage{names()};
            case 17: return FoldStorage{name(), number(), choices_.boolean(500)};
            case 18: return Specialize{condition()};
            case 19: return Atomic{choices_.boolean(500)};
            case 20: return rfactor();
            case 21: return Async{};
            case 22: return AlignStorage{name(), number()};
            case 23: return Partition{name(), static_cast<Partitioning>(choices_.integer(0, 2))};
            case 24: return NeverPartition{names()};
            case 25: return AlwaysPartition{names()};
            case 26: return NeverPartitionAll{};
            case 27: return AlwaysPartitionAll{};
            case 28: return Prefetch{name(), name(), name(), number(), static_cast<FetchBound>(choices_.integer(0, 2))};
            case 29: return HoistStorage{level()};
            case 30: return HoistStorageRoot{};
            case 31: return RingBuffer{number()};
            default: return ComputeWith{level(), static_cast<Align>(choices_.integer(0, 3))};
        }
    }

    Choices& choices_;
};

}  // namespace

Schedule random_schedule(Choices& choices) {
    Schedule schedule;
    choices.sequence(0, 8, 750, [&](std::size_t) { schedule.directives.push_back(Drawer(choices).directive()); });
    return schedule;
}

}  // namespace haruspex::schedule::halide::test
