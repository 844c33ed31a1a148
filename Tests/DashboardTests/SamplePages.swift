import Dashboard
import DraftModel
import ExactTime
import ExportPlan
import FarmAPI
import FoundationEssentials

/// Every page with values in every place, all of whose texts have `text` in them.
struct SamplePages {
    let text: String
    let now = Date(timeIntervalSince1970: 1_900_000_000)

    func viewer(_ scopes: Set<Scope> = [.admin]) -> Viewer {
        Viewer(tenant: 1, scopes: scopes, formKey: "key\(text)", once: "once\(text)", now: now)
    }

    func all(_ scopes: Set<Scope> = [.admin]) -> [(name: String, markup: String)] {
        let viewer = viewer(scopes)
        let pages: [(String, any DashboardPage)] = [
            ("login", LoginPage(destination: .exports, refusal: text)),
            ("fault", FaultPage(status: 409, message: text)),
            (
                "overview",
                OverviewPage(
                    viewer: viewer, queues: queues, history: [history], workers: [worker], readiness: readiness,
                    newest: exports, notice: .queuePaused)
            ),
            (
                "exports",
                ExportsPage(
                    viewer: viewer,
                    query: ExportQuery(label: text, state: .failed, tag: text, batch: text, order: .priority, cursor: text),
                    exports: exports, next: text, tenants: [1: text])
            ),
            ("no exports", ExportsPage(viewer: viewer, query: ExportQuery(), exports: [], next: nil)),
            (
                "selection",
                SelectionPage([
                    .init(exports[0].id, state: .cancelled, text, isDone: true, made: exports[1].id),
                    .init(exports[1].id, state: nil, text, isDone: false),
                ])
            ),
        ]
        let more: [(String, any DashboardPage)] =
            exports.map { export in
                (
                    "export \(export.state.rawValue)",
                    ExportPage(
                        viewer: viewer, export: export, jobs: jobs, hasMoreJobs: true, why: why, events: events,
                        failedJob: detail, notice: .rerun)
                )
            } + [
                ("job", JobPage(viewer: viewer, detail: detail, why: why)),
                ("batches", BatchesPage(viewer: viewer, batches: [batch], state: .failed, cursor: text, next: text)),
                ("batch", BatchPage(viewer: viewer, batch: batch, exports: exports)),
                (
                    "drafts",
                    DraftsPage(
                        viewer: viewer, drafts: [DraftRevision(name: text, revision: 3, createdAt: now)], cursor: text, next: text
                    )
                ),
                ("draft", draft(viewer)),
                ("workers", WorkersPage(viewer: viewer, workers: [worker], cursor: text, next: text)),
                ("dead letters", DeadLettersPage(viewer: viewer, letters: [letter], cursor: text, next: text)),
                ("tenants", TenantsPage(viewer: viewer, tenants: [tenant], cursor: text, next: text)),
                (
                    "tokens",
                    TokensPage(
                        viewer: viewer, tokens: [token], tenants: [text], own: 1, cursor: text, next: text,
                        issued: IssuedToken(token, secret: text))
                ),
            ]
        return (pages + more).map { name, page in (name, Layout.page(page, for: name == "login" ? nil : viewer).text) }
    }

    // MARK: Values

    private var readiness: Readiness {
        var readiness = Readiness(database: true, queue: false)
        readiness.missing = [text]
        readiness.warnings = [text]
        return readiness
    }

    private var queues: [QueueStatus] {
        WorkerRole.allCases.map {
            QueueStatus(
                role: $0, waiting: 1, ready: 2, dispatched: 3, running: 4, oldestReadySince: now - 30, waitingTime: 0.5,
                finishedLastMinute: 6, errorsLastHour: 7, isPaused: true, pools: [text], poolsWithoutWorkers: [text],
                backlog: 3700)
        }
    }

    private var history: QueueHistory {
        var history = QueueHistory(role: .video)
        history.finished[3] = 40
        history.errors[59] = 2
        return history
    }

    private var worker: WorkerReport {
        let running = WorkerStatus.Running(
            job: 7, attempt: 2, kind: .video, done: 30, total: 96, startedAt: now - 3, width: 1, memory: 300_000_000)
        var status = WorkerStatus(
            id: text, host: text, version: text, roles: [.video, .audio], pools: [text], slots: 4, memory: 8_000_000_000,
            processors: 4, startedAt: now - 5000, seenAt: now, isDraining: false, pausedFor: text, running: [running],
            machine: text)
        status.missingLayers = [text: text]
        status.lacks = [text]
        status.load = 2.345
        return WorkerReport(status, running: [WorkerReport.Running(running, export: nil, at: now)])
    }

