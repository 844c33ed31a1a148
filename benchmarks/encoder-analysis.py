#!/usr/bin/env python3
"""Measures what libx264's presets spend on splitting B-pictures (b8x8) and on several references in a macroblock
(mixed-refs), which Spool leaves out of `faster`, `fast` and `medium` (docs/decisions/0062-costly-analysis.md), and
other options that were tried beside them.

Each line is one clip with one set of options, beside the same clip with the preset as it is: the processor time, the
bytes, the SSIM, and the bytes over those with which the preset would have that SSIM, by the logarithm of the bytes
between four qualities. Needs the real footage (SPOOL_MEDIA).

  benchmarks/encoder-analysis.py [--presets medium,fast] [--clips pan,cuts] [--runs 3] [OPTIONS ...]
"""
import argparse
import math
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

QUALITIES = (22, 23, 24, 25)
QUALITY = 23
KEPT = "mixed-refs=0:partitions=p8x8,i8x8,i4x4"

# The filters bring two clips to another pace and one into motion, for what depends on how far blocks move.
CLIPS = {
    "animation": ("bbb_1080p24_h264_aac51_30s.mp4", 8, 6, "scale=1280:720"),
    "animation-1080": ("bbb_1080p24_h264_aac51_30s.mp4", 20, 4, "null"),
    "fourfold": ("bbb_1080p24_h264_aac51_30s.mp4", 2, 24, "scale=1280:720,select=not(mod(n\\,4)),setpts=N/24/TB"),
    "pan": ("bbb_1080p24_h264_aac51_30s.mp4", 9, 5, "crop=1280:720:320+300*sin(t*6):180+150*cos(t*5)"),
    "noise": ("bbb_1080p24_h264_aac51_30s.mp4", 9, 4, "scale=1280:720,noise=alls=12:allf=t:all_seed=3"),
    "portrait": ("bbb_1080p24_h264_aac51_30s.mp4", 9, 4, "split[a][b];[a]scale=3413:1920,crop=1080:1920,gblur=20[c];"
                 "[b]scale=1080:608[d];[c][d]overlay=0:656"),
    "car": ("car_768x432_12.5fps_h264_aac_30s.mp4", 12, 12, "null"),
    "car-720": ("car_768x432_12.5fps_h264_aac_30s.mp4", 2, 6, "scale=1280:720,fps=30"),
    "bird": ("cockatoo_720p20_yuv444_mp3_14s.mp4", 0, 6, "scale=1280:720"),
}


def make(name, media, folder):
    """The frames of a clip as a Y4M file."""
    source, start, seconds, filters = CLIPS[name]
    frames = folder / f"{name}.y4m"
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-ss", str(start), "-t", str(seconds), "-i", media / source, "-an",
                    "-lavfi", filters, "-pix_fmt", "yuv420p", frames], check=True)
    return frames


def encode(frames, preset, quality, options, runs):
    """Bytes, SSIM and the least processor time of a few runs, in seconds."""
    film = frames.with_suffix(".mp4")
    width, height = map(int, re.search(rb"W(\d+) H(\d+)", frames.open("rb").read(100)).groups())
    # The lookahead is that of EncoderPreset.swift.
    lookahead = min({"veryfast": 10, "faster": 20, "fast": 30}.get(preset, 40), 32_000_000 // (width * height))
    seconds = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", frames, "-c:v", "libx264", "-preset", preset,
                        "-crf", str(quality), "-x264-params",
                        ":".join(filter(None, [f"threads=2:sync-lookahead=0:rc-lookahead={lookahead}", options])), film],
                       check=True)
        seconds.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    log = subprocess.run(["ffmpeg", "-nostdin", "-i", film, "-i", frames, "-lavfi", "ssim", "-f", "null", "-"],
                         capture_output=True, text=True, check=True).stderr
    return os.path.getsize(film), float(re.search(r"All:([\d.]+)", log)[1]), min(seconds)


def bytes_at(ssim, films):
    """The bytes of the preset at an SSIM, from its films of several qualities."""
    points = sorted((other, math.log(size)) for size, other, _ in films)
    for index, (low, high) in enumerate(zip(points, points[1:])):
        if ssim <= high[0] or index == len(points) - 2:
            return math.exp(low[1] + (high[1] - low[1]) * (ssim - low[0]) / (high[0] - low[0]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presets", default="medium")
    parser.add_argument("--clips", default=",".join(CLIPS))
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("options", nargs="*", default=["mixed-refs=0", "partitions=p8x8,i8x8,i4x4", KEPT])
    given = parser.parse_args()
    media = pathlib.Path(os.environ.get("SPOOL_MEDIA", pathlib.Path(__file__).parents[2] / "shared/media")) / "av"
    if not media.exists():
        sys.exit(print(f"bench: skipped, there is no '{media}' (set SPOOL_MEDIA)"))
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'preset':<9} {'clip':<15} {'options':<42} {'cpu':>6} {'bytes':>7} {'SSIM':>9} {'equal':>7}")
        for name in given.clips.split(","):
            frames = make(name, media, pathlib.Path(folder))
            for preset in given.presets.split(","):
                films = [encode(frames, preset, quality, "", given.runs) for quality in QUALITIES]
                usual = films[QUALITIES.index(QUALITY)]
                for options in given.options:
                    size, ssim, seconds = encode(frames, preset, QUALITY, options, given.runs)
                    print(f"{preset:<9} {name:<15} {options:<42} {seconds / usual[2]:6.3f} {size / usual[0]:7.4f} "
                          f"{ssim - usual[1]:+9.5f} {size / bytes_at(ssim, films):7.4f}", flush=True)
            frames.unlink()


main()
