"""Tenants that keep a farm busy, and look at every film that they get."""
import hashlib
import json
import threading
import time
import urllib.parse
import uuid


class Export:
    def __init__(self, film, tenant, key):
        self.film, self.tenant, self.key = film, tenant, key
        self.id, self.state, self.failure = None, None, None
        self.submitted_at = time.monotonic()
        # Whether the film that was downloaded has the right bytes; nil where there is none.
        self.is_right = None


class Tenant:
    def __init__(self, name, token, films):
        self.name, self.token, self.films = name, token, films
        # Films that it got already, and may ask for again.
        self.seen = []
        # Whether its files have been removed.
        self.is_removed = False
        # Whether one of its sources has been damaged, so that its exports may fail.
        self.is_spoiled = False


class Load:
    """Keeps a number of exports open, of several tenants, until it is told to end.

    Each tenant submits each film once, so that nothing is there already. New tenants follow.
    """

    def __init__(self, farm, films, random, open_exports, tenants=3):
        self.farm, self.films, self.random = farm, films, random
        self.open_exports = open_exports
        self.exports, self.faults = [], []
        self._lock, self._ends = threading.Lock(), threading.Event()
        self._tenants, self._number, self._tenant_count = [], 0, tenants
        farm.open_exports = lambda: [export.id for export in self.open() if export.id]
        farm.spoil_tenant = self.spoil
        self._threads = [threading.Thread(target=self._keep, args=(body,), daemon=True)
                         for body in (self._submit, self._look, self._submit, self._remove)]
        for thread in self._threads:
            thread.start()

    def open(self):
        with self._lock:
            return [export for export in self.exports if export.state is None or export.is_right is None and not export.failure]

    def spoil(self):
        """Gives the id of a tenant that submits nothing any more; None where no tenant has submitted anything."""
        with self._lock:
            tenant = next((tenant for tenant in self._tenants if len(tenant.films) < len(self.films.films)), None)
            if tenant is None:
                return None
            tenant.is_spoiled = True
            self._tenants.remove(tenant)
        return self.farm.postgres.value(f"SELECT id FROM tenants WHERE name = '{tenant.name}'")

    def stop(self):
        """Submits nothing any more."""
        self._ends.set()

    def _keep(self, body):
        while True:
            try:
                body()
            except Exception as error:  # PostgreSQL or a coordinator may be away for longer than they are waited for
                self.last_error = error
            time.sleep(0.05)

    # Submitting

    def _submit(self):
        if self._ends.is_set() or len(self.open()) >= self.open_exports:
            return
        with self._lock:
            tenant = self._next_tenant()
            # A part of the films are asked for again; what was damaged meanwhile has to be made anew.
            again = tenant.seen and self.random.random() < 0.2
            film = self.random.choice(tenant.seen) if again else tenant.films.pop()
            export = Export(film, tenant, str(uuid.uuid4()))
            self.exports.append(export)
        try:
            self._send(export)
        except Exception as error:
            self.faults.append(f"an export could not be submitted: {error}")
            with self._lock:
                self.exports.remove(export)

    def _send(self, export):
        body = json.dumps({"document": export.film.draft, "settings": {"encoderSpeed": "ultrafast"},
                           "priority": self.random.randint(0, 3)}).encode()
        headers = {"Content-Type": "application/json", "Idempotency-Key": export.key}
        ids = set()
        # A part of the submissions come twice, as those of a client that has lost the first answer.
        for _ in range(2 if self.random.random() < 0.2 else 1):
            status, answer = self.farm.request(
                "POST", "/v1/exports", body, token=export.tenant.token, headers=headers, patience=300)
            if status not in (200, 201):
                raise RuntimeError(f"{status} {answer[:300]!r}")
            ids.add(json.loads(answer)["id"])
        if len(ids) != 1:
            self.faults.append(f"the same submission made the exports {sorted(ids)}")
        export.id = ids.pop()

    def _next_tenant(self):
        self._tenants = [tenant for tenant in self._tenants if tenant.films]
        while len(self._tenants) < self._tenant_count:
            self._tenants.append(self._new_tenant())
        return self.random.choice(self._tenants)

    def _new_tenant(self):
        self._number += 1
        name = f"tenant{self._number}"
        # A request may have been answered to nobody: the tenant is there then.
        self.farm.request("POST", "/v1/tenants", json.dumps({"name": name, "weight": 1}).encode(), patience=300,
                          headers={"Content-Type": "application/json"})
        issued = self.farm.json("POST", "/v1/tokens", {"tenant": name, "name": "faults", "scopes": ["submit", "read"]},
                                patience=300)
        for file_name, (sha256, file) in self.films.assets.items():
            status, answer = self.farm.request(
                "PUT", f"/v1/assets/{sha256}", file.read_bytes(), token=issued["secret"], patience=300,
                headers={"Asset-Name": urllib.parse.quote(file_name), "Content-Type": "application/octet-stream"})
            if status not in (200, 201):
                raise RuntimeError(f"the upload of {file_name} was answered with {status} {answer[:300]!r}")
        films = list(self.films.films)
        self.random.shuffle(films)
        return Tenant(name, issued["secret"], films)

    def _remove(self):
        """Removes the files of tenants that have nothing open and submit nothing any more."""
        with self._lock:
            left = {export.tenant for export in self.exports} - set(self._tenants)
        busy = {export.tenant for export in self.open()}
        for tenant in left - busy:
            if not tenant.is_removed:
                self.farm.remove_tenant(tenant.name)
                tenant.is_removed = True
        self._ends.wait(2)

    # Looking at what comes out

    def _look(self):
        waiting = {export.id: export for export in self.open() if export.id}
        if not waiting:
            return
        ids = ", ".join(f"'{id}'" for id in waiting)
        rows = self.farm.postgres.run(
            f"SELECT id, state, coalesce(failure::text, '') FROM exports WHERE id IN ({ids}) AND finished_at IS NOT NULL")
        for id, state, failure in rows:
            export = waiting[id]
            export.state = state
            if state != "completed":
                export.failure = failure or state
                continue
            status, film = self.farm.request("GET", f"/v1/exports/{id}/film", token=export.tenant.token, patience=300)
            if status == 200:
                export.is_right = hashlib.sha256(film).hexdigest() == export.film.sha256
                with self._lock:
                    export.tenant.seen.append(export.film)
            else:
                self.faults.append(f"the film of {id} is completed and was answered with {status}")
                export.is_right = False
        time.sleep(0.1)
