import ExportPlan
import Testing

@Suite("Addresses of sources")
struct RemoteLocationTests {
    @Test(
        "An address is read the same way by everybody",
        arguments: [
            ("https://Media.Example.com/a/b.mp4?sig=1&x=%20#t=3", "https://media.example.com/a/b.mp4?sig=1&x=%20"),
            ("HTTPS://host", "https://host/"), ("https://host?x", "https://host/?x"), ("https://host:443/", "https://host/"),
            ("http://host:8080/a", "http://host:8080/a"), ("http://[::1]:80/", "http://[::1]/"),
            ("https://[2001:db8::1]/a", "https://[2001:db8::1]/a"), ("s3://bucket/folder/key.mp4", "s3://bucket/folder/key.mp4"),
            ("s3://bucket/\u{E4} b%20?#", "s3://bucket/\u{E4} b%20?#"),
            ("data:text/plain,hello", "data:text/plain,hello"), ("https://host/a..b/.hidden", "https://host/a..b/.hidden"),
        ])
    func read(_ text: String, _ address: String) throws {
        #expect(RemoteLocation.matches(text))
        #expect(try RemoteLocation(text).address == address)
    }

    @Test(
        "An address that could be read in two ways is refused",
        arguments: [
            "https://user:secret@host/", "https://host@other/", "https://host\\@other/", "https://host /", "https:///path",
            "https://host:0/", "https://host:99999/", "https://host:/", "https://host:80x/", "https://h%6fst/",
            "https://h\u{F6}st/",
            "https://host/a b", "https://host/\u{E4}.mp4", "https://host/../x", "https://host/a/%2e%2E/x", "https://host/./x",
            "https://[::1/", "https://::1/", "https://[::1]x/", "https://ho\nst/", "s3://bucket", "s3://bucket/",
            "s3://bucket/a\nb", "s3://bucket:80/a", "s3:///a", "https://",
        ])
    func refused(_ text: String) {
        #expect(RemoteLocation.matches(text))
        let fault = #expect(throws: RemoteLocation.Fault.self) { try RemoteLocation(text) }
        #expect(fault?.message.isEmpty == false)
        #expect(!RemoteLocation.name(of: text).contains("secret"))
    }

    @Test(
        "The message about an address that cannot be used says what is wrong with it",
        arguments: [
            ("ftp://host/a", "is not an https://, http://, s3:// or data: address"),
            (
                "https://user:secret@host/",
                "has a user name in it; give the name and the password to the operator, as sourceCredentials says"
            ),
            ("https://host/a b", "has a space or another character that has to be escaped, as in %20"),
            ("https://host:0/", "has no valid port, 1...65535"),
            ("https:///path", "has no valid host; names with other letters are written in their ASCII form, as in xn--"),
            ("https://host/../x", "has a part '.' or '..' in its path; write it without"),
            ("s3://bucket", "is not the address of an object, s3://bucket/key"), ("s3://bucket/a\nb", "has a control character"),
        ])
    func messages(_ text: String, _ message: String) {
        let fault = #expect(throws: RemoteLocation.Fault.self) { try RemoteLocation(text) }
        #expect(fault?.message == message)
    }

    @Test(
        "A path, an asset and an unknown scheme are no addresses",
        arguments: ["a.mp4", "/a", "asset:00", "ftp://host/a", "font:1"])
    func others(_ text: String) {
        #expect(!RemoteLocation.matches(text))
        #expect(RemoteLocation.name(of: text) == text)
    }

    @Test("Messages have neither signatures nor data")
    func names() throws {
        #expect(RemoteLocation.name(of: "https://host/a.mp4?X-Signature=abc") == "https://host/a.mp4?...")
        #expect(RemoteLocation.name(of: "https://user:secret@host/a") == "https:...")
        let data = RemoteLocation.name(of: "data:image/png;base64,AAAA")
        #expect(data.hasPrefix("data:image/png;base64,...") && !data.contains("AAAA"), "\(data)")
        #expect(RemoteLocation.fileName(of: "https://host/folder/a.mp4?sig=1") == "a.mp4")
        #expect(RemoteLocation.fileName(of: "https://host") == "host")
        #expect(RemoteLocation.fileName(of: "data:,x") == "data")
    }

    @Test(
        "A pattern allows the addresses that begin like it, and no others",
        arguments: [
            ("https://*", "https://host/a", true), ("https://*", "https://host:8443/a", false),
            ("https://*", "http://host/a", false), ("https://*:8443", "https://host:8443/a", true),
            ("https://*.example.com/", "https://a.b.example.com/x", true),
            ("https://*.example.com/", "https://example.com/x", false),
            ("https://*.example.com/", "https://badexample.com/x", false), ("https://Host/media/", "https://host/media/a", true),
            ("https://host/media/", "https://host/mediA/a", false), ("https://host/media/", "https://host/other", false),
            ("http://10.0.0.5:8080/", "http://10.0.0.5:8080/a", true), ("http://10.0.0.5:8080/", "http://10.0.0.5/a", false),
            ("s3://bucket/prefix/", "s3://bucket/prefix/key", true), ("s3://bucket/prefix/", "s3://bucket/other", false),
            ("s3://bucket", "s3://bucket/anything", true), ("s3://bucket", "s3://bucket2/key", false),
        ])
    func patterns(_ pattern: String, _ address: String, _ isAllowed: Bool) throws {
        let list = AddressList([try #require(AddressPattern(pattern))])
        let complaint = list.complaint(about: try RemoteLocation(address))
        #expect((complaint == nil) == isAllowed, "\(complaint ?? "")")
    }

    @Test(
        "A text that is no pattern is refused",
        arguments: [
            "*", "host", "https://", "https://*x/", "https://a.*.com/", "s3://*", "ftp://host/", "data:*", "https://host/?q", "",
        ])
    func noPatterns(_ text: String) {
        #expect(AddressPattern(text) == nil)
    }

    @Test("Data needs no pattern, and no patterns allow nothing else")
    func none() throws {
        #expect(AddressList([]).complaint(about: try RemoteLocation("data:,x")) == nil)
        #expect(
            AddressList([]).complaint(about: try RemoteLocation("https://host/"))
                == "cannot be fetched; sources from other servers are not allowed here")
        #expect(AddressList.secure.complaint(about: try RemoteLocation("https://host/")) == nil)
    }
}
