package import Coordinator
package import ExportPlan
import FarmAPI
package import HTTPClient
package import FoundationEssentials

/// One attempt at a delivery: the request, and what its answer means. Redirects are not followed, because the address is
/// the one that was checked.
package struct WebhookRequest: Sendable {
    /// The longest time for everything.
    static let timeout = Duration.seconds(15)
    /// How many bytes of an answer are read. What follows is of no interest.
    static let answerLimit = 16 << 10
    /// How many characters of an answer a record keeps.
    static let keptAnswer = 300

    private let http: Connections
    private let receivers: AddressList

    /// - Parameters:
    ///   - http: sends the request, by the rules on addresses.
    ///   - receivers: the addresses that webhooks may have.
    package init(http: Connections, receivers: AddressList) {
        self.http = http
        self.receivers = receivers
    }

    /// Sends a message. It never throws: what goes wrong is part of the attempt.
    /// - Parameter now: tells the time by the database's clock.
    package func send(_ delivery: OutgoingDelivery, now: () -> Date) async -> WebhookAttempt {
        if let complaint = WebhookCheck.complaint(about: delivery.address, receivers) {
            return WebhookAttempt(at: now(), message: complaint)
        }
        guard let body = try? delivery.body() else {  // what is wrong with it helps nobody who could mend it
            return WebhookAttempt(at: now(), message: "the event was stored by another version of spool and cannot be read")
        }
        let secrets = [delivery.secret, delivery.formerSecret].compactMap { $0.flatMap { WebhookSecret($0) } }
        guard !secrets.isEmpty else {
            return WebhookAttempt(at: now(), message: "the webhook's secret cannot be read; rotate it")
        }
        // Receivers compare the time with their own clock, so it is that of this machine.
        let signature = WebhookSignature(id: delivery.messageID, at: Date(), body: body, secrets: secrets)
        let headers = [("Content-Type", "application/json"), ("User-Agent", "spool-webhooks")] + signature.headers
        let request = OutgoingRequest(
            "POST", delivery.address, headers: headers, body: .bytes(Array(body)), limit: WebhookRequest.timeout)
        do {
            let response = try await http.execute(request)
            let answer = await beginning(of: response.body)
            return WebhookAttempt(
                at: now(), status: response.status, message: WebhookRequest.words(response.status, answer),
                retryAfter: response.header("Retry-After").flatMap { Int($0) })
        } catch {
            return WebhookAttempt(at: now(), message: WebhookRequest.words(error))
        }
    }

    /// The first bytes of an answer's body as text. The status decides, so that a body that breaks off does no harm.
    private func beginning(of body: ResponseBody) async -> String {
        var bytes: [UInt8] = []
        do {
            for try await chunk in body {
                bytes += chunk
                if bytes.count >= WebhookRequest.answerLimit { break }
            }
        } catch {}
        return String(decoding: bytes.prefix(4 * WebhookRequest.keptAnswer), as: UTF8.self)
    }

    private static func words(_ status: Int, _ answer: String) -> String {
        guard !(200...299).contains(status) else { return "the receiver answered \(status)" }
        if (300...399).contains(status) {
            return "the receiver answered \(status); redirects are not followed, so give the address that it leads to"
        }
        let text = answer.split(whereSeparator: { $0.isWhitespace }).joined(separator: " ").prefix(keptAnswer)
        return "the receiver answered \(status)" + (text.isEmpty ? "" : ": \(text)")
    }

    private static func words(_ error: any Error) -> String {
        guard let error = error as? TransferError else { return "the request failed: \(error)" }
        switch error.code {
        case .forbiddenAddress: return error.message
        case .timedOut: return "the receiver did not answer within \(timeout.components.seconds) s"
        case .connectionTimedOut: return "no connection to the receiver was made in time"
        case .connectionRefused: return "the receiver refuses the connection"
        case .noSuchHost: return "there is no host with this name"
        case .connectionClosed: return "the connection ended without an answer"
        case .untrustedCertificate: return "the receiver's TLS certificate is not trusted: \(error.message)"
        default: return "the request failed: \(error.message)"
        }
    }
}
