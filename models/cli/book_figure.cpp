// The figure at the beginning of the book: a put between the empty look and the arming.
#include <algorithm>

#include "book_pages.hpp"
#include "models/trace/html_text.hpp"

namespace wakeproof::models::cli {

namespace {

constexpr const char* kShownBy = "output_sink/loop/missing_second_drain";

// The last step before `before` that is part of the named one, or the lock that begins its section; 0:
// there is none.
int last_of(const Trace& trace, const std::string& name, int before) {
  const auto step = [&](int number) -> const TraceStep& { return trace.steps[static_cast<std::size_t>(number - 1)]; };
  const auto is_part = [&](int number) {
    const auto& protocol = step(number).protocol;
    return std::find(protocol.begin(), protocol.end(), name) != protocol.end();
  };
  int at = before - 1;
  while (at > 0 && !is_part(at)) --at;
  while (at > 1 && step(at).operation != "lock" && is_part(at - 1) && step(at - 1).thread == step(at).thread) --at;
  return at;
}

struct Moment {
  const char* time;
  const char* flag;
  const char* queue;
  const char* wakes;
  const char* what;
  std::string where;  // in the counterexample, a link
};

}  // namespace

std::string lost_wakeup_figure(const std::vector<BookEntry>& entries) {
  const auto shown = std::find_if(entries.begin(), entries.end(), [](const BookEntry& entry) {
    return entry.scenario->name == kShownBy && entry.trace;
  });
  if (shown == entries.end()) return "";
  const Trace& trace = *shown->trace;
  const std::string page = file_name_of(kShownBy) + ".html";
  const auto link = [&](int step) {
    if (step == 0) return std::string();
    const std::string number = std::to_string(step);
    return "<a href=\"" + page + "#step-" + number + "\">step " + number + "</a>";
  };
  const int end = static_cast<int>(trace.steps.size());
  const int arms = last_of(trace, "lower_flag", end + 1);
  const int puts = last_of(trace, "append", arms);
  const int looks = last_of(trace, "drain", puts);
  const int takes = last_of(trace, "drain", looks);
  const std::string well = trace.passing ? "<a href=\"" + page + "#passing\">a schedule that ends well</a>" : "";
  const Moment moments[] = {
      {"t0", "up", "empty", "1",
       "The consumer took <i>a</i> straight from the queue. It had no need to sleep, so it did "
       "not arm, and the flag of the last wake is still up.",
       link(takes)},
      {"t1", "up", "empty", "1", "It looks into the queue once more: nothing there.", link(looks)},
      {"t2", "up", "b", "1",
       "Just now another thread puts <i>b</i>. It appends, sees the flag up, and does not ring: "
       "somebody has rung already, it believes.",
       link(puts)},
      {"t3", "down", "b", "1",
       "The consumer arms: it clears the event and lowers the flag. <i>b</i> lies in the queue, and "
       "no wake is on its way.",
       link(arms)},
      {"t4", "down", "empty", "1",
       "It looks a second time, now that the flag is down: there is <i>b</i>. It returns at once; "
       "nobody had to ring.",
       well},
      {"t5", "down", "empty", "2 after the next put",
       "The flag is down and the event clear, so the next put will ring.", ""},
      {"t4'", "down", "b", "1",
       "<span class=\"lost\">&#10007; Without the second look</span> it goes to sleep instead. "
       "Whoever put <i>b</i> did not ring and will not; it lies there until another put, or until a timeout.",
       link(end)},
  };
  std::string out =
      "<section id=\"figure\"><h2>The wakeup that gets lost</h2>\n<p>A wake is dear, so one serves many items: a flag "
      "says "
      "that one is on its way. Everything turns on a put that falls between the consumer's empty look and its "
      "arming.</p>\n"
      "<div class=\"scrolls\" tabindex=\"0\" role=\"region\" aria-label=\"Moment by moment\"><table "
      "class=\"figure\">\n<thead><tr>"
      "<th scope=\"col\">when</th><th scope=\"col\">what happens</th><th scope=\"col\">flag</th><th "
      "scope=\"col\">queue</th>"
      "<th scope=\"col\">wakes sent</th><th scope=\"col\">to see it</th></tr></thead>\n<tbody>";
  for (const Moment& moment : moments) {
    out += std::string("<tr><th scope=\"row\">") + moment.time + "</th><td>" + moment.what +
           "</td><td class=\"flag\">" + moment.flag + "</td><td class=\"queue\">" + moment.queue +
           "</td><td class=\"wakes\">" + moment.wakes + "</td><td>" + moment.where + "</td></tr>\n";
  }
  return out + "</tbody></table>\n<p>t4' step by step, with what each thread knew: <a href=\"" + page + "\">" +
         html_escaped(kShownBy) + "</a>.</p></section>\n";
}

}  // namespace wakeproof::models::cli
