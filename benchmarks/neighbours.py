"""The client of neighbours.sh: a quiet tenant that exports one small film after the other, and a tenant that attacks."""

import contextlib
import http.client
import json
import os
import random
import socket
import statistics
import string
import sys
import threading
import time
import urllib.parse

work, seconds = sys.argv[1], float(sys.argv[2])
server = urllib.parse.urlparse(os.environ["SPOOL_SERVER"])
quiet, attacker = os.environ["SPOOL_TOKEN"], os.environ["ATTACKER"]


def attackers_address(index):
    """The attacker has four addresses, because a single one would be held to the limits of an address."""
    return (f"127.0.0.{2 + index % 4}", 0)


def request(token, method, path, body=None):
    source = attackers_address(0) if token == attacker else None
    connection = http.client.HTTPConnection(server.hostname, server.port, timeout=120, source_address=source)
    with contextlib.closing(connection):
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, text


def submit(token, draft, **options):
    return request(token, "POST", "/v1/exports", json.dumps({"document": draft, **options}))


def solid(seconds, **fields):
    """A draft of one layer without any source."""
    layer = {"timeRange": {"start": 0, "duration": seconds}, "source": {"type": "solid", "color": "#336699"},
             "opacity": random.random()}
    return {"version": 1, "videoSize": {"width": 320, "height": 180}, "frameRate": 30, "layers": [layer],
            "mainTrackClips": [], **fields}


def film():
    """Seconds from submitting a film of two seconds to its end."""
    start = time.monotonic()
    status, text = submit(quiet, solid(2))
    assert status in (200, 201), text
    export = json.loads(text)
    export = export.get("export", export)["id"]
    while True:
        status, text = request(quiet, "GET", f"/v1/exports/{export}")
        state = json.loads(text)
        state = state.get("export", state)["state"] if status == 200 else "unknown"
        assert state not in ("failed", "cancelled"), text
        if state == "completed":
            return time.monotonic() - start
        time.sleep(0.02)


def poison(stop):
    while not stop.is_set():
        name = "".join(random.choices(string.ascii_letters, k=8000))
        submit(attacker, solid(1, effects=[{"type": "externalFilter", "name": name,
               "timeRangeAtMainTrack": {"start": 0, "duration": 1}}]))
        request(attacker, "POST", "/v1/exports", b'{"document": ' + b"[" * 100_000)
        request(attacker, "POST", "/v1/exports", b'{"document": "\\u0000"}')
        submit(attacker, solid(1), settings={"videoCodec": "\x00", "preset": "x" * 100_000})
        submit(attacker, solid(1, title="\x1b]0;title\x07" * 1000))


def long_films(stop):
    while not stop.is_set():
        for seconds, rate in ((60_000, 240), (43_200, 30), (20_000, 60)):
            submit(attacker, solid(seconds, frameRate=rate))
        stop.wait(1)


def faulty_documents(stop):
    clips = [{"type": "image", "url": "a.png", "duration": 1, "trasition": 1}] * 12_000
    body = json.dumps({"document": {"version": 1, "mainTrackClips": clips}})
    while not stop.is_set():
        request(attacker, "POST", "/v1/exports", body)


def half_requests(stop):
    sockets = []
    with contextlib.suppress(OSError):
        for index in range(3000):
            sock = socket.create_connection((server.hostname, server.port), 5, attackers_address(index))
            sockets.append(sock)
            sock.send(b"POST /v1/exports HTTP/1.1\r\nHost: a\r\nContent-Le")
    stop.wait()
    for sock in sockets:
        sock.close()


def stalled_uploads(stop):
    sockets = []
    for index in range(400):
        with contextlib.suppress(OSError):
            sock = socket.create_connection((server.hostname, server.port), 5, attackers_address(index))
            sockets.append(sock)
            sock.send((f"PUT /v1/assets/{index:064x}?name=a.mp4 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {attacker}\r\n"
                       "Content-Length: 1000000\r\n\r\nabc").encode())
    stop.wait()
    for sock in sockets:
        sock.close()


def storage_away(stop):
    """The store is away for two seconds and there for five. A film's delay includes the time without a store."""
    store = os.path.join(work, "farm", "store")
    while not stop.is_set():
        os.rename(store, store + ".away")
        time.sleep(2)
        with contextlib.suppress(OSError):
            os.rename(store, store + ".made")
        os.rename(store + ".away", store)
        stop.wait(5)


def films():
    """Films for the length of an attack, at most two a second."""
    taken = []
    end = time.monotonic() + seconds
    while not taken or time.monotonic() < end:
        taken.append(film())
        time.sleep(0.5)
    return taken


film()
alone = films()
usual = statistics.median(alone)
print(f"idle farm: median {usual:.2f} s, slowest {max(alone):.2f} s", flush=True)
for attack, times in ((poison, 2), (long_films, 1), (faulty_documents, 2), (half_requests, 1), (stalled_uploads, 1),
                      (storage_away, 1)):
    if attack.__name__ not in os.environ.get("ATTACKS", attack.__name__).split():
        continue
    stop = threading.Event()
    threads = [threading.Thread(target=attack, args=(stop,), daemon=True) for _ in range(times)]
    for thread in threads:
        thread.start()
    time.sleep(2)
    taken = films()
    stop.set()
    for thread in threads:
        thread.join()
    name = attack.__name__.replace("_", " ")
    print(f"{name:18} {len(taken):3} films, slowest {max(taken):6.2f} s, {max(taken) - max(alone):+6.2f} s against the idle farm's slowest",
          flush=True)
