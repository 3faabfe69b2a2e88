// swift-format-ignore-file

import StoredSettings

@ObservableSettings
public final class Meter {
    public private(set) var reading = 1
    public internal(set) var unit = "kWh"
    package fileprivate(set) var owner: String?
}
