// A round of the event loop: threads post, the loop is stopped and run again at random moments, and closed.
//
// Each post that did not throw has run, or is one of those that close() says it dropped, by number and by checksum.
//
//   orderly    the threads are joined first, and everything they posted has run when the loop stops
//   alternate  orderly, and each thread lets the loop sleep between two bursts: a lost byte leaves it waiting for ever
//   abrupt     closed while threads post
//
// In some rounds timers, tasks and futures of other threads take part. Tasks and futures may be on the ready queue when
// the loop closes and are then counted with the posts: those rounds require of close() only that it counts no post too
// few.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "chance.hpp"
#include "figures.hpp"
#include "posts.hpp"
#include "sink/event_loop.hpp"
#include "sink/loop_future.hpp"
#include "soak_threads.hpp"
#include "watchdog.hpp"

namespace wakeproof::soak {

class LoopRound {
 public:
  LoopRound(std::uint64_t seed, Watchdog& dog)
      : seed_(seed),
        chance_(seed),
        dog_(dog),
        threads_(chance_.between(1, 6)),
        posts_(chance_.size_between(1, 3000)),
        alternates_(chance_.one_in(3)),
        orderly_(alternates_ || chance_.one_in(3)),
        runs_(alternates_ ? 1 : chance_.between(1, 4)),
        pauses_(chance_.one_in(2)),
        with_others_(chance_.one_in(2)),
        book_(threads_ + 2, dog),
        reached_(threads_) {
    SoakThreads::jolts.store(chance_.one_in(2), std::memory_order_relaxed);
    for (std::size_t poster = 0; poster < threads_ + 2; ++poster) posters_.emplace_back(book_, seed, poster);
  }

  Figures run() {
    const std::size_t wakes_before = SoakThreads::wakes.load(std::memory_order_relaxed);
    {
      EventLoop<SoakThreads> loop;
      std::jthread looper([&] { run_and_close(loop); });
      std::vector<std::jthread> askers;
      for (std::size_t i = 0; with_others_ && i < 2; ++i) askers.emplace_back([&, i] { ask(loop, i); });
      post_and_stop(loop);
      dog_.stage("the loop's end");
      looper.join();
      dog_.stage("the end of those who wait for futures");
    }
    settle_posts();
    Figures figures = this->figures();
    figures.wakes = SoakThreads::wakes.load(std::memory_order_relaxed) - wakes_before;
    return figures;
  }

 private:
  using Loop = EventLoop<SoakThreads>;
  struct Thrown {};

  Poster& stopper() { return posters_[threads_]; }
  Poster& local() { return posters_[threads_ + 1]; }  // the loop's own, through call_soon

  // The loop's thread.
  void run_and_close(Loop& loop) {
    for (std::size_t ended = 0; ended < runs_;) {
      try {
        loop.run();
        ++ended;
      } catch (const Thrown&) {
        // A callback's; the loop goes on where it was.
      }
    }
    reported_ = loop.close();
  }

  void post_and_stop(Loop& loop) {
    dog_.stage("posts");
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < threads_; ++i)
      threads.emplace_back([&, i] { post_many(loop, posters_[i], reached_[i]); });
    for (std::size_t stop = 1; stop <= runs_; ++stop) {
      if (stop == runs_ && orderly_) threads.clear();
      std::this_thread::sleep_for(chance_.up_to(std::chrono::microseconds(4000)));
      stopper().post(loop, [&loop] { loop.stop(); });
    }
    dog_.stage("the posting threads' end");
  }

  void post_many(Loop& loop, Poster& poster, std::atomic<std::size_t>& reached) {
    Chance chance(poster.given().checksum_of(posts_));
    const std::size_t burst = chance.size_between(1, 100);
    bool open = true;
    while (open && poster.given().count() < posts_) {
      open = poster.post(loop, action(loop, chance));
      if (pauses_ && chance.one_in(8)) chance.pause();
      if (alternates_ && poster.given().count() % burst == 0) wait_until_run(loop, poster, reached);
    }
    if (!open && poster.post(loop)) reopened_.store(true, std::memory_order_relaxed);
  }

  // Only where the loop is not stopped meanwhile.
  void wait_until_run(Loop& loop, Poster& poster, std::atomic<std::size_t>& reached) {
    const std::size_t here = poster.given().count() + 1;
    poster.post(loop, [&reached, here] { reached.store(here, std::memory_order_relaxed); });
    while (reached.load(std::memory_order_relaxed) < here) std::this_thread::sleep_for(std::chrono::microseconds(10));
  }

