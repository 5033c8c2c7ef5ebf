// The coroutine server over real sockets, line by line of what it promises.
#include "coroutine_server.hpp"

#include <pthread.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <deque>
#include <limits>
#include <thread>

#include "ci/catch2.hpp"
#include "test_client.hpp"

namespace wakeproof {

namespace {

using namespace std::chrono_literals;
using testing::Client;

// A server on a thread of its own, stopped at the end of a test at the latest.
template <class Server = FibServer>
class Running {
 public:
  explicit Running(FibServerOptions options = {}) : server_(std::move(options)), thread_([this] { server_.run(); }) {}
  ~Running() { stop(); }

  std::uint16_t port() const { return server_.port(); }
  void ask_to_stop() { server_.stop(); }
  void stop() {
    if (!thread_.joinable()) return;
    server_.stop();
    thread_.join();
  }
  void interrupt() { ::pthread_kill(thread_.native_handle(), SIGUSR1); }

 private:
  Server server_;
  std::thread thread_;
};

// A computation that takes until the test says so, for numbers of 40 and more.
class Gate {
 public:
  FibServerOptions options(int workers = 4) {
    FibServerOptions options;
    options.workers = workers;
    options.compute = [this](int n) {
      if (n < 40) return fib(n);
      entered_.release(1);
      open_.wait();
      return static_cast<std::uint64_t>(n);
    };
    return options;
  }
  void wait_entered() { entered_.acquire(); }
  void open() { open_.set(); }
  ~Gate() { open(); }

 private:
  threads::semaphore entered_{0};
  threads::event open_;
};

bool is_error(const std::string& line) {
  return line.starts_with("error: ");
}

}  // namespace

TEST_CASE("each line is answered, and in order", "[C2]") {
  Running server;
  Client client(server.port());
  CHECK(client.ask("10") == "55");
  CHECK(client.ask("20") == "6765");
  CHECK(client.ask("30") == "832040");
  CHECK(client.ask("0") == "0");
  CHECK(client.ask("1") == "1");
  // The longest first: the others do not overtake it.
  client.send("27\n1\n2\n3\nx\n4\n");
  CHECK(client.line() == "196418");
  for (const char* answer : {"1", "1", "2"}) CHECK(client.line() == answer);
  CHECK(is_error(client.line()));
  CHECK(client.line() == "3");
}

TEST_CASE("several numbers in one packet, and one number in several", "[C2]") {
  Running server;
  Client client(server.port());
  client.send("10\r\n 11 \n1");
  CHECK(client.line() == "55");
  CHECK(client.line() == "89");
  std::this_thread::sleep_for(30ms);
  client.send("2");
  std::this_thread::sleep_for(30ms);
  client.send("\n");
  CHECK(client.line() == "144");
  client.send("13");  // and no end of the line
  client.no_more();
  CHECK(client.line() == "233");
  CHECK(client.line() == "end");
}

TEST_CASE("bad input gets an error line, and the connection lives", "[C2]") {
  Running server;
  Client client(server.port());
  const std::string longest(100'000, '7');
  for (const std::string& bad :
       {std::string(), std::string("x"), std::string("-5"), std::string("1.5"), std::string("99999999999999999999"),
        std::string("46"), std::string("12 13"), std::string("1\0", 2), std::string("\xff\xfe"), longest}) {
    INFO(bad.substr(0, 30));
    CHECK(is_error(client.ask(bad)));
    CHECK(client.ask("7") == "13");
  }
}

TEST_CASE("a long computation does not hold up short ones while workers are free", "[C1][C2]") {
  Gate gate;
  Running server(gate.options(2));
  Client slow(server.port());
  slow.send("40\n");
  gate.wait_entered();
  Client quick(server.port());
  for (int i = 0; i < 20; ++i) CHECK(quick.ask("12") == "144");
  CHECK(slow.line(0ms + 1ms) == "timeout");
  gate.open();
  CHECK(slow.line() == "40");
}

TEST_CASE("clients that vanish in the middle of a computation harm nobody", "[C2]") {
  Gate gate;
  Running server(gate.options(4));
  for (int i = 0; i < 3; ++i) {
    Client client(server.port());
    client.send("40\n41\n42\n");
    gate.wait_entered();
    if (i == 0) {
      client.close();
    } else {
      client.vanish();
    }
  }
  gate.open();
  Client client(server.port());
  CHECK(client.ask("10") == "55");
}

TEST_CASE("a client that never reads is read from no further, and others go on", "[C1]") {
  FibServerOptions options;
  options.grace = 200ms;
  Running server(options);
  Client deaf(server.port());
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "x\n";  // answered with more bytes than it takes to ask
  std::size_t sent = 0;
  // Both buffers of both directions fill up: then nothing is taken any more.
  for (int idle = 0; idle < 10;) {
    const std::size_t now = deaf.send_until_full(many);
    sent += now;
    idle = now > 0 ? 0 : idle + 1;
    if (now == 0) std::this_thread::sleep_for(20ms);
    REQUIRE(sent < 200'000'000);
  }
  Client client(server.port());
  CHECK(client.ask("10") == "55");
  const auto begin = std::chrono::steady_clock::now();
  server.stop();  // does not wait for it for ever
  CHECK(std::chrono::steady_clock::now() - begin < 20s);
}

TEST_CASE("200 clients at once", "[C2][C5]") {
  Running server;
  std::deque<Client> clients;
  for (int i = 0; i < 200; ++i) clients.emplace_back(server.port());
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 200; ++i) clients[static_cast<std::size_t>(i)].send(std::to_string(i % 20) + "\n");
    int right = 0;
    for (int i = 0; i < 200; ++i) right += clients[static_cast<std::size_t>(i)].line() == std::to_string(fib(i % 20));
    CHECK(right == 200);
  }
}