    private var exports: [Export] {
        ExportState.allCases.map { state in
            var export = Export(
                id: ExportID(), number: 12_345, tenant: 1, label: text, priority: 5, pool: text, state: state,
                failure: state == .failed ? failure : nil, filmKey: ArtifactKey("ab"), frameCount: 240, createdAt: now - 100,
                finishedAt: state.isTerminal ? now : nil, tags: [text: text], metadata: .object([text: .string(text)]),
                batch: BatchRowReference(id: BatchID(), row: 4),
                pictures: FilmPictures(
                    poster: ArtifactKey("cd"),
                    sprites: FilmPictures.Sprites(
                        sheets: [ArtifactKey("ef")],
                        SpriteIndex(interval: .one, duration: MediaTime(seconds: 10), width: 160, height: 90))))
            export.progress.framesDone = 100
            export.warnings = [diagnostic]
            export.publication = Publication(destination: text, state: .failed, message: text)
            return export
        }
    }

    private var diagnostic: DraftDiagnostic { DraftDiagnostic(path: text, code: .noEffect, severity: .warning, message: text) }

    private var failure: ExportFailure { ExportFailure(.crash, message: text, diagnostics: [diagnostic], job: 7) }

    private var jobs: [Job] {
        JobState.allCases.enumerated().map { place, state in
            Job(
                id: Int64(place + 1), export: exports[0].id, tenant: 1, kind: .video, ordinal: place, key: ArtifactKey(text),
                pool: text, priority: 0, frameCount: 96, state: state, attempt: place, worker: text, reused: place == 3,
                createdAt: now - 50, dispatchedAt: now - 40, startedAt: now - 30, finishedAt: state.isTerminal ? now : nil,
                predicted: 3.5)
        }
    }

    private var detail: JobDetail {
        var cost = JobCost()
        cost.decode = 1.5
        let attempts = [AttemptState.failed, .lost, .succeeded].enumerated().map { place, state in
            JobAttempt(
                number: place + 1, state: state, worker: text, failure: JobFailure(.crash, subject: text, message: text),
                cost: cost,
                log: text, dispatchedAt: now - 20, startedAt: now - 10, finishedAt: now)
        }
        return JobDetail(jobs[4], attempts: attempts)
    }

    private var why: WaitReport {
        WaitReport(
            export: exports[0].id, state: text,
            reasons: [WaitReason(.slots, text, jobs: [1, 2], exports: [exports[0].id], workers: [text])])
    }

    private var events: [ExportEvent] {
        ExportEvent.Kind.allCases.enumerated().map { place, kind in
            ExportEvent(id: Int64(place + 1), export: exports[0].id, job: 7, kind: kind, message: text, at: now)
        }
    }

    private var batch: Batch {
        var progress = BatchProgress(rows: 10, refused: 1, waiting: 2)
        progress.completed = 3
        progress.failed = 2
        return Batch(
            id: BatchID(), number: 3, tenant: 1, label: text, pool: text, state: .running, pace: 30, createdAt: now,
            progress: progress, warnings: [diagnostic])
    }

    private var letter: DeadLetter {
        DeadLetter(
            job: 9, export: exports[0].id, tenant: 1, kind: .video, ordinal: 2, attempts: 3, workers: [text],
            failure: JobFailure(.crash, subject: text, message: text), diedAt: now)
    }

    private var tenant: Tenant {
        Tenant(id: 1, name: text, weight: 2, priorityCap: 50, sourceAddresses: [text], maxOpenJobs: 10, createdAt: now)
    }

    private var token: Token {
        Token(
            id: 1, tenant: text, name: text, scopes: [.read], createdAt: now, revokedAt: nil, expiresAt: now + 5000,
            lastUsedAt: now)
    }

    private func draft(_ viewer: Viewer) -> DraftPage {
        var draft = Draft()
        var clip = MainTrackClip(type: .av, url: text)
        clip.timeRange = TimeRange(start: .zero, duration: MediaTime(seconds: 4))
        draft.mainTrackClips = [clip, MainTrackClip(type: .image, url: text)]
        draft.layers = [
            DraftLayer(timeRange: TimeRange(start: .zero, duration: MediaTime(seconds: 2)), source: LayerSource(type: .text))
        ]
        draft.chapters = [DraftChapter(start: .zero, title: text)]
        let changes = try? DraftDifference(from: document(["a": "1", "b": "2"]), to: document(["a": text, "c": text])).changes
        let reports = [3, 2].map { number in
            DraftRevisionReport(
                name: text, revision: number, createdAt: now, byteCount: 900, exportCount: 2, newestExports: [exports[0].id])
        }
        return DraftPage(
            viewer: viewer, name: text, revision: 3, timeline: DraftTimeline(draft), difference: changes.map { (2, $0) },
            revisions: reports, cursor: text, next: text)
    }

    /// Texts have JSON.
    private func document(_ values: [String: String]) throws -> Data { try FarmJSON.encode(values) }
}
