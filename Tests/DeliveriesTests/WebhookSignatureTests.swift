import Coordinator
import Deliveries
import Testing
import FoundationEssentials

@Suite("Signatures of webhooks")
struct WebhookSignatureTests {
    /// The example that the Standard Webhooks specification's own libraries are tested with.
    @Test("The published example is signed as published")
    func published() throws {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = WebhookSignature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: Date(timeIntervalSince1970: 1_614_265_330.9),
            body: Array(#"{"test": 2432232314}"#.utf8), secrets: [secret])
        #expect(signature.text == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        let headers = signature.headers.map { "\($0.name): \($0.value)" }
        #expect(
            headers == [
                "webhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp: 1614265330",
                "webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            ])
    }

    @Test("Two secrets give two signatures, the present one first, and each is that of its secret alone")
    func rotation() throws {
        let (new, old) = (WebhookSecret(), WebhookSecret())
        func text(_ secrets: [WebhookSecret]) -> String {
            WebhookSignature(id: "msg_1", at: Date(timeIntervalSince1970: 1), body: [1, 2], secrets: secrets).text
        }
        #expect(text([new, old]) == text([new]) + " " + text([old]))
        #expect(text([new]) != text([old]))
    }

    @Test("A secret has its prefix and 24...64 bytes in base64", arguments: [24, 32, 64])
    func secrets(size: Int) throws {
        let text = "whsec_" + Data((0..<size).map { UInt8($0) }).base64EncodedString()
        #expect(try #require(WebhookSecret(text)).key.count == size)
        #expect(WebhookSecret(String(text.dropFirst(6))) == nil)
    }

    @Test("Other texts are no secrets")
    func noSecrets() {
        let (short, long) = (Data(count: 23).base64EncodedString(), Data(count: 65).base64EncodedString())
        for text in ["", "whsec_", "whsec_" + short, "whsec_" + long, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa?w"] {
            #expect(WebhookSecret(text) == nil, "\(text)")
        }
        // The secrets that the farm makes can be read back, and no two are equal.
        let made = WebhookSecret()
        #expect(WebhookSecret(made.text) == made && made != WebhookSecret())
    }
}
