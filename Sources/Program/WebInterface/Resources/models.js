// What each model needs on its screen.

const pictures = ['p1p', 'p1s', 'a1', 'a1_mini', 'a2l'];
const code = 'Copy the access code and the IP address from that screen. The code changes when the printer joins another network.';

/** Steps for a model, in order. */
export function needs(model) {
  if (model === 'other') {
    return ['The address of the camera: docs/cameras.md has it by printer.', 'Stream user and access code only if the camera asks for a login.'];
  }
  if (model === 'auto') {
    return ['X1, P2, H2: open Settings > General > LAN Mode and switch LAN Mode Liveview on. '
      + 'P1, A1: open Settings > WLAN; there is nothing to switch on.', code];
  }
  if (pictures.includes(model)) {
    return ['Open Settings > WLAN. The camera needs no switch.', code,
      'Set the serial number, and get the vendor\'s authorities. Without them the first probe asks you to accept the certificate.'];
  }
  return ['Open Settings > General > LAN Mode and switch LAN Mode Liveview on.', code];
}

/** The model as its maker writes it. */
export function modelName(model) {
  return model === 'auto' ? 'Printer' : model.toUpperCase().replaceAll('_', ' ').replace('MINI', 'mini').replace('PRO', 'Pro');
}
