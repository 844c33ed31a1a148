import Coordinator
import Deliveries
import TestSupport
import Testing
import FoundationEssentials
import Glibc

@Suite("The file of destinations")
struct DestinationFileTests {
    private func read(_ text: String, mode: mode_t = 0o600) throws -> DestinationFile {
        let folder = try TemporaryDirectory()
        let path = folder.file("destinations.json")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, mode)
        return try DestinationFile(path, environment: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"])
    }

    @Test("The example of the documentation is read")
    func example() throws {
        let file = try read(
            """
            [{"name": "archive", "bucket": {"address": "s3://films/spool", "region": "eu-central-1"},
              "key": "{tenant}/{date}/{label}-{export}.{extension}", "cacheControl": "public, max-age=31536000",
              "metadata": {"export": "{export}"}, "manifest": true},
             {"name": "nas", "tenants": ["news"], "directory": "/mnt/films", "key": "{date}/{number}.{extension}"},
             {"name": "cms", "put": {"address": "https://cms.example.com/films/", "headers": {"Authorization": "Bearer 0123"}}}]
            """)
        #expect(file.destinations.keys.sorted() == ["archive", "cms", "nas"])
        #expect(file.destinations["archive"]?.hasManifest == true && file.destinations["nas"]?.hasManifest == false)
        #expect(file.destinations["cms"]?.key.description == "{export}.{extension}")
        #expect(file.rule.complaint(about: "nas", tenant: "news") == nil)
        #expect(file.rule.complaint(about: "nas", tenant: "sport")?.contains("known are archive, cms") == true)
        #expect(file.rule.complaint(about: "archive", tenant: "sport") == nil)
        #expect(DestinationRule.none.complaint(about: "nas", tenant: "news")?.contains("there is none") == true)
    }

    @Test(
        "A faulty file is refused, and the message names the fault without a secret",
        arguments: [
            ("", "docs/destinations.md"), ("{}", "docs/destinations.md"), (#"[{"name": 1}]"#, "docs/destinations.md"),
            (#"[{"name": "a"}]"#, "one of bucket, directory and put"),
            (#"[{"name": "a", "directory": "/x", "put": {"address": "https://x/"}}]"#, "one of bucket"),
            (#"[{"name": "A b", "directory": "/x"}]"#, "'A b'"), (#"[{"name": "a", "directory": "x"}]"#, "absolute"),
            (#"[{"name": "a", "directory": "/x"}, {"name": "a", "directory": "/y"}]"#, "two destinations"),
            (#"[{"name": "a", "directory": "/x", "colour": 1}]"#, "'colour'"),
            (#"[{"name": "a", "bucket": {"address": "s3://films", "secret": "hush"}}]"#, "'bucket.secret'"),
            (#"[{"name": "a", "put": {"address": "https://x/", "token": "hush"}}]"#, "'put.token'"),
            (#"[{"name": "a", "directory": "/x", "key": "{label}"}]"#, "replace each other"),
            (#"[{"name": "a", "directory": "/x", "cacheControl": "no-store"}]"#, "cacheControl"),
            (#"[{"name": "a", "directory": "/x", "metadata": {"a": "b"}}]"#, "metadata"),
            (#"[{"name": "a", "bucket": {"address": "s3://films"}, "metadata": {"A": "b"}}]"#, "'A'"),
            (#"[{"name": "a", "bucket": {"address": "s3://films"}, "metadata": {"spool": "b"}}]"#, "'spool'"),
            (#"[{"name": "a", "bucket": {"address": "s3://F"}}]"#, "bucket"),
            (#"[{"name": "a", "bucket": {"address": "s3://films", "accessKey": "hush"}}]"#, "secretKey"),
            (#"[{"name": "a", "bucket": {"address": "s3://films", "style": "round"}}]"#, "virtualHost"),
            (#"[{"name": "a", "put": {"address": "https://x/films"}}]"#, "slash"),
            (#"[{"name": "a", "put": {"address": "ftp://x/"}}]"#, "https://"),
            (#"[{"name": "a", "put": {"address": "https://x/?a=hush"}}]"#, "query"),
            (#"[{"name": "a", "put": {"address": "https://x/", "headers": {"A": "hush\nB: c"}}}]"#, "header"),
            (#"[{"name": "a", "put": {"address": "https://x/"}, "cacheControl": "a\nb"}]"#, "cacheControl"),
        ])
    func refused(text: String, words: String) {
        let fault = #expect(throws: DestinationFile.Fault.self) { try read(text) }
        #expect(fault?.message.contains(words) == true, "\(fault?.message ?? "")")
        #expect(fault?.message.contains("hush") == false)
    }

    @Test("A file that everybody may read, or that is not there, is refused")
    func access() throws {
        let fault = #expect(throws: DestinationFile.Fault.self) { try read("[]", mode: 0o644) }
        #expect(fault?.message.contains("chmod 640") == true)
        let missing = #expect(throws: DestinationFile.Fault.self) {
            try DestinationFile("/nowhere/destinations.json", environment: [:])
        }
        #expect(missing?.message.contains("cannot be read") == true)
        #expect(try read("[]").destinations.isEmpty)
    }
}
