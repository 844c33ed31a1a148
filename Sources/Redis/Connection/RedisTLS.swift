/// How a connection to Redis is protected by TLS: whose certificate the server has to have, and who this client is.
package struct RedisTLS: Sendable, Hashable {
    /// A file with certificates of authorities (PEM); nil for those that the machine trusts.
    package var authorities: String?
    /// The files with this client's certificate and key (PEM), which a server may ask for; both or neither.
    package var certificate: String?
    package var key: String?

    package init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
        self.authorities = authorities
        self.certificate = certificate
        self.key = key
    }
}
