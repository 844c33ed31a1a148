import CCurl

/// Owns one handle of libcurl's easy interface, and the memory into which libcurl writes what went wrong.
struct CurlHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer
    private let text = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    /// - Throws: `TransferError` when libcurl cannot be loaded.
    init() throws(TransferError) {
        if let reason = spool_load_libcurl() { throw TransferError(.noLibrary, String(cString: reason)) }
        guard let pointer = curl_easy_init() else { throw TransferError(.other, "libcurl is out of memory") }
        self.pointer = pointer
        text.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(pointer)
        text.deallocate()
    }

    /// Has libcurl write its messages; `curl_easy_reset` ends it.
    func listen() { spool_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, text) }

    func clearMessage() { text.pointee = 0 }

    /// What libcurl wrote about the last transfer; empty if nothing.
    var message: String { String(cString: text) }
}

/// Owns a list of texts in libcurl's form.
final class CurlList {
    let first: UnsafeMutablePointer<curl_slist>?

    init(_ texts: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for text in texts {
            // Without memory the list stays as it is, and libcurl reports the lack with the transfer.
            list = curl_slist_append(list, text) ?? list
        }
        first = list
    }

    deinit { curl_slist_free_all(first) }
}
