import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Testing

@Suite("Export lifecycle")
struct ExportLifecycleTests {
    private typealias Event = ExportLifecycle.Event

    private static let plan = PlannedExport(jobs: [], filmKey: ArtifactKey("film"), frameCount: 30)
    private static let failure = ExportFailure(.input, message: "went wrong", job: 7)
    private static let events: [Event] = [
        .probingBegan(sources: 2), .compiled(plan), .filmMade, .failed(failure), .cancelled, .jobRetried(7, .probe),
        .jobRetried(7, .video),
    ]

    /// The states that each event leads to, in the order of `events`; nil where it changes nothing.
    private static let table: [ExportState: [ExportState?]] = [
        .submitted: [.probing, nil, nil, .failed, .cancelled, nil, nil],
        .probing: [nil, .rendering, nil, .failed, .cancelled, nil, nil],
        .rendering: [nil, nil, .completed, .failed, .cancelled, nil, nil],
        .completed: [nil, nil, nil, nil, nil, nil, nil],
        .failed: [nil, nil, nil, nil, nil, .probing, .rendering],
        .cancelled: [nil, nil, nil, nil, nil, nil, nil],
    ]

    @Test("Every event leads from every state where the diagram says", arguments: ExportState.allCases)
    func moves(state: ExportState) throws {
        let expected = try #require(Self.table[state])
        for (event, next) in zip(Self.events, expected) {
            var export = ExportLifecycle(state)
            let actions = export.handle(event)
            #expect(export.state == next ?? state, "\(event)")
            #expect(actions.isEmpty == (next == nil), "\(event)")
        }
    }

    @Test("A repeated event changes nothing", arguments: ExportState.allCases)
    func repeated(state: ExportState) {
        for event in Self.events {
            var export = ExportLifecycle(state)
            _ = export.handle(event)
            let after = export
            #expect(export.handle(event).isEmpty && export == after, "\(event)")
        }
    }

    @Test("The states that an event changes are those of the diagram", arguments: ExportState.allCases)
    func changed(state: ExportState) throws {
        let expected = try #require(Self.table[state])
        for (event, next) in zip(Self.events, expected) {
            #expect(ExportLifecycle.states(changedBy: event).contains(state) == (next != nil), "\(event)")
        }
    }

    @Test("Every change stores the new state once and tells it to the clients that watch", arguments: ExportState.allCases)
    func recorded(state: ExportState) {
        for event in Self.events {
            var export = ExportLifecycle(state)
            let actions = export.handle(event)
            guard !actions.isEmpty else { continue }
            let kinds = actions.compactMap { action in
                if case .logEvent(let kind, _, _) = action { kind } else { nil }
            }
            #expect(kinds.map(\.rawValue) == [export.state.rawValue])
            let failures = actions.compactMap { action -> ExportFailure?? in
                if case .recordState(let failure) = action { failure } else { nil }
            }
            #expect(failures == [export.state == .failed ? Self.failure : nil])
        }
    }

    @Test("No job stays open when an export is over", arguments: ExportState.allCases)
    func ended(state: ExportState) {
        for event in Self.events {
            var export = ExportLifecycle(state)
            let actions = export.handle(event)
            let ends = actions.compactMap { action in
                if case .endJobs(let end) = action { end } else { nil }
            }
            let isOver = !actions.isEmpty && export.state.isTerminal
            #expect(ends == (isOver ? [export.state == .completed ? .done : .cancelled] : []), "\(event)")
        }
    }

    @Test("The plan is stored before the state that needs it")
    func plan() {
        var export = ExportLifecycle(.probing)
        let actions = export.handle(.compiled(Self.plan))
        #expect(actions.prefix(2) == [.recordPlan(Self.plan), .recordState(nil)])
    }

    @Test("A retried job opens the failed and cancelled jobs of its phase again, and names itself", arguments: JobKind.allCases)
    func retried(kind: JobKind) {
        var export = ExportLifecycle(.failed)
        let actions = export.handle(.jobRetried(7, kind))
        #expect(export.state == (kind == .probe ? .probing : .rendering))
        #expect(actions.last == .reopenJobs(probes: kind == .probe))
        let isNamed = actions.contains { action in
            if case .logEvent(_, job: 7, _) = action { true } else { false }
        }
        #expect(isNamed)
    }

    @Test("A new export is submitted, and every state can be reached from there")
    func reachable() {
        var reached: Set<ExportState> = [ExportLifecycle().state]
        #expect(reached == [.submitted])
        for _ in ExportState.allCases {
            for state in reached { reached.formUnion((Self.table[state] ?? []).compactMap(\.self)) }
        }
        #expect(reached == Set(ExportState.allCases))
    }
}
