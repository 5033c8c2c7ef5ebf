// FibServer: answers each line with the Fibonacci number it asks for; one loop thread and a pool of workers.
//
//   run()      one thread                      serves until it is stopped and every answer is delivered
//   stop()     any thread, any signal handler  no new clients; what was received is answered
//   port()     any thread
//
// A connection is one task, which takes one line after the other: answers come in order, at most one is
// being computed or sent for each client, and whoever does not read is read from no further. Others go on.
//
// Lifetime: the pool's threads are joined before the scheduler goes, as it asks for.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "coroutine_scheduler.hpp"
#include "line_buffer.hpp"
#include "sockets.hpp"
#include "worker_pool.hpp"

namespace wakeproof {

// By the definition, so that it takes long enough to need a pool.
inline std::uint64_t fib(int n) {
  return n < 2 ? static_cast<std::uint64_t>(n) : fib(n - 1) + fib(n - 2);
}

// What a FibServer is made with.
struct FibServerOptions {
  std::uint16_t port = 0;  // 0: any that is free
  int workers = 4;
  int most = 45;                          // the largest number that is computed
  std::size_t line_bytes = 64;            // a longer line is an error
  std::chrono::milliseconds grace{5000};  // for clients that do not take their answers once it stops
  std::function<std::uint64_t(int)> compute = fib;
};

// `Notice` is how the pool tells the loop; a test puts one in its place that tells nothing.
template <class Notice = FutureNotice<ThreadPlatform>>
class BasicFibServer {
 public:
  explicit BasicFibServer(FibServerOptions options)
      : options_(std::move(options)), listener_(sockets::listen_on(options_.port)), port_(sockets::port_of(listener_)) {
    pool_.start(options_.workers);
  }

  std::uint16_t port() const { return port_; }

  void run() {
    scheduler_.spawn(wait_for_stop());
    scheduler_.spawn(accept_clients());
    scheduler_.run();
  }

  void stop() {
    const int kept = errno;  // of whatever the signal interrupted
    stop_.write_byte();
    errno = kept;
  }

 private:
  using Scheduler = CoroutineScheduler<ThreadPlatform, sockets::SocketSelector, Notice>;

  Task<bool> wait_for_stop() {
    co_await scheduler_.readable(stop_.read_end());
    stopping_ = true;
    listener_ = sockets::Descriptor();  // before any client learns of the stop, and also while nobody accepts
    scheduler_.cancel_waits([](int, Readiness what) { return what == Readiness::readable; });
    scheduler_.selector().alarm(threads::clock::now() + options_.grace, [this] {
      out_of_patience_ = true;
      scheduler_.cancel_waits([](int, Readiness) { return true; });
    });
    co_return true;
  }

  Task<bool> accept_clients() {
    accepting_ = true;
    while (!stopping_) {
      const bool granted = co_await scheduler_.readable(listener_.number());
      if (!granted) break;
      if (!accept_waiting()) break;
    }
    accepting_ = false;  // until a connection ends and leaves its descriptor, or for good
    co_return true;
  }

  // False: descriptors have run out, and some connection has one to give. Whoever was not accepted waits
  // in the system's queue.
  bool accept_waiting() {
    for (;;) {
      sockets::Descriptor client;
      switch (sockets::accept_client(listener_, client)) {
        case sockets::Accept::accepted:
          ++connections_;
          scheduler_.spawn(serve(std::move(client)));
          break;
        case sockets::Accept::nobody: return true;
        case sockets::Accept::no_descriptors:
          if (connections_ > 0) return false;
          std::this_thread::sleep_for(std::chrono::milliseconds(10));  // nobody is held up
          return true;
      }
    }
  }

  Task<bool> serve(sockets::Descriptor client) {
    LineBuffer lines(options_.line_bytes);
    bool more = true;
    bool alive = true;
    while (alive && more) {
      if (!stopping_) co_await scheduler_.readable(client.number());
      more = receive(client.number(), lines);
      while (alive && !out_of_patience_) {
        auto line = lines.next();
        if (!line && !more && !stopping_) line = lines.rest();
        if (!line) break;
        alive = co_await answer(client.number(), request_in(*line, options_.most));
      }
    }
    hang_up(std::move(client));
    co_return true;
  }

  // False: nothing more will come, or what comes is not waited for any more.
  bool receive(int client, LineBuffer& lines) {
    char buffer[4096];
    const auto [transfer, bytes] = sockets::receive(client, buffer, sizeof buffer);
    lines.add({buffer, bytes});
    return transfer != sockets::Transfer::over && !stopping_;
  }

  Task<bool> answer(int client, Request request) {
    std::string text;
    if (request.error.empty()) {
      const auto future = pool_.submit([this, n = request.n] { return options_.compute(n); });
      const std::uint64_t value = co_await scheduler_.done(future);
      text = std::to_string(value) + "\n";
    } else {
      text = "error: " + request.error + "\n";
    }
    std::string_view left = text;
    while (!left.empty()) {
      const auto [transfer, bytes] = sockets::send(client, left);
      left.remove_prefix(bytes);
      if (transfer == sockets::Transfer::over) co_return false;
      if (transfer == sockets::Transfer::would_wait) {
        const bool granted = co_await scheduler_.writable(client);
        if (!granted) co_return false;
      }
    }
    co_return true;
  }

  // What is left unread would turn the end into a reset, which takes delivered answers with it.
  void hang_up(sockets::Descriptor client) {
    ::shutdown(client.number(), SHUT_WR);
    char unread[4096];
    for (int i = 0; i < 16; ++i) {
      if (sockets::receive(client.number(), unread, sizeof unread).first != sockets::Transfer::some) break;
    }
    client = sockets::Descriptor();
    --connections_;
    if (!accepting_ && !stopping_) {
      accepting_ = true;
      scheduler_.spawn(accept_clients());
    }
  }

  FibServerOptions options_;
  sockets::Descriptor listener_;
  std::uint16_t port_;
  threads::wake_pipe stop_;
  int connections_ = 0;
  bool accepting_ = false;
  bool stopping_ = false;
  bool out_of_patience_ = false;
  Scheduler scheduler_;
  WorkerPool<ThreadPlatform> pool_;
};

using FibServer = BasicFibServer<>;

}  // namespace wakeproof
