// JobPipe: jobs that workers queue, and a byte for each in the main loop's self-pipe, after DBMail's imapd.
//
//   put(producer, item)   any thread      queues a job, then writes a byte
//   turn(took)            the main loop   sleeps in its selector; empties the pipe, then the queue
//
// [bytes_first] A byte that is thrown away announced a job that is taken afterwards. The other way round a job that
//               comes between the two loses its byte.
#pragma once

#include <vector>

#include "sink/locked_queue.hpp"

namespace wakeproof {

template <Platform P>
class JobPipe {
 public:
  JobPipe() { selector_.add(pipe_); }

  void put(int, int item) {
    P::run(step("queue_job", [&] { jobs_.append(item); }),  //
           step("write_byte", [&] { pipe_.write_byte(); }));
  }

  template <class Took>
  void turn(Took took) {
    std::vector<int> batch;
    selector_.wait_until(std::nullopt);
    P::run(step("empty_pipe", [&] { pipe_.read_all(); }),  //
           step("drain_jobs", [&] { jobs_.drain(batch, kAll); }));
    for (const int item : batch) took(item);
  }

  std::size_t peek_queued() const { return jobs_.peek_size(); }

 private:
  static constexpr std::size_t kAll = 1'000'000;

  LockedQueue<P, int> jobs_;
  typename P::wake_pipe pipe_{"self_pipe"};
  typename P::selector selector_{"selector"};
};

}  // namespace wakeproof
