#include "tests/harness/mutants/sched/base_programs.h"

namespace haruspex::mutants::sched {
namespace {

const std::string blur = R"(sare blur(W, H) assuming W >= 1 and H >= 1 {
  input in : i32[2]
  bh(x, y) = in(x - 1, y) + in(x, y) * 2 + in(x + 1, y)
  bv(x, y) = bh(x, y - 1) + bh(x, y) * 3 + bh(x, y + 1)
  output bv on { [x, y] : 0 <= x < W and 0 <= y < H }
})";

const BaseProgram pointwise{R"(sare pointwise(N) assuming N >= 1 {
  input in : i32[1]
  f(x) = select(in(x) > 3, in(x) * 2 - 1, in(x + 1) + i32<x>)
  output f on { [x] : 0 <= x < N }
})",
                            R"(sched pointwise(N) {
  input in : i32[N + 1];
  output f : i32[N];
  for x in [0, N) {
    f[x] {f(x)} := select(in[x] > 3i32, in[x] * 2i32 - 1i32, in[x + 1] + i32<x>);
  }
})",
                            {{{"N", 1}}, {{"N", 4}}, {{"N", 7}}, {{"N", 10}}}};

const BaseProgram stored_stencil{
    blur,
    R"(sched stored_stencil(W, H) {
  input in : i32[W + 2 from -1, H + 2 from -1];
  output bv : i32[W, H];
  allocate bh : i32[W, H + 2 from -1];
  for y in [-1, H + 1) {
    for x in [0, W) {
      bh[x, y] {bh(x, y)} := in[x - 1, y] + in[x, y] * 2i32 + in[x + 1, y];
    }
  }
  for y in [0, H) {
    for x in [0, W) {
      bv[x, y] {bv(x, y)} := bh[x, y - 1] + bh[x, y] * 3i32 + bh[x, y + 1];
    }
  }
  free bh;
})",
    {{{"W", 1}, {"H", 1}}, {{"W", 3}, {"H", 2}}, {{"W", 2}, {"H", 4}}, {{"W", 5}, {"H", 3}}}};

const BaseProgram line_buffer{blur,
                              R"(sched line_buffer(W, H) {
  input in : i32[W + 2 from -1, H + 2 from -1];
  output bv : i32[W, H];
  allocate bh : i32[W, 3];
  for y in [-2, H) {
    for x in [0, W) {
      bh[x, (y + 1) % 3] {bh(x, y + 1)} := in[x - 1, y + 1] + in[x, y + 1] * 2i32 + in[x + 1, y + 1];
    }
    if y >= 0 {
      for x in [0, W) {
        bv[x, y] {bv(x, y)} := bh[x, (y - 1) % 3] + bh[x, y % 3] * 3i32 + bh[x, (y + 1) % 3];
      }
    }
  }
  free bh;
})",
                              {{{"W", 1}, {"H", 1}}, {{"W", 3}, {"H", 2}}, {{"W", 2}, {"H", 5}}, {{"W", 4}, {"H", 4}}}};

const BaseProgram computed_at{blur,
                              R"(sched computed_at(W, H) {
  input in : i32[W + 2 from -1, H + 2 from -1];
  output bv : i32[W, H];
  for y in [0, H) {
    allocate bh : i32[W, 3 from y - 1] if W > 1;
    if W > 1 {
      for r in [0, 3) {
        let row = y + r - 1;
        for x in [0, W) {
          bh[x, row] {bh(x, row)} := in[x - 1, row] + in[x, row] * 2i32 + in[x + 1, row];
        }
      }
      for x in [0, W) {
        bv[x, y] {bv(x, y)} := bh[x, y - 1] + bh[x, y] * 3i32 + bh[x, y + 1];
      }
    } else {
      let above : i32 = in[-1, y - 1] + in[0, y - 1] * 2i32 + in[1, y - 1];
      let here : i32 = in[-1, y] + in[0, y] * 2i32 + in[1, y];
      bv[0, y] {bv(0, y)} := above + here * 3i32 + (in[-1, y + 1] + in[0, y + 1] * 2i32 + in[1, y + 1]);
    }
    free bh;
  }
})",
                              {{{"W", 1}, {"H", 2}}, {{"W", 3}, {"H", 1}}, {{"W", 2}, {"H", 3}}}};

