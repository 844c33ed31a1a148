/// Every setting of a farm's processes. Each has one name: `--redis-url` on the command line, `SPOOL_REDIS_URL` in the
/// environment, `redisURL` in a file. `docs/configuration.md` is generated from this list.
package enum SettingKey: String, CaseIterable, Sendable {
    case databaseURL, redisURL, store, storeEndpoint, storeRegion, storeStyle, storeCache, storeCacheSize, host, port,
        tlsCertificate, tlsKey, allow, roles, pools, slots, machineMemory, memory, grace, renderUser, requireSandbox
    case sourceAddresses, sourceNetworks, sourceCredentials, sourceSize, sourceTime
    case receiverAddresses, receiverNetworks, destinations
    case connections, connectionsPerAddress, requestsPerToken, requestsPerAddress, uploads, statementTimeout
    case capableWorkerWait
    case origins, logFormat, metricsAccess, traceEndpoint
    case keepJobs, keepJobsCount, keepLogs, keepEvents, keepHistory, keepRevisions, keepRevisionsCount
    case keepDeliveries, keepExports, keepExportsCount, keepAdminActions, keepFilms, keepArtifacts, keepArtifactsSize
    case keepSources

    /// The name in the environment.
    package var variable: String { "SPOOL_" + words.map { $0.uppercased() }.joined(separator: "_") }

    /// The name on the command line.
    package var flag: String { "--" + words.map { $0.lowercased() }.joined(separator: "-") }

    /// What the setting means, for users.
    package var meaning: String {
        switch self {
        case .databaseURL: "the PostgreSQL database, as libpq takes it; only the coordinator and `migrate` need it"
        case .redisURL:
            "the Redis server: `redis://[user:password@]host[:port][/db]`, `rediss://` for TLS (docs/deployment.md), `unix:///path`"
        case .store:
            "a directory that all machines share, `s3://bucket/prefix`, or for workers without keys `https://COORDINATOR`"
        case .storeEndpoint: "the address of the bucket's service, `https://host:port`; empty means Amazon's"
        case .storeRegion: "the region of the bucket"
        case .storeStyle: "where addresses have the bucket: `path`, `virtualHost`, or empty for what the service usually needs"
        case .storeCache:
            "this machine's copies of a bucket's files; empty means `/var/cache/spool/store` for root, else `~/.cache/spool/store`"
        case .storeCacheSize: "bytes of these copies above which the longest unused ones are removed (`MB`, `GB`, `TB`)"
        case .host: "the address that the coordinator listens on"
        case .port: "the port that the coordinator listens on"
        case .tlsCertificate:
            "the coordinator's certificate and those between it and its authority (PEM); empty means HTTP without TLS"
        case .tlsKey: "the file with that certificate's private key (PEM), without a password"
        case .allow: "directories that sources named by path may lie in, separated by colons"
        case .roles: "the roles of a worker: `video`, `audio`, `stitch`, separated by commas"
        case .pools: "the pools whose jobs a worker takes, separated by commas"
        case .slots: "jobs of one slot at a time; 0 means one for each processor that the machine or its control group gives"
        case .machineMemory:
            "megabytes that a worker's jobs may occupy together; 0 means what the machine or its control group has, less an eighth"
        case .memory: "megabytes that a rendering process may use"
        case .grace: "seconds that running jobs may take to end when a worker drains"
        case .connections: "connections that the coordinator has open at a time"
        case .sourceAddresses:
            "patterns of the addresses that sources may be fetched from, separated by commas (docs/sources.md); empty forbids all"
        case .sourceNetworks:
            "private networks that sources may be fetched from all the same, separated by commas, such as `10.1.0.0/16`"
        case .sourceCredentials: "a file with the secrets that servers of sources ask for (docs/sources.md); workers read it"
        case .sourceSize: "bytes that a fetched source may have (`MB`, `GB`, `TB`)"
        case .sourceTime: "seconds that fetching a source may take"
        case .receiverAddresses:
            "patterns of the addresses that webhooks may have, separated by commas (docs/webhooks.md); empty forbids all"
        case .receiverNetworks:
            "private networks that webhooks and destinations may be in all the same, separated by commas, such as `10.1.0.0/16`"
        case .destinations:
            "a file with the places that films may be sent to (docs/destinations.md); the coordinator reads it when it starts"
        case .connectionsPerAddress: "connections of one address at a time; behind a proxy all come from one address"
        case .requestsPerToken: "requests of one token in a second; ten times as many may come at once after a pause"
        case .requestsPerAddress: "requests of one address in a second; ten times as many may come at once after a pause"
        case .uploads: "uploads at a time; one tenant may have a quarter of them"
        case .statementTimeout: "seconds that a statement of the API may take in the database"
        case .capableWorkerWait:
            "seconds that a job waits for a worker with the codec, font or plug-in that it needs, before its export fails"
        case .origins:
            "origins whose pages may use the API from a browser, such as `https://studio.example`, separated by commas; `*` for all"
        case .logFormat: "how processes write their log: `text` for people, or `json`, one object in a line"
        case .metricsAccess:
            "who may read the coordinator's `/metrics`: tokens with the scope `admin` or `read`, or everybody (`open`)"
        case .traceEndpoint:
            "where spans of traces are sent as OTLP in JSON, such as `http://127.0.0.1:4318/v1/traces`; empty sends none"
        case .keepJobs: "the age of an export's end at which its jobs move to the history (`min`, `h`, `d`, `w` or `never`)"
        case .keepJobsCount: "finished exports whose jobs stay, at most; the newest do"
        case .keepLogs: "the age at which logs of attempts in the history are cleared"
        case .keepEvents: "the age at which events are removed from the history"
        case .keepHistory: "the age of an export's end at which its jobs are removed from the history"
        case .keepRevisions: "the age at which revisions of named drafts are removed that no export was made from"
        case .keepRevisionsCount: "revisions that each named draft keeps, whatever their age"
        case .keepDeliveries: "the age of its end at which a delivery to a webhook is removed"
        case .keepExports: "the age of an export's end at which it is removed, with its draft"
        case .keepExportsCount: "finished exports that stay, at most; the newest do"
        case .keepAdminActions: "the age at which what an operator changed is removed from the log of it"
        case .keepFilms: "how long after its end a completed export keeps its film; `spool gc` only"
        case .keepArtifacts: "the age of its last use at which an artifact is removed that nothing needs; `spool gc` only"
        case .keepArtifactsSize:
            "bytes of artifacts above which the longest unused ones are removed (`MB`, `GB`, `TB` or `never`); `spool gc` only"
        case .keepSources: "the age of its last use at which an asset is removed that nothing needs; `spool gc` only"
        case .renderUser:
            "the user of rendering processes where root runs the worker; empty means `spool-render`, or `nobody` without it"
        case .requireSandbox:
            "layers of the sandbox (docs/security.md) without which a worker does not start, separated by commas, or `all`"
        }
    }

    /// The default value; nil where the setting is required.
    package var defaultValue: String? {
        switch self {
        case .databaseURL, .redisURL, .store: nil
        case .storeEndpoint, .storeStyle, .storeCache: ""
        case .storeRegion: "us-east-1"
        case .storeCacheSize: "50GB"
        case .host: "127.0.0.1"
        case .port: "7788"
        case .allow, .tlsCertificate, .tlsKey: ""
        case .roles: "video,audio,stitch"
        case .pools: "default"
        case .slots, .machineMemory: "0"
        case .memory: "4096"
        case .grace: "30"
        case .sourceAddresses, .receiverAddresses: "https://*"
        case .sourceNetworks, .sourceCredentials, .receiverNetworks, .destinations: ""
        case .sourceSize: "64GB"
        case .sourceTime: "3600"
        case .connections: "2000"
        case .connectionsPerAddress: "256"
        case .requestsPerToken: "200"
        case .requestsPerAddress: "400"
        case .uploads: "64"
        case .statementTimeout: "10"
        case .capableWorkerWait: "600"
        case .logFormat: "text"
        case .metricsAccess: "admin"
        case .origins, .traceEndpoint: ""
        case .keepJobs: "7d"
        case .keepJobsCount: "10000"
        case .keepLogs, .keepDeliveries, .keepArtifacts, .keepSources: "30d"
        case .keepEvents, .keepHistory: "90d"
        case .keepRevisions, .keepAdminActions: "365d"
        case .keepRevisionsCount: "20"
        case .keepExports, .keepExportsCount, .keepFilms, .keepArtifactsSize: Amount.never
        case .renderUser, .requireSandbox: ""
        }
    }

    /// The words of the name: `databaseURL` gives `database` and `URL`.
    private var words: [String] {
        switch self {
        case .databaseURL: ["database", "url"]
        case .redisURL: ["redis", "url"]
        case .storeEndpoint: ["store", "endpoint"]
        case .storeRegion: ["store", "region"]
        case .storeStyle: ["store", "style"]
        case .storeCache: ["store", "cache"]
        case .storeCacheSize: ["store", "cache", "size"]
        case .tlsCertificate: ["tls", "certificate"]
        case .tlsKey: ["tls", "key"]
        case .sourceAddresses: ["source", "addresses"]
        case .sourceNetworks: ["source", "networks"]
        case .sourceCredentials: ["source", "credentials"]
        case .sourceSize: ["source", "size"]
        case .sourceTime: ["source", "time"]
        case .receiverAddresses: ["receiver", "addresses"]
        case .receiverNetworks: ["receiver", "networks"]
        case .keepDeliveries: ["keep", "deliveries"]
        case .keepAdminActions: ["keep", "admin", "actions"]
        case .connectionsPerAddress: ["connections", "per", "address"]
        case .requestsPerToken: ["requests", "per", "token"]
        case .requestsPerAddress: ["requests", "per", "address"]
        case .statementTimeout: ["statement", "timeout"]
        case .capableWorkerWait: ["capable", "worker", "wait"]
        case .machineMemory: ["machine", "memory"]
        case .logFormat: ["log", "format"]
        case .metricsAccess: ["metrics", "access"]
        case .traceEndpoint: ["trace", "endpoint"]
        case .renderUser: ["render", "user"]
        case .requireSandbox: ["require", "sandbox"]
        case .keepJobs: ["keep", "jobs"]
        case .keepJobsCount: ["keep", "jobs", "count"]
        case .keepLogs: ["keep", "logs"]
        case .keepEvents: ["keep", "events"]
        case .keepHistory: ["keep", "history"]
        case .keepRevisions: ["keep", "revisions"]
        case .keepRevisionsCount: ["keep", "revisions", "count"]
        case .keepExports: ["keep", "exports"]
        case .keepExportsCount: ["keep", "exports", "count"]
        case .keepFilms: ["keep", "films"]
        case .keepArtifacts: ["keep", "artifacts"]
        case .keepArtifactsSize: ["keep", "artifacts", "size"]
        case .keepSources: ["keep", "sources"]
        default: [rawValue]
        }
    }
}