TEST_CASE("concurrent clients on threads of their own, which come and go", "[C5]") {
  Running server;
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        Client client(server.port());
        for (int n = 1; n < 8; ++n) right += client.ask(std::to_string(n)) == std::to_string(fib(n));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 8 * 10 * 7);
}

TEST_CASE("a stop delivers the answers in flight, and takes no new clients", "[C1]") {
  Gate gate;
  Running server(gate.options(2));
  Client idle(server.port());
  CHECK(idle.ask("10") == "55");
  Client busy(server.port());
  busy.send("40\n10\n");  // one is being computed, one is received
  gate.wait_entered();
  server.ask_to_stop();
  CHECK(idle.line() == "end");
  Client late;
  CHECK_FALSE(late.connect(server.port()));
  gate.open();
  CHECK(busy.line() == "40");
  CHECK(busy.line() == "55");
  CHECK(busy.line() == "end");
  server.stop();
}

TEST_CASE("a server without clients stops at once, and its port is free again") {
  std::uint16_t port = 0;
  for (int i = 0; i < 3; ++i) {
    FibServerOptions options;
    options.port = port;
    Running server(options);
    port = server.port();
    Client client(port);
    CHECK(client.ask("9") == "34");
    server.stop();
    CHECK(client.line() == "end");
  }
}

TEST_CASE("signals in the middle of a system call are nothing to it", "[C1]") {
  struct sigaction nothing{};
  nothing.sa_handler = [](int) {};
  sigaction(SIGUSR1, &nothing, nullptr);
  Running server;
  Client client(server.port());
  for (int i = 0; i < 50; ++i) {
    server.interrupt();
    CHECK(client.ask("10") == "55");
  }
}

TEST_CASE("when descriptors run out, clients wait until a connection ends") {
  Running server;
  Client first;
  Client second;
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit low{64, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &low);
  std::deque<sockets::Descriptor> filler;
  for (;;) {
    sockets::Descriptor one(::dup(0));
    if (!one) one = sockets::Descriptor(::socket(AF_INET, SOCK_STREAM, 0));
    if (!one) break;
    filler.push_back(std::move(one));
  }
  CHECK(first.connect(server.port()));
  CHECK(second.connect(server.port()));
  first.send("10\n");
  second.send("11\n");
  CHECK(first.line(100ms) == "timeout");
  filler.pop_back();  // one for the server
  CHECK(first.line() == "55");
  CHECK(second.line(100ms) == "timeout");
  first.close();
  CHECK(second.line() == "89");
  ::setrlimit(RLIMIT_NOFILE, &before);
}

// --- without the socket pair -----------------------------------------------------------------------------

namespace {

class SilentNotice : public FutureNotice<ThreadPlatform> {
 public:
  void send() {}
};

// The answer becomes ready while the loop sleeps in its selector. What the client gets within `patience`,
// and then after another client has come by.
template <class Server>
std::pair<std::string, std::string> answers_of_a_sleeping_loop(std::chrono::milliseconds patience) {
  Gate gate;
  Running<Server> server(gate.options());
  Client client(server.port());
  client.send("40\n");
  gate.wait_entered();
  std::this_thread::sleep_for(200ms);  // the loop goes to sleep
  gate.open();
  const std::string at_once = client.line(patience);
  if (at_once != "timeout") return {at_once, {}};
  Client other(server.port());
  return {at_once, client.line()};
}

}  // namespace

TEST_CASE("without the socket pair the answer stays until unrelated traffic comes; with it, it is there at once",
          "[C3][C4]") {
  const auto silent = answers_of_a_sleeping_loop<BasicFibServer<SilentNotice>>(1s);
  CHECK(silent.first == "timeout");
  CHECK(silent.second == "40");
  CHECK(answers_of_a_sleeping_loop<FibServer>(30s).first == "40");
}

}  // namespace wakeproof
