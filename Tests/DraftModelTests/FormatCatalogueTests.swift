import DraftModel
import Testing
import Vocabulary
import FoundationEssentials

/// What holds for all containers and codecs, and the page that lists them.
@Suite("The format catalogue")
struct FormatCatalogueTests {
    @Test("Every container has a name, a media type, a muxer and a signature, and what its kind of film needs")
    func containers() {
        for container in FormatCatalogue.containers {
            let comment = Comment(rawValue: container.name)
            #expect(!container.name.isEmpty && !container.muxer.isEmpty, comment)
            #expect(container.mediaType.split(separator: "/").count == 2, comment)
            #expect(!container.signatures.isEmpty, comment)
            #expect(container.hasVideo == (container.content != .sound), comment)
            #expect((container.audioCodec != nil) == [.film, .sound, .stream].contains(container.content), comment)
            #expect(container.pictureSuffixes.isEmpty == (container.content != .sequence), comment)
            #expect(container.transparentCodecs.allSatisfy { $0.format.transparency != nil }, comment)
            #expect(Set(container.transparentCodecs).isSubset(of: container.videoCodecs), comment)
            #expect(container.copiedCodecs.isEmpty || container.content == .film, comment)
            #expect(container.codecTags.allSatisfy { $0.value.utf8.count == 4 }, comment)
            #expect(container.tags.longestValue ?? 1 > 0, comment)
        }
    }

    @Test("Names and suffixes of containers are unique, and a suffix is found in any case")
    func suffixes() {
        // The suffix of archives says nothing of the files in them.
        let films = FormatCatalogue.containers.filter { !$0.isArchive }
        let suffixes = films.flatMap(\.suffixes)
        #expect(Set(suffixes).count == suffixes.count)
        #expect(FormatCatalogue.container(ofSuffix: "tar") == nil)
        let pictures = FormatCatalogue.containers.flatMap(\.pictureSuffixes)
        #expect(Set(pictures).count == pictures.count)
        #expect(FormatCatalogue.sequence(ofSuffix: "JPG")?.type == .jpeg)
        #expect(Set(FormatCatalogue.containers.map(\.name)).count == FormatCatalogue.containers.count)
        for container in films {
            for suffix in container.suffixes {
                #expect(FormatCatalogue.container(ofSuffix: suffix.uppercased()) == container)
            }
        }
        #expect(FormatCatalogue.container(ofSuffix: "opus")?.type == .ogg)
        #expect(FormatCatalogue.container(ofSuffix: "avi") == nil)
    }

