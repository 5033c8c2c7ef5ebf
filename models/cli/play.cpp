// wakeproof play: lines in, lines out, at most 80 columns.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <sstream>

#include "cli.hpp"
#include "models/trace/game.hpp"
#include "models/trace/json.hpp"
#include "models/trace/phrases.hpp"
#include "models/trace/rows.hpp"
#include "models/trace/step_text.hpp"
#include "models/trace/text.hpp"
#include "output.hpp"
#include "select.hpp"

namespace wakeproof::models::cli {

namespace {

constexpr int kColumns = 80;

constexpr const char* kHelp =
    "  a number           that choice; or a thread's name, or how it begins\n"
    "  u, undo [N]        take the last choice back, or the last N\n"
    "  s, state           every thread and object, and what can still come of it\n"
    "  steps              all steps so far\n"
    "  save FILE          the execution as a trace, for replay; where it is not over\n"
    "                     the first thread that can goes on to the end\n"
    "  q, quit\n"
    "Q queue non-empty, A consumer awake, W wake in flight, P a put under way.\n"
    "The wake invariant: where there is Q, there is one of A, W and P.\n";

class Player {
 public:
  Player(const Scenario& scenario, const Bounds& bounds) : game_(scenario, bounds) {
    say(fmt::format("{} at {}", scenario.name, size_of(bounds)));
    say(scenario.story, "  ");
    say("You are the scheduler. 'help' shows what else there is.");
    after_choice();
  }

  // False: that was the last line.
  bool take(const std::string& line) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    std::string rest;
    std::getline(words >> std::ws, rest);
    if (word.empty()) {
      ask();
    } else if (word == "q" || word == "quit") {
      return false;
    } else if (word == "h" || word == "help" || word == "?") {
      fmt::print("{}", kHelp);
    } else if (word == "u" || word == "undo") {
      undo(rest);
    } else if (word == "s" || word == "state") {
      tell_everything();
    } else if (word == "steps") {
      say_text(as_text(game_.trace(), {.columns = kColumns, .detail = true, .title = false}));
    } else if (word == "save") {
      save(rest);
    } else {
      choose(line.substr(line.find_first_not_of(" \t")));
    }
    return true;
  }

  int steps() const { return game_.steps(); }

 private:
  static void say_text(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }
  static void say(const std::string& text, const std::string& indent = "") {
    std::string out;
    append_paragraph(out, text, kColumns, indent, indent + "  ");
    say_text(out);
  }

  const std::string& name(int thread) const { return name_of_thread(game_.trace(), thread); }

  void undo(const std::string& count) {
    int wanted = 1;
    if (!count.empty() && (!is_number(count, wanted) || wanted < 1)) return say("undo takes a number from 1 on");
    int undone = 0;
    while (undone < wanted && game_.undo()) ++undone;
    if (undone == 0) return say("nothing was chosen yet");
    say(fmt::format("took back {} {}", undone, undone == 1 ? "choice" : "choices"));
    said_below_.clear();
    after_choice();
  }

  void save(const std::string& path) {
    if (path.empty()) return say("save takes the name of a file");
    if (game_.asks_for_value()) return say("first choose the value, or undo");
    try {
      OutputFile file(path);
      const Trace trace = game_.completed();
      file.finish(as_json(trace));
      const auto further = static_cast<int>(trace.steps.size()) - game_.steps();
      say(fmt::format("saved '{}': {} steps{}, {}", path, trace.steps.size(),
                      further > 0 ? fmt::format(", the last {} as they come", further) : "", name_of(trace.verdict)));
    } catch (const UsageError& error) {
      say(error.what());
    }
  }

  static bool is_number(const std::string& text, int& number) {
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end;
  }

  // The options that an answer means.
  std::vector<std::size_t> meant(std::string answer) const {
    answer.erase(answer.find_last_not_of(" \t\r") + 1);
    const auto& options = game_.options();
    int number = 0;
    if (is_number(answer, number)) {
      if (number < 1 || static_cast<std::size_t>(number) > options.size()) return {};
      return {static_cast<std::size_t>(number) - 1};
    }
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < options.size() && !game_.asks_for_value(); ++i) {
      if (name(options[i].thread) == answer) return {i};
      if (name(options[i].thread).starts_with(answer)) all.push_back(i);
    }
    return all;
  }

  void choose(const std::string& answer) {
    const std::vector<std::size_t> options = meant(answer);
    if (options.size() != 1) return say(possible());
    if (!game_.choose(options.front())) return say("that shows nothing which another choice does not; choose another");
    after_choice();
  }

  std::string possible() const {
    if (game_.over()) return "it is over: undo, save FILE, state, steps or quit";
    std::string all =
        game_.options().size() == 1 ? "possible is 1" : fmt::format("possible are 1 to {}", game_.options().size());
    for (std::size_t i = 0; i < game_.options().size() && !game_.asks_for_value(); ++i)
      all += fmt::format("{} {}", i == 0 ? ":" : ",", name(game_.options()[i].thread));
    return all + "; or help";
  }

