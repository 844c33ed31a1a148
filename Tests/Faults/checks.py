"""Checks of a farm after a fault."""
import json
import subprocess
import time

# An export that is open for longer than this after the last fault, in seconds, is hung.
PATIENCE = 300


def wait_for_work(farm, seconds=30):
    """Waits until a job is running, so that a fault meets work."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if farm.postgres.value("SELECT 1 FROM attempts WHERE state = 'running' LIMIT 1"):
            return
        time.sleep(0.1)


def wait_for_progress(farm, load):
    """The seconds from now until a job that began later has succeeded; None where that does not happen."""
    begin = time.monotonic()
    since = farm.postgres.value("SELECT clock_timestamp()")
    while time.monotonic() - begin < PATIENCE:
        if not load.open():
            return time.monotonic() - begin
        found = farm.postgres.value(
            "SELECT extract(epoch FROM min(finished_at) - '%s') FROM attempts WHERE state = 'succeeded'"
            " AND dispatched_at > '%s'" % (since, since))
        if found:
            return float(found)
        time.sleep(0.1)
    return None


def audit(farm, seconds=20):
    """The faults that `spool audit` finds and has not found before. The farm has some time to put right what a fault left
    behind. What its leader noted is found each time, as it does not go away."""
    end = time.monotonic() + seconds
    while True:
        try:
            done = subprocess.run(
                [farm.program, "audit", "--json"], capture_output=True, text=True, timeout=60,
                env={"SPOOL_SERVER": farm.servers[0], "SPOOL_TOKEN": farm.token, "PATH": "/usr/bin:/bin"})
            if done.returncode == 0:
                return []
            faults = json.loads(done.stdout)["faults"] if done.returncode == 70 else [done.stderr]
        except subprocess.TimeoutExpired:
            faults = ["spool audit does not end within a minute"]
        faults = [fault for fault in faults if fault not in farm.known_faults]
        if not faults:
            return []
        if time.monotonic() > end:
            farm.known_faults += [fault for fault in faults if isinstance(fault, dict)]
            return faults
        time.sleep(0.5)


def audit_files(farm, report):
    """Compares all files of the store with the database. Files that a fault damaged after their last use are no surprise."""
    output = farm.spool(
        "audit", "files", "--all", "--json", "--database-url", farm.postgres.address, "--store", str(farm.store), check=False)
    for fault in json.loads(output)["faults"]:
        tenant = fault["detail"].split()[2]
        if fault["subject"] not in farm.damaged and fault["rule"] != "films" and tenant not in farm.removed_tenants:
            report.broken(f"audit files: {fault}")


def wait_for_end(farm, load, report):
    """Waits until all exports have ended, and reports those that do not."""
    end = time.monotonic() + PATIENCE
    while load.open() and time.monotonic() < end:
        time.sleep(0.2)
    for export in load.open():
        rows = farm.postgres.run(
            f"SELECT id, kind, state, attempt, failures FROM jobs WHERE export_id = '{export.id}'"
            " AND state NOT IN ('done', 'failed', 'cancelled')") if export.id else []
        report.broken(f"export {export.id} is hung: {rows}")


def work_left(farm):
    """The jobs, taken tickets and reports that there are although all exports have ended."""
    left = []
    rows = farm.postgres.run("SELECT id, state FROM jobs WHERE state NOT IN ('done', 'failed', 'cancelled')")
    if rows:
        left.append(f"jobs are open although all exports have ended: {rows[:5]}")
    for name in farm.redis.run("SMEMBERS", "spool:streams"):
        groups = farm.redis.run("XINFO", "GROUPS", name) if farm.redis.run("EXISTS", name) else []
        for group in groups:
            facts = dict(zip(group[::2], group[1::2]))
            if facts[b"pending"]:
                left.append(f"Redis has {facts[b'pending']} taken tickets in {name.decode()}")
    length = farm.redis.run("XLEN", "spool:reports") if farm.redis.run("EXISTS", "spool:reports") else 0
    if length:
        left.append(f"Redis has {length} reports")
    return left


def leftovers(farm, report):
    """Reports what is left over in a farm that has nothing to do any more. Its last reports may still be on their way."""
    end = time.monotonic() + 20
    while (left := work_left(farm)) and time.monotonic() < end:
        time.sleep(0.1)
    for complaint in left:
        report.broken(complaint)
    # Rendering processes and garbage collection remove what processes that are gone have left.
    farm.spool("gc", "--database-url", farm.postgres.address, "--store", str(farm.store))
    scratch = [file for file in farm.store.glob("tenants/*/tmp/*")] + [file for file in farm.store.glob("assets/tmp/*")]
    if scratch:
        report.broken(f"the store has {len(scratch)} unfinished files, such as {scratch[0]}")
    for stray in farm.strays():
        report.broken(f"a process is left over: {stray}")
