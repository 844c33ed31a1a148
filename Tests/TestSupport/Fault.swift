public import DraftModel

/// Where a fault is and what kind it is: what tables of expected faults list.
public struct Fault: Hashable, CustomStringConvertible {
    public var path: String
    public var code: DraftDiagnostic.Code

    public init(_ path: String, _ code: DraftDiagnostic.Code) {
        self.path = path
        self.code = code
    }

    public var description: String { "\(path): \(code)" }
}
