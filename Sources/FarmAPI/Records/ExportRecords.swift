package import DraftModel
package import ExportPlan
package import FoundationEssentials

/// A client's order for an export.
package struct ExportRequest: Hashable, Sendable {
    /// The draft to render.
    package enum Subject: Hashable, Sendable {
        /// A draft document.
        case document(String)
        /// A draft of the library; its newest revision when `revision` is nil.
        case named(String, revision: Int?)
    }

    package var subject: Subject
    package var label: String
    package var parameters: [String: String]
    package var settings: [String: String]
    /// -100...100; higher goes first. Where it is nil, the priority is 0, or the tenant's cap if that is lower.
    package var priority: Int?
    /// Whether the client is an operator, who may give a priority above the tenant's cap.
    package var mayExceedCap: Bool
    package var pool: String
    package var tags: [String: String]
    package var metadata: FreeJSON?

    package init(
        _ subject: Subject, label: String, parameters: [String: String] = [:], settings: [String: String] = [:],
        priority: Int? = nil, mayExceedCap: Bool = false, pool: String = "default", tags: [String: String] = [:],
        metadata: FreeJSON? = nil
    ) {
        self.subject = subject
        self.label = label
        self.parameters = parameters
        self.settings = settings
        self.priority = priority
        self.mayExceedCap = mayExceedCap
        self.pool = pool
        self.tags = tags
        self.metadata = metadata
    }
}

/// Why an export failed.
package struct ExportFailure: Hashable, Sendable, Codable {
    package var failureClass: FailureClass
    package var message: String
    /// All diagnostics of the draft, where the draft is the cause.
    package var diagnostics: [DraftDiagnostic]
    /// The job that failed, where one did.
    package var job: Int64?

    package init(_ failureClass: FailureClass, message: String, diagnostics: [DraftDiagnostic] = [], job: Int64? = nil) {
        self.failureClass = failureClass
        self.message = message
        self.diagnostics = diagnostics
        self.job = job
    }
}

/// An accepted export and its present state.
package struct Export: Hashable, Sendable, Codable {
    package var id: ExportID
    /// The position in the order of acceptance.
    package var number: Int64
    package var tenant: Int64
    package var label: String
    package var priority: Int
    package var pool: String
    package var state: ExportState
    package var failure: ExportFailure?
    /// The key of the film; nil until the export is planned.
    package var filmKey: ArtifactKey?
    /// The pictures beside the film; nil until the export is planned, and where it has none.
    package var pictures: FilmPictures?
    /// When a client removed the film; nil while the export has it, and where it never had one.
    package var filmRemovedAt: Date?
    /// Output frames of the film; nil until the export is planned.
    package var frameCount: Int?
    package var createdAt: Date
    package var finishedAt: Date?
    package var progress: ExportProgress
    /// Warnings for the draft's author: what the compiler changed, and which damage in sources was concealed.
    package var warnings: [DraftDiagnostic]
    /// What became of sending the film to the destination that the export names; nil where it names none, or is not
    /// complete.
    package var publication: Publication?
    /// The client's keys with values; nil where it has none.
    package var tags: [String: String]?
    /// The client's JSON object; nil where it has none.
    package var metadata: FreeJSON?
    /// The row of a batch that it was made for; nil for an export of its own, and for one that a rerun has replaced.
    package var batch: BatchRowReference?

    package init(
        id: ExportID, number: Int64, tenant: Int64, label: String, priority: Int, pool: String, state: ExportState,
        failure: ExportFailure? = nil, filmKey: ArtifactKey? = nil, frameCount: Int? = nil, createdAt: Date,
        finishedAt: Date? = nil, progress: ExportProgress = ExportProgress(), warnings: [DraftDiagnostic] = [],
        publication: Publication? = nil, tags: [String: String]? = nil, metadata: FreeJSON? = nil,
        batch: BatchRowReference? = nil, filmRemovedAt: Date? = nil, pictures: FilmPictures? = nil
    ) {
        self.pictures = pictures
        self.publication = publication
        self.warnings = warnings
        self.tags = tags
        self.metadata = metadata
        self.batch = batch
        self.id = id
        self.number = number
        self.tenant = tenant
        self.label = label
        self.priority = priority
        self.pool = pool
        self.state = state
        self.failure = failure
        self.filmKey = filmKey
        self.filmRemovedAt = filmRemovedAt
        self.frameCount = frameCount
        self.createdAt = createdAt
        self.finishedAt = finishedAt
        self.progress = progress
    }
}

/// The progress of an export, counted in the jobs of its plan. Probes are not among them.
package struct ExportProgress: Hashable, Sendable, Codable {
    package var jobs = 0
    package var jobsDone = 0
    /// Jobs that did not run because their artifact exists.
    package var jobsReused = 0
    /// Frames of finished video segments.
    package var framesDone = 0

    package init() {}
}

/// An export that the leader can probe or compile next.
package struct ExportToCompile: Hashable, Sendable {
    package var id: ExportID
    package var tenant: Int64
    /// `submitted` or `probing`.
    package var state: ExportState
    /// -100 to 100; exports with a higher one go first.
    package var priority: Int
    /// Whether its priority is above its tenant's cap.
    package var isUrgent: Bool
    /// How often compiling it has begun and did not end.
    package var attempts: Int

    package init(
        id: ExportID, tenant: Int64, state: ExportState, priority: Int = 0, isUrgent: Bool = false, attempts: Int = 0
    ) {
        self.isUrgent = isUrgent
        self.id = id
        self.tenant = tenant
        self.state = state
        self.priority = priority
        self.attempts = attempts
    }
}

/// Everything that the compiler needs of an export.
package struct ExportSource: Hashable, Sendable {
    /// A revision of a draft of the library.
    package struct Revision: Hashable, Sendable {
        /// The draft's name.
        package var name: String
        /// The revision, from 1.
        package var number: Int

        package init(name: String, number: Int) {
            self.name = name
            self.number = number
        }
    }

    package var id: ExportID
    package var tenant: Int64
    package var pool: String
    package var priority: Int
    package var document: String
    package var parameters: [String: String]
    package var settings: [String: String]
    /// The revision that it was made from; nil for a document that was submitted with it, and for a draft that is in the
    /// library no more. The compiler does not need it.
    package var revision: Revision?

    package init(
        id: ExportID, tenant: Int64, pool: String, priority: Int, document: String, parameters: [String: String],
        settings: [String: String], revision: Revision? = nil
    ) {
        self.revision = revision
        self.id = id
        self.tenant = tenant
        self.pool = pool
        self.priority = priority
        self.document = document
        self.parameters = parameters
        self.settings = settings
    }
}

/// The probe result of one source location in a draft.
package enum ProbeResult: Hashable, Sendable, Codable {
    case facts(SourceFacts)
    case fault(JobFailure)
}

/// An event in the life of an export, for clients that watch it.
package struct ExportEvent: Hashable, Sendable, Codable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        case submitted, probing, rendering, completed, failed, cancelled
        case jobRetried, jobFailed, jobLost
    }

    package var id: Int64
    package var export: ExportID
    package var job: Int64?
    package var kind: Kind
    package var message: String
    package var at: Date

    package init(id: Int64, export: ExportID, job: Int64?, kind: Kind, message: String, at: Date) {
        self.id = id
        self.export = export
        self.job = job
        self.kind = kind
        self.message = message
        self.at = at
    }
}
