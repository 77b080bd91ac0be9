#include <array>
#include <set>

#include "generators/base/choice.h"
#include "oracle/interp/sched_memory.h"
#include "tests/oracle/interp/sched_support.h"

// Execution with padding (Rink's report, section 4).
namespace haruspex::interp {
namespace {

Options padded(std::int64_t multiple, Filling filling, std::uint64_t seed = 0) {
    Options options;
    options.padding = Padding{multiple, filling, seed};
    return options;
}

// The padding cells, "f[5] = 0i32".
std::vector<std::string> padding_of(const Run& run) {
    std::vector<std::string> cells;
    for (const PaddingCell& cell : run.execution().padding) {
        std::string text = cell.array + "[";
        for (std::size_t d = 0; d < cell.indices.size(); ++d) {
            text += (d > 0 ? ", " : "") + std::to_string(cell.indices[d]);
        }
        cells.push_back(text + "] = " + value::to_string(cell.value));
    }
    return cells;
}

TEST_CASE("extents are rounded up, and what lies beyond is filled and accessible") {
    const std::string text = "sched p() { output f : i32[3 from 1, 2]; f[1, 0] := 1i32; f[4, 1] := f[4, 0]; }";
    CHECK(Run(text).kinds() == "out_of_bounds_read out_of_bounds_write");
    const Run zero(text, {}, padded(4, Filling::zero));
    CHECK(zero.kinds().empty());
    CHECK(padding_of(zero).size() == 10);
    CHECK(padding_of(zero).front() == "f[4, 0] = 0i32");
    CHECK(zero.cells("f") == "1 uninit_i32 uninit_i32 uninit_i32 uninit_i32 uninit_i32");
    CHECK(padding_of(Run(text, {}, padded(3, Filling::uninit))).front() == "f[1, 2] = uninit_i32");
    CHECK(Run(text, {}, padded(3, Filling::uninit)).kinds() == "out_of_bounds_read out_of_bounds_write");
    CHECK(padding_of(Run(text, {}, padded(1, Filling::noise))).empty());
}

TEST_CASE("the padding of a local array is filled at each entry, its cells are Uninit") {
    const Run run(R"(sched p() {
  output f : i32[4];
  for x in [0, 2) {
    allocate t : i32[3];
    f[2*x] := t[2];
    f[2*x + 1] := t[3];
    t[2] := 5i32;
    t[3] := 5i32;
  }
})",
                  {}, padded(4, Filling::zero));
    CHECK(run.kinds().empty());
    CHECK(run.cells("f") == "uninit_i32 0 uninit_i32 0");
}

TEST_CASE("an input's padding may be written, its cells not") {
    sched::Program program = parse_sched("sched p() { output in : i32[3]; in[3] := 7i32; in[2] := 8i32; }");
    program.arrays.front().role = sched::Role::input;
    const Run run(program, {}, padded(4, Filling::noise));
    CHECK(run.kinds() == "write_to_input");
    CHECK(padding_of(run) == std::vector<std::string>{"in[3] = 7i32"});
}

TEST_CASE("noise differs from cell to cell and from seed to seed, and is small at every type") {
    for (const value::Type type : value::all_types) {
        const std::string text = "sched p() { output f : " + std::string(value::name(type)) + "[1]; }";
        std::set<std::string> seen;
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            const Run run(text, {}, padded(64, Filling::noise, seed));
            REQUIRE(run.execution().padding.size() == 63);
            for (const PaddingCell& cell : run.execution().padding) {
                REQUIRE(cell.value.type() == type);
                REQUIRE(cell.value.is_defined());
                if (type != value::Type::boolean) {
                    const value::Value wide = value::cast(value::Type::f64, cell.value);
                    CHECK(std::abs(wide.as_double()) <= 100);
                }
                seen.insert(value::to_string(cell.value));
            }
        }
        CHECK(seen.size() >= (type == value::Type::boolean ? 2 : 50));
    }
}

// --- Strided arrays ----------------------------------------------------------------------------------------------

TEST_CASE("the cells of a strided array are sums of strides, its padding those of rounded extents only") {
    const std::string text = "sched p(S) { output f : i32[3 stride 1, 2 stride S]; f[0] := 1i32; }";
    CHECK(padding_of(Run(text, {{"S", 4}}, padded(2, Filling::zero))) ==
          std::vector<std::string>{"f[3] = 0i32", "f[7] = 0i32"});
    // Without a gap the coordinate (3, 0) falls on the cell of (0, 1), which is not padding.
    CHECK(padding_of(Run(text, {{"S", 3}}, padded(2, Filling::zero))) == std::vector<std::string>{"f[6] = 0i32"});
    // A gap remains a gap.
    CHECK(padding_of(Run(text, {{"S", 6}}, padded(2, Filling::zero))) ==
          std::vector<std::string>{"f[3] = 0i32", "f[9] = 0i32"});
}

