// swift-format-ignore-file

import Settings

@ObservableSettings
public final class Meter {
    public private(set) var reading = 1
    public internal(set) var unit = "kWh"
    package fileprivate(set) var owner: String?
}
