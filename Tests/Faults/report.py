"""The table of faults and the list of broken promises."""
import collections
import contextlib
import time


class Row:
    """One injection: of a fault, or of two together."""

    def __init__(self, chosen, exports):
        self.name, self.exports = " + ".join(fault.name for fault in chosen), exports
        self.begin, self.lasted, self.recovery = time.monotonic(), 0.0, None

    def healed(self):
        self.lasted = time.monotonic() - self.begin

    def recovered(self, seconds):
        self.recovery = seconds

    def __str__(self):
        recovery = "never" if self.recovery is None else f"{self.recovery:.1f} s"
        return f"{self.name}: lasted {self.lasted:.1f} s, the next job ended after {recovery}"


def quantile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else float("nan")


class Report:
    def __init__(self):
        self.rows, self.complaints = [], []
        self.outcomes = collections.Counter()
        self.facts = []

    @contextlib.contextmanager
    def fault(self, chosen, farm, load):
        row = Row(chosen, load.open())
        yield row
        self.rows.append(row)
        if row.recovery is None:
            self.broken(f"nothing goes on after {row.name}")

    def broken(self, complaint):
        print(f"BROKEN {complaint}", flush=True)
        self.complaints.append(complaint)

    def exports(self, load):
        """Counts how the exports ended."""
        for complaint in load.faults:
            self.broken(complaint)
        for export in load.exports:
            if export.is_right is not None:
                self.outcomes["identical" if export.is_right else "wrong"] += 1
                if not export.is_right:
                    self.broken(f"the film of {export.id} has other bytes than the local export")
            elif export.failure and ('"crash"' in export.failure or export.tenant.is_spoiled and '"input"' in export.failure):
                # Three rendering processes of a job were killed, or a source has other bytes: the farm promises this.
                self.outcomes["failed as injected"] += 1
            else:
                self.outcomes["failed"] += 1
                self.broken(f"export {export.id} ended as {export.state}: {export.failure}")

    def attempts(self, farm):
        """Counts attempts, and sums up what the faults measured."""
        counts = dict(farm.postgres.run("SELECT state, count(*) FROM attempts GROUP BY state"))
        jobs = farm.postgres.value("SELECT count(*) FROM jobs WHERE state = 'done' AND NOT reused")
        self.facts.append(f"attempts {counts}, jobs that were rendered {jobs}")
        for what, seconds in farm.measures.items():
            self.facts.append(
                f"{what}: {len(seconds)} times, p50 {quantile(seconds, 0.5):.1f} s, p99 {quantile(seconds, 0.99):.1f} s,"
                f" at most {max(seconds):.1f} s")

    def table(self):
        rows = collections.defaultdict(list)
        for row in self.rows:
            for name in row.name.split(" + "):
                rows[name].append(row)
        lines = [f"{'fault':55} {'times':>6} {'exports':>8} {'identical':>10} {'failed':>7} {'p50 s':>7} {'p99 s':>7}"]
        for name, found in sorted(rows.items()):
            exports = {id(export): export for row in found for export in row.exports}.values()
            seconds = [row.recovery for row in found if row.recovery is not None]
            lines.append(
                f"{name:55} {len(found):6} {len(exports):8} {sum(export.is_right is True for export in exports):10}"
                f" {sum(bool(export.failure) for export in exports):7} {quantile(seconds, 0.5):7.1f}"
                f" {quantile(seconds, 0.99):7.1f}")
        return "\n".join(lines)

    def summary(self, seed):
        faults = sum(len(row.name.split(" + ")) for row in self.rows)
        outcomes = ", ".join(f"{count} {name}" for name, count in sorted(self.outcomes.items()))
        broken = f"{len(self.complaints)} promises broken" if self.complaints else "no promise broken"
        return "\n".join([*self.facts, f"seed {seed}: {faults} faults, exports: {outcomes}; {broken}"])
