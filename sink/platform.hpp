// The seam: everything an algorithm in sink/ may ask of the machine it runs on.
//
// An algorithm takes one type parameter, `Platform`, and names nothing else that
// could behave differently from run to run: no std::atomic, no std::mutex, no
// clock, no system call. Two platforms satisfy the concept below:
//
//   ThreadPlatform  (thread_platform.hpp)  real threads, at no cost
//   ModelPlatform   (models/)              every operation is a step that a search orders
//
// What each member promises stands beside its concept. The model gives exactly that
// promise: a stronger model hides bugs, a weaker one invents them.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <optional>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>

namespace wakeproof {

// A memory order together with the purpose it serves, so that a mutant can weaken it
// by name. `purpose` is never read on real threads.
struct Order {
  std::memory_order value;
  const char* purpose = "";

  constexpr Order(std::memory_order order) noexcept : value(order) {}  // NOLINT: an order is an Order
  constexpr Order(const char* why, std::memory_order order) noexcept : value(order), purpose(why) {}
};

// What an object is called in a counterexample: `slot`, or `slot[3]`. Free on real threads.
struct Label {
  const char* name = "";
  int index = -1;

  constexpr Label() noexcept = default;
  constexpr Label(const char* text) noexcept : name(text) {}  // NOLINT: a name is a Label
  constexpr Label(const char* text, int position) noexcept : name(text), index(position) {}
};

// One named step of a protocol: `step("append", [&] { ... })`. Its body returns nothing,
// or true to say that the rest of the sequence is not needed.
template <class Body>
struct Step {
  const char* name;
  Body body;

  // Runs the body; true when the sequence ends here.
  constexpr bool perform() {
    if constexpr (std::is_void_v<std::invoke_result_t<Body&>>) {
      body();
      return false;
    } else {
      return body();
    }
  }
};

template <class Body>
constexpr Step<Body> step(const char* name, Body body) {
  return {name, std::move(body)};
}

// What a write to the self-pipe came to. A full pipe is no failure: a byte is there already.
enum class PipeWrite { written, full };

// What somebody wants to hear of a descriptor, or what is true of it.
struct Interest {
  bool readable = false;
  bool writable = false;

