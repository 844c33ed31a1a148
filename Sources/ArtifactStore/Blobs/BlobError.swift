package import ExportPlan

/// Why a store of blobs could not do something.
package typealias BlobError = CodedError<BlobErrorCode>

package enum BlobErrorCode: String, FailureCode {
    /// The store does not answer, or answers that it cannot serve now; it was asked several times.
    case unavailable
    /// The credentials are missing, wrong or out of date, or do not allow this.
    case denied
    /// There is no such store: the bucket or the directory does not exist.
    case noStore
    /// The store refuses the request for another reason.
    case refused
    /// The bytes that arrived are not those that were stored.
    case damaged
    /// The blob was replaced while it was read.
    case changed
    /// A file of this machine cannot be read.
    case cannotRead
    /// A file of this machine cannot be written.
    case cannotWrite
    /// The store's settings cannot be used.
    case invalidSettings

    package var failureClass: FailureClass {
        switch self {
        case .invalidSettings: .environment
        case .unavailable, .denied, .noStore, .refused, .damaged, .changed, .cannotRead, .cannotWrite: .storage
        }
    }
}
