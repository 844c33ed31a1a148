import Coordinator
import Testing

@Suite("An export's states")
struct ExportStateTests {
    private static let arrows: [ExportState: Set<ExportState>] = [
        .submitted: [.probing, .failed, .cancelled],
        .probing: [.rendering, .failed, .cancelled],
        .rendering: [.completed, .failed, .cancelled],
    ]

    @Test("The arrows of the diagram are all there are", arguments: ExportState.allCases)
    func moves(state: ExportState) {
        let reachable = Set(ExportState.allCases.filter { state.mayBecome($0) })
        #expect(reachable == Self.arrows[state] ?? [])
    }

    @Test("A state is terminal when no arrow leaves it", arguments: ExportState.allCases)
    func terminal(state: ExportState) {
        #expect(state.isTerminal == (Self.arrows[state] == nil))
    }

    @Test("Every state can be reached, and from every state the end")
    func reachable() {
        var reached: Set<ExportState> = [.submitted]
        while true {
            let next = reached.union(reached.flatMap { Self.arrows[$0] ?? [] })
            if next == reached { break }
            reached = next
        }
        #expect(reached == Set(ExportState.allCases))
        for state in ExportState.allCases where !state.isTerminal { #expect(state.mayBecome(.failed)) }
    }
}
