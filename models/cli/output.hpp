// OutputFile: a document for a file, written aside and renamed, so that it is whole or not there.
#pragma once

#include <cstdio>
#include <string>

namespace wakeproof::models::cli {

class OutputFile {
 public:
  // Throws UsageError when it cannot be written: before anything else is done.
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void finish(const std::string& content);

 private:
  std::string path_;
  std::string aside_;
  std::FILE* file_;
};

}  // namespace wakeproof::models::cli
