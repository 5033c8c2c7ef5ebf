# wakeproof_precompile(TARGET [HEADER...]): the standard library, and what else is not this project's, is read once for a
# target and not once a source. A third of the time of a clean build went there. None of our own headers: what a source
# includes itself is what the build writes down about it, and what `--changed-since` goes by.
function(wakeproof_precompile target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <chrono> <condition_variable> <coroutine> <deque> <functional> <map> <memory> <mutex>
    <optional> <string> <thread> <utility> <vector> ${ARGN})
endfunction()
