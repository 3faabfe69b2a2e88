// What each model needs on its screen.

const code = 'Copy the access code and the IP address from that screen. The code changes when the printer joins another network.';

/** Steps for a model, in order. `models` are all models, with their names. */
export function needs(model, models) {
  if (model === 'other') {
    return ['The address of the camera: docs/cameras.md has it by printer.', 'Stream user and access code only if the camera asks for a login.'];
  }
  if (model === 'auto') {
    const names = (isWith) => models.filter((known) => known.has_liveview === isWith).map((known) => known.name).join(', ');
    return [`${names(true)}: open Settings > General > LAN Mode and switch LAN Mode Liveview on.`,
      `${names(false)}: open Settings > WLAN; there is nothing to switch on.`, code];
  }
  if (models.some((known) => known.id === model && !known.has_liveview)) {
    return ['Open Settings > WLAN. The camera needs no switch.', code,
      'Set the serial number, and get the vendor\'s authorities. Without them the first probe asks you to accept the certificate.'];
  }
  return ['Open Settings > General > LAN Mode and switch LAN Mode Liveview on.', code];
}
