// AsyncHandle: a wake that many sends share, after the async handle of libuv, with its clear as a member.
//
//   put(producer, item)   any thread   posts, raises `pending`, and writes a byte if nobody had
//   turn(took)            the loop     sleeps in its selector; lowers `pending`, then looks at what was posted
//
// [shared] A put that finds `pending` raised writes no byte: the loop that lowers it afterwards must see what
//          that put has posted. So the lowering has to *read* what the put wrote, and to acquire it. A load
//          and a store do not: the store may replace a value that the load has not seen.
#pragma once

#include "counted_lanes.hpp"

namespace wakeproof {

struct AsyncOrders {
  // What is posted is the user's own business, and nothing but `pending` orders it.
  static constexpr Order post{std::memory_order_relaxed};
  static constexpr Order take{std::memory_order_relaxed};
  static constexpr Order send{"send", std::memory_order_release};  // what was posted, to `clear_pending`
  static constexpr Order clear_pending{"clear_pending", std::memory_order_acquire};
};

template <Platform P>
class ExchangedPending {
 public:
  bool raise() { return pending_.exchange(true, AsyncOrders::send); }  // true: it was raised already
  bool lower() { return pending_.exchange(false, AsyncOrders::clear_pending); }

 protected:
  typename P::template atomic<bool> pending_{false, "pending"};
};

// As it was: looked at, and then overwritten.
template <Platform P>
class TrampledPending : public ExchangedPending<P> {
 public:
  bool lower() {
    if (!this->pending_.load(AsyncOrders::clear_pending)) return false;
    this->pending_.store(false, std::memory_order_relaxed);
    return true;
  }
};

template <Platform P, class Pending>
class AsyncHandle {
 public:
  explicit AsyncHandle(int producers) : lanes_(producers) { selector_.add(pipe_); }

  void put(int producer, int) {
    P::run(step("post", [&] { lanes_.post(producer); }),  //
           step("raise_pending", [&] { return pending_.raise(); }), step("write_byte", [&] { pipe_.write_byte(); }));
  }

  template <class Took>
  void turn(Took took) {
    selector_.wait_until(std::nullopt);
    P::run(step("empty_pipe", [&] { pipe_.read_all(); }),  //
           step("lower_pending", [&] { return !pending_.lower(); }), step("call_back", [&] { lanes_.take(took); }));
  }

  std::size_t peek_queued() const { return lanes_.peek_queued(); }

 private:
  CountedLanes<P, AsyncOrders> lanes_;
  Pending pending_;
  typename P::wake_pipe pipe_{"self_pipe"};
  typename P::selector selector_{"selector"};
};

}  // namespace wakeproof
