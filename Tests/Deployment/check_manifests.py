"""Checks docker/compose.yaml, docker/kubernetes and docs/deployment.md without running them. scripts/check-deployment calls
it. It prints what is wrong, a line each, and exits with 1, or says what it has checked."""
import json
import pathlib
import re
import shutil
import subprocess

import yaml

import guide

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCKER = ROOT / "docker"
faults = []
notes = []

# Names of environment variables that are no settings of the farm's processes: those of the client, and of compose itself.
OTHER_NAMES = {"SPOOL_SERVER", "SPOOL_TOKEN", "SPOOL_IMAGE"}
# Fields of KEDA's ScaledObject (keda.sh/v1alpha1) that the manifests use, by the schema of KEDA.
SCALED = {"scaleTargetRef", "minReplicaCount", "maxReplicaCount", "pollingInterval", "cooldownPeriod", "advanced", "triggers"}
PROMETHEUS = {"serverAddress", "query", "threshold", "activationThreshold"}


def require(condition, fault):
    if not condition:
        faults.append(fault)


def settings():
    """The names of all settings, by docs/configuration.md."""
    return set(re.findall(r"`(SPOOL_[A-Z_]+)`", (ROOT / "docs/configuration.md").read_text())) | OTHER_NAMES


def check_names():
    known = settings()
    files = [*DOCKER.rglob("*"), ROOT / "docs/deployment.md", ROOT / "config/spool.yaml.example"]
    for file in files:
        if file.is_file():
            for name in sorted(set(re.findall(r"\bSPOOL_[A-Z_]+\b", file.read_text()))):
                require(name in known, f"{file.relative_to(ROOT)}: {name} is no setting of docs/configuration.md")
    pairs = dict(re.findall(r"`(SPOOL_[A-Z_]+)`, `([A-Za-z]+)`", (ROOT / "docs/configuration.md").read_text()))
    example = (ROOT / "config/spool.yaml.example").read_text()
    for name in re.findall(r"^(?:# )?([a-z][A-Za-z]+):(?: |$)", example, re.M):
        require(name in pairs.values(), f"config/spool.yaml.example: {name} is no setting of docs/configuration.md")
    yaml.safe_load(re.sub(r"^# (?=[a-z][A-Za-z]+: )", "", example, flags=re.M))


def check_guide():
    makefile = (ROOT / "Makefile").read_text()
    for line, places, commands in guide.blocks():
        where = f"docs/deployment.md:{line}"
        read = subprocess.run(["bash", "-n"], input=commands, capture_output=True, text=True)
        require(read.returncode == 0, f"{where}: {read.stderr.strip()}")
        for target in re.findall(r"^make ([a-z-]+)", commands, re.M):
            require(f"\n{target}:" in makefile, f"{where}: 'make {target}' is no target")
        for file in re.findall(r"\bdocker/[\w./-]+", commands):
            require((ROOT / file).exists() or file == "docker/.env", f"{where}: {file} does not exist")
    for file in re.findall(r"`((?:docker|Tests|scripts)/[\w./-]+)`", (ROOT / "docs/deployment.md").read_text()):
        require((ROOT / file).exists() or file == "docker/.env", f"docs/deployment.md: {file} does not exist")


def seconds(text):
    number, unit = re.fullmatch(r"(\d+)(s|m|min)", text).groups()
    return int(number) * (1 if unit == "s" else 60)


def is_pinned(image):
    return re.search(r":[^:/]*\d[^:/]*$|@sha256:[0-9a-f]{64}$", image) is not None


def check_compose():
    compose = yaml.safe_load((DOCKER / "compose.yaml").read_text())
    services = compose["services"]
    for name, service in services.items():
        where = f"docker/compose.yaml: {name}"
        image = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", service["image"])
        require(is_pinned(image), f"{where}: the image {image} has no version")
        for other in service.get("depends_on", {}):
            require(other in services, f"{where} depends on {other}, which does not exist")
        for network in service.get("networks", []):
            require(network in compose["networks"], f"{where}: there is no network {network}")
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("."):
                require((DOCKER / source).exists(), f"{where}: {source} does not exist")
            elif not source.startswith("/"):
                require(source in compose["volumes"], f"{where}: there is no volume {source}")
        if "build" in service:
            require(service.get("read_only") is True and service.get("cap_drop") == ["ALL"],
                    f"{where}: the root file system is writable, or there are capabilities")
    for name in ("coordinator-1", "coordinator-2", "worker", "migrate", "postgres", "redis", "s3"):
        require(name in services, f"docker/compose.yaml has no {name}")
    worker = services["worker"]
    require(seconds(worker["stop_grace_period"]) > int(worker["environment"]["SPOOL_GRACE"]) + 10,
            "docker/compose.yaml: a worker is killed before its jobs have ended")
    require("SPOOL_DATABASE_URL" not in worker["environment"], "docker/compose.yaml: workers know the database")
    variables = set(re.findall(r"\$\{(\w+)", (DOCKER / "compose.yaml").read_text()))
    given = set(re.findall(r"^(\w+)=", (DOCKER / "env.example").read_text(), re.M))
    require(variables == given, f"docker/env.example and docker/compose.yaml differ: {sorted(variables ^ given)}")


