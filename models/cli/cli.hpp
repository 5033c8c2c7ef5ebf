// The wakeproof command: one function a verb, and what they share.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/search/search.hpp"

namespace CLI {
class App;
}

namespace wakeproof::models::cli {

enum ExitStatus {
  kAsExpected = 0,
  kUsage = 1,
  kUnexpectedVerdict = 10,
  kInconclusive = 12,
  kInternalError = 70,
};

// Something about the call is wrong: one line that says what, and what would be right.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Which scenarios: those that each of these lets through.
struct Selection {
  std::vector<std::string> globs;     // of names, one of them; none: all
  std::vector<std::string> excluded;  // likewise, none of them
  std::vector<std::string> tags;      // one of them
  std::vector<std::string> excluded_tags;
  std::string changed_since;  // a revision of git's, or empty
  std::string build;          // the folder whose build tells what was changed; empty: this program's own
};

struct ListOptions {
  Selection selection;
  bool json = false;
  bool names = false;  // alone, one a line
};

struct RunOptions {
  Selection selection;
  std::optional<int> producers;
  std::optional<int> items;
  int max_items = Bounds{}.max_items;
  std::optional<int> ticks;  // instead of each scenario's
  std::string search = "dpor";
  std::uint64_t seed = SearchKind{}.seed;
  std::optional<std::uint64_t> max_executions;  // of each search
  int max_steps = kMaxSteps;                    // of each execution
  bool symmetry = true;                         // of interchangeable producers
  std::string lock_order = "usual";
  double budget_s = 0;       // 0: none
  double budget_each_s = 0;  // of each search; 0: none
  int jobs = 1;              // worker processes
  bool graphs = false;
  bool keep_going = false;
  bool steps = true;
  std::string json;  // a file, `-`, or empty; likewise
  std::string junit;
  std::string sarif;
  std::string jsonl;
  std::optional<bool> github;                       // annotations and a summary; none: where GITHUB_ACTIONS is true
  std::string traces;                               // a folder for one document for each unexpected verdict, or empty
  double progress_s = 30;                           // between plain progress lines; 0: no progress is told
  std::string checkpoint = "wakeproof.checkpoint";  // where it is kept; empty: it is not
  double checkpoint_every_s = 60;                   // 0: only at the end
  std::string resume;                               // a checkpoint, or empty
  bool cache = true;                                // take what this very program proved before
};

struct AuditCommandOptions {
  std::vector<std::string> subjects;
  std::optional<int> producers;
  std::optional<int> items;
  bool symmetry = true;
  double budget_s = 0;  // 0: none
  std::string json;     // a file, `-`, or empty
};

// Every `count`-th unit, from the `index`-th on, counted from 0.
struct Shard {
  std::size_t index = 0;
  std::size_t count = 1;
  bool has(std::size_t unit) const { return unit % count == index; }
};

struct ExplainOptions {
  std::string scenario;  // or empty, where
  std::string from;      // a trace document is told
  std::optional<int> producers;
  std::optional<int> items;
  std::optional<int> ticks;  // instead of the scenario's
  std::string format = "text";
  bool detail = false;  // every lock and unlock as a row of its own
  std::string output;   // a file; empty or `-`: standard output
};

struct BookOptions {
  std::string folder;
  std::string source = ".";  // the tree that the scenarios' files are in
};

struct ReplayOptions {
  std::string trace;     // a file, or empty, where
  std::string token;     // a token says what to replay
  std::string on;        // another scenario, which the thread choices are tried on; empty: the trace's own
  bool threads = false;  // real ones
  double timeout_s = 1;  // that a thread may stand still for, at the end of the schedule on real threads
  bool step = false;     // wait for Enter before each step
  bool detail = false;   // every lock and unlock as a row of its own
};

struct PlayOptions {
  std::string scenario;
  std::optional<int> producers;
  std::optional<int> items;
};

struct SplitOptions {
  std::string scenario;
  std::size_t units = 0;  // at least
  int producers = 1;
  int items = 1;
  int max_items = Bounds{}.max_items;
  bool symmetry = true;
  Shard shard;
};

struct UnitOptions {
  std::string line;  // or `-`: all lines of standard input
  double budget_s = 0;
  Shard shard;
};

struct MergeOptions {
  std::vector<std::string> files;
  bool missing = false;  // print the units that have no result yet
};

struct LitmusOptions {
  bool json = false;
};

// What --help says, for a shell and as a manual page.
int completion(const CLI::App& app, const std::string& shell);
int manual(const CLI::App& app);

int list(const ListOptions& options);
int run(const RunOptions& options);
int audit(const AuditCommandOptions& options);
int litmus(const LitmusOptions& options);
int explain(const ExplainOptions& options);
int book(const BookOptions& options);
int replay(ReplayOptions options);
int play(const PlayOptions& options);
int split(const SplitOptions& options);
int unit(const UnitOptions& options);
int merge(const MergeOptions& options);

// The whole command. For programs with scenarios of their own, which call it from their main().
int command(int argc, char** argv);

}  // namespace wakeproof::models::cli
