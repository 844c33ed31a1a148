package import Hummingbird

/// The server of `spool preview` (docs/preview.md): the page, the state of the draft, and the media files that the engine
/// makes.
///
///     let service = PreviewService(directory: path, token: token) { print($0.line) }
///     let server = Application(router: service.router(), ...)
///
/// The engine is `spool preview` itself. It writes files into a directory, says what has happened (`EngineEvent`), and is
/// told what pages need (`ServerReport`). The server reads the directory and writes nothing there.
package struct PreviewService: Sendable {
    package struct Options: Sendable {
        /// The address that the server listens on.
        package var host = "127.0.0.1"
        /// How long a request for a media file waits until the file is there.
        package var mediaWait = Duration.seconds(60)
        /// How often the stream of events to an open page has a comment, so that a page that is gone is noticed.
        package var keepAlive = Duration.seconds(15)

        package init() {}
    }

    private let directory: PreviewDirectory
    private let token: PreviewToken
    private let options: Options
    private let report: @Sendable (ServerReport) -> Void
    private let waiting = WaitingRequests()
    private let pages = OpenPages()

    /// - Parameters:
    ///   - directory: the directory that the engine writes into.
    ///   - report: tells the engine something. It may be called from several tasks at a time.
    package init(
        directory: String, token: PreviewToken, options: Options = Options(), report: @escaping @Sendable (ServerReport) -> Void
    ) {
        self.directory = PreviewDirectory(path: directory)
        self.token = token
        self.options = options
        self.report = report
    }

    /// All routes.
    package func router() -> Router<PreviewRequestContext> {
        let router = Router(context: PreviewRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: PreviewFrame())
        router.add(middleware: PreviewAccess(token: token, hosts: AllowedHosts(listeningOn: options.host)))
        PageRoutes(token: token).add(to: router)
        FileRoutes(directory: directory, token: token).add(to: router)
        MediaRoute(directory: directory, waiting: waiting, limit: options.mediaWait, report: report).add(to: router)
        EventRoute(pages: pages, keepAlive: options.keepAlive).add(to: router)
        PlayheadRoute(report: report).add(to: router)
        return router
    }

    /// Tells pages and requests that wait what the engine has done.
    package func take(_ event: EngineEvent) {
        switch event {
        case .state(let revision): pages.tell(.state(revision: revision))
        case .ready(let file):
            waiting.end(file, .ready)
            pages.tell(.ready(file))
        case .failed(let file, let message): waiting.end(file, .failed(message))
        case .progress(let busy): pages.tell(.progress(busy: busy))
        }
    }

    /// Ends the streams of events and the requests that wait, because the engine is gone. Later ones end at once.
    package func end() {
        pages.end()
        waiting.endAll()
    }

    /// The number of streams of events to open pages.
    package var openPages: Int { pages.count }

    /// The number of requests that wait for media files.
    package var waitingRequests: Int { waiting.count }
}
