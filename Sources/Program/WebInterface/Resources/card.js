// One printer in the list.
import {authoritiesButton} from './authorities.js';
import {countDown, el, when} from './dom.js';
import {modelName} from './models.js';
import {request} from './server.js';
import {printLines} from './print.js';
import {Kept} from './recorder.js';
import {diagnosis, stageBar} from './stages.js';
import {dayStrip} from './day.js';
import {play} from './video.js';

const names = {
  healthy: 'Healthy', degraded: 'Degraded', down: 'Down', unconfigured: 'Not set up', disabled: 'Not probed', unknown: 'Waiting',
};

/** Older pictures are shown as old, in milliseconds. */
const pictureLifetime = 3600_000;

// The live card; browsers give few connections.
let watched = null;

function watch(card) {
  const before = watched;
  watched = card;
  before?.showLive(false);
  card?.showLive(true);
}

document.addEventListener('visibilitychange', () => { if (document.hidden) watch(null); });

/** A card; its buttons are made once, so that a change does not take the focus away. */
export class Card {
  constructor(id) {
    this.id = id;
    this.name = el('h3');
    this.status = el('p', {class: 'status'});
    this.place = el('p', {class: 'soft small'});
    this.image = el('img', {alt: '', width: 640, height: 360, loading: 'lazy', decoding: 'async'});
    this.image.addEventListener('error', () => this.loseLive());
    this.video = el('video', {hidden: true, playsinline: true, width: 640, height: 360});
    this.video.muted = true;
    this.caption = el('figcaption');
    this.figure = el('figure', {hidden: true}, this.image, this.video, this.caption);
    this.print = el('div', {class: 'stack'});
    this.kept = new Kept();
    this.trouble = el('div', {class: 'trouble', hidden: true});
    this.offers = el('div', {hidden: true});
    this.stageList = el('div');
    this.stages = el('details', {hidden: true}, el('summary', {class: 'small'}, 'Last probe'), this.stageList);
    this.day = el('div');
    this.answer = el('p', {class: 'small', role: 'status'});
    this.probe = this.button('Probe now', 'printer/probe', 'The probe starts as soon as the limits allow.');
    this.picture = this.button('Take picture', 'printer/snapshot', 'The picture appears as soon as the limits allow.');
    this.ask = this.button('Ask the printer', 'printer/witness', 'The printer is asked why its camera fails.');
    this.live = el('button', {type: 'button', onclick: () => watch(watched === this ? null : this)}, 'Watch');
    this.edit = el('a', {class: 'button', href: `#edit/${id}`}, 'Edit');
    this.node = el('article', {class: 'card', 'data-printer': id}, this.figure, el('div', {},
      el('div', {class: 'top'}, this.name, this.status), this.place, this.print, this.trouble, this.offers, this.kept.node, this.stages, this.day,
      el('div', {class: 'row'}, this.live, this.probe, this.picture, this.ask, this.edit, this.answer)));
  }

  update(printer) {
    const stream = printer.stream;
    this.node.className = `card ${stream.status}`;
    this.name.textContent = printer.name;
    this.status.textContent = names[stream.status] ?? stream.status;
    this.status.className = `status ${stream.status}`;
    const last = `${stream.checked_at} ${printer.snapshot_at}`;
    if (this.last !== last) this.answer.textContent = '';
    this.last = last;
    const isProbed = !['unconfigured', 'disabled'].includes(stream.status);
    for (const button of [this.probe, this.picture]) button.hidden = !isProbed;
    this.live.hidden = !printer.live;
    this.ask.hidden = printer.camera_url || !['degraded', 'down'].includes(stream.status);
    this.place.textContent = [
      printer.camera_url || printer.address || 'no address',
      !['auto', 'other'].includes(printer.model) && modelName(printer.model),
      stream.checked_at && `probed ${when(stream.checked_at)}`,
    ].filter(Boolean).join(' · ');
    for (const [button, action] of [[this.live, 'Watch'], [this.probe, 'Probe'], [this.picture, 'Take a picture of'], [this.ask, 'Ask'], [this.edit, 'Edit']]) {
      button.setAttribute('aria-label', `${button.textContent}: ${printer.name}`);
      button.title = `${action} ${printer.name}`;
    }
    this.showPicture(printer);
    this.print.replaceChildren(...printLines(printer.print, printer.print_link));
    this.showTrouble(printer);
    this.showOffers(printer);
    this.kept.update(printer);
    this.showStages(stageBar(stream.latency_ms, printer.failed_stage), Boolean(printer.failed_stage));
    this.day.replaceChildren(dayStrip(printer.history));
  }

  /** They are folded while all is well, unless the reader opens them. */
  showStages(stages, isFailing) {
    this.stages.hidden = stages.length === 0;
    this.stageList.replaceChildren(...stages);
    if (isFailing !== this.isFailing) this.stages.open = isFailing;
    this.isFailing = isFailing;
  }

