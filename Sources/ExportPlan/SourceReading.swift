/// How a decoded frame becomes a 4:2:0 picture of BT.709 at the size that is wanted.
public struct SourceReading: Hashable, Sendable, Codable {
    public enum Way: String, Hashable, Sendable, Codable {
        /// The decoder's frame as it is.
        case decoded
        /// One call of libswscale: size, colours and sample format.
        case scaled
        /// libswscale to 10-bit 4:4:4, then the map of wide colours onto BT.709.
        case gamutMapped
        /// As premultiplied RGBA, for its transparency.
        case premultiplied
    }

    public var way: Way
    /// As it is stored.
    public var storedSize: FrameSize
    /// The part of it that is seen.
    public var region: Region
    /// The turn that makes it upright, behind everything else.
    public var orientation: Orientation
    /// Of the finished picture.
    public var size: FrameSize
    /// Whether neighbouring frames are mixed; nil is no.
    public var mixesFrames: Bool?
    /// Whether it comes out in 10 bits and the source's own colours; nil is no.
    public var keepsColors: Bool?

    public init(way: Way, storedSize: FrameSize, region: Region, orientation: Orientation, size: FrameSize) {
        self.way = way
        self.storedSize = storedSize
        self.region = region
        self.orientation = orientation
        self.size = size
    }
}
