// What the recorder kept of a printer: pictures of its print's moments, and clips of its events.
import {el, openPicture, when} from './dom.js';

const moments = {first_layer: 'First layer', last_layer: 'Last layer', finished: 'Finished', failed: 'Failed'};
const events = {
  print_failed: 'Print failed', print_paused: 'Print paused', printer_error: 'Printer error',
  print_suspect: 'Print suspicious', stream_lost: 'Stream lost', timelapse: 'Timelapse',
};

/** Moments and clips on a card. An update leaves existing elements in place, because a clip may be playing. */
export class Kept {
  constructor() {
    this.moments = el('div', {class: 'moments'});
    this.summary = el('summary');
    this.clips = el('ul');
    this.details = el('details', {class: 'small', hidden: true}, this.summary, this.clips);
    this.node = el('div', {class: 'stack', hidden: true}, this.moments, this.details);
  }

  update(printer) {
    const names = Object.keys(moments).filter((name) => printer.moments[name]);
    this.fill(this.moments, names.map((name) => [`${name} ${printer.moments[name]}`, () => moment(printer, name)]));
    this.fill(this.clips, printer.clips.map((kept) => [`${kept.name} ${kept.bytes}`, () => clip(kept)]));
    this.summary.textContent = `Clips (${printer.clips.length})`;
    this.details.hidden = printer.clips.length === 0;
    this.node.hidden = names.length + printer.clips.length === 0;
  }

  fill(parent, wanted) {
    const keys = new Set(wanted.map(([key]) => key));
    for (const child of [...parent.children]) if (!keys.has(child.dataset.key)) child.remove();
    wanted.forEach(([key, make], index) => {
      if (parent.children[index]?.dataset.key === key) return;
      const part = make();
      part.dataset.key = key;
      parent.insertBefore(part, parent.children[index] ?? null);
    });
  }
}

function moment(printer, name) {
  const at = printer.moments[name];
  const address = `camera/${printer.id}/moments/${name}.jpg?at=${encodeURIComponent(at)}`;
  const title = `${moments[name]} of ${printer.name}`;
  const image = el('img', {src: address, alt: title, width: 160, height: 90, loading: 'lazy', decoding: 'async'});
  const link = el('a', {href: address, onclick: (event) => { event.preventDefault(); openPicture(address, title); }}, image);
  image.addEventListener('error', () => link.replaceWith(el('p', {class: 'soft'}, 'No picture')));
  return el('figure', {}, link, el('figcaption', {}, `${moments[name]}, ${when(at)}`));
}

function clip({event, time, clip: film, picture, bytes}) {
  const title = `${events[event] ?? event}, ${when(time)}`;
  if (bytes === null) return el('li', {class: 'soft'}, `${title}: being written…`);
  // The address without its '/': the page may be below another one.
  const [address, poster] = [film.slice(1), picture?.slice(1)];
  const video = el('video', {controls: true, preload: 'none', poster, src: address, width: 640, height: 360, 'aria-label': title});
  return el('li', {}, el('p', {}, `${title} · `, el('a', {href: address, download: true}, `${Math.ceil(bytes / 1e5) / 10} MB`)), video);
}
