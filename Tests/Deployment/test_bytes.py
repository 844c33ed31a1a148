#!/usr/bin/env python3
"""How many bytes a farm without a shared directory moves to and from its bucket, as the network device of the S3 service
counts them: for an export of 30 clips, for the same one again, and for one of which one clip is changed. Nothing is refused,
and there is one worker, which keeps its copies.

What is moved after a change is the film, which the client fetches, the part of it that has to be sent to the bucket, and
little else. So the share depends on how large the film is beside its sources, and two drafts are measured: 30 recordings at a
phone's bitrate, with noise, of each of which the film shows one second of four, and three small clips that are used ten
times, whose film is too small for a copy within the bucket."""
import json

from farm import *

CLIPS = 30


def test(network):
    farm = Farm(network)
    client = Client(network)
    farm.migrate()
    token = farm.token()
    farm.start_coordinator("coordinator")
    farm.start_worker("worker1")
    client.environment = {"SPOOL_SERVER": f"http://{network.addresses['coordinator']}:7788", "SPOOL_TOKEN": token}

    measure(farm, client, "recordings", record(client), most=8)
    client.spool("sample-media", "/home/media")
    measure(farm, client, "small clips", [f"media/{('sea', 'meadow', 'tower')[number % 3]}.mp4" for number in range(CLIPS)])


def record(client):
    """Makes recordings of four seconds in 720p with the 12 Mbit/s of a phone's camera, all different."""
    folder = client.work / "recordings"
    folder.mkdir()
    for number in range(CLIPS):
        picture = f"testsrc2=size=1280x720:rate=30:duration=4,hue=h={number * 12},noise=alls=30:allf=t:all_seed={number}"
        run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", picture, "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "12M",
             "-maxrate", "14M", "-bufsize", "12M", "-pix_fmt", "yuv420p", str(folder / f"{number}.mp4")])
    size = sum(file.stat().st_size for file in folder.iterdir())
    run(["chown", "-R", "10001:10001", str(folder)])
    passed(f"{CLIPS} recordings of 4 s have {size} bytes, {size * 8 / CLIPS / 4 / 1e6:.1f} Mbit/s")
    return [f"recordings/{number}.mp4" for number in range(CLIPS)]


def measure(farm, client, what, sources, most=None):
    """Prints what three exports move, and expects the third to move at most `most` percent of what the first did."""
    name = what.replace(" ", "-")
    full, film = moved(farm, client, f"{name}-first", sources, {})
    again, same = moved(farm, client, f"{name}-again", sources, {})
    changed, other = moved(farm, client, f"{name}-changed", sources, {17: 0.4})
    size = (client.work / f"{name}-again.mp4").stat().st_size
    expect(film == same and film != other, f"{what}: the second film has the bytes of the first, and the third has others")
    passed(f"{what}: the film has {size} bytes; the first export moved {full}, film and download included")
    passed(f"{what}: the same export again moved {again} bytes, {100 * again / full:.1f} %: what the download of the film needs")
    passed(f"{what}: with one of {CLIPS} clips changed it moved {changed} bytes, {100 * changed / full:.1f} %; without the film's download, "
           f"{100 * max(0, changed - size) / full:.1f} %")
    if most:
        expect(changed <= full * most / 100, f"{what}: with one clip changed at most {most} % of the bytes are moved", f"{changed} of {full}")
    expect(again < size * 1.2 + 200_000, f"{what}: nothing but the film is moved where nothing has changed", f"{again} of {size}")


def moved(farm, client, name, sources, starts):
    """Renders the film, downloads it, and gives the bytes that the S3 service sent and received, and the film's sha256."""
    clips = [{"type": "av", "url": source, "volume": 0,
              "timeRange": {"start": starts.get(number, number / 100), "duration": 1}} for number, source in enumerate(sources)]
    draft = {"version": 1, "videoSize": {"width": 640, "height": 360}, "frameRate": 25, "mainTrackClips": clips}
    (client.work / f"{name}.json").write_text(json.dumps(draft))
    before = farm.network.bytes("s3")
    export = client.spool("submit", f"{name}.json").split()[-1]
    client.spool("watch", export)
    client.spool("download", export, "-o", f"{name}.mp4")
    return farm.network.bytes("s3") - before, client.sha256(f"{name}.mp4")


if __name__ == "__main__":
    main(test)
