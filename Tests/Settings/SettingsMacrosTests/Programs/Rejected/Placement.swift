import Observation
import StoredSettings

@ObservableSettings class Base { var a = 1 }
// error: 'Base' has settings, and a class inherits all of them or declares its own: make this one a class by itself, with the same scope and another prefix
@ObservableSettings final class Derived: Base { var b = 2 }
struct Outer {
    // error: 'private' hides a class within another type from the code that is generated for it: use 'fileprivate'
    @ObservableSettings private final class Hidden { var a = 1 }
}
struct OuterOf<Value> {
    // error: a class of settings cannot be generic, nor within a generic type: its keys are declared once for all instances
    @ObservableSettings final class Inner { var a = 1 }
}
// error: '@ObservableSettings' makes the class observable, and '@Observable' would do it another way: remove it
@ObservableSettings @Observable final class Twice {}
final class Plain {
    // error: '@Setting' needs '@ObservableSettings' on the class that declares the property
    @Setting var a = 1
    // error: '@Secret' needs '@ObservableSettings' on the class that declares the property
    @Secret var b = ""
    // error: '@Synced' needs '@ObservableSettings' on the class that declares the property
    @Synced var c = ""
}
// error: '@ObservableSettings' needs a class, and this is 'actor'
@ObservableSettings actor Counter { var count = 1 }
// error: '@ObservableSettings' needs a class, and this is 'enum'
@ObservableSettings enum Theme { case dark }
// error: '@ObservableSettings' needs a class, and this is 'struct'
@ObservableSettings struct Window { var width = 1 }
