// The bridge, its broker and Home Assistant.
import {el, when} from './dom.js';
import {getText} from './server.js';

export class BridgePage {
  constructor() {
    this.state = el('div', {class: 'two'});
    this.report = el('textarea', {readonly: true, 'aria-label': 'Report', hidden: true});
    this.copied = el('p', {class: 'soft', role: 'status'});
    this.node = el('section', {class: 'stack'}, el('h2', {}, 'Bridge'), this.state,
      el('div', {class: 'box stack'}, el('h3', {}, 'Report'),
        el('p', {class: 'soft'}, 'A text for a bug report: without access codes, serial numbers and names.'),
        el('div', {class: 'row'}, el('button', {type: 'button', onclick: () => this.show()}, 'Make a report'), this.copied),
        this.report));
  }

  take(bridge) {
    this.state.replaceChildren(
      el('div', {class: 'box stack'}, el('h3', {}, 'Broker'), rows([
        ['Address', bridge.broker], ['State', bridge.connected ? 'connected' : 'not connected; the bridge tries again'],
        ['Protocol', `MQTT ${bridge.protocol}`], ['Home Assistant', bridge.home_assistant_at
          ? `started ${when(bridge.home_assistant_at)}` : 'not heard since the bridge started; it tells when it starts'],
        ['Version', bridge.version], ['Started', when(bridge.started_at)],
      ])),
      el('div', {class: 'box stack'}, el('h3', {}, 'Warnings'), bridge.warnings.length
        ? bridge.warnings.map((warning) => el('p', {class: 'trouble note'}, warning.message))
        : el('p', {class: 'soft'}, 'None.')),
      el('div', {class: 'box stack'}, el('h3', {}, 'Counted since the start'),
        rows(Object.entries(bridge.counters).map(([name, count]) => [name.replaceAll('_', ' '), count]))));
  }

  async show() {
    try { this.report.value = await getText('api/report'); } catch (error) { this.copied.textContent = error.message; return; }
    this.report.hidden = false;
    this.report.select();
    try {
      await navigator.clipboard.writeText(this.report.value);
      this.copied.textContent = 'Copied.';
    } catch {
      // Browsers allow that over HTTPS and on this machine only.
      this.copied.textContent = 'Press Ctrl+C to copy it.';
    }
  }
}

function rows(pairs) {
  return el('dl', {}, pairs.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, String(value))]));
}
