import ForeignText
import StoredSettings

package struct EtcdError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// No member could be reached: nothing was done.
        case unreachable
        /// The machine of a member says that no etcd runs there: nothing was done.
        case down
        /// A majority of the members is down or knows no leader: nothing was done.
        case noQuorum
        /// The member that was asked knows no leader: nothing was done.
        case noLeader
        /// The request may have been carried out, or may still be: the answer is missing.
        case outcomeUnknown
        /// The revision that a watch begins at was removed by a compaction.
        case compacted
        /// User, password or certificate is not accepted.
        case notAllowed
        /// There is no such lease; it has expired.
        case leaseNotFound
        case full
        /// The request is larger than the members take: nothing was done.
        case tooLarge
        /// Any other refusal: nothing was done.
        case refused
    }

    package let code: Code
    /// One sentence for people; holds no value and no secret.
    package let message: String

    package init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    package var description: String { message }

    /// Whether another member may do what this one did not.
    var isOfMember: Bool { [.unreachable, .down, .noLeader, .outcomeUnknown].contains(code) }

    /// Whether nothing was done, and the same request may succeed when the members have elected another leader.
    var isOfElection: Bool { [.unreachable, .down, .noLeader, .noQuorum].contains(code) }

    /// The error that a message of the gateway reports; nil if the message reports none.
    init?(_ json: JSONValue) {
        // The beginning of a stream has 'grpc_code'.
        let number = json["code"].intValue ?? json["grpc_code"].intValue
        guard let number, let text = json["message"].stringValue else { return nil }
        // The texts: https://github.com/etcd-io/etcd/blob/v3.4.23/etcdserver/api/v3rpc/rpctypes/error.go
        let code: Code =
            switch number {
            case 14 where text.contains("no leader"): .noLeader
            case 1, 2, 4, 14: .outcomeUnknown
            case 11 where text.contains("compacted"): .compacted
            case 5 where text.contains("lease"): .leaseNotFound
            case 7, 16: .notAllowed
            case 3 where text.contains("user name is empty") || text.contains("authentication failed"): .notAllowed
            case 8 where text.contains("database space exceeded"): .full
            case 3 where text.contains("too large"), 8 where text.contains("larger than max"): .tooLarge
            default: .refused
            }
        self.init(code, ForeignText.line(text, scalars: 256))
    }

    /// The error for a status of HTTP that comes without a message of etcd.
    init(status: Int) {
        let advice = "check http or https in its address, and etcd's option --enable-grpc-gateway"
        self.init(.outcomeUnknown, "the member answers with the status \(status) of HTTP; \(advice)")
    }

    static let malformed = EtcdError(.outcomeUnknown, "the answer is not what etcd sends")
}
