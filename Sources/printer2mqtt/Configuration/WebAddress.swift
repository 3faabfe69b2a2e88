import Foundation

/// Addresses of web services.
enum WebAddress {
    /// What is wrong with one; nil when nothing is, and for an empty one.
    static func fault(in text: String) -> String? {
        if text.isEmpty { return nil }
        guard let url = URL(string: text), url.scheme == "http" || url.scheme == "https", url.host()?.isEmpty == false
        else { return "must be http://host:port or https://host:port" }
        return nil
    }
}
