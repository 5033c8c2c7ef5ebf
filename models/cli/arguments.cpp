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

// CLI11's own say "not in range 0.000000 to 1797..." of it.
CLI::Validator number(bool (*is_right)(double), const char* right) {
  return CLI::Validator(
      [=](const std::string& given) {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(given, value);
        return is_number && is_right(value) ? std::string() : fmt::format("'{}' must be {}", given, right);
      },
      "");
}
CLI::Validator positive() {
  return number([](double value) { return value > 0; }, "a number above 0");
}
CLI::Validator not_negative() {
  return number([](double value) { return value >= 0; }, "a number from 0 on");
}

void add_selection(CLI::App& verb, Selection& selection) {
  verb.add_option("glob", selection.globs, "Only those whose name matches; * also matches /");
  verb.add_option("--exclude", selection.excluded, "But not those whose name matches this glob");
  verb.add_option("--tag", selection.tags,
                  "Only those with this tag, or one of these: its scenario's own, the expected verdict's name,\n"
                  "weak_memory, free_clock");
  verb.add_option("--exclude-tag", selection.excluded_tags, "But not those with this tag");
  CLI::Option* since = verb.add_option("--changed-since", selection.changed_since,
                                       "Only those whose sources git has otherwise than at this revision");
  verb.add_option("--build", selection.build, "The folder of CMake's that this program was built in, if it was moved")
      ->check(CLI::ExistingDirectory)
      ->needs(since);
}

void add_list(CLI::App& app, ListOptions& options) {
  CLI::App* list = app.add_subcommand("list", "Show the scenarios: name, expected verdict, story");
  add_selection(*list, options.selection);
  list->add_flag("--json", options.json, "As one JSON document");
  list->add_flag("--names", options.names, "Only the names, one a line");
  list->footer("Example: wakeproof list 'output_sink/*'");
}

