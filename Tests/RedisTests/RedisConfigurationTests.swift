import Redis
import Testing

@Suite struct RedisConfigurationTests {
    @Test("a URL gives the address, the database, the user and the password")
    func urls() throws {
        let plain = try RedisConfiguration(url: "redis://farm.local")
        #expect(plain.address == .tcp(host: "farm.local", port: 6379))
        #expect(plain.database == 0)
        #expect(plain.password == nil)
        let full = try RedisConfiguration(url: "redis://worker:p%40ss%2Fword@10.0.0.7:7000/3")
        #expect(full.address == .tcp(host: "10.0.0.7", port: 7000))
        #expect(full.database == 3)
        #expect(full.user == "worker")
        #expect(full.password == "p@ss/word")
        let old = try RedisConfiguration(url: "redis://:secret@h:1/")
        #expect(old.user == nil)
        #expect(old.password == "secret")
        #expect(try RedisConfiguration(url: "redis://[::1]:6380").address == .tcp(host: "::1", port: 6380))
        let secure = try RedisConfiguration(url: "rediss://:p@h/3?sslrootcert=/ca.pem&sslcert=/c.pem&sslkey=/k.pem")
        #expect(secure.address == .tcp(host: "h", port: 6379) && secure.database == 3)
        #expect(secure.tls == RedisTLS(authorities: "/ca.pem", certificate: "/c.pem", key: "/k.pem"))
        #expect(try RedisConfiguration(url: "rediss://h").tls == RedisTLS())
        let socket = try RedisConfiguration(url: "unix:///run/redis.sock?db=2")
        #expect(socket.address == .unix(path: "/run/redis.sock"))
        #expect(socket.database == 2)
    }

    @Test(
        "a URL that cannot be used is refused without repeating its password",
        arguments: [
            "", "redis://", "redis://:hidden@h:0", "redis://:hidden@h:65536", "redis://:hidden@h/x", "redis://:hidden@h/-1",
            "rediss://:hidden@h?sslrootcert=ca.pem", "rediss://:hidden@h?sslcert=/c.pem", "rediss://:hidden@h?verify=/none",
            "redis://:hidden@h?sslrootcert=/ca.pem", "http://:hidden@h", "unix://:hidden@h/x", "unix:relative",
            "redis://hidden@h", "h:6379",
        ])
    func refusals(url: String) {
        let error = #expect(throws: RedisError.self) { try RedisConfiguration(url: url) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.description.contains("hidden") == false)
    }

    @Test(
        "the message about a URL that cannot be used says what is wrong with it",
        arguments: [
            ("", "is not a URL; write it as redis://user:password@host:6379/0 or unix:///path/redis.sock"),
            ("redis://", "names no host; write it as redis://host:6379"),
            ("redis://h:65536", "has a port outside 1...65535"),
            ("redis://h/x", "has a database that is not a number, as in redis://host:6379/0"),
            ("redis://h?sslrootcert=/ca.pem", "has 'sslrootcert' after the ?, which only rediss URLs know"),
            ("rediss://h?sslrootcert=ca.pem", "has 'sslrootcert' without the absolute path of a file"),
            ("rediss://h?verify=/none", "has 'verify' after the ?; sslrootcert, sslcert and sslkey are known"),
            ("rediss://h?sslcert=/c.pem", "names a certificate or a key for the client, and both are needed"),
            ("unix:relative", "does not name an absolute path; write it as unix:///path/redis.sock"),
            ("http://h", "starts with 'http'; redis, rediss and unix are known"),
            ("redis://user@h", "names a user but no password; give both, or none"),
        ])
    func messages(url: String, message: String) {
        let error = #expect(throws: RedisError.self) { try RedisConfiguration(url: url) }
        #expect(error?.description.contains("the URL of the Redis server \(message)") == true, "\(error?.description ?? "")")
    }

    @Test("printing a configuration or a command shows no secret")
    func printing() throws {
        let configuration = try RedisConfiguration(url: "redis://u:hidden@h:1/2")
        #expect("\(configuration)" == "Redis at h:1, database 2")
        #expect(!String(reflecting: configuration).contains("hidden"))
        #expect("\(RedisCommand("AUTH", "hidden"))" == "AUTH (1 arguments)")
    }
}