TEST_CASE("random layouts have the cells that their definition enumerates") {
    for (std::uint64_t l = 0; l < 3000; ++l) {
        Choices choices(random_source(derive_seed(5, l)));
        const std::int64_t multiple = choices.integer(1, 4);
        const std::size_t rank = static_cast<std::size_t>(choices.integer(1, 3));
        std::vector<loops::Span> spans;
        std::set<std::int64_t> proper{0};
        std::set<std::int64_t> all{0};
        for (std::size_t d = 0; d < rank; ++d) {
            const loops::Span span{choices.integer(-5, 5), choices.integer(0, 5), choices.integer(-7, 12)};
            spans.push_back(span);
            const auto extend = [&](const std::set<std::int64_t>& sums, std::int64_t extent) {
                std::set<std::int64_t> next;
                for (const std::int64_t sum : sums) {
                    for (std::int64_t c = 0; c < extent; ++c) { next.insert(sum + c * *span.stride); }
                }
                return next;
            };
            proper = extend(proper, span.extent);
            all = extend(all, (span.extent + multiple - 1) / multiple * multiple);
        }
        const auto layout = loops::Layout::make(spans, multiple);
        REQUIRE(layout);
        bool has_padding = false;
        for (std::int64_t index = -200; index <= 300; ++index) {
            std::size_t place = 0;
            const bool is_inside = layout->advance(0, index, place);
            const loops::CellKind kind = is_inside ? layout->kind(place) : loops::CellKind::gap;
            const loops::CellKind expected = proper.contains(index) ? loops::CellKind::proper
                                             : all.contains(index)  ? loops::CellKind::padding
                                                                    : loops::CellKind::gap;
            REQUIRE(kind == expected);
            has_padding = has_padding || kind == loops::CellKind::padding;
            if (is_inside) { CHECK(layout->indices(place) == std::vector<std::int64_t>{index}); }
        }
        CHECK(layout->has_padding() == has_padding);
        std::set<std::int64_t> visited;
        layout->for_each([&](const std::vector<std::int64_t>& coordinates, std::size_t place) {
            std::int64_t sum = 0;
            for (std::size_t d = 0; d < rank; ++d) { sum += (coordinates[d] - spans[d].min) * *spans[d].stride; }
            CHECK(layout->indices(place).front() == sum);
            visited.insert(sum);
        });
        CHECK(visited == proper);
    }
}

TEST_CASE("large layouts, whose kinds are computed, have the cells that their definition enumerates") {
    for (std::uint64_t l = 0; l < 60; ++l) {
        Choices choices(random_source(derive_seed(8, l)));
        const std::int64_t multiple = choices.integer(1, 4);
        const auto rank = static_cast<std::size_t>(choices.integer(2, 4));
        const bool has_strides = choices.boolean(700);
        std::vector<loops::Span> spans;
        std::int64_t step = choices.integer(1, 3);
        for (std::size_t d = 0; d < rank; ++d) {
            loops::Span span{choices.integer(-5, 5), choices.integer(1, rank == 2 ? 200 : 20), std::nullopt};
            const std::int64_t room = (span.extent + multiple - 1) / multiple * multiple;
            if (has_strides) { span.stride = choices.boolean(300) ? -step : step; }
            step = step * room + choices.integer(0, 9);
            spans.push_back(span);
        }
        if (has_strides) { choices.shuffle(spans); }
        const auto layout = loops::Layout::make(spans, multiple);
        REQUIRE(layout);
        REQUIRE(layout->is_nested());
        std::vector<loops::CellKind> kinds(layout->size(), loops::CellKind::gap);
        // The box of all coordinates with padding equals that of an unpadded layout.
        std::vector<loops::Span> rooms = spans;
        for (loops::Span& span : rooms) { span.extent = (span.extent + multiple - 1) / multiple * multiple; }
        const auto all = loops::Layout::make(rooms, 1);
        REQUIRE(all);
        REQUIRE(all->size() == layout->size());
        all->for_each([&](const std::vector<std::int64_t>&, std::size_t place) {
            REQUIRE(kinds[place] == loops::CellKind::gap);
            kinds[place] = loops::CellKind::padding;
        });
        std::vector<std::int64_t> c;
        bool is_right = true;
        layout->for_each([&](const std::vector<std::int64_t>& coordinates, std::size_t place) {
            kinds[place] = loops::CellKind::proper;
            is_right = is_right && layout->coordinates(place, c);
            for (std::size_t d = 0; d < rank; ++d) { is_right = is_right && c[d] + spans[d].min == coordinates[d]; }
        });
        for (std::size_t place = 0; place < kinds.size(); ++place) {
            is_right = is_right && layout->kind(place) == kinds[place];
            is_right = is_right && layout->coordinates(place, c) == (kinds[place] != loops::CellKind::gap);
        }
        CHECK(is_right);
        CHECK(layout->has_padding() == (std::ranges::count(kinds, loops::CellKind::padding) > 0));
    }
}