const BaseProgram tiled{R"(sare tiled(W, H) assuming W >= 1 and H >= 1 {
  input a : i32[2]
  input b : i32[1]
  f(x, y) = a(x, y) * b(x) - a(x, y + 1) + i32<x - 2*y>
  output f on { [x, y] : 0 <= x < W and 0 <= y < H }
})",
                        R"(sched tiled(W, H) {
  input a : i32[W, H + 1];
  input b : i32[W];
  output f : i32[W, H];
  for yo in [0, (H + 1)/2) {
    for xo in [0, (W + 3)/4) {
      for yi in [0, 2) {
        let y = 2*yo + yi;
        if y < H {
          for xi in [0, 4) {
            let x = 4*xo + xi;
            if x < W {
              f[x, y] {f(x, y)} := a[x, y] * b[x] - a[x, y + 1] + i32<x - 2*y>;
            }
          }
        }
      }
    }
  }
})",
                        {{{"W", 1}, {"H", 1}}, {{"W", 4}, {"H", 2}}, {{"W", 6}, {"H", 3}}, {{"W", 9}, {"H", 2}}}};

const BaseProgram shifted_tail{R"(sare shifted_tail(N) assuming N >= 4 {
  input in : i32[1]
  f(x) = max(in(x), in(x + 2)) * in(x) + 5
  output f on { [x] : 3 <= x < N + 3 }
})",
                               R"(sched shifted_tail(N) {
  input in : i32[N + 2 from 3];
  output f : i32[N from 3];
  assert N >= 4 "too small";
  for xo in [0, (N + 3)/4) {
    let base = min(4*xo, N - 4) + 3;
    for xi in [0, 4) {
      f[base + xi] {f(base + xi)} := max(in[base + xi], in[base + xi + 2]) * in[base + xi] + 5i32;
    }
  }
})",
                               {{{"N", 4}}, {{"N", 7}}, {{"N", 8}}, {{"N", 10}}}};

const BaseProgram unrolled{R"(sare unrolled(N) assuming N >= 1 {
  input in : i32[1]
  f(x) = in(2*x) - 3 * in(2*x + 1)
  output f on { [x] : 0 <= x < N }
})",
                           R"(sched unrolled(N) {
  input in : i32[2*N];
  output f : i32[N];
  for xo in [0, N/3) {
    unrolled xi in [0, 3) {
      f[3*xo + xi] {f(3*xo + xi)} := in[6*xo + 2*xi] - 3i32 * in[6*xo + 2*xi + 1];
    }
  }
  let done = 3*(N/3);
  if N % 3 >= 1 {
    f[done] {f(done)} := in[2*done] - 3i32 * in[2*done + 1];
  }
  if N % 3 >= 2 {
    f[done + 1] {f(done + 1)} := in[2*done + 2] - 3i32 * in[2*done + 3];
  }
})",
                           {{{"N", 1}}, {{"N", 3}}, {{"N", 5}}, {{"N", 6}}, {{"N", 10}}}};

const BaseProgram matrix_product{R"(sare matrix_product(M, N, K) assuming M >= 1 and N >= 1 and K >= 0 {
  input a : i32[2]
  input b : i32[2]
  c(x, y) = sum over { [k] : 0 <= k < K } of (a(k, y) * b(x, k))
  output c on { [x, y] : 0 <= x < M and 0 <= y < N }
})",
                                 R"(sched matrix_product(M, N, K) {
  input a : i32[K, N];
  input b : i32[M, K];
  output c : i32[M, N];
  for y in [0, N) {
    for x in [0, M) {
      c[x, y] := 0i32;
    }
    accumulate c {
      for k in [0, K) {
        let factor : i32 = a[k, y];
        for x in [0, M) {
          c[x, y] {c(x, y)} += {k} factor * b[x, k];
        }
      }
    }
  }
})",
                                 {{{"M", 1}, {"N", 1}, {"K", 1}},
                                  {{"M", 3}, {"N", 2}, {"K", 4}},
                                  {{"M", 2}, {"N", 3}, {"K", 0}},
                                  {{"M", 4}, {"N", 4}, {"K", 2}}}};

