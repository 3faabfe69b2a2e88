extension RTSPPassword {
    /// `text` without this password, should somebody have repeated it: in clear or as Basic sends it, percent-encoded or not.
    ///
    /// Too short ones would hide every other word. By bytes, since a mark after it would make its last letter another one.
    func redacted(in text: String, user: String?) -> String {
        let secret = Array(reveal().utf8)
        guard !secret.isEmpty else { return text }
        let basic = Array(Base64.encode(Array((user ?? "").utf8) + [ASCII.colon] + secret).utf8)
        let forms = secret.count < 4 ? [basic] : [secret, basic]
        let starts = forms.map { $0[0] } + [UInt8(ascii: "%")]
        let bytes = Array(text.utf8)
        var (clean, kept) = ([UInt8](), 0)
        var index = 0
        while index < bytes.count {
            guard starts.contains(bytes[index]),
                let end = forms.lazy.compactMap({ PercentEncoding.end(of: $0, in: bytes, from: index) }).first
            else {
                index += 1
                continue
            }
            clean += bytes[kept..<index] + Array(description.utf8)
            (index, kept) = (end, end)
        }
        return kept == 0 ? text : String(decoding: clean + bytes[kept...], as: UTF8.self)
    }
}
