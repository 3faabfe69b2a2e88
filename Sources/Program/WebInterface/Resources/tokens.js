// The tokens with which other programs view the cameras.
import {copy, el, when} from './dom.js';
import {get, post} from './server.js';

export class TokenList {
  /** `printers` are those of the page, by id. */
  constructor(printers) {
    this.printers = printers;
    this.name = el('input', {id: 'token-name', required: true, maxlength: 64, placeholder: 'Home Assistant'});
    this.list = el('div', {class: 'stack'});
    this.answer = el('div', {class: 'small stack', role: 'status'});
    this.node = el('div', {class: 'box stack'}, el('h3', {}, 'Viewers'),
      el('p', {class: 'soft'}, 'A token lets one program view the cameras from another machine.'), this.list,
      el('form', {onsubmit: (event) => { event.preventDefault(); this.make(); }},
        el('div', {class: 'field'}, el('label', {for: 'token-name'}, 'Program'), this.name),
        el('div', {class: 'row'}, el('button', {type: 'submit'}, 'Make a token'))), this.answer);
  }

  async load() {
    try {
      const tokens = await get('api/tokens');
      this.list.replaceChildren(...tokens.map((token) => el('div', {class: 'row'}, el('strong', {}, token.name),
        el('span', {class: 'soft small'}, `made ${when(token.created_at)}, ${token.used_at ? `used ${when(token.used_at)}` : 'not used since the start'}`),
        el('button', {type: 'button', 'aria-label': `Revoke: ${token.name}`, onclick: () => this.revoke(token.id)}, 'Revoke'))));
    } catch (error) { this.answer.textContent = error.message; }
  }

  async make() {
    try {
      const name = this.name.value;
      const {token} = await (await post('api/tokens', {name})).json();
      const shown = [...this.printers.values()].filter((printer) => printer.live);
      this.answer.replaceChildren(el('h4', {}, `The token of ${name} is shown this once`), line('Token', token),
        ...shown.map((printer) => addresses(printer, token)));
      this.name.value = '';
    } catch (error) { this.answer.textContent = error.message; }
    await this.load();
  }

  async revoke(id) {
    try { await post('api/tokens/revoke', {id}); this.answer.textContent = 'Revoked.'; } catch (error) { this.answer.textContent = error.message; }
    await this.load();
  }
}

/** The addresses of one camera, with the token, to copy. */
function addresses({id, name, live, stream}, token) {
  const url = stream.viewer_url ?? '';
  // Home Assistant runs on the bridge's machine, and its ingress is for browsers that have signed in there.
  const isIngress = location.pathname.includes('/hassio_ingress/');
  const base = isIngress ? url.startsWith('http:') && url : new URL(`camera/${id}/`, location.href);
  const here = (file) => base && `${new URL(file, base)}?token=${token}`;
  // A relay for this machine only is of no use to a reader on another one.
  const relay = url.startsWith('rtsp:') && (isIngress || isLocal(new URL(url)) <= isLocal(location))
    && url.replace('rtsp://', `rtsp://viewer:${token}@`);
  const lines = [['Video', live === 'stream' ? here('stream') : relay || here('stream.mp4')], ['Picture', here('picture.jpg')]];
  return el('div', {class: 'stack'}, el('strong', {}, name), ...lines.filter(([, text]) => text).map(([what, text]) => line(what, text, `${what} of ${name}`)));
}

/** Whether an address leads to the machine on which it is opened. */
function isLocal({hostname}) { return /^(127\.|localhost$|\[::1\]$)/.test(hostname); }

function line(title, text, what = title) {
  const code = el('code', {}, text);
  const button = el('button', {type: 'button', 'aria-label': `Copy: ${what}`, onclick: async () => {
    button.textContent = await copy(code) ? 'Copied' : 'Press Ctrl+C';
  }}, 'Copy');
  return el('p', {class: 'copy'}, button, el('span', {class: 'soft'}, title), code);
}
