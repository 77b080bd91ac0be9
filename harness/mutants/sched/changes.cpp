#include "harness/mutants/sched/changes.h"

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

// The changes of one statement, its place in the block included.
class Suggestions {
public:
    Suggestions(const Block& block, std::size_t position, const std::vector<std::string>& stores)
        : block_(block), position_(position), stores_(stores), headline_(headline(block[position])) {}

    std::vector<Change> all() && {
        std::visit([this](const auto& s) { suggest(s); }, block_[position_].node);
        suggest_order();
        return std::move(found_);
    }

private:
    // The statement becomes another.
    void offer(MutationKind kind, const std::string& what, Stmt instead) {
        found_.push_back({kind, what + " in `" + headline_ + "`", position_, 1, {std::move(instead)}});
    }
    // What `slot` gives of the statement is rewritten.
    template <typename Node, typename Slot>
    void offer_rewrites(const Node& node, const std::vector<Rewrite>& rewrites, Slot&& slot) {
        for (const Rewrite& rewrite : rewrites) {
            Node changed = node;
            slot(changed) = rewrite.expr;
            offer(rewrite.kind, rewrite.what, {std::move(changed)});
        }
    }
    template <typename Node>
    void offer_lane_counts(const Node& node) {
        if (!node.lanes) { return; }
        for (const std::int64_t by : {-1, 1}) {
            Node changed = node;
            changed.lanes->count += by;
            offer(MutationKind::lane_count, by > 0 ? "there is one lane more" : "there is one lane less",
                  {std::move(changed)});
        }
    }
    template <typename Node>
    void offer_condition_rewrites(const Node& node, const LaneCounts& lanes = {}) {
        offer_rewrites(node, rewrites(node.condition, Use::other, lanes),
                       [](Node& changed) -> Expr& { return changed.condition; });
    }

    void suggest(const Let& s) {
        const auto value = [](Let& changed) -> Expr& { return changed.value; };
        offer_rewrites(s, neighbours(MutationKind::index_off_by_one, s.value), value);
        offer_rewrites(s, rewrites(s.value, Use::index, {}), value);
    }

    void suggest(const LetValue& s) {
        offer_rewrites(s, rewrites(s.value, Use::other, counts(s.lanes)),
                       [](LetValue& changed) -> Expr& { return changed.value; });
        offer_lane_counts(s);
        for (std::size_t i = position_ + 1; i < block_.size(); ++i) {
            if (!stores(block_[i])) { continue; }
            Block moved(from(position_ + 1), from(i + 1));
            moved.push_back(block_[position_]);
            found_.push_back({MutationKind::let_moved, "`" + headline_ + "` moves behind `" + headline(block_[i]) + "`",
                              position_, i + 1 - position_, std::move(moved)});
        }
    }

    void suggest(const Allocate& s) {
        for (std::size_t d = 0; d < s.dimensions.size(); ++d) {
            offer_rewrites(s, neighbours(MutationKind::allocation_size, s.dimensions[d].extent),
                           [d](Allocate& changed) -> Expr& { return changed.dimensions[d].extent; });
        }
        const auto offer_condition = [&](const std::string& what, std::optional<Expr> condition) {
            Allocate changed = s;
            changed.condition = std::move(condition);
            offer(MutationKind::allocation_condition, what, {std::move(changed)});
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
            Block moved{block_[position_]};
            moved.insert(moved.end(), from(i), from(position_));
            found_.push_back({MutationKind::free_moved,
                              "`" + headline_ + "` moves before `" + headline(block_[i]) + "`", i, position_ + 1 - i,
                              std::move(moved)});
        }
    }

    void suggest(const Assign& s) {
        const LaneCounts lanes = counts(s.lanes);
        if (s.condition) {
            offer_rewrites(s, rewrites(*s.condition, Use::other, lanes),
                           [](Assign& changed) -> Expr& { return *changed.condition; });
            Assign changed = s;
            changed.condition.reset();
            offer(MutationKind::guard_dropped, "the condition is dropped", {std::move(changed)});
        }
        offer_lane_counts(s);
        for (std::size_t w = 0; w < s.writes.size(); ++w) { suggest_write(s, w, lanes); }
        if (s.writes.size() < 2) { return; }
        for (std::size_t w = 0; w < s.writes.size(); ++w) {
            Assign changed = s;
            changed.writes.erase(changed.writes.begin() + static_cast<std::ptrdiff_t>(w));
            offer(MutationKind::statement_dropped, "the write to " + s.writes[w].array + " is dropped",
                  {std::move(changed)});
        }
    }

