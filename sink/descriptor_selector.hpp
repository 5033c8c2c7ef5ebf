// What a loop of real threads sleeps in: epoll(7) on Linux, poll(2) everywhere else. Both keep the promises of
// seam::HasSelector and seam::HasDescriptors in platform.hpp, and the same tests run over both.
//
//   add(pipe)          owner          a wake_pipe, for as long as this selector waits
//   watch(fd, what)    owner          replaces what was wanted of fd; throws std::system_error for one that
//                                     cannot be watched (epoll: a regular file, EPERM; both: a closed one, EBADF)
//   wait_until(when)   owner; blocks  true: something is ready; false: `when` has passed
//   ready()            owner          the watched descriptors that the last wait found ready
//
// [eintr]   A signal interrupts the system call, not the wait: it goes on with what is left of its time.
// [forked]  A child of fork() shares the parent's epoll set. So nothing here touches the set on destruction: the
//           child may destroy its copy, and must not wait, add or watch with it.
//
// Take a descriptor out before closing it. One that was closed while it was watched is in error for poll and
// gone without a word for epoll, and either way its number may come back as something else. Where a dup() of it
// stays open, epoll goes on telling of the closed number, and only closing the duplicate ends that.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/epoll.h>
#endif

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <source_location>
#include <span>
#include <system_error>
#include <vector>

#include "platform.hpp"

namespace wakeproof::threads {

using Where = std::source_location;
using clock = std::chrono::steady_clock;
using deadline = std::optional<clock::time_point>;

[[noreturn]] inline void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// For poll and epoll_wait. Rounded up: waking early would make the caller spin for the last millisecond.
inline int timeout_ms(deadline give_up) {
  if (!give_up) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*give_up - clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, std::numeric_limits<int>::max()));
}

// Calls `wait_ms(timeout)`, which answers like poll(), until something is ready (true) or the time is up. [eintr]
template <class Wait>
bool wait_through_signals(deadline give_up, const char* what, Wait wait_ms) {
  for (;;) {
    const int ready = wait_ms(timeout_ms(give_up));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) throw_errno(what);
    if (ready == 0 && give_up && clock::now() >= *give_up) return false;
  }
}

// seam: waits until a descriptor or a wake_pipe is ready, by poll(2): wherever there is no epoll, and to compare with
// it.
class poll_selector {
 public:
  explicit poll_selector(Label = {}) {}
  poll_selector(const poll_selector&) = delete;
  poll_selector& operator=(const poll_selector&) = delete;

  void add(const auto& pipe) { pipes_.push_back({pipe.read_end(), POLLIN, 0}); }

  void watch(int descriptor, Interest interest) {
    if (interest.any() && ::fcntl(descriptor, F_GETFD) < 0) throw_errno("selector: watch");
    std::erase_if(watched_, [&](const pollfd& watched) { return watched.fd == descriptor; });
    if (interest.any()) watched_.push_back({descriptor, events_of(interest), 0});
  }

  bool wait_until(deadline give_up, Where = {}) {
    polled_ = pipes_;
    polled_.insert(polled_.end(), watched_.begin(), watched_.end());
    ready_.clear();
    const bool any = wait_through_signals(give_up, "selector: poll",
                                          [&](int timeout) { return ::poll(polled_.data(), polled_.size(), timeout); });
    if (!any) return false;
    for (std::size_t i = pipes_.size(); i < polled_.size(); ++i) {
      if (polled_[i].revents != 0) ready_.push_back({polled_[i].fd, seen_in(polled_[i].revents)});
    }
    return true;
  }

  std::span<const ReadyDescriptor> ready() const { return ready_; }

 private:
  static short events_of(Interest interest) {
    return static_cast<short>((interest.readable ? POLLIN : 0) | (interest.writable ? POLLOUT : 0));
  }
  static Interest seen_in(short events) { return {(events & ~POLLOUT) != 0, (events & ~POLLIN) != 0}; }

  std::vector<pollfd> pipes_;
  std::vector<pollfd> watched_;
  std::vector<pollfd> polled_;
  std::vector<ReadyDescriptor> ready_;
};

#ifdef __linux__

class epoll_selector {
 public:
  explicit epoll_selector(Label = {}) : set_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (set_ < 0) throw_errno("selector: epoll_create1");
  }
  ~epoll_selector() { ::close(set_); }  // [forked]
  epoll_selector(const epoll_selector&) = delete;
  epoll_selector& operator=(const epoll_selector&) = delete;

  void add(const auto& pipe) { control(EPOLL_CTL_ADD, pipe.read_end(), EPOLLIN, kPipe); }

  void watch(int descriptor, Interest interest) {
    if (!interest.any()) return forget(descriptor);
    const std::uint32_t events = (interest.readable ? EPOLLIN : 0U) | (interest.writable ? EPOLLOUT : 0U);
    // Not a table of our own: the kernel forgets a closed descriptor, and only it knows what a number means now.
    if (try_control(EPOLL_CTL_MOD, descriptor, events, descriptor)) return;
    if (errno != ENOENT) throw_errno("selector: watch");
    control(EPOLL_CTL_ADD, descriptor, events, descriptor);
  }

  bool wait_until(deadline give_up, Where = {}) {
    ready_.clear();
    int count = 0;
    const bool any = wait_through_signals(give_up, "selector: epoll_wait", [&](int timeout) {
      return count = ::epoll_wait(set_, events_, kMostEvents, timeout);
    });
    if (!any) return false;
    for (const epoll_event& event : std::span(events_, static_cast<std::size_t>(count))) {
      if (event.data.fd != kPipe) ready_.push_back({event.data.fd, seen_in(event.events)});
    }
    return true;
  }

  std::span<const ReadyDescriptor> ready() const { return ready_; }

 private:
  static constexpr int kPipe = -1;
  static constexpr int kMostEvents = 64;  // one call's; the kernel takes turns among more

  static Interest seen_in(std::uint32_t events) {
    return {(events & ~std::uint32_t{EPOLLOUT}) != 0, (events & ~std::uint32_t{EPOLLIN}) != 0};
  }

  bool try_control(int operation, int descriptor, std::uint32_t events, int known_as) {
    epoll_event event{};
    event.events = events;
    event.data.fd = known_as;
    return ::epoll_ctl(set_, operation, descriptor, &event) == 0;
  }
  void control(int operation, int descriptor, std::uint32_t events, int known_as) {
    if (!try_control(operation, descriptor, events, known_as)) throw_errno("selector: watch");
  }
  void forget(int descriptor) {
    if (try_control(EPOLL_CTL_DEL, descriptor, 0, descriptor)) return;
    if (errno != ENOENT && errno != EBADF) throw_errno("selector: watch");  // those two: closed before
  }

  const int set_;
  epoll_event events_[kMostEvents];
  std::vector<ReadyDescriptor> ready_;
};

using selector = epoll_selector;

#else

using selector = poll_selector;

#endif

}  // namespace wakeproof::threads
