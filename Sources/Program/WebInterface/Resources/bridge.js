// The bridge, its broker and Home Assistant.
import {authoritiesButton} from './authorities.js';
import {copy, el, when} from './dom.js';
import {getText, post} from './server.js';

export class BridgePage {
  constructor() {
    this.state = el('div', {class: 'two'});
    this.counts = el('div');
    this.counters = el('details', {}, el('summary', {}, 'Counted since the start'), this.counts);
    this.report = el('textarea', {readonly: true, 'aria-label': 'Report', hidden: true});
    this.copied = el('p', {class: 'soft', role: 'status'});
    this.findings = el('div', {class: 'stack', role: 'status'});
    this.examine = el('button', {type: 'button', onclick: () => this.diagnose()}, 'Check everything');
    this.tokens = el('div');
    this.node = el('section', {class: 'stack'}, el('h2', {}, 'Bridge'), this.state,
      el('div', {class: 'box stack'}, el('h3', {}, 'Doctor'),
        el('p', {class: 'soft'}, 'Checks the configuration, the broker and what it allows, the store and each printer.'),
        el('div', {class: 'row'}, this.examine), this.findings),
      el('div', {class: 'box stack'}, el('h3', {}, "Vendor's authorities"),
        el('p', {class: 'soft'}, 'They prove each printer whose serial number is set, so that no certificate has to be accepted.'),
        authoritiesButton()), this.tokens,
      el('div', {class: 'box stack'}, el('h3', {}, 'Report'),
        el('p', {class: 'soft'}, 'A text for a bug report: without access codes, serial numbers and names, with what the doctor found.'),
        el('div', {class: 'row'}, el('button', {type: 'button', onclick: () => this.show()}, 'Make a report'), this.copied),
        this.report));
  }

  take(bridge) {
    this.state.replaceChildren(
      el('div', {class: 'box stack'}, el('h3', {}, 'Broker'), rows([
        ['Address', bridge.broker], ['State', bridge.connected ? 'connected' : `not connected; the bridge tries again. ${bridge.problem ?? ''}`],
        ['Protocol', `MQTT ${bridge.protocol}`],
        ...(bridge.discovery_has_readers === null ? [] : [['Home Assistant',
          bridge.discovery_has_readers ? 'listens to the bridge' : 'no client of the broker listens for discovery']]),
        ['Version', bridge.version], ['Started', when(bridge.started_at)],
      ]), this.counters),
      el('div', {class: 'box stack'}, el('h3', {}, 'Warnings'), bridge.warnings.length
        ? bridge.warnings.map((warning) => el('p', {class: 'trouble warning'}, warning.message))
        : el('p', {class: 'soft'}, 'None.')));
    this.counts.replaceChildren(rows(Object.entries(bridge.counters).map(([name, count]) => [name.replaceAll('_', ' '), count])));
  }

  async showTokens(printers) {
    const {TokenList} = await import('./tokens.js');
    this.tokenList ??= new TokenList(printers);
    this.tokens.replaceChildren(this.tokenList.node);
    await this.tokenList.load();
  }

  async diagnose() {
    this.examine.disabled = true;
    this.findings.replaceChildren(el('p', {class: 'soft'}, 'Checking…'));
    try {
      const all = await (await post('api/doctor', {})).json();
      const found = all.filter((finding) => finding.verdict !== 'ok');
      this.findings.replaceChildren(
        el('p', {class: 'soft'}, `${all.length - found.length} of ${all.length} checks are ok.`),
        ...found.map((finding) => el('div', {class: `trouble ${finding.verdict}`},
          el('p', {class: 'soft small'}, `${finding.subject}: ${finding.verdict}`), el('p', {}, finding.message), el('strong', {}, finding.fix || ''))));
    } catch (error) {
      this.findings.replaceChildren(el('p', {class: 'trouble'}, error.message));
    }
    this.examine.disabled = false;
  }

  async show() {
    try { this.report.value = await getText('api/report'); } catch (error) { this.copied.textContent = error.message; return; }
    this.report.hidden = false;
    this.copied.textContent = await copy(this.report) ? 'Copied.' : 'Press Ctrl+C to copy it.';
  }
}

function rows(pairs) {
  return el('dl', {}, pairs.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, String(value))]));
}
