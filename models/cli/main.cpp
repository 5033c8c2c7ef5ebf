#include "cli.hpp"

int main(int argc, char** argv) {
  return wakeproof::models::cli::command(argc, argv);
}
