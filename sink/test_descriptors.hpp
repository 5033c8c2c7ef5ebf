// What the tests of EventLoop do with real descriptors.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "thread_platform.hpp"

namespace wakeproof::testing {

// The two selectors that a loop may sleep in. On Linux the default one is epoll.
struct Polled : ThreadPlatform {
  using selector = threads::poll_selector;
};
using Default = ThreadPlatform;

// Counts how often its loops go to their selector.
template <class Base>
struct CountedWaits : Base {
  class selector : public Base::selector {
   public:
    using Base::selector::selector;
    bool wait_until(threads::deadline give_up) {
      ++waits;
      return Base::selector::wait_until(give_up);
    }
    static inline int waits = 0;
  };
};

// Two connected sockets. `ours` does not block; the other side is what a peer would do.
class SocketPair {
 public:
  SocketPair() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
      threads::throw_errno("socketpair");
    ours = ends[0];
    theirs_ = ends[1];
  }
  ~SocketPair() {
    ::close(ours);
    hang_up();
  }
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;

  std::string receive(std::size_t most = 4096) const {
    std::string bytes(most, '\0');
    const auto got = ::recv(ours, bytes.data(), most, 0);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }
  std::size_t send_some(std::string_view bytes) const {
    const auto sent = ::send(ours, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return sent > 0 ? static_cast<std::size_t>(sent) : 0;
  }
  bool has_room() const {
    pollfd ready{ours, POLLOUT, 0};
    return ::poll(&ready, 1, 0) > 0;
  }

  // On either side; nothing is taken.
  bool anything_arrived() const {
    pollfd ready[2] = {{ours, POLLIN, 0}, {theirs_, POLLIN, 0}};
    return ::poll(ready, 2, 0) > 0;
  }

  void send(std::string_view bytes) const {
    if (::send(theirs_, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size()))
      throw std::runtime_error("SocketPair: the peer cannot send");
  }
  void answer(std::string_view bytes) const { send(bytes); }
  void hang_up() {
    if (theirs_ >= 0) ::close(theirs_);
    theirs_ = -1;
  }

  int ours = -1;

 private:
  int theirs_ = -1;
};

// The descriptors that are open in this process now.
inline std::set<int> open_descriptors() {
  std::set<int> open;
  DIR* directory = ::opendir("/proc/self/fd");
  if (directory == nullptr) throw std::runtime_error("no /proc/self/fd");
  while (const dirent* entry = ::readdir(directory)) {
    if (entry->d_name[0] != '.') open.insert(std::stoi(entry->d_name));
  }
  open.erase(::dirfd(directory));
  ::closedir(directory);
  return open;
}

// Those of `now` that are not in `before`.
inline std::set<int> opened_since(const std::set<int>& before) {
  std::set<int> opened;
  for (const int descriptor : open_descriptors()) {
    if (before.count(descriptor) == 0) opened.insert(descriptor);
  }
  return opened;
}

}  // namespace wakeproof::testing
