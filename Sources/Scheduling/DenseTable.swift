/// Records in one array, named by their index. A removed record's place is used again, so that the table is as large as
/// the most records that it ever held at a time.
///
/// The version of a place grows with each removal and with each `touch`, and never falls. An entry of a heap that
/// carries an index and a version therefore tells whether it still speaks of the record that it was made for.
struct DenseTable<Record>: Sendable where Record: Sendable {
    private var records: ContiguousArray<Record> = []
    private var versions: ContiguousArray<UInt32> = []
    private var free: ContiguousArray<Int32> = []

    /// How many records there are.
    var count: Int { records.count - free.count }

    subscript(index: Int32) -> Record {
        _read { yield records[Int(index)] }
        _modify { yield &records[Int(index)] }
    }

    func version(_ index: Int32) -> UInt32 { versions[Int(index)] }

    /// Makes all entries of heaps about this record stale.
    /// - Returns: the version for its next entry.
    @discardableResult
    mutating func touch(_ index: Int32) -> UInt32 {
        versions[Int(index)] &+= 1
        return versions[Int(index)]
    }

    mutating func insert(_ record: Record) -> Int32 {
        if let index = free.popLast() {
            records[Int(index)] = record
            return index
        }
        records.append(record)
        versions.append(0)
        return Int32(records.count - 1)
    }

    /// - Parameter blank: takes the record's place, so that what the record held is freed.
    mutating func remove(_ index: Int32, leaving blank: Record) {
        records[Int(index)] = blank
        touch(index)
        free.append(index)
    }
}