    @Test("A file type is one of the catalogue's and is coded as its name")
    func coding() throws {
        #expect(FileType.allCases.map(\.rawValue) == FormatCatalogue.containers.map(\.type.rawValue))
        #expect(FileType(rawValue: "avi") == nil)
        for type in FileType.allCases {
            let text = try JSONEncoder().encode([type])
            #expect(String(decoding: text, as: UTF8.self) == "[\"\(type)\"]")
            #expect(try JSONDecoder().decode([FileType].self, from: text) == [type])
            #expect(type.format.type == type)
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([FileType].self, from: Data(#"["avi"]"#.utf8)) }
    }

    @Test("Every codec has an entry of its own, an encoder, and a container for its segments that can hold it")
    func codecs() {
        #expect(FormatCatalogue.videoCodecs.map(\.codec) == VideoCodec.allCases)
        #expect(FormatCatalogue.audioCodecs.map(\.codec) == AudioCodec.allCases)
        for codec in FormatCatalogue.videoCodecs {
            #expect(!codec.encoder.isEmpty && !codec.name.isEmpty)
            #expect(codec.usualType.format.videoCodecs.contains(codec.codec), "\(codec.name)")
            #expect(codec.segmentType.format.videoCodecs.contains(codec.codec), "\(codec.name)")
            #expect(codec.bitrate == nil || codec.quality != nil, "\(codec.name)")
            if let scale = codec.quality {
                let factors = [scale.highest, scale.high, scale.medium, scale.low]
                #expect(factors == factors.sorted() && factors.allSatisfy { (0...scale.worst).contains($0) }, "\(codec.name)")
            }
        }
        for codec in FormatCatalogue.audioCodecs {
            #expect(codec.sampleRates?.contains(codec.usualSampleRate) ?? true, "\(codec.name)")
            #expect(codec.soundtrackType.format.hasExactSound, "\(codec.name)")
        }
    }

    @Test("An encoder's options have a value for every speed, and qualities are written as the encoder reads them")
    func options() {
        let speeds = ExportSettings.EncoderSpeed.allCases.map(\.rawValue)
        for codec in FormatCatalogue.videoCodecs {
            for option in codec.options {
                #expect(speeds.allSatisfy { !option.text(forSpeed: $0).isEmpty }, "\(codec.name) \(option.name)")
            }
        }
        #expect(VideoCodec.vp9.format.options.first { $0.name == "cpu-used" }?.text(forSpeed: "ultrafast") == "5")
        #expect(VideoCodec.h264.format.quality?.text(21.5) == "21.5")
        #expect(VideoCodec.av1.format.quality?.text(28.5) == "29")
        #expect(VideoCodec.webp.format.quality?.text(20) == "75.0")
    }

    @Test("The more specific of two fitting signatures decides, and an unknown beginning fits none")
    func signatures() {
        func type(_ head: [UInt8]) -> String? { FormatCatalogue.container(ofHead: head)?.type.rawValue }
        let box: [UInt8] = [0, 0, 0, 24]
        #expect(type(box + Array("ftypisom".utf8)) == "mp4")
        #expect(type(box + Array("ftypqt  ".utf8)) == "mov")
        #expect(type([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x84] + Array("webm".utf8)) == "webm")
        #expect(type([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x88] + Array("matroska".utf8)) == "mkv")
        let packet = [0x47] + [UInt8](repeating: 0xFF, count: 187)
        #expect(type(packet + packet) == "ts")
        #expect(type(packet) == nil)
        #expect(type([]) == nil)
    }

    @Test("No two containers have the same signature, so that a file's container is known")
    func uniqueSignatures() {
        let signatures = FormatCatalogue.containers.flatMap(\.signatures)
        #expect(Set(signatures).count == signatures.count)
    }

    @Test("Transparent films get a codec that keeps alpha, and other formats name those that do")
    func transparency() {
        func read(_ values: [String: String]) -> (codec: VideoCodec?, messages: [String]) {
            let (settings, found) = ExportSettings.read(values.merging(["alpha": "true"]) { first, _ in first })
            return (settings.decidedVideoCodec, found.map(\.message))
        }
        for (type, codec) in [("mov", VideoCodec.prores), ("webm", .vp9), ("mkv", .vp9), ("webp", .webp), ("png", .png)] {
            #expect(read(["fileType": type]) == (codec, []))
        }
        #expect(ExportSettings.read(["preset": "proRes4444"]).settings.decidedFileType == .mov)
        #expect(ExportSettings.read(["preset": "proRes4444"]).settings.keepsTransparency)
        #expect(!ExportSettings.read(["preset": "proRes422"]).settings.keepsTransparency)
        let wanted = "cannot keep transparency; these can: prores in mov, vp9 in webm, vp9 in mkv"
        for type in ["mp4", "ts", "gif", "jpeg"] {
            #expect(read(["fileType": type]).messages.first?.contains(wanted) == true, "\(type)")
        }
    }

    @Test("Films without chosen codecs get the first of their container, and 10 bits where they are asked for")
    func defaults() {
        for container in FormatCatalogue.containers where container.content != .sound {
            #expect(ExportSettings.read(["fileType": "\(container.type)"]).settings.decidedVideoCodec == container.videoCodecs[0])
        }
        let (settings, faults) = ExportSettings.read(["fileType": "ts", "colorRange": "hdr"])
        #expect(settings.decidedVideoCodec == .hevc && settings.audioCodec == .aac && faults.isEmpty)
        let refused = ExportSettings.read(["fileType": "ts", "videoCodec": "vp9"]).diagnostics.map(\.message)
        #expect(refused == ["a ts file cannot hold vp9; it can hold h264, hevc"])
    }

    @Test("What a format lacks is said with its name")
    func lacks() {
        func messages(_ values: [String: String]) -> [String] { ExportSettings.read(values).diagnostics.map(\.message) }
        #expect(messages(["fileType": "wav", "profile": "main"]) == ["belongs to h264, and the WAV format has no video"])
        #expect(
            messages(["videoCodec": "vp9", "profile": "main"]) == ["belongs to h264, and the film's codec is vp9; leave it out"])
        #expect(
            messages(["fileType": "flac", "videoQuality": "20"])
                == ["is not supported: the FLAC format has no video"])
        #expect(
            messages(["fileType": "gif", "sampleRate": "48000"]) == ["is not supported: the GIF format has no sound"])
    }

    @Test("docs/formats.md agrees with the catalogue")
    func documentation() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let file = root.path + "/docs/formats.md"
        if ProcessInfo.processInfo.environment["SPOOL_RECORD_SNAPSHOTS"] == "1" {
            try Data(FormatCatalogue.documentation.utf8).write(to: URL(fileURLWithPath: file))
            Issue.record("recorded \(file); read the difference and run again without SPOOL_RECORD_SNAPSHOTS")
        }
        #expect(FormatCatalogue.documentation == (try String(contentsOfFile: file, encoding: .utf8)))
    }
}
