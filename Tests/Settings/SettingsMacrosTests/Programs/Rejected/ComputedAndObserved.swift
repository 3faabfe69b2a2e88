import StoredSettings

@ObservableSettings
final class Appearance {
    // error: 'area' is computed, and so derived from settings, not one: remove '@Setting'
    @Setting var area: Int { 1 }
    // error: a setting also changes from outside, where observers of 'width' would not hear it: use 'changes(of:)'
    var width = 1 { didSet { print(width) } }
}
