"""Injects faults into a farm that works, and checks what the farm promises.

    Tests/Faults/run --seed 7 --faults 1000

prints a table of the faults, and ends with 1 where a promise was broken.
"""
import argparse
import pathlib
import random
import re
import shutil
import sys
import tempfile
import time

import checks
from farm import Farm
from faults import FAULTS
from films import Films
from load import Load
from report import Report


# The store and the servers break last, because other faults look into them when they are injected.
SERVERS = ["store", "redis", "postgres"]


def choose(rng, faults, combined):
    """One fault, or up to four of different groups. Restarts of everything come alone: they wait for what others break."""
    chosen = rng.choices(faults, [fault.weight for fault in faults])
    while chosen[0].group != "restart" and len(chosen) < 4 and rng.random() < combined:
        groups = {"restart"} | {fault.group for fault in chosen}
        others = [fault for fault in faults if fault.group not in groups and fault.lasts[1] < 60]
        if not others:
            break
        chosen += rng.choices(others, [fault.weight for fault in others])
    return sorted(chosen, key=lambda fault: SERVERS.index(fault.group) + 1 if fault.group in SERVERS else 0)


def inject(farm, rng, chosen):
    """Injects faults, waits as long as they last, and heals them in the reverse order."""
    running = []
    for fault in chosen:
        body = fault.body(farm, rng)
        next(body)
        running.append(body)
    time.sleep(max(rng.uniform(*fault.lasts) for fault in chosen))
    for body in reversed(running):
        for _ in body:
            raise RuntimeError("a fault yields once")


def break_things(farm, load, rng, options, report):
    """Injects faults until there were enough, and checks after each what has to be true at once."""
    faults = [fault for fault in FAULTS if fault.is_possible(farm)]
    if options.only:
        faults = [fault for fault in faults if re.search(options.only, fault.name)]
    end = time.monotonic() + options.minutes * 60 if options.minutes else None
    injected = 0
    while injected < options.faults and (end is None or time.monotonic() < end):
        # Work is under way when a fault comes.
        checks.wait_for_work(farm)
        chosen = choose(rng, faults, options.combined)
        farm.is_whole = len(chosen) == 1
        with report.fault(chosen, farm, load) as row:
            inject(farm, rng, chosen)
            row.healed()
            row.recovered(checks.wait_for_progress(farm, load))
        injected += len(chosen)
        for complaint in checks.audit(farm):
            report.broken(f"after {row.name}: {complaint}")
        print(f"{injected:5} {row}", flush=True)
        time.sleep(rng.uniform(0, 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--faults", type=int, default=1000, help="how many faults are injected")
    parser.add_argument("--minutes", type=float, default=None, help="ends after this time, however many faults there were")
    parser.add_argument("--only", default=None, help="only faults whose names match this regular expression")
    parser.add_argument("--combined", type=float, default=0.3, help="how likely another fault comes at the same time, up to four")
    parser.add_argument("--earlier", default=None, metavar="SPOOL",
                        help="the spool of the version before, from which the farm is upgraded in the middle of the run")
    parser.add_argument("--films", type=int, default=24, help="different drafts")
    parser.add_argument("--open", type=int, default=6, help="exports that are open at a time")
    parser.add_argument("--keep", action="store_true", help="keep the directory with the logs")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2 ** 32)
    print(f"seed {seed}", flush=True)
    rng = random.Random(seed)
    directory = pathlib.Path(tempfile.mkdtemp(prefix="spool-faults-"))
    directory.chmod(0o755)
    report = Report()
    farm = None
    try:
        films = Films(options.program, directory, rng, options.films)
        farm = Farm(options.program, directory, earlier_program=options.earlier)
        print(f"{len(films.films)} films are known; the farm is up, its logs are in {farm.log}", flush=True)
        load = Load(farm, films, random.Random(rng.random()), options.open)
        try:
            break_things(farm, load, rng, options, report)
        except KeyboardInterrupt:
            print("interrupted: what was injected so far is checked", flush=True)
        load.stop()
        checks.wait_for_end(farm, load, report)
        checks.leftovers(farm, report)
        checks.audit_files(farm, report)
        report.exports(load)
        report.attempts(farm)
    finally:
        if farm:
            for stray in farm.close():
                report.broken(f"a process is left over: {stray}")
            for member in farm.members:
                for complaint in member.faults:
                    report.broken(complaint)
        if options.keep or report.complaints:
            print(f"logs are kept in {directory}")
        else:
            shutil.rmtree(directory, ignore_errors=True)
    print(report.table())
    print(report.summary(seed))
    sys.exit(1 if report.complaints else 0)


main()
