package import ArtifactStore
package import BlockingWork
package import Coordinator
import ExportPlan
import FarmAPI
package import HTTPClient
package import JobQueue
package import Logging
package import FoundationEssentials
import Synchronization

/// Sends the films of completed exports to the destinations that they name. The leader runs it for its term, as the
/// sender of webhooks; a film that was under way when a leader ended is sent again by the next one, under the same name.
///
/// An export is complete before that, and its film stays in the farm's store: a destination that is away delays nothing.
package struct FilmPublisher: Sendable {
    /// The pauses between attempts, and for how many seconds a film is tried before that fails for good.
    package struct Policy: Sendable {
        package var backoff = Backoff(first: .seconds(10), growth: 3, limit: .seconds(86_400))
        package var failureLimit: TimeInterval = 5 * 86_400

        package init() {}
    }

    /// How many films are sent at a time.
    private static let atOnce = 4
    /// Films are looked for at least so often, because a notification may be missed.
    private static let interval = Duration.seconds(30)

    private let store: any PublicationStore
    private let films: any FilmFiles
    private let destinations: DestinationFile
    private let http: Connections
    private let policy: Policy
    private let signal: WakeSignal
    private let now: @Sendable () -> Date
    private let logger: Logger
    /// Threads that hash and copy films.
    private let work = BlockingPool(name: "publications", threads: 4, waiting: 64, waitingPerLane: 64)
    private let state = PublisherState()

    /// - Parameters:
    ///   - films: the farm's films.
    ///   - http: sends requests to addresses, by the rules on them.
    ///   - signal: wakes the publisher when films were added.
    ///   - now: tells the time by the database's clock.
    package init(
        store: any PublicationStore, films: any FilmFiles, destinations: DestinationFile, http: Connections,
        policy: Policy = Policy(), signal: WakeSignal, now: @escaping @Sendable () -> Date, logger: Logger
    ) {
        self.store = store
        self.films = films
        self.destinations = destinations
        self.http = http
        self.policy = policy
        self.signal = signal
        self.now = now
        self.logger = logger
    }

    /// The connections of a publisher.
    /// - Parameter networks: private networks that may be reached all the same.
    package static func connections(_ networks: [IPNetwork]) -> Connections {
        Connections(connecting: .seconds(10), silence: .seconds(30), slowest: 1000, rules: .publicAddresses(and: networks))
    }

    /// Sends until the task is cancelled or the lead is lost.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled, !state.hasLostLead {
                do {
                    let now = now()
                    let under = state.underWay
                    let due = try await store.duePublications(
                        at: now, underWay: under, limit: max(0, FilmPublisher.atOnce - under.count))
                    for film in due {
                        state.begin(film.export)
                        group.addTask { await send(film) }
                    }
                    let next = try await store.nextPublication(after: now)
                    let wait = next.map { Duration.seconds(max(0.001, $0.timeIntervalSince(now))) } ?? FilmPublisher.interval
                    _ = await signal.wait(atMost: min(wait, FilmPublisher.interval))
                } catch {
                    await pause(after: error)
                }
            }
            group.cancelAll()
        }
    }

    private func send(_ film: OutgoingFilm) async {
        defer {
            state.end(film.export)
            signal.wake()
        }
        let outcome: PublicationOutcome
        do {
            outcome = .published(try await files(of: film))
        } catch is CancellationError {
            return
        } catch {
            guard !Task.isCancelled else { return }
            outcome = failure(of: film, error)
        }
        let words: Logger.Metadata = ["export": "\(film.export)", "destination": "\(film.destination)"]
        switch outcome {
        case .published(let files): logger.info("the film is at '\(files.first?.address ?? "")'", metadata: words)
        case .retry(_, let message): logger.warning("the film will be sent again: \(message)", metadata: words)
        case .failed(let message): logger.error("the film is not sent: \(message)", metadata: words)
        }
        do {
            try await store.record(outcome, of: film, at: now())
        } catch {
            // It is pending still, and is sent once more; not at once, because the database may be away.
            await pause(after: error)
        }
    }

    private func files(of film: OutgoingFilm) async throws -> [Publication.File] {
        // The operator may have changed the file since the export was accepted, and may change it back.
        if let complaint = destinations.rule.complaint(about: film.destination, tenant: film.tenantName) {
            throw PublicationFault(complaint)
        }
        guard let destination = destinations.destinations[film.destination] else {
            throw PublicationFault("'\(film.destination)' is no destination of this farm")
        }
        guard let path = try await films.film(film.film, tenant: film.tenant) else {
            throw PublicationFault("the film is no longer in the farm's store; rerun the export to have it again", isFinal: true)
        }
        return try await DestinationUpload(destination: destination, film: film, films: films, http: http, work: work).send(path)
    }

    private func failure(of film: OutgoingFilm, _ error: any Error) -> PublicationOutcome {
        let fault = error as? PublicationFault
        let message = fault?.message ?? (error as? ArtifactError).map { "'\($0.subject)' \($0.message)" } ?? "\(error)"
        let now = now()
        guard fault?.isFinal != true, now.timeIntervalSince(film.queuedAt) < policy.failureLimit else {
            return .failed(message: message)
        }
        let pause = policy.backoff.pause(before: film.attempts + 1)
        return .retry(at: now + Double(pause.components.seconds) + Double(pause.components.attoseconds) * 1e-18, message: message)
    }

    private func pause(after error: any Error) async {
        guard !(error is CancellationError) else { return }
        // Reading is not refused, so that without this the same films would be sent again and again.
        if (error as? FarmError)?.code == .lostLead { return state.noteLostLead() }
        logger.warning("sending films to their destinations: \(error); retrying")
        try? await Task.sleep(for: .seconds(1))  // cancelled: the loop ends
    }
}

/// What a publisher is doing.
private final class PublisherState: Sendable {
    private struct State {
        var underWay: Set<ExportID> = []
        var hasLostLead = false
    }

    private let state = Mutex(State())

    var underWay: Set<ExportID> { state.withLock { $0.underWay } }
    /// Whether the store has said that another coordinator leads.
    var hasLostLead: Bool { state.withLock { $0.hasLostLead } }

    func begin(_ export: ExportID) { state.withLock { _ = $0.underWay.insert(export) } }
    func end(_ export: ExportID) { state.withLock { _ = $0.underWay.remove(export) } }
    func noteLostLead() { state.withLock { $0.hasLostLead = true } }
}
