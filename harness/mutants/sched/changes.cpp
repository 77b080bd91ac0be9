#include "harness/mutants/sched/changes.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "generators/base/overload.h"
#include "harness/sched/bounds.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"

namespace haruspex::mutants::sched {

using namespace haruspex::sched;

namespace {

bool stores(const Stmt& stmt) {
    bool found = false;
    for_each_statement(Block{stmt}, [&](const Stmt& s) { found = found || std::holds_alternative<Assign>(s.node); });
    return found;
}

LaneCounts counts(const std::optional<Lanes>& lanes) {
    return lanes ? LaneCounts{{lanes->variable, lanes->count}} : LaneCounts{};
}

// The changes of one statement, including changes of its place in the block.
class Suggestions {
public:
    Suggestions(const Block& block, std::size_t position, const std::vector<std::string>& stores, ChangeSelector& wish)
        : block_(block), position_(position), stores_(stores), wish_(wish) {}

    std::optional<Change> change() && {
        std::visit([this](const auto& s) { suggest(s); }, block_[position_].node);
        suggest_order();
        return std::move(made_);
    }

private:
    std::string quoted_headline() const { return "`" + headline(block_[position_]) + "`"; }

    // Replaces the statement by another.
    void emit(const std::string& what, Stmt instead) {
        made_ = Change{what + " in " + quoted_headline(), position_, 1, {std::move(instead)}};
    }
    // Offers a copy of the statement, edited by `edit`.
    template <typename Node, typename Edit>
    void offer(MutationKind kind, const std::string& what, const Node& node, Edit&& edit) {
        if (!wish_.is_next(kind)) { return; }
        Node changed = node;
        edit(changed);
        emit(what, {std::move(changed)});
    }
    // Puts the rewritten expression into the slot of a copy of the statement.
    template <typename Node, typename Slot>
    void accept(const Node& node, std::optional<Rewrite> rewrite, Slot&& slot) {
        if (!rewrite) { return; }
        Node changed = node;
        slot(changed) = std::move(rewrite->expr);
        emit(rewrite->what, {std::move(changed)});
    }
    template <typename Node>
    void offer_lane_counts(const Node& node) {
        if (!node.lanes) { return; }
        for (const std::int64_t by : {-1, 1}) {
            offer(MutationKind::lane_count, by > 0 ? "there is one lane more" : "there is one lane less", node,
                  [by](Node& changed) { changed.lanes->count += by; });
        }
    }
    template <typename Node>
    void rewrite_condition(const Node& node) {
        accept(node, rewrite(node.condition, Use::other, {}, wish_),
               [](Node& changed) -> Expr& { return changed.condition; });
    }
    // Offers a rearrangement of the statements [first, first + count) of the block.
    template <typename Make>
    void offer_order(MutationKind kind, std::size_t first, std::size_t count, Make&& make) {
        if (wish_.is_next(kind)) {
            auto [sentence, instead] = make();
            made_ = Change{std::move(sentence), first, count, std::move(instead)};
        }
    }

    void suggest(const Let& s) {
        const auto value = [](Let& changed) -> Expr& { return changed.value; };
        accept(s, neighbour(MutationKind::index_off_by_one, s.value, wish_), value);
        accept(s, rewrite(s.value, Use::index, {}, wish_), value);
    }

    void suggest(const LetValue& s) {
        accept(s, rewrite(s.value, Use::other, counts(s.lanes), wish_),
               [](LetValue& changed) -> Expr& { return changed.value; });
        offer_lane_counts(s);
        for (std::size_t i = position_ + 1; i < block_.size(); ++i) {
            if (!stores(block_[i])) { continue; }
            offer_order(MutationKind::let_moved, position_, i + 1 - position_, [&] {
                Block moved(from(position_ + 1), from(i + 1));
                moved.push_back(block_[position_]);
                return std::pair{quoted_headline() + " moves behind `" + headline(block_[i]) + "`", std::move(moved)};
            });
        }
    }

