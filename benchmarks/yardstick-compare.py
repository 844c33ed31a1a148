#!/usr/bin/env python3
"""Compares two results of yardstick.py, an old and a new one, film by film.

    benchmarks/yardstick-compare.py OLD.json NEW.json

It prints the new value over the old one: of Spool's processor time relative to ffmpeg's in the same run, so that a
slower machine does not count, and of the size of the film and the memory, each of Spool alone. It ends with exit code 1
where the relative processor time of a film has grown by more than 5 %, and with 65 where a file is no result of
yardstick.py or the two have no film in common.
"""
import json
import sys

LIMIT = 1.05  # the most that the relative processor time of a film may grow
INVALID = 65


def refuse(message):
    print(f"yardstick-compare: {message}", file=sys.stderr)
    sys.exit(INVALID)


def read(path):
    """The three values of each film in a result: relative processor time, bytes and memory."""
    try:
        with open(path, encoding="utf-8") as file:
            films = json.load(file)["films"]
        values = {name: (float(film["ratios"]["ffmpeg"]["cpu"]), float(film["medians"]["spool"]["bytes"]),
                         float(film["medians"]["spool"]["memory"])) for name, film in films.items()}
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}")
    except json.JSONDecodeError as error:
        refuse(f"{path} is no JSON: {error}")
    except UnicodeDecodeError:
        refuse(f"{path} is no text in UTF-8")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        refuse(f"{path} is no result of yardstick.py: {type(error).__name__} {error}")
    for name, film in values.items():
        if not all(0 < value < float("inf") for value in film):
            refuse(f"{path} is no result of yardstick.py: a value of {name} is not a number above 0")
    return values


def main():
    if len(sys.argv) != 3:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(64)
    old, new = read(sys.argv[1]), read(sys.argv[2])
    common = [name for name in old if name in new]
    if not common:
        refuse(f"{sys.argv[1]} and {sys.argv[2]} have no film in common")
    print(f"{'film':<12} {'cpu/ffmpeg':>10} {'bytes':>7} {'memory':>7}   new over old; below 1: less")
    slower = []
    for name in common:
        cpu, size, memory = (after / before for before, after in zip(old[name], new[name]))
        print(f"{name:<12} {cpu:10.3f} {size:7.3f} {memory:7.3f}")
        if cpu > LIMIT:
            slower.append(f"{name} by {100 * (cpu - 1):.1f} %")
    for name in sorted(set(old) ^ set(new)):
        print(f"{name:<12} is only in {sys.argv[1] if name in old else sys.argv[2]}")
    if slower:
        print(f"the processor time relative to ffmpeg's has grown by more than 5 %: {', '.join(slower)}")
        sys.exit(1)


if __name__ == "__main__":
    main()
