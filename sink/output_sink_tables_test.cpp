// The three worked examples of the sink's requirements, as the tables that they are told in.
//
// Each is run on both wakes; what is seen is printed, and must be the table to the letter.
#include <iostream>
#include <sstream>
#include <thread>

#include "ci/catch2.hpp"
#include "event_wake.hpp"
#include "loop_wake.hpp"
#include "output_sink.hpp"
#include "thread_platform.hpp"

namespace wakeproof {
namespace {

using P = ThreadPlatform;
using std::chrono::milliseconds;
using Batch = std::vector<char>;
constexpr std::size_t kAll = 1'000'000;

// Tells of each arming, which no hook of the sink's does.
class ToldFlag : public WakeFlag<P> {
 public:
  using WakeFlag<P>::WakeFlag;
  void lower() {
    WakeFlag<P>::lower();
    if (lowered) lowered();
  }
  static inline std::function<void()> lowered;
};

struct Blocking {
  OutputSink<P, char, EventWake<P>, ToldFlag> sink;
  Batch get(std::size_t max_items = kAll, std::optional<milliseconds> timeout = {}) {
    return sink.get_batch(max_items, timeout);
  }
};

struct OnLoop {
  EventLoop<P> loop;
  OutputSink<P, char, LoopWake<P>, ToldFlag> sink;
  OnLoop() { sink.bind_loop(loop); }
  Batch get(std::size_t max_items = kAll, std::optional<milliseconds> timeout = {}) {
    return loop.run_until_complete(sink.get_batch(max_items, timeout));
  }
};

std::string text_of(const Batch& batch) {
  std::string text = "[";
  for (const char item : batch) text += (text.size() > 1 ? std::string(",") : std::string()) + item;
  return text + "]";
}

// Prints what was seen and says whether it is the table.
bool is_table(const std::ostringstream& seen, const std::string& table) {
  std::cout << seen.str() << '\n';
  return "\n" + seen.str() == table;
}

}  // namespace

TEMPLATE_TEST_CASE("example 1, as its table", "[tables][A2][A10]", Blocking, OnLoop) {
  TestType consumer;
  std::ostringstream seen;
  const auto row = [&](const std::string& call, const std::string& result) {
    seen << call << std::string(22 - call.size(), ' ') << "| " << result << std::string(6 - result.size(), ' ') << "| "
         << consumer.sink.wakeups_scheduled() << '\n';
  };
  for (const char item : {'a', 'b', 'c'}) consumer.sink.put(item);
  row("put a, put b, put c", "-");
  row("get_batch(2)", text_of(consumer.get(2)));
  row("get_batch(2)", text_of(consumer.get(2)));
  consumer.sink.put('d');
  row("put d", "-");
  row("get_batch()", text_of(consumer.get()));
  row("get_batch(0.05 s)", text_of(consumer.get(kAll, milliseconds(50))));
  consumer.sink.put('e');
  row("put e", "-");
  row("get_batch()", text_of(consumer.get()));
  CHECK(is_table(seen, R"(
put a, put b, put c   | -     | 1
get_batch(2)          | [a,b] | 1
get_batch(2)          | [c]   | 1
put d                 | -     | 1
get_batch()           | [d]   | 1
get_batch(0.05 s)     | []    | 1
put e                 | -     | 2
get_batch()           | [e]   | 2
)"));
}

TEMPLATE_TEST_CASE("example 2, t0 to t5, as its table", "[tables][A4][A6]", Blocking, OnLoop) {
  TestType consumer;
  std::ostringstream seen;
  const auto row = [&](const char* when, const std::string& what) {
    const auto now = consumer.sink.observe();
    seen << when << " | " << what << std::string(22 - what.size(), ' ') << "| flag "
         << (now.flag_raised ? "True " : "False") << " | queued " << now.queued << " | wakes " << now.wakeups_scheduled
         << '\n';
  };
  consumer.sink.put('a');
  row("t0", "took " + text_of(consumer.get()) + " unarmed");
  consumer.sink.after_empty_drain([&] {
    row("t1", "drain: []");
    std::thread([&] { consumer.sink.put('b'); }).join();
    row("t2", "put b, in the hook");
  });
  ToldFlag::lowered = [&] { row("t3", "armed"); };
  const Batch batch = consumer.get(kAll, milliseconds(20'000));
  ToldFlag::lowered = nullptr;
  row("t4", "second drain: " + text_of(batch));
  consumer.sink.put('c');
  row("t5", "put c");
  CHECK(is_table(seen, R"(
t0 | took [a] unarmed      | flag True  | queued 0 | wakes 1
t1 | drain: []             | flag True  | queued 0 | wakes 1
t2 | put b, in the hook    | flag True  | queued 1 | wakes 1
t3 | armed                 | flag False | queued 1 | wakes 1
t4 | second drain: [b]     | flag False | queued 0 | wakes 1
t5 | put c                 | flag True  | queued 1 | wakes 2
)"));
}

TEST_CASE("example 3, as its table", "[tables][A2]") {
  OnLoop consumer;
  std::ostringstream seen;
  // The consumer waits already; the five puts come while its loop's thread is in a callback.
  consumer.loop.call_at(P::clock::now() + milliseconds(10), [&] {
    seen << "waits        | queued " << consumer.sink.observe().queued << " | wakes "
         << consumer.sink.wakeups_scheduled() << '\n';
    std::thread([&] {
      for (const char item : {'0', '1', '2', '3', '4'}) consumer.sink.put(item);
    }).join();
    seen << "5 puts       | queued " << consumer.sink.observe().queued << " | wakes "
         << consumer.sink.wakeups_scheduled() << '\n';
  });
  const Batch batch = consumer.get(kAll, milliseconds(20'000));
  seen << text_of(batch) << "  | queued " << consumer.sink.observe().queued << " | wakes "
       << consumer.sink.wakeups_scheduled() << '\n';
  CHECK(is_table(seen, R"(
waits        | queued 0 | wakes 0
5 puts       | queued 5 | wakes 1
[0,1,2,3,4]  | queued 0 | wakes 1
)"));
}

}  // namespace wakeproof
