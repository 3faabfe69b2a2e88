// The tokens with which other programs view the cameras.
import {el, when} from './dom.js';
import {get, post} from './server.js';

export class TokenList {
  constructor() {
    this.name = el('input', {id: 'token-name', required: true, maxlength: 64, placeholder: 'Home Assistant'});
    this.list = el('div', {class: 'stack'});
    this.answer = el('p', {class: 'small', role: 'status'});
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
      const path = (name) => new URL(`camera/ID/${name}?token=${token}`, location.href).href;
      this.answer.replaceChildren('With the id of a printer: ', el('code', {}, path('stream')), ' and ', el('code', {}, path('picture.jpg')));
      this.name.value = '';
    } catch (error) { this.answer.textContent = error.message; }
    await this.load();
  }

  async revoke(id) {
    try { await post('api/tokens/revoke', {id}); this.answer.textContent = 'Revoked.'; } catch (error) { this.answer.textContent = error.message; }
    await this.load();
  }
}
