import ExportPlan

/// The pictures of a file with an ICC profile, converted to the gamut of the film.
final class ProfiledPictures: PictureSequence {
    private let pictures: any PictureSequence
    private let facts: PictureProfile
    private let path: String
    private let primaries: ColorDescription.Primaries
    /// The profile of the first picture, which all pictures of a file share.
    private var profile: ColorProfile?

    /// - Parameter primaries: the film's.
    init(
        _ pictures: any PictureSequence, _ facts: PictureProfile, path: String, primaries: ColorDescription.Primaries
    ) {
        self.primaries = primaries
        self.pictures = pictures
        self.facts = facts
        self.path = path
    }

    var isDrained: Bool { pictures.isDrained }

    var warning: SourceWarning.Code? { facts.isApplied ? pictures.warning : .unusedProfile }

    func next() throws(MediaError) -> TimedPicture? {
        guard let picture = try pictures.next() else { return nil }
        guard facts.isApplied else { return picture }
        profile = profile ?? picture.frame.profile.flatMap { ColorProfile($0, to: primaries) }
        guard let profile else {
            throw MediaError(
                .damaged, subject: path, message: "has changed since it was probed; start the export again")
        }
        return TimedPicture(
            timestamp: picture.timestamp, frame: try profile.convert(picture.frame, facts.storedColor, subject: path))
    }

    func seek(to timestamp: Int64) throws(MediaError) -> Bool { try pictures.seek(to: timestamp) }

    func rewind() throws(MediaError) { try pictures.rewind() }

    func lostPicture(in range: ClosedRange<Int64>) -> Int64? { pictures.lostPicture(in: range) }
}

extension PictureProfile {
    /// The change that a decoded picture's ICC profile makes.
    /// - Parameter storedColor: the colour description of the picture.
    /// - Returns: nil where the picture has no profile, or one of the many editions of sRGB.
    init?(of frame: VideoFrame, _ storedColor: ColorDescription) {
        guard let bytes = frame.profile else { return nil }
        let profile = ColorProfile(bytes)
        let isApplied = profile?.fits(frame) ?? false
        if isApplied, profile?.isStandard == true { return nil }
        self.init(name: profile?.name ?? "", isApplied: isApplied, storedColor: storedColor)
    }
}

extension VideoFacts {
    /// Adds what the picture's ICC profile changes.
    mutating func apply(profileOf frame: VideoFrame) {
        profile = PictureProfile(of: frame, color)
        if profile?.isApplied == true {
            color = ColorDescription(matrix: .rgb, primaries: .bt709, transfer: .sdr, isFullRange: true)
        }
    }
}
