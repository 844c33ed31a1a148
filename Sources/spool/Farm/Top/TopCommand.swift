import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient
import Vocabulary

/// `spool top`: a live view of the farm, with queues, workers and running exports.
struct TopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top", abstract: "Watch queues, workers and running exports on a terminal, and pause and drain by key.",
        discussion: """
            Tab goes from one list to the next, the arrows or j and k choose a line, s sorts by the next column and r reverses the \
            order, / asks for a text that lines have to contain. p pauses or resumes the chosen queue; d drains the chosen worker \
            and u takes that back; c cancels the chosen export. d and c ask before. q ends the view.
            """)

    @OptionGroup var server: ServerOptions
    @Option(help: "Seconds between two looks at the farm, 1...3600.") var interval = 2

    func validate() throws {
        if !(1...3600).contains(interval) { throw ValidationError("--interval must be 1...3600, not \(interval)") }
    }

    func run() async throws {
        guard TopTerminal.isThere else {
            throw CommandFailure(
                "spool top draws on a terminal, and this is none; 'spool queue ls', 'spool worker ls' and 'spool status' print once",
                status: ExitStatus.usage)
        }
        let client = try server.client()
        // A fault of the farm or the token is said before the screen is taken.
        let first = try await TopFacts.look(client)
        try await Interruption.run { try await watch(client, first) }
    }

    private enum Event: Sendable {
        case key(TopKey)
        case facts(TopFacts)
        case failure(String)
    }

    private func watch(_ client: FarmClient, _ first: TopFacts) async throws {
        let terminal = try TopTerminal()
        defer { terminal.leave() }
        var view = TopView(facts: first)
        terminal.draw(view)
        let (events, sender) = AsyncStream.makeStream(of: Event.self)
        terminal.readKeys { sender.yield(.key($0)) }
        let looks = Task {  // cancelled below
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(interval))
                await sender.yield(TopCommand.look(client))
            }
        }
        defer { looks.cancel() }
        for await event in events {
            switch event {
            case .facts(let facts): view.show(facts)
            case .failure(let message): view.say(message)
            case .key(let key):
                guard let action = view.handle(key) else { break }
                if action == .quit { return }
                await view.say(TopCommand.perform(action, client))
                if case .facts(let facts) = await TopCommand.look(client) { view.show(facts) }
            }
            terminal.draw(view)
        }
        try Task.checkCancellation()
    }

    private static func look(_ client: FarmClient) async -> Event {
        do {
            return .facts(try await TopFacts.look(client))
        } catch {
            return .failure("the farm does not answer, and what is shown is old: \(error)")
        }
    }

    /// - Returns: what was done, or why it was not.
    private static func perform(_ action: TopAction, _ client: FarmClient) async -> String {
        do {
            switch action {
            case .quit: return ""
            case .pause(let role, let isPaused):
                _ = try await client.setPaused(role, isPaused)
                return "the queue '\(role.rawValue)' is \(isPaused ? "paused" : "resumed")"
            case .drain(let worker):
                _ = try await client.drainWorker(worker)
                return "\(worker) is asked to drain"
            case .resume(let worker):
                _ = try await client.resumeWorker(worker)
                return "the request to drain of \(worker) is taken back"
            case .cancel(let export):
                _ = try await client.cancel(export)
                return "cancelled \(export.text)"
            }
        } catch {
            return "error: \(error)"
        }
    }
}

/// The facts that `spool top` shows at one moment.
struct TopFacts: Sendable {
    /// How many running exports are read, the newest.
    private static let exports = 200

    var queues: Listing<QueueStatus>
    var workers: Listing<WorkerReport>
    var exports: [Export]

    static func look(_ client: FarmClient) async throws -> TopFacts {
        async let queues = client.queues()
        async let workers = client.workers()
        async let rendering = client.exports(state: .rendering, limit: exports)
        async let probing = client.exports(state: .probing, limit: exports)
        // An export may have begun to render between the two requests.
        let running = try await rendering.items
        let known = Set(running.map(\.id))
        return TopFacts(
            queues: try await queues, workers: try await workers,
            exports: (running + (try await probing.items).filter { !known.contains($0.id) }).sorted { $0.number > $1.number })
    }
}
