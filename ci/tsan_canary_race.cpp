// A data race that ThreadSanitizer must report: two threads add to a plain int.
#include <thread>

int main() {
  int count = 0;
  const auto add = [&count] {
    for (int i = 0; i < 10'000; ++i) ++count;
  };
  std::thread other(add);
  add();
  other.join();
  return count == 0;
}
