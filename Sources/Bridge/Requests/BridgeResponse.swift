package import StoredSettings

/// What became of a request: the data of the answer, or why there is none.
package typealias RequestResult = Result<SettingValue, ValidationError>

/// The answer to a request.
struct BridgeResponse: Sendable, Hashable {
    var id: SettingValue = .null
    var result: RequestResult

    func json() -> String {
        switch result {
        case .success(let data):
            return SettingValue.object(["id": id, "status": "ok", "data": data]).json()
        case .failure(let fault):
            return SettingValue.object(["id": id, "status": "error", "error": fault.document]).json()
        }
    }
}
