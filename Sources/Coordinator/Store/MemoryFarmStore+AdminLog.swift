package import FarmAPI
import FoundationEssentials

extension MemoryFarmStore: AdminLogStore {
    package func begin(_ action: AdminAction) -> Int64 {
        var action = action
        (action.id, action.at) = ((adminRows.last?.id ?? 0) + 1, clock())
        adminRows.append(action)
        return action.id
    }

    package func end(action id: Int64, status: Int) {
        guard let place = adminRows.firstIndex(where: { $0.id == id }) else { return }
        adminRows[place].status = status
    }

    package func adminActions(before id: Int64?, limit: Int) -> [AdminAction] {
        Array(adminRows.reversed().filter { $0.id < id ?? .max }.prefix(limit))
    }
}
