import CCurl

/// The library that sends HTTP requests.
package enum HTTPLibrary {
    /// The name and version of the library in use, which this loads.
    package static var version: (name: String, version: String) {
        guard spool_load_libcurl() == nil else { return ("libcurl", "missing") }
        return ("libcurl", String(cString: spool_curl_version()))
    }
}
