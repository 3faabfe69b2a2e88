// swift-format-ignore-file

// flags: -package-name house
import StoredSettings

@ObservableSettings open class Open {
    open var a = 1
    public var b = 2
    package var c = 3
    internal var d = 4
    fileprivate var e = 5
    private var f = 6
    public private(set) var g = 7
    public internal(set) var h = 8
    public final var i = 9
}
@ObservableSettings package final class Shared {
    package var a = 1
    var b = 2
    package private(set) var c = 3
}
@ObservableSettings internal final class Inner { internal var a = 1 }
@ObservableSettings fileprivate final class OfFile {
    var a = 1
    private var b = 3
    fileprivate var c = 4
}
@ObservableSettings private final class Hidden {
    var a = 1
    private var b = 3
    fileprivate var c = 4
}
