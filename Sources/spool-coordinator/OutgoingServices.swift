import ArtifactStore
import Coordinator
import Deliveries
import HTTPClient
import JobQueue
import Logging

/// What the leader sends to others: messages to webhooks, and films to their destinations. A coordinator has one, whether
/// it leads or not, so that connections are kept from one term to the next.
struct OutgoingServices: Sendable {
    private let settings: ReceiverSettings
    private let films: any FilmFiles
    private let webhooks = WakeSignal()
    private let publications = WakeSignal()
    private let webhookConnections: Connections
    private let publicationConnections: Connections
    private let logger: Logger

    init(_ settings: ReceiverSettings, films: any FilmFiles, logger: Logger) {
        self.settings = settings
        self.films = films
        self.logger = logger
        webhookConnections = WebhookSender.connections(settings.networks)
        publicationConnections = FilmPublisher.connections(settings.networks)
    }

    /// Sends for a term, until the task is cancelled or the lead is lost.
    /// - Parameter store: the store of the term.
    func run(store: PostgresFarmStore, _ term: LeadTerm) async {
        let sender = WebhookSender(
            store: store, http: webhookConnections, receivers: settings.addresses, signal: webhooks, now: { term.now() },
            logger: logger)
        let publisher = FilmPublisher(
            store: store, films: films, destinations: settings.destinations, http: publicationConnections,
            signal: publications, now: { term.now() }, logger: logger)
        await withTaskGroup { group in
            group.addTask { await sender.run() }
            group.addTask { await publisher.run() }
        }
    }

    /// Takes a notification of the database.
    /// - Returns: whether it was about something to send.
    func takes(_ channel: String) -> Bool {
        switch channel {
        case PostgresFarmStore.webhookChannel: webhooks.wake()
        case PostgresFarmStore.publicationChannel: publications.wake()
        default: return false
        }
        return true
    }

    /// Looks for everything, because notifications may have been missed.
    func wake() {
        webhooks.wake()
        publications.wake()
    }
}
