#!/usr/bin/env python3
"""How many bytes a farm without a shared directory moves to and from its bucket, as the network device of the S3 service
counts them: for an export of 30 clips, for the same one again, and for one of which one clip is changed. Nothing is refused,
and there is one worker, which keeps its copies."""
import json

from farm import *

CLIPS = 30
SOURCES = ["sea.mp4", "meadow.mp4", "tower.mp4"]


def test(network):
    farm = Farm(network)
    client = Client(network)
    client.spool("sample-media", "/home/media")
    farm.migrate()
    token = farm.token()
    farm.start_coordinator("coordinator")
    farm.start_worker("worker1")
    client.environment = {"SPOOL_SERVER": f"http://{network.addresses['coordinator']}:7788", "SPOOL_TOKEN": token}

    full, film = moved(farm, client, "first", {})
    again, same = moved(farm, client, "again", {})
    changed, other = moved(farm, client, "changed", {17: 0.4})
    size = (client.work / "again.mp4").stat().st_size
    expect(film == same and film != other, "the second film has the bytes of the first, and the third has others")
    passed(f"the film has {size} bytes; the first export moved {full}, film and download included")
    passed(f"the same export again moved {again} bytes, {100 * again / full:.1f} %: what the download of the film needs")
    passed(f"with one of {CLIPS} clips changed it moved {changed} bytes, {100 * changed / full:.1f} %; without the film, which is "
           f"stored and fetched once, {100 * max(0, changed - 2 * size) / full:.1f} %")
    expect(again < size * 1.2 + 200_000, "nothing but the film is moved where nothing has changed", f"{again} of {size}")


def moved(farm, client, name, starts):
    """Renders the film, downloads it, and gives the bytes that the S3 service sent and received, and the film's sha256."""
    clips = [{"type": "av", "url": f"media/{SOURCES[number % 3]}", "volume": 0,
              "timeRange": {"start": starts.get(number, number / 100), "duration": 1}} for number in range(CLIPS)]
    draft = {"version": 1, "videoSize": {"width": 640, "height": 360}, "frameRate": 25, "mainTrackClips": clips}
    (client.work / f"{name}.json").write_text(json.dumps(draft))
    before = farm.network.bytes("s3")
    export = client.spool("submit", f"{name}.json").split()[-1]
    client.spool("watch", export)
    client.spool("download", export, "-o", f"{name}.mp4")
    return farm.network.bytes("s3") - before, client.sha256(f"{name}.mp4")


if __name__ == "__main__":
    main(test)
