// Asker: one client of the server, on a thread of its own, and the books of what it asked and got.
//
//   stays      asks, reads every answer, and is there when the server stops
//   vanishes   the same, and goes in the middle, with a reset or without
//   deaf       asks, and never reads
//   silent     connects, and says nothing
//
// [promised] What the server has received before it is told to stop is answered. A question counts as received when
//            the system has acknowledged it, on a connection that got an answer before (one that was never accepted
//            ends with the listener), and the stop had not been asked for after that.
// [in_doubt] A client that sends while the server stops may be reset, and what it had not read is gone with it. Its
//            answers must be right; how many they are is not required.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "chance.hpp"
#include "ledger.hpp"
#include "questions.hpp"
#include "sink/test_client.hpp"
#include "watchdog.hpp"

namespace wakeproof::soak {

// What the clients of one round and the thread that stops the server tell each other.
struct Stop {
  std::atomic<bool> asked{false};
  std::atomic<bool> over{false};  // the server has ended
  bool deaf_outstay = false;      // deaf clients stay until then, and so keep it waiting
};

class Asker {
 public:
  enum class Manner { stays, vanishes, deaf, silent };

  Asker(std::uint64_t round_seed, std::size_t number, Stop& stop, Watchdog& dog)
      : number_(number),
        chance_(mixed(round_seed, number)),
        manner_(drawn(chance_)),
        questions_(round_seed, number, chance_.number()),
        to_ask_(chance_.size_between(1, 60)),
        stop_(stop),
        dog_(dog) {}

  void run(std::uint16_t port) {
    if (manner_ == Manner::deaf) client_.take_little();
    if (!client_.connect(port)) return check_end();
    switch (manner_) {
      case Manner::stays:
      case Manner::vanishes: converse(); break;
      case Manner::deaf: ask_and_never_read(); break;
      case Manner::silent: wait_for(stop_.asked); break;
    }
    client_.close();
  }

  Manner manner() const { return manner_; }
  const std::string& complaint() const { return complaint_; }
  std::size_t asked() const { return asked_.size(); }
  std::size_t answered() const { return answered_; }
  std::uint64_t sum() const { return sum_; }

 private:
  // Unread by the server at any time. In bytes less than one receive of its, which is what it still does when it is
  // told to stop.
  static constexpr std::size_t kMostOpen = 16;
  static_assert(kMostOpen * (Questions::kMostBytes + 1) < 4096);

  static Manner drawn(Chance& chance) {
    switch (chance.between(0, 11)) {
      case 0: return Manner::deaf;
      case 1: return Manner::silent;
      case 2:
      case 3: return Manner::vanishes;
      default: return Manner::stays;
    }
  }

  void converse() {
    const std::size_t goes_after = manner_ == Manner::vanishes ? chance_.between(0, to_ask_) : to_ask_;
    bool there = true;
    while (there && asked_.size() < goes_after) {
      ask_some(std::min(goes_after - asked_.size(), kMostOpen - (asked_.size() - answered_)));
      there = read(chance_.between(0, asked_.size() - answered_));
      if (asked_.size() - answered_ == kMostOpen) there = there && read(1);
    }
    if (manner_ == Manner::vanishes) return go();
    if (there && read(asked_.size() - answered_)) say_goodbye();
  }

  // Several lines in one packet, one line in several.
  void ask_some(std::size_t most) {
    std::string text;
    for (std::size_t left = chance_.between(1, most); left > 0; --left) {
      asked_.push_back(questions_.next());
      text += asked_.back().line + "\n";
    }
    while (!text.empty()) {
      const std::size_t part = chance_.one_in(2) ? text.size() : chance_.between(1, text.size());
      if (!client_.send(text.substr(0, part))) return;
      text.erase(0, part);
      if (chance_.one_in(4)) chance_.pause();
    }
    if (answered_ == 0) return;
    while (!client_.all_received() && !stop_.asked.load()) std::this_thread::yield();
    if (!stop_.asked.load()) promised_ = asked_.size();
  }

  // False: the server has hung up.
  bool read(std::size_t lines) {
    for (; lines > 0; --lines) {
      const std::string got = next_line();
      if (got == "end") {
        check_end();
        return false;
      }
      const std::string& right = asked_[answered_].answer;
      if (got != right) {
        complain("answer " + std::to_string(answered_) + " is '" + got + "', not '" + right + "'");
        return false;
      }
      sum_ = mixed(sum_, std::hash<std::string>()(got));
      ++answered_;
      dog_.progress();
      if (chance_.one_in(16)) chance_.pause();
    }
    return true;
  }

  std::string next_line() { return client_.line(std::chrono::milliseconds(dog_.patience()) / 2); }

  void check_end() {
    if (!stop_.asked.load()) return complain("the server hung up before it was told to stop");
    if (asked_.size() == promised_ && answered_ < promised_) {
      complain("got " + out_of(answered_, promised_) + " answers that were due when the server stopped");
    }
  }

  // The last line may come without its end.
  void say_goodbye() {
    if (chance_.one_in(2)) return;
    if (chance_.one_in(2)) {
      asked_.push_back(questions_.next_without_end());
      client_.send(asked_.back().line);
    }
    client_.no_more();
    if (!read(asked_.size() - answered_)) return;
    const std::string got = next_line();
    if (got != "end") complain("after the last answer came '" + got + "'");
  }

  void go() {
    chance_.pause();
    if (chance_.one_in(2)) client_.vanish();
  }

  void ask_and_never_read() {
    std::string lines;
    for (int i = 0; i < 500; ++i) lines += "x\n";
    for (int packets = 0; packets < 40 && !stop_.asked.load(); ++packets) {
      client_.send_until_full(lines);
      chance_.pause();
    }
    wait_for(stop_.deaf_outstay ? stop_.over : stop_.asked);
    go();
  }

  static void wait_for(const std::atomic<bool>& told) {
    while (!told.load()) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }

  void complain(const std::string& what) {
    if (complaint_.empty()) complaint_ = "client " + std::to_string(number_) + ": " + what;
  }

  const std::size_t number_;
  Chance chance_;
  const Manner manner_;
  Questions questions_;
  const std::size_t to_ask_;
  Stop& stop_;
  Watchdog& dog_;
  testing::Client client_;
  std::vector<Question> asked_;
  std::size_t answered_ = 0;
  std::size_t promised_ = 0;
  std::uint64_t sum_ = 0;
  std::string complaint_;
};

}  // namespace wakeproof::soak
