#include "held_platform.hpp"

#include <thread>

namespace wakeproof::models {

Order effective(Order order) {
  for (const Mutation& mutation : director().mutations()) {
    if (mutation.kind == Mutation::Kind::weaken && mutation.what == order.purpose)
      return {order.purpose, mutation.order};
  }
  return order;
}

// std::mutex has no wait that could be broken off.
void HeldMutex::lock() {
  turn(OpKind::lock);
  if (real_.try_lock()) return;
  director().block(std::nullopt, [&](Director::Clock::time_point until) {
    do {
      if (real_.try_lock()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (Director::Clock::now() < until);
    return false;
  });
}

bool HeldEvent::wait_until(deadline give_up) {
  turn(OpKind::wait);
  const bool set =
      director().block(give_up, [&](Director::Clock::time_point until) { return real_.wait_until(until); });
  if (set) director().passed_wait();
  return set;
}

bool HeldSemaphore::try_acquire_until(threads::deadline give_up) {
  turn(OpKind::acquire);
  return director().block(give_up, [&](Director::Clock::time_point until) { return real_.try_acquire_until(until); });
}

bool HeldSelector::wait_until(threads::deadline give_up) {
  turn(OpKind::select);
  const bool ready =
      director().block(give_up, [&](Director::Clock::time_point until) { return real_.wait_until(until); });
  if (ready) director().passed_wait();
  return ready;
}

// --- threads ---------------------------------------------------------------------------------------------

// As Director numbers them: of each spare thread one object for its start and one for its end.
ObjectId HeldThread::start_object() const {
  return static_cast<ObjectId>(1 + 2 * director().spare_index(thread_));
}

void HeldThread::start(std::function<void()> body) {
  thread_ = director().spare_thread();
  const ObjectId begins = start_object();
  director().take_turn(OpKind::start, begins);
  real_.emplace([thread = thread_, begins, body = std::move(body)] {
    director().run(thread, [&] {
      director().take_turn(OpKind::begin, begins);
      body();
      director().take_turn(OpKind::exit, static_cast<ObjectId>(begins + 1));
    });
  });
}

void HeldThread::join() {
  director().take_turn(OpKind::join, static_cast<ObjectId>(start_object() + 1));
  director().block(std::nullopt, [&](Director::Clock::time_point) {
    real_->join();
    return true;
  });
}

HeldThread::~HeldThread() {
  if (real_ && real_->joinable()) real_->join();
}

// --- named steps -----------------------------------------------------------------------------------------

bool run_held_protocol(const ProtocolStep* steps, int count) {
  const Arrangement arranged = arrange(director().mutations(), steps, count);
  for (int i = 0; i < arranged.length; ++i) {
    const int place = arranged.order[i];
    const Mutation* holds = arranged.holds[place];
    HeldMutex* mutex = holds == nullptr ? nullptr : director().mutex_named(holds->other);
    std::unique_lock<HeldMutex> lock;
    if (mutex != nullptr) lock = std::unique_lock(*mutex);
    if (steps[place].perform(steps[place].step)) return true;
  }
  return false;
}

}  // namespace wakeproof::models
