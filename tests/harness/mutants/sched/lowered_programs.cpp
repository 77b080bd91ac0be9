#include "tests/harness/mutants/sched/base_programs.h"

namespace haruspex::mutants::sched {
namespace {

const BaseProgram pipeline{R"(sare pipeline(W, H) assuming W >= 1 and H >= 1 {
  input in : i32[2]
  g(x, y) = in(x, y) * 2 - in(x + 1, y)
  s(x, y) = g(x, y) + g(x, y + 1) * 3
  f(x, y) = s(x, y) - s(x + 1, y) + g(x, y)
  output f on { [x, y] : 0 <= x < W and 0 <= y < H }
})",
                           R"(sched pipeline(W, H) {
  input in : i32[W + 2 stride 1, H + 1 stride W + 2];
  output f : i32[W stride 1, H stride W];
  assert W >= 1 and H >= 1 "there is nothing to do";
  par yo in [0, (H + 1)/2) {
    let y0 = 2*yo;
    let rows = min(2, H - y0);
    allocate g : i32[(W + 1)*2 stride 1];
    for x in [0, W + 1) {
      let here = (W + 2)*y0 + x;
      g[x] {g(x, y0)} := in[here] * 2i32 - in[here + 1];
    }
    for yi in [0, rows) {
      let y = y0 + yi;
      let old = (W + 1)*(yi % 2);
      let new = (W + 1)*((yi + 1) % 2);
      allocate s : i32[W + 1];
      for x in [0, W + 1) {
        let here = (W + 2)*(y + 1) + x;
        let left : i32 = in[here];
        let right : i32 = in[here + 1];
        g[new + x] {g(x, y + 1)} := left * 2i32 - right;
        s[x] {s(x, y)} := g[old + x] + g[new + x] * 3i32;
      }
      for xo in [0, W/2) {
        lanes l < 2 do f[W*y + 2*xo + l] {f(2*xo + l, y)} := s[2*xo + l] - s[2*xo + l + 1] + g[old + 2*xo + l];
      }
      if W % 2 = 1 {
        f[W*y + W - 1] {f(W - 1, y)} := s[W - 1] - s[W] + g[old + W - 1];
      }
      free s;
    }
    free g;
  }
})",
                           {{{"W", 1}, {"H", 1}}, {{"W", 3}, {"H", 2}}, {{"W", 4}, {"H", 3}}}};

const BaseProgram swapped_halves{R"(sare swapped_halves(N) assuming N >= 1 {
  input in : i32[1]
  low(x) = in(x + N) - in(x)
  high(x) = in(x) * 2 + in(x + N)
  output low on { [x] : 0 <= x < N }
  output high on { [x] : 0 <= x < N }
})",
                                 R"(sched swapped_halves(N) {
  input in : i32[2*N];
  output low : i32[N];
  output high : i32[N];
  for x in [0, N) {
    low[x] := in[x];
    high[x] := in[x + N];
  }
  for x in [0, N) {
    let a : i32 = low[x];
    let b : i32 = high[x];
    low[x] := b;
    let c : i32 = low[x];
    high[x] := a;
    let d : i32 = high[x];
    low[x] {low(x)} := c - d;
    let e : i32 = high[x];
    high[x] := c;
    let f : i32 = high[x];
    high[x] {high(x)} := e * 2i32 + f;
  }
})",
                                 {{{"N", 1}}, {{"N", 2}}, {{"N", 5}}}};