  bool any() const { return readable || writable; }
};

// A descriptor that a selector found ready, and what for.
struct ReadyDescriptor {
  int descriptor;
  Interest is;
};

namespace seam {

using std::source_location;

// Explicit orders on every call; no operators, no default order. C++20's promises.
template <class P>
concept HasAtomic = requires(typename P::template atomic<int>& a, int& expected, Order order) {
  requires std::constructible_from<typename P::template atomic<int>, int, Label>;
  { a.load(order) } -> std::same_as<int>;
  { a.store(1, order) } -> std::same_as<void>;
  { a.exchange(1, order) } -> std::same_as<int>;
  { a.fetch_add(1, order) } -> std::same_as<int>;
  { a.fetch_sub(1, order) } -> std::same_as<int>;
  { a.compare_exchange_strong(expected, 1, order, order) } -> std::same_as<bool>;
  { a.compare_exchange_weak(expected, 1, order, order) } -> std::same_as<bool>;
};

// Data that the algorithm guards by other means. Every access but `peek` is checked for
// races; `peek` is for observers while nothing runs. `set` is a write that says what it
// writes, so that one that changes nothing is seen to change nothing.
template <class P>
concept HasPlain = requires(typename P::template plain<int>& p, const typename P::template plain<int>& c) {
  requires std::constructible_from<typename P::template plain<int>, int, Label>;
  { c.read() } -> std::same_as<const int&>;
  { p.write() } -> std::same_as<int&>;
  { c.get() } -> std::same_as<int>;
  { p.set(1) } -> std::same_as<void>;
  { c.peek() } -> std::same_as<const int&>;
};

// Non-recursive. `try_lock` may fail although nobody holds the mutex, as the standard allows.
template <class P>
concept HasMutex = requires(typename P::mutex& m) {
  requires std::constructible_from<typename P::mutex, Label>;
  { m.lock() } -> std::same_as<void>;
  { m.try_lock() } -> std::same_as<bool>;
  { m.unlock() } -> std::same_as<void>;
  typename P::lock_guard;
  requires std::constructible_from<typename P::lock_guard, typename P::mutex&>;
  typename P::unique_lock;
  requires std::constructible_from<typename P::unique_lock, typename P::mutex&>;
};

// Starts on construction, must be joined. What came before the start is visible in the
// thread, what the thread did is visible after the join.
template <class P>
concept HasThread = requires(typename P::thread& t) {
  requires std::constructible_from<typename P::thread, Label, void (*)()>;
  { t.join() } -> std::same_as<void>;
  { P::pause() } -> std::same_as<void>;
};

// Time never goes back. In the model it is virtual.
template <class P>
concept HasClock = requires {
  typename P::clock::duration;
  typename P::clock::time_point;
  { P::clock::now() } -> std::same_as<typename P::clock::time_point>;
};

// Manual-reset. `wait` and `wait_until` return once the event is set (true) or the deadline
// has passed (false; no deadline: never). A wait sees everything before every `set` that it
// consumes, and nothing more is promised: not what came before a set that was cleared,
// nothing about two waiters, nothing from `clear`.
template <class P>
concept HasEvent = requires(typename P::event& e, std::optional<typename P::clock::time_point> deadline) {
  requires std::constructible_from<typename P::event, Label>;
  { e.set() } -> std::same_as<void>;
  { e.clear() } -> std::same_as<void>;
  { e.wait() } -> std::same_as<void>;
  { e.wait_until(deadline) } -> std::same_as<bool>;
  { e.is_set() } -> std::same_as<bool>;  // for observers, like plain::peek
};

// The standard's: a wait gives the mutex back and begins to wait in one step, returns when it is
// notified, or the deadline has passed (false), or for no reason (true), and always holds the mutex
// again. `notify_one` wakes any one of those that wait, and nobody who begins to wait later. A
// notification orders nothing: what a woken thread sees, it sees through the mutex. All waits of one
// condition variable at one time use the same mutex.
template <class P>
concept HasConditionVariable = requires(typename P::condition_variable& c, typename P::unique_lock& lock,
                                        std::optional<typename P::clock::time_point> deadline) {
  requires std::constructible_from<typename P::condition_variable, Label>;
  { c.wait(lock) } -> std::same_as<void>;
  { c.wait_until(lock, deadline) } -> std::same_as<bool>;
  { c.notify_one() } -> std::same_as<void>;
  { c.notify_all() } -> std::same_as<void>;
};

// An atomic's `wait(old, order)` returns once it has read another value than `old`, with that order;
// between reads it may sleep until a notification, or wake for no reason. A notification is for the
// waits that sleep after reading an older store than one that happens before it: for one of them at
// least (`notify_one`), or for all. It orders nothing, the value read does. A value that comes and
// goes may be missed.
template <class P>
concept HasAtomicWait = requires(typename P::template atomic<int>& a, Order order) {
  { a.wait(1, order) } -> std::same_as<void>;
  { a.notify_one() } -> std::same_as<void>;
  { a.notify_all() } -> std::same_as<void>;
};

// Counts permits, from the number it is made with. A permit taken sees everything before every
// `release` up to then; one that is not taken sees nothing, and taking orders nothing. `try_acquire`
// may fail although there is a permit; `try_acquire_until` fails once the deadline has passed.
template <class P>
concept HasSemaphore = requires(typename P::semaphore& s, std::optional<typename P::clock::time_point> deadline) {
  requires std::constructible_from<typename P::semaphore, unsigned, Label>;
  { s.release(1U) } -> std::same_as<void>;
  { s.acquire() } -> std::same_as<void>;
  { s.try_acquire() } -> std::same_as<bool>;
  { s.try_acquire_until(deadline) } -> std::same_as<bool>;
};

// The self-pipe: `write_byte` never blocks and may say full; `read_all` never blocks, empties
// the pipe, gives the number of bytes, and sees everything before each write it consumes.
// `read_byte` takes one byte at most, says whether there was one, and promises nothing about memory.
// Using it after `close`, or closing it during a use, is a misuse that both platforms detect.
template <class P>
concept HasWakePipe = requires(typename P::wake_pipe& pipe) {
  requires std::constructible_from<typename P::wake_pipe, Label>;
  { pipe.write_byte() } -> std::same_as<PipeWrite>;
  { pipe.read_all() } -> std::same_as<std::size_t>;
  { pipe.read_byte() } -> std::same_as<bool>;
  { pipe.close() } -> std::same_as<void>;
  { pipe.pending() } -> std::same_as<std::size_t>;  // for observers, like plain::peek
};

// Level-triggered: `wait_until` returns true at once while an added pipe holds a byte. Being
// ready promises nothing about memory; reading the byte does.
template <class P>
concept HasSelector = requires(typename P::selector& s, typename P::wake_pipe& pipe,
                               std::optional<typename P::clock::time_point> deadline) {
  requires std::constructible_from<typename P::selector, Label>;
  { s.add(pipe) } -> std::same_as<void>;
  { s.wait_until(deadline) } -> std::same_as<bool>;
};

// Beyond pipes, where the platform has descriptors at all. `watch` replaces what was asked of the descriptor
// before; no interest forgets it. Level-triggered: `wait_until` returns true at once while there is one that
// is as somebody wants it, and `ready` says which those were, until the next wait. A descriptor in
// error, or whose other side is gone, is both readable and writable: the call that follows says why.
template <class P>
concept HasDescriptors = requires(typename P::selector& s, int descriptor, Interest interest) {
  { s.watch(descriptor, interest) } -> std::same_as<void>;
  { s.ready() } -> std::same_as<std::span<const ReadyDescriptor>>;
};

// One pointer a thread for each type, null at first.
template <class P>
concept HasLocal = requires {
  { P::template local<int>() } -> std::same_as<int*&>;
};

// C++20's thread fence.
template <class P>
concept HasFence = requires(Order order) {
  { P::fence(order) } -> std::same_as<void>;
};

// For two sides of which one is much more frequent. A light fence and a heavy one order what two
// seq_cst fences order, and so do two heavy ones; a heavy one is a seq_cst fence too. A light one is
// nothing to another light one, nor to a seq_cst fence, and alone it orders nothing.
template <class P>
concept HasAsymmetricFences = requires {
  { P::light_fence() } -> std::same_as<void>;
  { P::heavy_fence() } -> std::same_as<void>;
};

// Said by an algorithm's own wait when it returns without waiting. Passing the same one twice with
// nothing changed in between is a busy spin, which only the model can see; nothing on threads.
template <class P>
concept HasWaitPassed = requires(const void* wait) {
  { P::wait_passed(wait) } -> std::same_as<void>;
};

// Runs named steps in order, up to and including the first one that answers true; says
// whether one did. On threads the names are gone after compilation; in the model a mutant
// may leave out, exchange or move a step, or hold a mutex over it.
template <class P>
concept HasRun = requires(Step<void (*)()> plain_step, Step<bool (*)()> ending_step) {
  { P::run(plain_step, ending_step) } -> std::same_as<bool>;
};

}  // namespace seam

// A machine that the algorithms of sink/ run on. Each conjunct names the member it asks for,
// so that a compiler's refusal names what is missing.
template <class P>
concept Platform = seam::HasAtomic<P> && seam::HasPlain<P> && seam::HasMutex<P> && seam::HasThread<P> &&
                   seam::HasClock<P> && seam::HasEvent<P> && seam::HasConditionVariable<P> && seam::HasAtomicWait<P> &&
                   seam::HasSemaphore<P> && seam::HasWakePipe<P> && seam::HasSelector<P> && seam::HasLocal<P> &&
                   seam::HasFence<P> && seam::HasAsymmetricFences<P> && seam::HasWaitPassed<P> && seam::HasRun<P>;

// One whose selector also watches descriptors. The model is none: what comes through a socket is not its to order.
template <class P>
concept DescriptorPlatform = Platform<P> && seam::HasDescriptors<P>;

// When a wait gives up; none: never.
template <Platform P>
using Deadline = std::optional<typename P::clock::time_point>;

// The deadline of a call that may take `timeout` from now on; none: for ever.
template <Platform P>
Deadline<P> deadline_after(std::optional<std::chrono::nanoseconds> timeout) {
  if (!timeout) return std::nullopt;
  return P::clock::now() + std::chrono::duration_cast<typename P::clock::duration>(*timeout);
}

}  // namespace wakeproof
