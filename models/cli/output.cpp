#include "output.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "cli.hpp"

namespace wakeproof::models::cli {

namespace {

UsageError cannot_write(const std::string& path, int error) {
  return UsageError(fmt::format("cannot write '{}': {}", path, std::strerror(error)));
}

// A device or a pipe would be replaced by what is written aside of it.
bool can_be_replaced(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

}  // namespace

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), aside_(can_be_replaced(path_) ? path_ + ".part" : path_) {
  file_ = std::fopen(aside_.c_str(), "w");  // also says so of a folder
  if (file_ == nullptr) throw cannot_write(path_, errno);
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  if (aside_ != path_) std::remove(aside_.c_str());
}

void OutputFile::finish(const std::string& content) {
  const bool written = std::fwrite(content.data(), 1, content.size(), file_) == content.size();
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (written && closed && (aside_ == path_ || std::rename(aside_.c_str(), path_.c_str()) == 0)) return;
  const int error = errno;
  if (aside_ != path_) std::remove(aside_.c_str());
  throw cannot_write(path_, error);
}

LinesFile::LinesFile(std::string path, From from) : path_(std::move(path)), file_(STDOUT_FILENO) {
  if (path_ == "-") return;
  file_ =
      open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (from == From::the_start ? O_TRUNC : 0), 0666);
  if (file_ < 0) throw cannot_write(path_, errno);
}

LinesFile::~LinesFile() {
  if (path_ != "-") close(file_);
}

// In one call where the system takes it so: past the buffers of stdio, which would cut lines where they are full.
void LinesFile::write(const std::string& lines) {
  for (std::size_t done = 0; done < lines.size();) {
    const ssize_t written = ::write(file_, lines.data() + done, lines.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw cannot_write(path_, errno);
    done += static_cast<std::size_t>(written);
  }
}

}  // namespace wakeproof::models::cli
