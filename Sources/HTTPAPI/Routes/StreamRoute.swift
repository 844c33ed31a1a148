import ArtifactStore
import BlockingWork
import ContentHashing
import Coordinator
import ExportPlan
import FarmAPI
import HTTPTypes
import Hummingbird
import Streaming

/// Sends a film as a stream in HLS while it is rendered (`FilmStream`).
struct StreamRoute {
    let store: any FarmStore
    let films: any FilmFiles
    /// Threads that read artifacts.
    let work: BlockingPool

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/exports/:id/stream/:file", "streamFilm",
                "Sends a file of the film as a stream in HLS, which grows while the film is rendered: `main.m3u8` is what a player "
                    + "opens, and names the others. It is there once the first picture segment and the sound are rendered; until "
                    + "then the answer is 409 with `Retry-After`. Only mp4, mov and hls films have a stream, and only until their "
                    + "segments are removed with the farm's garbage.", scopes: [.read],
                parameters: [.export, .streamFile], headers: RequestHeader.ofFiles, answers: RouteAnswer.file("the file"),
                faults: [.notFound, .conflict, .preconditionFailed, .badRange]), head: file, use: file)
    }

    @Sendable private func file(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let id = try context.exportID()
        guard let export = try await store.export(id, tenant: caller.visibleTenant) else {
            throw RequestFault(.notFound, "there is no export \(id)")
        }
        let name = try context.parameters.require("file")
        guard let file = FilmStream.File(name: name) else {
            throw RequestFault(.notFound, "a stream has no file of that name; players open main.m3u8, which names the others")
        }
        let stream = try await stream(of: export)
        switch file {
        case .main:
            let known = Set([0, stream.readyCount / 2, stream.readyCount - 1]).sorted().compactMap(stream.segment)
            guard stream.isReady, !known.isEmpty else { throw StreamRoute.notYet }
            var pictures: [[MovieTrack]] = []
            for rendition in stream.renditions {
                var segments: [MovieTrack] = []
                for segment in known {
                    segments.append(try await track(segment.key, export, try stream.number(of: rendition)))
                }
                pictures.append(segments)
            }
            var sounds: [MovieTrack] = []
            for sound in stream.sounds { sounds.append(try await track(sound.ready[0], export)) }
            return try await playlist(try stream.main(pictures: pictures, sounds: sounds).text, request, context)
        case .playlist(.pictures(let side)):
            let track = FilmStream.Track.pictures(side)
            _ = try stream.number(of: track)
            guard stream.isReady else { throw StreamRoute.notYet }
            return try await playlist(stream.playlist(of: track).text, request, context)
        case .playlist(.sound(let number)):
            let sound = try sound(number, of: stream)
            let first = try await track(sound.ready[0], export)
            let last = sound.ready.count > 1 ? try await track(sound.ready[sound.ready.count - 1], export) : first
            return try await playlist(sound.playlist(first: first, last: last).text, request, context)
        case .header(let track):
            let key =
                switch track {
                case .pictures: stream.segment(0)?.key
                case .sound(let number): try sound(number, of: stream).ready[0]
                }
            let rendition = try stream.number(of: track)
            guard stream.isReady, let key else { throw StreamRoute.notYet }
            let bytes = MovieHeader(of: try await self.track(key, export, rendition)).bytes
            return try await media(bytes, track, request, context)
        case .segment(.pictures(let side), let number):
            let track = FilmStream.Track.pictures(side)
            let rendition = try stream.number(of: track)
            guard let segment = stream.segment(number) else {
                throw RequestFault(.notFound, "the stream has no segment \(number) yet; its playlist names those that it has")
            }
            let bytes = try await read(segment.key, export, rendition) { track in
                let start = segment.firstFrame * (track.samples.first?.duration ?? 0)
                return MovieFragment(of: track, samples: track.samples.indices, number: number, start: start)
            }
            return try await media(bytes, track, request, context)
        case .segment(.sound(let index), let number):
            let sound = try sound(index, of: stream)
            let first = try await track(sound.ready[0], export)
            guard let place = sound.place(ofSegment: number, first: first) else {
                throw RequestFault(.notFound, "the stream has no segment \(number) yet; its playlist names those that it has")
            }
            let bytes = try await read(sound.ready[place.part], export) { track in
                sound.fragment(number, at: place, first: first, track)
            }
            return try await media(bytes, .sound(index), request, context)
        }
    }

    /// - Throws: `RequestFault` where the export has no stream, or none yet.
    private func stream(of export: Export) async throws -> FilmStream {
        guard export.state != .failed, export.state != .cancelled else {
            throw RequestFault(.conflict, "the export has no stream: it is \(export.state.rawValue)")
        }
        guard export.filmRemovedAt == nil else {
            throw RequestFault(.notFound, "the film was removed; rerun the export to have it again")
        }
        guard let parts = try await store.filmParts(of: export.id) else {
            guard export.state == .completed else { throw StreamRoute.notYet }
            throw RequestFault(.conflict, "the export has no stream any more, or makes no film; /film has what it made")
        }
        return try FilmStream(parts)
    }

    private func sound(_ number: Int, of stream: FilmStream) throws -> SoundStream {
        guard stream.sounds.indices.contains(number) else {
            throw RequestFault(.notFound, "the film has no soundtrack \(number): it has \(stream.sounds.count), counted from 0")
        }
        guard stream.isReady else { throw StreamRoute.notYet }
        return stream.sounds[number]
    }

    private static let notYet = RequestFault(
        .conflict, "the first seconds of the film are not rendered yet; repeat the request", headers: [("Retry-After", "1")])

    // MARK: Artifacts

    private func path(_ key: ArtifactKey, _ export: Export) async throws -> String {
        guard let path = try await films.film(key, tenant: export.tenant) else {
            throw RequestFault(.notFound, "a segment of the film is no longer in the farm's storage; rerun the export")
        }
        return path
    }

    /// - Parameter rendition: the number of the track among those of the artifact; nil for the only one.
    private func track(_ key: ArtifactKey, _ export: Export, _ rendition: Int? = nil) async throws -> MovieTrack {
        let path = try await path(key, export)
        return try await work.run(lane: export.tenant) {
            try StreamRoute.readable { try MovieTrack(file: path, rendition: rendition) }
        }
    }

    private func read(
        _ key: ArtifactKey, _ export: Export, _ rendition: Int? = nil,
        _ fragment: @escaping @Sendable (MovieTrack) -> MovieFragment?
    ) async throws -> [UInt8] {
        let path = try await path(key, export)
        return try await work.run(lane: export.tenant) {
            try StreamRoute.readable {
                guard let fragment = fragment(try MovieTrack(file: path, rendition: rendition)) else {
                    throw RequestFault(.notFound, "the stream has no such segment; its playlist names those that it has")
                }
                return try fragment.bytes(from: path)
            }
        }
    }

    /// - Throws: `RequestFault` `internalError` for a file of the farm that is none.
    private static func readable<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let fault as StreamFault {
            throw RequestFault(.internalError, "a segment of the film cannot be read: \(fault)")
        }
    }

    // MARK: Answers

    private func playlist(_ text: String, _ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let bytes = Array(text.utf8)
        let answer = FileResponse(bytes: bytes, tag: ContentHash.of(bytes))
        return try await answer.response(to: request, "the playlist", mediaType: "application/vnd.apple.mpegurl", context)
    }

    private func media(
        _ bytes: [UInt8], _ track: FilmStream.Track, _ request: Request, _ context: FarmRequestContext
    ) async throws -> Response {
        let answer = FileResponse(bytes: bytes, tag: ContentHash.of(bytes))
        let type = if case .pictures = track { "video/mp4" } else { "audio/mp4" }
        return try await answer.response(to: request, "the segment", mediaType: type, context)
    }
}
