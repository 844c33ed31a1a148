"""Tries what other sites, other tenants and strangers could try on the dashboard, and prints what became of it.

    attacks.py ADDRESS OPERATOR TENANT OTHER EXPORT

OPERATOR, TENANT and OTHER are tokens: that of an operator, and those of two tenants. EXPORT is an open export of the first
one. It ends with 1 where an attempt succeeds.
"""
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

server, operator, tenant, other, export = sys.argv[1:]


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


opener = urllib.request.build_opener(NoRedirect)


def ask(path, form=None, cookie=None, **headers):
    """The status, the headers and the text of an answer."""
    request = urllib.request.Request(server + path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    if form is not None:
        request.data = urllib.parse.urlencode(form, doseq=True).encode()
    if cookie:
        request.add_header("Cookie", cookie)
    try:
        with opener.open(request) as answer:
            return answer.status, answer.headers, answer.read().decode(errors="replace")
    except urllib.error.HTTPError as answer:
        return answer.code, answer.headers, answer.read().decode(errors="replace")


OWN = {"Sec_Fetch_Site": "same-origin", "Accept": "text/html"}


def log_in(token):
    status, headers, _ = ask("/ui/login", {"token": token}, **OWN)
    assert status == 303, status
    return headers["Set-Cookie"].split(";")[0]


def form_key(cookie):
    return re.search(r'name="key" value="([^"]*)"', ask("/ui/exports", cookie=cookie, **OWN)[2]).group(1)


def state():
    page = ask(f"/ui/exports/{export}", cookie=log_in(tenant), **OWN)[2]
    return re.search(r'class="badge state-(\w+)"', page).group(1)


cookie, foreign, boss = log_in(tenant), log_in(other), log_in(operator)
key, foreign_key = form_key(cookie), form_key(foreign)
cancel = f"/ui/exports/{export}/cancel"
good = {"key": key, "once": "1"}
host = urllib.parse.urlsplit(server).netloc
attempts = [
    ("a form of another site, with cookie and key", lambda: ask(cancel, good, cookie, Sec_Fetch_Site="cross-site"), 403),
    ("a form of another host of the same site", lambda: ask(cancel, good, cookie, Sec_Fetch_Site="same-site"), 403),
    ("a form with another origin", lambda: ask(cancel, good, cookie, Origin="https://evil.example"), 403),
    ("a form with an origin that begins alike", lambda: ask(cancel, good, cookie, Origin=f"http://{host}.evil.example"), 403),
    ("a form of a sandboxed frame", lambda: ask(cancel, good, cookie, Origin="null"), 403),
    ("a form that says nothing of its origin", lambda: ask(cancel, good, cookie), 403),
    ("a form without the key", lambda: ask(cancel, {"once": "1"}, cookie, **OWN), 403),
    ("a form with another session's key", lambda: ask(cancel, {**good, "key": foreign_key}, cookie, **OWN), 403),
    ("a form without a session", lambda: ask(cancel, good, **OWN), 401),
    ("a form with a made-up cookie", lambda: ask(cancel, good, "spool-session=spool_00", **OWN), 401),
    ("two cookies of the name", lambda: ask(cancel, good, f"{cookie}; spool-session=x", **OWN), 401),
    ("another tenant cancels it", lambda: ask(cancel, {"key": foreign_key, "once": "1"}, foreign, **OWN), 404),
    ("another tenant changes its priority",
     lambda: ask(f"/ui/exports/{export}/priority", {"key": foreign_key, "once": "1", "priority": "5"}, foreign, **OWN), 404),
    ("another tenant looks at it", lambda: ask(f"/ui/exports/{export}", cookie=foreign, **OWN), 404),
    ("another tenant follows its events", lambda: ask(f"/ui/exports/{export}/events", cookie=foreign, **OWN), 404),
    ("another tenant watches its stream", lambda: ask(f"/ui/exports/{export}/stream/main.m3u8", cookie=foreign, **OWN), 404),
    ("a tenant pauses a queue", lambda: ask("/ui/queues/video/pause", good, cookie, **OWN), 403),
    ("a tenant looks at all tokens", lambda: ask("/ui/tokens", cookie=cookie, **OWN), 403),
    ("a tenant makes an operator's token",
     lambda: ask("/ui/tokens", {**good, "tenant": "operator", "name": "x", "scope": "admin"}, cookie, **OWN), 403),
    ("an image of another site loads a page",
     lambda: ask(f"/ui/exports/{export}", cookie=cookie, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors"), 403),
    ("a frame of another site shows a page",
     lambda: ask("/ui/exports", cookie=cookie, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="iframe"), 403),
    ("the cookie at /v1", lambda: ask("/v1/exports", cookie=boss, Accept="application/json"), 401),
    ("a login from another site", lambda: ask("/ui/login", {"token": operator}, Origin="https://evil.example"), 403),
]
failed = 0
print("| attempt | answer | the export is |\n|---|---|---|")
for words, attempt, expected in attempts:
    status = attempt()[0]
    now = state()
    is_refused = status == expected and now not in ("cancelled", "failed")
    failed += not is_refused
    print(f"| {words} | {status}{'' if is_refused else ' INSTEAD OF ' + str(expected)} | {now} |")

status, headers, _ = ask("/ui/login", {"token": tenant, "to": "https://evil.example/"}, **OWN)
failed += headers["Location"] != "/"
print(f"| a login that leads elsewhere | {status}, to {headers['Location']} | {state()} |")
hostile = "</title><script>alert(1)</script>"
page = ask("/ui/exports?" + urllib.parse.urlencode({"label": hostile}), cookie=cookie, **OWN)[2]
failed += "<script>alert" in page
print(f"| a search for markup | 200, {'as markup' if '<script>alert' in page else 'escaped'} | {state()} |")
answers = [ask("/ui/login", {"token": f"guess{number}"}, **OWN)[0] for number in range(40)]
failed += 429 not in answers
print(f"| {len(answers)} logins with guesses | {answers.count(401)} times 401, then {answers.count(429)} times 429 | {state()} |")
sys.exit(1 if failed else 0)
