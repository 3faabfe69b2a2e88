import Settings

/// The answer to a request.
struct BridgeResponse: Sendable, Hashable {
    var id: SettingValue = .null
    var result: Result<SettingValue, ValidationError>

    func json() -> String {
        switch result {
        case .success(let data):
            return SettingValue.object(["id": id, "status": "ok", "data": data]).json()
        case .failure(let fault):
            return SettingValue.object(["id": id, "status": "error", "error": fault.document]).json()
        }
    }
}
