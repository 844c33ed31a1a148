import BlockingWork
import CCurl
import Glibc

/// One handle of libcurl, which keeps its connection open for the next request, and the thread that waits for it.
actor Connection {
    private let thread = BlockingThread(name: "http")
    private let handle: CurlHandle
    private let limits: TransferLimits
    private let rules: AddressRules

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Throws: `TransferError` when libcurl cannot be loaded.
    init(_ limits: TransferLimits, _ rules: AddressRules) throws(TransferError) {
        self.limits = limits
        self.rules = rules
        handle = try CurlHandle()
    }

    /// Runs a transfer. The answer goes to the transfer's reader; the caller ends the transfer.
    /// - Returns: why it failed; nil for a complete answer.
    func run(_ transfer: Transfer) -> TransferError? {
        Connection.blockBrokenPipe()
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        let curl = handle.pointer
        curl_easy_reset(curl)
        handle.clearMessage()
        let headers = CurlList(Connection.lines(of: transfer.request))
        setAddress(transfer.request)
        spool_curl_set_list(curl, CURLOPT_HTTPHEADER, headers.first)
        setBody(transfer, context)
        setLimits(transfer.request)
        setRules(transfer, context)
        spool_curl_on_header(curl, { bytes, _, count, context in Connection.header(bytes, count, context) }, context)
        spool_curl_on_body(curl, { bytes, _, count, context in Connection.body(bytes, count, context) }, context)
        spool_curl_on_progress(curl, { context, _, _, _, _ in Connection.transfer(context).isOver ? 1 : 0 }, context)
        spool_curl_set_number(curl, CURLOPT_NOPROGRESS, 0)
        let code = curl_easy_perform(curl)
        // libcurl uses the list and the transfer until here.
        withExtendedLifetime((headers, transfer)) {}
        guard code != CURLE_OK else { return nil }
        // One of several addresses may have been refused, and another one connected to.
        return (code == CURLE_COULDNT_CONNECT ? transfer.refusal : nil) ?? failure(code)
    }

    /// OpenSSL writes with `write`, which raises SIGPIPE when the server has closed the connection. The thread belongs to
    /// this connection.
    private static func blockBrokenPipe() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func failure(_ code: CURLcode) -> TransferError {
        TransferError(
            code, detail: handle.message,
            systemError: Int32(truncatingIfNeeded: spool_curl_info(handle.pointer, CURLINFO_OS_ERRNO)),
            isConnected: spool_curl_info(handle.pointer, CURLINFO_CONNECT_TIME_T) > 0)
    }

    // MARK: Options

    /// A file with the authorities to trust instead of the machine's. Programs of OpenSSL read this variable by themselves;
    /// Debian's libcurl does not.
    private static let authorities = getenv("SSL_CERT_FILE").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }

    private func setAddress(_ request: OutgoingRequest) {
        let curl = handle.pointer
        spool_curl_set_text(curl, CURLOPT_URL, request.url)
        spool_curl_set_text(curl, CURLOPT_PROTOCOLS_STR, "http,https")
        // The program's own signal handlers stay as they are.
        spool_curl_set_number(curl, CURLOPT_NOSIGNAL, 1)
        spool_curl_set_number(curl, CURLOPT_TCP_KEEPALIVE, 1)
        spool_curl_set_number(curl, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        spool_curl_set_number(curl, CURLOPT_BUFFERSIZE, 256 << 10)
        // The address is sent as it is signed.
        spool_curl_set_number(curl, CURLOPT_PATH_AS_IS, 1)
        if let authorities = Connection.authorities { spool_curl_set_text(curl, CURLOPT_CAINFO, authorities) }
        handle.listen()
        guard let signature = request.signature else { return }
        spool_curl_set_text(curl, CURLOPT_AWS_SIGV4, "aws:amz:\(signature.region):\(signature.service)")
        spool_curl_set_text(curl, CURLOPT_USERNAME, signature.accessKey)
        spool_curl_set_text(curl, CURLOPT_PASSWORD, signature.secretKey)
    }

    private func setBody(_ transfer: Transfer, _ context: UnsafeMutableRawPointer) {
        let curl = handle.pointer
        let request = transfer.request
        switch (request.body, request.method) {
        case (.none, "HEAD"): spool_curl_set_number(curl, CURLOPT_NOBODY, 1)
        case (.none, "POST"), (.none, "PUT"):
            // Without this, the request would have no Content-Length.
            spool_curl_set_number(curl, CURLOPT_POSTFIELDSIZE, 0)
            spool_curl_set_text(curl, CURLOPT_COPYPOSTFIELDS, "")
        case (.none, _): spool_curl_set_number(curl, CURLOPT_HTTPGET, 1)
        case (.bytes, _), (.file, _):
            spool_curl_set_number(curl, CURLOPT_UPLOAD, 1)
            spool_curl_set_size(curl, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.body.size))
            spool_curl_on_upload(
                curl,
                { bytes, size, count, context in
                    guard let bytes else { return spool_curl_abort }
                    let space = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                    return Connection.transfer(context).fill(space) ?? spool_curl_abort
                }, context)
            // A kept connection that turns out to be closed is replaced by a new one, and the body sent again.
            spool_curl_on_seek(
                curl,
                { context, offset, _ in
                    Connection.transfer(context).seek(to: Int(offset))
                    return CURL_SEEKFUNC_OK
                }, context)
        }
        if request.method != "HEAD" { spool_curl_set_text(curl, CURLOPT_CUSTOMREQUEST, request.method) }
    }

    private func setLimits(_ request: OutgoingRequest) {
        let curl = handle.pointer
        spool_curl_set_number(curl, CURLOPT_CONNECTTIMEOUT_MS, limits.connecting.milliseconds)
        spool_curl_set_number(curl, CURLOPT_LOW_SPEED_LIMIT, limits.slowest)
        spool_curl_set_number(curl, CURLOPT_LOW_SPEED_TIME, max(1, limits.silence.milliseconds / 1000))
        if let limit = request.limit { spool_curl_set_number(curl, CURLOPT_TIMEOUT_MS, limit.milliseconds) }
    }

    private func setRules(_ transfer: Transfer, _ context: UnsafeMutableRawPointer) {
        guard !rules.isNone else { return }
        transfer.rules = rules
        // A proxy would connect to the address instead of this machine, and does not know the rules.
        spool_curl_set_text(handle.pointer, CURLOPT_PROXY, "")
        spool_curl_on_socket(handle.pointer, { context, _, address in Connection.socket(address, context) }, context)
    }

    private static func lines(of request: OutgoingRequest) -> [String] {
        var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        // libcurl would call an empty body a form.
        if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) { lines.append("Content-Type:") }
        return lines
    }

    // MARK: Callbacks of libcurl

    private static func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer {
        guard let context else { preconditionFailure("libcurl calls back without a context") }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    private static func header(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?) -> Int {
        let line = UnsafeRawBufferPointer(start: bytes, count: count)
        transfer(context).hear(header: String(decoding: line, as: UTF8.self))
        return count
    }

    private static func socket(_ address: UnsafeMutablePointer<curl_sockaddr>?, _ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let address, let target = spool_curl_address(address), transfer(context).mayConnect(to: target) else {
            return spool_curl_no_socket
        }
        return Glibc.socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }

    private static func body(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?) -> Int {
        // Another number than `count` ends the transfer.
        transfer(context).hear(body: UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }
}

extension Duration {
    /// Whole milliseconds, at least 1.
    fileprivate var milliseconds: Int {
        max(1, Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000))
    }
}