// --- Theorems 2 and 3 --------------------------------------------------------------------------------------------

// Linear programs as in Rink's report: statements that set a whole tensor to sums, differences, transposed tensors,
// products, contractions and quotients of others. In the padded store their loops run over the rounded extents
// (ev-pad-stmt). Division is the controlled one (Definition 8), as for integers: division by zero gives zero.
class LinearProgram {
public:
    explicit LinearProgram(Choices& choices) {
        static constexpr std::array<const char*, 3> shapes{"A, B", "B, A", "A, A"};
        for (int t = 0; t < 6; ++t) { shapes_.emplace_back(choices.one_of(shapes)); }
        is_strided_ = choices.boolean(300);
        for (int s = 0; s < 5; ++s) { statements_.push_back(statement(choices)); }
    }

    // The program in terms of the extents A and B, and of PA and PB, the extents of loops and the room in arrays.
    std::string text() const {
        std::string source = "sched p(A, B, PA, PB) {\n";
        for (std::size_t t = 0; t < shapes_.size(); ++t) {
            source += (t < 3 ? "input t" : "output t") + std::to_string(t) + " : i32[" + dimensions(t) + "];\n";
        }
        // Outputs start at zero, so that a statement may read an output that no other one has set.
        for (std::size_t t = 3; t < shapes_.size(); ++t) {
            source += nest(t, "i", "j", element(t, "i", "j") + " := 0i32;");
        }
        source += "allocate l : i32[" + std::string(is_strided_ ? "A stride 1, B stride PA" : "A, B") + "];\n";
        for (const std::string& s : statements_) { source += s; }
        return source + "}\n";
    }

private:
    std::string extent(std::size_t t, int d) const { return std::string(1, shapes_[t][d == 0 ? 0 : 3]); }
    std::string dimensions(std::size_t t) const {
        if (!is_strided_) { return shapes_[t]; }
        return extent(t, 0) + " stride 1, " + extent(t, 1) + " stride P" + extent(t, 0);
    }
    std::string element(std::size_t t, const std::string& i, const std::string& j) const {
        const std::string name = "t" + std::to_string(t);
        return is_strided_ ? name + "[" + i + " + " + j + "*P" + extent(t, 0) + "]" : name + "[" + i + ", " + j + "]";
    }
    std::string local(const std::string& i, const std::string& j) const {
        return is_strided_ ? "l[" + i + " + " + j + "*PA]" : "l[" + i + ", " + j + "]";
    }
    std::string nest(std::size_t t, const std::string& i, const std::string& j, const std::string& body) const {
        return nest(extent(t, 0), extent(t, 1), i, j, body);
    }
    static std::string nest(const std::string& a, const std::string& b, const std::string& i, const std::string& j,
                            const std::string& body) {
        return "for " + j + " in [0, P" + b + ") { for " + i + " in [0, P" + a + ") {\n" + body + "\n} }\n";
    }

    // Chooses any tensor with these extents.
    std::size_t with_shape(Choices& choices, const std::string& a, const std::string& b) const {
        std::vector<std::size_t> fitting;
        for (std::size_t t = 0; t < shapes_.size(); ++t) {
            if (extent(t, 0) == a && extent(t, 1) == b) { fitting.push_back(t); }
        }
        return fitting.empty() ? shapes_.size() : choices.one_of(fitting);
    }

