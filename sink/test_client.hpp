// A client of the server, for tests: blocking, with a limit on every wait.
#pragma once

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <chrono>
#include <string>
#include <string_view>

#include "sockets.hpp"

namespace wakeproof::testing {

class Client {
 public:
  Client() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  explicit Client(std::uint16_t port) : Client() { connect(port); }

  bool connect(std::uint16_t port) {
    const sockaddr_in address = sockets::loopback(port);
    const int yes = 1;
    ::setsockopt(socket_.number(), IPPROTO_TCP, 1 /* TCP_NODELAY */, &yes, sizeof yes);
    return ::connect(socket_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }

  // Before connect(). Answers that nobody reads then soon find no room.
  void take_little() {
    const int least = 1;
    ::setsockopt(socket_.number(), SOL_SOCKET, SO_RCVBUF, &least, sizeof least);
  }

  // All of it; false: the server is gone.
  bool send(std::string_view text) {
    while (!text.empty()) {
      const auto [transfer, bytes] = sockets::send(socket_.number(), text);
      if (transfer != sockets::Transfer::some) return false;
      text.remove_prefix(bytes);
    }
    return true;
  }
  // As much as fits; the number of bytes.
  std::size_t send_until_full(std::string_view text) {
    const auto sent = ::send(socket_.number(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent > 0 ? static_cast<std::size_t>(sent) : 0;
  }

  // True: the server's side has received all that was sent, whether it has read it or not.
  bool all_received() const {
    int unacknowledged = 0;
    return ::ioctl(socket_.number(), TIOCOUTQ, &unacknowledged) == 0 && unacknowledged == 0;
  }

  // The next line; "timeout" or "end" where there is none.
  std::string line(std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
    const timeval limit{timeout.count() / 1000, timeout.count() % 1000 * 1000};
    ::setsockopt(socket_.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    for (;;) {
      const std::size_t end = received_.find('\n');
      if (end != std::string::npos) {
        std::string line = received_.substr(0, end);
        received_.erase(0, end + 1);
        return line;
      }
      char buffer[4096];
      const auto [transfer, bytes] = sockets::receive(socket_.number(), buffer, sizeof buffer);
      if (transfer == sockets::Transfer::over) return "end";
      if (transfer == sockets::Transfer::would_wait) return "timeout";
      received_.append(buffer, bytes);
    }
  }
  std::string ask(const std::string& text) {
    send(text + "\n");
    return line();
  }

  void no_more() { ::shutdown(socket_.number(), SHUT_WR); }
  void close() { socket_ = sockets::Descriptor(); }
  void vanish() {  // with a reset
    const linger at_once{1, 0};
    ::setsockopt(socket_.number(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }

 private:
  sockets::Descriptor socket_;
  std::string received_;
};

}  // namespace wakeproof::testing
