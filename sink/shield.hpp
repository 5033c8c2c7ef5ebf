// shield: waits for a task without passing a cancellation on to it.
//
//   co_await shield(task)         loop thread   its value or exception. Cancelling who waits here ends the wait with
//                                               `cancelled`; the task goes on, and its handle still knows of it
//   co_await shield(loop, coro)   loop thread   the same for a coroutine, as a new task of the loop
//
// For what must be done to its end once begun, such as the clean-up on shutdown. Whoever is cancelled in
// a shield and wants to be sure awaits the task again. Cancelling the shielded task itself cancels it.
#pragma once

#include "event_loop.hpp"
#include "loop_task.hpp"

namespace wakeproof {

template <Platform P, class T>
auto shield(const LoopTask<P, T>& task) {
  return task.shielded();
}

template <Platform P, class T>
auto shield(EventLoop<P>& loop, Task<T> coroutine) {
  return loop.create_task(std::move(coroutine)).shielded();
}

}  // namespace wakeproof
