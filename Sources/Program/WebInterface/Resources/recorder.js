// What the recorder kept of a printer: pictures of its print's moments, and clips of its events.
import {el, when} from './dom.js';

const moments = {first_layer: 'First layer', last_layer: 'Last layer', finished: 'Finished', failed: 'Failed'};
const events = {
  print_failed: 'Print failed', print_paused: 'Print paused', printer_error: 'Printer error', stream_lost: 'Stream lost',
};

/** The parts of a card about what was kept; none if there is nothing. */
export function keptParts(printer) {
  const pictures = Object.keys(moments).filter((name) => printer.moments[name]);
  return [
    pictures.length > 0 && el('div', {class: 'moments'}, pictures.map((name) => moment(printer, name))),
    printer.clips.length > 0 && el('details', {class: 'small'},
      el('summary', {}, `Clips (${printer.clips.length})`), el('ul', {}, printer.clips.map(clip))),
  ].filter(Boolean);
}

function moment(printer, name) {
  const at = printer.moments[name];
  const address = `camera/${printer.id}/moments/${name}.jpg?at=${encodeURIComponent(at)}`;
  return el('figure', {}, el('a', {href: address, target: '_blank'},
    el('img', {src: address, alt: `${moments[name]} of ${printer.name}`, width: 160, height: 90, loading: 'lazy', decoding: 'async'})),
    el('figcaption', {title: when(at)}, moments[name]));
}

function clip({event, time, clip: film, picture, bytes}) {
  const title = `${events[event] ?? event}, ${when(time)}`;
  if (bytes === null) return el('li', {class: 'soft'}, `${title}: being written…`);
  // The address without its '/': the page may be below another one.
  const [address, poster] = [film.slice(1), picture.slice(1)];
  const video = el('video', {controls: true, preload: 'none', poster, src: address, width: 640, height: 360, 'aria-label': title});
  return el('li', {}, el('p', {}, `${title} · `, el('a', {href: address, download: true}, `${Math.ceil(bytes / 1e5) / 10} MB`)), video);
}
