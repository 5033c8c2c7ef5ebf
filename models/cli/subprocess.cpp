#include "subprocess.hpp"

#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "cli.hpp"

namespace wakeproof::models::cli {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

// A file without a name: unlike a pipe it takes any amount, so both streams can be read one after the other.
File scratch() {
  File file(std::tmpfile());
  if (!file) throw UsageError(fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
  return file;
}

std::string content_of(std::FILE* file) {
  std::string content;
  if (std::fseek(file, 0, SEEK_SET) != 0) return content;
  char block[4096];
  while (const std::size_t read = std::fread(block, 1, sizeof block, file)) content.append(block, read);
  return content;
}

std::string last_line_of(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "it said nothing";
  const std::size_t before = text.rfind('\n', end);
  return text.substr(before == std::string::npos ? 0 : before + 1, end - (before == std::string::npos ? -1 : before));
}

}  // namespace

std::string output_of(const std::vector<std::string>& command) {
  const File out = scratch();
  const File complaints = scratch();
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(complaints.get()), STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw UsageError(fmt::format("cannot run {}: {}", command[0], std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw UsageError(fmt::format("{} failed: {}", command[0], last_line_of(content_of(complaints.get()))));
  }
  return content_of(out.get());
}

}  // namespace wakeproof::models::cli
