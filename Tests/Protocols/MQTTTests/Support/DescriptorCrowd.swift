import Foundation
import TestSupport

/// Open descriptors, so that the next ones have high numbers; closed with it.
final class DescriptorCrowd: Sendable {
    let descriptors: [Int32]

    /// Opens descriptors until all up to `number` are taken, and raises the limit for some more than that.
    init(above number: Int) throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let wanted = rlim_t(number + 1_024)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(limit.rlim_max, wanted)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        var descriptors: [Int32] = []
        while (descriptors.last ?? 0) <= number {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                for descriptor in descriptors { close(descriptor) }
                throw TestFailure("no more descriptors than \(descriptors.count): errno \(errno)")
            }
            descriptors.append(descriptor)
        }
        self.descriptors = descriptors
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}
