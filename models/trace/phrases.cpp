#include "phrases.hpp"

#include "rows.hpp"

namespace wakeproof::models {

std::string smallness_in_words(const Trace& trace) {
  if (!trace.minimum) return "";
  const TraceMinimum& minimum = *trace.minimum;
  const auto some = [](int count, const char* one, const char* many) {
    return (count == 0 ? std::string("no") : std::to_string(count)) + " " + (count == 1 ? one : many);
  };
  return some(static_cast<int>(trace.steps.size()), "step", "steps") + ", " +
         some(minimum.preemptions, "preemption", "preemptions") + ", " +
         some(minimum.stale_reads, "stale read", "stale reads") +
         (minimum.established ? "; there is no smaller one" : "; the smallest that was found");
}

std::string share_in_words(const TraceShare& share) {
  const std::string all = std::string(share.capped ? "the first " : "the ") + std::to_string(share.all) + " executions";
  if (share.all == 0) return "nothing comes to an end";
  if (share.all == 1) return std::string("the one execution there is ") + (share.failing == 1 ? "fails" : "ends well");
  if (share.failing == 0) return "none of " + all + " fails";
  if (share.failing == share.all) return "each of " + all + " fails";
  return std::to_string(share.failing) + " of " + all + (share.failing == 1 ? " fails" : " fail");
}

std::vector<std::string> passing_in_words(const Trace& trace) {
  if (!trace.passing) return {"None was found: it fails whatever the order."};
  const auto at = static_cast<std::size_t>(trace.passing->differs_at - 1);
  return {trace.passing->sentence, (at == 0 ? std::string("It differs from the first step on: ")
                                            : "Up to step " + std::to_string(at) + " it is the same; then ") +
                                       name_of_thread(trace, trace.passing->steps[at].thread) + ": " +
                                       briefly(trace, trace.passing->steps[at]) + "; it ends after " +
                                       std::to_string(trace.passing->steps.size()) + " steps."};
}

std::vector<std::string> no_return_in_words(const Trace& trace) {
  if (!trace.no_return) return {};
  const TraceNoReturn& told = *trace.no_return;
  std::vector<std::string> all{"From the start, " + share_in_words(told.shares.front()) +
                               (told.step ? "." : ": whatever is done, it fails.")};
  if (!told.step) return all;
  const TraceStep& step = trace.steps[static_cast<std::size_t>(*told.step - 1)];
  all.push_back("Before step " + std::to_string(*told.step) + ", " +
                share_in_words(told.shares[static_cast<std::size_t>(*told.step - 1)]) + "; after it (" +
                name_of_thread(trace, step.thread) + ": " + briefly(trace, step) + ") all do.");
  for (const TraceSibling& sibling : told.siblings)
    all.push_back("Instead, " + sibling.what + ": " + share_in_words(sibling.below) + ".");
  return all;
}

}  // namespace wakeproof::models
