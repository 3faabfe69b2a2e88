// The last day of a stream as a strip.
import {el} from './dom.js';

const day = 86_400;

/** A strip whose parts are as long as each status held; grey is not known. */
export function dayStrip(history, now = Date.now() / 1000) {
  const start = now - day;
  const parts = history.map(([since, status], index) => {
    const end = index + 1 < history.length ? history[index + 1][0] : now;
    return {status, from: Math.max(since, start), length: Math.max(0, end - Math.max(since, start))};
  }).filter((part) => part.length > 0);
  const unknown = parts.length === 0 ? day : parts[0].from - start;
  const strip = el('div', {class: 'day', role: 'img', 'aria-label': spoken(parts)},
    [{status: 'before', length: unknown}, ...parts].map((part) => {
      const node = el('i', {class: part.status});
      node.style.flexGrow = part.length;
      return node;
    }));
  return el('div', {}, strip, el('p', {class: 'hours'}, el('span', {}, '24 h ago'), el('span', {}, 'now')));
}

function spoken(parts) {
  const seconds = {};
  for (const part of parts) seconds[part.status] = (seconds[part.status] ?? 0) + part.length;
  const words = Object.entries(seconds).map(([status, time]) => `${status} ${time < 5400 ? `${Math.round(time / 60)} min` : `${Math.round(time / 3600)} h`}`);
  return `Last 24 hours: ${words.join(', ') || 'nothing known'}`;
}
