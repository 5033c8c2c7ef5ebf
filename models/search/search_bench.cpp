// How fast the search is, and how much of the tree it needs: against stock Relacy on the same
// scenario, same machine, same run.
#include <fmt/core.h>
#include <sys/resource.h>

#include <string_view>

#include "search.hpp"

namespace wakeproof::models {
namespace {

constexpr auto kStockBudget = std::chrono::seconds(20);

SearchResult explore(const char* name, const Bounds& bounds, SearchKind::Name kind) {
  SearchOptions options;
  options.kind.name = kind;
  options.keep_going = true;
  if (options.kind.is_stock()) options.deadline = std::chrono::steady_clock::now() + kStockBudget;
  return search(*scenario_named(name), bounds, options);
}

double rate(const SearchResult& result) {
  return static_cast<double>(result.complete + result.redundant + result.stuck) / std::max(result.wall_s, 1e-9);
}

void compare(const char* name, const Bounds& bounds) {
  const SearchResult ours = explore(name, bounds, SearchKind::Name::dpor);
  const SearchResult stock = explore(name, bounds, SearchKind::Name::relacy_full);
  const bool stopped = !stock.exhausted;
  fmt::print("{:26} {:5} {:>11} {:>9.3f} {:>9.0f}   {:>12}{} {:>8.3f} {:>9.0f}   {}{:.1f}\n", name, size_of(bounds),
             ours.complete + ours.redundant, ours.wall_s, rate(ours), stock.complete, stopped ? "+" : " ", stock.wall_s,
             rate(stock), stopped ? "> " : "", stock.wall_s / ours.wall_s);
}

// Over the whole catalogue, every mutant searched to its end.
void print_executions_per_graph() {
  std::uint64_t executions = 0;
  std::uint64_t begun_in_vain = 0;
  std::uint64_t graphs = 0;
  for (const Scenario& scenario : catalogue()) {
    for (const Bounds& bounds : scenario.sizes) {
      SearchOptions options;
      options.keep_going = true;
      options.graphs = true;
      SearchResult result = search(scenario, bounds, options);
      executions += result.complete + result.redundant;
      begun_in_vain += result.redundant;
      graphs += *distinct_graphs(result, options);
    }
  }
  fmt::print("\nthe catalogue: {} executions for {} graphs, {:.3f} executions a graph; {} were begun in vain\n",
             executions, graphs, static_cast<double>(executions) / static_cast<double>(graphs), begun_in_vain);
}

}  // namespace
}  // namespace wakeproof::models

// --smoke: the smallest comparison only, to see that it runs.
int main(int argc, char** argv) {
  using namespace wakeproof::models;
  const bool smoke = argc > 1 && std::string_view(argv[1]) == "--smoke";
  fmt::print("executions until the whole tree is searched; + stopped at {} s, the tree is larger\n\n",
             kStockBudget.count());
  fmt::print("{:26} {:5} {:>11} {:>9} {:>9}   {:>13} {:>8} {:>9}   {}\n", "scenario", "size", "dpor", "seconds",
             "per s", "relacy-full", "seconds", "per s", "times slower");
  compare("calibration/mutex_sink", {1, 1});
  if (smoke) return 0;
  compare("calibration/mutex_sink", {1, 2});
  compare("calibration/mutex_sink", {2, 1});
  compare("calibration/mutex_sink", {2, 2});
  compare("calibration/tagged_sink", {1, 2});
  compare("calibration/tagged_sink", {2, 1});
  compare("output_sink/correct", {2, 1});
  compare("calibration/tagged_sink", {3, 1});
  print_executions_per_graph();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("\npeak memory {} MB\n", usage.ru_maxrss / 1024);
}
