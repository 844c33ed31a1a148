package import ExactTime
package import Vocabulary

extension Explanation {
    /// One decision about how something is made.
    package enum Decision: Hashable, Sendable, Codable {
        /// How a decoded frame becomes a picture of the wanted size.
        /// - Parameters:
        ///   - storedSize: the size of the decoded frame.
        ///   - region: the region of the picture that is seen.
        ///   - orientation: the rotation that makes the picture upright, applied last.
        ///   - size: the size of the finished picture.
        case reading(
            method: ReadingMethod, storedSize: FrameSize, region: Region, orientation: Orientation, size: FrameSize)
        /// A frame is mixed with the one after it.
        case mixing
        /// The picture is drawn at `size`, blurred there by a Gaussian of `deviation` pixels, and enlarged where `size` is
        /// smaller than the canvas.
        case blur(size: FrameSize, deviation: Double)
        /// How a list of operations is run.
        /// - Parameters:
        ///   - neutral: operations that are left out because they change nothing at this frame.
        ///   - isCached: whether the result is reused as long as the picture stays the same.
        case operations(space: OperationSpace, passes: [Pass], neutral: [String], isCached: Bool)
        /// How a transform draws a picture onto the canvas.
        /// - Parameters:
        ///   - size: the size of the picture before it is placed.
        ///   - isMoving: whether position, size or angle change over time.
        case placement(method: PlacementMethod, size: FrameSize, isMoving: Bool)
        /// A plug-in makes the picture.
        /// - Parameters:
        ///   - name: the plug-in's name.
        ///   - size: the size at which it draws.
        case plugin(name: String, size: FrameSize)
        /// How layers become one picture.
        /// - Parameters:
        ///   - isOpaque: whether the picture covers everything; otherwise it starts transparent and has alpha.
        ///   - hiddenLayers: the number of layers that are visible in time at this frame but not drawn, because an opaque
        ///     layer covers them.
        ///   - cachedLayers: the number of lowest layers that are combined once and then reused as one picture.
        case stacking(isOpaque: Bool, hiddenLayers: Int, cachedLayers: Int)
        /// The layer appears or disappears at this frame.
        case layerTransition(kind: TransitionKind, direction: LayerTransition.Direction)
        case repetition(Repetition)
        case compositing(Compositing)
        /// Source samples per sample of the film; 1 means that the sound is not resampled.
        case resampling(ratio: Rational)
        /// The source samples play in falling order.
        case reversal
        /// The speed, and thus the pitch, changes.
        case varispeed(ranges: [AudioSliceInput.SpeedRange])
        case timeStretch(AudioSliceInput.TimeStretch)
        /// The sound goes through a filter.
        case filter(AudioFilterKind)
        /// The sound goes through a plug-in.
        case soundPlugin(name: String)
        /// The sound stands elsewhere than in the middle: a curve from 0 (left) over 1 (middle) to 2 (right).
        case pan(GainCurve)
        /// A gain curve that every sample is multiplied with.
        case gain(GainCurve)
        /// The sound is ducked while the main track is heard.
        case duck(SideChainGain)
    }

    package enum ReadingMethod: String, Hashable, Sendable, Codable {
        /// The decoder's frame is used as it is.
        case decoded
        /// One call of libswscale changes size, colours and sample format.
        case scaled
        /// libswscale changes the size; the picture keeps 10 bits and the source's own colours.
        case scaledInOwnColors
        /// libswscale converts to 10-bit 4:4:4, and then wide colours are mapped to those of the film.
        case gamutMapped
        /// The frame is converted to premultiplied RGBA, because of its transparency.
        case premultiplied
    }

    /// The pixel format in which operations run.
    package enum OperationSpace: String, Hashable, Sendable, Codable {
        /// No operation runs.
        case untouched
        /// 8-bit 4:2:0 throughout.
        case planes
        /// Two rows at a time as float red, green and blue.
        case rowsOfRGB
        /// The whole picture as float red, green and blue.
        case pictureOfRGB
    }

    /// Operations that run together in one pass.
    package struct Pass: Hashable, Sendable, Codable {
        package enum Kind: String, Hashable, Sendable, Codable {
            case pixelwise, spatial, gaussian, plugin
        }

        package var kind: Kind
        /// The operations' names in order; for a plug-in, its own name.
        package var operations: [String]

        package init(kind: Kind, operations: [String]) {
            self.kind = kind
            self.operations = operations
        }
    }

    package enum PlacementMethod: String, Hashable, Sendable, Codable {
        /// Unchanged: the picture has the canvas's size and position.
        case asItIs
        /// Averaged or interpolated along the picture's axes.
        case alongAxes
        /// Rotated by a quarter turn (rows become columns), then averaged or interpolated along the axes.
        case quarterTurn
        /// Interpolated sample by sample.
        case interpolated
        /// Averaged along the axes to a smaller size, then interpolated sample by sample.
        case shrunkAndInterpolated
        /// Projected in perspective; each sample is an average over the area that it covers.
        case perspective
    }

    /// How often a finished picture is drawn while its segment is rendered.
    package enum Repetition: String, Hashable, Sendable, Codable {
        /// At its first frame; the picture is then reused until a layer that it consists of appears or disappears.
        case once
        /// Whenever its source has another picture.
        case whenSourceChanges
        case everyFrame
    }

    /// How a layer's picture is combined with what lies below it.
    package enum Compositing: Hashable, Sendable, Codable {
        /// The picture covers everything and nothing lies above it, so that it is passed through as the stack's picture
        /// without a copy.
        case passedThrough
        /// The picture covers everything; the layers above are drawn onto a copy of it.
        case background
        /// The picture is blended into a rectangle of the stack.
        /// - Parameters:
        ///   - opacity: nil where it changes over time.
        ///   - isOpaque: whether the picture itself has no transparency.
        case blended(rect: PixelRect, mode: BlendMode, opacity: Double?, isOpaque: Bool)
        /// A plug-in joins the picture with what lies below.
        /// - Parameter opacity: nil where it changes over time.
        case mixed(plugin: String, opacity: Double?)
        /// The layer changes what lies below, in place.
        case adjusts(mode: BlendMode, opacity: Double?)
        /// The layer is hidden at this frame.
        case hidden
    }
}
