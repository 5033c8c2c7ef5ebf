#include "verdict_cache.hpp"

#include <fmt/core.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "models/report/search_json.hpp"
#include "output.hpp"

namespace wakeproof::models::cli {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

constexpr auto kForgottenAfter = std::chrono::hours(24 * 30);  // files of programs that are built no more

fs::path folder() {
  if (const char* named = std::getenv("WAKEPROOF_CACHE")) return named;
  if (const char* caches = std::getenv("XDG_CACHE_HOME"); caches != nullptr && *caches != '\0') {
    return fs::path(caches) / "wakeproof";
  }
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? fs::path() : fs::path(home) / ".cache" / "wakeproof";
}

struct Close {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

// Of the program that runs, 32 hexadecimal digits; empty where it cannot be read.
std::string hash_of_program() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  if (!file) return {};
  const std::unique_ptr<XXH3_state_t, Close> state(XXH3_createState());
  XXH3_128bits_reset(state.get());
  std::vector<char> block(1 << 16);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0) {
    XXH3_128bits_update(state.get(), block.data(), static_cast<std::size_t>(file.gcount()));
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string key_of(const Question& question, const SearchOptions& options) {
  const Bounds& bounds = question.bounds;
  return fmt::format("{} {}x{} batch {} ticks {} {} steps {}", question.scenario->name, bounds.producers, bounds.items,
                     bounds.max_items, bounds.ticks, options.kind.text(), options.max_steps);
}

// Only a search that looks at everything proves, and of graphs nothing is kept.
bool can_be_kept(const SearchOptions& options) {
  const bool proves = options.kind.name == SearchKind::Name::dpor || options.kind.name == SearchKind::Name::exhaustive;
  return proves && !options.kind.locks_by_data && !options.graphs;
}

// The folder may be one that holds documents of the user's too.
bool is_of_a_cache(const fs::path& file) {
  const std::string hash = file.stem().string();
  return file.extension() == ".json" && hash.size() == 32 &&
         hash.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void forget_old_files(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto written = entry.last_write_time(error);
    if (error || !is_of_a_cache(entry.path())) continue;
    if (fs::file_time_type::clock::now() - written > kForgottenAfter) fs::remove(entry.path(), error);
  }
}

}  // namespace

VerdictCache::VerdictCache() {
  const fs::path where = folder();
  const std::string hash = where.empty() ? "" : hash_of_program();
  if (hash.empty()) return;
  path_ = (where / (hash + ".json")).string();
  known_ = read();
}

VerdictCache::Proofs VerdictCache::read() const {
  std::ifstream file(path_);
  if (!file) return {};
  std::ostringstream text;
  text << file.rdbuf();
  try {
    return read_document<BadDocument>(text.str(), [](const ordered_json& json) {
      const ordered_json& content = json.at("proofs");
      if (json.at("check") != hash_of(content.dump())) throw BadDocument("changed since it was written");
      Proofs proofs;
      for (const auto& [key, result] : content.items()) proofs[key] = result_of(result);
      return proofs;
    });
  } catch (const BadDocument& bad) {
    fmt::print(stderr, "wakeproof: the cache '{}' is not used: {}\n", path_, bad.what());
    return {};
  }
}

std::optional<SearchResult> VerdictCache::find(const Question& question, const SearchOptions& options) const {
  const auto found = can_be_kept(options) ? known_.find(key_of(question, options)) : known_.end();
  if (found == known_.end()) return std::nullopt;
  SearchResult result = found->second;
  result.cached = true;
  result.wall_s = 0;
  return result;
}

void VerdictCache::add(const Question& question, const SearchOptions& options, const SearchResult& result) {
  if (path_.empty() || !can_be_kept(options) || result.verdict != Verdict::proved || !result.exhausted) return;
  fresh_[key_of(question, options)] = result;
}

void VerdictCache::save() {
  if (fresh_.empty()) return;
  Proofs all = read();
  for (auto& [key, result] : fresh_) all[key] = std::move(result);
  ordered_json content = ordered_json::object();
  for (const auto& [key, result] : all) content[key] = json_of(result);
  const fs::path folder = fs::path(path_).parent_path();
  try {
    fs::create_directories(folder);
    OutputFile(path_).finish(
        ordered_json{{"wakeproof", WAKEPROOF_VERSION}, {"proofs", content}, {"check", hash_of(content.dump())}}.dump() +
        "\n");
    forget_old_files(folder);
  } catch (const std::exception& error) {
    fmt::print(stderr, "wakeproof: what was proved is not kept: {}\n", error.what());
  }
}

}  // namespace wakeproof::models::cli