    void suggest_write(const Assign& s, std::size_t w, const LaneCounts& lanes) {
        const Write& write = s.writes[w];
        const auto offer_write = [&](MutationKind kind, const std::string& what, auto&& change) {
            Assign changed = s;
            change(changed.writes[w]);
            offer(kind, what, {std::move(changed)});
        };
        for (std::size_t i = 0; i < write.indices.size(); ++i) {
            const auto index = [w, i](Assign& changed) -> Expr& { return changed.writes[w].indices[i]; };
            offer_rewrites(s, neighbours(MutationKind::store_elsewhere, write.indices[i]), index);
            offer_rewrites(s, rewrites(write.indices[i], Use::index, lanes), index);
        }
        for (std::size_t i = 1; i < write.indices.size(); ++i) {
            offer_write(MutationKind::indices_swapped,
                        "indices " + std::to_string(i - 1) + " and " + std::to_string(i) + " are swapped",
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
        offer_rewrites(s, rewrites(write.value, Use::other, lanes),
                       [w](Assign& changed) -> Expr& { return changed.writes[w].value; });
    }

    void suggest_prophecy(const Assign& s, std::size_t w) {
        const Write& write = s.writes[w];
        if (write.prophecy) {
            offer_rewrites(s, rewrites_of_prophecy(*write.prophecy),
                           [w](Assign& changed) -> Expr& { return *changed.writes[w].prophecy; });
            Assign changed = s;
            changed.writes[w].prophecy.reset();
            offer(MutationKind::prophecy_dropped, "the prophecy is dropped", {std::move(changed)});
        }
        if (!write.accumulation) { return; }
        for (std::size_t i = 0; i < write.accumulation->reduced.size(); ++i) {
            offer_rewrites(s, neighbours(MutationKind::prophecy_index, write.accumulation->reduced[i]),
                           [w, i](Assign& changed) -> Expr& { return changed.writes[w].accumulation->reduced[i]; });
        }
    }

    void suggest(const If& s) {
        offer_condition_rewrites(s);
        if (s.condition != Expr{Truth{true}}) {
            offer(MutationKind::guard_dropped, "the condition always holds", {If{{Truth{true}}, s.then, s.otherwise}});
        }
    }

    // The bounds are changed as they stand in the text: one of them, and the other stays.
    void suggest(const For& s) {
        const Expr end = upper_bound(s.min, s.extent);
        const auto offer_bounds = [&](const std::vector<Rewrite>& rewrites, bool is_min) {
            for (const Rewrite& bound : rewrites) {
                For changed = s;
                if (is_min) { changed.min = bound.expr; }
                changed.extent = extent_between(changed.min, is_min ? end : bound.expr);
                offer(bound.kind, bound.what, {std::move(changed)});
            }
        };
        offer_bounds(neighbours(MutationKind::loop_bound, s.min), true);
        offer_bounds(rewrites(s.min, Use::index, {}), true);
        offer_bounds(neighbours(MutationKind::loop_bound, end), false);
        offer_bounds(rewrites(end, Use::index, {}), false);
        for (const auto& [kind, word] : {std::pair{LoopKind::serial, "serial"},
                                         {LoopKind::parallel, "parallel"},
                                         {LoopKind::vector, "one over lanes"},
                                         {LoopKind::unrolled, "unrolled"}}) {
            if (kind == s.kind) { continue; }
            For changed = s;
            changed.kind = kind;
            offer(MutationKind::loop_kind, std::string("the loop becomes ") + word, {std::move(changed)});
        }
    }

    void suggest(const Assert& s) { offer_condition_rewrites(s); }
    void suggest(const Atomic& s) {
        offer(MutationKind::atomic_dropped, "it is no longer atomic", {If{{Truth{true}}, s.body, {}}});
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
                found_.push_back({MutationKind::statement_swapped,
                                  "`" + headline_ + "` and `" + headline(next) + "` are swapped",
                                  position_,
                                  2,
                                  {next, here}});
            }
        }
        found_.push_back({frees ? MutationKind::free_dropped : MutationKind::statement_dropped,
                          "`" + headline_ + "` is dropped",
                          position_,
                          1,
                          {}});
        found_.push_back(
            {MutationKind::statement_doubled, "`" + headline_ + "` is done twice", position_, 1, {here, here}});
    }

    Block::const_iterator from(std::size_t position) const {
        return block_.begin() + static_cast<std::ptrdiff_t>(position);
    }

    const Block& block_;
    std::size_t position_;
    const std::vector<std::string>& stores_;
    std::string headline_;
    std::vector<Change> found_;
};

}  // namespace

std::vector<Change> changes(const Block& block, std::size_t position, const std::vector<std::string>& stores) {
    return Suggestions(block, position, stores).all();
}

}  // namespace haruspex::mutants::sched
