#!/usr/bin/env python3
"""Measures seven films beside ffmpeg and melt, and what an edit of a draft costs.

    benchmarks/yardstick.py [--spool PROGRAM] [--runs N] [--films NAME,NAME] [--without-melt] [--without-edits]
                            [--json FILE] [--sheets FOLDER] [--work FOLDER]

Each run renders each film once with `spool export` (an empty cache, the default of --jobs), with the ffmpeg command
that a user would write for it, and with melt, all with the same settings of libx264. yardstick_films.py has the films.

Absolute times mean nothing on shared machines. Only ratios are to be compared: of the programs in one run of this
script, and of two runs with yardstick-compare.py. A ratio is the median of the ratios of the single runs, in which the
programs follow each other, so it need not be the ratio of the medians.

The columns of the table:
- seconds: the medians of the wall time;
- ratios: wall time, processor time, memory and the size of the file, Spool's over ffmpeg's. Processor time is user and
  system time of all processes of the command, as the kernel adds it up when they end. Memory is the largest sum of the
  proportional set sizes (PSS) of these processes, five samples a second;
- bytes equal: the ratio of the sizes at equal SSIM, from a second, better film of Spool's;
- SSIM: the film beside the same program's own frames without compression, so it is the encoder's alone;
- frames: the SSIM of a program's frames without compression beside Spool's, which says how equal the films are;
- idle: Spool's wall time over its processor time divided by the processors. It is 1 where no processor ever waits for
  work, and more also where other programs take their share of them.

Needs the real footage: SPOOL_MEDIA, default ../shared/media. --json writes all runs, --sheets a picture for each film
with a row of frames of each program. The work folder keeps sources that are made once; default
$XDG_CACHE_HOME/spool-bench.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # leaves the tree as it is

import yardstick_edits  # noqa: E402
import yardstick_films  # noqa: E402
from yardstick_measure import measure  # noqa: E402

PROJECT = pathlib.Path(__file__).resolve().parents[1]
QUALITY, SPEED, KEYFRAMES, AUDIO = 23, "medium", 60, 128_000  # CRF, preset, frames between keyframes, bits a second
MEASURES = ("wall", "cpu", "memory", "bytes")
PROGRAMS = ("spool", "ffmpeg", "melt")
ROW = "{:<11} {:>7} {:>7} {:>7} {:>8} {:>6} {:>6} {:>6} {:>6} {:>8} {:>6} {:>6} {:>8} {:>6} {:>6}"
HEADER = (("", "seconds", "", "", "ratios", "", "", "", "bytes", "SSIM", "", "", "frames", "", ""),
          ("film", *PROGRAMS, *MEASURES, "equal", *PROGRAMS, *PROGRAMS[1:], "idle"))


def spool_settings(rate, quality=QUALITY):
    settings = [f"videoQuality={quality}", f"encoderSpeed={SPEED}", f"maxKeyframeInterval={KEYFRAMES}/{rate}",
                f"audioBitrate={AUDIO}"]
    return [word for setting in settings for word in ("--set", setting)]


class Programs:
    """The commands of the three programs, and a folder for what they write. An exact film has no compression."""

    def __init__(self, spool, folder, has_melt):
        self.spool, self.folder = spool, folder
        self.commands = {"spool": self.spool_command, "ffmpeg": self.ffmpeg_command}
        if has_melt:
            self.commands["melt"] = self.melt_command

    def file(self, program, exact=False):
        return self.folder / f"{program}.{'nut' if exact else 'mp4'}"

    def spool_command(self, film, file, exact, quality=QUALITY):
        draft, cache = self.folder / "draft.json", self.folder / "cache"
        draft.write_text(json.dumps(film.draft, indent=1))
        shutil.rmtree(cache, ignore_errors=True)
        return [self.spool, "export", draft, "-o", file, "--cache", cache,
                *([] if exact else spool_settings(film.rate, quality))]

    def ffmpeg_command(self, film, file, exact):
        encoders = ["-c:v", "rawvideo", "-c:a", "pcm_s16le"] if exact else [
            "-c:v", "libx264", "-preset", SPEED, "-crf", QUALITY, "-g", KEYFRAMES, "-c:a", "aac", "-b:a", AUDIO,
            "-movflags", "+faststart"]
        return ["ffmpeg", "-nostdin", "-v", "error", "-y", *film.inputs, "-filter_complex", film.graph,
                "-map", "[v]", "-map", "[a]", "-t", film.seconds, "-pix_fmt", "yuv420p", "-color_primaries", "bt709",
                "-color_trc", "bt709", "-colorspace", "bt709", *encoders, file]

    def melt_command(self, film, file, exact):
        if film.melt is None:
            return None
        profile, (width, height) = self.folder / "profile", film.size
        profile.write_text(
            f"description={film.name}\nframe_rate_num={film.rate}\nframe_rate_den=1\nwidth={width}\nheight={height}\n"
            f"display_aspect_num={width}\ndisplay_aspect_den={height}\nsample_aspect_num=1\nsample_aspect_den=1\n"
            "progressive=1\ncolorspace=709\n")
        encoders = ["f=nut", "vcodec=rawvideo", "acodec=pcm_s16le"] if exact else [
            "vcodec=libx264", f"preset={SPEED}", f"crf={QUALITY}", f"g={KEYFRAMES}", "acodec=aac", f"ab={AUDIO}",
            "movflags=+faststart"]
        return ["melt", "-silent", "-profile", profile, *film.melt, "-consumer", f"avformat:{file}", "pix_fmt=yuv420p",
                "ar=44100", "channels=2", f"rescale={film.melt_scaling}", f"real_time=-{os.cpu_count()}", *encoders]

    def render(self, program, film, exact=False):
        """Renders a film and measures that. Gives None where the program has no counterpart of the film."""
        file = self.file(program, exact)
        file.unlink(missing_ok=True)
        command = self.commands[program](film, file, exact)
        return command and measure(command, file)

    def bytes_at_similarity(self, film, similarity):
        """The size of Spool's film at another film's SSIM, in bytes: between its own size and that at a better quality.

        Between the two qualities the logarithm of the size is taken to be a linear function of the SSIM.
        """
        points = []
        for quality in (QUALITY, QUALITY - 1):
            file = self.file("quality")
            output(*self.spool_command(film, file, False, quality))
            points.append((self.similarity(film, file, self.file("spool", exact=True)), math.log(file.stat().st_size)))
        (low, size), (high, larger) = points
        return math.exp(size + (similarity - low) * (larger - size) / (high - low))

    def similarity(self, film, one, other):
        """The SSIM of two files, frame by frame, over all planes."""
        numbered = f"settb=1/{film.rate},setpts=N"
        log = output("ffmpeg", "-nostdin", "-hide_banner", "-nostats", "-i", one, "-i", other, "-lavfi",
                     f"[0:v]{numbered}[a];[1:v]{numbered}[b];[a][b]ssim", "-f", "null", "-")
        return float(re.search(r"All:([0-9.]+)", log)[1])

    def sheet(self, film, programs, folder):
        """Writes a picture with a row of eight frames for each program."""
        times = [film.seconds * (index + 0.5) / 8 for index in range(8)]
        chosen = "+".join(f"eq(n,{int(time * film.rate)})" for time in times)
        rows = [f"[{index}:v]select='{chosen}',scale=-2:240,tile=8x1[r{index}]" for index in range(len(programs))]
        stack = "".join(f"[r{index}]" for index in range(len(programs))) + f"vstack=inputs={len(programs)}"
        output("ffmpeg", "-nostdin", "-v", "error", "-y",
               *(word for program in programs for word in ("-i", self.file(program))),
               "-filter_complex", ";".join([*rows, stack]), "-frames:v", "1", folder / f"{film.name}.png")


def output(*command):
    """Runs a command and gives what it prints. A command that fails ends the script."""
    result = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        sys.exit(f"{result.stdout}yardstick: {command[0]} failed, exit code {result.returncode}")
    return result.stdout


def frames(file):
    return int(output("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=nb_frames",
                      "-of", "default=nokey=1:noprint_wrappers=1", file))


def measure_film(programs, film, runs, sheets):
    """Measures one film: its runs, their medians and ratios, and how similar the films are."""
    results = [{name: programs.render(name, film) for name in programs.commands} for _ in range(runs)]
    names = [name for name in programs.commands if results[0][name]]
    similarity, equality = {}, {}
    for name in names:
        programs.render(name, film, exact=True)
        similarity[name] = programs.similarity(film, programs.file(name), programs.file(name, exact=True))
        if name != "spool":
            equality[name] = programs.similarity(film, *(programs.file(one, exact=True) for one in (name, "spool")))
    if sheets:
        programs.sheet(film, names, sheets)

    def medians(value):
        return {part: statistics.median(value(run, part) for run in results) for part in MEASURES}

    return {
        "seconds": film.seconds, "frames": {name: frames(programs.file(name)) for name in names}, "runs": results,
        "medians": {name: medians(lambda run, part: run[name][part]) for name in names},
        "ratios": {name: medians(lambda run, part: run["spool"][part] / run[name][part]) for name in names[1:]},
        "bytesAtEqualSimilarity": programs.bytes_at_similarity(film, similarity["ffmpeg"]) / results[-1]["ffmpeg"]["bytes"],
        "similarity": similarity, "frameSimilarity": equality,
        "idle": statistics.median(run["spool"]["wall"] * os.cpu_count() / run["spool"]["cpu"] for run in results)}


def row(name, result):
    def columns(values, programs=PROGRAMS, digits=4):
        return [f"{values[program]:.{digits}f}" if program in values else "-" for program in programs]

    walls = {program: medians["wall"] for program, medians in result["medians"].items()}
    return ROW.format(name, *columns(walls, digits=2), *columns(result["ratios"]["ffmpeg"], MEASURES),
                      f"{result['bytesAtEqualSimilarity']:.4f}", *columns(result["similarity"]), *columns(result["frameSimilarity"], PROGRAMS[1:]),
                      f"{result['idle']:.2f}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    parser.add_argument("--spool", default=PROJECT / ".build/release/spool", type=pathlib.Path, metavar="PROGRAM",
                        help="the program to measure, with spool-render beside it; default .build/release/spool")
    parser.add_argument("--runs", default=5, type=int, metavar="N", help="default 5")
    parser.add_argument("--films", type=lambda names: names.split(","), metavar="NAME,NAME", help="default all seven")
    parser.add_argument("--without-melt", action="store_true", help="leave melt out")
    parser.add_argument("--without-edits", action="store_true", help="measure the films alone")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all runs and ratios to this file")
    parser.add_argument("--sheets", type=pathlib.Path, metavar="FOLDER", help="write pictures of the films there")
    parser.add_argument("--work", default=cache / "spool-bench", type=pathlib.Path, metavar="FOLDER",
                        help="keeps the sources that are made once; default $XDG_CACHE_HOME/spool-bench")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs is at least 1")
    return options, parser


def main():
    options, parser = arguments()
    footage = pathlib.Path(os.environ.get("SPOOL_MEDIA") or PROJECT / "../shared/media").resolve()
    if not (footage / "av").is_dir():
        print(f"yardstick: skipped, there is no footage in '{footage}' (set SPOOL_MEDIA)")
        return
    if not options.spool.is_file():
        parser.error(f"there is no program '{options.spool}'; `make build` makes it")
    has_melt = not options.without_melt and shutil.which("melt") is not None
    if not has_melt and not options.without_melt:
        print("yardstick: there is no melt on this machine (Debian package melt), so its column stays empty")
    options.work.mkdir(parents=True, exist_ok=True)
    if options.sheets:
        options.sheets.mkdir(parents=True, exist_ok=True)
    media = yardstick_films.Media(footage, options.work.resolve())
    films = {film.name: film for film in yardstick_films.films(media)}
    for name in options.films or []:
        if name not in films:
            parser.error(f"there is no film '{name}'; the films are {', '.join(films)}")
    media.make()

    spool = options.spool.resolve()
    report = {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "processors": os.cpu_count(), "runs": options.runs, "films": {},
        "versions": {"spool": output(spool, "--version").splitlines(),
                     "ffmpeg": output("ffmpeg", "-version").splitlines()[0],
                     "melt": output("melt", "--version").splitlines()[0] if has_melt else None}}
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        folder = pathlib.Path(folder)
        programs = Programs(spool, folder, has_melt)
        print(f"medians of {options.runs} on {os.cpu_count()} processors; ratios are Spool's over ffmpeg's")
        print("\n".join(ROW.format(*names) for names in HEADER), flush=True)
        for name in options.films or films:
            result = report["films"][name] = measure_film(programs, films[name], options.runs, options.sheets)
            print(row(name, result), flush=True)
            if len(set(result["frames"].values())) > 1:
                print(f"  the films have different numbers of frames: {result['frames']}")
        if not options.without_edits:
            report["edits"] = yardstick_edits.measure_edits(spool, media, folder, options.runs, spool_settings(24))
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
