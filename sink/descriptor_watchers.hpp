// DescriptorWatchers: what an event loop calls when a descriptor becomes readable or writable.
//
//   set(selector, fd, way, f)     loop thread   f is the one call for that way; replaces an earlier one
//   remove(selector, fd, way)     loop thread   false: there was none
//   call_ready(selector, go_on)   loop thread   once a turn, after the selector's wait
//
// [current] A call may remove or replace any other, and itself, and close descriptors whose numbers come back
//           at once. So what a wait found ready is called only if it is still the one that was registered
//           when the wait ended.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "platform.hpp"

namespace wakeproof {

enum class Way { read, write };

template <Platform P>
class DescriptorWatchers {
 public:
  using Callback = std::function<void()>;

  // Throws std::system_error and changes nothing for a descriptor that cannot be watched.
  void set(typename P::selector& selector, int descriptor, Way way, Callback callback) {
    auto call = std::make_shared<const Callback>(std::move(callback));
    Calls calls = calls_of(descriptor);
    calls.of(way) = std::move(call);
    selector.watch(descriptor, calls.interest());
    calls_[descriptor].swap(calls);  // what was replaced goes last: its destructor may call here
  }

  // Throws std::system_error where the other way stays and the descriptor has been closed; it is removed all the
  // same, so that both can be.
  bool remove(typename P::selector& selector, int descriptor, Way way) {
    Calls calls = calls_of(descriptor);
    const Call removed = std::exchange(calls.of(way), nullptr);
    if (!removed) return false;
    const Interest left = calls.interest();
    if (left.any()) {
      calls_[descriptor] = std::move(calls);
    } else {
      calls_.erase(descriptor);
    }
    selector.watch(descriptor, left);
    return true;
  }

  void clear() { const auto gone = std::exchange(calls_, {}); }

  template <class GoOn>
  void call_ready(const typename P::selector& selector, GoOn go_on) {
    std::vector<std::pair<int, Calls>> found;  // as they are now [current]
    for (const ReadyDescriptor& ready : selector.ready()) {
      Calls calls = calls_of(ready.descriptor);
      if (!ready.is.readable) calls.of(Way::read) = nullptr;
      if (!ready.is.writable) calls.of(Way::write) = nullptr;
      found.emplace_back(ready.descriptor, std::move(calls));
    }
    for (auto& [descriptor, calls] : found) {
      for (const Way way : {Way::read, Way::write}) {
        if (!go_on()) return;  // nothing is lost: readiness is level-triggered
        const Call& call = calls.of(way);
        if (call && calls_of(descriptor).of(way) == call) (*call)();
      }
    }
  }

 private:
  using Call = std::shared_ptr<const Callback>;

  struct Calls {
    Call reader, writer;

    Call& of(Way way) { return way == Way::read ? reader : writer; }
    Interest interest() const { return {reader != nullptr, writer != nullptr}; }
    void swap(Calls& other) noexcept { std::swap(*this, other); }
  };

  Calls calls_of(int descriptor) const {
    const auto found = calls_.find(descriptor);
    return found == calls_.end() ? Calls{} : found->second;
  }

  std::map<int, Calls> calls_;
};

}  // namespace wakeproof
