// What the command understands, and what it answers to a call that it does not.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli.hpp"

namespace wakeproof::models::cli {

namespace {

constexpr const char* kEpilogue =
    "Exit status: 0 every verdict is as expected, 1 the call is wrong, 10 a verdict is not the expected\n"
    "one, 12 inconclusive, 70 internal error.\n";

void add_list(CLI::App& app, ListOptions& options) {
  CLI::App* list = app.add_subcommand("list", "Show the scenarios: name, expected verdict, story");
  list->add_option("glob", options.globs, "Only those whose name matches; * also matches /");
  list->add_flag("--json", options.json, "As one JSON document");
  list->footer("Example: wakeproof list 'output_sink/*'");
}

void add_time(CLI::App& verb, const char* option, double& time_s, const char* what) {
  const std::map<std::string, double> units{{"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}};
  verb.add_option(option, time_s, what)
      ->transform(CLI::AsNumberWithUnit(units, CLI::AsNumberWithUnit::UNIT_OPTIONAL, "TIME"))
      ->check(CLI::PositiveNumber);
}

void add_budget(CLI::App& verb, double& budget_s) {
  add_time(verb, "--budget", budget_s, "Wall time for the whole command, as 500ms, 60s, 5m or 1h; then inconclusive");
}

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App* run = app.add_subcommand("run", "Search scenarios and compare each verdict with the expected one");
  run->add_option("glob", options.globs, "Only those whose name matches; * also matches /");
  run->add_option("-P,--producers", options.producers, "Producer threads; with -I instead of each scenario's sizes");
  run->add_option("-I,--items", options.items, "Items that each producer puts");
  run->add_option("-B,--batch", options.max_items, "Items that the consumer takes at once, at most")
      ->capture_default_str();
  run->add_option("--search", options.search, kSearchKinds)->capture_default_str();
  run->add_option("--seed", options.seed, "Of random and pct: the same seed draws the same executions")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  run->add_option("--max-executions", options.max_executions,
                  "Of each search; without it 100000 where chance draws them, otherwise all there are")
      ->check(CLI::PositiveNumber);
  run->add_option("--max-steps", options.max_steps, "Of each execution; a longer one makes the search inconclusive")
      ->check(CLI::Range(1, kMaxSteps))
      ->capture_default_str();
  run->add_option("-j,--jobs", options.jobs, "Worker processes that share each search; for dpor")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  run->add_flag("--graphs", options.graphs, "Count the distinct execution graphs too; takes memory");
  add_budget(*run, options.budget_s);
  run->add_flag("--keep-going", options.keep_going, "Search everything and count the failures too");
  run->add_flag("!--no-steps", options.steps, "Do not show the steps of what was found");
  run->add_option("--json", options.json, "Write the results to this file; - is standard output");
  run->add_option("--traces", options.traces, "Write a trace of each unexpected verdict to this folder");
  run->footer(
      "Examples: wakeproof run\n"
      "          wakeproof run output_sink/correct -P 2 -I 2\n"
      "          wakeproof run 'calibration/*' --keep-going --json results.json");
}

void add_explain(CLI::App& app, ExplainOptions& options) {
  CLI::App* explain = app.add_subcommand("explain", "Find a counterexample, make it small, and tell why it fails");
  explain->add_option("scenario", options.scenario, "Its name")->required();
  explain->add_option("-P,--producers", options.producers,
                      "Producer threads; without -P and -I the smallest that fail");
  explain->add_option("-I,--items", options.items, "Items that each producer puts");
  explain->add_option("--format", options.format, "text, json or mermaid")->capture_default_str();
  explain->add_flag("--detail", options.detail, "Every lock and unlock as a row of its own");
  explain->add_option("-o,--output", options.output, "Write to this file; - is standard output");
  explain->footer(
      "Exit status 10: it is proved, so there is nothing to explain.\n"
      "Example: wakeproof explain output_sink/missing_second_drain");
}

void add_replay(CLI::App& app, ReplayOptions& options) {
  CLI::App* replay = app.add_subcommand("replay", "Take the steps of a trace again, and compare each one");
  replay->add_option("trace", options.trace, "A JSON document, of explain --format json or run --traces")->required();
  replay->add_flag("--threads", options.threads, "On real threads, each step held back until its turn");
  add_time(*replay, "--timeout", options.timeout_s,
           "With --threads: how long a thread may stand still at the end before it counts as asleep for ever");
  replay->add_option("--on", options.on, "Take the same turns on this scenario, as far as they fit");
  replay->add_flag("--step", options.step, "Show each step and wait for Enter before it is taken");
  replay->add_flag("--detail", options.detail, "Every lock and unlock as a row of its own");
  replay->footer(
      "Before each step that is taken one at a time (--step, --threads) the function wakeproof_step(number) is called\n"
      "on the thread that takes it: in gdb, `break wakeproof_step`, `run replay trace.json --threads`, `finish`.\n"
      "Exit status 0: reproduced; 10: not, and the first step that no longer fits is told; 1: no usable trace.\n"
      "Examples: wakeproof explain output_sink/missing_second_drain --format json -o lost.json\n"
      "          wakeproof replay lost.json --threads\n"
      "          wakeproof replay lost.json --threads --on output_sink/correct");
}

void add_play(CLI::App& app, PlayOptions& options) {
  CLI::App* play = app.add_subcommand("play", "Be the scheduler: choose each step of one execution");
  play->add_option("scenario", options.scenario, "Its name")->required();
  play->add_option("-P,--producers", options.producers, "Producer threads; without -P and -I the smallest that fail");
  play->add_option("-I,--items", options.items, "Items that each producer puts");
  play->footer(
      "Reads lines from standard input; `help` shows them.\nExample: wakeproof play output_sink/missing_second_drain");
}

void add_audit(CLI::App& app, AuditCommandOptions& options) {
  CLI::App* audit =
      app.add_subcommand("audit", "Leave out each step, exchange neighbours, weaken each order: who notices?");
  audit->add_option("subject", options.subjects, "A scenario's name, what it begins with up to a /, or a glob")
      ->required();
  audit->add_option("-P,--producers", options.producers, "Producer threads; with -I instead of each scenario's sizes");
  audit->add_option("-I,--items", options.items, "Items that each producer puts");
  add_budget(*audit, options.budget_s);
  audit->add_option("--json", options.json, "Write the report to this file; - is standard output");
  audit->footer(
      "Exit status 10: a change survived without an excuse, or an excuse does not apply.\n"
      "Example: wakeproof audit output_sink slot_sink");
}

void add_litmus(CLI::App& app, LitmusOptions& options) {
  CLI::App* litmus = app.add_subcommand("litmus", "Show what the memory model shows, beside what C++20 allows");
  litmus->add_flag("--json", options.json, "As one JSON document");
  litmus->footer("Exit status 10: a difference to C++20 that is not among the known ones.\nExample: wakeproof litmus");
}

void add_units(CLI::App& app, SplitOptions& options, std::string& line, std::vector<std::string>& files) {
  CLI::App* split = app.add_subcommand("split", "Print one search as work units, one a line, for many machines");
  split->add_option("scenario", options.scenario, "Its name")->required();
  split->add_option("-n,--units", options.units, "At least so many units, where the search is large enough")
      ->required()
      ->check(CLI::Range(1, 1'000'000));
  split->add_option("-P,--producers", options.producers, "Producer threads")->capture_default_str();
  split->add_option("-I,--items", options.items, "Items that each producer puts")->capture_default_str();
  split->add_option("-B,--batch", options.max_items, "Items that the consumer takes at once, at most")
      ->capture_default_str();
  split->footer(
      "Example: wakeproof split output_sink/correct -P 2 -I 2 -n 64 |\n"
      "           parallel --pipe -N1 --results out 'wakeproof unit -'");
  CLI::App* unit = app.add_subcommand("unit", "Search one work unit and print its result");
  unit->add_option("unit", line, "A line that split printed; - reads it from standard input")->required();
  unit->footer("Example: wakeproof unit \"$(wakeproof split output_sink/correct -n 4 | head -1)\"");
  CLI::App* merge = app.add_subcommand("merge", "Put the results of all units of a search together");
  merge->add_option("file", files, "A result that unit printed")->required();
  merge->footer(
      "A result that is missing, there twice, damaged or of another search is refused by name.\n"
      "Example: wakeproof merge results/*");
}

int complain(const std::string& what) {
  fmt::print(stderr, "wakeproof: {}\n", what);
  return kUsage;
}

}  // namespace

int command(int argc, char** argv) {
  CLI::App app{"wakeproof: looks for lost wakeups in the hand-off from many threads to one event loop"};
  app.name("wakeproof");
  app.set_version_flag("--version", "wakeproof " WAKEPROOF_VERSION);
  app.require_subcommand(1);
  app.footer(std::string("Example: wakeproof run 'output_sink/*'\n\n") + kEpilogue);
  ListOptions list_options;
  RunOptions run_options;
  AuditCommandOptions audit_options;
  add_list(app, list_options);
  add_run(app, run_options);
  add_audit(app, audit_options);
  ExplainOptions explain_options;
  add_explain(app, explain_options);
  ReplayOptions replay_options;
  add_replay(app, replay_options);
  PlayOptions play_options;
  add_play(app, play_options);
  LitmusOptions litmus_options;
  add_litmus(app, litmus_options);
  SplitOptions split_options;
  std::string unit_line;
  std::vector<std::string> result_files;
  add_units(app, split_options, unit_line, result_files);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    return complain(std::string(error.what()) + " (wakeproof --help shows what is understood)");
  }
  try {
    if (app.got_subcommand("list")) return list(list_options);
    if (app.got_subcommand("audit")) return audit(audit_options);
    if (app.got_subcommand("explain")) return explain(explain_options);
    if (app.got_subcommand("replay")) return replay(replay_options);
    if (app.got_subcommand("play")) return play(play_options);
    if (app.got_subcommand("litmus")) return litmus(litmus_options);
    if (app.got_subcommand("split")) return split(split_options);
    if (app.got_subcommand("unit")) return unit(unit_line);
    if (app.got_subcommand("merge")) return merge(result_files);
    return run(run_options);
  } catch (const UsageError& error) {
    return complain(error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "wakeproof: internal error: {}\n", error.what());
    return kInternalError;
  }
}

}  // namespace wakeproof::models::cli
