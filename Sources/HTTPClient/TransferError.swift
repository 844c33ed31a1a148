import CCurl
import Glibc

/// Why a request got no complete answer.
package struct TransferError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// The request itself cannot be sent: its address or a header is malformed.
        case invalidRequest
        /// A file that was to be sent cannot be read.
        case unreadableFile
        /// The rules do not allow a connection to the address.
        case forbiddenAddress
        case noSuchHost, connectionRefused, connectionTimedOut, cannotConnect
        /// What answers there does not speak TLS.
        case notTLS
        case untrustedCertificate, tlsFailed
        /// The server was silent for too long, or everything took longer than the request's limit.
        case timedOut
        /// The connection broke before the answer was complete.
        case connectionClosed
        case tooManyRedirects
        /// The answer's body is larger than the caller accepts.
        case tooLarge
        /// libcurl is not installed on this machine, or cannot be used. No transfer of this process can succeed.
        case noLibrary
        case other
    }

    package var code: Code
    /// What happened, in words for a person.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }

    /// - Parameters:
    ///   - code: libcurl's code (`libcurl-errors(3)`).
    ///   - detail: what libcurl wrote about this transfer; may be empty.
    ///   - systemError: the `errno` of the last connection attempt, 0 if there is none.
    ///   - isConnected: whether the connection was made.
    init(_ code: CURLcode, detail: String, systemError: Int32, isConnected: Bool) {
        let words = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
        self.init(TransferError.meaning(code, words, systemError: systemError, isConnected: isConnected), words)
    }

    private static func meaning(_ code: CURLcode, _ words: String, systemError: Int32, isConnected: Bool) -> Code {
        switch code {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .invalidRequest
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .noSuchHost
        case CURLE_COULDNT_CONNECT: systemError == ECONNREFUSED ? .connectionRefused : .cannotConnect
        case CURLE_OPERATION_TIMEDOUT: isConnected ? .timedOut : .connectionTimedOut
        case CURLE_SSL_CONNECT_ERROR: words.contains("wrong version number") ? .notTLS : .tlsFailed
        case CURLE_PEER_FAILED_VERIFICATION: .untrustedCertificate
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            .connectionClosed
        default: .other
        }
    }
}
