#include "verdict_help.hpp"

#include <array>
#include <cctype>

namespace wakeproof::models {

namespace {

// In the order of Verdict.
constexpr std::array<VerdictHelp, kVerdicts> kHelp{{
    {"Every execution within the bounds ends well.",
     "The search was complete within the stated bounds and memory model and found nothing, but the scenario says that "
     "something is wrong with its subject.",
     "Either the subject was put right and the scenario's expected verdict is to be changed, or the scenario no longer "
     "shows what it is about: see whether its mutation still applies, and whether the size is at least `fails_from`."},
    {"The consumer sleeps for ever while items are queued.",
     "An execution ends with the consumer waiting, the queue not empty and nobody left who would wake it.",
     "Look at the step after which the wake invariant is broken. Usual causes: the flag or event is cleared after the "
     "last look at the queue, a second look is missing, or a wake that was already taken back counts as on its way."},
    {"Threads wait for each other or for something that does not come.",
     "An execution ends with threads that wait and cannot be let go on, while nothing is queued that was lost.",
     "See who stands where at the end, and who holds the mutexes that are waited for."},
    {"Two threads touch the same plain data and nothing orders them.",
     "Two accesses to plain data, one of them a write, are not ordered by happens-before: undefined behaviour.",
     "Find the release and the acquire, or the mutex, that should order them; a relaxed or missing order is the usual "
     "cause."},
    {"A wait returns again and again, and nothing has happened.",
     "The same wait was passed twice without a step of another thread that its turn looked at: the loop spins.",
     "See that what a wait consumes, an event or the bytes of a pipe, is taken back before the next wait."},
    {"The consumer was woken more often than once a wake cycle.",
     "A wake was rung although one was already on its way: correct, but it costs what the wake flag should save.",
     "See that a put rings only when it was the one to claim the wake."},
    {"An item that was put was never taken.", "An execution ends with every thread done and an item missing.",
     "Follow the item from its put: which step took it out of the queue, or overwrote it?"},
    {"An item was taken twice.", "The consumer took the same item more than once.",
     "Follow the item: which step left it in the queue, or put it back, after it was taken?"},
    {"Items of one producer were taken in another order than they were put.",
     "The consumer took a later item of a producer before an earlier one.",
     "See where batches are put together, reversed or put back."},
    {"A wait outlasted its deadline.", "A call with a timeout went on after its deadline, in virtual time.",
     "Compute the deadline once, at entry, and wait until that."},
    {"Something was used after its lifetime.", "A step touched an object, memory or a pipe after its end.",
     "See who ends the object, and what tells them that nobody touches it any more."},
    {"Something was never freed.", "An execution ends well, and memory of the script's is left.",
     "See who owns it at the end, also on the way that this execution took."},
    {"An assertion of the script or the subject does not hold.", "An execution made a checked condition false.",
     "The detail says which condition; the steps say how it came about."},
    {"The search was stopped before it could say anything.",
     "A budget, a limit or an interrupt came first, or the search is one that never proves. Nothing was found so far.",
     "Give it more time or a higher limit, share it out with -j, go on with --resume, or ask for a smaller size."},
}};

}  // namespace

const VerdictHelp& help_of(Verdict verdict) {
  return kHelp[static_cast<std::size_t>(verdict)];
}

std::string identifier_of(Verdict verdict) {
  std::string identifier;
  bool upper = true;
  for (const char c : name_of(verdict)) {
    if (c != '_') identifier += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = c == '_';
  }
  return identifier;
}

}  // namespace wakeproof::models
