/// Moments as ISO 8601 text in UTC, exact to the last digit.
///
/// Seconds are counted from the beginning of 2001, as `Date` does. The digits of the fraction are the fewest that read back
/// the same. Years beyond 0000 to 9999 have a sign and six digits or more (ISO 8601-1, 4.3.2).
enum DateText {
    private static let secondsADay = 86_400
    /// Days from 0000-03-01, with which leap days come last in their year, to 2001-01-01.
    private static let referenceDay = 730_791
    /// Beyond this, a day more or less is lost among the seconds; nobody means such a date.
    private static let farthest = 1e15

    /// The text; nil for what is not finite or too far away.
    static func text(of seconds: Double) -> String? {
        guard abs(seconds) < farthest else { return nil }
        let (whole, fraction) = split(seconds)
        let day = (Double(whole) / Double(secondsADay)).rounded(.down)
        let time = whole - Int(day) * secondsADay
        let (year, month, dayOfMonth) = civil(day: Int(day))
        let yearText = (0...9999).contains(year) ? padded(year, 4) : (year < 0 ? "-" : "+") + padded(abs(year), 6)
        let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }.joined(separator: ":")
        return
            "\(yearText)-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\(clock)\(fraction.isEmpty ? "" : ".")\(fraction)Z"
    }

    /// The seconds; nil for what is no date, or has no zone.
    static func seconds(of text: String) -> Double? {
        let pattern =
            /(?<year>[0-9]{4}|[+\-][0-9]{6,9})-(?<month>[0-9]{2})-(?<day>[0-9]{2})[Tt ](?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})([.,](?<fraction>[0-9]{1,400}))?(?<zone>[Zz]|[+\-][0-9]{2}:?[0-9]{2})/
        guard let match = text.wholeMatch(of: pattern), let year = Int(match.year),
            let month = Int(match.month), (1...12).contains(month),
            let day = Int(match.day), (1...days(month: month, year: year)).contains(day),
            let hour = Int(match.hour), hour < 24, let minute = Int(match.minute), minute < 60,
            let second = Int(match.second), second < 60, let offset = offset(of: match.zone)
        else { return nil }
        let whole =
            self.day(year: year, month: month, day: day) * secondsADay + hour * 3600 + minute * 60 + second - offset
        return joined(whole, fraction: match.fraction.map(String.init) ?? "")
    }

    /// Seconds east of UTC.
    private static func offset(of zone: Substring) -> Int? {
        let digits = zone.filter(\.isNumber)
        guard let number = Int(digits) else { return 0 }
        guard number / 100 < 24, number % 100 < 60 else { return nil }
        return (number / 100 * 3600 + number % 100 * 60) * (zone.hasPrefix("-") ? -1 : 1)
    }

    /// The second that has begun, and the digits after the point.
    private static func split(_ seconds: Double) -> (Int, fraction: String) {
        // Shortest digits; never an exponent, but for the smallest fractions.
        let whole = Int(seconds.rounded(.down))
        if Double(whole) == seconds { return (whole, "") }
        let fraction = decimalFraction(of: abs(seconds))
        return (whole, seconds < 0 ? complement(fraction) : fraction)
    }

    private static func joined(_ whole: Int, fraction: String) -> Double? {
        if whole >= 0 || !fraction.contains(where: { $0 != "0" }) { return Double("\(whole).\(fraction)0") }
        let rest = String(fraction.reversed().drop { $0 == "0" }.reversed())
        return Double("-\(-whole - 1).\(complement(rest))")
    }

    /// The digits after the point of the shortest decimal that reads back the same.
    private static func decimalFraction(of value: Double) -> String {
        let parts = value.description.split(separator: "e")
        let digits = parts[0].split(separator: ".")
        guard parts.count == 2, let exponent = Int(parts[1]) else { return String(digits[1]) }
        let mantissa = digits.count == 2 && digits[1] != "0" ? digits[0] + digits[1] : digits[0]
        return String(repeating: "0", count: -exponent - 1) + mantissa
    }

    /// One minus a fraction, in digits.
    private static func complement(_ fraction: String) -> String {
        guard let last = fraction.last?.wholeNumberValue else { return "" }
        let nines = fraction.dropLast().compactMap(\.wholeNumberValue).map { String(9 - $0) }.joined()
        return nines + String(10 - last)
    }

    /// The Gregorian date of a day counted from 2001-01-01, and the reverse: years begin in March, 400 of them have 146,097 days.
    private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + referenceDay
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1)
    }

    private static func day(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - referenceDay
    }

    private static func days(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
