public import DraftModel
public import ExportPlan

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a client asks for.
public struct ExportRequest: Hashable, Sendable {
    /// What to render.
    public enum Subject: Hashable, Sendable {
        /// The document itself.
        case document(String)
        /// A draft of the library; its newest revision when none is named.
        case named(String, revision: Int?)
    }

    public var subject: Subject
    public var label: String
    public var parameters: [String: String]
    public var settings: [String: String]
    /// -100...100; higher goes first.
    public var priority: Int
    public var pool: String

    public init(
        _ subject: Subject, label: String, parameters: [String: String] = [:], settings: [String: String] = [:],
        priority: Int = 0, pool: String = "default"
    ) {
        self.subject = subject
        self.label = label
        self.parameters = parameters
        self.settings = settings
        self.priority = priority
        self.pool = pool
    }
}

/// Why an export failed.
public struct ExportFailure: Hashable, Sendable, Codable {
    public var failureClass: FailureClass
    public var message: String
    /// Every fault of the draft, where that is to blame.
    public var diagnostics: [DraftDiagnostic]
    /// The job that failed, where one did.
    public var job: Int64?

    public init(_ failureClass: FailureClass, message: String, diagnostics: [DraftDiagnostic] = [], job: Int64? = nil) {
        self.failureClass = failureClass
        self.message = message
        self.diagnostics = diagnostics
        self.job = job
    }
}

/// An accepted export as it stands.
public struct Export: Hashable, Sendable, Codable {
    public var id: ExportID
    /// Order of acceptance.
    public var number: Int64
    public var tenant: Int64
    public var label: String
    public var priority: Int
    public var pool: String
    public var state: ExportState
    public var failure: ExportFailure?
    /// Known from the plan on.
    public var filmKey: ArtifactKey?
    /// Output frames of the film; known from the plan on.
    public var frameCount: Int?
    public var createdAt: Date
    public var finishedAt: Date?
    public var progress: ExportProgress
    /// What the draft's author should know: what the compiler changed, and damage in sources that was concealed.
    public var warnings: [DraftDiagnostic]

    public init(
        id: ExportID, number: Int64, tenant: Int64, label: String, priority: Int, pool: String, state: ExportState,
        failure: ExportFailure? = nil, filmKey: ArtifactKey? = nil, frameCount: Int? = nil, createdAt: Date,
        finishedAt: Date? = nil, progress: ExportProgress = ExportProgress(), warnings: [DraftDiagnostic] = []
    ) {
        self.warnings = warnings
        self.id = id
        self.number = number
        self.tenant = tenant
        self.label = label
        self.priority = priority
        self.pool = pool
        self.state = state
        self.failure = failure
        self.filmKey = filmKey
        self.frameCount = frameCount
        self.createdAt = createdAt
        self.finishedAt = finishedAt
        self.progress = progress
    }
}

/// How far an export is, counted in the jobs of its plan (probes are not among them).
public struct ExportProgress: Hashable, Sendable, Codable {
    public var jobs = 0
    public var jobsDone = 0
    /// Jobs whose artifact was there already.
    public var jobsReused = 0
    /// Frames of finished picture segments.
    public var framesDone = 0

    public init() {}
}

/// An export that the leader can take further.
public struct ExportToCompile: Hashable, Sendable {
    public var id: ExportID
    public var tenant: Int64
    /// `submitted` or `probing`.
    public var state: ExportState

    public init(id: ExportID, tenant: Int64, state: ExportState) {
        self.id = id
        self.tenant = tenant
        self.state = state
    }
}

/// Everything that the compiler needs of an export.
public struct ExportSource: Hashable, Sendable {
    public var id: ExportID
    public var tenant: Int64
    public var pool: String
    public var priority: Int
    public var document: String
    public var parameters: [String: String]
    public var settings: [String: String]

    public init(
        id: ExportID, tenant: Int64, pool: String, priority: Int, document: String, parameters: [String: String],
        settings: [String: String]
    ) {
        self.id = id
        self.tenant = tenant
        self.pool = pool
        self.priority = priority
        self.document = document
        self.parameters = parameters
        self.settings = settings
    }
}

/// What a probe found out about a location in a draft.
public enum SourceFinding: Hashable, Sendable, Codable {
    case facts(SourceFacts)
    case fault(JobFailure)
}

/// Something that happened to an export, for those who watch it.
public struct ExportEvent: Hashable, Sendable, Codable {
    public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        case submitted, probing, rendering, completed, failed, cancelled
        case jobRetried, jobFailed, jobLost
    }

    public var id: Int64
    public var export: ExportID
    public var job: Int64?
    public var kind: Kind
    public var message: String
    public var at: Date

    public init(id: Int64, export: ExportID, job: Int64?, kind: Kind, message: String, at: Date) {
        self.id = id
        self.export = export
        self.job = job
        self.kind = kind
        self.message = message
        self.at = at
    }
}
