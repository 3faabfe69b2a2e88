import Platform

/// Writes MP4 (ISO/IEC 14496-12): one track of video.
///
/// A stream is ``initialization(_:)``, then ``fragment(_:sequence:duration:)`` for each picture. A file is
/// ``head(_:of:)``, then the pictures' bytes.
package enum Movie {
    /// Ticks a second.
    package static let timescale: UInt32 = 90_000
    /// Ticks that a picture is shown if none follows: a thirtieth of a second.
    package static let usualDuration: UInt32 = 3_000

    /// What the head of a file says about a picture.
    package struct Sample: Sendable, Hashable {
        package var size: Int
        package var timestamp: Int64
        package var compositionOffset: Int32 = 0
        package var isKey: Bool

        package init(size: Int, timestamp: Int64, isKey: Bool) {
            (self.size, self.timestamp, self.isKey) = (size, timestamp, isKey)
        }

        package init(_ picture: VideoPicture, at timestamp: Int64) {
            self.init(size: picture.bytes.count, timestamp: timestamp, isKey: picture.isKey)
            compositionOffset = picture.compositionOffset
        }
    }

    /// What a stream begins with, and what each new configuration of it needs.
    package static func initialization(_ configuration: VideoConfiguration) -> [UInt8] {
        let empty = ["stts", "stsc", "stco"].flatMap { box($0, version(0), longs(0)) }
        let track = track(configuration, duration: 0, tables: empty + box("stsz", version(0), longs(0, 0)))
        let defaults = box("mvex", box("trex", version(0), longs(1, 1, 0, 0, 0)))
        return fileType("iso6") + box("moov", header(duration: 0), track, defaults)
    }

    /// One picture of a stream: the fragment of a number, from 1; it lasts `duration` ticks, as far as that is known.
    package static func fragment(_ picture: VideoPicture, sequence: UInt32, duration: UInt32) -> [UInt8] {
        func moof(_ offset: UInt32) -> [UInt8] {
            // Needs no other picture; or needs others, and is no place to begin.
            let flags: UInt32 = picture.isKey ? 0x0200_0000 : 0x0101_0000
            let run = longs(1, offset, duration, UInt32(picture.bytes.count), flags)
            // Signed offsets need version 1 (section 8.8.8).
            let shift = picture.compositionOffset
            let header = shift == 0 ? version(0, flags: 0x701) : version(1, flags: 0xf01)
            return box(
                "moof",
                box("mfhd", version(0), longs(sequence)),
                box(
                    "traf",
                    box("tfhd", version(0, flags: 0x20000), longs(1)),
                    box("tfdt", version(1), picture.timestamp.bigEndianBytes),
                    box("trun", header, run, shift == 0 ? [] : shift.bigEndianBytes)
                )
            )
        }
        return moof(UInt32(moof(0).count + 8)) + box("mdat", picture.bytes)
    }

    /// The head of a file that can be played while it is loaded; the bytes of the pictures follow, in order.
    ///
    /// Without a configuration, the pictures are JPEG. The last picture has the duration of the picture before it. Players
    /// decode the pictures before `start`, in ticks from the first picture, and do not show them.
    package static func head(_ configuration: VideoConfiguration?, of samples: [Sample], from start: Int64 = 0)
        -> [UInt8]
    {
        let steps = zip(samples.dropFirst(), samples).map { UInt32(clamping: max(1, $0.timestamp - $1.timestamp)) }
        let durations = steps + [steps.last ?? usualDuration]
        let duration = durations.reduce(UInt64(0)) { $0 + UInt64($1) }
        let type = fileType("isom")
        func moov(_ offset: UInt64) -> [UInt8] {
            let tables = tables(samples, durations, offset)
            let shown = duration - min(duration, UInt64(max(0, start)))
            let milliseconds = UInt32(clamping: shown * 1_000 / UInt64(timescale))
            return box(
                "moov",
                header(duration: milliseconds),
                track(configuration, duration: duration, milliseconds: milliseconds, from: start, tables: tables)
            )
        }
        let size = samples.reduce(UInt64(0)) { $0 + UInt64($1.size) }
        // The length of 1 says that the true one follows, in 64 bits.
        let data = longs(1) + "mdat".utf8 + (size + 16).bigEndianBytes
        return type + moov(UInt64(type.count + moov(0).count + data.count)) + data
    }

    /// The times, sizes and places of the pictures, all in one chunk.
    private static func tables(_ samples: [Sample], _ durations: [UInt32], _ offset: UInt64) -> [UInt8] {
        let offsets = samples.map { UInt32(bitPattern: $0.compositionOffset) }
        let count = UInt32(samples.count)
        let keys = samples.indices.filter { samples[$0].isKey }
        return box("stts", version(0), runs(durations))
            // Signed offsets need version 1 (section 8.6.1.3).
            + (offsets.allSatisfy { $0 == 0 } ? [] : box("ctts", version(1), runs(offsets)))
            + box("stss", version(0), longs(UInt32(keys.count)), keys.flatMap { longs(UInt32($0 + 1)) })
            + box("stsc", version(0), longs(1, 1, count, 1))
            + box("stsz", version(0), longs(0, count), samples.flatMap { longs(UInt32($0.size)) })
            + box("co64", version(0), longs(1), offset.bigEndianBytes)
    }

    /// The entries of a table of times: how often a value comes in a row, and the value.
    private static func runs(_ values: [UInt32]) -> [UInt8] {
        var runs: [(count: UInt32, value: UInt32)] = []
        for value in values {
            if runs.last?.value == value { runs[runs.count - 1].count += 1 } else { runs.append((1, value)) }
        }
        return longs(UInt32(runs.count)) + runs.flatMap { longs($0.count, $0.value) }
    }

    private static func fileType(_ brand: String) -> [UInt8] {
        box("ftyp", Array(brand.utf8), longs(512), Array("isomiso6mp41".utf8))
    }

    /// `duration` in milliseconds, as that of the track.
    private static func header(duration: UInt32) -> [UInt8] {
        box("mvhd", version(0), longs(0, 0, 1_000, duration, 0x1_0000, 0x0100_0000, 0, 0), matrix, zeros(24), longs(2))
    }

    private static let matrix = longs(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000)

    private static func track(
        _ configuration: VideoConfiguration?,
        duration: UInt64,
        milliseconds: UInt32 = 0,
        from start: Int64 = 0,
        tables: [UInt8]
    ) -> [UInt8] {
        let (width, height) = (UInt32(configuration?.width ?? 0) << 16, UInt32(configuration?.height ?? 0) << 16)
        let place = box("dinf", box("dref", version(0), longs(1), box("url ", version(0, flags: 1))))
        let description = box("stsd", version(0), longs(1), configuration?.sampleEntry ?? jpegEntry)
        // The track's time at which the movie begins.
        let edit = version(1) + longs(1) + UInt64(milliseconds).bigEndianBytes + start.bigEndianBytes + shorts(1, 0)
        return box(
            "trak",
            box(
                "tkhd",
                version(0, flags: 3),
                longs(0, 0, 1, 0, milliseconds, 0, 0, 0, 0),
                matrix,
                longs(width, height)
            ),
            start > 0 ? box("edts", box("elst", edit)) : [],
            box(
                "mdia",
                box("mdhd", version(1), zeros(16), longs(timescale), duration.bigEndianBytes, shorts(0x55c4, 0)),
                box("hdlr", version(0), longs(0), Array("vide".utf8), zeros(13)),
                box("minf", box("vmhd", version(0, flags: 1), zeros(8)), place, box("stbl", description, tables))
            )
        )
    }
}
