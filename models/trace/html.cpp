#include "html.hpp"

#include <cctype>

#include "html_rows.hpp"
#include "html_text.hpp"
#include "json.hpp"
#include "page_assets.hpp"
#include "phrases.hpp"
#include "rows.hpp"

namespace wakeproof::models {

namespace {

// The policy keeps the promise that nothing is fetched: not even by what a name might smuggle in.
std::string head_of(const std::string& title) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
         "script-src 'unsafe-inline'; img-src data:\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>" +
         html_clipped(title) + "</title>\n<style>\n" + std::string(kPageStyle) + "</style>\n</head>\n";
}

std::string paragraph(const std::string& text, int steps, const char* kind = "") {
  const std::string attribute = *kind == '\0' ? "" : std::string(" class=\"") + kind + "\"";
  return "<p" + attribute + ">" + html_with_links(text, steps) + "</p>\n";
}

std::string title_of(const Trace& trace) {
  return trace.scenario + " at " + size_of(trace.bounds) + ": " + std::string(name_of(trace.verdict));
}

std::string header_of(const Trace& trace, const HtmlAround& around) {
  const int steps = static_cast<int>(trace.steps.size());
  std::string out = "<header>\n" + around.above + "<h1>" + html_clipped(trace.scenario) + " <small>at " +
                    size_of(trace.bounds) + "</small> <span class=\"verdict\">&#10007; " +
                    std::string(name_of(trace.verdict)) + "</span></h1>\n";
  out += paragraph(trace.detail, 0, "detail") + paragraph(trace.story, 0, "story");
  std::string facts;
  for (const std::string& mutation : trace.mutations) facts += (facts.empty() ? "mutant: " : ", ") + mutation;
  const std::string small = smallness_in_words(trace);
  if (!small.empty()) facts += (facts.empty() ? "" : " \xc2\xb7 ") + small;
  if (!facts.empty()) out += paragraph(facts, steps, "facts");
  return out + around.below_title + "</header>\n";
}

std::string why_of(const Trace& trace) {
  if (trace.why.empty()) return "";
  std::string out = "<section id=\"why\">\n<h2>Why</h2>\n<dl>\n";
  for (const TraceSentence& sentence : trace.why) {
    std::string word = sentence.word;
    if (!word.empty()) word.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
    out += "<div class=\"said\"><dt>" + html_clipped(word) + "</dt><dd>" +
           html_with_links(sentence.text, static_cast<int>(trace.steps.size())) + "</dd></div>\n";
  }
  return out + "</dl>\n</section>\n";
}

std::string thread_in_words(const Trace& trace, const TraceThread& thread) {
  switch (thread.state) {
    case TraceThread::State::done: return "done";
    case TraceThread::State::not_started: return "not started";
    case TraceThread::State::waits:
      if (thread.object < 0) return "waits";
      return "waits for " + name_of_object(trace, thread.object) +
             (thread.held_by ? ", held by " + name_of_thread(trace, *thread.held_by) : "");
    case TraceThread::State::runs: break;
  }
  if (thread.object < 0 || thread.operation.empty()) return "awake";
  return "awake; next: " + thread.operation + " " + name_of_object(trace, thread.object);
}

// Its name, and where several have it, the how manieth it is.
std::string label_of(const Trace& trace, std::size_t object) {
  const std::string& name = trace.objects[object].name;
  int place = 1;
  for (std::size_t i = 0; i < object; ++i) place += trace.objects[i].name == name ? 1 : 0;
  return place == 1 ? name : name + " (" + std::to_string(place) + ")";
}

// The state at the end; the script makes it that of any step.
std::string state_of(const Trace& trace) {
  std::vector<std::string> values;
  for (const TraceObject& object : trace.objects) values.push_back(object.initial);
  for (const TraceStep& step : trace.steps) {
    for (const TraceChange& change : step.changes) values[static_cast<std::size_t>(change.object)] = change.after;
  }
  const auto& threads = trace.steps.empty() ? trace.at_start : trace.steps.back().threads;
  std::string out = "<div id=\"state\">\n<h2>At the end</h2>\n<table class=\"state\">\n<tbody>";
  for (std::size_t i = 0; i < threads.size() && i < trace.threads.size(); ++i)
    out += "<tr><th scope=\"row\">" + html_clipped(trace.threads[i]) + "</th><td>" +
           html_clipped(thread_in_words(trace, threads[i])) + "</td></tr>\n";
  out += "</tbody>\n<tbody>";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].empty()) continue;
    out += "<tr><th scope=\"row\">" + html_clipped(label_of(trace, i)) + "</th><td>" + html_clipped(values[i]) +
           "</td></tr>\n";
  }
  return out + "</tbody>\n</table>\n</div>\n";
}

