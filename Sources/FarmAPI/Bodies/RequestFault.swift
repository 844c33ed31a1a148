package import DraftModel

/// Why a request was not carried out. Routes and the services behind them throw it; the server turns it into the
/// answer.
package struct RequestFault: Error {
    package var code: FaultCode
    /// What is wrong and how to correct it.
    package var message: String
    /// Every error of the draft or the settings, when they are the cause.
    package var diagnostics: [DraftDiagnostic]?
    /// Further header fields of the answer.
    package var headers: [(name: String, value: String)]

    package init(
        _ code: FaultCode, _ message: String, diagnostics: [DraftDiagnostic]? = nil,
        headers: [(name: String, value: String)] = []
    ) {
        self.code = code
        self.message = message
        self.diagnostics = diagnostics
        self.headers = headers
    }
}
