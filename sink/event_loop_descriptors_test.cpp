// Readers and writers of EventLoop on real descriptors: everything over epoll and over poll.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

#include "ci/catch2.hpp"
#include "event_loop.hpp"
#include "test_descriptors.hpp"
#include "thread_platform.hpp"

namespace wakeproof {

using std::chrono::milliseconds;
using testing::SocketPair;

#define ON_EVERY_SELECTOR(name, tags) TEMPLATE_TEST_CASE(name, tags, testing::Polled, testing::Default)

ON_EVERY_SELECTOR("a reader is called when its descriptor becomes readable, on the loop's thread", "[descriptors]") {
  EventLoop<TestType> loop;
  SocketPair pair;
  std::string received;
  std::thread::id ran_on;
  loop.add_reader(pair.ours, [&] {
    ran_on = std::this_thread::get_id();
    received += pair.receive();
    if (received == "hello") loop.stop();
  });
  std::thread peer([&] { pair.send("hello"); });
  loop.run();
  peer.join();
  CHECK(received == "hello");
  CHECK(ran_on == std::this_thread::get_id());
}

ON_EVERY_SELECTOR("what a reader leaves is reported again in the next turn", "[descriptors]") {
  EventLoop<TestType> loop;
  SocketPair pair;
  pair.send("abc");
  std::string received;
  loop.add_reader(pair.ours, [&] {
    received += pair.receive(1);
    if (received.size() == 3) loop.stop();
  });
  loop.run();
  CHECK(received == "abc");
}

ON_EVERY_SELECTOR("a writer is called while there is room, a reader beside it only for bytes", "[descriptors]") {
  EventLoop<TestType> loop;
  SocketPair pair;
  std::size_t sent = 0;
  int reader_calls = 0;
  loop.add_reader(pair.ours, [&] {
    ++reader_calls;
    CHECK(pair.receive() == "x");
    loop.stop();
  });
  // Fills the socket until there is no room, then lets the other side answer: the writer must be silent by itself.
  loop.add_writer(pair.ours, [&] {
    const std::string chunk(1 << 16, 'w');
    sent += pair.send_some(chunk);
    if (!pair.has_room()) loop.call_soon([&] { pair.answer("x"); });
  });
  loop.run();
  CHECK(sent > 0);
  CHECK(reader_calls == 1);
  CHECK(loop.remove_writer(pair.ours));
  CHECK(!loop.remove_writer(pair.ours));
  CHECK(loop.remove_reader(pair.ours));
}

ON_EVERY_SELECTOR("a removed reader or writer is not called; the other way stays", "[descriptors]") {
  EventLoop<TestType> loop;
  SocketPair pair;
  pair.send("unread");
  int writer_calls = 0;
  loop.add_reader(pair.ours, [] { FAIL("the reader was removed"); });
  loop.add_writer(pair.ours, [&] {
    if (++writer_calls == 3) loop.stop();
  });
  CHECK(loop.remove_reader(pair.ours));
  loop.run();
  CHECK(writer_calls == 3);
  CHECK(!loop.remove_reader(pair.ours));
}

ON_EVERY_SELECTOR("adding again replaces the callback", "[descriptors]") {
  EventLoop<TestType> loop;
  SocketPair pair;
  pair.send("x");
  loop.add_reader(pair.ours, [] { FAIL("this reader was replaced"); });
  int calls = 0;
  loop.add_reader(pair.ours, [&] {
    ++calls;
    loop.stop();
  });
  loop.run();
  CHECK(calls == 1);
}

ON_EVERY_SELECTOR("a callback may remove itself, and others that are ready in the same turn", "[descriptors]") {
  EventLoop<TestType> loop;
  std::array<SocketPair, 2> pairs;
  int calls = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    pairs[i].send("x");
    loop.add_reader(pairs[i].ours, [&, guard = std::make_shared<int>(7)] {
      ++calls;
      for (const SocketPair& pair : pairs) CHECK(loop.remove_reader(pair.ours));
      CHECK(*guard == 7);  // alive until its call ends
      loop.call_later(milliseconds(1), [&] { loop.stop(); });
    });
  }
  loop.run();
  CHECK(calls == 1);
}

