// The same without the race: ThreadSanitizer must have nothing to say.
#include <atomic>
#include <thread>

int main() {
  std::atomic<int> count{0};
  const auto add = [&count] {
    for (int i = 0; i < 10'000; ++i) ++count;
  };
  std::thread other(add);
  add();
  other.join();
  return count == 0;
}
