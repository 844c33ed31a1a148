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
            ("", "is not a list of objects as docs/destinations.md describes them"), ("{}", "docs/destinations.md"),
            (#"[{"name": 1}]"#, "docs/destinations.md"),
            (#"[{"name": "a"}]"#, "one of bucket, directory and put"),
            (#"[{"name": "a", "directory": "/x", "put": {"address": "https://x/"}}]"#, "one of bucket"),
            (#"[{"name": "A b", "directory": "/x"}]"#, "the destination 'A b' has a name that is not 1...63 of a-z, 0-9 and -"),
            (#"[{"name": "a", "directory": "x"}]"#, "has a directory that is no absolute path"),
            (#"[{"name": "a", "directory": "/x"}, {"name": "a", "directory": "/y"}]"#, "there are two destinations 'a'"),
            (#"[{"name": "a", "directory": "/x", "colour": 1}]"#, "has the unknown field 'colour'"),
            (#"[{"name": "a", "bucket": {"address": "s3://films", "secret": "hush"}}]"#, "'bucket.secret'"),
            (#"[{"name": "a", "put": {"address": "https://x/", "token": "hush"}}]"#, "'put.token'"),
            (#"[{"name": "a", "directory": "/x", "key": "{label}"}]"#, "has a key '{label}' that "),
            (
                #"[{"name": "a", "directory": "/x", "cacheControl": "no-store"}]"#,
                "has contentType or cacheControl, which files of a directory do not have"
            ),
            (
                #"[{"name": "a", "directory": "/x", "metadata": {"a": "b"}}]"#,
                "has metadata, which only the objects of a bucket have"
            ),
            (
                #"[{"name": "a", "bucket": {"address": "s3://films"}, "metadata": {"A": "b"}}]"#,
                "has metadata 'A', whose name is not 1...40 of a-z, or is 'spool'"
            ),
            (#"[{"name": "a", "bucket": {"address": "s3://films"}, "metadata": {"spool": "b"}}]"#, "'spool'"),
            (
                #"[{"name": "a", "bucket": {"address": "s3://F"}}]"#,
                "has a bucket that cannot be used: 's3://F' names no bucket; a bucket's name has"
            ),
            (
                #"[{"name": "a", "bucket": {"address": "s3://films", "accessKey": "hush"}}]"#,
                "has one of accessKey and secretKey without the other"
            ),
            (
                #"[{"name": "a", "bucket": {"address": "s3://films", "style": "round"}}]"#,
                "has a bucket whose style is neither path nor virtualHost"
            ),
            (
                #"[{"name": "a", "put": {"address": "https://x/films"}}]"#,
                "has an address that has to end with a slash, because the names of files follow it"
            ),
            (
                #"[{"name": "a", "put": {"address": "ftp://x/"}}]"#,
                "has an address that is not an https://, http://, s3:// or data: address"
            ),
            (
                #"[{"name": "a", "put": {"address": "https://x/?a=hush"}}]"#,
                "has an address that is not an https:// or http:// address without a query"
            ),
            (
                #"[{"name": "a", "put": {"address": "https://x/", "headers": {"A": "hush\nB: c"}}}]"#,
                "has a header that cannot be sent"
            ),
            (
                #"[{"name": "a", "put": {"address": "https://x/"}, "cacheControl": "a\nb"}]"#,
                "has a cacheControl that no header can have"
            ),
        ])
    func refused(text: String, words: String) {
        let fault = #expect(throws: DestinationFile.Fault.self) { try read(text) }
        #expect(fault?.message.contains(words) == true, "\(fault?.message ?? "")")
        #expect(fault?.message.contains("hush") == false)
    }

    @Test("A file that everybody may read, or that is not there, is refused")
    func access() throws {
        let fault = #expect(throws: DestinationFile.Fault.self) { try read("[]", mode: 0o644) }
        #expect(fault?.message.contains("' can be read by everybody; run chmod 640 '") == true)
        let missing = #expect(throws: DestinationFile.Fault.self) {
            try DestinationFile("/nowhere/destinations.json", environment: [:])
        }
        #expect(missing?.message == "the file of destinations '/nowhere/destinations.json' cannot be read")
        #expect(try read("[]").destinations.isEmpty)
    }
}
