import Observation
import StoredSettings

enum Theme: String { case system, light, dark }

@ObservableSettings final class Player { var volume = 60; var theme = Theme.system }

let player = Player()
print(player.volume, player.theme.rawValue)
withObservationTracking {
    _ = player.volume
} onChange: {
    print("observed")
}
player.volume += 20
try await player.commit()
// The end of the program waits until this is stored.
player.theme = .dark
