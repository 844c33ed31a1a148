import Coordinator
import ExactTime
import ExportPlan
import HTTPTypes
import FarmAPI
import Hummingbird
import NIOCore
import TestServer
import TestSupport
import Testing
import FoundationEssentials

@Suite("A film")
struct FilmTests {
    private let bytes = [0, 0, 0, 24] + Array("ftypisom".utf8) + (12..<1000).map { UInt8(truncatingIfNeeded: $0) }

    @Test("A film is sent whole, with its length and with its key as ETag")
    func whole() async throws {
        let farm = try await Farm()
        let export = try await farm.completed(bytes)
        let answer = try await farm.send(.get, "/v1/exports/\(export.id)/film")
        #expect(answer.status == .ok)
        #expect(answer.body.readableBytesView.elementsEqual(bytes))
        #expect(answer.headers[.eTag] == "\"\(Farm.filmKey)\"")
        #expect(answer.headers[.contentType] == "video/mp4")
        #expect(answer.headers[.acceptRanges] == "bytes")
        let head = try await farm.send(.head, "/v1/exports/\(export.id)/film")
        #expect(head.status == .ok)
        #expect(head.headers[.contentLength] == "1000")
        let known = try await farm.send(
            .get, "/v1/exports/\(export.id)/film", headers: [.ifNoneMatch: "\"\(Farm.filmKey)\""])
        #expect(known.status == .notModified)
    }

