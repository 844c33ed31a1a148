"""Bugs that are planted to see whether the tests find them.

Each is a change of one line. `PLANTED` in the new text stands for a condition that holds while the bug is active, so that
all bugs are built at once and tried one after the other.
"""


class Bug:
    def __init__(self, name, file, old, new, tests):
        self.name, self.file, self.old, self.new, self.tests = name, file, old, new, tests


BUGS = [
    Bug("a report is acknowledged and not applied", "Sources/Coordinator/Leading/Leader.swift",
        r"try await store.apply(deliveries.map(\.report), at: term.now()",
        r"try await store.apply(PLANTED ? [] : deliveries.map(\.report), at: term.now()",
        "SimulationTests"),
    Bug("a lease that ends is not compared with the attempt", "Sources/Coordinator/Lifecycle/JobLifecycle+Reports.swift",
        "guard isUnderWay(number) else { return [] }\n        let worker = copy",
        "guard PLANTED || isUnderWay(number) else { return [] }\n        let worker = copy",
        "JobLifecycle"),
    Bug("an artifact gets its name before its bytes are on the disk", "Sources/ArtifactStore/DirectoryArtifactStore.swift",
        "            try files.sync(file)\n            try write(try record(ofFile: file, warnings), to: sumFile)",
        "            if !PLANTED { try files.sync(file) }\n            try write(try record(ofFile: file, warnings), to: sumFile)",
        "ArtifactStoreTests"),
    Bug("a late success revives a job that has failed", "Sources/Coordinator/Lifecycle/JobLifecycle+Reports.swift",
        "guard !state.isTerminal else { return [] }\n        state = .done",
        "guard PLANTED || !state.isTerminal else { return [] }\n        state = .done",
        "JobLifecycle"),
    Bug("failures are retried for ever", "Sources/Coordinator/Lifecycle/JobLifecycle+Reports.swift",
        "return pause.map(Consequence.retry) ?? .failForGood(failure)",
        "return PLANTED ? .retry(pause: 0) : pause.map(Consequence.retry) ?? .failForGood(failure)",
        "JobLifecycle"),
    Bug("a job that crashed goes to the same worker again", "Sources/Coordinator/Lifecycle/JobLifecycle+Reports.swift",
        "if isOfWorker, !excludedWorkers.contains(reporter)",
        "if isOfWorker, !PLANTED, !excludedWorkers.contains(reporter)",
        "JobLifecycle"),
    Bug("a leader writes without looking whether it still leads", "Sources/Coordinator/Store/PostgresFarmStore.swift",
        r'private var fence: String? { term.map { "SELECT require_lead(\($0.epoch))" } }',
        r'private var fence: String? { PLANTED ? nil : term.map { "SELECT require_lead(\($0.epoch))" } }',
        "LostLeadTests"),
    Bug("an artifact is used without comparing its checksum", "Sources/ArtifactStore/DirectoryArtifactStore.swift",
        "guard recorded.sum == DirectoryArtifactStore.sum(found) else {",
        "guard PLANTED || recorded.sum == DirectoryArtifactStore.sum(found) else {",
        "ArtifactStoreTests"),
    Bug("a tenant sees what others have", "Sources/FarmAPI/Records/Caller.swift",
        "package var visibleTenant: Int64? { isOperator ? nil : tenant }",
        "package var visibleTenant: Int64? { PLANTED || isOperator ? nil : tenant }",
        "HTTPAPITests"),
    Bug("tickets that the queue has lost are not missed", "Sources/Coordinator/Leading/Leader+Reclaiming.swift",
        "!held.contains(attempt.id) && !reported.contains(attempt.id)",
        "!PLANTED && !held.contains(attempt.id) && !reported.contains(attempt.id)",
        "SimulationTests"),
    Bug("leases count that nobody could renew while the queue was away", "Sources/Coordinator/Leading/Leader+Reclaiming.swift",
        "guard watched >= Leader.lease else { return }",
        "guard PLANTED || watched >= Leader.lease else { return }",
        "CoordinatorTests"),
    Bug("a result counts without its artifact", "Sources/Worker/ArtifactLookup.swift",
        "guard !isThere else { return nil }", "guard !isThere, !PLANTED else { return nil }",
        "WorkerTests"),
    Bug("the key of an artifact says nothing of what is drawn", "Sources/DraftCompiler/Plan/ContentKey.swift",
        "bytes.append(try encoder.encode(content))",
        "if !PLANTED || kind != \"video\" { bytes.append(try encoder.encode(content)) }",
        "DraftCompilerTests"),
]
