#include "output.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "cli.hpp"

namespace wakeproof::models::cli {

OutputFile::OutputFile(std::string path) : path_(std::move(path)), aside_(path_ + ".part") {
  file_ = std::fopen(aside_.c_str(), "w");
  if (file_ == nullptr) throw UsageError(fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::remove(aside_.c_str());
}

void OutputFile::finish(const std::string& content) {
  const bool written = std::fwrite(content.data(), 1, content.size(), file_) == content.size();
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (written && closed && std::rename(aside_.c_str(), path_.c_str()) == 0) return;
  const int error = errno;
  std::remove(aside_.c_str());
  throw UsageError(fmt::format("cannot write '{}': {}", path_, std::strerror(error)));
}

}  // namespace wakeproof::models::cli
