#include "harness/compiler/fork_server.h"
#include "generators/base/sizes.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "generators/base/ensure.h"
#include "tests/support/catch.h"

namespace haruspex::compiler {
namespace {

using Behaviour = std::function<Observation(const cases::Case&, const std::function<void(Phase)>&)>;

class FakeCompiler : public Compiler {
public:
    explicit FakeCompiler(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}
    Identity identity() const override { return {"fake", "0.0.0", 0}; }
    std::string_view reason_to_abort() const override { return "LLVM ERROR: "; }
    void warm_up() override { warm_ = true; }
    Observation observe(const cases::Case& c, const Request&, const Progress& progress) override {
        ENSURE(warm_, "the server warms the compiler up first");
        return behaviour_(c, progress.enter);
    }
    void behave(Behaviour behaviour) { behaviour_ = std::move(behaviour); }

private:
    Behaviour behaviour_;
    bool warm_ = false;
};

Observation well_behaved(const cases::Case& c, const std::function<void(Phase)>& enter) {
    enter(Phase::build);
    enter(Phase::done);
    Observation o;
    o.message = c.target;
    return o;
}

// A limit on memory is met soon; those on time are far away, for machines of any speed.
Limits short_of_memory() {
    Limits limits;
    limits.memory_bytes = std::uint64_t{256} << 20;
    limits.cpu = std::chrono::seconds(60);
    limits.patience = 1;
    limits.wall = std::chrono::seconds(600);
    return limits;
}

// For what has no end.
Limits short_of_cpu() {
    Limits limits = short_of_memory();
    limits.cpu = std::chrono::milliseconds(1000);
    return limits;
}

int open_descriptors() {
    int count = 0;
    DIR* directory = ::opendir("/proc/self/fd");
    REQUIRE(directory != nullptr);
    while (::readdir(directory) != nullptr) { ++count; }
    ::closedir(directory);
    return count;
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

// Observes one misbehaving case; checks that it leaves no descriptors or children, and that the next case works.
Observation observe_once(const Behaviour& behaviour, const Limits& limits = short_of_memory()) {
    FakeCompiler compiler(well_behaved);
    ForkServer server(compiler, limits);
    cases::Case c;
    c.target = "the next one";
    const int descriptors = open_descriptors();
    compiler.behave(behaviour);
    Observation observation = server.observe(c);
    CHECK(open_descriptors() == descriptors);
    CHECK_FALSE(has_children());
    compiler.behave(well_behaved);
    const Observation next = server.observe(c);
    CHECK(next.outcome == Outcome::ran);
    CHECK(next.message == "the next one");
    CHECK_FALSE(has_children());
    return observation;
}

// Reports the size, and the number of other sizes requested with it. Crashes at size 13 and does not run at size 7.
class SizedCompiler : public Compiler {
public:
    Identity identity() const override { return {"fake", "0.0.0", 0}; }
    void warm_up() override {}
    Observation observe(const cases::Case& c, const Request& request, const Progress& progress) override {
        progress.lowered({"final", ProgramText{"program"}, ""});
        Observation made = at(c.sizes.at("N"), request.other_sizes.size());
        for (const Sizes& sizes : request.other_sizes) {
            const Observation other = at(sizes.at("N"), 0);
            if (!is_clean(made) || !is_clean(other)) { break; }
            made.elsewhere.push_back(other);
        }
        return made;
    }

private:
    static Observation at(std::int64_t size, std::size_t others) {
        if (size == 13) { std::abort(); }
        Observation made;
        made.message = std::to_string(size) + " + " + std::to_string(others);
        if (size == 7) { made.outcome = Outcome::run_time_error; }
        return made;
    }
};

// The observations at each size.
std::vector<std::string> seen_at(const std::vector<std::int64_t>& sizes) {
    SizedCompiler compiler;
    ForkServer server(compiler, short_of_memory());
    cases::Case c;
    c.sizes = {{"N", 0}};
    std::vector<Sizes> all;
    for (const std::int64_t size : sizes) { all.push_back({{"N", size}}); }
    std::vector<std::string> seen;
    for (const Observation& o : server.observe_at(c, all)) {
        CHECK(o.elsewhere.empty());
        REQUIRE(o.lowered.size() == 1);
        CHECK(o.lowered[0].program == decltype(Lowered::program)(ProgramText{"program"}));
        const char* outcome = o.outcome == Outcome::ran ? "" : o.outcome == Outcome::run_time_error ? "! " : "? ";
        seen.push_back(outcome + o.message);
    }
    return seen;
}

// Keeps the compiler from optimising this file's loops away.
volatile int sink = 0;

}  // namespace

TEST_CASE("an observation reaches the parent as it was made") {
    const Observation o = observe_once([](const cases::Case& c, const std::function<void(Phase)>& enter) {
        Observation made = well_behaved(c, enter);
        made.first = {{"f", 0, value::Type::u8, {0}, {3}, {1, 2, 3}}};
        return made;
    });
    CHECK(o.outcome == Outcome::ran);
    REQUIRE(o.first.size() == 1);
    CHECK(o.first[0].bits == std::vector<std::uint64_t>{1, 2, 3});
}

TEST_CASE("a compiler that only lowers is not warmed up, where that is to wait for the first run") {
    FakeCompiler compiler(well_behaved);
    ForkServer server(compiler, short_of_memory(), ForkServer::WarmUp::before_the_first_run);
    const cases::Case c;
    Request lowering;
    lowering.run = false;
    CHECK(server.observe(c, lowering).outcome == Outcome::harness_failed);  // FakeCompiler always runs
    CHECK(server.observe(c).outcome == Outcome::ran);
    CHECK(server.observe(c, lowering).outcome == Outcome::ran);
}

TEST_CASE("at several sizes the code is made once, and again for each where something went wrong before") {
    using Seen = std::vector<std::string>;
    CHECK(seen_at({}).empty());
    CHECK(seen_at({4}) == Seen{"4 + 0"});
    CHECK(seen_at({4, 5, 6}) == Seen{"4 + 2", "5 + 0", "6 + 0"});
    CHECK(seen_at({4, 5, 7, 6}) == Seen{"4 + 3", "5 + 0", "! 7 + 0", "6 + 0"});
    CHECK(seen_at({7, 5, 6}) == Seen{"! 7 + 0", "5 + 0", "6 + 0"});
    CHECK(seen_at({4, 13, 6}) == Seen{"4 + 0", "? SIGABRT", "6 + 0"});
    CHECK(seen_at({13, 7, 6}) == Seen{"? SIGABRT", "! 7 + 0", "6 + 0"});
}

TEST_CASE("an observation larger than any pipe buffer arrives whole") {
    const Observation o = observe_once([](const cases::Case& c, const std::function<void(Phase)>& enter) {
        Observation made = well_behaved(c, enter);
        std::vector<std::uint64_t> bits(1000000);
        for (std::size_t i = 0; i < bits.size(); ++i) { bits[i] = i * i; }
        made.first = {{"f", 0, value::Type::u64, {0}, {1000000}, bits}};
        return made;
    });
    REQUIRE(o.first.size() == 1);
    REQUIRE(o.first[0].bits.size() == 1000000);
    CHECK(o.first[0].bits[999999] == std::uint64_t{999999} * 999999);
}

TEST_CASE("abort in a phase is a crash in that phase with the last words") {
    const Observation o = observe_once([](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
        enter(Phase::build);
        enter(Phase::compile);
        std::cerr << "first words\n";
        std::fprintf(stderr, "assertion failed at 0x1234\n");
        std::abort();
    });
    CHECK(o.outcome == Outcome::crashed);
    CHECK(o.phase == Phase::compile);
    CHECK(o.signal == SIGABRT);
    CHECK(o.message == "SIGABRT: first words\nassertion failed at 0x…");
}

TEST_CASE("a segmentation fault is a crash with its signal") {
    const Observation o = observe_once([](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
        enter(Phase::second_run);
        ::raise(SIGSEGV);
        return {};
    });
    CHECK(o.outcome == Outcome::crashed);
    CHECK(o.phase == Phase::second_run);
    CHECK(o.signal == SIGSEGV);
    CHECK(o.message == "SIGSEGV");
}

TEST_CASE("an endless loop is stopped by the CPU limit") {
    const Observation o = observe_once(
        [](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
            enter(Phase::compile);
            for (;;) { sink = sink + 1; }
        },
        short_of_cpu());
    CHECK(o.outcome == Outcome::timed_out);
    CHECK(o.phase == Phase::compile);
    CHECK(o.message == "CPU limit of 1000 ms");
}

TEST_CASE("an endless loop that ignores SIGXCPU is stopped by the CPU limit too") {
    const Observation o = observe_once(
        [](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
            enter(Phase::compile);
            std::signal(SIGXCPU, SIG_IGN);
            for (;;) { sink = sink + 1; }
        },
        short_of_cpu());
    CHECK(o.outcome == Outcome::timed_out);
    CHECK(o.message == "CPU limit of 1000 ms");
}

// Computes for at least this much CPU time.
void compute(std::chrono::milliseconds time) {
    const auto end = std::clock() + time.count() * CLOCKS_PER_SEC / 1000;
    while (std::clock() < end) { sink = sink + 1; }
}

TEST_CASE("a case that is slower than the limit on CPU time has several times as much, and ends as any other") {
    FakeCompiler compiler([](const cases::Case& c, const std::function<void(Phase)>& enter) {
        enter(Phase::compile);
        compute(std::chrono::milliseconds(400));
        return well_behaved(c, enter);
    });
    Limits limits = short_of_memory();
    limits.cpu = std::chrono::milliseconds(50);
    limits.patience = 1000;
    ForkServer patient(compiler, limits);
    cases::Case c;
    c.target = "slow";
    CHECK(patient.observe(c).outcome == Outcome::ran);
    CHECK(patient.slow_time() > std::chrono::milliseconds(300));
    const auto slow_time = patient.slow_time();
    CHECK(patient.observe(c).message == "slow");
    CHECK(patient.slow_time() > slow_time + std::chrono::milliseconds(300));
    limits.cpu = std::chrono::seconds(60);
    ForkServer with_time(compiler, limits);
    CHECK(with_time.observe(c).outcome == Outcome::ran);
    CHECK(with_time.slow_time() == std::chrono::milliseconds(0));
}

TEST_CASE("a case that has no end is stopped when the patience is at its end") {
    Limits limits = short_of_memory();
    limits.cpu = std::chrono::milliseconds(500);
    limits.patience = 4;
    const Observation o = observe_once(
        [](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
            enter(Phase::first_run);
            for (;;) { sink = sink + 1; }
        },
        limits);
    CHECK(o.outcome == Outcome::timed_out);
    CHECK(o.message == "CPU limit of 2000 ms");
}

TEST_CASE("a sleeper is stopped by the wall-clock limit") {
    Limits limits = short_of_memory();
    limits.wall = std::chrono::milliseconds(300);
    const auto start = std::chrono::steady_clock::now();
    const Observation o = observe_once(
        [](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
            enter(Phase::first_run);
            for (;;) { ::pause(); }
        },
        limits);
    CHECK(o.outcome == Outcome::timed_out);
    CHECK(o.phase == Phase::first_run);
    CHECK(o.message == "wall-clock limit of 300 ms");
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(3));
}

TEST_CASE("the wall-clock limit does not stop a child that computes") {
    Limits limits = short_of_memory();
    limits.cpu = std::chrono::milliseconds(2000);
    limits.wall = std::chrono::milliseconds(1000);
    const Observation o = observe_once(
        [](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
            enter(Phase::compile);
            for (;;) { sink = sink + 1; }
        },
        limits);
    CHECK(o.outcome == Outcome::timed_out);
    CHECK(o.message == "CPU limit of 2000 ms");
}

TEST_CASE("a child that computes and then sleeps is stopped by the wall-clock limit") {
    Limits limits = short_of_memory();
    limits.wall = std::chrono::milliseconds(1000);
    const Observation o = observe_once(
        [](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
            enter(Phase::compile);
            const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
            while (std::chrono::steady_clock::now() < end) { sink = sink + 1; }
            for (;;) { ::pause(); }
        },
        limits);
    CHECK(o.outcome == Outcome::timed_out);
    CHECK(o.message == "wall-clock limit of 1000 ms");
}

TEST_CASE("a child whose threads all wait is not waited for until the wall-clock limit") {
    Limits limits = short_of_memory();
    limits.wall = std::chrono::seconds(600);
    const Observation o = observe_once(
        [](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
            enter(Phase::first_run);
            std::mutex first, second;
            std::latch both_hold_one(2);
            const auto hold = [&](std::mutex& mine, std::mutex& others) {
                const std::lock_guard held(mine);
                both_hold_one.arrive_and_wait();
                const std::lock_guard never(others);
            };
            std::jthread thread([&] { hold(first, second); });
            hold(second, first);
            return {};
        },
        limits);
    CHECK(o.outcome == Outcome::deadlocked);
    CHECK(o.phase == Phase::first_run);
    CHECK(o.message == "deadlock: every thread waits");
}

TEST_CASE("a child is not taken for deadlocked that pauses now and then") {
    Limits limits = short_of_memory();
    limits.wall = std::chrono::seconds(600);
    const Observation o = observe_once(
        [](const cases::Case& c, const std::function<void(Phase)>& enter) {
            for (int i = 0; i < 6; ++i) { std::this_thread::sleep_for(std::chrono::milliseconds(500)); }
            return well_behaved(c, enter);
        },
        limits);
    CHECK(o.outcome == Outcome::ran);
}

TEST_CASE("a child that closes its pipe and sleeps is stopped by the wall-clock limit") {
    Limits limits = short_of_memory();
    limits.wall = std::chrono::milliseconds(300);
    const Observation o = observe_once(
        [](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
            enter(Phase::first_run);
            for (int fd = 3; fd < 64; ++fd) { ::close(fd); }
            for (;;) { ::pause(); }
        },
        limits);
    CHECK(o.outcome == Outcome::timed_out);
}

TEST_CASE("grandchildren do not outlive their case") {
    const Observation o = observe_once([](const cases::Case& c, const std::function<void(Phase)>& enter) {
        const pid_t pid = ::fork();
        if (pid == 0) {
            for (;;) { ::pause(); }
        }
        Observation made = well_behaved(c, enter);
        made.message = std::to_string(pid);
        return made;
    });
    const int grandchild = std::stoi(o.message);
    REQUIRE(grandchild > 0);
    bool gone = false;
    for (int i = 0; i < 200 && !gone; ++i) {
        // An orphan may stay a zombie until init collects it; a zombie runs nothing.
        FILE* file = std::fopen(("/proc/" + o.message + "/stat").c_str(), "r");
        char state = 'Z';
        if (file != nullptr) {
            if (std::fscanf(file, "%*d %*s %c", &state) != 1) { state = '?'; }
            std::fclose(file);
        }
        gone = state == 'Z' || state == 'X';
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    CHECK(gone);
}

TEST_CASE("allocation without end is out of memory, by exception") {
    const Observation o = observe_once([](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
        enter(Phase::compile);
        std::vector<char*> blocks;
        for (;;) {
            blocks.push_back(new char[1 << 20]);
            sink = blocks.back()[0];
        }
    });
    CHECK(o.outcome == Outcome::out_of_memory);
    CHECK(o.phase == Phase::compile);
}

TEST_CASE("death after a failed allocation is out of memory") {
    const Observation o = observe_once([](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
        enter(Phase::compile);
        try {
            for (;;) { sink = (new char[1 << 20]())[0]; }
        } catch (const std::bad_alloc&) { std::abort(); }
    });
    CHECK(o.outcome == Outcome::out_of_memory);
    CHECK(o.message == "memory limit of 256 MiB");
}

TEST_CASE("death with the words of LLVM's allocator is out of memory") {
    const Observation o = observe_once([](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
        enter(Phase::compile);
        std::fprintf(stderr, "LLVM ERROR: out of memory\nAllocation failed\n");
        std::abort();
    });
    CHECK(o.outcome == Outcome::out_of_memory);
    CHECK(o.message == "memory limit of 256 MiB: LLVM ERROR: out of memory\nAllocation failed");
}

TEST_CASE("a hundred megabytes of chatter are swallowed") {
    const Observation o = observe_once([](const cases::Case& c, const std::function<void(Phase)>& enter) {
        const std::string line(1 << 20, 'x');
        for (int i = 0; i < 100; ++i) { std::fwrite(line.data(), 1, line.size(), i % 2 == 0 ? stdout : stderr); }
        return well_behaved(c, enter);
    });
    CHECK(o.outcome == Outcome::ran);
}

TEST_CASE("a hundred megabytes of chatter leave only the last words") {
    const Observation o = observe_once([](const cases::Case&, const std::function<void(Phase)>&) -> Observation {
        const std::string line(1 << 20, 'x');
        for (int i = 0; i < 100; ++i) { std::fwrite(line.data(), 1, line.size(), stderr); }
        std::fprintf(stderr, "farewell");
        std::abort();
    });
    CHECK(o.outcome == Outcome::crashed);
    CHECK(o.message.size() < 5000);
    CHECK(o.message.ends_with("farewell"));
}

TEST_CASE("of what a compiler says as it gives up its reason alone is left, whatever it prints behind it") {
    const Observation o = observe_once([](const cases::Case&, const std::function<void(Phase)>&) -> Observation {
        std::fprintf(stderr, "a warning\nLLVM ERROR: Cannot select: 0x1234: v8i32 = load<(load 16)>\n");
        for (int i = 0; i < 1000; ++i) { std::fprintf(stderr, "  0x%x: i64 = Constant<%d>\n", ::getpid(), i); }
        std::abort();
    });
    CHECK(o.outcome == Outcome::crashed);
    CHECK(o.message == "SIGABRT: LLVM ERROR: Cannot select: 0x…: v8i32 = load<(load 16)>");
}

TEST_CASE("an exception that leaves the compiler is the harness's failure") {
    const Observation o = observe_once([](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
        enter(Phase::bounds_query);
        throw std::runtime_error("thrown");
    });
    CHECK(o.outcome == Outcome::harness_failed);
    CHECK(o.phase == Phase::bounds_query);
    CHECK(o.message == "thrown");
    const Observation odd =
        observe_once([](const cases::Case&, const std::function<void(Phase)>&) -> Observation { throw 5; });
    CHECK(odd.outcome == Outcome::harness_failed);
}

TEST_CASE("exit in the compiler is a crash and runs none of the parent's exit handlers") {
    std::array<int, 2> pipe{};
    REQUIRE(::pipe2(pipe.data(), O_NONBLOCK | O_CLOEXEC) == 0);
    static int handler_fd = -1;
    handler_fd = pipe[1];
    std::atexit([] {
        if (handler_fd >= 0 && ::write(handler_fd, "!", 1) != 1) { std::abort(); }
    });
    const Observation o = observe_once([](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
        enter(Phase::compile);
        std::exit(7);
    });
    CHECK(o.outcome == Outcome::crashed);
    CHECK(o.signal == 0);
    CHECK(o.message == "called exit(7)");
    char byte = 0;
    CHECK(::read(pipe[0], &byte, 1) == -1);
    handler_fd = -1;
    ::close(pipe[0]);
    ::close(pipe[1]);
}

TEST_CASE("a child that ends at once without a result is the harness's failure") {
    const Observation o =
        observe_once([](const cases::Case&, const std::function<void(Phase)>&) -> Observation { ::_exit(0); });
    CHECK(o.outcome == Outcome::harness_failed);
}

TEST_CASE("garbage on the result pipe is the harness's failure") {
    const Observation o = observe_once([](const cases::Case& c, const std::function<void(Phase)>& enter) {
        enter(Phase::build);
        for (int fd = 3; fd < 64; ++fd) {
            if (::write(fd, "garbage that is longer than a header", 36) < 0) { continue; }
        }
        return well_behaved(c, enter);
    });
    CHECK(o.outcome == Outcome::harness_failed);
    CHECK(o.message.starts_with("the child broke the protocol"));
}

TEST_CASE("a child that is asked to end goes on: the request is its parent's to hear") {
    const Observation o = observe_once([](const cases::Case& c, const std::function<void(Phase)>& enter) {
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) { ::raise(signal); }
        Observation made = well_behaved(c, enter);
        made.message = "finished";
        return made;
    });
    CHECK(o.outcome == Outcome::ran);
    CHECK(o.message == "finished");
}

TEST_CASE("death by a signal from outside is not blamed on the compiler") {
    for (const int signal : {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGRTMIN}) {
        CAPTURE(signal);
        const Observation o =
            observe_once([signal](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
                enter(Phase::compile);
                if (signal != SIGKILL) { std::signal(signal, SIG_DFL); }
                ::raise(signal);
                return {};
            });
        CHECK(o.outcome == Outcome::harness_failed);
        CHECK(o.phase == Phase::compile);
        CHECK(o.message.starts_with("the child was killed from outside by "));
    }
}

TEST_CASE("death by a signal that code brings upon itself is a crash") {
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS}) {
        CAPTURE(signal);
        const Observation o =
            observe_once([signal](const cases::Case&, const std::function<void(Phase)>& enter) -> Observation {
                enter(Phase::compile);
                ::raise(signal);
                return {};
            });
        CHECK(o.outcome == Outcome::crashed);
        CHECK(o.signal == signal);
    }
}

TEST_CASE("five hundred children leave nothing behind") {
    FakeCompiler compiler(well_behaved);
    ForkServer server(compiler, short_of_memory());
    const int descriptors = open_descriptors();
    cases::Case c;
    c.target = "t";
    for (int i = 0; i < 500; ++i) { REQUIRE(server.observe(c).outcome == Outcome::ran); }
    CHECK(open_descriptors() == descriptors);
    CHECK_FALSE(has_children());
}

}  // namespace haruspex::compiler
