#include "harness/compiler/serialize.h"

#include <stdexcept>
#include <utility>

#include "generators/base/overload.h"

namespace haruspex::compiler {
namespace {

class Writer {
public:
    void number(std::uint64_t n) {
        for (int i = 0; i < 8; ++i) { bytes_.push_back(static_cast<std::uint8_t>(n >> (8 * i))); }
    }
    void signed_number(std::int64_t n) { number(static_cast<std::uint64_t>(n)); }
    void text(const std::string& s) {
        number(s.size());
        bytes_.insert(bytes_.end(), s.begin(), s.end());
    }
    void numbers(const std::vector<std::int64_t>& values) {
        number(values.size());
        for (const std::int64_t v : values) { signed_number(v); }
    }
    void tensors(const std::vector<TensorData>& tensors) {
        number(tensors.size());
        for (const TensorData& t : tensors) {
            text(t.tensor);
            signed_number(t.component);
            number(static_cast<std::uint64_t>(t.type));
            numbers(t.min);
            numbers(t.extent);
            number(t.bits.size());
            for (const std::uint64_t b : t.bits) { number(b); }
        }
    }
    Bytes take() { return std::move(bytes_); }

private:
    Bytes bytes_;
};

class Malformed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class Reader {
public:
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::uint64_t number() {
        need(8, "a number");
        std::uint64_t n = 0;
        for (std::size_t i = 0; i < 8; ++i) { n |= std::uint64_t{bytes_[position_ + i]} << (8 * i); }
        position_ += 8;
        return n;
    }
    std::int64_t signed_number() { return static_cast<std::int64_t>(number()); }
    // A count of elements that take at least `size` bytes each, so that a corrupt count cannot make us allocate.
    std::size_t count(std::size_t size) {
        const std::uint64_t n = number();
        if (n > (bytes_.size() - position_) / size) { wrong("a count that fits the rest"); }
        return static_cast<std::size_t>(n);
    }
    template <typename Enum>
    Enum enumerator(Enum last) {
        const std::uint64_t n = number();
        if (n > static_cast<std::uint64_t>(last)) { wrong("an enumerator"); }
        return static_cast<Enum>(n);
    }
    // Encoded as the enumerator plus one; 0 for none.
    template <typename Enum>
    std::optional<Enum> optional_enumerator(Enum last) {
        const std::uint64_t n = number();
        if (n > 1 + static_cast<std::uint64_t>(last)) { wrong("an enumerator or none"); }
        return n == 0 ? std::nullopt : std::optional(static_cast<Enum>(n - 1));
    }
    std::string text() {
        const std::size_t n = count(1);
        std::string s(bytes_.begin() + static_cast<std::ptrdiff_t>(position_),
                      bytes_.begin() + static_cast<std::ptrdiff_t>(position_ + n));
        position_ += n;
        return s;
    }
    std::vector<std::int64_t> numbers() {
        std::vector<std::int64_t> values(count(8));
        for (std::int64_t& v : values) { v = signed_number(); }
        return values;
    }
    std::vector<TensorData> tensors() {
        std::vector<TensorData> all(count(8));
        for (TensorData& t : all) {
            t.tensor = text();
            t.component = static_cast<int>(signed_number());
            t.type = enumerator(value::all_types.back());
            t.min = numbers();
            t.extent = numbers();
            t.bits.resize(count(8));
            for (std::uint64_t& b : t.bits) { b = number(); }
        }
        return all;
    }
    void end() {
        if (position_ != bytes_.size()) { wrong("the end"); }
    }

private:
    void need(std::size_t n, const char* what) {
        if (bytes_.size() - position_ < n) { wrong(what); }
    }
    [[noreturn]] void wrong(const std::string& expected) {
        throw Malformed("observation: expected " + expected + " at byte " + std::to_string(position_));
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t position_ = 0;
};

void put(Writer& w, const std::vector<InputRegion>& regions) {
    w.number(regions.size());
    for (const InputRegion& r : regions) {
        w.text(r.input);
        w.numbers(r.min);
        w.numbers(r.extent);
    }
}

std::vector<InputRegion> take_regions(Reader& r) {
    std::vector<InputRegion> regions(r.count(8));
    for (InputRegion& region : regions) {
        region.input = r.text();
        region.min = r.numbers();
        region.extent = r.numbers();
    }
    return regions;
}

void put(Writer& w, const std::optional<std::string>& text) {
    w.number(text ? 1 : 0);
    if (text) { w.text(*text); }
}

std::optional<std::string> take_optional_text(Reader& r) {
    return r.number() == 0 ? std::nullopt : std::optional(r.text());
}

void put(Writer& w, const std::optional<FailedCheck>& check) {
    w.number(check ? 1 : 0);
    if (!check) { return; }
    put(w, check->file);
    put(w, check->function);
    put(w, check->condition);
    w.text(check->words);
}

std::optional<FailedCheck> take_failed_check(Reader& r) {
    if (r.number() == 0) { return std::nullopt; }
    FailedCheck check;
    check.file = take_optional_text(r);
    check.function = take_optional_text(r);
    check.condition = take_optional_text(r);
    check.words = r.text();
    return check;
}

void put(Writer& w, const Observation& o) {
    w.number(static_cast<std::uint64_t>(o.outcome));
    w.number(static_cast<std::uint64_t>(o.phase));
    w.signed_number(o.signal);
    w.text(o.message);
    put(w, o.failed_check);
    w.number(o.names_free_variable ? 1 : 0);
    w.tensors(o.first);
    w.tensors(o.second);
    w.text(o.stray_write);
    w.number(o.is_heap_write ? 1 : 0);
    w.number(o.regions_unknown ? 1 + static_cast<std::uint64_t>(*o.regions_unknown) : 0);
    w.text(o.why_regions_unknown);
    w.number(o.is_mutated ? 1 : 0);
    for (const auto t : {o.timings.build, o.timings.compile, o.timings.translate, o.timings.bounds, o.timings.run}) {
        w.signed_number(t.count());
    }
}

Observation take_observation(Reader& r) {
    Observation o;
    o.outcome = r.enumerator(Outcome::harness_failed);
    o.phase = r.enumerator(Phase::done);
    o.signal = static_cast<int>(r.signed_number());
    o.message = r.text();
    o.failed_check = take_failed_check(r);
    o.names_free_variable = r.number() != 0;
    o.first = r.tensors();
    o.second = r.tensors();
    o.stray_write = r.text();
    o.is_heap_write = r.number() != 0;
    o.regions_unknown = r.optional_enumerator(RegionsUnknown::divergent);
    o.why_regions_unknown = r.text();
    o.is_mutated = r.number() != 0;
    for (auto* t : {&o.timings.build, &o.timings.compile, &o.timings.translate, &o.timings.bounds, &o.timings.run}) {
        *t = std::chrono::nanoseconds(r.signed_number());
    }
    return o;
}

decltype(Lowered::program) take_program(Reader& r) {
    // The index of the alternative.
    switch (r.number()) {
        case 0: return ProgramText{r.text()};
        case 1: return LongText{r.number()};
        case 2: return FreeVariable{r.text()};
        case 3: {
            std::string kind = r.text();
            return Feature{std::move(kind), r.text()};
        }
        default: throw Malformed("observation: expected a program or why there is none");
    }
}

}  // namespace

Bytes serialize(const Observation& observation) {
    Writer w;
    put(w, observation);
    w.number(observation.elsewhere.size());
    for (const Observation& other : observation.elsewhere) {
        put(w, other);
        put(w, other.input_regions);
    }
    return w.take();
}

Result<Observation> deserialize(std::span<const std::uint8_t> bytes) {
    try {
        Reader r(bytes);
        Observation observation = take_observation(r);
        observation.elsewhere.resize(r.count(sizeof(std::uint64_t)));
        for (Observation& other : observation.elsewhere) {
            other = take_observation(r);
            other.input_regions = take_regions(r);
        }
        r.end();
        return observation;
    } catch (const Malformed& e) { return fail(e.what()); }
}

Bytes serialize(const std::vector<InputRegion>& regions) {
    Writer w;
    put(w, regions);
    return w.take();
}

Result<std::vector<InputRegion>> deserialize_regions(std::span<const std::uint8_t> bytes) {
    try {
        Reader r(bytes);
        std::vector<InputRegion> regions = take_regions(r);
        r.end();
        return regions;
    } catch (const Malformed& e) { return fail(e.what()); }
}

Bytes serialize(const Lowered& lowered) {
    Writer w;
    w.text(lowered.pass);
    w.number(lowered.program.index());
    std::visit(Overload{[&](const ProgramText& program) { w.text(program.text); },
                        [&](const LongText& text) { w.number(text.most_bytes); },
                        [&](const FreeVariable& variable) { w.text(variable.name); },
                        [&](const Feature& feature) {
                            w.text(feature.kind);
                            w.text(feature.detail);
                        }},
               lowered.program);
    w.text(lowered.statement);
    return w.take();
}

Result<Lowered> deserialize_lowered(std::span<const std::uint8_t> bytes) {
    try {
        Reader r(bytes);
        Lowered lowered;
        lowered.pass = r.text();
        lowered.program = take_program(r);
        lowered.statement = r.text();
        r.end();
        return lowered;
    } catch (const Malformed& e) { return fail(e.what()); }
}

}  // namespace haruspex::compiler