    @Test("A film is removed alone, and the export stays")
    func removed() async throws {
        let farm = try await Farm()
        let export = try await farm.completed(bytes)
        let film = "/v1/exports/\(export.id)/film"
        #expect(try await farm.send(.delete, film, as: "other").status == .notFound)
        #expect(try await farm.send(.delete, film, as: "read").status == .forbidden)
        #expect(try await farm.send(.delete, film).status == .noContent)
        let answer = try await farm.send(.get, film)
        #expect(answer.status == .notFound)
        #expect(answer.fault?.detail == "the film was removed; rerun the export to have it again")
        let again = try await farm.send(.delete, film)
        #expect(again.status == .notFound && again.fault?.detail == "the film of export \(export.id) was removed before")
        let shown = try await farm.send(.get, "/v1/exports/\(export.id)").json(Export.self)
        #expect(shown.state == .completed && shown.filmRemovedAt != nil)
        let refused = try await farm.send(.post, "/v1/exports/\(export.id)/publish")
        #expect(refused.status == .conflict)
        #expect(
            refused.fault?.detail
                == "the export's film cannot be sent: it was removed; rerun the export to have it again")
        let open = try await farm.submit()
        #expect(try await farm.send(.delete, "/v1/exports/\(open.id)/film").status == .conflict)
    }

    @Test(
        "A picture that an export made instead of a film has its own media type",
        arguments: [
            (Array("RIFF\u{20}\u{0}\u{0}\u{0}WEBPVP8 ".utf8), "image/webp"), ([0xFF, 0xD8, 0xFF, 0xDB], "image/jpeg"),
            ([0x89] + Array("PNG\r\n\u{1A}\n".utf8), "image/png"),
        ])
    func picture(head: [UInt8], mediaType: String) async throws {
        let farm = try await Farm()
        let export = try await farm.completed(head + bytes)
        let answer = try await farm.send(.get, "/v1/exports/\(export.id)/film")
        #expect(answer.status == .ok && answer.headers[.contentType] == mediaType)
    }

    @Test("Pictures beside a film are sent by name, with the index of the sprites")
    func pictures() async throws {
        let farm = try await Farm()
        let (poster, sheet) = (ArtifactKey(String(repeating: "12", count: 32)), ArtifactKey(String(repeating: "34", count: 32)))
        let index = SpriteIndex(interval: Rational(1, 2), duration: MediaTime(seconds: 1), width: 160, height: 90)
        let pictures = FilmPictures(poster: poster, sprites: FilmPictures.Sprites(sheets: [sheet], index))
        let export = try await farm.completed(bytes, pictures: pictures)
        let base = "/v1/exports/\(export.id)/pictures"
        #expect(try await farm.send(.get, "/v1/exports/\(export.id)").json(Export.self).pictures == pictures)
        for (name, key) in [("poster.jpg", poster), ("sprites-1.jpg", sheet)] {
            let answer = try await farm.send(.get, "\(base)/\(name)")
            #expect(answer.status == .ok && answer.headers[.contentType] == "image/jpeg")
            #expect(answer.headers[.eTag] == "\"\(key)\"" && answer.body.readableBytesView.elementsEqual(key.text.utf8))
            let known = try await farm.send(.get, "\(base)/\(name)", headers: [.ifNoneMatch: "\"\(key)\""])
            #expect(known.status == .notModified)
        }
        let text = try await farm.send(.get, "\(base)/sprites.vtt")
        #expect(text.status == .ok && text.headers[.contentType] == "text/vtt")
        #expect(String(buffer: text.body) == index.webVTT { _ in "sprites-1.jpg" })
        let head = try await farm.send(.head, "\(base)/sprites.vtt")
        #expect(head.headers[.contentLength] == "\(text.body.readableBytes)" && head.headers[.eTag] == text.headers[.eTag])
        let part = try await farm.send(.get, "\(base)/sprites.vtt", headers: [.range: "bytes=0-5"])
        #expect(part.status == .partialContent && String(buffer: part.body) == "WEBVTT")
        let missing = try await farm.send(.get, "\(base)/sprites-2.jpg")
        #expect(missing.status == .notFound && missing.fault?.detail.contains("poster.jpg, sprites-1.jpg") == true)
        #expect(try await farm.send(.get, "\(base)/poster.jpg", as: "other").status == .notFound)
        #expect(try await farm.send(.delete, "/v1/exports/\(export.id)/film").status == .noContent)
        let gone = try await farm.send(.get, "\(base)/poster.jpg")
        #expect(gone.status == .notFound && gone.fault?.detail.contains("was removed") == true)
    }

    @Test("An export without pictures says which settings make them, and an open one that it is not complete")
    func noPictures() async throws {
        let farm = try await Farm()
        let export = try await farm.completed(bytes)
        let answer = try await farm.send(.get, "/v1/exports/\(export.id)/pictures/poster.jpg")
        #expect(answer.status == .notFound)
        #expect(
            answer.fault?.detail
                == "the export has no picture of that name; it was submitted without posterTime and spriteInterval")
        let open = try await farm.submit()
        #expect(try await farm.send(.get, "/v1/exports/\(open.id)/pictures/poster.jpg").status == .conflict)
    }

    @Test("A film does not count as gone while the whole store is, and no store is created in its place")
    func absentStore() async throws {
        let farm = try await Farm()
        let export = try await farm.completed(bytes)
        let root = farm.directory.path
        let away = try TemporaryDirectory()
        for name in [".spool-store", "tenants"] {
            try FileManager.default.moveItem(atPath: "\(root)/\(name)", toPath: away.file(name))
        }
        let answer = try await farm.send(.get, "/v1/exports/\(export.id)/film")
        #expect(answer.status == .serviceUnavailable)
        #expect(answer.fault?.detail == "the farm's storage does not answer; try again later")
        #expect(answer.headers[.retryAfter] == "2")
        #expect(!FileManager.default.fileExists(atPath: "\(root)/tenants"))
        for name in [".spool-store", "tenants"] {
            try FileManager.default.moveItem(atPath: away.file(name), toPath: "\(root)/\(name)")
        }
        #expect(try await farm.send(.get, "/v1/exports/\(export.id)/film").status == .ok)
    }

    @Test(
        "A film has the media type of its format",
        arguments: [
            ("\0\0\0\u{18}ftypqt  ", "video/quicktime"), ("\0\0\0\u{18}ftypM4A ", "audio/mp4"), ("GIF89a", "image/gif"),
            ("RIFF1234WEBPVP8X", "image/webp"), ("RIFF1234WAVEfmt ", "audio/wav"), ("fLaC", "audio/flac"),
            ("OggS", "audio/ogg"), ("ID3", "audio/mpeg"), ("nothing", "application/octet-stream"),
        ])
    func mediaType(_ head: String, _ type: String) async throws {
        let farm = try await Farm()
        let export = try await farm.completed(Array(head.utf8) + [UInt8](repeating: 0, count: 100))
        let answer = try await farm.send(.head, "/v1/exports/\(export.id)/film")
        #expect(answer.headers[.contentType] == type)
    }

    @Test("A transport stream is recognised by the first byte of each of its packets")
    func transportStream() async throws {
        let farm = try await Farm()
        let packet = [0x47] + [UInt8](repeating: 0xFF, count: 187)
        let export = try await farm.completed(packet + packet)
        let answer = try await farm.send(.head, "/v1/exports/\(export.id)/film")
        #expect(answer.headers[.contentType] == "video/mp2t")
    }

    @Test(
        "A Matroska film has the media type that its EBML header names",
        arguments: [("webm", "video/webm"), ("matroska", "video/matroska")])
    func matroska(_ document: String, _ type: String) async throws {
        let farm = try await Farm()
        let head: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x84]
        let export = try await farm.completed(head + Array(document.utf8) + [UInt8](repeating: 0, count: 100))
        let answer = try await farm.send(.head, "/v1/exports/\(export.id)/film")
        #expect(answer.headers[.contentType] == type)
    }

    @Test(
        "A film is sent in the requested range",
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=10-19", 10..<20), ("bytes=990-", 990..<1000), ("bytes=-5", 995..<1000),
            ("bytes=900-5000", 900..<1000),
        ])
    func parts(_ header: String, _ range: Range<Int>) async throws {
        let farm = try await Farm()
        let export = try await farm.completed(bytes)
        let answer = try await farm.send(.get, "/v1/exports/\(export.id)/film", headers: [.range: header])
        #expect(answer.status == .partialContent)
        #expect(answer.headers[.contentRange] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/1000")
        #expect(answer.body.readableBytesView.elementsEqual(bytes[range]))
    }

    @Test("A range beyond the end of the film is refused, and a malformed one is ignored")
    func badRanges() async throws {
        let farm = try await Farm()
        let export = try await farm.completed(bytes)
        let outside = try await farm.send(.get, "/v1/exports/\(export.id)/film", headers: [.range: "bytes=1000-"])
        #expect(outside.status == .rangeNotSatisfiable)
        #expect(outside.headers[.contentRange] == "bytes */1000")
        for header in ["bytes=5-2", "bytes=a-b", "lines=1-2", "bytes=0-1,5-6", "bytes"] {
            #expect(try await farm.send(.get, "/v1/exports/\(export.id)/film", headers: [.range: header]).status == .ok)
        }
        let other = try await farm.send(
            .get, "/v1/exports/\(export.id)/film", headers: [.range: "bytes=0-1", .ifRange: "\"other\""])
        #expect(other.status == .ok)
    }

    @Test(
        "A film is not sent again to a client that names its ETag, in a list, as a weak tag or as any",
        arguments: [
            "\"KEY\"", "W/\"KEY\"", "\"other\", \"KEY\"", "W/\"other\" ,W/\"KEY\",\"third\"", "\"a,b\",\"KEY\"", "*", " * ",
        ])
    func knownFilm(_ header: String) async throws {
        let farm = try await Farm()
        let export = try await farm.completed(bytes)
        let tags = header.replacing("KEY", with: "\(Farm.filmKey)")
        for method in [HTTPRequest.Method.get, .head] {
            let answer = try await farm.send(method, "/v1/exports/\(export.id)/film", headers: [.ifNoneMatch: tags])
            #expect(answer.status == .notModified)
            #expect(answer.body.readableBytes == 0)
            #expect(answer.headers[.eTag] == "\"\(Farm.filmKey)\"")
        }
    }

    @Test(
        "A film is sent to a client that names only other tags or malformed ones",
        arguments: ["\"other\"", "W/\"other\", \"third\"", "KEY", "\"KEY", "\"KEYS\"", "\"*\"", "", ","])
    func unknownFilm(_ header: String) async throws {
        let farm = try await Farm()
        let export = try await farm.completed(bytes)
        let tags = header.replacing("KEY", with: "\(Farm.filmKey)")
        let answer = try await farm.send(.get, "/v1/exports/\(export.id)/film", headers: [.ifNoneMatch: tags])
        #expect(answer.status == .ok)
        #expect(answer.body.readableBytes == 1000)
    }

    @Test(
        "With If-Match a film is sent only under its own strong tag",
        arguments: [("\"KEY\"", true), ("\"a\", \"KEY\"", true), ("*", true), ("W/\"KEY\"", false), ("\"other\"", false)])
    func matching(_ header: String, _ isSent: Bool) async throws {
        let farm = try await Farm()
        let export = try await farm.completed(bytes)
        let tags = header.replacing("KEY", with: "\(Farm.filmKey)")
        let answer = try await farm.send(.get, "/v1/exports/\(export.id)/film", headers: [.ifMatch: tags])
        #expect(answer.status == (isSent ? .ok : .preconditionFailed))
        #expect(isSent || answer.fault?.code == .preconditionFailed)
        let changed = "the film has changed: its ETag does not match If-Match and is \"\(Farm.filmKey)\""
        #expect(isSent || answer.fault?.detail == changed)
    }

    @Test(
        "With If-Range a range is sent only under the film's own strong tag, otherwise the whole",
        arguments: [
            ("\"KEY\"", true), ("W/\"KEY\"", false), ("\"other\"", false), ("Mon, 23 Nov 2026 00:00:00 GMT", false),
        ])
    func ifRange(_ header: String, _ isPart: Bool) async throws {
        let farm = try await Farm()
        let export = try await farm.completed(bytes)
        let tag = header.replacing("KEY", with: "\(Farm.filmKey)")
        let answer = try await farm.send(
            .get, "/v1/exports/\(export.id)/film", headers: [.range: "bytes=0-9", .ifRange: tag])
        #expect(answer.status == (isPart ? .partialContent : .ok))
        #expect(answer.body.readableBytes == (isPart ? 10 : 1000))
    }

    @Test("A film is 404 before its export is completed, and when its file is gone or damaged")
    func missing() async throws {
        let farm = try await Farm()
        let early = try await farm.submit()
        let answer = try await farm.send(.get, "/v1/exports/\(early.id)/film")
        #expect(answer.status == .conflict)
        #expect(answer.fault?.detail == "the export has no film: it is submitted")
        let export = try await farm.completed(bytes)
        #expect(try await farm.send(.get, "/v1/exports/\(export.id)/film").status == .ok)
        try Files.write([1], to: farm.directory.path + "/tenants/1/ab/\(Farm.filmKey)")
        for _ in 0..<2 {
            let gone = try await farm.send(.get, "/v1/exports/\(export.id)/film")
            #expect(gone.status == .notFound)
            #expect(
                gone.fault?.detail == "the film is no longer in the farm's storage; rerun the export to have it again")
        }
    }

    @Test("A request for a damaged film makes the farm forget it, so that the next export renders it again")
    func forgotten() async throws {
        let farm = try await Farm()
        let export = try await farm.completed(bytes)
        // The film's segment is gone as well. While the film counts as existing, no export renders the segment.
        try await farm.store.forget([Farm.segmentKey], tenant: export.tenant)
        #expect(try await farm.segmentStateOfNextExport() == .done)
        try Files.write([1], to: farm.directory.path + "/tenants/1/ab/\(Farm.filmKey)")
        #expect(try await farm.send(.get, "/v1/exports/\(export.id)/film").status == .notFound)
        #expect(try await farm.segmentStateOfNextExport() == .ready)
    }

    @Test("Every range of an empty film is refused")
    func emptyFile() async throws {
        let farm = try await Farm()
        let export = try await farm.completed([])
        #expect(try await farm.send(.get, "/v1/exports/\(export.id)/film").status == .ok)
        for header in ["bytes=0-", "bytes=-1", "bytes=-0"] {
            let answer = try await farm.send(.get, "/v1/exports/\(export.id)/film", headers: [.range: header])
            #expect(answer.status == .rangeNotSatisfiable)
        }
    }
}