const BaseProgram rotated_lanes{R"(sare rotated_lanes(N) assuming N >= 1 {
  input in : i32[1]
  f(x) = in(4*(x / 4) + (x + 1) % 4) - in(x)
  output f on { [x] : 0 <= x < 4*N }
})",
                                R"(sched rotated_lanes(N) {
  input in : i32[4*N];
  output f : i32[4*N];
  for xo in [0, N) {
    lanes l < 4 do f[4*xo + l] := in[4*xo + l];
    let old[l < 4] : i32 = f[4*xo + l];
    lanes l < 4 do f[4*xo + l] := f[4*xo + (l + 1) % 4];
    let new[l < 4] : i32 = f[4*xo + l];
    lanes l < 4 do f[4*xo + l] {f(4*xo + l)} := new[l] - old[l];
  }
})",
                                {{{"N", 1}}, {{"N", 2}}, {{"N", 3}}}};

const BaseProgram specialised{
    R"(sare specialised(N, S) assuming N >= 1 and S >= 1 {
  input in : i32[1]
  f(x) = in(x) * 5 - in(x + 1)
  output f on { [x] : 0 <= x < N }
})",
    R"(sched specialised(N, S) {
  input in : i32[N + 1 stride S];
  output f : i32[N];
  if S = 1 and N % 4 = 0 {
    for xo in [0, N/4) {
      lanes l < 4 do f[4*xo + l] {f(4*xo + l)} := in[4*xo + l] * 5i32 - in[4*xo + l + 1];
    }
  } else {
    if S = 1 or N > 6 {
      allocate copy : i32[N + 1];
      for x in [0, N + 1) {
        copy[x] := in[S*x];
      }
      for x in [0, N) {
        f[x] {f(x)} := copy[x] * 5i32 - copy[x + 1];
      }
      free copy;
    } else {
      for x in [0, N) {
        f[x] {f(x)} := in[S*x] * 5i32 - in[S*x + S];
      }
    }
  }
})",
    {{{"N", 4}, {"S", 1}}, {{"N", 5}, {"S", 1}}, {{"N", 4}, {"S", 2}}, {{"N", 7}, {"S", 3}}, {{"N", 1}, {"S", 2}}}};

const BaseProgram upsampled{R"(sare upsampled(N) assuming N >= 1 {
  input in : i32[1]
  up(x) = in(x / 2) * (i32<x % 2> + 1)
  f(x) = up(x) + up(x + 1) - in(min(x, N - 1))
  output f on { [x] : 0 <= x < 2*N }
})",
                            R"(sched upsampled(N) {
  input in : i32[N + 1];
  output f : i32[2*N];
  allocate up : i32[2];
  up[0] {up(0)} := in[0] * (i32<0> + 1i32);
  for x in [0, 2*N) {
    let next = x + 1;
    up[next % 2] {up(x + 1)} := in[next/2] * (i32<next % 2> + 1i32);
    let clamped = min(x, N - 1);
    f[x] {f(x)} := up[x % 2] + up[next % 2] - in[clamped];
  }
  free up;
})",
                            {{{"N", 1}}, {{"N", 2}}, {{"N", 5}}}};

const BaseProgram convolution{R"(sare convolution(W, H) assuming W >= 1 and H >= 1 {
  input in : i32[2]
  input k : i32[2]
  f(x, y) = 7i32
  update f(x, y) = f(x, y) + k(r, s) * in(x + r - 1, y + s - 1) over r in [0, 3), s in [0, 2)
  output f on { [x, y] : 0 <= x < W and 0 <= y < H }
})",
                              R"(sched convolution(W, H) {
  input in : i32[W + 2 from -1, H + 1 from -1];
  input k : i32[3, 2];
  output f : i32[W, H];
  par y in [0, H) {
    for x in [0, W) {
      f[x, y] {f.0(x, y)} := 7i32;
    }
    for s in [0, 2) {
      unrolled r in [0, 3) {
        let weight : i32 = k[r, s];
        for x in [0, W) {
          f[x, y] {f.1(x, y, r, s)} := f[x, y] + weight * in[x + r - 1, y + s - 1];
        }
      }
    }
  }
})",
                              {{{"W", 1}, {"H", 1}}, {{"W", 3}, {"H", 2}}, {{"W", 2}, {"H", 3}}}};

