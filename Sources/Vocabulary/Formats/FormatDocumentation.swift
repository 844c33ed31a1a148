extension FormatCatalogue {
    /// The text of `docs/formats.md`: every container with what it can hold, and every codec, as Markdown.
    package static var documentation: String {
        let head = [
            "# Formats", "",
            "Written by the catalogue (`Sources/Vocabulary/Formats/FormatCatalogue.swift`); a test compares, and",
            "`SPOOL_RECORD_SNAPSHOTS=1` writes it anew. [draft.md](draft.md) describes the settings.", "",
            "## Containers", "",
            "The first codec of a row is what a film without `videoCodec` gets. `spool export` takes the file type from the",
            "suffix, and that of numbered pictures from the suffix of their names; their film is an archive, like that of a",
            "stream. Sound has its exact length where the file says how many samples the encoder added at both ends; elsewhere",
            "players also play these, without a shift against the pictures.", "",
        ]
        let containerTable = table(
            ["`fileType`", "suffix", "format", "media type", "pictures", "sound", "length of sound"],
            containers.map { container in
                [
                    "`\(container.type)`", container.suffixNames.map { "`\($0)`" }.joined(separator: ", "), container.name,
                    container.mediaType, container.videoCodecs.map { "`\($0.rawValue)`" }.joined(separator: ", "),
                    container.audioCodec?.format.name ?? "",
                    container.audioCodec == nil ? "" : container.hasExactSound ? "exact" : "with what the encoder added",
                ]
            })
        let contents = table(
            ["`fileType`", "`alpha`", "chapters", "subtitle tracks", "cover", "tags", "`passthrough` copies"],
            containers.map { container in
                [
                    "`\(container.type)`",
                    container.transparentCodecs.isEmpty
                        ? "no" : container.transparentCodecs.map { "`\($0.rawValue)`" }.joined(separator: ", "),
                    container.chapters == nil ? "no" : "yes", container.subtitles?.rawValue ?? "no",
                    container.hasCover ? "yes" : "no", container.tags.summary,
                    container.copiedCodecs.isEmpty ? "nothing" : container.copiedCodecs.joined(separator: ", "),
                ]
            })
        return (head + containerTable + ["", "What else goes into a file:", ""] + contents + codecs).joined(separator: "\n")
            + "\n"
    }

    private static var codecs: [String] {
        let pictures = table(
            [
                "`videoCodec`", "name", "encoder", "bits", "`videoQuality` (highest, high, medium, low)", "`videoBitrate`",
                "`profile`",
            ],
            videoCodecs.map { codec in
                [
                    "`\(codec.codec.rawValue)`", codec.name, codec.encoder, codec.bits,
                    codec.quality?.documented ?? "no", codec.bitrate == nil ? "no" : "yes",
                    codec.profiles.isEmpty ? "no" : codec.profiles.map { "`\($0.rawValue)`" }.joined(separator: ", "),
                ]
            })
        let sound = table(
            ["codec", "encoder", "sample rates in Hz", "usual rate", "channels"],
            audioCodecs.map { codec in
                [
                    codec.name, codec.encoder, codec.sampleRates?.map(String.init).joined(separator: ", ") ?? "any",
                    "\(codec.usualSampleRate)", "at most \(codec.maxChannels)",
                ]
            })
        return ["", "## Codecs", "", "Pictures:", ""] + pictures + ["", "Sound:", ""] + sound
    }

    private static func table(_ titles: [String], _ rows: [[String]]) -> [String] {
        func line(_ cells: [String]) -> String { "| " + cells.map { $0.isEmpty ? "-" : $0 }.joined(separator: " | ") + " |" }
        return [line(titles), "|" + String(repeating: "---|", count: titles.count)] + rows.map(line)
    }
}

extension ContainerFormat {
    /// The names of files, for the table.
    fileprivate var suffixNames: [String] {
        (suffixes + (content == .stream ? [StreamNames.playlist] : [])).map { ".\($0)" }
            + pictureSuffixes.map { "%05d.\($0)" }
    }
}

extension VideoCodecFormat {
    /// The bits of each sample, for the table.
    fileprivate var bits: String {
        guard let tenBitPixels else { return "8" }
        return pixels == tenBitPixels ? "10" : "8, 10"
    }
}

extension TagSupport {
    /// What the tags can be, for the table.
    fileprivate var summary: String {
        let kinds = names.map { $0.sorted().joined(separator: ", ") } ?? "any"
        let length = longestValue.map { ", at most \($0) bytes" } ?? ""
        let beside = namesBesideCover == nil ? "" : "; beside a cover those of iTunes"
        return kinds + length + beside
    }
}

extension QualityScale {
    /// The factors that are allowed, and those that the names stand for.
    fileprivate var documented: String {
        let grades = [highest, high, medium, low].map { "\(Int($0))" }.joined(separator: ", ")
        return "0...\(Int(worst)) (\(grades))"
    }
}