// The number comes back at once as another descriptor, which has nothing to read.
ON_EVERY_SELECTOR("what was ready under a number is not told to its next owner", "[descriptors]") {
  EventLoop<TestType> loop;
  std::array<SocketPair, 2> pairs;
  SocketPair silent;
  int calls = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    pairs[i].send("x");
    loop.add_reader(pairs[i].ours, [&, i] {
      ++calls;
      const int reused = pairs[1 - i].ours;
      loop.remove_reader(pairs[i].ours);
      loop.remove_reader(reused);
      REQUIRE(::dup2(silent.ours, reused) == reused);
      loop.add_reader(reused, [] { FAIL("called for what its number's last owner had"); });
      loop.call_later(milliseconds(1), [&] { loop.stop(); });
    });
  }
  loop.run();
  CHECK(calls == 1);
}

// Without a removal, which is the caller's mistake; adding it again must still work.
ON_EVERY_SELECTOR("a descriptor that was closed while watched can be added again", "[descriptors]") {
  EventLoop<TestType> loop;
  SocketPair pair;
  SocketPair second;
  loop.add_reader(pair.ours, [] {});
  REQUIRE(::dup2(second.ours, pair.ours) == pair.ours);
  second.send("y");
  loop.add_reader(pair.ours, [&] { loop.stop(); });
  loop.run();
  CHECK(second.receive() == "y");
}

ON_EVERY_SELECTOR("reader and writer of a closed descriptor can be removed, and the loop sleeps again",
                  "[descriptors]") {
  EventLoop<TestType> loop;
  SocketPair pair;
  loop.add_reader(pair.ours, [] { FAIL("removed"); });
  loop.add_writer(pair.ours, [] { FAIL("removed"); });
  const int number = std::exchange(pair.ours, -1);
  ::close(number);
  CHECK_THROWS_AS(loop.remove_reader(number), std::system_error);
  CHECK(loop.remove_writer(number));
  CHECK(!loop.remove_reader(number));
  loop.call_later(milliseconds(1), [&] { loop.stop(); });
  loop.run();
}

ON_EVERY_SELECTOR("the end of the other side wakes the reader and the writer", "[descriptors]") {
  EventLoop<TestType> loop;
  SocketPair pair;
  int reader_calls = 0;
  loop.add_reader(pair.ours, [&] {
    CHECK(pair.receive().empty());
    if (++reader_calls == 1) loop.stop();
  });
  pair.hang_up();
  loop.run();
  CHECK(reader_calls == 1);
  loop.remove_reader(pair.ours);
  int writer_calls = 0;
  loop.add_writer(pair.ours, [&] {
    ++writer_calls;
    CHECK(::send(pair.ours, "x", 1, MSG_NOSIGNAL) < 0);
    loop.stop();
  });
  loop.run();
  CHECK(writer_calls == 1);
}

// Neither is readable or writable for the system then: there is only the error.
ON_EVERY_SELECTOR("the end of a pipe wakes its reader, and its writer though the pipe is full", "[descriptors]") {
  EventLoop<TestType> loop;
  int ends[2];
  REQUIRE(::pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0);
  const std::string chunk(4096, 'x');
  while (::write(ends[1], chunk.data(), chunk.size()) > 0) {
  }
  loop.add_writer(ends[1], [&] { loop.stop(); });
  ::close(ends[0]);
  loop.run();
  loop.remove_writer(ends[1]);
  ::close(ends[1]);

  REQUIRE(::pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0);
  loop.add_reader(ends[0], [&] { loop.stop(); });
  ::close(ends[1]);
  loop.run();
  CHECK(loop.remove_reader(ends[0]));
  ::close(ends[0]);
}

ON_EVERY_SELECTOR("a loop sleeps through what nobody wants to hear", "[descriptors]") {
  using Counted = testing::CountedWaits<TestType>;
  EventLoop<Counted> loop;
  SocketPair unread;  // readable and writable, and both calls removed
  unread.send("x");
  loop.add_reader(unread.ours, [] { FAIL("removed"); });
  loop.add_writer(unread.ours, [] { FAIL("removed"); });
  CHECK(loop.remove_reader(unread.ours));
  CHECK(loop.remove_writer(unread.ours));
  SocketPair quiet;  // writable, and only a reader
  loop.add_reader(quiet.ours, [] { FAIL("nothing to read"); });
  loop.call_later(milliseconds(20), [&] { loop.stop(); });
  Counted::selector::waits = 0;
  loop.run();
  CHECK(Counted::selector::waits == 1);
}

