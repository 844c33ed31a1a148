#!/usr/bin/env python3
"""Measures webhooks of a running farm against receivers that answer 200, 500 and 410, hang, and are away for a minute.

It needs a farm whose settings allow receivers on this machine, for example of `spool up`:

    SPOOL_RECEIVER_ADDRESSES=http://127.0.0.1:8801/,http://127.0.0.1:8802/ SPOOL_RECEIVER_NETWORKS=127.0.0.0/8 \\
      spool up --directory /tmp/farm
    set -a; . /tmp/farm/client.env; set +a
    benchmarks/webhooks.py --exports 20

It submits exports and cancels them, so that they end without being rendered. For each receiver it prints how many
messages arrived how often, how many signatures are valid by Python's hmac, and the time from the event to the delivery.
It exits with 1 where a message is missing, a signature is not valid, or the order of an export is wrong.
"""
import argparse, base64, hashlib, hmac, http.server, json, os, sys, threading, time, urllib.request

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
KEY = base64.b64decode(SECRET.removeprefix("whsec_"))
lock, received, seen = threading.Lock(), [], {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
        valid = any(hmac.compare_digest(expected, one) for one in self.headers["webhook-signature"].split(" "))
        kind, message = self.path.strip("/"), self.headers["webhook-id"]
        with lock:
            number = seen[kind, message] = seen.get((kind, message), 0) + 1
            first = sum(1 for other, _ in seen if other == kind)
        status = {"ok": 200, "away": 200, "gone": 410}.get(kind, 200)
        if kind == "failing" and number <= 2: status = 500
        if kind == "hanging" and first <= 4 and number == 1: status = 0
        content = json.loads(body)
        with lock:
            received.append({"kind": kind, "id": message, "valid": valid, "status": status, "at": time.time(),
                             "event": content["timestamp"], "export": content["data"]["export"]["id"]})
        if status == 0:
            self.connection.recv(1)
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


def serve(port):
    http.server.ThreadingHTTPServer.daemon_threads = True
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def call(method, path, body=None):
    request = urllib.request.Request(
        os.environ["SPOOL_SERVER"] + path, None if body is None else json.dumps(body).encode(), method=method,
        headers={"Authorization": "Bearer " + os.environ["SPOOL_TOKEN"], "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        data = answer.read()
        return json.loads(data) if data else None


def seconds(text):
    head, fraction = text.rstrip("Z").split(".")
    return __import__("calendar").timegm(time.strptime(head, "%Y-%m-%dT%H:%M:%S")) + float("0." + fraction)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--exports", type=int, default=20)
    options.add_argument("--away", type=float, default=60, help="seconds that a receiver is away")
    options.add_argument("--ports", default="8801,8802", help="of the receivers, and of the one that is away first")
    options.add_argument("--limit", type=float, default=600, help="seconds after which what is missing counts as lost")
    options = options.parse_args()
    here, away = map(int, options.ports.split(","))
    serve(here)
    places = {"ok": here, "failing": here, "gone": here, "hanging": here, "away": away}
    hooks = {}
    for kind, port in places.items():
        made = call("POST", "/v1/webhooks", {"address": f"http://127.0.0.1:{port}/{kind}", "secret": SECRET, "label": kind,
                                             "events": ["export.cancelled"]})
        hooks[kind] = made["webhook"]["id"]
    start, exports = time.time(), []
    document = {"version": 1, "mainTrackClips": [{"type": "image", "url": "https://example.com/x.png", "duration": 1}]}
    for number in range(options.exports):
        export = call("POST", "/v1/exports", {"document": document, "label": f"film {number}"})["id"]
        call("POST", f"/v1/exports/{export}/cancel")
        exports.append(export)
    print(f"{len(exports)} exports ended within {time.time() - start:.1f} s")
    wanted = [kind for kind in places if kind != "gone"]
    back = start + options.away
    is_back = False
    while time.time() < start + options.limit:
        if not is_back and time.time() >= back:
            serve(away)
            is_back = True
            print(f"the receiver that was away is back after {time.time() - start:.0f} s")
        with lock:
            taken = {kind: {r["export"] for r in received if r["kind"] == kind and r["status"] == 200} for kind in wanted}
        if is_back and all(len(taken[kind]) == len(exports) for kind in wanted): break
        time.sleep(0.2)
    status = 0
    for kind in places:
        own = [r for r in received if r["kind"] == kind]
        good = [r for r in own if r["status"] == 200]
        delays = sorted(r["at"] - seconds(r["event"]) for r in good)
        words = f"median {delays[len(delays) // 2]:.2f} s, longest {delays[-1]:.2f} s" if delays else "none delivered"
        hook = call("GET", f"/v1/webhooks/{hooks[kind]}")
        state = "disabled: " + hook["disabledReason"] if hook.get("disabledAt") else "enabled"
        print(f"{kind:8} {len(own):4} requests, {len({r['export'] for r in good}):4} of {len(exports)} exports delivered, "
              f"{sum(r['valid'] for r in own)} signatures valid, {words}, {state}")
        if kind != "gone" and {r["export"] for r in good} != set(exports): status = 1
        if not all(r["valid"] for r in own): status = 1
        if kind == "gone" and not hook.get("disabledAt"): status = 1
        call("DELETE", f"/v1/webhooks/{hooks[kind]}")
    print("all are delivered at least once" if status == 0 else "something is missing")
    return status


if __name__ == "__main__":
    sys.exit(main())
