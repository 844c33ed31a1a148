"""Tests the description of the HTTP API on a real farm: test_api.py PROGRAM EXAMPLES SEED."""
import hashlib
import json
import pathlib
import subprocess
import sys
import urllib.request

from farm import Farm
from openapi_spec_validator import OpenAPIV31SpecValidator

HERE = pathlib.Path(__file__).parent
TOOLS = pathlib.Path(sys.executable).parent


def check(holds, what, detail=""):
    if not holds:
        raise SystemExit(f"FAILED  {what}\n{detail}")
    print(f"ok    {what}")


def description(farm):
    with urllib.request.urlopen(farm.server + "/v1/openapi.json") as answer:
        document = json.load(answer)
    faults = [str(fault) for fault in OpenAPIV31SpecValidator(document).iter_errors()]
    operations = sum(len(methods) for methods in document["paths"].values())
    check(not faults, f"the description is valid OpenAPI {document['openapi']} with {operations} operations", "\n".join(faults))
    return document


def generated_client(farm, document):
    """Generates a Python package from the description and imports it."""
    (farm.directory / "openapi.json").write_text(json.dumps(document))
    (farm.directory / "client.yaml").write_text(
        "project_name_override: spool-client\npackage_name_override: spool_client\n"
        "content_type_overrides:\n  '*/*': application/octet-stream\n")
    done = subprocess.run(
        [TOOLS / "openapi-python-client", "generate", "--path", farm.directory / "openapi.json", "--config",
         farm.directory / "client.yaml", "--output-path", farm.directory / "client", "--meta", "none"],
        capture_output=True, text=True)
    check(done.returncode == 0, "a Python client is generated from it", done.stdout + done.stderr)
    check("unsupported" not in done.stdout.lower(), "with every operation", done.stdout)
    package = farm.directory / "packages/spool_client"
    package.parent.mkdir()
    (farm.directory / "client").rename(package)
    sys.path.insert(0, str(package.parent))


def session(farm):
    """Uploads, submits, follows, downloads and removes with the generated client."""
    from spool_client import AuthenticatedClient
    from spool_client.api.assets import list_assets, remove_asset, upload_asset
    from spool_client.api.exports import change_export, download_film, get_export, list_exports, remove_export, submit_export
    from spool_client.models import ExportChange, ExportListing, ExportSubmissionOptions, Problem
    from spool_client.types import File

    client = AuthenticatedClient(base_url=farm.server, token=farm.token, raise_on_unexpected_status=True)
    farm.spool("sample-media", str(farm.directory / "media"))
    media = (farm.directory / "media/meadow.mp4").read_bytes()
    name = hashlib.sha256(media).hexdigest()
    with (farm.directory / "media/meadow.mp4").open("rb") as file:
        asset = upload_asset.sync(name, client=client, body=File(payload=file), asset_name="meadow.mp4")
    check(asset.byte_count == len(media), f"the client uploads {asset.name}, {asset.byte_count} bytes")
    draft = {"version": 1, "videoSize": {"width": 320, "height": 180}, "mainTrackClips": [
        {"type": "av", "url": f"asset:{name}", "timeRange": {"start": 0, "duration": 1}}]}
    export = submit_export.sync(client=client, body=ExportSubmissionOptions.from_dict({"document": draft, "label": "generated client"}))
    check(str(export.state) == "submitted", f"submits an export, {export.id}")
    export = change_export.sync(export.id, client=client, body=ExportChange(priority=5))
    check(export.priority == 5, "gives it another priority")
    refused = remove_export.sync(export.id, client=client)
    check(isinstance(refused, Problem), "is told by a problem document that it is not over", str(refused))
    farm.spool("watch", str(export.id))
    export = get_export.sync(export.id, client=client)
    check(str(export.state) == "completed", f"follows it to its end: {export.frame_count} frames", str(export))
    film = download_film.sync_detailed(export.id, client=client)
    check(film.content[4:8] == b"ftyp" and film.parsed.payload.read() == film.content, f"downloads the film, {len(film.content)} bytes, ETag {film.headers['etag'][:9]}...")
    part = download_film.sync_detailed(export.id, client=client, range_="bytes=4-7")
    check(part.status_code == 206 and part.content == b"ftyp", "and a part of it")
    page = list_exports.sync(client=client, limit=1)
    check(isinstance(page, ExportListing) and page.items[0].id == export.id, "lists it")
    check(remove_export.sync_detailed(export.id, client=client).status_code == 204, "removes it")
    check(remove_asset.sync_detailed(name, client=client).status_code == 204, "removes the asset")
    check(not list_assets.sync(client=client).items, "nothing is left")


def made_up_requests(farm, examples, seed):
    """Lets schemathesis make up requests. A token that it revokes or replaces would end the run, so tokens are left to
    other tests."""
    done = subprocess.run(
        [TOOLS / "schemathesis", "--config-file", HERE / "schemathesis.toml", "run", farm.server + "/v1/openapi.json",
         "--header", f"Authorization: Bearer {farm.token}", "--max-examples", str(examples), "--seed", seed,
         "--exclude-operation-id", "revokeToken", "--exclude-operation-id", "rotateToken", "--request-timeout", "20", "--no-color"],
        capture_output=True, text=True, cwd=farm.directory)
    for role in ("video", "audio", "stitch"):
        farm.spool("queue", "resume", role)
    check(done.returncode == 0, "schemathesis has no findings", (done.stdout + done.stderr)[-20000:])
    print("\n".join("      " + line for line in done.stdout.splitlines() if line.strip())[-2500:])


def main():
    with Farm(sys.argv[1]) as farm:
        document = description(farm)
        generated_client(farm, document)
        session(farm)
        made_up_requests(farm, int(sys.argv[2]), sys.argv[3])
        faults = farm.spool("audit")
        print(f"      {faults.strip()}")
        log = farm.log.read_text()
        check("Fatal error" not in log, "no process of the farm has crashed", log[-4000:])


main()
