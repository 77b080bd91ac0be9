#include <nlohmann/json.hpp>

#include "tests/reports/cli/command_line.h"

// `haruspex equivalence`, as a user meets it.
namespace {

using namespace command_line;

const std::string pairs = R"(
sare pairs(W) assuming W >= 2 {
  input in : u8[1]
  out(x) = in(x) + in(x + 1)
  output out on { [x] : 0 <= x < W - 1 }
})";

std::string program(const std::string& bounds, const std::string& value) {
    return "# A comment before it, sare\nsched pairs(W) { input in : u8[W]; output out : u8[W - 1]; for x in " +
           bounds + " { out[x] := " + value + "; } }";
}

struct Files : Scratch {
    Files() {
        write(*this / "pairs.sare", pairs);
        write(*this / "right.sched", program("[0, W - 1)", "in[x] + in[x + 1]"));
        write(*this / "commuted.sched", program("[0, W - 1)", "in[x + 1] + in[x]"));
        write(*this / "short.sched", program("[1, W - 1)", "in[x] + in[x + 1]"));
        write(*this / "other.sched", "sched other(H) { }");
    }
    Ran check(const std::string& first, const std::string& second, const std::string& options = "") const {
        return shell(*this, haruspex + " equivalence " + (*this / first) + " " + (*this / second) + " " + options);
    }
};

}  // namespace

TEST_CASE("equivalence proves a program against its specification, or another program, with exit code 0") {
    const Files files;
    const Ran ran = files.check("pairs.sare", "right.sched");
    CHECK(ran.exit_code == 0);
    CHECK(ran.err.empty());
    CHECK(ran.out.starts_with("verdict         proved\nreason          every requested cell is the same\n"));
    CHECK(files.check("right.sched", "commuted.sched", "--ac add,max").exit_code == 0);
}

TEST_CASE("equivalence writes values in normal form, unless operators are to be symbols") {
    const Files files;
    write(files / "doubled.sched", program("[0, W - 1)", "in[x] + in[x]"));
    write(files / "shifted.sched", program("[0, W - 1)", "in[x] << 1u8"));
    CHECK(files.check("doubled.sched", "shifted.sched").exit_code == 0);
    const Ran symbols = files.check("doubled.sched", "shifted.sched", "--symbols");
    CHECK(symbols.exit_code == 1);
    CHECK(symbols.out.find("add u8 is not shift_left u8") != std::string::npos);
}

TEST_CASE("equivalence says which cells are not proved, and why, with exit code 1") {
    const Files files;
    const Ran commuted = files.check("pairs.sare", "commuted.sched");
    CHECK(commuted.exit_code == 1);
    CHECK(commuted.out.find("mismatch        other cells of input in\n") != std::string::npos);
    const Ran ran = files.check("pairs.sare", "short.sched", "--json");
    CHECK(ran.exit_code == 1);
    const auto json = nlohmann::json::parse(ran.out);
    CHECK(json.at("verdict") == "not_proved");
    REQUIRE(json.at("outputs").size() == 1);
    CHECK(json.at("outputs")[0].at("not_proved") == "[W] -> { [0] : W >= 2 }");
    CHECK(json.at("outputs")[0].at("proved") == "[W] -> { [i0] : 0 < i0 <= -2 + W }");
    CHECK(json.at("mismatches")[0].at("what") == "a read of memory that was not written");
    CHECK(files.check("pairs.sare", "right.sched", "--budget 50").out.find("undecided") != std::string::npos);
}

TEST_CASE("equivalence refuses operators without these laws, and programs that cannot be compared, with exit code 2") {
    const Files files;
    const Ran minus = files.check("pairs.sare", "right.sched", "--ac sub");
    CHECK(minus.exit_code == 2);
    CHECK(minus.err.find("operator sub is not associative and commutative at any type") != std::string::npos);
    CHECK(files.check("right.sched", "other.sched").exit_code == 2);
    CHECK(files.check("pairs.sare", "other.sched").exit_code == 2);
    CHECK(files.check("pairs.sare", "missing.sched").exit_code == 2);
}