const BaseProgram scan{R"(sare scan(N) assuming N >= 1 {
  input in : i32[1]
  s(x) = in(x) - 1
  update s(r) = s(r - 1) + s(r) * 2 over r in [1, N)
  g(x) = s(x) - s(N - 1 - x)
  output s on { [x] : 0 <= x < N }
  output g on { [x] : 0 <= x < N }
})",
                       R"(sched scan(N) {
  input in : i32[N];
  output s : i32[N];
  output g : i32[N];
  for x in [0, N) {
    s[x] {s.0(x)} := in[x] - 1i32;
  }
  for r in [1, N) {
    s[r] {s.1(r, r)} := s[r - 1] + s[r] * 2i32;
  }
  for x in [0, N) {
    g[x] {g(x)} := s[x] - s[N - 1 - x];
  }
})",
                       {{{"N", 1}}, {{"N", 2}}, {{"N", 5}}, {{"N", 8}}}};

const BaseProgram tuple{R"(sare tuple(N) assuming N >= 1 {
  input in : i32[1]
  t(x) = {in(x), in(x) * 3}
  update t(r) = {t(r)[1] - t(r + 1)[0], t(r)[0] + 7} over r in [0, N - 1)
  output t on { [x] : 0 <= x < N }
})",
                        R"(sched tuple(N) {
  input in : i32[N];
  output t.0 for t[0] : i32[N];
  output t.1 for t[1] : i32[N];
  for x in [0, N) {
    t.0[x] {t.0(x)[0]} := in[x], t.1[x] {t.0(x)[1]} := in[x] * 3i32;
  }
  for r in [0, N - 1) {
    t.0[r] {t.1(r, r)[0]} := t.1[r] - t.0[r + 1], t.1[r] {t.1(r, r)[1]} := t.0[r] + 7i32;
  }
})",
                        {{{"N", 1}}, {{"N", 2}}, {{"N", 5}}, {{"N", 7}}}};

const BaseProgram strided{R"(sare strided(W, H) assuming W >= 1 and H >= 1 {
  input in : i32[2]
  f(x, y) = in(y + 2, x - 1) * 2 + in(y + 2, x)
  output f on { [x, y] : 0 <= x < W and 5 <= y < H + 5 }
})",
                          R"(sched strided(W, H) {
  input in : i32[H from 7 stride W + 3, W + 1 from -1 stride 1];
  output f : i32[W stride 2, H from 5 stride 2*W + 1];
  for y in [0, H) {
    let row = (2*W + 1)*y;
    let column = (W + 3)*y;
    for x in [0, W) {
      f[row + 2*x] {f(x, y + 5)} := in[column + x] * 2i32 + in[column + x + 1];
    }
  }
})",
                          {{{"W", 1}, {"H", 1}}, {{"W", 3}, {"H", 2}}, {{"W", 2}, {"H", 4}}, {{"W", 5}, {"H", 2}}}};

const BaseProgram value_lets{R"(sare value_lets(N) assuming N >= 2 {
  input in : i32[1]
  a(x) = in(x)
  update a(r) = a(r + N) over r in [0, N)
  g(x) = a(x) + in(x)
  output g on { [x] : 0 <= x < N }
  h(x) = in(x) * in(x + N)
  output h on { [x] : 0 <= x < N }
})",
                             R"(sched value_lets(N) {
  input in : i32[2*N];
  output g : i32[N];
  output h : i32[N];
  allocate a : i32[2*N];
  for x in [0, 2*N) {
    a[x] {a.0(x)} := in[x];
  }
  for x in [0, N) {
    let low : i32 = a[x];
    let high : i32 = a[x + N];
    a[x] {a.1(x, x)} := high;
    a[x + N] := low;
    let before : i32 = a[x + N];
    a[x + N] := 0i32;
    h[x] {h(x)} := low * high;
    let now : i32 = a[x];
    a[x] := before;
    g[x] {g(x)} := now + a[x];
  }
  free a;
})",
                             {{{"N", 2}}, {{"N", 3}}, {{"N", 6}}}};

