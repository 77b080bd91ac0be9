#include "tests/harness/mutants/sched/base_programs.h"

namespace haruspex::mutants::sched {
namespace {

const std::string blur = R"(sare blur(W, H) assuming W >= 1 and H >= 1 {
  input in : i32[2]
  bh(x, y) = in(x - 1, y) + in(x, y) * 2 + in(x + 1, y)
  bv(x, y) = bh(x, y - 1) + bh(x, y) * 3 + bh(x, y + 1)
  output bv on { [x, y] : 0 <= x < W and 0 <= y < H }
})";

const BaseProgram lanes{R"(sare lanes(N) assuming N >= 1 {
  input a : i32[1]
  input b : i32[1]
  f(x) = a(x) * 2 + b(N - 1 - x)
  output f on { [x] : 0 <= x < N }
})",
                        R"(sched lanes(N) {
  input a : i32[N];
  input b : i32[N];
  output f : i32[N];
  for xo in [0, N/4) {
    lanes l < 4 do f[4*xo + l] {f(4*xo + l)} := a[4*xo + l] * 2i32 + b[N - 1 - 4*xo - l];
  }
  if N % 4 > 0 {
    let base = 4*(N/4);
    lanes l < 4 do if base + l < N do f[base + l] {f(base + l)} := a[base + l] * 2i32 + b[N - 1 - base - l];
  }
})",
                        {{{"N", 1}}, {{"N", 4}}, {{"N", 7}}, {{"N", 8}}, {{"N", 10}}}};

const BaseProgram predicated{R"(sare predicated(N) assuming N >= 1 {
  input in : i32[1]
  f(x) = in(x) * in(x) - 4
  g(x) = f(x) + f(x + 1)
  output g on { [x] : 0 <= x < N }
})",
                             R"(sched predicated(N) {
  input in : i32[N + 1];
  output g : i32[N];
  allocate f : i32[4*((N + 4)/4)];
  for xo in [0, (N + 4)/4) {
    let loaded[l < 4] : i32 = in[4*xo + l]?(4*xo + l < N + 1);
    lanes l < 4 do f[4*xo + l] {f(4*xo + l)} := loaded[l] * loaded[l] - 4i32;
  }
  for xo in [0, (N + 3)/4) {
    lanes l < 4 do if 4*xo + l <= N - 1 do g[4*xo + l] {g(4*xo + l)} := f[4*xo + l] + f[4*xo + l + 1];
  }
  free f;
})",
                             {{{"N", 1}}, {{"N", 3}}, {{"N", 4}}, {{"N", 9}}}};

const BaseProgram deinterleaved{R"(sare deinterleaved(N) assuming N >= 1 {
  input in : i32[1]
  even(x) = in(2*x) - in(2*x + 1)
  odd(x) = in(2*x + 1) * 3
  output even on { [x] : 0 <= x < 4*N }
  output odd on { [x] : 0 <= x < 4*N }
})",
                                R"(sched deinterleaved(N) {
  input in : i32[8*N];
  output even : i32[4*N];
  output odd : i32[4*N];
  for xo in [0, N) {
    let row[l < 8] : i32 = in[8*xo + l];
    lanes l < 4 do even[4*xo + l] {even(4*xo + l)} := row[2*l] - row[2*l + 1],
                   odd[4*xo + l] {odd(4*xo + l)} := row[2*l + 1] * 3i32;
  }
})",
                                {{{"N", 1}}, {{"N", 2}}, {{"N", 3}}}};

const BaseProgram lane_reduction{R"(sare lane_reduction(N) assuming N >= 1 {
  input in : i32[1]
  total() = sum over { [r] : 0 <= r < 4*N } of (in(r) * 2)
  most() = max over { [r] : 0 <= r < 4*N } of (in(r))
  output total on { [] : true }
  output most on { [] : true }
})",
                                 R"(sched lane_reduction(N) {
  input in : i32[4*N];
  output total : i32[];
  output most : i32[];
  total[] := 0i32;
  most[] := in[0];
  for r in [0, N) {
    let row[l < 4] : i32 = in[4*r + l];
    total[] {total()} += {4*r} sum lanes l < 4 of (row[l] * 2i32);
    most[] {most()} max= {4*r} max lanes l < 4 of (row[3 - l]);
  }
})",
                                 {{{"N", 1}}, {{"N", 2}}, {{"N", 4}}}};

const BaseProgram parallel_rows{blur,
                                R"(sched parallel_rows(W, H) {
  input in : i32[W + 2 from -1, H + 2 from -1];
  output bv : i32[W, H];
  par y in [0, H) {
    allocate bh : i32[W, 3];
    for r in [0, 3) {
      for x in [0, W) {
        bh[x, r] {bh(x, y + r - 1)} := in[x - 1, y + r - 1] + in[x, y + r - 1] * 2i32 + in[x + 1, y + r - 1];
      }
    }
    for x in [0, W) {
      bv[x, y] {bv(x, y)} := bh[x, 0] + bh[x, 1] * 3i32 + bh[x, 2];
    }
    free bh;
  }
})",
                                {{{"W", 1}, {"H", 1}}, {{"W", 3}, {"H", 2}}, {{"W", 2}, {"H", 4}}}};

