#!/usr/bin/env bash
# Measures what the farm's scheduler costs. It prints, in one run on this machine:
#
# - `spool bench` for each number of jobs in SIZES (default "1000 10000 100000", 10 jobs an export, three tenants), and
#   Celery with as many no-op tasks, with the same Redis server program and as many processes, WORKERS (default 2). Celery
#   comes from PyPI into a virtual environment in a temporary directory; where pip cannot install it, the script says so
#   and goes on without it. It does at most CELERY_MOST tasks (default 10000), because they take long.
# - processor time for each export, by process, for each number of exports in EXPORTS (default "200 1200 5000", about
#   10 jobs an export, one tenant).
#
# Both sides store or publish all jobs first and then work through them. docs/scaling.md explains the numbers.
set -euo pipefail
cd "$(dirname "$0")/.."
spool=$PWD/.build/release/spool
workers=${WORKERS:-2}
slots=${SLOTS:-32}
celery_most=${CELERY_MOST:-10000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs `spool bench` and leaves its JSON in a file.
bench() {  # jobs exports tenants file
  "$spool" bench --jobs "$1" --exports "$2" --tenants "$3" --workers "$workers" --slots "$slots" --json > "$4"
}

# Installs Celery, or says why not.
celery=
install_celery() {
  local log=$work/pip.log
  if python3 -m venv "$work/venv" > "$log" 2>&1 &&
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check 'celery[redis]' >> "$log" 2>&1; then
    celery=$work/venv/bin/python
    echo "Celery $("$celery" -c 'import celery; print(celery.__version__)'), $(redis-server --version | cut -d' ' -f1-3)"
  else
    echo "Celery: skipped, it cannot be installed: $(grep -v '^ *$' "$log" | tail -1)"
  fi
}

install_celery
echo "$(nproc) cores, $workers workers of $slots slots; $workers processes of Celery"
for jobs in ${SIZES:-1000 10000 100000}; do
  bench "$jobs" "$((jobs >= 30 ? jobs / 10 : 3))" 3 "$work/bench.json"
  python3 - "$work/bench.json" << 'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
times = {time["process"]: time["millisecondsPerJob"] for time in report["processorTime"]}
phrase = lambda name: "{p50:.1f} ms (p99 {p99:.1f} ms)".format(**report[name]) if name in report else "-"
print("spool  %8d jobs: %7.1f jobs/s, processor ms a job: control plane %.3f (coordinator %.3f, PostgreSQL %.3f, Redis %.3f),"
      " workers %.3f" % (report["size"]["jobs"], report["jobsPerSecond"], times["control plane"], times["coordinator"],
                         times["postgres"], times["redis"], times["workers"]))
print("       submit to first start %s, report to next start %s, coordinator's peak memory %.0f MB, stored in %.1f s" % (
    phrase("submitToFirstStart"), phrase("reportToNextStart"), report["coordinatorPeakMemory"] / 1e6,
    report["storing"]["seconds"]))
PYTHON
  if [ -n "$celery" ] && [ "$jobs" -le "$celery_most" ]; then
    PYTHONDONTWRITEBYTECODE=1 "$celery" benchmarks/celery-tasks.py "$jobs" "$workers" "$work"
  elif [ -n "$celery" ]; then
    echo "Celery $jobs tasks: skipped, CELERY_MOST is $celery_most"
  fi
done

echo
echo "processor ms for each export:"
printf '%8s %12s %11s %6s %14s %8s %10s %10s\n' exports coordinator PostgreSQL Redis 'control plane' workers exports/s jobs/s
for exports in ${EXPORTS:-200 1200 5000}; do
  bench "$((exports * 10))" "$exports" 1 "$work/bench.json"
  python3 - "$work/bench.json" << 'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
times = {time["process"]: time["millisecondsPerExport"] for time in report["processorTime"]}
print("%8d %12.2f %11.2f %6.2f %14.2f %8.2f %10.1f %10.1f" % (
    report["size"]["exports"], times["coordinator"], times["postgres"], times["redis"], times["control plane"],
    times["workers"], report["exportsPerSecond"], report["jobsPerSecond"]))
PYTHON
done
