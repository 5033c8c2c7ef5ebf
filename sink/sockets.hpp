// What the server asks of the system: descriptors, TCP on the loopback, and a selector over poll(2).
//
// Nothing here waits but SocketSelector::wait. Signals interrupt nothing (EINTR is retried) and a peer that
// is gone is an error of the call, not a signal.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "coroutine_scheduler.hpp"
#include "thread_platform.hpp"
#include "wait_list.hpp"

namespace wakeproof::sockets {

// Owns a descriptor, and closes it. Of one thread at a time.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// Port 0: any that is free. Throws std::system_error.
inline Descriptor listen_on(std::uint16_t port) {
  Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;
  const sockaddr_in address = loopback(port);
  if (!listener) threads::throw_errno("socket");
  ::setsockopt(listener.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(listener.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    threads::throw_errno("bind");
  if (::listen(listener.number(), SOMAXCONN) != 0) threads::throw_errno("listen");
  return listener;
}

inline std::uint16_t port_of(const Descriptor& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    threads::throw_errno("getsockname");
  return ntohs(address.sin_port);
}

enum class Accept { accepted, nobody, no_descriptors };

inline Accept accept_client(const Descriptor& listener, Descriptor& client) {
  for (;;) {
    client = Descriptor(::accept4(listener.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (client) return Accept::accepted;
    if (errno == EINTR || errno == ECONNABORTED) continue;  // a client that left the queue
    const bool exhausted = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
    return exhausted ? Accept::no_descriptors : Accept::nobody;
  }
}

enum class Transfer { some, would_wait, over };

// Gives bytes, or says that there are none yet, or that there will be none.
inline std::pair<Transfer, std::size_t> receive(int socket, char* buffer, std::size_t size_bytes) {
  for (;;) {
    const auto got = ::recv(socket, buffer, size_bytes, 0);
    if (got > 0) return {Transfer::some, static_cast<std::size_t>(got)};
    if (got == 0) return {Transfer::over, 0};
    if (errno == EINTR) continue;
    return {errno == EAGAIN || errno == EWOULDBLOCK ? Transfer::would_wait : Transfer::over, 0};
  }
}

inline std::pair<Transfer, std::size_t> send(int socket, std::string_view bytes) {
  for (;;) {
    const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) return {Transfer::some, static_cast<std::size_t>(sent)};
    if (errno == EINTR) continue;
    return {errno == EAGAIN || errno == EWOULDBLOCK ? Transfer::would_wait : Transfer::over, 0};
  }
}

// Level-triggered, like PipeSelector. All of it is the loop thread's.
class SocketSelector {
 public:
  using Source = int;

  Source source_of(threads::wake_pipe& pipe) { return pipe.read_end(); }

  void wait_for(Source source, Readiness what, Routine* routine, bool in_background) {
    waits_.add(source, what, routine, in_background);
  }
  std::size_t foreground() const { return waits_.foreground(); }

  // One call, made by wait() once `when` has come.
  void alarm(threads::clock::time_point when, std::function<void()> call) {
    alarm_at_ = when;
    alarm_ = std::move(call);
  }

  template <class Ready>
  void wait(bool may_sleep, Ready ready) {
    const threads::deadline only_a_look = threads::clock::time_point{};
    if (poll_until(may_sleep ? alarm_at_ : only_a_look)) {
      std::size_t next = 0;
      waits_.end_where([&](const auto&) { return polled_[next++].revents != 0; }, ready);  // as numbered there
    }
    if (alarm_at_ && threads::clock::now() >= *alarm_at_) {
      alarm_at_.reset();
      std::exchange(alarm_, {})();
    }
  }

  template <class Which, class Ended>
  void cancel(Which which, Ended ended) {
    waits_.cancel(which, ended);
  }

 private:
  bool poll_until(threads::deadline give_up) {
    polled_.clear();
    for (const auto& wait : waits_.all()) {
      polled_.push_back({wait.source, static_cast<short>(wait.what == Readiness::readable ? POLLIN : POLLOUT), 0});
    }
    return threads::wait_through_signals(give_up, "poll",
                                         [&](int timeout) { return ::poll(polled_.data(), polled_.size(), timeout); });
  }

  WaitList<Source> waits_;
  std::vector<pollfd> polled_;
  threads::deadline alarm_at_;
  std::function<void()> alarm_;
};

}  // namespace wakeproof::sockets
