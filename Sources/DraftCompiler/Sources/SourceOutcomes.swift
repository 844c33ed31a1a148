package import DraftModel
package import ExportPlan

/// What came of looking for one source of a draft.
package enum SourceOutcome: Sendable {
    /// A probe read the source.
    case facts(SourceFacts)
    /// The location may not be used, whatever lies there.
    case refused(SourceRefusal)
    /// A probe failed.
    /// - Parameters:
    ///   - message: what is wrong, as words that follow the source's name.
    ///   - isMissing: whether there is no such file.
    ///   - name: the name for the message; nil for the use's own name.
    case failed(message: String, isMissing: Bool = false, name: String? = nil)
}

/// Why a location cannot be used as a source, whatever lies there.
package struct SourceRefusal: Hashable, Sendable {
    package var code: DraftDiagnostic.Code
    /// A whole sentence that names the location.
    package var message: String

    package init(_ code: DraftDiagnostic.Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// - Parameter path: the place in the draft that names the location.
    package func diagnostic(at path: String) -> DraftDiagnostic {
        DraftDiagnostic(path: path, code: code, message: message)
    }
}

/// The sources of a draft after they were probed: the facts that the compiler takes, and a diagnostic for each place
/// whose source has none.
///
/// Local exports and the farm's planner turn their probe results into diagnostics here, so that they report the same
/// faults.
package struct SourceOutcomes: Sendable {
    /// The facts, by location.
    package private(set) var facts: [String: SourceFacts] = [:]
    /// The diagnostics from before, and those of the sources behind them.
    package private(set) var diagnostics: [DraftDiagnostic]

    /// - Parameters:
    ///   - uses: all places of the draft that name sources. Places without a location have been reported when the draft
    ///     was read.
    ///   - reported: the diagnostics so far.
    ///   - find: what came of looking for a source; nil if nobody looked for it.
    package init(_ uses: [SourceUse], reported: [DraftDiagnostic], find: (SourceUse) -> SourceOutcome?) {
        diagnostics = reported
        var faulty: Set<String> = [""]
        for use in uses where !use.url.isEmpty {
            let outcome = find(use)
            if case .facts(let found)? = outcome {
                facts[use.url] = found
                choose(use, found)
                continue
            }
            defer { faulty.insert(use.url) }
            // The request for a font reads files that are sources themselves. It is not made where one of them may not
            // be used, and fails where one cannot be read; that is reported at the file, and only once at one place.
            if let request = use.fonts {
                if outcome == nil, request.fileLocations.contains(where: faulty.contains) { continue }
                if diagnostics.contains(where: { $0.path == use.path }) { continue }
            }
            diagnostics.append(SourceOutcomes.diagnostic(of: outcome, use))
        }
    }

    /// Adds the facts with the streams that a place chooses, or reports that there are no such streams.
    private mutating func choose(_ use: SourceUse, _ found: SourceFacts) {
        guard let streams = use.streams else { return }
        switch streams.chosen(of: found) {
        case .success(let chosen): facts[use.key] = chosen
        case .failure(let missing):
            let path = "\(use.path.dropLast("url".count))\(missing.field)"
            diagnostics.append(
                DraftDiagnostic(path: path, code: .invalidValue, message: "'\(use.name)' \(missing.message)"))
        }
    }

    private static func diagnostic(of outcome: SourceOutcome?, _ use: SourceUse) -> DraftDiagnostic {
        switch outcome {
        case .refused(let refusal): return refusal.diagnostic(at: use.path)
        case .failed(let message, let isMissing, let name):
            // A plug-in that cannot be used is one that this machine does not have.
            let code: DraftDiagnostic.Code = isMissing || use.need == .plugin ? .missingSource : .unreadableSource
            return DraftDiagnostic(path: use.path, code: code, message: "'\(name ?? use.name)' \(message)")
        case .facts, nil:
            return DraftDiagnostic(path: use.path, code: .missingSource, message: "'\(use.name)' was never looked at")
        }
    }
}
