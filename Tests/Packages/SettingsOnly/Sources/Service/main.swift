import Dispatch
import Foundation
import StoredSettings

@ObservableSettings
final class ServiceSettings { var starts = 0 }

let settings = ServiceSettings()
settings.update(\.starts) { $0 += 1 }

signal(SIGTERM, SIG_IGN)
let ended = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
// Without @Sendable, main.swift and @MainActor would make it a closure of the main actor, which ends the program here.
ended.setEventHandler { @Sendable in exit(0) }
ended.activate()

kill(getpid(), SIGTERM)
Thread.sleep(forTimeInterval: 10)
