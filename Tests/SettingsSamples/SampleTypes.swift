import Settings

package enum Level: Int, SettingConvertible, CaseIterable { case low = 1, high = 9 }
package enum Site: String, SettingConvertible, CaseIterable { case indoors, outdoors }

package struct Tag: RawRepresentable, SettingConvertible {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
}
