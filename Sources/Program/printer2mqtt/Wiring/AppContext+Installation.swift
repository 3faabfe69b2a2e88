import Printers

extension AppContext {
    var installation: Installation {
        // The add-on alone has the page behind Home Assistant's ingress.
        configuration[\.httpIngress] ? .addOn : .ofCommand(config: configuration.path)
    }
}
