package import DraftModel

/// The path and the code of an expected diagnostic, for tables of faulty drafts.
package struct Fault: Hashable, CustomStringConvertible {
    package var path: String
    package var code: DraftDiagnostic.Code

    package init(_ path: String, _ code: DraftDiagnostic.Code) {
        self.path = path
        self.code = code
    }

    package var description: String { "\(path): \(code)" }
}
