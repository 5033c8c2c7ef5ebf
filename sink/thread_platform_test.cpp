// ThreadPlatform's own promises, where the standard library does not make them for us.
#include "thread_platform.hpp"

#include "ci/catch2.hpp"

namespace wakeproof {

using P = ThreadPlatform;
using std::chrono::milliseconds;

TEST_CASE("an event stays set until it is cleared; a timed wait gives up in time") {
  P::event event;
  CHECK_FALSE(event.wait_until(P::clock::now() + milliseconds(5)));
  event.set();
  event.set();
  event.wait();
  CHECK(event.wait_until(std::nullopt));
  event.clear();
  CHECK_FALSE(event.is_set());
  const auto begin = P::clock::now();
  CHECK_FALSE(event.wait_until(begin + milliseconds(20)));
  CHECK(P::clock::now() - begin >= milliseconds(20));
}

TEST_CASE("a pipe says full, is emptied at once, and refuses use after close") {
  P::wake_pipe pipe;
  CHECK(pipe.pending() == 0);
  std::size_t written = 0;
  while (pipe.write_byte() == PipeWrite::written) ++written;
  CHECK(written > 1);
  CHECK(pipe.pending() == 1);
  CHECK(pipe.read_all() == written);
  CHECK(pipe.read_all() == 0);
  pipe.close();
  CHECK_THROWS_AS(pipe.write_byte(), std::logic_error);
  CHECK_THROWS_AS(pipe.read_all(), std::logic_error);
}

TEST_CASE("a selector is level-triggered and gives up in time, never before") {
  P::wake_pipe pipe;
  P::selector selector;
  selector.add(pipe);
  const auto begin = P::clock::now();
  CHECK_FALSE(selector.wait_until(begin + milliseconds(20)));
  CHECK(P::clock::now() - begin >= milliseconds(20));
  CHECK_FALSE(selector.wait_until(P::clock::time_point{}));
  pipe.write_byte();
  CHECK(selector.wait_until(std::nullopt));
  CHECK(selector.wait_until(std::nullopt));
  pipe.read_all();
  CHECK_FALSE(selector.wait_until(P::clock::now()));
}

TEST_CASE("one pointer a thread for each type") {
  CHECK(P::local<int>() == nullptr);
  int value = 0;
  P::local<int>() = &value;
  P::thread other({}, [] { CHECK(P::local<int>() == nullptr); });
  other.join();
  CHECK(P::local<int>() == &value);
  CHECK(P::local<char>() == nullptr);
  P::local<int>() = nullptr;
}

}  // namespace wakeproof