    std::string statement(Choices& choices) {
        const auto target = static_cast<std::size_t>(choices.integer(3, 5));
        const std::string a = extent(target, 0);
        const std::string b = extent(target, 1);
        const std::size_t same = with_shape(choices, a, b);
        const std::size_t turned = with_shape(choices, b, a);
        const std::size_t left = with_shape(choices, a, "A");
        const std::size_t right = with_shape(choices, "A", b);
        const std::string to = element(target, "i", "j") + " := ";
        const std::string other = element(same, "i", "j");
        switch (choices.weighted({2, 2, 2, turned < shapes_.size() ? 2 : 0,
                                  left < shapes_.size() && right < shapes_.size() ? 4 : 0, a + b == "AB" ? 2 : 0})) {
            case 0: return nest(target, "i", "j", to + element(target, "i", "j") + " + " + other + ";");
            case 1: return nest(target, "i", "j", to + other + " * " + element(target, "i", "j") + " % 1000i32;");
            // The divisor is always the same cell of an input, which is not zero.
            case 2: return nest(target, "i", "j", to + other + " / " + element(0, "0", "0") + ";");
            case 3: return nest(target, "i", "j", to + "3i32 * " + element(turned, "j", "i") + " % 1000i32;");
            case 4:
                return nest(target, "i", "j",
                            "allocate s : i32[]; s[] := 0i32; for k in [0, PA) { s[] += {k} " +
                                element(left, "i", "k") + " * " + element(right, "k", "j") + " % 1000i32; } " + to +
                                "s[] % 1000i32;");
            default:
                return nest("A", "B", "i", "j",
                            local("i", "j") + " := " + other + " - " + element(target, "i", "j") + ";") +
                       nest(target, "i", "j", to + local("i", "j") + ";");
        }
    }

    std::vector<std::string> shapes_;  // "A, B"
    std::vector<std::string> statements_;
    bool is_strided_ = false;
};

value::Value small_numbers(const std::string& tensor, int, const std::vector<std::int64_t>& c) {
    std::int64_t mixed = tensor.back() * 7;
    for (const std::int64_t x : c) { mixed = mixed * 31 + x * 17 + 3; }
    return value::Value::integer(value::Type::i32, mixed % 19 - 9);
}

TEST_CASE("Theorems 2 and 3: padded with zeros, linear programs keep them and compute what the exact store computes") {
    int with_padding = 0;
    for (std::uint64_t p = 0; p < 2000; ++p) {
        Choices choices(random_source(derive_seed(6, p)));
        const std::string text = LinearProgram(choices).text();
        INFO(text);
        const std::int64_t a = choices.integer(1, 5);
        const std::int64_t b = choices.integer(1, 5);
        const std::int64_t m = choices.integer(1, 4);
        const auto up = [&](std::int64_t n) { return (n + m - 1) / m * m; };
        const Run exact(text, {{"A", a}, {"B", b}, {"PA", a}, {"PB", b}}, {}, small_numbers);
        const Run store(text, {{"A", a}, {"B", b}, {"PA", up(a)}, {"PB", up(b)}}, padded(m, Filling::zero),
                        small_numbers);
        REQUIRE(exact.kinds().empty());
        // Progress and safety (Corollary 3).
        REQUIRE(store.kinds().empty());
        with_padding += store.execution().padding.empty() ? 0 : 1;
        for (const PaddingCell& cell : store.execution().padding) {
            CHECK(cell.value == value::Value::integer(value::Type::i32, 0));
        }
        for (const char* output : {"t3", "t4", "t5"}) { CHECK(exact.cells(output) == store.cells(output)); }
    }
    CHECK(with_padding > 1000);
}

TEST_CASE("a program that computes rounded-up garbage depends on no filling, one that reads it does") {
    const std::string harmless = R"(sched p(N) {
  input in : i32[N];
  output f : i32[N];
  allocate t : i32[N];
  for x in [0, (N + 3) / 4) { lanes l < 4 do t[4*x + l] := in[4*x + l] * 2i32; }
  for x in [0, (N + 3) / 4) { lanes l < 4 do f[4*x + l] := select(4*x + l < N, t[4*x + l], t[4*x + l] - 1i32); }
})";
    const std::string harmful = R"(sched p(N) {
  input in : i32[N];
  output f : i32[N];
  for x in [0, N) { f[x] := max(in[x], in[x + 1]); }
})";
    const auto results = [](const std::string& text) {
        std::set<std::string> cells;
        for (const Filling filling : {Filling::zero, Filling::uninit, Filling::noise}) {
            const Run run(text, {{"N", 7}}, padded(4, filling));
            CHECK(run.kinds().empty());
            cells.insert(run.cells("f"));
        }
        return cells;
    };
    CHECK(results(harmless) == std::set<std::string>{"0 2 4 6 8 10 12"});
    CHECK(results(harmful).size() > 1);
}

}  // namespace
}  // namespace haruspex::interp
