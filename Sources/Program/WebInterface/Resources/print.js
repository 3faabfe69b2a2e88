// What a printer reports of its print, on its card.
import {el, when} from './dom.js';
import {diagnosis} from './stages.js';

const states = {
  idle: 'Printer idle', init: 'Printer starting', offline: 'Printer offline', prepare: 'Preparing to print', slicing: 'Slicing',
  running: 'Printing', pause: 'Print paused', finish: 'Print finished', failed: 'Print failed',
};
const active = ['prepare', 'slicing', 'running', 'pause'];

/** Why the camera fails when the report fails for the same reason: the card then says it once, of the camera. */
const alike = {
  unreachable: ['dns_failed', 'tcp_refused', 'tcp_timeout'], tls_failed: ['tls_failed', 'tls_timeout'],
  server_unproven: ['server_unproven', 'certificate_changed'], other_printer: ['certificate_changed', 'tls_untrusted'],
  code_refused: ['unauthorized'],
};

/** The lines about a print; none while the report is not followed. */
export function printLines(print, link, stream) {
  if (!link) return [];
  const isKnown = Boolean(print?.state);
  const isOld = isKnown && !['connected', 'waiting'].includes(link.status);
  const fault = !alike[link.reason]?.includes(stream.reason) && (link.message || link.hint);
  return [
    isKnown && el('div', {class: isOld ? 'stack old' : 'stack'},
      [head(print), active.includes(print.state) && progress(print), temperatures(print), ...faults(print)]),
    isOld && el('p', {class: 'soft small'}, `No report since ${when(link.since)}.`),
    !isKnown && !fault && !link.reason && el('p', {class: 'soft small'}, 'Waiting for the printer’s report…'),
    fault && el('div', {class: 'trouble warning small'}, el('p', {}, 'Telemetry:'), diagnosis(link.hint, link.message)),
  ].filter(Boolean);
}

function head(print) {
  const stage = print.stage_name && !['idle', 'printing'].includes(print.stage_name) && print.stage_name.replaceAll('_', ' ');
  const filament = active.includes(print.state) && print.active_tray?.type;
  return el('p', {class: 'print'}, el('strong', {}, states[print.state] ?? print.state),
    el('span', {class: 'soft small'}, [print.state !== 'idle' && print.job, stage, filament].filter(Boolean).join(' · ')));
}

function progress(print) {
  const words = [
    print.progress !== null && `${print.progress} %`, print.remaining_minutes !== null && `${duration(print.remaining_minutes)} left`,
    print.ends_at && `until ${when(print.ends_at)}`, print.layer && `layer ${print.layer}${print.total_layers ? ` of ${print.total_layers}` : ''}`,
  ].filter(Boolean).join(' · ');
  return el('div', {}, el('progress', {max: 100, value: print.progress ?? null, 'aria-label': 'Progress of the print'}), el('p', {class: 'small'}, words));
}

function temperatures(print) {
  const nozzles = print.nozzles ? Object.entries(print.nozzles).map(([name, nozzle]) => [`${name} nozzle`, nozzle]) : [['nozzle', print]];
  const words = [
    ...nozzles.map(([name, nozzle]) => temperature(name, nozzle.nozzle_temperature, nozzle.nozzle_target)),
    temperature('bed', print.bed_temperature, print.bed_target), temperature('chamber', print.chamber_temperature, print.chamber_target),
  ].filter(Boolean).join(' · ');
  return words && el('p', {class: 'soft small'}, words);
}

function temperature(name, now, target) {
  if (now === null || now === undefined) return null;
  const text = `${name} ${Math.round(now)}${target ? ` of ${Math.round(target)}` : ''} °C`;
  return text[0].toUpperCase() + text.slice(1);
}

/** What the printer complains about, with the maker's pages. */
function faults(print) {
  const all = [print?.error, ...(print?.hms ?? [])].filter((fault) => fault && !['info', 'unknown'].includes(fault.severity));
  if (all.length === 0) return [];
  return [el('div', {class: 'trouble small'}, el('strong', {}, 'The printer reports a problem.'), el('ul', {}, all.map((fault) => el('li', {},
    el('a', {href: fault.link, target: '_blank', rel: 'noreferrer'}, fault.code), fault.severity && ` (${fault.severity})`))))];
}

function duration(minutes) {
  return minutes < 60 ? `${Math.round(minutes)} min` : `${Math.floor(minutes / 60)} h ${Math.round(minutes % 60)} min`;
}
