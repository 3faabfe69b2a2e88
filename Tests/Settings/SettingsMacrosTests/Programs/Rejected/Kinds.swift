import StoredSettings

// error: '@ObservableSettings' needs a class, and this is 'actor'
@ObservableSettings
actor Appearance {
    var theme = 1
}

// error: '@ObservableSettings' needs a class, and this is 'enum'
@ObservableSettings
enum Theme {
    case dark
}

// error: '@ObservableSettings' needs a class, and this is 'struct'
@ObservableSettings
struct Window {
    var width = 1
}
