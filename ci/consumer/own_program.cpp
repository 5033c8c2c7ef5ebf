// What ships: the same queue on real threads.
#include <wakeproof/sink.hpp>

#include <cstdio>
#include <thread>

#include "own_queue.hpp"

int main() {
  own::OwnQueue<wakeproof::ThreadPlatform, own::Wake::after_change> queue;
  std::thread producer([&] {
    for (int item = 1; item <= 100; ++item) queue.put(item);
  });
  int sum = 0;
  for (int taken = 0; taken < 100; ++taken) sum += queue.take();
  producer.join();
  std::printf("%s: %d\n", WAKEPROOF_VERSION_STRING, sum);
  return sum == 5050 ? 0 : 1;
}
