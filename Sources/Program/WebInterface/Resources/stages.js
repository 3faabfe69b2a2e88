// What a probe found: its stages as a bar, and what to do.
import {el, sentence} from './dom.js';

const stages = {
  dns: 'DNS', tcp: 'TCP', tls: 'TLS', options: 'OPTIONS', describe: 'DESCRIBE', setup: 'SETUP', play: 'PLAY', first_frame: 'Picture',
};

/** Elements for the stages that a probe reached; none before the first probe. */
export function stageBar(latencies, failed) {
  const reached = Object.keys(stages).filter((stage) => stage in (latencies ?? {}) || stage === failed);
  if (reached.length === 0) return [];
  const isRTSP = reached.includes('options');
  return [el('ol', {class: 'stages', 'aria-label': 'Stages of the last probe'}, reached.map((stage) =>
    el('li', {class: stage === failed ? 'failed' : 'ok'},
      el('b', {}, stage === 'play' && !isRTSP ? 'Stream' : stages[stage]), stage === failed ? 'failed' : `${latencies[stage]} ms`)))];
}

/** What to do, and below it what happened. */
export function diagnosis(hint, message) {
  return [el('strong', {}, hint || sentence(message)), hint && message && el('p', {class: 'soft small'}, sentence(message))].filter(Boolean);
}
