"""Plays sessions against three running daemons, and says what held; run by the Python of .venv:

    session_scenario.py HOST AUTHORITY.pem PORT SMALL_PORT SMALL_PROCESS FORGETFUL_PORT

The second daemon lets nobody register, has room for a few hundred kilobytes a file, and is told to
end, for which its process id is said. The third runs with `--history-versions 20`. At the end, no
message, field, error, change, outcome or part of a group that Protocol/tarn.cddl has may have gone
unseen, but for those that witness.py excuses.
"""

import signal

import scenes_of_channels
import scenes_of_collections
import scenes_of_contents
import scenes_of_digests
import scenes_of_downloads
import scenes_of_greeting
import scenes_of_history
import scenes_of_mismatches
import scenes_of_receipts
import scenes_of_recovery
import scenes_of_sync
import scenes_of_trouble
from stage import holds
from tarn_client import Connection
from witness import OUT_OF_REACH, Recorder


def main():
    # Whoever started this may have blocked the signal that ends it if it waits for ever.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())
    signal.alarm(240)
    recorder = Recorder()
    Connection.witness = recorder
    scenes_of_greeting.doors()
    scenes_of_greeting.hellos()
    scenes_of_greeting.logins()
    scenes_of_greeting.order()
    scenes_of_greeting.leaving()
    one = scenes_of_sync.main_job()
    nine = scenes_of_sync.long_ones(one)
    scenes_of_sync.returns(one, nine)
    scenes_of_mismatches.mismatches(one)
    scenes_of_mismatches.unreadable()
    scenes_of_mismatches.claims(one)
    scenes_of_contents.every_form()
    scenes_of_contents.held_objects()
    scenes_of_contents.growing()
    scenes_of_collections.entries()
    scenes_of_collections.counters()
    scenes_of_collections.belongings()
    scenes_of_collections.uniqueness()
    scenes_of_receipts.overridden()
    scenes_of_receipts.refused()
    scenes_of_history.history()
    scenes_of_receipts.restored()
    scenes_of_channels.several_realms()
    scenes_of_channels.closing()
    scenes_of_channels.limits()
    scenes_of_channels.more_than_granted()
    scenes_of_recovery.cut_off()
    scenes_of_recovery.fork()
    scenes_of_downloads.downloads()
    scenes_of_digests.digests()
    scenes_of_trouble.no_room()
    for sentence in recorder.report():
        print(sentence)
    holds(recorder.report() == [],
          f"all {recorder.count()} forms of tarn.cddl were seen, but for {len(OUT_OF_REACH)}")
    print("all held")


if __name__ == "__main__":
    main()