  void after_choice() {
    if (!game_.asks_for_value()) {
      tell_step();
      tell_below();
    }
    ask();
  }

  void tell_step() const {
    const Trace& trace = game_.trace();
    if (trace.steps.empty()) return;
    say_text(StepText(trace, kColumns).step(game_.steps()));
    const TraceStep& step = trace.steps.back();
    const bool held = trace.steps.size() < 2 ? trace.invariant_at_start.holds()
                                             : trace.steps[trace.steps.size() - 2].invariant.holds();
    if (held && !step.invariant.holds()) {
      say("The wake invariant is BROKEN: the queue is non-empty, the consumer sleeps, no wake is in flight, and nobody "
          "is in the middle of a put.");
    }
    if (trace.found_at && *trace.found_at == static_cast<int>(trace.steps.size()) && !game_.over())
      say(fmt::format("Found: {}", trace.verdict == Verdict::proved ? "what the script looks for" : trace.detail));
  }

  void tell_everything() {
    const Trace& trace = game_.trace();
    say(fmt::format("after step {}", trace.steps.size()));
    const auto& threads = trace.steps.empty() ? trace.at_start : trace.steps.back().threads;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const char* state = threads[i].state == TraceThread::State::waits ? "waits at " : "";
      say(fmt::format("{}: {}{}{}", trace.threads[i], state, game_.standing(static_cast<int>(i)),
                      threads[i].in_put ? ", in the middle of a put" : ""),
          "  ");
    }
    StepText text(trace, kColumns);
    if (game_.steps() > 0) text.step(game_.steps());
    for (std::size_t i = 0; i < trace.objects.size(); ++i) {
      const std::string& value = text.value(static_cast<int>(i));
      if (!value.empty()) say(fmt::format("{} {} = {}", trace.objects[i].kind, trace.objects[i].name, value), "  ");
    }
    say_text(text.state());
    if (!game_.over() && !game_.asks_for_value()) say("From here, " + share_in_words(game_.below()) + ".");
    ask();
  }

  // Where it is certain, and was not said yet.
  void tell_below() {
    if (game_.over()) return;
    const TraceShare below = game_.below();
    std::string certain;
    if (!below.capped && below.all > 0 && below.failing == below.all) certain = "From here EVERY completion fails: ";
    if (!below.capped && below.all > 0 && below.failing == 0) certain = "From here no completion fails: ";
    if (!certain.empty() && certain != said_below_) say(certain + share_in_words(below) + ".");
    said_below_ = certain;
  }

  void ask() const {
    const Trace& trace = game_.trace();
    if (game_.over()) {
      const bool well = trace.verdict == Verdict::proved;
      say(fmt::format("THE END after {} steps: {}", trace.steps.size(),
                      well ? "every item was taken, nothing is wrong"
                           : fmt::format("{}: {}", name_of(trace.verdict), trace.detail)));
      return say("undo, save FILE or quit");
    }
    if (game_.asks_for_value()) {
      const TraceStep& step = trace.steps.back();
      say(fmt::format("step {}, {}: {} {}: which one?", step.number, name(step.thread), step.operation,
                      name_of_object(trace, step.object)));
    } else {
      say(fmt::format("step {}, who takes it?", trace.steps.size() + 1));
    }
    for (std::size_t i = 0; i < game_.options().size(); ++i) {
      const Game::Option& option = game_.options()[i];
      say(fmt::format("{}  {}{}", i + 1, game_.asks_for_value() ? "" : name(option.thread) + ": ", option.what), "  ");
    }
    tell_who_waits();
  }

  void tell_who_waits() const {
    const auto& options = game_.options();
    const auto threads = static_cast<int>(game_.trace().threads.size());
    for (int thread = 0; thread < threads && !game_.asks_for_value(); ++thread) {
      const auto mine = [&](const Game::Option& option) { return option.thread == thread; };
      const std::string at = game_.standing(thread);
      if (std::none_of(options.begin(), options.end(), mine) && at != "done")
        say(fmt::format("-  {} cannot: {}", name(thread), at), "  ");
    }
  }

  Game game_;
  std::string said_below_;
};

Bounds bounds_for(const Scenario& scenario, const PlayOptions& options) {
  Bounds bounds = scenario.fails_from.empty() ? scenario.size(1, 1) : scenario.fails_from.front();
  if (options.producers || options.items) {
    bounds = scenario.size(options.producers.value_or(1), options.items.value_or(1));
  }
  const std::string wrong = scenario.reject(bounds);
  if (!wrong.empty()) throw UsageError(wrong);
  return bounds;
}

}  // namespace

int play(const PlayOptions& options) {
  const Scenario& scenario = scenario_called(options.scenario);
  Player player(scenario, bounds_for(scenario, options));
  const auto prompt = [] {
    std::fputs("> ", stdout);
    std::fflush(stdout);
  };
  prompt();
  for (std::string line; std::getline(std::cin, line); prompt()) {
    if (!player.take(line)) return kAsExpected;
  }
  fmt::print("\nend of input after step {}\n", player.steps());
  return kAsExpected;
}

}  // namespace wakeproof::models::cli
