// Who closes the sink, and a consumer that takes until the end, on either wake policy.
#pragma once

#include "scripts.hpp"

namespace wakeproof {

// Batches until the sink has ended.
template <class Sink>
class TakeToEnd : public HandOff<Sink> {
 public:
  using HandOff<Sink>::HandOff;

  void put(int, int item) {
    if (!this->sink_.put(item)) this->ledger_.refused(item);
  }
  void consumer() {
    while (take_or_end(this->sink_.get_batch(this->max_items_))) {
    }
  }

 protected:
  bool take_or_end(const typename Sink::Batch& batch) {
    if (batch.empty()) {
      this->ledger_.check(this->sink_.ended(), "without a timeout, a batch is empty only at the end");
      return false;
    }
    this->take(batch);
    return true;
  }
};

template <class Sink>
class TakeToEndOnLoop : public TakeToEnd<Sink> {
 public:
  TakeToEndOnLoop(const Bounds& bounds, Ledger& ledger) : TakeToEnd<Sink>(bounds, ledger) {
    this->sink_.bind_loop(loop_);
  }

  void consumer() { loop_.run_until_complete(take_to_end()); }

 private:
  Task<bool> take_to_end() {
    for (bool more = true; more;) {
      const typename Sink::Batch batch = co_await this->sink_.get_batch(this->max_items_);
      more = this->take_or_end(batch);
    }
    co_return true;
  }

  EventLoop<typename Sink::platform> loop_;
};

// The first producer closes after its last put, which must not be refused; others may still be putting.
template <class Base>
class CloseAfterLast : public Base {
 public:
  CloseAfterLast(const Bounds& bounds, Ledger& ledger)
      : Base(bounds, ledger), last_(Ledger::item(0, bounds.items - 1)) {}

  void put(int producer, int item) {
    if (producer > 0) return Base::put(producer, item);
    this->ledger_.check(this->sink_.put(item), "a put is refused although nobody has closed the sink");
    if (item != last_) return;
    this->sink_.close();
  }

 private:
  int last_;
};

// A thread of its own closes the sink, at any time.
template <class Base, class Sink>
class CloseAnyTime : public Base {
 public:
  using Base::Base;

  void consumer() {
    typename Sink::platform::thread closer("closer", [this] { this->sink_.close(); });
    Base::consumer();
    closer.join();
  }
};

template <class Sink>
using CloseAfterLastByEvent = CloseAfterLast<TakeToEnd<Sink>>;
template <class Sink>
using CloseAfterLastOnLoop = CloseAfterLast<TakeToEndOnLoop<Sink>>;
template <class Sink>
using CloseAnyTimeByEvent = CloseAnyTime<TakeToEnd<Sink>, Sink>;
template <class Sink>
using CloseAnyTimeOnLoop = CloseAnyTime<TakeToEndOnLoop<Sink>, Sink>;

// A queue with `closed` beside it, not under its lock.
template <Platform P, class Item>
class CheckFirstQueue {
 public:
  bool append(Item item) { return !closed_.load(std::memory_order_acquire) && never_closed_.append(std::move(item)); }
  bool drain(std::vector<Item>& batch, std::size_t max_items) {
    return never_closed_.drain(batch, max_items) || closed_.load(std::memory_order_acquire);
  }
  void close() { closed_.store(true, std::memory_order_release); }
  bool ended() { return closed_.load(std::memory_order_acquire); }
  std::size_t peek_size() const { return never_closed_.peek_size(); }

 private:
  LockedQueue<P, Item> never_closed_;
  typename P::template atomic<bool> closed_{false, "closed"};
};

template <Platform P>
using CheckFirstSink = OutputSink<P, int, CountedWake<EventWake<P>>, WakeFlag<P>, CheckFirstQueue<P, int>>;

}  // namespace wakeproof