void add_time(CLI::App& verb, const char* option, double& time_s, const char* what) {
  const std::map<std::string, double> units{{"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}};
  verb.add_option(option, time_s, what)
      ->transform(CLI::AsNumberWithUnit(units, CLI::AsNumberWithUnit::UNIT_OPTIONAL, "TIME"))
      ->check(positive());
}

void add_symmetry(CLI::App& verb, bool& symmetry) {
  verb.add_option("--symmetry", symmetry, "off: exchanges producers that are interchangeable too, for dpor")
      ->option_text("on|off [on]");
}

// What is asked stands in the checkpoint: an option that says otherwise is refused.
void add_checkpoints(CLI::App& run, RunOptions& options) {
  run.add_option("--checkpoint", options.checkpoint,
                 "Where a search by dpor that is stopped keeps what is left; '' keeps nothing")
      ->capture_default_str();
  run.add_option("--checkpoint-every", options.checkpoint_every_s,
                 "Seconds; 0 keeps it only when the search is stopped")
      ->check(not_negative())
      ->capture_default_str();
  CLI::Option* resume = run.add_option("--resume", options.resume, "Go on from this checkpoint");
  for (const char* other :
       {"glob", "--exclude", "--tag", "--exclude-tag", "--changed-since", "-P", "-I", "-B", "--ticks", "--search",
        "--seed", "--max-steps", "--graphs", "--keep-going", "--symmetry", "--lock-order"}) {
    resume->excludes(run.get_option(other));
  }
}

void add_shard(CLI::App& verb, Shard& shard) {
  CLI::Option* index = verb.add_option("--shard-index", shard.index, "Only every N-th unit, from this one on; from 0");
  CLI::Option* count = verb.add_option("--shard-count", shard.count, "N")->check(positive());
  index->needs(count);
  count->needs(index);
}

void add_budget(CLI::App& verb, double& budget_s) {
  add_time(verb, "--budget", budget_s, "Wall time for the whole command, as 500ms, 60s, 5m or 1h; then inconclusive");
}

void add_reports(CLI::App& run, RunOptions& options) {
  run.add_option("--json", options.json, "Write the results to this file; - is standard output");
  run.add_option("--junit", options.junit,
                 "The same as JUnit XML: an unexpected verdict is a failure, an inconclusive one an error");
  run.add_option("--sarif", options.sarif, "The verdicts that are not as expected as SARIF 2.1.0");
  run.add_option("--jsonl", options.jsonl, "What happens, as it happens, as one JSON object a line");
  run.add_flag_function(
      "--github,!--no-github", [&](std::int64_t chosen) { options.github = chosen > 0; },
      "Annotations, and a summary into the file that GITHUB_STEP_SUMMARY names; chosen by itself where\n"
      "GITHUB_ACTIONS is true");
}

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App* run = app.add_subcommand("run", "Search scenarios and compare each verdict with the expected one");
  add_selection(*run, options.selection);
  run->add_option("-P,--producers", options.producers, "Producer threads; with -I instead of each scenario's sizes");
  run->add_option("-I,--items", options.items, "Items that each producer puts");
  run->add_option("-B,--batch", options.max_items, "Items that the consumer takes at once, at most")
      ->capture_default_str();
  run->add_option("--ticks", options.ticks,
                  "Of the free clock: a millisecond may pass so often, at any moment; 0: only when nothing else can\n"
                  "happen. Instead of each scenario's");
  run->add_option("--search", options.search, kSearchKinds)->capture_default_str();
  run->add_option("--seed", options.seed, "Of random and pct: the same seed draws the same executions")
      ->check(not_negative())
      ->capture_default_str();
  run->add_option("--max-executions", options.max_executions,
                  "Of each search; without it 100000 where chance draws them, otherwise all there are")
      ->check(positive());
  run->add_option("--max-steps", options.max_steps, "Of each execution; a longer one makes the search inconclusive")
      ->check(CLI::Range(1, kMaxSteps))
      ->capture_default_str();
  run->add_option("-j,--jobs", options.jobs, "Worker processes that share each search; for dpor")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  run->add_flag("--graphs", options.graphs, "Count the distinct execution graphs too; takes memory");
  add_symmetry(*run, options.symmetry);
  run->add_option("--lock-order", options.lock_order,
                  "data: critical sections that do not touch each other's plain data are in no order; for dpor, and\n"
                  "only for scripts that share nothing but modelled objects")
      ->check(CLI::IsMember({"usual", "data"}))
      ->capture_default_str();
  add_budget(*run, options.budget_s);
  add_time(*run, "--budget-each", options.budget_each_s,
           "Wall time for each search; one that needs more is inconclusive, and the next begins");
  run->add_flag("!--no-cache", options.cache,
                "Search anew what this very program proved before. Proofs are kept in the folder that WAKEPROOF_CACHE\n"
                "names, or ~/.cache/wakeproof; nowhere where it is empty");
  run->add_flag("--keep-going", options.keep_going, "Search everything and count the failures too");
  run->add_flag("!--no-steps", options.steps, "Do not show the steps of what was found");
  add_reports(*run, options);
  run->add_option("--progress", options.progress_s,
                  "Seconds between progress lines where standard error is no terminal; 0 tells none anywhere")
      ->check(not_negative())
      ->capture_default_str();
  add_checkpoints(*run, options);
  run->add_option("--traces", options.traces, "Write each unexpected verdict to this folder, as a trace and as a page");
  run->footer(
      "Examples: wakeproof run\n"
      "          wakeproof run output_sink/correct -P 2 -I 2\n"
      "          wakeproof run 'calibration/*' --keep-going --json results.json\n"
      "          wakeproof run --junit junit.xml --sarif wakeproof.sarif --jsonl progress.jsonl\n"
      "          wakeproof run --changed-since origin/main --tag weak_memory\n"
      "          wakeproof run --resume wakeproof.checkpoint");
}

void add_explain(CLI::App& app, ExplainOptions& options) {
  CLI::App* explain = app.add_subcommand("explain", "Find a counterexample, make it small, and tell why it fails");
  explain->add_option("scenario", options.scenario, "Its name");
  explain->add_option("--from", options.from, "Tell this trace document instead (--format json wrote it)");
  explain->add_option("-P,--producers", options.producers,
                      "Producer threads; without -P and -I the smallest that fail");
  explain->add_option("-I,--items", options.items, "Items that each producer puts");
  explain->add_option("--ticks", options.ticks, "Of the free clock; instead of the scenario's");
  explain->add_option("--format", options.format, "text, json, mermaid, or html for a page")->capture_default_str();
  explain->add_flag("--detail", options.detail, "Every lock and unlock as a row of its own");
  explain->add_option("-o,--output", options.output, "Write to this file; - is standard output");
  explain->footer(
      "Exit status 10: it is proved, so there is nothing to explain.\n"
      "Examples: wakeproof explain output_sink/missing_second_drain\n"
      "          wakeproof explain output_sink/missing_second_drain --format html -o lost.html");
}

void add_book(CLI::App& app, BookOptions& options) {
  CLI::App* book = app.add_subcommand("book", "Write every scenario as a page of a static site, with an index");
  book->add_option("folder", options.folder, "Where to")->required();
  book->add_option("--source", options.source, "The tree that holds the sources: for the lines that a mutant changes")
      ->capture_default_str();
  book->footer("Exit status 10: a verdict is not the expected one.\nExample: wakeproof book build/book");
}

void add_replay(CLI::App& app, ReplayOptions& options) {
  CLI::App* replay = app.add_subcommand("replay", "Take the steps of a trace again, and compare each one");
  CLI::Option* trace =
      replay->add_option("trace", options.trace, "A JSON document, of explain --format json or run --traces");
  replay->add_option("--token", options.token, "Take the steps of this token of a report instead")->excludes(trace);
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
      "          wakeproof replay --token 'output_sink/missing_second_drain:1x1:8:0:lost_wakeup:1.1.0.0.0.0.0.1.1.1'\n"
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
  add_symmetry(*audit, options.symmetry);
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

void add_split(CLI::App& app, SplitOptions& options) {
  CLI::App* split = app.add_subcommand("split", "Print one search as work units, one a line, for many machines");
  split->add_option("scenario", options.scenario, "Its name")->required();
  split->add_option("-n,--units", options.units, "At least so many units, where the search is large enough")
      ->required()
      ->check(CLI::Range(1, 1'000'000));
  split->add_option("-P,--producers", options.producers, "Producer threads")->capture_default_str();
  split->add_option("-I,--items", options.items, "Items that each producer puts")->capture_default_str();
  split->add_option("-B,--batch", options.max_items, "Items that the consumer takes at once, at most")
      ->capture_default_str();
  add_shard(*split, options.shard);
  add_symmetry(*split, options.symmetry);
  split->footer(
      "Example: wakeproof split output_sink/correct -P 2 -I 2 -n 64 |\n"
      "           parallel --pipe -N1 --results out 'wakeproof unit -'");
}

void add_unit(CLI::App& app, UnitOptions& options) {
  CLI::App* unit = app.add_subcommand("unit", "Search work units and print a result for each, one a line");
  unit->add_option("unit", options.line, "A line that split printed; - reads lines from standard input")->required();
  add_budget(*unit, options.budget_s);
  add_shard(*unit, options.shard);
  unit->footer(
      "A unit that is stopped by its budget, Ctrl-C or SIGTERM gives back what is left of it as new units:\n"
      "merge --missing prints them.\n"
      "Example: wakeproof unit \"$(wakeproof split output_sink/correct -n 4 | head -1)\"");
}

void add_merge(CLI::App& app, MergeOptions& options) {
  CLI::App* merge = app.add_subcommand("merge", "Put the results of all units of a search together");
  merge->add_option("file", options.files, "Results that unit printed")->required();
  merge->add_flag("--missing", options.missing, "Print the units that have no result yet, as split does");
  merge->footer(
      "A result that is missing, there twice, damaged or of another search is refused by name.\n"
      "Example: wakeproof merge results/*");
}

void add_completion(CLI::App& app, std::string& shell) {
  CLI::App* completion = app.add_subcommand("completion", "Print the completion of this command for a shell");
  completion->add_option("shell", shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->footer("Example: eval \"$(wakeproof completion bash)\"");
  app.add_subcommand("man", "Print the manual page, for man -l -")->footer("Example: wakeproof man | man -l -");
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
  BookOptions book_options;
  add_book(app, book_options);
  ReplayOptions replay_options;
  add_replay(app, replay_options);
  PlayOptions play_options;
  add_play(app, play_options);
  LitmusOptions litmus_options;
  add_litmus(app, litmus_options);
  SplitOptions split_options;
  UnitOptions unit_options;
  MergeOptions merge_options;
  add_split(app, split_options);
  add_unit(app, unit_options);
  add_merge(app, merge_options);
  std::string shell;
  add_completion(app, shell);
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
    if (app.got_subcommand("completion")) return completion(app, shell);
    if (app.got_subcommand("man")) return manual(app);
    if (app.got_subcommand("list")) return list(list_options);
    if (app.got_subcommand("audit")) return audit(audit_options);
    if (app.got_subcommand("explain")) return explain(explain_options);
    if (app.got_subcommand("book")) return book(book_options);
    if (app.got_subcommand("replay")) return replay(replay_options);
    if (app.got_subcommand("play")) return play(play_options);
    if (app.got_subcommand("litmus")) return litmus(litmus_options);
    if (app.got_subcommand("split")) return split(split_options);
    if (app.got_subcommand("unit")) return unit(unit_options);
    if (app.got_subcommand("merge")) return merge(merge_options);
    return run(run_options);
  } catch (const UsageError& error) {
    return complain(error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "wakeproof: internal error: {}\n", error.what());
    return kInternalError;
  }
}

}  // namespace wakeproof::models::cli
