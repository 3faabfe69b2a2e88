// The tokens with which other programs view the cameras.
import {el, when} from './dom.js';
import {get, post} from './server.js';

export class TokenList {
  /** `printers` are those of the page, by id. */
  constructor(printers) {
    this.printers = printers;
    this.name = el('input', {id: 'token-name', required: true, maxlength: 64, placeholder: 'Home Assistant'});
    this.list = el('div', {class: 'stack'});
    this.answer = el('div', {class: 'small stack', role: 'status'});
    this.node = el('form', {class: 'box stack', onsubmit: (event) => { event.preventDefault(); this.make(); }},
      el('h3', {}, 'Viewers'),
      el('p', {class: 'soft'}, 'A token lets one program view the cameras from another machine. It is shown once.'), this.list,
      el('div', {class: 'field'}, el('label', {for: 'token-name'}, 'Program'), this.name),
      el('div', {class: 'row'}, el('button', {type: 'submit'}, 'Make a token')), this.answer);
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
      const {token} = await (await post('api/tokens', {name: this.name.value})).json();
      const shown = [...this.printers.values()].filter((printer) => printer.watchable || printer.stream.viewer_url);
      this.answer.replaceChildren(...shown.length ? shown.map((printer) => addresses(printer, token))
        : [el('p', {}, 'No camera can be viewed yet. The token: ', el('code', {}, token))]);
      this.name.value = '';
    } catch (error) { this.answer.textContent = error.message; }
    await this.load();
  }

  async revoke(id) {
    try { await post('api/tokens/revoke', {id}); this.answer.textContent = 'Revoked.'; } catch (error) { this.answer.textContent = error.message; }
    await this.load();
  }
}

/** The addresses of one camera, to copy. */
function addresses({id, name, stream}, token) {
  const here = (file) => new URL(`camera/${id}/${file}?token=${token}`, location.href).href;
  const isVideo = stream.viewer_url?.startsWith('rtsp:');
  const urls = [isVideo ? stream.viewer_url.replace('rtsp://', `rtsp://viewer:${token}@`) : here('stream'), here('picture.jpg')];
  return el('p', {}, el('strong', {}, name), urls.flatMap((url) => [el('br'), el('code', {}, url)]));
}