  Post::Action action(Loop& loop, Chance& chance) {
    switch (chance.between(0, 40)) {
      case 0: return [] { throw Thrown(); };
      case 1:
      case 2: return [this, &loop] { local().post_locally(loop); };
      case 3: return with_others_ ? timers(loop, chance.up_to(std::chrono::microseconds(1000))) : Post::Action();
      default: return {};
    }
  }

  // One that comes, and one that is cancelled when it does.
  Post::Action timers(Loop& loop, std::chrono::microseconds delay) {
    return [this, &loop, delay] {
      const auto late = loop.call_later(std::chrono::hours(1), [this] { book_.ran().complain("a timer came early"); });
      loop.call_later(delay, [this, &loop, late] {
        loop.cancel(late);
        local().post_locally(loop);
      });
    };
  }

  // Another thread, which waits for what coroutines on the loop give: their value, or the word that there is none.
  void ask(Loop& loop, std::size_t asker) {
    Chance chance(mixed(seed_, 1000 + asker));
    for (bool open = true; open;) {
      const std::uint64_t value = chance.number();
      try {
        auto future = run_coroutine_threadsafe(give(loop, value, chance.up_to(std::chrono::microseconds(300))), loop);
        const bool cancels = chance.one_in(4);
        if (cancels) future.cancel();
        if (future.get() != value) wrong_values_.fetch_add(1, std::memory_order_relaxed);
      } catch (const cancelled&) {
        // As asked for.
      } catch (const loop_closed&) {
        open = false;
      }
    }
  }

  static Task<std::uint64_t> give(Loop& loop, std::uint64_t value, std::chrono::microseconds after) {
    co_await loop.sleep(after);
    co_return value;
  }

  void settle_posts() {
    const Taken& ran = book_.ran();
    require(ran.complaint().empty(), ran.complaint());
    std::uint64_t accepted_sum = 0;
    std::uint64_t refused_sum = 0;
    for (std::size_t i = 0; i < posters_.size(); ++i) {
      const Poster& poster = posters_[i];
      const std::size_t has_run = ran.count_of(i);
      require(has_run <= poster.given().count(), "poster " + std::to_string(i) + ": a refused post has run");
      require(
          !orderly_ || i >= threads_ || has_run == poster.given().count(),
          "poster " + std::to_string(i) + ", posted before the stop: ran " + out_of(has_run, poster.given().count()));
      accepted_sum += poster.given().sum();
      accepted_ += poster.given().count();
      refused_sum += poster.refused_sum();
      refused_ += poster.refused();
    }
    const std::size_t dropped = book_.dropped() - refused_;
    require(ran.count() + dropped == accepted_,
            "neither run nor dropped: " + std::to_string(accepted_ - dropped - ran.count()) + " posts");
    require(ran.sum() + book_.dropped_sum() == accepted_sum + refused_sum, "the checksums do not agree");
    require(
        with_others_ ? reported_ >= dropped : reported_ == dropped,
        "close() said it dropped " + std::to_string(reported_) + " posts, and it dropped " + std::to_string(dropped));
    require(!reopened_.load(std::memory_order_relaxed), "a post was accepted after one had been refused");
    require(wrong_values_.load(std::memory_order_relaxed) == 0, "a future gave another's value");
  }

  Figures figures() {
    Figures figures;
    figures.given = accepted_;
    figures.taken = book_.ran().count();
    figures.left = accepted_ - figures.taken;
    figures.refused = refused_;
    figures.closes = 1;
    figures.checksum = book_.ran().sum() + book_.dropped_sum();
    return figures;
  }

  const std::uint64_t seed_;
  Chance chance_;
  Watchdog& dog_;
  const std::size_t threads_;
  const std::size_t posts_;  // of each thread
  const bool alternates_;
  const bool orderly_;
  const std::size_t runs_;
  const bool pauses_;
  const bool with_others_;
  PostBook book_;
  std::deque<Poster> posters_;
  std::vector<std::atomic<std::size_t>> reached_;  // of each thread's posts: how far those it waits for have run
  std::size_t reported_ = 0;
  std::size_t accepted_ = 0;
  std::size_t refused_ = 0;
  std::atomic<bool> reopened_{false};  // these order nothing, see Watchdog [relaxed]
  std::atomic<std::size_t> wrong_values_{0};
};

inline Figures loop_round(std::uint64_t seed, Watchdog& dog) {
  return LoopRound(seed, dog).run();
}

}  // namespace wakeproof::soak
