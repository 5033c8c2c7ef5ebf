// Litmus tests of atomics and fences. `=` stores, `r0 = x` loads; an order stands behind its access.
#include "observe.hpp"

namespace wakeproof::models {

using namespace litmus;

namespace {

constexpr const char* kAppends = "a store goes to the end of the modification order";
constexpr const char* kNoLaterStore = "a load reads no store that comes later in the schedule";
constexpr const char* kNewest = "a compare_exchange that fails reads the newest value";
constexpr const char* kOldSequence =
    "a relaxed store by the same thread goes on with a release sequence, as before C++20";
constexpr const char* kFenceAccess = "a seq_cst fence orders nothing against a seq_cst access";

template <std::memory_order Store, std::memory_order Load>
void store_buffering(World& w, int t) {
  (t == 0 ? w.x : w.y).store(1, Store);
  see(t, (t == 0 ? w.y : w.x).load(Load));
}

template <std::memory_order Store, std::memory_order Load>
void message_passing(World& w, int t) {
  if (t == 0) {
    w.x.store(1, kRlx);
    w.y.store(1, Store);
  } else {
    const int flag = w.y.load(Load);
    see(t, flag, w.x.load(kRlx));
  }
}

template <std::memory_order Load, std::memory_order Store>
void load_buffering(World& w, int t) {
  see(t, (t == 0 ? w.x : w.y).load(Load));
  (t == 0 ? w.y : w.x).store(1, Store);
}

template <std::memory_order Store, std::memory_order Load, bool Fences>
void independent_reads(World& w, int t) {
  if (t < 2) return (t == 0 ? w.x : w.y).store(1, Store);
  const int first = (t == 2 ? w.x : w.y).load(Load);
  if (Fences) P::fence(kSc);
  see(t, first, (t == 2 ? w.y : w.x).load(Load));
}

template <std::memory_order Store>
void two_writes(World& w, int t) {
  (t == 0 ? w.x : w.y).store(1, Store);
  (t == 0 ? w.y : w.x).store(2, Store);
}

template <std::memory_order Store, std::memory_order Load>
void write_to_read(World& w, int t) {
  if (t == 0) return w.x.store(1, Store);
  const int first = (t == 1 ? w.x : w.y).load(Load);
  if (t == 1) {
    see(t, first);
    w.y.store(1, Store);
  } else {
    see(t, first, w.x.load(kRlx));
  }
}

template <std::memory_order Store, std::memory_order Load>
void read_to_write(World& w, int t) {
  if (t == 0) return w.x.store(1, Store);
  if (t == 1) {
    const int first = w.x.load(Load);
    return see(t, first, w.y.load(Load));
  }
  w.y.store(1, Store);
  see(t, w.x.load(Load));
}

template <std::memory_order Store, std::memory_order Load>
void s(World& w, int t) {
  if (t == 0) {
    w.x.store(2, kRlx);
    w.y.store(1, Store);
  } else {
    see(t, w.y.load(Load));
    w.x.store(1, kRlx);
  }
}

template <std::memory_order Order>
void r(World& w, int t) {
  if (t == 0) {
    w.x.store(1, Order);
    w.y.store(1, Order);
  } else {
    w.y.store(2, Order);
    see(t, w.x.load(Order));
  }
}

void final_x(World& w) {
  see_finally(w.x.peek());
}
void final_y(World& w) {
  see_finally(w.y.peek());
}
void final_x_y(World& w) {
  see_finally(w.x.peek(), w.y.peek());
}

int failed_exchange(P::atomic<int>& word) {
  int expected = 9;
  word.compare_exchange_strong(expected, 8, kRlx, kRlx);
  return expected;
}

std::vector<Litmus> store_buffering_tests() {
  return {
      {"SB", "x=1 rlx; r0=y rlx || y=1 rlx; r1=x rlx", 2, store_buffering<kRlx, kRlx>, nullptr, all_but(2, {})},
      {"SB+rel+acq", "x=1 rel; r0=y acq || y=1 rel; r1=x acq", 2, store_buffering<kRel, kAcq>, nullptr, all_but(2, {})},
      {"SB+sc", "x=1 sc; r0=y sc || y=1 sc; r1=x sc", 2, store_buffering<kSc, kSc>, nullptr, all_but(2, {"00"})},
      {"SB+fences", "x=1 rlx; fence sc; r0=y rlx || y=1 rlx; fence sc; r1=x rlx", 2,
       [](World& w, int t) {
         (t == 0 ? w.x : w.y).store(1, kRlx);
         P::fence(kSc);
         see(t, (t == 0 ? w.y : w.x).load(kRlx));
       },
       nullptr, all_but(2, {"00"})},
      {"SB+one-fence", "x=1 rlx; fence sc; r0=y rlx || y=1 rlx; r1=x rlx", 2,
       [](World& w, int t) {
         (t == 0 ? w.x : w.y).store(1, kRlx);
         if (t == 0) P::fence(kSc);
         see(t, (t == 0 ? w.y : w.x).load(kRlx));
       },
       nullptr, all_but(2, {})},
      {"SB+rmw", "exchange x=1 acq_rel; r0=fetch_add y,0 acq_rel || the same, y and x", 2,
       [](World& w, int t) {
         (t == 0 ? w.x : w.y).exchange(1, kAcqRel);
         see(t, (t == 0 ? w.y : w.x).fetch_add(0, kAcqRel));
       },
       nullptr, all_but(2, {"00"})},  // each would have to synchronise with the other
      {"SB+rmw-reads",
       "x=1 rlx; r0=fetch_add y,0 acq_rel || y=1 rlx; r1=fetch_add x,0 acq_rel",
       2,
       [](World& w, int t) {
         (t == 0 ? w.x : w.y).store(1, kRlx);
         see(t, (t == 0 ? w.y : w.x).fetch_add(0, kAcqRel));
       },
       nullptr,
       all_but(2, {}),
       {{"00"}, kAppends}},
      {"SB+failed-cas",
       "x=1 rlx; r0=failed CAS y rlx || y=1 rlx; r1=failed CAS x rlx",
       2,
       [](World& w, int t) {
         (t == 0 ? w.x : w.y).store(1, kRlx);
         see(t, failed_exchange(t == 0 ? w.y : w.x));
       },
       nullptr,
       all_but(2, {}),
       {{"00"}, kNewest}},
      // The fence before the store of y, that before the load of x, that before the fence: a cycle in S.
      {"SB+fence+sc",
       "x=1 rlx; fence sc; r0=y rlx || y=1 sc; r1=x sc",
       2,
       [](World& w, int t) {
         if (t == 1) return store_buffering<kSc, kSc>(w, t);
         w.x.store(1, kRlx);
         P::fence(kSc);
         see(t, w.y.load(kRlx));
       },
       nullptr,
       all_but(2, {"00"}),
       {},
       {{"00"}, kFenceAccess}},
  };
}

std::vector<Litmus> two_thread_tests() {
  return {
      {"MP", "x=1 rlx; y=1 rlx || r0=y rlx; r1=x rlx", 2, message_passing<kRlx, kRlx>, nullptr, all_but(2, {})},
      {"MP+rel+acq", "x=1 rlx; y=1 rel || r0=y acq; r1=x rlx", 2, message_passing<kRel, kAcq>, nullptr,
       all_but(2, {"10"})},
      {"MP+fences", "x=1 rlx; fence rel; y=1 rlx || r0=y rlx; fence acq; r1=x rlx", 2,
       [](World& w, int t) {
         if (t == 0) {
           w.x.store(1, kRlx);
           P::fence(kRel);
           w.y.store(1, kRlx);
         } else {
           const int flag = w.y.load(kRlx);
           P::fence(kAcq);
           see(t, flag, w.x.load(kRlx));
         }
       },
       nullptr, all_but(2, {"10"})},
      {"LB",
       "r0=x rlx; y=1 rlx || r1=y rlx; x=1 rlx",
       2,
       load_buffering<kRlx, kRlx>,
       nullptr,
       all_but(2, {}),
       {{"11"}, kNoLaterStore}},
      {"LB+acq+rel", "r0=x acq; y=1 rel || r1=y acq; x=1 rel", 2, load_buffering<kAcq, kRel>, nullptr,
       all_but(2, {"11"})},
      {"2+2W",
       "x=1 rlx; y=2 rlx || y=1 rlx; x=2 rlx; finally x, y",
       2,
       two_writes<kRlx>,
       final_x_y,
       {"11", "12", "21", "22"},
       {{"11"}, kAppends}},
      {"2+2W+sc", "x=1 sc; y=2 sc || y=1 sc; x=2 sc; finally x, y", 2, two_writes<kSc>, final_x_y, {"12", "21", "22"}},
      {"S",
       "x=2 rlx; y=1 rlx || r0=y rlx; x=1 rlx; finally x",
       2,
       s<kRlx, kRlx>,
       final_x,
       {"01", "02", "11", "12"},
       {{"12"}, kAppends}},
      {"S+rel+acq", "x=2 rlx; y=1 rel || r0=y acq; x=1 rlx; finally x", 2, s<kRel, kAcq>, final_x, {"01", "02", "11"}},
      {"R", "x=1 rlx; y=1 rlx || y=2 rlx; r0=x rlx; finally y", 2, r<kRlx>, final_y, {"01", "02", "11", "12"}},
      {"R+sc", "x=1 sc; y=1 sc || y=2 sc; r0=x sc; finally y", 2, r<kSc>, final_y, {"01", "11", "12"}},
      {"CoRR", "x=1 rlx || r0=x rlx; r1=x rlx", 2,
       [](World& w, int t) {
         if (t == 0) return w.x.store(1, kRlx);
         const int first = w.x.load(kRlx);
         see(t, first, w.x.load(kRlx));
       },
       nullptr, all_but(2, {"10"})},
      {"CoWR",
       "x=1 rlx; r0=x rlx || x=2 rlx; finally x",
       2,
       [](World& w, int t) {
         w.x.store(t + 1, kRlx);
         if (t == 0) see(t, w.x.load(kRlx));
       },
       final_x,
       {"11", "12", "22"}},
      {"CoRW",
       "r0=x rlx; x=1 rlx || x=2 rlx; finally x",
       2,
       [](World& w, int t) {
         if (t == 0) see(t, w.x.load(kRlx));
         w.x.store(t + 1, kRlx);
       },
       final_x,
       {"01", "02", "21"}},
      {"MP+own-store",
       "x=1 rlx; y=1 rel; y=2 rlx || r0=y acq; r1=x rlx",
       2,
       [](World& w, int t) {
         message_passing<kRel, kAcq>(w, t);
         if (t == 0) w.y.store(2, kRlx);
       },
       nullptr,
       {"00", "01", "11", "20", "21"},
       {{"20"}, kOldSequence}},
  };
}

std::vector<Litmus> more_thread_tests() {
  return {
      // 10: the value 1 may be of the addition to 0, which publishes nothing.
      {"MP+rmw-sequence",
       "x=1 rlx; y=1 rel || fetch_add y,1 rlx || r0=y acq; r1=x rlx",
       3,
       [](World& w, int t) {
         if (t == 1) {
           w.y.fetch_add(1, kRlx);
         } else {
           message_passing<kRel, kAcq>(w, t);
         }
       },
       nullptr,
       {"00", "01", "10", "11", "21"}},
      {"IRIW+rel+acq", "x=1 rel || y=1 rel || r0=x acq; r1=y acq || r2=y acq; r3=x acq", 4,
       independent_reads<kRel, kAcq, false>, nullptr, all_but(4, {})},
      {"IRIW+sc", "x=1 sc || y=1 sc || r0=x sc; r1=y sc || r2=y sc; r3=x sc", 4, independent_reads<kSc, kSc, false>,
       nullptr, all_but(4, {"1010"})},
      {"IRIW+fences", "x=1 rlx || y=1 rlx || r0=x rlx; fence sc; r1=y rlx || r2=y rlx; fence sc; r3=x rlx", 4,
       independent_reads<kRlx, kRlx, true>, nullptr, all_but(4, {"1010"})},
      {"WRC", "x=1 rlx || r0=x rlx; y=1 rlx || r1=y rlx; r2=x rlx", 3, write_to_read<kRlx, kRlx>, nullptr,
       all_but(3, {})},
      {"WRC+rel+acq", "x=1 rel || r0=x acq; y=1 rel || r1=y acq; r2=x rlx", 3, write_to_read<kRel, kAcq>, nullptr,
       all_but(3, {"110"})},
      {"RWC+rel+acq", "x=1 rel || r0=x acq; r1=y acq || y=1 rel; r2=x acq", 3, read_to_write<kRel, kAcq>, nullptr,
       all_but(3, {})},
      {"RWC+sc", "x=1 sc || r0=x sc; r1=y sc || y=1 sc; r2=x sc", 3, read_to_write<kSc, kSc>, nullptr,
       all_but(3, {"100"})},
      {"ISA2+rel+acq", "x=1 rlx; y=1 rel || r0=y acq; z=1 rel || r1=z acq; r2=x rlx", 3,
       [](World& w, int t) {
         if (t == 0) return message_passing<kRel, kAcq>(w, t);
         const int first = (t == 1 ? w.y : w.z).load(kAcq);
         if (t == 2) return see(t, first, w.x.load(kRlx));
         see(t, first);
         w.z.store(1, kRel);
       },
       nullptr, all_but(3, {"110"})},
  };
}

}  // namespace

std::vector<Litmus> litmus_of_memory() {
  std::vector<Litmus> all = store_buffering_tests();
  for (const auto& more : {two_thread_tests(), more_thread_tests()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace wakeproof::models
