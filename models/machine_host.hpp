// HostCode: a stretch of the machine's own code on a script's fiber; what it allocates is not the script's.
//
// Never across a change of fibers.
#pragma once

#include "machine.hpp"

namespace wakeproof::models {

class Machine::HostCode {
 public:
  explicit HostCode(Machine& machine) : machine_(machine) { ++machine_.host_depth_; }
  ~HostCode() { --machine_.host_depth_; }
  HostCode(const HostCode&) = delete;
  HostCode& operator=(const HostCode&) = delete;

 private:
  Machine& machine_;
};

}  // namespace wakeproof::models
