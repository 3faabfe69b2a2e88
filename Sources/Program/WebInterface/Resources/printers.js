// The list of printers: those in trouble first. Cards are made as the reader gets to them.
import {el} from './dom.js';
import {Card, endUnseen} from './card.js';

const step = 40;
const rank = {down: 0, degraded: 1, unconfigured: 2, unknown: 3, healthy: 4, disabled: 5};

export class PrinterList {
  constructor() {
    this.printers = new Map();
    this.cards = new Map();
    this.shown = step;
    this.search = el('input', {type: 'search', placeholder: 'Search', 'aria-label': 'Search printers by name, address, model or status'});
    this.search.addEventListener('input', () => { this.shown = step; this.plan(); });
    this.count = el('p', {class: 'soft', role: 'status'});
    this.troubles = el('div', {class: 'stack', role: 'status', hidden: true});
    this.list = el('div', {class: 'cards'});
    this.end = el('p', {class: 'soft'});
    this.node = el('section', {'aria-labelledby': 'printers-title'}, el('h2', {id: 'printers-title'}, 'Printers'), this.troubles,
      el('div', {class: 'tools'}, this.search, this.count), this.list, this.end);
    new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting) && this.shown < this.printers.size) {
        this.shown += step;
        this.plan();
      }
    }, {rootMargin: '600px'}).observe(this.end);
  }

  /** Shows the bridge's faults above the printers. */
  takeBridge(bridge) {
    const lost = !bridge.connected && bridge.problem && `Not connected to ${bridge.broker}: ${bridge.problem}`;
    const texts = [lost, ...bridge.warnings.map((warning) => warning.message)].filter(Boolean);
    const news = JSON.stringify(texts);
    if (news === this.told) return;
    this.told = news;
    this.troubles.hidden = texts.length === 0;
    this.troubles.replaceChildren(...texts.map((text) => el('p', {class: `trouble${text === lost ? '' : ' warning'}`}, text)));
  }

  take(printers) {
    for (const printer of printers) {
      this.printers.set(printer.id, printer);
      this.cards.get(printer.id)?.update(printer);
    }
    this.plan();
  }

  remove(ids) {
    for (const id of ids) { this.printers.delete(id); this.cards.delete(id); }
    this.plan();
  }

  /** The bridge sends all printers anew; those not sent were removed. */
  reset() { this.printers.clear(); }

  /** Lays the cards out once, however much changes before the next frame. */
  plan() {
    if (this.planned) return;
    this.planned = true;
    requestAnimationFrame(() => { this.planned = false; this.layOut(); });
  }

  layOut() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [...this.printers.values()].filter((printer) => {
      const text = `${printer.id} ${printer.name} ${printer.address} ${printer.camera_url} ${printer.model_name ?? ''} ${printer.stream.status} ${printer.stream.reason ?? ''}`;
      return words.every((word) => text.toLowerCase().includes(word));
    });
    found.sort((a, b) => rank[a.stream.status] - rank[b.stream.status] || (a.name < b.name ? -1 : 1));
    const focused = document.activeElement;
    found.slice(0, this.shown).forEach((printer, index) => {
      const node = this.card(printer).node;
      if (this.list.children[index] !== node) this.list.insertBefore(node, this.list.children[index] ?? null);
    });
    while (this.list.children.length > Math.min(this.shown, found.length)) this.list.lastChild.remove();
    endUnseen();
    // An element that is moved loses the focus.
    if (focused !== document.activeElement && focused.isConnected) focused.focus({preventScroll: true});
    this.count.textContent = this.summary(found.length);
    this.end.replaceChildren(...this.lastLine(found.length));
  }

  card(printer) {
    let card = this.cards.get(printer.id);
    if (!card) {
      card = new Card(printer.id);
      card.update(printer);
      this.cards.set(printer.id, card);
    }
    return card;
  }

  summary(found) {
    const all = this.printers.size;
    const down = [...this.printers.values()].filter((printer) => printer.stream.status === 'down').length;
    const text = found === all ? `${all} ${all === 1 ? 'printer' : 'printers'}` : `${found} of ${all} printers`;
    return down ? `${text}, ${down} ${down === 1 ? 'camera' : 'cameras'} down` : text;
  }

  lastLine(found) {
    if (found > this.shown) return [`${found - this.shown} more below.`];
    if (this.printers.size === 0) return ['No printer yet. ', el('a', {href: '#add'}, 'Add one'), '.'];
    return found === 0 ? ['No printer fits the search.'] : [];
  }
}
