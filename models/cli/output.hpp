// OutputFile: a document for a file, written aside and renamed, so that it is whole or not there.
//
// What is no regular file, such as a device or a pipe, is written to as it is.
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
  std::string aside_;  // or the path itself
  std::FILE* file_;
};

// LinesFile: lines for somebody who reads along, in a file or, as `-`, on standard output; each is there as a whole
// as soon as it is written, so that also a killed program leaves no half one.
class LinesFile {
 public:
  enum class From { the_start, the_end };  // of what the file has: emptied, or added to

  // Throws UsageError when it cannot be written, as write() does.
  LinesFile(std::string path, From from);
  ~LinesFile();
  LinesFile(const LinesFile&) = delete;
  LinesFile& operator=(const LinesFile&) = delete;

  // `lines` ends in a line feed.
  void write(const std::string& lines);

 private:
  std::string path_;
  int file_;
};

}  // namespace wakeproof::models::cli
