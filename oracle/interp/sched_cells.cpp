#include <fmt/core.h>

#include <algorithm>

#include "generators/base/ensure.h"
#include "harness/sched/text.h"
#include "oracle/interp/sched_machine.h"

// The parts of the machine that allocate, mark and deliver cells.
namespace haruspex::interp::loops {

Machine::Machine(const Code& code, const sched::Program& program, const TensorValues& inputs, const Options& options,
                 Turns turns)
    : code_(code),
      program_(program),
      inputs_(inputs),
      options_(options),
      filler_(options.padding),
      numbers_(code.number_slots),
      values_(code.value_slots, value::Value::uninit(value::Type::i32)),
      stores_(code.arrays.size()),
      races_(code.levels.size(), options.ignores_sign_of_zero),
      order_(code.strands),
      semaphores_(code.semaphores.size()),
      strands_(code.strands),
      turns_(turns),
      troubles_(code, options.most_troubles) {}

bool Machine::evaluate(const std::vector<DimensionCode>& dimensions, const std::string& array,
                       std::vector<Span>& spans) {
    spans.clear();
    for (const DimensionCode& dimension : dimensions) {
        const Number extent = number(dimension.extent);
        const Number min = number(dimension.min);
        const Number stride = dimension.stride ? number(*dimension.stride) : Number{};
        if (!is_usable(extent, "an extent of ", array) || !is_usable(min, "a minimum of ", array) ||
            !is_usable(stride, "a stride of ", array)) {
            return false;
        }
        spans.push_back({min.value, extent.value, dimension.stride ? std::optional(stride.value) : std::nullopt});
    }
    return true;
}

bool Machine::allocate(ArrayId array, const std::vector<DimensionCode>& dimensions) {
    if (!evaluate(dimensions, name(array), spans_)) { return stop(Stop::ended); }
    Store& store = stores_[array.value];
    const bool is_known =
        (store.state == Store::State::live || store.state == Store::State::freed) && store.spans == spans_;
    if (!is_known) {
        store.spans = spans_;
        auto layout = Layout::make(spans_, filler_.multiple());
        if (!layout && layout.error() == LayoutFault::too_large) { return stop(Stop::too_many_cells); }
        cells_ -= static_cast<std::int64_t>(store.cells.size());
        store.shadows.clear();
        store.touches = {};
        if (!layout) {
            store.state = Store::State::broken;
            store.cells.clear();
            store.layout = Layout();
            const bool is_negative = layout.error() == LayoutFault::negative_extent;
            note(is_negative ? TroubleKind::negative_extent : TroubleKind::index_overflow, name(array), {},
                 is_negative ? "gives " + name(array) + " a negative extent"
                             : "gives " + name(array) + " bounds that leave 64 bits");
            return true;
        }
        store.layout = std::move(*layout);
        cells_ += static_cast<std::int64_t>(store.layout.size());
        if (cells_ > most_cells) { return stop(Stop::too_many_cells); }
    }
    store.state = Store::State::live;
    store.uncertainties = uncertainties_;
    fill(array);
    // Allocating cells takes time, too.
    constexpr std::uint64_t cells_per_step = 64;
    return count(store.cells.size() / cells_per_step);
}

void Machine::fill(ArrayId array) {
    Store& store = stores_[array.value];
    const value::Type type = code_.arrays[array.value].type;
    const bool is_lazy = code_.arrays[array.value].role == Role::input && store.layout.is_nested();
    if (is_lazy) {
        store.cells.resize(store.layout.size());
        store.loaded.assign(store.layout.size(), false);
    } else {
        store.cells.assign(store.layout.size(), value::Value::uninit(type));
    }
    if (!store.layout.has_padding()) { return; }
    for (std::size_t place = 0; place < store.cells.size(); ++place) {
        if (store.layout.kind(place) != CellKind::padding) { continue; }
        store.cells[place] = filler_(array.value, type, place);
        if (is_lazy) { store.loaded[place] = true; }
    }
}

void Machine::open_input(ArrayId array) {
    Store& store = stores_[array.value];
    if (store.state != Store::State::live || store.layout.is_nested()) { return; }
    store.layout.for_each(
        [&](const std::vector<std::int64_t>& coordinates, std::size_t place) { ask(array, coordinates, place); });
}

void Machine::load_input(ArrayId array, std::size_t place) {
    Store& store = stores_[array.value];
    store.layout.coordinates(place, coordinates_);
    for (std::size_t d = 0; d < coordinates_.size(); ++d) { coordinates_[d] += store.spans[d].min; }
    ask(array, coordinates_, place);
    store.loaded[place] = true;
}

void Machine::ask(ArrayId array, const std::vector<std::int64_t>& coordinates, std::size_t place) {
    const sched::Array& source = program_.arrays[array.value];
    const std::string& tensor = source.tensor.empty() ? source.name : source.tensor;
    const value::Value v = inputs_(tensor, source.component, coordinates);
    ENSURE(v.type() == source.type, "the values of " + tensor + " have the type of their array");
    stores_[array.value].cells[place] = v;
}

Result<Execution> Machine::run() {
    bool goes_on = true;
    for (std::uint32_t a = 0; goes_on && a < program_.arrays.size(); ++a) {
        current_ = troubles_.declaration({a});
        goes_on = allocate({a}, code_.outer_dimensions[a]);
        if (goes_on && program_.arrays[a].role == sched::Role::input) { open_input({a}); }
    }
    if (goes_on) { run_strands(); }
    switch (stop_) {
        case Stop::none:
        case Stop::ended: return result();
        case Stop::too_many_steps:
            return cut_short(fmt::format("the program needs more than {} steps", options_.most_steps));
        case Stop::too_many_cells: return cut_short("the program's arrays have more than 2^26 cells");
    }
    raise_internal_error(__FILE__, __LINE__, "no such way to stop");
}

Result<Execution> Machine::cut_short(std::string reason) {
    if (std::ranges::all_of(troubles_.found(), is_harmless, &Trouble::kind)) { return fail(std::move(reason)); }
    Execution execution;
    execution.troubles = std::move(troubles_.found());
    execution.steps = steps_;
    execution.cut_short = std::move(reason);
    return execution;
}

Execution Machine::result() {
    Execution execution;
    for (std::uint32_t a = 0; a < program_.arrays.size(); ++a) {
        const sched::Array& source = program_.arrays[a];
        const Store& store = stores_[a];
        const bool is_live = store.state == Store::State::live;
        for (std::size_t place = 0; is_live && store.layout.has_padding() && place < store.cells.size(); ++place) {
            if (store.layout.kind(place) != CellKind::padding) { continue; }
            execution.padding.push_back({source.name, store.layout.indices(place), store.cells[place]});
        }
        if (source.role != sched::Role::output) { continue; }
        FinalArray final_array{.array = source.name,
                               .tensor = source.tensor.empty() ? source.name : source.tensor,
                               .component = source.component};
        for (const Span& span : store.spans) {
            final_array.min.push_back(span.min);
            final_array.extent.push_back(span.extent);
        }
        if (is_live) {
            store.layout.for_each([&](const std::vector<std::int64_t>&, std::size_t place) {
                final_array.cells.push_back(store.cells[place]);
            });
        }
        execution.outputs.push_back(std::move(final_array));
    }
    execution.troubles = std::move(troubles_.found());
    execution.steps = steps_;
    return execution;
}

Shadow& Machine::shadow(ArrayId array, LevelId level, std::size_t place) {
    Store& store = stores_[array.value];
    store.shadows.resize(code_.levels.size());
    std::vector<Shadow>& shadows = store.shadows[level.value];
    if (shadows.size() < store.cells.size()) { shadows.resize(store.cells.size()); }
    return shadows[place];
}

void Machine::mark(const Access& access, Direction direction, std::size_t place) {
    if (access.is_shared_by_branches) {
        order(access, direction, place, direction == Direction::read ? "reads" : "writes");
    }
    const Pending pending{access.array, place, current_, stores_[access.array.value].cells[place]};
    const std::vector<LevelId>& path = code_.levels[access.level.value].path;
    for (std::size_t d = code_.arrays[access.array.value].depth; d < path.size(); ++d) {
        const LevelId level = path[d];
        Shadow& cell = shadow(access.array, level, place);
        const bool is_atomic = d < atomic_depth_;
        const auto conflict = direction == Direction::read ? races_.read(level, cell, is_atomic, pending)
                                                           : races_.write(level, cell, is_atomic, pending);
        if (conflict) [[unlikely]] { note_race(pending, *conflict); }
    }
}

void Machine::mark_freed(const Access& access) {
    const std::vector<LevelId>& path = code_.levels[access.level.value].path;
    for (std::size_t place = 0; place < stores_[access.array.value].cells.size(); ++place) {
        if (access.is_shared_by_branches) { order(access, Direction::write, place, "frees"); }
        for (std::size_t d = code_.arrays[access.array.value].depth; d < path.size(); ++d) {
            const auto conflict = races_.free(path[d], shadow(access.array, path[d], place));
            if (conflict) [[unlikely]] { note_race_of_free(access.array, place, *conflict); }
        }
    }
}

void Machine::order(const Access& access, Direction direction, std::size_t place, std::string_view verb) {
    Store& store = stores_[access.array.value];
    const std::size_t cells = store.cells.size();
    const auto clash = direction == Direction::read ? order_.read(strand_, store.touches, cells, place, current_)
                                                    : order_.write(strand_, store.touches, cells, place, current_);
    if (!clash || !troubles_.is_new(clash->kind, current_)) { return; }
    const auto indices = store.layout.indices(place);
    const std::string other = clash->other_writes ? " writes" : " reads";
    note(clash->kind, name(access.array), indices,
         fmt::format("{} {}, which another branch{} in `{}`, and neither happens before the other", verb,
                     cell_name(name(access.array), indices), other,
                     sched::headline(*code_.sources[clash->other.value])));
}

void Machine::end_iteration(LevelId level) {
    if (!races_.has_pending(level)) { return; }
    races_.end_iteration(
        level,
        [&](const Pending& access) {
            return Races::Cell{&shadow(access.array, level, access.place),
                               stores_[access.array.value].cells[access.place]};
        },
        [&](const Pending& access, const Conflict& conflict) { note_race(access, conflict); });
}

void Machine::note_race_of_free(ArrayId array, std::size_t place, const Conflict& conflict) {
    const auto indices = stores_[array.value].layout.indices(place);
    note(conflict.kind, name(array), indices,
         fmt::format("frees {}, which iteration {} = {}{}", cell_name(name(array), indices),
                     races_.variable(conflict.level), conflict.other, conflict.other_writes ? " writes" : " reads"));
}

void Machine::note_race(const Pending& access, const Conflict& conflict) {
    if (!troubles_.is_new(conflict.kind, access.step)) { return; }
    const Store& store = stores_[access.array.value];
    const auto indices = store.layout.indices(access.place);
    const auto iteration = [&](std::int64_t i) {
        return fmt::format("iteration {} = {}", races_.variable(conflict.level), i);
    };
    std::string what = cell_name(name(access.array), indices) + ", which " + iteration(conflict.other);
    if (conflict.kind == TroubleKind::write_write_race) {
        what = "leaves " + value::to_string(store.cells[access.place]) + " in " + what + " leaves as " +
               value::to_string(access.before);
    } else {
        what = conflict.other_writes ? "reads " + what + " writes" : "writes " + what + " reads";
    }
    troubles_.note(conflict.kind, access.step, name(access.array), indices, iteration(conflict.self) + " " + what,
                   position());
}

}  // namespace haruspex::interp::loops
