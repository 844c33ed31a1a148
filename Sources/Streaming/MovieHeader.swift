/// The header of a track whose samples come in fragments: what a player reads before the first of them, `EXT-X-MAP` in
/// HLS.
package struct MovieHeader {
    /// The number of the only track.
    static let trackNumber = 1

    private let track: MovieTrack

    package init(of track: MovieTrack) {
        self.track = track
    }

    package var bytes: [UInt8] {
        var writer = BoxWriter()
        writer.box("ftyp") { box in
            box.write("iso6")
            box.write(0, bytes: 4)
            box.write("iso6cmfcmp41")
        }
        writer.box("moov") { box in
            writeMovieHeader(to: &box)
            writeTrack(to: &box)
            box.box("mvex") { box in
                box.fullBox("trex") { box in
                    box.write(MovieHeader.trackNumber, bytes: 4)
                    box.write(1, bytes: 4)  // the description of the samples
                    box.write(zeros: 12)
                }
            }
        }
        return writer.bytes
    }

    /// The matrix that changes nothing, in fixed-point numbers.
    private static func writeMatrix(to writer: inout BoxWriter) {
        for value in [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000] { writer.write(value, bytes: 4) }
    }

    private func writeMovieHeader(to writer: inout BoxWriter) {
        writer.fullBox("mvhd") { box in
            box.write(zeros: 8)
            box.write(track.timescale, bytes: 4)
            box.write(0, bytes: 4)  // the duration is not known yet
            box.write(0x1_0000, bytes: 4)  // the usual speed
            box.write(0x0100, bytes: 2)  // the full volume
            box.write(zeros: 10)
            MovieHeader.writeMatrix(to: &box)
            box.write(zeros: 24)
            box.write(MovieHeader.trackNumber + 1, bytes: 4)
        }
    }

    private func writeTrack(to writer: inout BoxWriter) {
        writer.box("trak") { box in
            // The track is enabled, and is played.
            box.fullBox("tkhd", flags: 3) { box in
                box.write(zeros: 8)
                box.write(MovieHeader.trackNumber, bytes: 4)
                box.write(zeros: 20)
                box.write(track.kind == .audio ? 0x0100 : 0, bytes: 2)
                box.write(zeros: 2)
                MovieHeader.writeMatrix(to: &box)
                let size = if case .video(let width, let height) = track.kind { (width, height) } else { (0, 0) }
                box.write(size.0 << 16, bytes: 4)
                box.write(size.1 << 16, bytes: 4)
            }
            if track.commonStart > 0 { writeEditList(to: &box) }
            box.box("mdia") { box in writeMedia(to: &box) }
        }
    }

    /// Playing begins with the track's start. Negative offsets of presentation would say the same of pictures, but
    /// libavformat shifts them.
    private func writeEditList(to writer: inout BoxWriter) {
        writer.box("edts") { box in
            box.fullBox("elst") { box in
                box.write(1, bytes: 4)
                box.write(0, bytes: 4)  // up to the end, wherever that is
                box.write(track.commonStart, bytes: 4)
                box.write(0x1_0000, bytes: 4)
            }
        }
    }

    private func writeMedia(to writer: inout BoxWriter) {
        writer.fullBox("mdhd") { box in
            box.write(zeros: 8)
            box.write(track.timescale, bytes: 4)
            box.write(0, bytes: 4)
            box.write(0x55C4, bytes: 2)  // "und", no language
            box.write(zeros: 2)
        }
        let isSound = track.kind == .audio
        writer.fullBox("hdlr") { box in
            box.write(zeros: 4)
            box.write(isSound ? "soun" : "vide")
            box.write(zeros: 12)
            box.write(isSound ? "sound" : "pictures")
            box.write(zeros: 1)
        }
        writer.box("minf") { box in
            if isSound {
                box.fullBox("smhd") { $0.write(zeros: 4) }
            } else {
                box.fullBox("vmhd", flags: 1) { $0.write(zeros: 8) }
            }
            box.box("dinf") { box in
                box.fullBox("dref") { box in
                    box.write(1, bytes: 4)
                    box.fullBox("url ", flags: 1)  // the samples are in this file
                }
            }
            box.box("stbl") { box in
                box.fullBox("stsd") { box in
                    box.write(1, bytes: 4)
                    box.write(track.sampleEntry)
                }
                // The tables are empty: all samples are in fragments.
                for type in ["stts", "stsc"] { box.fullBox(type) { $0.write(zeros: 4) } }
                box.fullBox("stsz") { $0.write(zeros: 8) }
                box.fullBox("stco") { $0.write(zeros: 4) }
            }
        }
    }
}
