"""An S3 service for tests: moto, with one bucket, which refuses every Nth request with 500.

  faulty_s3.py ADDRESS PORT BUCKET N      N of 0 refuses nothing

It writes to standard output how many requests came and how many were refused, whenever the numbers have changed.
Keys are not checked here; Tests/TestSupport/MotoServer.swift does that.
"""
import itertools
import sys
import threading

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.s3.models import s3_backends
from werkzeug.serving import WSGIRequestHandler, make_server

address, port, bucket, every = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
s3_backends["123456789012"]["aws"].create_bucket(bucket, "us-east-1")
moto = DomainDispatcherApplication(create_backend_app)
numbers = itertools.count(1)
counts = {"requests": 0, "refused": 0}
changed = threading.Event()


def application(environ, start):
    number = next(numbers)
    counts["requests"] = number
    changed.set()
    # Moto takes the first part of another name than this one for the name of a bucket.
    environ["HTTP_HOST"] = "localhost"
    if not every or number % every:
        return moto(environ, start)
    counts["refused"] += 1
    changed.set()
    size = int(environ.get("CONTENT_LENGTH") or 0)
    while size > 0:
        size -= len(environ["wsgi.input"].read(min(size, 1 << 20)) or b" " * size)
    body = b"<Error><Code>InternalError</Code><Message>refused by the test</Message></Error>"
    start("500 Internal Server Error", [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
    return [body]


class Handler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *arguments):
        pass


server = make_server(address, port, application, threaded=True, request_handler=Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("ready", flush=True)
while changed.wait():
    changed.clear()
    print(f"{counts['requests']} requests, {counts['refused']} refused", flush=True)
