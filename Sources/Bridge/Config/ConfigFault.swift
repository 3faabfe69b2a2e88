/// One thing that is wrong with a configuration message.
public struct ConfigFault: Sendable, Hashable, Encodable {
    /// The key at fault, with dots between levels; empty for the whole message.
    public var path: String
    /// A word for programs.
    public var code: String
    /// What to change, for people; never the value of a secret.
    public var message: String
}

/// Everything that is wrong with a configuration message.
struct ConfigFaults: Error, Sendable, Hashable {
    var list: [ConfigFault]

    init(_ list: [ConfigFault]) { self.list = list }

    init(path: String, code: String, message: String) {
        list = [ConfigFault(path: path, code: code, message: message)]
    }
}
