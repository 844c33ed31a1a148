import Foundation
import HTTPClient
import HTTPTypes
import Hummingbird
import Synchronization
import TestServer
import Testing

@Suite("The rules on addresses", .timeLimit(.minutes(1)))
struct AddressRulesTests {
    /// At least one address of each network that is not public, with the first and the last of some, and the ones that
    /// clouds give credentials at.
    private static let privateAddresses = [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.1.2.3", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255",
        "127.0.0.1", "127.255.255.255", "169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.0", "172.31.255.255",
        "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255",
        "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "168.63.129.16",
        "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::a00:1",
        "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "100::1",
        "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:db8::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254",
        "fdff:ffff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "4000::1", "e000::1", "1234::1",
    ]

    @Test("Addresses that are not public are refused, in whatever form they are written", arguments: privateAddresses)
    func refused(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressRules.publicAddresses().complaint(about: address) != nil)
        #expect(AddressRules.none.complaint(about: address) == nil)
        let allowed = AddressRules.publicAddresses(and: [try #require(IPNetwork(text))])
        #expect(allowed.complaint(about: address) == nil)
    }

    @Test("The complaint about an address that contains another one names both")
    func embedded() throws {
        let address = try #require(IPAddress("64:ff9b::127.0.0.1"))
        #expect(
            AddressRules.publicAddresses().complaint(about: address)
                == "leads to 127.0.0.1, which is not a public address (127.0.0.0/8)")
    }

    @Test(
        "Public addresses are allowed",
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
            "198.20.0.0", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
            "2002:808:808::1",
        ])
    func allowed(_ text: String) throws {
        #expect(AddressRules.publicAddresses().complaint(about: try #require(IPAddress(text))) == nil)
    }

    @Test(
        "What is no network is none",
        arguments: ["", "x", "10.0.0.0/33", "10.0.0/8", "fd00::/129", "10.0.0.0/-1", "10.0.0.0/8/8", "1/"])
    func noNetworks(_ text: String) { #expect(IPNetwork(text) == nil) }

    /// Names and numbers that lead to this machine.
    private static let hosts = [
        "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0.0.0.0", "127.9.9.9", "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]", "[::1]",
    ]

    @Test("No connection is made to a forbidden address, whatever it is called", arguments: hosts)
    func connections(_ host: String) async throws {
        try await served { port, count in
            // Without the rule the server is reached: the test would see a connection.
            if let response = try? await Connections().execute(OutgoingRequest("GET", "http://\(host):\(port)/")) {
                #expect(response.status == 200)
                #expect(count() == 1)
            } else {
                #expect(host.hasPrefix("[") || host == "127.9.9.9", "the server listens at 127.0.0.1 alone")
            }
            let before = count()
            let error = await #expect(throws: TransferError.self) {
                try await Connections(rules: .publicAddresses()).execute(OutgoingRequest("GET", "http://\(host):\(port)/"))
            }
            #expect(error?.code == .forbiddenAddress, "\(error?.message ?? "")")
            #expect(count() == before)
        }
    }

    @Test(
        "A network that is allowed is reached, and a redirect out of it is not followed",
        arguments: ["127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0.0.0.0", "127.9.9.9", "[::1]"])
    func redirects(_ host: String) async throws {
        try await served { port, count in
            let network = try #require(IPNetwork("127.0.0.1/32"))
            let connections = Connections(rules: .publicAddresses(and: [network]))
            let start = OutgoingRequest("GET", "http://127.0.0.1:\(port)/to/\(host)")
            // These are other ways to write the address that is allowed.
            let isAllowed = !["0.0.0.0", "127.9.9.9", "[::1]"].contains(host)
            if isAllowed {
                #expect(try await connections.execute(start, redirects: 3, complaint: onlyHTTP).status == 200)
                #expect(count() == 2)
            } else {
                let error = await #expect(throws: TransferError.self) {
                    try await connections.execute(start, redirects: 3, complaint: onlyHTTP)
                }
                #expect(error?.code == .forbiddenAddress, "\(error?.message ?? "")")
                #expect(count() == 1)
            }
        }
    }

    @Test("Redirects end after their limit, and other schemes are not followed")
    func limits() async throws {
        try await served { port, count in
            func error(_ path: String, schemes: Set<String> = ["http"]) async -> TransferError? {
                await #expect(throws: TransferError.self) {
                    try await Connections().execute(
                        OutgoingRequest("GET", "http://127.0.0.1:\(port)\(path)"), redirects: 4
                    ) { url in
                        schemes.contains { url.hasPrefix($0 + ":") } ? nil : "this scheme is not allowed"
                    }
                }
            }
            let loop = await error("/loop")
            #expect(loop?.code == .tooManyRedirects && loop?.message == "the server redirects more than 4 times")
            #expect(count() == 5)
            #expect(await error("/file")?.code == .forbiddenAddress)
            #expect(await error("/", schemes: ["https"])?.code == .forbiddenAddress)
            #expect(count() == 6)
            let nowhere = await error("/nowhere")
            #expect(nowhere?.code == .other)
            #expect(nowhere?.message == "the server redirects to something that is no address")
        }
    }

    @Test("A secret header goes to the server that it is for, and not to another one")
    func secrets() async throws {
        try await served { port, _ in
            let request = OutgoingRequest(
                "GET", "http://127.0.0.1:\(port)/to/localhost", headers: [("X-Key", "secret"), ("Range", "bytes=0-1")])
            let other = try await Connections().execute(request, redirects: 3, complaint: onlyHTTP)
            #expect(String(decoding: try await other.body.collect(upTo: 1000), as: UTF8.self) == "key none, range bytes=0-1")
            var same = request
            same.url = "http://127.0.0.1:\(port)/to/127.0.0.1"
            let own = try await Connections().execute(same, redirects: 3, complaint: onlyHTTP)
            #expect(String(decoding: try await own.body.collect(upTo: 1000), as: UTF8.self) == "key secret, range bytes=0-1")
        }
    }

    /// Runs work beside a server of this machine that redirects.
    private func served(_ work: @escaping @Sendable (_ port: Int, _ count: @Sendable () -> Int) async throws -> Void) async throws
    {
        let requests = Counter()
        let ports = Counter()
        let router = Router()
        let key = try #require(HTTPField.Name("X-Key"))
        router.get("/") { request, _ in
            requests.add(1)
            return "key \(request.headers[key] ?? "none"), range \(request.headers[.range] ?? "none")"
        }
        router.get("/to/:host") { _, context in
            requests.add(1)
            let host = try context.parameters.require("host").removingPercentEncoding ?? ""
            return Response(status: .found, headers: [.location: "http://\(host):\(ports.value)/"])
        }
        router.get("/loop") { _, _ in
            requests.add(1)
            return Response(status: .temporaryRedirect, headers: [.location: "/loop"])
        }
        router.get("/file") { _, _ in
            requests.add(1)
            return Response(status: .found, headers: [.location: "file:///etc/passwd"])
        }
        router.get("/nowhere") { _, _ in
            Response(status: .found, headers: [.location: "http://[::1"])
        }
        try await serving(router) { port in
            ports.add(port)
            try await work(port) { requests.value }
        }
    }
}

private final class Counter: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    func add(_ more: Int) { number.withLock { $0 += more } }
}

@Sendable private func onlyHTTP(_ url: String) -> String? { url.hasPrefix("http:") ? nil : "only http is allowed" }
