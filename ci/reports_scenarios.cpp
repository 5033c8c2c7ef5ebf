// Scenarios for reports_test.sh: one whose expectation is wrong, one whose mutation no longer shows, and names and
// texts that a format may take for its own.
#include "models/handoff.hpp"

using namespace wakeproof;

namespace {

template <class P>
struct Mailbox {
  void put(int item) {
    {
      typename P::lock_guard guard(lock);
      letters.write().push_back(item);
    }
    bell.set();
  }
  std::vector<int> take() {
    bell.wait();
    std::vector<int> taken;
    {
      typename P::lock_guard guard(lock);
      taken.swap(letters.write());
    }
    bell.clear();
    return taken;
  }
  typename P::mutex lock{"lock|of <the> `box`"};
  typename P::template plain<std::vector<int>> letters{{}, "letters, 100%::sorted\x01"};
  typename P::event bell{"bell #1; ```"};
};

template <class Box>
struct Deliver {
  Deliver(const Bounds&, Ledger& l) : ledger(l) {}
  void put(int, int item) { box.put(item); }
  void consumer() {
    while (ledger.taken() < ledger.expected())
      for (const int item : box.take()) ledger.took(item);
  }
  void judge() {}
  Ledger& ledger;
  Box box;
};

const bool wrong = add<Deliver, Mailbox>({.name = "mailbox/late_clear",
                                          .story = "Clears the bell after taking.",
                                          .expected = Verdict::deadlock,
                                          .fails_from = {{1, 2}, {2, 1}}});
const bool uncaught = add<Deliver, Mailbox>({.name = "mailbox/uncaught",
                                             .story = "Is well with one item, and said to fail.",
                                             .expected = Verdict::lost_wakeup,
                                             .sizes = {{1, 1}}});
const bool odd = add<Deliver, Mailbox>(
    {.name = "odd: 50%, a::b|c<d>&\"e\"\n'f' \x01\xff", .story = "A name to be escaped.", .sizes = {{1, 2}}});

// Twelve more, for a report that shows ten.
const bool many = [] {
  for (int i = 0; i < 12; ++i) {
    add<Deliver, Mailbox>({.name = "many/" + std::to_string(i), .story = "One of many.", .sizes = {{1, 2}}});
  }
  return true;
}();

}  // namespace
