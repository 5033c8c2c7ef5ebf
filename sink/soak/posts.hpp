// Posts: callbacks that account for themselves. One that was queued has run on the loop's thread, or was destroyed
// without having run; there is no third end.
//
//   PostBook           what became of the posts of a round
//   Poster             one thread's posts, numbered in the order in which it posts them
//
// A post may carry an action, which it performs when it runs.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "ledger.hpp"
#include "sink/event_loop.hpp"
#include "watchdog.hpp"

namespace wakeproof::soak {

class PostBook {
 public:
  PostBook(std::size_t posters, Watchdog& dog) : ran_(posters), dog_(dog) {}

  // Loop thread; plain data, so that a callback that runs elsewhere is a race.
  void ran(std::size_t poster, std::size_t number, std::uint64_t checksum) {
    ran_.take(poster, number, checksum);
    dog_.progress();
  }
  // The thread that posts and is refused, or the one that closes.
  void dropped(std::uint64_t checksum) {
    const std::lock_guard lock(lock_);
    ++dropped_;
    dropped_sum_ += checksum;
  }

  // When the loop and the threads are gone.
  Taken& ran() { return ran_; }
  std::size_t dropped() const { return dropped_; }
  std::uint64_t dropped_sum() const { return dropped_sum_; }

 private:
  Taken ran_;
  std::mutex lock_;
  std::size_t dropped_ = 0;
  std::uint64_t dropped_sum_ = 0;
  Watchdog& dog_;
};

class Post {
 public:
  using Action = std::function<void()>;

  Post(PostBook& book, Item what, Action action) : book_(book), what_(std::move(what)), action_(std::move(action)) {}
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;
  ~Post() {
    if (!has_run_) book_.dropped(*what_.checksum);
  }

  void run() {
    has_run_ = true;
    book_.ran(what_.giver, what_.number, *what_.checksum);
    if (action_) action_();
  }

 private:
  PostBook& book_;
  const Item what_;
  const Action action_;
  bool has_run_ = false;
};

class Poster {
 public:
  Poster(PostBook& book, std::uint64_t round_seed, std::size_t poster) : book_(book), given_(round_seed, poster) {}

  // False: the loop is closed, and stays so.
  template <class Loop>
  bool post(Loop& loop, Post::Action action = {}) {
    return attempt([&](auto callback) { loop.call_soon_threadsafe(std::move(callback)); }, std::move(action));
  }
  template <class Loop>
  bool post_locally(Loop& loop, Post::Action action = {}) {
    return attempt([&](auto callback) { loop.call_soon(std::move(callback)); }, std::move(action));
  }

  const Given& given() const { return given_; }
  std::size_t refused() const { return refused_; }
  std::uint64_t refused_sum() const { return refused_sum_; }

 private:
  template <class Queue>
  bool attempt(Queue queue, Post::Action action) {
    auto post = std::make_shared<Post>(book_, given_.next(), std::move(action));
    try {
      queue([post = std::move(post)] { post->run(); });
    } catch (const loop_closed&) {
      refused_sum_ += given_.checksum_of(given_.count());
      ++refused_;
      return false;
    }
    given_.accepted();
    return true;
  }

  PostBook& book_;
  Given given_;
  std::size_t refused_ = 0;
  std::uint64_t refused_sum_ = 0;
};

}  // namespace wakeproof::soak
