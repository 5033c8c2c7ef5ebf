// wakeproof-fib-server: Fibonacci numbers over TCP, one a line. Stops on SIGTERM and SIGINT.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>

#include "sink/coroutine_server.hpp"

namespace {

wakeproof::FibServer* server_to_stop = nullptr;

void stop_server(int) {
  server_to_stop->stop();
}

int serve(const wakeproof::FibServerOptions& options) {
  wakeproof::FibServer server(options);
  server_to_stop = &server;
  struct sigaction action{};
  action.sa_handler = stop_server;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  std::printf("listening on 127.0.0.1:%u\n", static_cast<unsigned>(server.port()));
  std::fflush(stdout);
  server.run();
  std::signal(SIGTERM, SIG_DFL);  // the server goes
  std::signal(SIGINT, SIG_DFL);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  wakeproof::FibServerOptions options;
  options.port = 25000;
  CLI::App app(
      "Answers each line with the Fibonacci number it asks for.\n"
      "Example: printf '10\\n20\\n' | nc -q1 127.0.0.1 25000");
  app.add_option("--port", options.port, "on 127.0.0.1; 0: any that is free")->capture_default_str();
  app.add_option("--workers", options.workers, "threads that compute")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--most", options.most, "the largest number that is computed")
      ->check(CLI::Range(0, 93))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return serve(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wakeproof-fib-server: %s\n", error.what());
    return 1;
  }
}