  showLive(isLive) {
    this.live.textContent = isLive ? 'Stop' : 'Watch';
    this.pictureAt = null;
    const isVideo = isLive && this.printer.live === 'stream.mp4';
    [this.image.hidden, this.video.hidden] = [isVideo, !isVideo];
    this.playing?.abort();
    this.image.removeAttribute('src');
    if (isLive) {
      this.figure.hidden = false;
      this.figure.className = '';
      this.caption.textContent = 'Live';
      this.answer.textContent = '';
      const node = isVideo ? this.video : this.image;
      node.setAttribute(isVideo ? 'aria-label' : 'alt', `Live picture of ${this.printer.name}`);
      if (isVideo) this.playVideo(); else this.image.src = `camera/${this.id}/stream`;
    }
    this.update(this.printer);
  }

  async playVideo() {
    const playing = new AbortController();
    this.playing = playing;
    try {
      // A camera that connects anew has another stream.
      while (!playing.signal.aborted) {
        await play(this.video, `camera/${this.id}/stream.mp4`, this.printer.stream.viewer_url, playing.signal);
      }
    } catch (error) {
      if (playing.signal.aborted) return;
      watch(null);
      this.answer.textContent = error.message;
    }
  }

  async loseLive() {
    if (watched !== this || this.printer.live !== 'stream') return;
    watch(null);
    const answer = await fetch(`camera/${this.id}/picture.jpg`);
    const seconds = Number(answer.headers.get('Retry-After'));
    const text = answer.ok ? 'The stream ended.' : await answer.text();
    // A wait ends by itself, unless something else is watched meanwhile.
    if (!answer.ok && seconds) countDown(this.answer, text, seconds, () => { if (!watched && !this.live.hidden) watch(this); });
    else this.answer.textContent = text;
  }

  showPicture(printer) {
    this.printer = printer;
    if (watched === this) return;
    const at = printer.snapshot_at;
    this.figure.hidden = !at;
    const isOld = printer.stream.status === 'down' || new Date() - new Date(at) > pictureLifetime;
    this.figure.classList.toggle('old', isOld);
    this.caption.textContent = `${isOld ? 'Old picture' : 'Picture'} of ${when(at)}`;
    if (!at || at === this.pictureAt) return;
    this.pictureAt = at;
    this.image.src = `api/printers/${this.id}/snapshot?at=${encodeURIComponent(at)}`;
    this.image.alt = `Picture of ${printer.name}`;
  }

  showTrouble({stream, model}) {
    const missing = model === 'other' ? 'The camera URL is missing.' : 'Address or access code is missing.';
    const unconfigured = stream.status === 'unconfigured' && missing;
    const what = unconfigured || stream.message;
    this.trouble.hidden = !what;
    this.trouble.classList.toggle('note', stream.status !== 'down');
    this.trouble.replaceChildren(...[
      ...(what ? diagnosis(stream.hint, what) : []),
      what && stream.last_healthy_at && el('p', {class: 'soft small'}, `Last healthy ${when(stream.last_healthy_at)}.`),
    ].filter(Boolean));
  }

  /** Certificates to accept, and addresses to take over. */
  showOffers(printer) {
    const key = JSON.stringify([printer.announced, printer.stream.certificate, printer.stream.reason]);
    if (key === this.offered) return;
    this.offered = key;
    const offers = [this.certificateOffer(printer), this.addressOffer(printer)].filter(Boolean);
    this.offers.hidden = offers.length === 0;
    this.offers.replaceChildren(...offers);
  }

  certificateOffer({name, stream, camera_url: camera}) {
    const seen = stream.certificate;
    if (!seen?.acceptable) return null;
    return el('div', {class: 'trouble note small'},
      el('p', {}, 'Certificate of ', el('code', {}, seen.subject), ': ', el('code', {}, seen.fingerprint)),
      stream.reason !== 'certificate_changed' && !camera && authoritiesButton(),
      seen.trusted_fingerprint && el('p', {}, 'Trusted until now: ', el('code', {}, seen.trusted_fingerprint)),
      this.button('Accept certificate', 'printer/accept_certificate', 'The certificate is accepted.',
        {fingerprint: seen.fingerprint}, `Accept certificate: ${name}`));
  }

  addressOffer({announced, name}) {
    if (!announced) return null;
    const isProven = announced.proof === 'proven';
    return el('div', {class: 'trouble note small'},
      el('p', {}, `The printer was heard at ${announced.address}.`,
        isProven ? '' : ' Nothing proves that it is this printer; if it is, set its address.'),
      isProven && this.button('Update address', 'printer/update_address', 'The address is updated.', {}, `Update address: ${name}`));
  }

  button(title, verb, done, fields = {}, label = null) {
    const button = el('button', {type: 'button', 'aria-label': label}, title);
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        await request(verb, {printer: this.id, ...fields});
        this.answer.textContent = done;
      } catch (error) {
        this.answer.textContent = `${title}: ${error.message}`;
      }
      button.disabled = false;
      // A button that is switched off loses the focus.
      if (document.activeElement === document.body) button.focus();
    });
    return button;
  }
}
