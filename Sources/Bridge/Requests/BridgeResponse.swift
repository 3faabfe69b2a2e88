import Settings

/// The answer to a request.
struct BridgeResponse: Sendable, Hashable {
    var id: StoredValue = .null
    var result: Result<StoredValue, SettingFault>

    func json() -> String {
        switch result {
        case .success(let data):
            return StoredValue.object(["id": id, "status": "ok", "data": data]).json()
        case .failure(let fault):
            return StoredValue.object(["id": id, "status": "error", "error": fault.document]).json()
        }
    }
}
