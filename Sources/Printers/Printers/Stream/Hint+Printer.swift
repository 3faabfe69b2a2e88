import CameraProtocols

extension Hint {
    static let liveview = "LAN Mode Liveview (on the printer's screen: Settings > General > LAN Mode)"

    /// What to do about a printer that was heard at another address than the configured one.
    static func elsewhere(_ heard: AnnouncedAddress) -> String {
        switch heard.proof {
        case .proven:
            """
            The printer has the address \(heard.address) now: press 'Update address', or set printer_ip to \(heard.address).
            """
        case .claimed:
            """
            A device with this printer's serial number was heard at \(heard.address): if the printer's screen shows this \
            address, set printer_ip to \(heard.address).
            """
        }
    }

    /// No printer shows a fingerprint, but a person can compare the name with the serial number.
    static func changedCertificate(_ report: ProbeReport, _ printer: HintContext) -> String {
        if printer.isOther {
            return """
                New certificate; user and password were not sent. If the camera was updated, reset or replaced, \
                \(printer.acceptance). Otherwise check camera_url.
                """
        }
        let name = name(report)
        if isNamed(report, printer) {
            return """
                New certificate, with this printer's serial number as its name; the access code was not sent. If the printer was \
                reset, repaired or updated, \(printer.acceptance). Otherwise another device may pose as the printer.
                """
        }
        if printer.serial.isEmpty {
            return """
                New certificate; the access code was not sent. Compare its name\(quoted(report)) with the serial number on the printer. If \
                they are the same and the printer was reset, repaired or updated, \(printer.acceptance). Otherwise check printer_ip.
                """
        }
        return """
            This is another device: the name in its certificate\(name) is not the serial number \(printer.serial). \
            The access code was not sent. Check printer_ip.
            """
    }

    /// What to do if no connection is made, or if it is closed at once; settings that worked before count as right.
    static func noConnection(
        _ reason: ProbeReason,
        _ streamProtocol: StreamProtocol,
        _ printer: HintContext
    ) -> String {
        let isJPEG = (printer.streamProtocol ?? streamProtocol) == .jpeg
        switch (reason, printer.hasWorked) {
        case (.tcpTimeout, true):
            return """
                Nothing answers, but the camera worked at this address: check that the printer is switched on. If it is, compare \
                its address (printer's screen) with printer_ip.
                """
        case (.tcpTimeout, false):
            let port =
                switch printer.streamProtocol {
                case .jpeg?: "6000"
                case .rtsp?, .http?: "\(printer.port)"
                case nil: "\(printer.port), or 6000 for P1 and A1 printers"
                }
            return """
                Nothing answers at this address. Check that the printer is switched on, and that printer_ip is the address on \
                its screen. A firewall must allow TCP port \(port).
                """
        case (.tcpRefused, true):
            return """
                The camera worked before, and its port is closed now: a printer that starts needs two minutes. If it stays \
                closed, \(isJPEG ? printer.restart : "check " + liveview).
                """
        case (.tcpRefused, false) where isJPEG:
            return """
                The printer answers, but not on the camera port of P1 and A1 printers: check model, or \(printer.restart).
                """
        case (.tcpRefused, false):
            let model = printer.streamProtocol == nil ? " P1 and A1 printers: set model." : ""
            return "The camera port is closed: \(liveview) may be off. Switch it on.\(model)"
        case (_, true) where isJPEG:
            return """
                The camera worked before, and closes the connection now: a printer that starts needs two minutes. Otherwise \
                close other viewers. \(printer.lastResort)
                """
        case (_, true):
            return """
                The camera worked before, and closes the connection now: \(liveview) may be off. If it is on, close other \
                viewers, or switch it off and on.
                """
        case (_, false) where isJPEG:
            return "The camera closed the connection: close other viewers. \(printer.lastResort)"
        case (_, false):
            return "The camera closed the connection: \(liveview) may be off. If it is on, close other viewers."
        }
    }

    static func unproven(_ report: ProbeReport, _ printer: HintContext) -> String {
        guard printer.isOther else {
            return "The access code was not sent: nothing proves the printer yet. \(proof(report, printer))"
        }
        return """
            User and password were not sent: the camera wants the password itself, and nothing proves that it is yours. If its \
            certificate is the one that you know, \(printer.acceptance).
            """
    }

    /// The two ways to a proof: the vendor's authorities with the serial number, or a person.
    static func proof(_ report: ProbeReport, _ printer: HintContext) -> String {
        let issuer = issuer(report)
        let isVendor = report.certificate.map { VendorAuthorities.isIssuer($0.issuer) } ?? false
        switch (isNamed(report, printer), isVendor) {
        case (true, true):
            return """
                The issuer “\(issuer)” is not known here: \(printer.installation.getAuthorities). Or, as the name in the certificate \
                is the serial number, \(printer.acceptance).
                """
        case (true, false):
            return """
                The name in the certificate is the printer's serial number, but its issuer “\(issuer)” is not the vendor. \
                If you trust that issuer, \(printer.acceptance).
                """
        case (false, let isVendor):
            let way =
                isVendor && printer.serial.isEmpty
                ? "Set serial and \(printer.installation.getAuthorities). Or, if" : "If"
            return """
                \(way) the name\(quoted(report)) (issuer “\(issuer)”) is the serial number on the printer, \
                \(printer.acceptance).
                """
        }
    }

    static func unprovenOfAnyModel(_ report: ProbeReport, _ printer: HintContext) -> String {
        """
        P1 or A1: \(printer.serial.isEmpty ? "set serial and " : "")\(printer.installation.getAuthorities). Or, if the name\(quoted(report)) is its serial \
        number, \(printer.acceptance). Another model: switch LAN Mode Liveview on, on its screen, and set model.
        """
    }

    static func otherName(_ report: ProbeReport, _ printer: HintContext) -> String {
        if printer.isOther {
            return "The certificate has another name than serial says: check camera_url, then serial."
        }
        if let name = report.certificate?.commonName, !name.isEmpty, !isNamed(report, printer),
            name.uppercased() == printer.serial.uppercased()
        {
            return "The serial number has small letters in place of capital ones: set serial to \(name)."
        }
        let serial = printer.serial.isEmpty ? "" : " \(printer.serial)"
        return """
            The name in the certificate\(name(report)) is not the serial number\(serial): another device may have this \
            address. Check printer_ip, then serial.
            """
    }

    private static func isNamed(_ report: ProbeReport, _ printer: HintContext) -> Bool {
        !printer.serial.isEmpty && report.certificate?.isNamed(printer.serial) == true
    }

    /// The name in the certificate, set off by commas; cut, as anybody can choose it.
    private static func name(_ report: ProbeReport) -> String {
        report.certificate?.commonName.map { ", “\($0.prefix(24))”," } ?? ""
    }

    /// The name in the certificate in quotation marks, cut.
    private static func quoted(_ report: ProbeReport) -> String {
        report.certificate?.commonName.map { " “\($0.prefix(24))”" } ?? " in the certificate"
    }

    /// The issuer's common name, cut.
    private static func issuer(_ report: ProbeReport) -> String {
        let parts = report.certificate?.issuer.split(separator: ",") ?? []
        return parts.first { $0.hasPrefix("CN=") }.map { String($0.dropFirst(3).prefix(24)) } ?? "none"
    }
}
