package import ExactTime
package import Vocabulary

/// The picture file that an export on a farm makes instead of a film, with one of its frames or with a contact sheet.
package struct PictureSettings: Hashable, Sendable, Encodable {
    package enum Frames: Hashable, Sendable, Encodable {
        /// The frame that is shown at this time of the film, in seconds.
        case time(Rational)
        /// So many frames, 1...400, evenly spread over the film, in rows of `columns`, 1...100.
        case spread(count: Int, columns: Int)
    }

    /// The size of each frame in the picture.
    package enum Size: Hashable, Sendable, Encodable {
        /// That of the film, or of a contact sheet's frames.
        case usual
        /// Width and height in pixels, 1...16384.
        case exactly(Int, Int)
        /// At most this width and height in pixels: larger frames are scaled down and keep their shape.
        case atMost(Int, Int)
    }

    package var frames: Frames
    package var size: Size
    /// How a frame of another shape than `size` is fitted.
    package var fit: PictureFit
    package var fileType: PictureFileType

    /// The settings that ask for a picture.
    package static let names = ["frameTime", "sheetCount"]
    package static let usualColumns = 5
    package static let sides = 1...16_384

    /// The settings as text values, in the form that `ExportSettings.read` takes; without the file type.
    var values: [String: String?] {
        var values: [String: String?] = ["pictureFit": fit.rawValue]
        switch frames {
        case .time(let time): values["frameTime"] = "\(time)"
        case .spread(let count, let columns):
            values["sheetCount"] = "\(count)"
            values["sheetColumns"] = "\(columns)"
        }
        switch size {
        case .usual: break
        case .exactly(let width, let height): values["pictureSize"] = "\(width)x\(height)"
        case .atMost(let width, let height): values["pictureMaxSize"] = "\(width)x\(height)"
        }
        return values
    }
}

extension ObjectReader {
    /// Reads the settings of a picture, and reports every fault.
    /// - Parameter fileType: the file type that the settings ask for.
    /// - Returns: nil where the export makes a film.
    mutating func picture(_ fileType: FileType?) -> PictureSettings? {
        let time = rational("frameTime", in: .zero...Rational(DraftLimits.seconds))
        let count = integer("sheetCount", in: 1...400)
        let columns = integer("sheetColumns", in: 1...100)
        let size = pictureSize("pictureSize")
        let maxSize = pictureSize("pictureMaxSize")
        let fit = choice("pictureFit", PictureFit.self)
        let details = ["sheetColumns", "pictureSize", "pictureMaxSize", "pictureFit"]
        guard PictureSettings.names.contains(where: { value($0) != nil }) else {
            for name in details where value(name) != nil {
                report(name, .conflict, "belongs to an export that makes a picture; give a frameTime or a sheetCount, too")
            }
            return nil
        }
        if value("frameTime") != nil, value("sheetCount") != nil {
            report("sheetCount", .conflict, "asks for a contact sheet, and frameTime for a single frame; give one of them")
        }
        if value("sheetColumns") != nil, value("sheetCount") == nil {
            report("sheetColumns", .conflict, "belongs to a contact sheet; give a sheetCount")
        }
        if value("pictureSize") != nil, value("pictureMaxSize") != nil {
            report("pictureMaxSize", .conflict, "is decided by pictureSize already; give one of them")
        }
        let type = PictureFileType(rawValue: fileType?.rawValue ?? PictureFileType.png.rawValue)
        if type == nil {
            let names = PictureFileType.allCases.map(\.rawValue).joined(separator: ", ")
            report("fileType", .conflict, "must be one of \(names) for an export that makes a picture")
        }
        let frames =
            time.map(PictureSettings.Frames.time)
            ?? count.map { .spread(count: $0, columns: columns ?? PictureSettings.usualColumns) }
        guard let frames, let type else { return nil }
        return PictureSettings(
            frames: frames,
            size: size.map { .exactly($0.0, $0.1) } ?? maxSize.map { .atMost($0.0, $0.1) } ?? .usual,
            fit: fit ?? .contain, fileType: type)
    }

    private mutating func pictureSize(_ name: String) -> (Int, Int)? {
        guard let text = string(name) else { return nil }
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            PictureSettings.sides.contains(width), PictureSettings.sides.contains(height)
        else {
            report(name, .invalidValue, "must be a width and a height of 1...16384 pixels, as in 320x180, not '\(text)'")
            return nil
        }
        return (width, height)
    }
}

extension ExportSettings {
    /// Reports the settings of a film in an export that makes a picture.
    func reportFilmSettings(_ reader: inout ObjectReader) {
        let own = Set(["fileType"] + (picture?.values.keys.map { $0 } ?? []))
        for name in values.keys.sorted() where !own.contains(name) {
            reader.report(name, .conflict, "belongs to a film, and the export makes a picture; leave it out")
        }
    }

    /// The settings with which a draft is composed. A picture shows what a film with the usual settings shows.
    package var ofComposition: ExportSettings { picture == nil ? self : ExportSettings() }
}