    void suggest(const Allocate& s) {
        for (std::size_t d = 0; d < s.dimensions.size(); ++d) {
            accept(s, neighbour(MutationKind::allocation_size, s.dimensions[d].extent, wish_),
                   [d](Allocate& changed) -> Expr& { return changed.dimensions[d].extent; });
        }
        const auto offer_condition = [&](const std::string& what, const std::optional<Expr>& condition) {
            offer(MutationKind::allocation_condition, what, s,
                  [&](Allocate& changed) { changed.condition = condition; });
        };
        offer_condition("it is never allocated", Expr{Truth{false}});
        if (s.condition) {
            offer_condition("it is always allocated", std::nullopt);
            offer_condition("the condition becomes the opposite", Expr{Not{*s.condition}});
        }
    }

    void suggest(const Free& s) {
        for (std::size_t i = position_; i-- > 0;) {
            const auto* allocation = std::get_if<Allocate>(&block_[i].node);
            if (allocation != nullptr && allocation->array == s.array) { break; }
            offer_order(MutationKind::free_moved, i, position_ + 1 - i, [&] {
                Block moved{block_[position_]};
                moved.insert(moved.end(), from(i), from(position_));
                return std::pair{quoted_headline() + " moves before `" + headline(block_[i]) + "`", std::move(moved)};
            });
        }
    }

    void suggest(const Assign& s) {
        const LaneCounts lanes = counts(s.lanes);
        if (s.condition) {
            accept(s, rewrite(*s.condition, Use::other, lanes, wish_),
                   [](Assign& changed) -> Expr& { return *changed.condition; });
            offer(MutationKind::guard_dropped, "the condition is dropped", s,
                  [](Assign& changed) { changed.condition.reset(); });
        }
        offer_lane_counts(s);
        for (std::size_t w = 0; w < s.writes.size(); ++w) { suggest_write(s, w, lanes); }
        if (s.writes.size() < 2) { return; }
        for (std::size_t w = 0; w < s.writes.size(); ++w) {
            offer(MutationKind::statement_dropped, "the write to " + s.writes[w].array + " is dropped", s,
                  [w](Assign& changed) {
                      changed.writes.erase(changed.writes.begin() + static_cast<std::ptrdiff_t>(w));
                  });
        }
    }

    void suggest_write(const Assign& s, std::size_t w, const LaneCounts& lanes) {
        const Write& write = s.writes[w];
        const auto offer_write = [&](MutationKind kind, const std::string& what, auto&& change) {
            offer(kind, what, s, [&](Assign& changed) { change(changed.writes[w]); });
        };
        for (std::size_t i = 0; i < write.indices.size(); ++i) {
            const auto index = [w, i](Assign& changed) -> Expr& { return changed.writes[w].indices[i]; };
            accept(s, neighbour(MutationKind::store_elsewhere, write.indices[i], wish_), index);
            accept(s, rewrite(write.indices[i], Use::index, lanes, wish_), index);
        }
        for (std::size_t i = 1; i < write.indices.size(); ++i) {
            offer_write(MutationKind::indices_swapped, fmt::format("indices {} and {} are swapped", i - 1, i),
                        [&](Write& changed) { std::swap(changed.indices[i - 1], changed.indices[i]); });
        }
        for (const std::string& array : stores_) {
            offer_write(MutationKind::store_elsewhere, "`" + write.array + "` becomes `" + array + "`",
                        [&](Write& changed) { changed.array = array; });
        }
        suggest_prophecy(s, w);
        if (write.accumulation) {
            for (const value::ReductionOp op : value::all_reduction_ops) {
                offer_write(MutationKind::operator_replaced,
                            "the accumulation is by " + std::string(value::spelling(op)),
                            [&](Write& changed) { changed.accumulation->op = op; });
            }
        }
        accept(s, rewrite(write.value, Use::other, lanes, wish_),
               [w](Assign& changed) -> Expr& { return changed.writes[w].value; });
    }

