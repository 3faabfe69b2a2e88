import Observation
import StoredSettings

@ObservableSettings class Base { var a = 1 }
@ObservableSettings final class Derived: Base { var b = 2 }
@ObservableSettings final class Generic<Value> { var a = 1 }
struct Outer {
    @ObservableSettings private final class Hidden { var a = 1 }
}
struct OuterOf<Value> {
    @ObservableSettings final class Inner { var a = 1 }
}
@ObservableSettings @Observable final class Twice {}
