/// What is wrong with the data of an SVG path. The message names the byte.
package typealias VectorPathError = CodedError<VectorPathErrorCode>

package enum VectorPathErrorCode: String, FailureCode {
    /// A letter that is not a command, or a path that does not begin with a move.
    case unknownCommand
    /// Something other than a number (or an arc's flag) where one is required.
    case missingNumber
    /// A number beyond ±1e9.
    case overLimit

    package var failureClass: FailureClass { .input }
}
