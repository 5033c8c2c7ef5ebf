// event_loop/timers: a timer against the posts that come with it, under the free clock.
#include "scripts.hpp"

namespace wakeproof {
namespace {

using models::skip;

template <Platform P>
using Loop = EventLoop<P>;

// Each item is posted, and its callback cancels a timer that may be due by then: one of the two takes the item.
template <class Loop>
class PostOrTimer : public Posts<Loop> {
 public:
  PostOrTimer(const Bounds& bounds, Ledger& ledger) : Posts<Loop>(bounds, ledger) {
    for (int producer = 0; producer < bounds.producers; ++producer) {
      timers_.push_back(this->loop_.call_later(std::chrono::milliseconds(1), [this] { ++fired_; }));
    }
  }

  void put(int producer, int item) {
    this->loop_.call_soon_threadsafe([this, producer, item] {
      cancelled_ += this->loop_.cancel(timers_[static_cast<std::size_t>(producer)]);
      this->took(item);
    });
  }
  // Whoever was not cancelled in time has fired, in that turn or one before.
  void judge() {
    this->ledger_.check(fired_ + cancelled_ == static_cast<int>(timers_.size()), "a timer neither fired nor cancelled");
  }

 private:
  std::vector<typename Loop::Timer> timers_;
  // The loop thread's own.
  int fired_ = 0;
  int cancelled_ = 0;
};

const bool added[] = {
    add<PostOrTimer, Loop>({.name = "event_loop/timers",
                            .story = "A callback cancels a timer that may pass in the same turn: it has fired before, "
                                     "or never does.",
                            .ticks = 1}),
    add<PostOrTimer, Loop>({.name = "event_loop/timers_no_byte_written",
                            .story = "A post writes no byte: a loop that sleeps until a timer runs the callback only "
                                     "then, and without one never (P4c).",
                            .expected = Verdict::lost_wakeup,
                            .mutations = {skip("write_byte")},
                            .ticks = 1}),
};

}  // namespace
}  // namespace wakeproof