std::string panel_of(const Trace& trace) {
  return "<section id=\"panel\" aria-label=\"State\" tabindex=\"0\">\n<div id=\"controls\" role=\"group\" "
         "aria-label=\"Go through the "
         "steps\" hidden>\n"
         "<button type=\"button\" id=\"first\" title=\"Home\">start</button>\n"
         "<button type=\"button\" id=\"back\" title=\"Left arrow\">&#9664; back</button>\n"
         "<button type=\"button\" id=\"forward\" title=\"Right arrow\">forward &#9654;</button>\n"
         "<button type=\"button\" id=\"last\" title=\"End\">end</button>\n"
         "<button type=\"button\" id=\"failure\" title=\"f\">&#10007; failure</button>\n</div>\n" +
         state_of(trace) + "</section>\n";
}

std::string waiting_of(const Trace& trace) {
  if (trace.waiting.empty()) return "";
  const int steps = static_cast<int>(trace.steps.size());
  std::string out = "<section id=\"waiting\">\n<h2>Who waits at the end, and for what</h2>\n<ul>\n";
  for (const TraceWaiting& waiting : trace.waiting) {
    std::string text = name_of_thread(trace, waiting.thread) + " stands at " + waiting.operation + " " +
                       name_of_object(trace, waiting.object) + " for ever.";
    if (waiting.last_signal)
      text += " The last step that would have let it go on was " + step_name(*waiting.last_signal) +
              (waiting.last_taken ? "; " + step_name(*waiting.last_taken) + " took that back." : ".");
    for (std::size_t i = 0; i < waiting.could_have_woken.size() && i < waiting.but.size(); ++i)
      text += " " + name_of_thread(trace, waiting.could_have_woken[i]) + " could have woken it, but " + waiting.but[i] +
              ".";
    out += "<li>" + html_with_links(text, steps) + "</li>\n";
  }
  return out + "</ul>\n</section>\n";
}

std::string section(const char* id, const char* title, const std::vector<std::string>& paragraphs, int steps,
                    const std::string& more = "") {
  if (paragraphs.empty()) return "";
  std::string out = std::string("<section id=\"") + id + "\">\n<h2>" + title + "</h2>\n";
  for (const std::string& text : paragraphs) out += paragraph(text, steps);
  return out + more + "</section>\n";
}

constexpr const char* kLegend =
    "<section id=\"legend\">\n<h2>How to read it</h2>\n"
    "<p>The wake invariant, after each row: where the queue is not empty, the consumer is awake, or a wake is in "
    "flight, or a put is under way. <i>preempts</i>: the thread before could have gone on; <i>switch</i>: it could "
    "not. The last column counts, of all executions that begin as this one did up to there, those that fail.</p>\n"
    "<p class=\"keys\">Keys: <kbd>&#8594;</kbd> forward, <kbd>&#8592;</kbd> back, <kbd>Home</kbd> start, "
    "<kbd>End</kbd> end, <kbd>f</kbd> the failure, <kbd>a</kbd> all steps or folded. A link to one step: "
    "<code>#step-7</code> after this page's address.</p>\n</section>\n";

// A `<` stands in a string only: written as an escape it cannot end the script. Without the indentation,
// which is a third of the document; a line's end stands nowhere else.
std::string embedded_json(const Trace& trace) {
  std::string out;
  bool line_begins = true;
  for (const char c : as_json(trace)) {
    if (c == '<') {
      out += "\\u003c";
    } else if (c != ' ' || !line_begins) {
      out += c;
    }
    line_begins = c == '\n' || (line_begins && c == ' ');
  }
  return out;
}

}  // namespace

std::string as_html(const Trace& trace, const HtmlAround& around) {
  const int steps = static_cast<int>(trace.steps.size());
  std::string out = head_of(title_of(trace)) + "<body>\n" + header_of(trace, around);
  out += "<main class=\"trace\">\n<div id=\"stage\">\n<div id=\"story\">\n" + why_of(trace) +
         "<section id=\"steps\">\n<h2>What happened</h2>\n";
  out +=
      "<label class=\"fold\"><input type=\"checkbox\" id=\"all\" autocomplete=\"off\"> every lock and unlock as a "
      "row of its own</label>\n";
  out += html_steps(trace) + "</section>\n</div>\n" + panel_of(trace) + "</div>\n";
  out += waiting_of(trace);
  out += section("passing", "The nearest schedule that ends well", passing_in_words(trace), steps, html_passing(trace));
  out += section("no-return", "The point of no return", no_return_in_words(trace), steps);
  out += std::string(kLegend) + "<p id=\"said\" role=\"status\"></p>\n</main>\n";
  return out + "<script type=\"application/json\" id=\"trace\">\n" + embedded_json(trace) + "</script>\n<script>\n" +
         std::string(kPageScript) + "</script>\n</body>\n</html>\n";
}

std::string html_page(const std::string& title, const std::string& body) {
  return head_of(title) + "<body>\n" + body + "</body>\n</html>\n";
}

}  // namespace wakeproof::models