const BaseProgram largest{R"(sare largest(N) assuming N >= 1 {
  input in : i32[1]
  best() = {-1i32, -1000i32}
  update best() = {select(in(r) > best()[1], i32<r>, best()[0]), max(in(r), best()[1])} over r in [0, N)
  output best on { [] : true }
})",
                          R"(sched largest(N) {
  input in : i32[N];
  output best.at for best[0] : i32[];
  output best.value for best[1] : i32[];
  best.at[] {best.0()} := -1i32, best.value[] {best.0()[1]} := -1000i32;
  for r in [0, N) {
    let v : i32 = in[r];
    let better : bool = v > best.value[];
    best.at[] {best.1(r)} := select(better, i32<r>, best.at[]), best.value[] {best.1(r)[1]} := max(v, best.value[]);
  }
})",
                          {{{"N", 1}}, {{"N", 3}}, {{"N", 6}}, {{"N", 9}}}};

const BaseProgram partial_sums{R"(sare partial_sums(N) assuming N >= 1 {
  input in : i32[1]
  total() = sum over { [r] : 0 <= r < N } of (in(r) * in(r))
  output total on { [] : true }
})",
                               R"(sched partial_sums(N) {
  input in : i32[N];
  output total : i32[];
  allocate part : i32[(N + 3)/4];
  par ro in [0, (N + 3)/4) {
    part[ro] := 0i32;
    for ri in [0, 4) {
      let r = 4*ro + ri;
      if r < N {
        part[ro] += {r} in[r] * in[r];
      }
    }
  }
  total[] := 0i32;
  for ro in [0, (N + 3)/4) {
    total[] {total()} += {4*ro} part[ro];
  }
  free part;
})",
                               {{{"N", 1}}, {{"N", 4}}, {{"N", 7}}, {{"N", 9}}}};

const BaseProgram tiles_of_lanes{R"(sare tiles_of_lanes(W, H) assuming W >= 1 and H >= 1 {
  input a : i32[1]
  input b : i32[1]
  f(x, y) = a(x) * b(y) + i32<x>
  output f on { [x, y] : 0 <= x < 4*W and 0 <= y < 2*H }
})",
                                 R"(sched tiles_of_lanes(W, H) {
  input a : i32[4*W];
  input b : i32[2*H];
  output f : i32[4*W stride 1, 2*H stride 4*W];
  for yo in [0, H) {
    for xo in [0, W) {
      let row[l < 8] : i32 = a[4*xo + l % 4];
      let column[l < 8] : i32 = b[2*yo + l/4];
      lanes l < 8 do f[4*W*(2*yo + l/4) + 4*xo + l % 4] {f(4*xo + l % 4, 2*yo + l/4)} :=
        row[l] * column[l] + i32<4*xo + l % 4>;
    }
  }
})",
                                 {{{"W", 1}, {"H", 1}}, {{"W", 2}, {"H", 1}}, {{"W", 2}, {"H", 2}}}};

const BaseProgram interleaved{R"(sare interleaved(N) assuming N >= 1 {
  input a : i16[1]
  input b : i16[1]
  f(x) = select([x % 2 = 0], a(x / 2) * 3, b(x / 2) - 1i16)
  output f on { [x] : 0 <= x < 2*N }
})",
                              R"(sched interleaved(N) {
  input a : i16[N];
  input b : i16[N];
  output f : i16[2*N];
  for xo in [0, (N + 1)/2) {
    let inside[l < 4] : bool = [4*xo + l < 2*N];
    lanes l < 4 do if inside[l] do f[4*xo + l] {f(4*xo + l)} :=
      let h = 2*xo + l/2 in select([l % 2 = 0], a[h]?(l % 2 = 0) * 3i16, b[h]?(l % 2 = 1) - 1i16);
  }
})",
                              {{{"N", 1}}, {{"N", 2}}, {{"N", 5}}}};

