// bug_reports/dbmail_drain_before_read/*: DBMail pull request 559.
#include "dbmail_drain_before_read.hpp"

#include "run_turns.hpp"

namespace wakeproof {
namespace {

const bool added[] = {
    add<RunTurns, JobPipe>({.name = "bug_reports/dbmail_drain_before_read/correct",
                            .story = "DBMail pull request 559, the fix: the main loop empties the self-pipe first and "
                                     "the queue of jobs afterwards."}),
    add<RunTurns, JobPipe>({.name = "bug_reports/dbmail_drain_before_read/drain_before_read",
                            .story = "DBMail pull request 559: the main loop drains the jobs and then throws the "
                                     "bytes away, with them that of a job which came in between. Nothing moves until "
                                     "other traffic comes.",
                            .expected = Verdict::lost_wakeup,
                            .fails_from = kSecondPut,
                            .mutations = {models::swap("empty_pipe", "drain_jobs")}}),
};

}  // namespace
}  // namespace wakeproof
