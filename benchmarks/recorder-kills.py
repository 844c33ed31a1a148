#!/usr/bin/env python3
"""Kills a recorder (SIGKILL) again and again at random moments, and prints what it lost of what had come in.

    benchmarks/recorder-kills.py [KILLS] [SEED]

Half of the clips come in as raw pictures, half as H.264 in Matroska; each of them from a pipe, at the speed of a camera with
30 pictures a second. What had come in is counted from a copy of the pipe's bytes.
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

SPOOL = str(pathlib.Path(__file__).resolve().parents[1] / ".build/release/spool")
RAW = "320x180@30:yuv420p"
PICTURE_BYTES = 320 * 180 * 3 // 2


def spool(*words):
    return subprocess.run([SPOOL, *words], capture_output=True, text=True, check=True)


def record(take, is_raw, seconds):
    """Records a clip until the recorder is killed. Gives the number of pictures that came in."""
    pipe, seen = f"pipe{take}", f"seen{take}"
    os.mkfifo(pipe)
    coding = (
        "-f rawvideo -pix_fmt yuv420p" if is_raw
        else "-c:v libx264 -preset ultrafast -tune zerolatency -g 10 -f matroska -flush_packets 1")
    camera = subprocess.Popen(
        ["bash", "-c", "ffmpeg -nostdin -v error -re -f lavfi -i testsrc2=size=320x180:rate=30 -t 20 "
         f"{coding} - | tee {seen} > {pipe}"], start_new_session=True)
    recorder = subprocess.Popen(
        [SPOOL, "record", "append", "recording", pipe, *(["--raw-video", RAW] if is_raw else [])],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    recorder.kill()
    recorder.wait()
    os.killpg(camera.pid, signal.SIGKILL)
    camera.wait()
    if is_raw:
        return os.path.getsize(seen) // PICTURE_BYTES
    counted = subprocess.run(
        ["ffprobe", "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets", "-of",
         "csv=p=0", seen], capture_output=True, text=True).stdout
    return int(counted.strip().strip(",") or 0)


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        spool("record", "new", "recording", "--set", 'videoSize={"width": 320, "height": 180}', "--set", "frameRate=30",
              "--set", "encoderSpeed=ultrafast")
        came = [record(take, take % 2 == 0, chance.uniform(0.8, 3.5)) for take in range(1, kills + 1)]
        spool("record", "finish", "recording")
        clips = json.loads(spool("record", "status", "recording", "--json").stdout)["clips"]
        # A recorder may be killed before it reads anything, on a busy machine. It has nothing to keep then.
        begun = [pictures for pictures in came if pictures > 0]
        frames = [clip["frameCount"] for clip in sorted(clips, key=lambda clip: clip["number"]) if clip["frameCount"] > 0]
        frames += [0] * (len(begun) - len(frames))
        lost = [pictures - kept for pictures, kept in zip(begun, frames)]
        print(f"{kills} kills, of which {len(begun)} after pictures had come in: {len(clips)} clips are there; {sum(came)} "
              f"pictures came in, {sum(lost)} are lost, at most {max(lost)} of a clip")


main()
