// One printer in the list.
import {authoritiesButton} from './authorities.js';
import {countDown, el, when} from './dom.js';
import {request} from './server.js';
import {printLines} from './print.js';
import {Kept} from './recorder.js';
import {diagnosis, stageBar} from './stages.js';
import {dayStrip} from './day.js';
import {play} from './video.js';

const names = {
  healthy: 'Camera healthy', degraded: 'Camera degraded', down: 'Camera down', unconfigured: 'Not set up', disabled: 'Not probed', unknown: 'Waiting',
};

/** Older pictures are shown as old, in milliseconds. */
const pictureLifetime = 3600_000;

// The live card; browsers give few connections.
let watched = null;

const noAnswer = ['The bridge does not answer. Trying again in 5 s.', 5];

function watch(card) {
  const before = watched;
  watched = card;
  before?.showLive(false);
  card?.showLive(true);
}

document.addEventListener('visibilitychange', () => { if (document.hidden) watch(null); });

/** Ends the live picture if its card is not on the page any more. */
export function endUnseen() { if (watched && !watched.node.isConnected) watch(null); }

/** Begins live pictures again, as after a restart of the bridge: browsers do not tell that a stream of pictures ended. */
export function resume() { if (watched?.printer.live === 'stream') watched.showLive(true); }

/** A card; its buttons are made once, so that a change does not take the focus away. */
export class Card {
  constructor(id) {
    this.id = id;
    this.name = el('h3');
    this.status = el('p', {class: 'status'});
    this.place = el('p', {class: 'soft small'});
    this.image = el('img', {alt: '', width: 640, height: 360, loading: 'lazy', decoding: 'async'});
    this.image.addEventListener('load', () => this.sayLive('Live'));
    this.image.addEventListener('error', () => this.loseImage());
    this.video = el('video', {hidden: true, playsinline: true, width: 640, height: 360});
    this.video.muted = true;
    this.video.addEventListener('playing', () => this.sayLive('Live'));
    this.video.addEventListener('waiting', () => this.sayLive('Waiting for the camera…'));
    this.caption = el('figcaption');
    this.figure = el('figure', {hidden: true}, this.image, this.video, this.caption);
    this.print = el('div', {class: 'stack'});
    this.kept = new Kept();
    this.diagnosis = el('div', {class: 'stack'});
    this.offers = el('div', {hidden: true});
    this.stageList = el('div');
    this.stages = el('details', {hidden: true}, el('summary', {class: 'small'}, 'Last probe'), this.stageList);
    this.day = el('div');
    this.answer = el('p', {class: 'small', role: 'status'});
    this.probe = this.button('Probe now', 'printer/probe', 'The probe starts as soon as the limits allow.');
    this.picture = this.button('Take picture', 'printer/snapshot', 'The picture appears as soon as the limits allow.');
    this.ask = this.button('Ask the printer', 'printer/witness', 'The printer is asked why its camera fails.');
    this.live = el('button', {type: 'button', onclick: () => watch(watched === this ? null : this)}, 'Watch');
    this.edit = el('a', {class: 'small', href: `#edit/${id}`}, 'Edit');
    this.trouble = el('div', {class: 'trouble', hidden: true}, this.diagnosis, this.ask);
    this.node = el('article', {class: 'card', 'data-printer': id}, this.figure, el('div', {},
      el('div', {class: 'top'}, this.name, this.status), el('div', {class: 'top'}, this.place, this.edit), this.print,
      this.trouble, this.offers, this.kept.node, this.stages, this.day,
      el('div', {class: 'row'}, this.live, this.probe, this.picture, this.answer)));
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
      printer.model_name,
      stream.checked_at && `probed ${when(stream.checked_at)}`,
    ].filter(Boolean).join(' · ');
    for (const [button, action] of [[this.live, 'Watch'], [this.probe, 'Probe'], [this.picture, 'Take a picture of'], [this.ask, 'Ask'], [this.edit, 'Edit']]) {
      button.setAttribute('aria-label', `${button.textContent}: ${printer.name}`);
      button.title = `${action} ${printer.name}`;
    }
    this.showPicture(printer);
    this.print.replaceChildren(...printLines(printer.print, printer.print_link, stream));
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
    this.stopWaiting?.();
    this.live.textContent = isLive ? 'Stop' : 'Watch';
    this.pictureAt = null;
    const isVideo = isLive && this.printer.live === 'stream.mp4';
    [this.image.hidden, this.video.hidden] = [isVideo, !isVideo];
    this.playing?.abort();
    this.image.removeAttribute('src');
    this.image.alt = '';
    if (isLive) {
      this.figure.hidden = false;
      this.figure.className = '';
      this.caption.textContent = 'Connecting to the camera…';
      this.answer.textContent = '';
      const node = isVideo ? this.video : this.image;
      node.setAttribute(isVideo ? 'aria-label' : 'alt', `Live picture of ${this.printer.name}`);
      // Browsers connect no second time to an address that the image has.
      if (isVideo) this.playVideo(); else this.image.src = `camera/${this.id}/stream?at=${Date.now()}`;
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
      // So fetch says that there was no answer, or that the answer broke off.
      if (error instanceof TypeError) this.sayWhy(...noAnswer); else this.sayWhy(error.message, error.seconds);
    }
  }

  sayLive(text) { if (watched === this) this.caption.textContent = text; }

  /** Hides a picture that the bridge does not have any more, or asks why the live one ended. */
  async loseImage() {
    if (watched !== this) {
      this.lostAt = this.pictureAt;
      this.figure.hidden = true;
    } else if (this.printer.live === 'stream') {
      watch(null);
      let why = noAnswer;
      try {
        const answer = await fetch(`camera/${this.id}/picture.jpg`);
        why = answer.ok ? ['The stream ended.'] : [await answer.text(), Number(answer.headers.get('Retry-After'))];
      } catch { /* The bridge ended. */ }
      if (watched !== this) this.sayWhy(...why);
    }
  }

  /** Says why nothing is live. A wait ends by itself, unless the reader does something else meanwhile. */
  sayWhy(text, seconds) {
    this.answer.textContent = text;
    if (!seconds) return;
    this.stopWaiting = countDown(this.answer, text, seconds, () => {
      this.answer.textContent = '';
      if (!watched && this.node.isConnected && !this.live.hidden && !document.hidden) watch(this);
    });
  }

  showPicture(printer) {
    this.printer = printer;
    if (watched === this) return;
    const at = printer.snapshot_at;
    this.figure.hidden = !at || at === this.lostAt;
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
    // The offer below has the fingerprints.
    const isOffered = stream.reason === 'certificate_changed' && stream.certificate?.acceptable;
    this.trouble.hidden = !what;
    this.trouble.className = `trouble ${{down: '', unconfigured: 'note'}[stream.status] ?? 'warning'}`;
    this.diagnosis.replaceChildren(...[
      ...(what ? diagnosis(stream.hint, isOffered ? null : what) : []),
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
      seen.trusted_fingerprint && seen.trusted_fingerprint !== seen.fingerprint && el('p', {}, 'Trusted until now: ', el('code', {}, seen.trusted_fingerprint)),
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
      this.stopWaiting?.();
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
