// Litmus tests of what the seam adds: each shows a promise of sink/platform.hpp from both sides.
#include "observe.hpp"

namespace wakeproof::models {

using namespace litmus;

namespace {

template <bool LightFirst, bool HeavySecond>
void asymmetric(World& w, int t) {
  (t == 0 ? w.x : w.y).store(1, kRlx);
  if (t == 0 && LightFirst) P::light_fence();
  if (t == 1) HeavySecond ? P::heavy_fence() : P::light_fence();
  see(t, (t == 0 ? w.y : w.x).load(kRlx));
}

template <std::memory_order Wait>
void wait_for_y(World& w, int t) {
  if (t == 0) {
    w.x.store(1, kRlx);
    w.y.store(1, kRel);
    w.y.notify_one();
  } else {
    w.y.wait(0, Wait);
    see(t, w.x.load(kRlx));
  }
}

// The notification is for a store that T1 saw, with this order.
template <std::memory_order Load>
void notify_for_another(World& w, int t) {
  if (t == 0) {
    w.x.store(1, kRlx);
    w.y.store(1, kRel);
  } else if (t == 1) {
    const int told = w.y.load(Load);
    see(t, told);
    if (told == 1) w.x.notify_all();
  } else {
    w.x.wait(0, kRlx);
    see(t, 1);
  }
}

std::vector<Litmus> promises_of_locks_and_events() {
  return {
      {"mutex",
       "lock; data=1; unlock || lock; r0=data; unlock",
       2,
       [](World& w, int t) {
         const P::lock_guard held(w.lock);
         if (t == 0) w.data.set(1);
         if (t == 1) see(t, w.data.get());
       },
       nullptr,
       {"0", "1"}},
      {"no-mutex",
       "data=1; y=1 rlx || r0=y rlx; if r0: r1=data",
       2,
       [](World& w, int t) {
         if (t == 0) {
           w.data.set(1);
           w.y.store(1, kRlx);
         } else {
           const int flag = w.y.load(kRlx);
           see(t, flag);
           if (flag == 1) see(t, flag, w.data.get());
         }
       },
       nullptr,
       {"0", "1 data_race"}},
      {"event",
       "x=1 rlx; set || wait; r0=x rlx",
       2,
       [](World& w, int t) {
         if (t == 0) {
           w.x.store(1, kRlx);
           w.event.set();
         } else {
           w.event.wait();
           see(t, w.x.load(kRlx));
         }
       },
       nullptr,
       {"1"}},
      {"event+cleared",
       "x=1 rlx; set || clear; set || wait; r0=x rlx",
       3,
       [](World& w, int t) {
         if (t == 0) w.x.store(1, kRlx);
         if (t == 1) w.event.clear();
         if (t < 2) return w.event.set();
         w.event.wait();
         see(t, w.x.load(kRlx));
       },
       nullptr,
       {"0", "1"}},
      // 10 also where T0 did sleep; Relacy's own full search lets everybody else take a step first.
      {"wake", "r0=x rlx; wait; r1=y rlx || set || x=1 rlx; y=1 rlx", 3,
       [](World& w, int t) {
         if (t == 0) {
           const int before = w.x.load(kRlx);
           w.event.wait();
           return see(t, before, w.y.load(kRlx));
         }
         if (t == 1) return w.event.set();
         w.x.store(1, kRlx);
         w.y.store(1, kRlx);
       },
       nullptr, all_but(2, {})},
  };
}

std::vector<Litmus> promises_of_fences_and_waits() {
  return {
      {"SB+light+heavy", "x=1 rlx; light; r0=y rlx || y=1 rlx; heavy; r1=x rlx", 2, asymmetric<true, true>, nullptr,
       all_but(2, {"00"})},
      {"SB+light+light", "x=1 rlx; light; r0=y rlx || y=1 rlx; light; r1=x rlx", 2, asymmetric<true, false>, nullptr,
       all_but(2, {})},
      {"SB+none+heavy", "x=1 rlx; r0=y rlx || y=1 rlx; heavy; r1=x rlx", 2, asymmetric<false, true>, nullptr,
       all_but(2, {})},
      {"condition",
       "lock; data=1; ready=1; notify; unlock || lock; until ready: wait; r0=data; unlock",
       2,
       [](World& w, int t) {
         P::unique_lock held(w.lock);
         if (t == 0) {
           w.data.set(1);
           w.ready.set(1);
           w.condition.notify_one();
         } else {
           while (w.ready.get() == 0) w.condition.wait(held);
           see(t, w.data.get());
         }
       },
       nullptr,
       {"1"}},
      {"condition+no-mutex",
       "x=1 rlx; notify || lock; wait; r0=x rlx; unlock",
       2,
       [](World& w, int t) {
         if (t == 0) {
           w.x.store(1, kRlx);
           return w.condition.notify_one();
         }
         P::unique_lock held(w.lock);
         w.condition.wait(held);
         see(t, w.x.load(kRlx));
       },
       nullptr,
       {"0", "1", "deadlock"}},
      {"semaphore",
       "x=1 rlx; release || acquire; r0=x rlx",
       2,
       [](World& w, int t) {
         if (t == 0) {
           w.x.store(1, kRlx);
           w.permits.release(1);
         } else {
           w.permits.acquire();
           see(t, w.x.load(kRlx));
         }
       },
       nullptr,
       {"1"}},
      {"semaphore+try", "x=1 rlx; release || r0=try_acquire; r1=x rlx", 2,
       [](World& w, int t) {
         if (t == 0) {
           w.x.store(1, kRlx);
           w.permits.release(1);
         } else {
           const bool taken = w.permits.try_acquire();
           see(t, taken, w.x.load(kRlx));
         }
       },
       nullptr, all_but(2, {"10"})},
      {"atomic-wait+acq", "x=1 rlx; y=1 rel; notify y || wait y!=0 acq; r0=x rlx", 2, wait_for_y<kAcq>, nullptr, {"1"}},
      {"atomic-wait+rlx",
       "x=1 rlx; y=1 rel; notify y || wait y!=0 rlx; r0=x rlx",
       2,
       wait_for_y<kRlx>,
       nullptr,
       {"0", "1"}},
      {"notify+acq",
       "x=1 rlx; y=1 rel || r0=y acq; if r0: notify x || wait x!=0 rlx; r1=1",
       3,
       notify_for_another<kAcq>,
       nullptr,
       {"0 deadlock", "01", "11"}},
      {"notify+rlx",
       "x=1 rlx; y=1 rel || r0=y rlx; if r0: notify x || wait x!=0 rlx; r1=1",
       3,
       notify_for_another<kRlx>,
       nullptr,
       {"0 deadlock", "01", "1 deadlock", "11"}},
  };
}

}  // namespace

std::vector<Litmus> litmus_of_waiting() {
  std::vector<Litmus> all = promises_of_locks_and_events();
  const std::vector<Litmus> more = promises_of_fences_and_waits();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace wakeproof::models
