import ArtifactStore
import ExportPlan
import Foundation
import S3Store
import TestSupport
import Testing

@Suite("The address of a bucket")
struct S3AddressTests {
    @Test("Buckets are addressed as their service needs it")
    func addresses() throws {
        #expect(
            try S3Settings("s3://films", region: "eu-central-1").address(ofKey: "a b/ü")
                == "https://films.s3.eu-central-1.amazonaws.com/a%20b/%C3%BC")
        #expect(
            try S3Settings("s3://my.films/x/y/").address(ofKey: "a+b")
                == "https://s3.us-east-1.amazonaws.com/my.films/x/y/a%2Bb")
        #expect(
            try S3Settings("s3://films/x", endpoint: "http://127.0.0.1:9000/").address(ofKey: "a")
                == "http://127.0.0.1:9000/films/x/a")
        #expect(
            try S3Settings("s3://films/x", endpoint: "https://host:9000", style: .virtualHost).address(ofKey: "a")
                == "https://films.host:9000/x/a")
        #expect(try S3Settings("s3://films/x/y").description == "s3://films/x/y")
        #expect(try S3Settings("s3://films").bucketAddress == "https://films.s3.us-east-1.amazonaws.com/")
    }

    @Test(
        "Settings that cannot work are refused",
        arguments: [
            ("films", "us-east-1", nil), ("s3://", "us-east-1", nil), ("s3://A", "us-east-1", nil), ("s3://ab", "us-east-1", nil),
            ("s3://films/../x", "us-east-1", nil), ("s3://films", "us east", nil), ("s3://films", "", nil),
            ("s3://films", "us-east-1", "ftp://host"), ("s3://films", "us-east-1", "host:9000"),
            ("s3://films", "us-east-1", "https://host/path"), ("s3://films", "us-east-1", "https://key:secret@host"),
        ] as [(String, String, String?)])
    func refused(_ address: String, _ region: String, _ endpoint: String?) {
        let error = #expect(throws: BlobError.self) { try S3Settings(address, region: region, endpoint: endpoint) }
        #expect(error?.code == .invalidSettings)
        #expect(error?.description.contains("secret") != true)
    }

    @Test(
        "The message about settings that cannot work says what is wrong with them",
        arguments: [
            ("films", "us-east-1", nil, "is no address of a bucket; write it as s3://bucket/prefix"),
            (
                "s3://A", "us-east-1", nil,
                "names no bucket; a bucket's name has 3 to 63 small letters, digits, dots and hyphens"
            ),
            (
                "s3://films", "us east", nil,
                "cannot be used with the region 'us east', which has to be a name such as 'eu-central-1'"
            ),
            (
                "s3://films/../x", "us-east-1", nil,
                "has a prefix that cannot begin names; it may have 200 bytes, and no part '.' or '..'"
            ),
            (
                "s3://films", "us-east-1", "ftp://host",
                "is no address of an S3 service; write it as https://host:port, without a path and without keys"
            ),
        ] as [(String, String, String?, String)])
    func messages(_ address: String, _ region: String, _ endpoint: String?, _ message: String) {
        let error = #expect(throws: BlobError.self) { try S3Settings(address, region: region, endpoint: endpoint) }
        #expect(error?.message == message)
    }

    @Test("Credentials come from the environment in the order of Amazon's tools")
    func sources() throws {
        func source(_ environment: [String: String]) throws -> S3CredentialSource {
            try S3CredentialSource(environment: environment, region: "eu-west-1")
        }
        let keys = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_SESSION_TOKEN": "c"]
        let role = ["AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": "arn:aws:iam::1:role/farm"]
        let fixed = S3CredentialSource.fixed(S3Credentials(accessKey: "a", secretKey: "b", sessionToken: "c"))
        #expect(try source(keys.merging(role) { one, _ in one }) == fixed)
        #expect(
            try source(role)
                == .webIdentity(
                    .init(
                        tokenFile: "/token", role: "arn:aws:iam::1:role/farm", sessionName: "spool",
                        service: "https://sts.eu-west-1.amazonaws.com")))
        #expect(try source(["HOME": "/home/farm"]) == .file(path: "/home/farm/.aws/credentials", profile: "default"))
        #expect(
            try source(["AWS_SHARED_CREDENTIALS_FILE": "/keys", "AWS_PROFILE": "farm"]) == .file(path: "/keys", profile: "farm"))
        for (lonely, message) in [
            ("AWS_ACCESS_KEY_ID", "is set, and AWS_SECRET_ACCESS_KEY is not"),
            ("AWS_SECRET_ACCESS_KEY", "is set, and AWS_ACCESS_KEY_ID is not"),
            ("AWS_ROLE_ARN", "is set, and AWS_WEB_IDENTITY_TOKEN_FILE is not"),
        ] {
            let error = #expect(throws: BlobError.self) { try source([lonely: "a"]) }
            #expect(error?.subject == lonely && error?.message == message)
        }
    }

    @Test("A file without the section that is wanted says which it lacks")
    func noSection() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("credentials")
        try "[default]\naws_access_key_id = a\n".write(toFile: path, atomically: true, encoding: .utf8)
        for profile in ["default", "farm"] {
            let error = #expect(throws: BlobError.self) { try S3Credentials.inFile(path, profile: profile) }
            #expect(
                error?.message
                    == "has no aws_access_key_id and aws_secret_access_key after [\(profile)]; AWS_PROFILE names another section")
        }
        let missing = #expect(throws: BlobError.self) { try S3Credentials.inFile(folder.file("none"), profile: "default") }
        #expect(
            missing?.message
                == "cannot be read, and the environment has no credentials for the S3 service; set AWS_ACCESS_KEY_ID and "
                + "AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE")
    }

    @Test("Times of headers and of documents are read")
    func times() {
        #expect(S3Times.date(http: "Fri, 02 Jan 2026 03:04:05 GMT") == Date(timeIntervalSince1970: 1_767_323_045))
        #expect(S3Times.date(iso8601: "2026-01-02T03:04:05Z") == Date(timeIntervalSince1970: 1_767_323_045))
        #expect(S3Times.date(iso8601: "2026-01-02T03:04:05.500Z") == Date(timeIntervalSince1970: 1_767_323_045.5))
        #expect(S3Times.date(http: "yesterday") == nil)
    }

    @Test("Documents are read, and what is none is refused")
    func documents() {
        let document = XMLElement(document: Array("<?xml version='1.0'?><A x='1'><B>one &amp; <C/>two</B><B>3</B></A>".utf8))
        #expect(document?.name == "A")
        #expect(document?.all("B").map(\.text) == ["one & two", "3"])
        for text in ["", "text", "<A>", "<A></B>", "<A>&none;</A>", String(repeating: "<A>", count: 100)] {
            #expect(XMLElement(document: Array(text.utf8)) == nil, "\(text)")
        }
        // Entities that grow to a gigabyte ("billion laughs").
        let lines = (1...12).map { "<!ENTITY a\($0) '\(String(repeating: "&a\($0 - 1);", count: 10))'>" }
        let bomb = "<!DOCTYPE A [<!ENTITY a0 'ha'>\(lines.joined())]><A>&a12;</A>"
        #expect(XMLElement(document: Array(bomb.utf8)) == nil)
    }

    /// Signs the same addresses with Amazon's own library at the same time.
    private static let script = """
        import datetime, json, sys
        import botocore.auth
        from botocore.auth import S3SigV4QueryAuth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials
        now = datetime.datetime(2026, 1, 2, 3, 4, 5)
        if hasattr(botocore.auth, "get_current_datetime"): botocore.auth.get_current_datetime = lambda *_: now
        else:
            class Fixed(datetime.datetime):
                @classmethod
                def utcnow(cls): return now
            botocore.auth.datetime.datetime = Fixed
        method, url, token, headers = sys.argv[1], sys.argv[2], sys.argv[3] or None, json.loads(sys.argv[4])
        request = AWSRequest(method=method, url=url, headers=headers)
        S3SigV4QueryAuth(Credentials("AKID", "secret/+", token), "s3", "eu-central-1", expires=900).add_auth(request)
        print(request.url)
        """

    @Test(
        "A presigned address is that of Amazon's own library",
        .enabled(if: MotoServer.isInstalled, Comment(rawValue: MotoServer.absence)),
        arguments: ["GET", "PUT"], [nil, "to+ken/="])
    func presigned(_ method: String, _ token: String?) async throws {
        let settings = try S3Settings("s3://films/tenants", region: "eu-central-1")
        let credentials = S3Credentials(accessKey: "AKID", secretKey: "secret/+", sessionToken: token)
        let name = try #require(BlobName("1/a b+ü"))
        // A part of an upload, which has headers of the service.
        let (query, headers) =
            method == "PUT"
            ? (["uploadId": "a/b+c =", "partNumber": "2"], ["x-amz-meta-spool-upload": "  one   two ", "x-amz-acl": "private"])
            : ([:], [:])
        let address = settings.presigned(
            BlobRequest(method, name, query: query, headers: headers), lifetime: .seconds(900), credentials,
            at: Date(timeIntervalSince1970: 1_767_323_045))
        let escaped = query.isEmpty ? "" : "?partNumber=2&uploadId=a%2Fb%2Bc%20%3D"
        let list = String(decoding: try JSONEncoder().encode(headers), as: UTF8.self)
        let outcome = try await ShellTool.run(
            "'\(try #require(MotoServer.python))' -c \"$(cat << 'SCRIPT'\n\(S3AddressTests.script)\nSCRIPT\n)\" "
                + "\(method) '\(settings.address(ofKey: name.text))\(escaped)' '\(token ?? "")' '\(list)'")
        #expect(outcome.status == 0, "\(outcome.errors)")
        func parts(_ text: String) -> Set<Substring> {
            Set(text.trimmingCharacters(in: .newlines).split { $0 == "?" || $0 == "&" })
        }
        #expect(parts(outcome.output) == parts(address))
    }
}