    void suggest_prophecy(const Assign& s, std::size_t w) {
        const Write& write = s.writes[w];
        if (write.prophecy) {
            accept(s, rewrite_of_prophecy(*write.prophecy, wish_),
                   [w](Assign& changed) -> Expr& { return *changed.writes[w].prophecy; });
            offer(MutationKind::prophecy_dropped, "the prophecy is dropped", s,
                  [w](Assign& changed) { changed.writes[w].prophecy.reset(); });
        }
        if (!write.accumulation) { return; }
        for (std::size_t i = 0; i < write.accumulation->reduced.size(); ++i) {
            accept(s, neighbour(MutationKind::prophecy_index, write.accumulation->reduced[i], wish_),
                   [w, i](Assign& changed) -> Expr& { return changed.writes[w].accumulation->reduced[i]; });
        }
    }

    void suggest(const If& s) {
        rewrite_condition(s);
        if (s.condition != Expr{Truth{true}}) {
            offer(MutationKind::guard_dropped, "the condition always holds", s,
                  [](If& changed) { changed.condition = {Truth{true}}; });
        }
    }

    // Changes the bounds as they stand in the text: one of the two, while the other stays.
    void suggest(const For& s) {
        const Expr end = upper_bound(s.min, s.extent);
        const auto accept_bound = [&](const std::optional<Rewrite>& bound, bool is_min) {
            if (!bound) { return; }
            For changed = s;
            if (is_min) { changed.min = bound->expr; }
            changed.extent = extent_between(changed.min, is_min ? end : bound->expr);
            emit(bound->what, {std::move(changed)});
        };
        accept_bound(neighbour(MutationKind::loop_bound, s.min, wish_), true);
        accept_bound(rewrite(s.min, Use::index, {}, wish_), true);
        accept_bound(neighbour(MutationKind::loop_bound, end, wish_), false);
        accept_bound(rewrite(end, Use::index, {}, wish_), false);
        for (const auto& [kind, word] : {std::pair{LoopKind::serial, "serial"},
                                         {LoopKind::parallel, "parallel"},
                                         {LoopKind::vector, "one over lanes"},
                                         {LoopKind::unrolled, "unrolled"}}) {
            if (kind == s.kind) { continue; }
            offer(MutationKind::loop_kind, std::string("the loop becomes ") + word, s,
                  [kind = kind](For& changed) { changed.kind = kind; });
        }
    }

    void suggest(const Assert& s) { rewrite_condition(s); }
    void suggest(const Atomic& s) {
        if (wish_.is_next(MutationKind::atomic_dropped)) {
            emit("it is no longer atomic", {If{{Truth{true}}, s.body, {}}});
        }
    }
    void suggest(const Accumulate&) {}
    void suggest(const Semaphore&) {}
    void suggest(const Acquire&) {}
    void suggest(const Release&) {}
    void suggest(const Fork&) {}

    void suggest_order() {
        const Stmt& here = block_[position_];
        const bool frees = std::holds_alternative<Free>(here.node);
        if (position_ + 1 < block_.size()) {
            const Stmt& next = block_[position_ + 1];
            const bool is_let_moved = std::holds_alternative<LetValue>(here.node) && stores(next);
            if (!is_let_moved && !std::holds_alternative<Free>(next.node)) {
                offer_order(MutationKind::statement_swapped, position_, 2, [&] {
                    return std::pair{quoted_headline() + " and `" + headline(next) + "` are swapped",
                                     Block{next, here}};
                });
            }
        }
        offer_order(frees ? MutationKind::free_dropped : MutationKind::statement_dropped, position_, 1,
                    [&] { return std::pair{quoted_headline() + " is dropped", Block{}}; });
        offer_order(MutationKind::statement_doubled, position_, 1,
                    [&] { return std::pair{quoted_headline() + " is done twice", Block{here, here}}; });
    }

    Block::const_iterator from(std::size_t position) const {
        return block_.begin() + static_cast<std::ptrdiff_t>(position);
    }

    const Block& block_;
    std::size_t position_;
    const std::vector<std::string>& stores_;
    ChangeSelector& wish_;
    std::optional<Change> made_;
};

}  // namespace

std::optional<Change> change(const Block& block, std::size_t position, const std::vector<std::string>& stores,
                             ChangeSelector& wish) {
    return Suggestions(block, position, stores, wish).change();
}

}  // namespace haruspex::mutants::sched
