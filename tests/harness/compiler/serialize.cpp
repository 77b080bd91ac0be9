#include "harness/compiler/serialize.h"

#include <algorithm>

#include "tests/support/catch.h"

namespace haruspex::compiler {
namespace {

Observation full_observation() {
    Observation o;
    o.outcome = Outcome::run_time_error;
    o.phase = Phase::second_run;
    o.signal = -3;
    o.message = "with \n and \"quotes\"";
    o.failed_check = FailedCheck{"a.cpp", std::nullopt, "", "words"};
    o.first = {{"f", 1, value::Type::f64, {-2}, {3}, {1, 0xffffffffffffffff, 0}}};
    o.second = {{"f", 1, value::Type::boolean, {-2, 5}, {3, 0}, {}}};
    o.stray_write = "somewhere";
    o.is_heap_write = o.names_free_variable = true;
    o.regions_unknown = RegionsUnknown::divergent;
    o.why_regions_unknown = "an overflow";
    o.is_mutated = true;
    o.timings = {std::chrono::nanoseconds(1), std::chrono::nanoseconds(2), std::chrono::nanoseconds(3),
                 std::chrono::nanoseconds(-4), std::chrono::nanoseconds(5)};
    Observation other = o;
    other.input_regions = {{"in", {0}, {4}}};
    o.elsewhere = {other, {}};
    return o;
}

bool same(const Observation& a, const Observation& b) {
    return a.outcome == b.outcome && a.failed_check == b.failed_check && a.phase == b.phase && a.signal == b.signal &&
           a.message == b.message && a.first == b.first && a.second == b.second && a.stray_write == b.stray_write &&
           a.is_heap_write == b.is_heap_write && a.names_free_variable == b.names_free_variable &&
           a.regions_unknown == b.regions_unknown && a.why_regions_unknown == b.why_regions_unknown &&
           a.is_mutated == b.is_mutated && a.timings.build == b.timings.build &&
           a.timings.compile == b.timings.compile && a.timings.translate == b.timings.translate &&
           a.timings.bounds == b.timings.bounds && a.timings.run == b.timings.run &&
           std::ranges::equal(a.elsewhere, b.elsewhere, [](const Observation& one, const Observation& other) {
               return same(one, other) && one.input_regions == other.input_regions;
           });
}

}  // namespace

TEST_CASE("an observation survives serialisation") {
    for (const Observation& o : {Observation{}, full_observation()}) {
        const Result<Observation> read = deserialize(serialize(o));
        REQUIRE(read.has_value());
        CHECK(same(*read, o));
    }
}

TEST_CASE("so do the regions of inputs and lowered programs") {
    const std::vector<InputRegion> regions{{"in", {-1, 0}, {10, 4}}, {"scalar", {}, {}}};
    const auto read = deserialize_regions(serialize(regions));
    REQUIRE(read.has_value());
    CHECK(*read == regions);
    const Lowered lowered{"simplify.2", ProgramText{"sched p() {\n}\n"}, "for (x, 0, 3)"};
    for (const Lowered& one : {lowered, Lowered{"final", LongText{7}, ""}, Lowered{"final", FreeVariable{"t3"}, ""},
                               Lowered{"final", Feature{"call", "f"}, "words"}}) {
        const auto program = deserialize_lowered(serialize(one));
        REQUIRE(program.has_value());
        CHECK(*program == one);
    }
    for (const Bytes& bytes : {serialize(regions), serialize(lowered)}) {
        for (std::size_t n = 0; n < bytes.size(); ++n) {
            CHECK_FALSE(deserialize_regions(std::span(bytes).first(n)).has_value());
            CHECK_FALSE(deserialize_lowered(std::span(bytes).first(n)).has_value());
        }
    }
}

TEST_CASE("every truncation and every extension of an observation is refused") {
    const Bytes bytes = serialize(full_observation());
    for (std::size_t n = 0; n < bytes.size(); ++n) { CHECK_FALSE(deserialize(std::span(bytes).first(n)).has_value()); }
    Bytes longer = bytes;
    longer.push_back(0);
    CHECK_FALSE(deserialize(longer).has_value());
}

TEST_CASE("a corrupt count or enumerator is refused without allocating") {
    const Bytes bytes = serialize(full_observation());
    for (const std::size_t position : {std::size_t{0}, std::size_t{8}, std::size_t{24}}) {
        Bytes corrupt = bytes;
        for (std::size_t i = 0; i < 8; ++i) { corrupt[position + i] = 0xff; }
        CHECK_FALSE(deserialize(corrupt).has_value());
    }
}

TEST_CASE("frames are cut from any partition of the stream") {
    Bytes stream;
    const Bytes payload{1, 2, 3, 4, 5};
    for (int i = 0; i < 3; ++i) {
        const Bytes frame = encode(i == 1 ? FrameKind::exhausted : FrameKind::failure,
                                   i == 1 ? std::span<const std::uint8_t>() : std::span(payload));
        stream.insert(stream.end(), frame.begin(), frame.end());
    }
    for (std::size_t step = 1; step <= stream.size(); ++step) {
        FrameReader reader;
        std::vector<Frame> frames;
        for (std::size_t at = 0; at < stream.size(); at += step) {
            reader.append(std::span(stream).subspan(at, std::min(step, stream.size() - at)));
            while (auto frame = reader.next()) { frames.push_back(std::move(*frame)); }
        }
        REQUIRE(frames.size() == 3);
        CHECK(frames[0].payload == payload);
        CHECK(frames[1].kind == FrameKind::exhausted);
        CHECK(frames[1].payload.empty());
        CHECK(frames[2].payload == payload);
        CHECK_FALSE(reader.is_broken());
        CHECK_FALSE(reader.has_rest());
    }
}

TEST_CASE("a frame with any byte changed is not taken for a frame") {
    const Bytes payload{7, 8};
    const Bytes frame = encode(FrameKind::failure, payload);
    for (std::size_t i = 0; i < frame.size(); ++i) {
        Bytes corrupt = frame;
        corrupt[i] ^= 0x10;
        FrameReader reader;
        reader.append(corrupt);
        CHECK_FALSE(reader.next().has_value());
    }
}

}  // namespace haruspex::compiler
