// output_sink/one_by_one*: what a batch leaves over needs no wake of its own.
#include "scripts.hpp"

namespace wakeproof {
namespace {

// A queue that tells of news and not of contents: a drain gives nothing when nothing came since the last.
template <Platform P, class Item>
class NewsQueue {
 public:
  bool append(Item item) {
    const bool taken = queue_.append(std::move(item));
    typename P::lock_guard lock(lock_);
    news_.set(true);
    return taken;
  }
  bool drain(std::vector<Item>& batch, std::size_t max_items) {
    {
      typename P::lock_guard lock(lock_);
      if (!news_.get()) return false;
      news_.set(false);
    }
    return queue_.drain(batch, max_items);
  }
  std::size_t peek_size() const { return queue_.peek_size(); }

 private:
  LockedQueue<P, Item> queue_;
  typename P::mutex lock_{"news_lock"};
  typename P::template plain<bool> news_{false, "news"};
};

template <Platform P>
using NewsSink = OutputSink<P, int, CountedWake<EventWake<P>>, WakeFlag<P>, NewsQueue<P, int>>;

template <class HandOff>
class Singly : public HandOff {
 public:
  Singly(const Bounds& bounds, Ledger& ledger) : HandOff({bounds.producers, bounds.items, 1}, ledger) {}
};

template <class Sink>
using TakeSingly = Singly<HandOff<Sink>>;
template <class Sink>
using TakeSinglyOnLoop = Singly<LoopHandOff<Sink>>;

const bool added[] = {
    add<TakeSingly, EventSink>(
        {.name = "output_sink/one_by_one",
         .story = "Batches of one item: what is left is there for the next, without a wake (A3).",
         .producers_interchangeable = true}),
    add<TakeSingly, NewsSink>({.name = "output_sink/one_by_one_leftovers_sleep",
                               .story = "The queue tells only of what is new, so the consumer sleeps on what its last "
                                        "batch left over (A3).",
                               .expected = Verdict::lost_wakeup,
                               .fails_from = {{1, 2}, {2, 1}}}),
    add<TakeSinglyOnLoop, LoopSink>({.name = "output_sink/loop/one_by_one",
                                     .story = "Batches of one item on a loop: what is left needs no callback (A3).",
                                     .producers_interchangeable = true}),
};

}  // namespace
}  // namespace wakeproof