ON_EVERY_SELECTOR("stop ends the turn: what else is ready is called in the next run", "[descriptors]") {
  EventLoop<TestType> loop;
  std::array<SocketPair, 2> pairs;
  int calls = 0;
  for (SocketPair& pair : pairs) {
    pair.send("x");
    loop.add_reader(pair.ours, [&] {
      ++calls;
      loop.remove_reader(pair.ours);
      loop.stop();
    });
  }
  loop.run();
  CHECK(calls == 1);
  loop.run();
  CHECK(calls == 2);
}

ON_EVERY_SELECTOR("a descriptor that cannot be watched is refused, and nothing changes", "[descriptors]") {
  EventLoop<TestType> loop;
  int closed = 0;
  {
    SocketPair pair;
    closed = pair.ours;
  }
  try {
    loop.add_reader(closed, [] { FAIL("never registered"); });
    FAIL("a closed descriptor was taken");
  } catch (const std::system_error& error) {
    CHECK(error.code().value() == EBADF);
  }
  CHECK(!loop.remove_reader(closed));
  loop.call_later(milliseconds(1), [&] { loop.stop(); });
  loop.run();
}

ON_EVERY_SELECTOR("more ready descriptors than one system call tells starve neither each other nor posts",
                  "[descriptors]") {
  constexpr std::size_t kPairs = 100;
  EventLoop<TestType> loop;
  std::array<SocketPair, kPairs> pairs;
  std::array<int, kPairs> calls{};
  std::size_t called = 0;
  bool post_ran = false;
  const auto stop_when_all = [&] {
    if (called == kPairs && post_ran) loop.stop();
  };
  for (std::size_t i = 0; i < kPairs; ++i) {
    pairs[i].send("x");  // never read: ready in every turn
    loop.add_reader(pairs[i].ours, [&, i] {
      if (++calls[i] == 1) ++called;
      REQUIRE(calls[i] < 100);
      stop_when_all();
    });
  }
  loop.call_soon_threadsafe([&] { post_ran = true; });
  loop.run();
  CHECK(called == kPairs);
  CHECK(post_ran);
}

ON_EVERY_SELECTOR("an exception of a reader comes out of run(), and the loop goes on afterwards", "[descriptors]") {
  EventLoop<TestType> loop;
  SocketPair pair;
  pair.send("x");
  bool thrown = false;
  loop.add_reader(pair.ours, [&] {
    if (!std::exchange(thrown, true)) throw std::runtime_error("reader");
    loop.stop();
  });
  CHECK_THROWS_AS(loop.run(), std::runtime_error);
  CHECK(EventLoop<TestType>::running() == nullptr);
  loop.run();
  CHECK(pair.receive() == "x");
}

ON_EVERY_SELECTOR("close forgets readers, writers and timers, lets go of what they hold, and refuses new ones",
                  "[B6]") {
  EventLoop<TestType> loop;
  SocketPair pair;
  const auto held = std::make_shared<int>(1);
  loop.add_reader(pair.ours, [held] {});
  loop.add_writer(pair.ours, [held] {});
  loop.call_later(milliseconds(1), [held] {});
  loop.call_soon([held] {});
  CHECK(held.use_count() == 5);
  CHECK(loop.close() == 1);
  CHECK(held.use_count() == 1);
  CHECK_THROWS_AS(loop.add_reader(pair.ours, [] {}), loop_closed);
  CHECK_THROWS_AS(loop.call_soon([] {}), loop_closed);
  CHECK_THROWS_AS(loop.call_later(milliseconds(1), [] {}), loop_closed);
  CHECK_THROWS_AS(loop.run(), loop_closed);
  CHECK(!loop.remove_reader(pair.ours));
  CHECK(::fcntl(pair.ours, F_GETFD) >= 0);  // ours to close, not the loop's
}

}  // namespace wakeproof