def objects():
    if shutil.which("kubectl"):
        built = subprocess.run(["kubectl", "kustomize", str(DOCKER / "kubernetes")], capture_output=True, text=True)
        require(built.returncode == 0, f"kubectl kustomize: {built.stderr.strip()}")
        notes.append("built by kubectl kustomize")
        text = built.stdout
    else:
        kustomization = yaml.safe_load((DOCKER / "kubernetes/kustomization.yaml").read_text())
        text = "\n---\n".join((DOCKER / "kubernetes" / name).read_text() for name in kustomization["resources"])
        notes.append("not built, because there is no kubectl")
    return [each for each in yaml.safe_load_all(text) if each]


def check_schemas(found):
    try:
        import kubernetes_validate
    except ImportError:
        notes.append("not compared with schemas, because there is no kubernetes-validate")
        return
    version = kubernetes_validate.latest_version()
    for each in found:
        if each["kind"] == "ScaledObject":
            continue
        try:
            kubernetes_validate.validate(each, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            faults.append(f"docker/kubernetes: {each['kind']} {each['metadata']['name']}: {error}")
    notes.append(f"compared with the schemas of Kubernetes {version}")


def check_kubernetes():
    found = objects()
    check_schemas(found)
    deployments = {each["metadata"]["name"]: each for each in found if each["kind"] == "Deployment"}
    secrets = set(re.findall(r"^(\w+)=", (DOCKER / "kubernetes/secret.env.example").read_text(), re.M))
    for each in found:
        where = f"docker/kubernetes: {each['kind']} {each['metadata']['name']}"
        if each["kind"] == "ScaledObject":
            spec = each["spec"]
            require(set(spec) <= SCALED, f"{where}: unknown fields {sorted(set(spec) - SCALED)}")
            require(spec["scaleTargetRef"]["name"] in deployments, f"{where}: its Deployment does not exist")
            for trigger in spec["triggers"]:
                require(trigger["type"] == "prometheus" and set(trigger["metadata"]) <= PROMETHEUS, f"{where}: its trigger")
                require("spool_backlog_seconds" in trigger["metadata"]["query"], f"{where}: its query")
                roles = set(re.search(r'role=~?"([^"]*)"', trigger["metadata"]["query"])[1].split("|"))
                container = deployments[spec["scaleTargetRef"]["name"]]["spec"]["template"]["spec"]["containers"][0]
                worked = next(item["value"] for item in container["env"] if item["name"] == "SPOOL_ROLES")
                require(roles == set(worked.split(",")), f"{where}: asks for {roles}, but its pods do {worked}")
        if each["kind"] == "PodDisruptionBudget":
            labels = each["spec"]["selector"]["matchLabels"]
            require(any(labels.items() <= other["spec"]["template"]["metadata"]["labels"].items() for other in deployments.values()),
                    f"{where}: chooses no pod")
        if each["kind"] == "Deployment":
            labels = each["spec"]["template"]["metadata"]["labels"]
            require(each["spec"]["selector"]["matchLabels"].items() <= labels.items(), f"{where}: does not choose its pods")
        if each["kind"] in ("Deployment", "Job"):
            check_pod(each["spec"]["template"]["spec"], where, secrets)


def check_pod(pod, where, secrets):
    context = pod["securityContext"]
    require(context["runAsNonRoot"] and context["seccompProfile"]["type"] == "RuntimeDefault", f"{where}: its user or seccomp")
    require(pod["automountServiceAccountToken"] is False, f"{where}: gets a token of the cluster")
    require(pod["enableServiceLinks"] is False, f"{where}: SPOOL_PORT may be the address of a Service")
    volumes = {each["name"] for each in pod["volumes"]}
    for container in pod["containers"]:
        own = container["securityContext"]
        require(own["readOnlyRootFilesystem"] and not own["allowPrivilegeEscalation"] and own["capabilities"]["drop"] == ["ALL"],
                f"{where}: the security context of {container['name']}")
        require(is_pinned(container["image"]) or container["image"] == "spool", f"{where}: the image has no version")
        require({each["name"] for each in container["volumeMounts"]} <= volumes, f"{where}: a volume is missing")
        require("requests" in container["resources"] and "memory" in container["resources"]["limits"], f"{where}: its resources")
        environment = {each["name"]: each for each in container.get("env", [])}
        for each in environment.values():
            if "valueFrom" in each:
                require(each["valueFrom"]["secretKeyRef"]["key"] in secrets, f"{where}: secret.env.example has no {each['name']}")
        if "SPOOL_GRACE" in environment:
            require(pod["terminationGracePeriodSeconds"] > int(environment["SPOOL_GRACE"]["value"]) + 10,
                    f"{where}: is killed before its jobs have ended")
            require("SPOOL_DATABASE_URL" not in environment, f"{where}: workers know the database")


check_names()
check_guide()
check_compose()
check_kubernetes()
json.loads((DOCKER / "kubernetes/token.json").read_text())
if faults:
    print("\n".join(faults))
    raise SystemExit(1)
print(f"deployment: units, packaging, the commands of docs/deployment.md and the manifests are in order ({', '.join(notes)})")