const BaseProgram reused_storage{R"(sare reused_storage(N) assuming N >= 1 {
  input in : i32[1]
  a(x) = in(x) + 1
  b(x) = a(x) * a(x)
  c(x) = b(x) - a(x + 1)
  output c on { [x] : 0 <= x < N }
})",
                                 R"(sched reused_storage(N) {
  input in : i32[N + 1];
  output c : i32[N];
  allocate a : i32[N + 1];
  allocate b : i32[N] if N <= 8;
  for x in [0, N + 1) {
    a[x] {a(x)} := in[x] + 1i32;
  }
  if N <= 8 {
    for x in [0, N) {
      b[x] {b(x)} := a[x] * a[x];
    }
    for x in [0, N) {
      c[x] {c(x)} := b[x] - a[x + 1];
    }
  } else {
    for x in [0, N) {
      let squared : i32 = a[x] * a[x];
      c[x] {c(x)} := squared - a[x + 1];
    }
  }
  free b;
  free a;
})",
                                 {{{"N", 1}}, {{"N", 5}}, {{"N", 8}}, {{"N", 9}}}};

const BaseProgram types{R"(sare types(N) assuming N >= 1 {
  input a : u8[1]
  input b : f32[1]
  m(x) = u8(min(u16(a(x)) + u16(a(x + 1)), 60u16)) ^ 5u8
  p(x) = b(x) > 0.5f32 && !(a(x) == 3u8 || b(x) <= -2.0f32)
  q(x) = select(p(x), b(x) * 0.5f32, b(x + 1) - f32<x>)
  output m on { [x] : 0 <= x < N }
  output p on { [x] : 0 <= x < N }
  output q on { [x] : 0 <= x < N }
})",
                        R"(sched types(N) {
  input a : u8[N + 1];
  input b : f32[N + 1];
  output m : u8[N];
  output p : bool[N];
  output q : f32[N];
  for x in [0, N) {
    m[x] {m(x)} := u8(min(u16(a[x]) + u16(a[x + 1]), 60u16)) ^ 5u8;
    p[x] {p(x)} := b[x] > 0.5f32 && !(a[x] == 3u8 || b[x] <= -2.0f32);
    q[x] {q(x)} := select(p[x], b[x] * 0.5f32, b[x + 1] - f32<x>);
  }
})",
                        {{{"N", 1}}, {{"N", 4}}, {{"N", 9}}}};

const BaseProgram triangle{R"(sare triangle(N) assuming N >= 1 {
  input in : i32[2]
  f(x, y) = 0i32
  update f(r, s) = f(r, s) + in(r, s) over r in [0, N), s in [0, N) where r <= s and not r = 2
  output f on { [x, y] : 0 <= x < N and 0 <= y < N }
})",
                           R"(sched triangle(N) {
  input in : i32[N, N];
  output f : i32[N, N];
  for y in [0, N) {
    for x in [0, N) {
      f[x, y] {f.0(x, y)} := 0i32;
    }
  }
  for s in [0, N) {
    for r in [0, N) {
      if r <= s and not r = 2 {
        f[r, s] {f.1(r, s, r, s)} := f[r, s] + in[r, s];
      }
    }
  }
})",
                           {{{"N", 1}}, {{"N", 2}}, {{"N", 4}}, {{"N", 5}}}};

const BaseProgram gather{R"(sare gather(N) assuming N >= 1 {
  input in : i32[1]
  f(x) = select([x > 0], in(max(x - 1, 0)), 0i32) + in(min(x + 1, N - 1))
  output f on { [x] : 0 <= x < N }
})",
                         R"(sched gather(N) {
  input in : i32[N];
  output f : i32[N];
  allocate at : i32[N];
  for x in [0, N) {
    at[x] := i32<min(x + 1, N - 1)>;
  }
  for x in [0, N) {
    let k = max(x - 1, 0);
    let left : i32 = select([x > 0], in[k]?(x > 0), 0i32);
    f[x] {f(x)} := left + in[int(at[x])];
  }
  free at;
})",
                         {{{"N", 1}}, {{"N", 2}}, {{"N", 6}}, {{"N", 9}}}};

}  // namespace

std::vector<BaseProgram> serial_programs() {
    return {pointwise, stored_stencil, line_buffer, computed_at, tiled,          shifted_tail, unrolled, matrix_product,
            scan,      tuple,          strided,     value_lets,  reused_storage, types,        triangle, gather};
}

}  // namespace haruspex::mutants::sched
