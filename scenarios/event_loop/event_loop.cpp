// event_loop/*: a bare loop and its self-pipe. How it wakes the sink's coroutine is in output_sink/loop.cpp.
#include "scripts.hpp"

namespace wakeproof {
namespace {

using models::skip;
using models::swap;

template <Platform P>
using Loop = EventLoop<P>;

// Of a pipe that was left blocking: a write waits for room, which only the loop makes.
template <Platform P>
class BlockingPipe : public P::wake_pipe {
 public:
  using P::wake_pipe::wake_pipe;

  PipeWrite write_byte() {
    room_.acquire();
    return P::wake_pipe::write_byte();
  }
  std::size_t read_all() {
    const std::size_t bytes = P::wake_pipe::read_all();
    if (bytes > 0) room_.release(static_cast<unsigned>(bytes));
    return bytes;
  }

 private:
  typename P::semaphore room_{2U, "room_in_pipe"};
};

template <Platform P>
struct WithBlockingPipe : P {
  using wake_pipe = BlockingPipe<P>;
};
template <Platform P>
using BlockingLoop = EventLoop<WithBlockingPipe<P>>;

// Whoever posts, and whoever closes, does without the loop's lock.
template <Platform P>
struct WithoutLock : P {
  struct lock_guard {
    explicit lock_guard(typename P::mutex&) {}
  };
};
template <Platform P>
using UnlockedLoop = EventLoop<WithoutLock<P>>;

// The pipe is there, but nobody watches it.
template <Platform P>
struct WithoutWatching : P {
  struct selector : P::selector {
    using P::selector::selector;
    void add(typename P::wake_pipe&) {}
  };
};
template <Platform P>
using UnwatchingLoop = EventLoop<WithoutWatching<P>>;

constexpr const char* kOneLock =
    "both are under the loop's lock, which the loop takes after the byte has woken it and before it looks at what was "
    "posted";
constexpr const char* kOneClose = "both are under the loop's lock, and nobody sees a loop that is half closed";

const std::vector<Bounds> kSecondPost{{1, 2}, {2, 1}};
const std::vector<Bounds> kThirdPost{{1, 3}, {3, 1}};
const std::vector<Bounds> kUpToThird{{1, 2}, {1, 3}, {3, 1}};

const bool added[] = {
    add<Posts, Loop>({.name = "event_loop/correct",
                      .story = "Threads post callbacks, each under the lock with one byte to the self-pipe, in which "
                               "the loop sleeps (B2).",
                      .larger_sizes = {{1, 3}, {2, 2}, {3, 1}}}),
    add<Posts, Loop>({.name = "event_loop/no_byte_written",
                      .story = "The callback is queued, but the sleeping loop gets no byte (P4c).",
                      .expected = Verdict::lost_wakeup,
                      .mutations = {skip("write_byte")}}),
    add<Posts, UnwatchingLoop>({.name = "event_loop/pipe_not_watched",
                                .story = "The self-pipe is not registered with the selector: its bytes wake nobody "
                                         "(B1).",
                                .expected = Verdict::lost_wakeup}),
    add<Polled, Loop>({.name = "event_loop/polled",
                       .story = "A queue that a timer looks at instead of a wake: each item waits for the timer, and "
                                "without one for ever (B7).",
                       .expected = Verdict::lost_wakeup}),
    add<Posts, Loop>({.name = "event_loop/emptied_late",
                      .story = "The loop collects what was posted and then empties its pipe: a post in between loses "
                               "its byte (B3).",
                      .expected = Verdict::lost_wakeup,
                      .fails_from = kSecondPost,
                      .mutations = {swap("empty_pipe", "collect")}}),
    add<ForeignCallSoon, Loop>({.name = "event_loop/foreign_call_soon",
                                .story = "A producer calls call_soon, which is the loop thread's alone (B4).",
                                .expected = Verdict::data_race}),
    add<PostsToBusyLoop, Loop>({.name = "event_loop/full_pipe",
                                .story = "More posts than the pipe has room for while the loop is busy: a byte is in "
                                         "it already, and one read empties it (B3).",
                                .sizes = kUpToThird}),
    add<PostsToBusyLoop, BlockingLoop>({.name = "event_loop/full_pipe_blocks",
                                        .story = "The pipe was left blocking: a post waits for room that only the loop "
                                                 "makes, and the loop for that post (B3).",
                                        .expected = Verdict::lost_wakeup,
                                        .fails_from = kThirdPost,
                                        .sizes = kUpToThird}),
    add<NestedRun, Loop>({.name = "event_loop/nested_run",
                          .story = "A callback that runs its own loop is refused, and the loop goes on."}),
    add<PostsAgainstClose, Loop>({.name = "event_loop/close",
                                  .story =
                                      "Posts race with close: each has run, was refused, or is counted among those "
                                      "dropped (B6).",
                                  .larger_sizes = {{1, 3}, {2, 2}, {3, 1}},
                                  .tags = {"closing"}}),
    add<PostsAgainstClose, Loop>({.name = "event_loop/close_refuses_nobody",
                                  .story = "The closed flag stays down, and a post writes its byte to a closed "
                                           "descriptor (B6).",
                                  .expected = Verdict::use_after_free,
                                  .mutations = {skip("refuse")},
                                  .tags = {"closing"}}),
    add<PostsAgainstClose, Loop>({.name = "event_loop/close_forgets_posts",
                                  .story = "What was posted and not collected is missing from the count of those "
                                           "dropped (B6).",
                                  .expected = Verdict::item_lost,
                                  .fails_from = kSecondPost,
                                  .mutations = {skip("take_posted")},
                                  .tags = {"closing"}}),
    add<PostsAgainstClose, UnlockedLoop>({.name = "event_loop/close_without_lock",
                                          .story = "The closed flag and the queue are used without the lock: a post "
                                                   "may find the loop open that is closed by then (B6).",
                                          .expected = Verdict::data_race,
                                          .fails_from = kSecondPost,
                                          .tags = {"closing"}}),
    models::excuse("event_loop", "swap post and write_byte", kOneLock),
    models::excuse("event_loop", "swap refuse and take_posted", kOneClose),
    models::excuse("output_sink", "swap refuse and take_posted", kOneClose),
    models::excuse("output_sink/loop", "swap refuse and take_posted", kOneClose),
};

}  // namespace
}  // namespace wakeproof
