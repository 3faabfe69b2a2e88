package import Foundation
package import Settings

package enum Level: Int, SettingConvertible, CaseIterable { case low = 1, high = 9 }
package enum Site: String, CodableSetting, CaseIterable { case indoors, outdoors }

package struct Tag: RawRepresentable, SettingConvertible {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
}

package struct Schedule: CodableSetting {
    package var start: Date
    package var minutes: [Int]
    package var note: String?

    package init(start: Date, minutes: [Int], note: String? = nil) {
        self.start = start
        self.minutes = minutes
        self.note = note
    }
}

package struct Ledger: CodableSetting {
    package static let settingEncoding = SettingEncoding.text
    package var balance: UInt64
    package var rates: [String: Double]

    package init(balance: UInt64, rates: [String: Double]) {
        self.balance = balance
        self.rates = rates
    }
}