const BaseProgram extremes{R"(sare extremes(N) assuming N >= 1 {
  input in : i32[1]
  most(b) = -50i32
  update most(b) = max(most(b), in(2*r + b)) over r in [0, N)
  all() = and over { [r] : 0 <= r < N } of (in(r) > -50i32)
  any() = or over { [r] : 0 <= r < N } of (in(r) > 50i32)
  output most on { [b] : 0 <= b < 2 }
  output all on { [] : true }
  output any on { [] : true }
})",
                           R"(sched extremes(N) {
  input in : i32[2*N];
  output most : i32[2];
  output all : bool[];
  output any : bool[];
  lanes b < 2 do most[b] {most.0(b)} := -50i32;
  all[] := [true];
  any[] := [false];
  par x in [0, 2*N) {
    let v : i32 = in[x];
    atomic {
      most[x % 2] {most(x % 2)} max= {x/2} v;
    }
    if x < N {
      atomic {
        all[] {all()} and= {x} v > -50i32, any[] {any()} or= {x} v > 50i32;
      }
    }
  }
})",
                           {{{"N", 1}}, {{"N", 3}}, {{"N", 5}}}};

const BaseProgram bits{R"(sare bits(N) assuming N >= 1 {
  input a : u16[1]
  input c : i8[1]
  m(x) = (a(x) << 2u16 | a(x + 1) >> 3u16) & ~a(x)
  n(x) = -c(x) * c(x + 1) % 7i8 + i8<x>
  output m on { [x] : 0 <= x < N }
  output n on { [x] : 0 <= x < N }
})",
                       R"(sched bits(N) {
  input a : u16[N + 1];
  input c : i8[N + 1];
  output m : u16[N];
  output n : i8[N];
  par x in [0, N) {
    m[x] {m(x)} := let a0 : u16 = a[x] in (a0 << 2u16 | a[x + 1] >> 3u16) & ~a0;
    n[x] {n(x)} := let c0 : i8 = -c[x] in c0 * c[x + 1] % 7i8 + i8<x>;
  }
})",
                       {{{"N", 1}}, {{"N", 4}}, {{"N", 7}}}};

const BaseProgram sparse_tiles{R"(sare sparse_tiles(W, H) assuming W >= 1 and H >= 1 {
  input in : i32[2]
  t(x, y) = in(x, y) + in(y, x)
  f(x, y) = select([x < y], t(x, y) * 2, t(x + 1, y))
  output f on { [x, y] : 0 <= x < W and 0 <= y < H }
})",
                               R"(sched sparse_tiles(W, H) {
  input in : i32[W + H + 1, W + H + 1];
  output f : i32[W, H];
  par yo in [0, (H + 2)/3) {
    for xo in [0, (W + 2)/3) {
      let x0 = 3*xo;
      let y0 = 3*yo;
      let width = min(3, W - x0);
      let height = min(3, H - y0);
      allocate t : i32[width + 1 from x0, height from y0];
      for y in [y0, y0 + height) {
        for x in [x0, x0 + width + 1) {
          t[x, y] {t(x, y)} := in[x, y] + in[y, x];
        }
      }
      for y in [y0, y0 + height) {
        for x in [x0, x0 + width) {
          if x < y {
            f[x, y] {f(x, y)} := t[x, y] * 2i32;
          } else {
            f[x, y] {f(x, y)} := t[x + 1, y];
          }
        }
      }
      free t;
    }
  }
})",
                               {{{"W", 1}, {"H", 1}}, {{"W", 4}, {"H", 2}}, {{"W", 3}, {"H", 4}}}};

}  // namespace

std::vector<BaseProgram> lowered_programs() {
    return {pipeline,     swapped_halves, rotated_lanes, specialised, upsampled, convolution, largest,
            partial_sums, tiles_of_lanes, interleaved,   extremes,    bits,      sparse_tiles};
}

}  // namespace haruspex::mutants::sched
