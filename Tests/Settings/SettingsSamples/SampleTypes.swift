import StoredSettings

package enum Level: Int, SettingRepresentable, CaseIterable { case low = 1, high = 9 }
package enum Site: String, SettingRepresentable, CaseIterable { case indoors, outdoors }

package struct Tag: RawRepresentable, SettingRepresentable {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
}
