// wakeproof-orderly-close: how a program whose threads post to a loop ends, and what becomes of the posts of one that
// closes its loop first. Exit status 1 where a post was lost.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <stop_token>
#include <thread>
#include <vector>

#include "sink/event_loop.hpp"
#include "sink/thread_platform.hpp"

namespace {

using Loop = wakeproof::EventLoop<wakeproof::ThreadPlatform>;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// Threads that post until they are told to stop, or the loop refuses.
class Posters {
 public:
  static constexpr std::size_t kThreads = 4;

  explicit Posters(Loop& loop) {
    for (std::size_t t = 0; t < kThreads; ++t) {
      threads_.emplace_back([this, &loop](const std::stop_token& stop) { post_until(stop, loop); });
    }
  }

  void stop() {
    for (std::jthread& thread : threads_) thread.request_stop();
  }
  void join() {
    for (std::jthread& thread : threads_) thread.join();
  }

  // After join(): each post that was not refused has run, or was dropped by the loop's close() and counted there.
  bool report(const char* what, std::size_t dropped) const {
    std::printf("%-13s posted %zu, ran %zu, dropped %zu, refused %zu\n", what, posted_.load(), ran_, dropped,
                refused_.load());
    return posted_ == ran_ + dropped;
  }
  std::size_t refused() const { return refused_; }

 private:
  void post_until(const std::stop_token& stop, Loop& loop) {
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(microseconds(50));  // computes something
      try {
        loop.call_soon_threadsafe([this] { ++ran_; });
        ++posted_;
      } catch (const wakeproof::loop_closed&) {
        ++refused_;
        return;  // nobody is there any more, nor will be
      }
    }
  }

  std::atomic<std::size_t> posted_{0};
  std::atomic<std::size_t> refused_{0};
  std::size_t ran_ = 0;  // the loop thread's
  std::vector<std::jthread> threads_;
};

void run_for(Loop& loop, milliseconds time) {
  loop.call_later(time, [&loop] { loop.stop(); });
  loop.run();
}

// The way to do it.
bool in_order() {
  Loop loop;
  Posters posters(loop);
  run_for(loop, milliseconds(20));
  posters.stop();
  posters.join();                                       // from here on nobody posts
  loop.call_soon_threadsafe([&loop] { loop.stop(); });  // the last post: when it runs, all before it have
  loop.run();
  const std::size_t dropped = loop.close();
  return posters.report("in order:", dropped) && dropped == 0 && posters.refused() == 0;
}

// What a program gets that does not: no post goes to a loop that is no more, but some come too late to run.
bool closed_first() {
  Loop loop;
  Posters posters(loop);
  run_for(loop, milliseconds(20));
  std::this_thread::sleep_for(milliseconds(5));  // posts come in that nobody takes
  const std::size_t dropped = loop.close();
  posters.join();  // untold: the next post of each throws loop_closed
  return posters.report("closed first:", dropped) && posters.refused() == Posters::kThreads;
}

}  // namespace

int main() {
  const bool kept = in_order();
  const bool told = closed_first();
  if (!kept || !told) std::fprintf(stderr, "wakeproof-orderly-close: the posts do not add up\n");
  return kept && told ? 0 : 1;
}
