import CommandLineInterface
import FarmAPI
import FarmClient
import Synchronization

/// What came of submitted drafts, printed in the order of the drafts as soon as it is known.
final class SubmitOutcomes: Sendable {
    private struct State {
        var accepted: [Export] = []
        var failures: [CommandFailure] = []
        /// Outcomes that wait for those of earlier drafts.
        var waiting: [Int: Result<Export, CommandFailure>] = [:]
        var reserved = 0
        var printed = 0
        var stops = false
    }

    /// Whether the id of each accepted export is printed.
    private let printsIDs: Bool
    private let state = Mutex(State())

    init(printsIDs: Bool) {
        self.printsIDs = printsIDs
    }

    /// The accepted exports, in the order of their drafts.
    var accepted: [Export] { state.withLock { $0.accepted } }
    /// The failures, in the order of their drafts.
    var failures: [CommandFailure] { state.withLock { $0.failures } }
    /// Whether there has been a failure that all further drafts would meet.
    var stops: Bool { state.withLock { $0.stops } }

    /// - Returns: the place of the next draft.
    func reserve() -> Int {
        state.withLock { state in
            state.reserved += 1
            return state.reserved - 1
        }
    }

    /// Does a step for the draft at a place. Where it fails, the failure is the outcome of the draft.
    /// - Returns: nil where the step failed.
    /// - Throws: an error that is not about the draft, such as `CancellationError`.
    func success<Value: Sendable>(
        of input: DraftInputs.Input, at place: Int, _ step: @Sendable () async throws -> Value
    ) async throws -> Value? {
        do {
            return try await step()
        } catch let failure as ClientFailure {
            add(.failure(CommandFailure(failure, subject: input.name)), at: place, stopsAll: failure.stopsAll)
        } catch let failure as CommandFailure {
            add(.failure(failure), at: place)
        }
        return nil
    }

    /// - Parameter stopsAll: whether all further drafts would fail as well, without a farm or with a wrong token. Such a
    ///   failure is printed once, for the first of the drafts that were on their way.
    func add(_ outcome: Result<Export, CommandFailure>, at place: Int, stopsAll: Bool = false) {
        state.withLock { state in
            let isKnown = stopsAll && state.stops
            state.stops = state.stops || stopsAll
            if isKnown, case .failure(var failure) = outcome {
                failure.lines = []
                state.waiting[place] = .failure(failure)
            } else {
                state.waiting[place] = outcome
            }
            while let next = state.waiting.removeValue(forKey: state.printed) {
                state.printed += 1
                note(next, in: &state)
            }
        }
    }

    /// Prints what is known of drafts although earlier ones have no outcome, because the command ends.
    func printRest() {
        state.withLock { state in
            for place in state.waiting.keys.sorted() {
                if let next = state.waiting.removeValue(forKey: place) { note(next, in: &state) }
            }
        }
    }

    private func note(_ outcome: Result<Export, CommandFailure>, in state: inout State) {
        switch outcome {
        case .success(let export):
            state.accepted.append(export)
            if printsIDs { Terminal.print(export.id.text) }
        case .failure(let failure):
            state.failures.append(failure)
            for line in failure.lines { Terminal.error(line) }
        }
    }
}

extension ClientFailure {
    fileprivate var stopsAll: Bool {
        switch reason {
        case .unreachable, .refused(.unauthorized), .refused(.forbidden), .refused(.unavailable), .notUnderstood, .environment:
            true
        default: false
        }
    }
}