const BaseProgram parallel_stages{blur,
                                  R"(sched parallel_stages(W, H) {
  input in : i32[W + 2 from -1, H + 2 from -1];
  output bv : i32[W, H];
  allocate bh : i32[W, H + 2 from -1];
  par y in [-1, H + 1) {
    vector x in [0, W) {
      bh[x, y] {bh(x, y)} := in[x - 1, y] + in[x, y] * 2i32 + in[x + 1, y];
    }
  }
  par y in [0, H) {
    par x in [0, W) {
      bv[x, y] {bv(x, y)} := bh[x, y - 1] + bh[x, y] * 3i32 + bh[x, y + 1];
    }
  }
  free bh;
})",
                                  {{{"W", 1}, {"H", 1}}, {{"W", 3}, {"H", 2}}, {{"W", 2}, {"H", 4}}}};

const BaseProgram strips{R"(sare strips(N) assuming N >= 1 {
  input in : i32[1]
  a(x) = in(x) + 1
  b(x) = a(x - 1) * a(x)
  output b on { [x] : 0 <= x < N }
})",
                         R"(sched strips(N) {
  input in : i32[N + 1 from -1];
  output b : i32[N];
  par s in [0, (N + 2)/3) {
    let begin = 3*s;
    let end = min(begin + 3, N);
    allocate a : i32[2];
    a[(begin - 1) % 2] {a(begin - 1)} := in[begin - 1] + 1i32;
    for x in [begin, end) {
      a[x % 2] {a(x)} := in[x] + 1i32;
      b[x] {b(x)} := a[(x - 1) % 2] * a[x % 2];
    }
    free a;
  }
})",
                         {{{"N", 1}}, {{"N", 3}}, {{"N", 5}}, {{"N", 8}}}};

const BaseProgram benign_overlap{R"(sare benign_overlap(N) assuming N >= 4 {
  input in : i32[1]
  f(x) = in(x) - in(x + 1) * 2
  output f on { [x] : 0 <= x < N }
})",
                                 R"(sched benign_overlap(N) {
  input in : i32[N + 1];
  output f : i32[N];
  par xo in [0, (N + 3)/4) {
    let base = min(4*xo, N - 4);
    lanes l < 4 do f[base + l] {f(base + l)} := in[base + l] - in[base + l + 1] * 2i32;
  }
})",
                                 {{{"N", 4}}, {{"N", 6}}, {{"N", 8}}, {{"N", 9}}}};

const BaseProgram histogram{R"(sare histogram(N) assuming N >= 1 {
  input in : i32[1]
  k(b) = sum over { [x] : 0 <= x < N } of (select(in(x) % 3 == i32<b>, in(x), 0i32))
  output k on { [b] : 0 <= b < 3 }
})",
                            R"(sched histogram(N) {
  input in : i32[N];
  output k : i32[3];
  for b in [0, 3) {
    k[b] := 0i32;
  }
  par x in [0, N) {
    let v : i32 = in[x];
    atomic {
      k[int(v % 3i32)] {k(0)} += {x} v;
    }
  }
})",
                            {{{"N", 1}}, {{"N", 4}}, {{"N", 7}}}};

const BaseProgram row_sums{R"(sare row_sums(W, H) assuming W >= 0 and H >= 1 {
  input in : i32[2]
  f(y) = sum over { [x] : 0 <= x < 4*W } of (in(x, y))
  output f on { [y] : 0 <= y < H }
})",
                           R"(sched row_sums(W, H) {
  input in : i32[4*W, H];
  output f : i32[H];
  par y in [0, H) {
    allocate part : i32[4];
    lanes l < 4 do part[l] := 0i32;
    for xo in [0, W) {
      lanes l < 4 do part[l] += {4*xo + l} in[4*xo + l, y];
    }
    f[y] {f(y)} := sum lanes l < 4 of (part[l]);
    free part;
  }
})",
                           {{{"W", 0}, {"H", 1}}, {{"W", 1}, {"H", 2}}, {{"W", 2}, {"H", 3}}}};

const BaseProgram transposed{R"(sare transposed(N) assuming N >= 1 {
  input in : i32[2]
  f(x, y) = in(y, x) - in(x, y)
  output f on { [x, y] : 0 <= x < N and 0 <= y < N }
})",
                             R"(sched transposed(N) {
  input in : i32[N, N];
  output f : i32[N, N];
  par yo in [0, (N + 1)/2) {
    for xo in [0, (N + 1)/2) {
      allocate tile : i32[2, 2];
      for yi in [0, 2) {
        lanes l < 2 do if 2*yo + l < N and 2*xo + yi < N do tile[yi, l] := in[2*yo + l, 2*xo + yi];
      }
      unrolled yi in [0, 2) {
        lanes l < 2 do if 2*xo + l < N and 2*yo + yi < N do
          f[2*xo + l, 2*yo + yi] {f(2*xo + l, 2*yo + yi)} := tile[l, yi] - in[2*xo + l, 2*yo + yi];
      }
      free tile;
    }
  }
})",
                             {{{"N", 1}}, {{"N", 2}}, {{"N", 3}}, {{"N", 4}}}};

}  // namespace

std::vector<BaseProgram> parallel_programs() {
    return {lanes,  predicated,     deinterleaved, lane_reduction, parallel_rows, parallel_stages,
            strips, benign_overlap, histogram,     row_sums,       transposed};
}

}  // namespace haruspex::mutants::sched
