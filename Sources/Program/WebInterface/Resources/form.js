// A form made from the schema of the settings.
import {el} from './dom.js';

/** Settings that everybody needs come first; all others are below 'More settings'. */
const ofPrinters = ['name', 'printer_ip', 'access_code', 'model', 'serial', 'telemetry'];
const ofCameras = ['name', 'camera_url', 'stream_user', 'access_code'];

export class SettingsForm {
  /** `words` are what people read for a value. `values` are the reported ones, in which a secret is a mask, or for a new printer those to begin with. */
  constructor(schema, words, values, isNew) {
    this.words = words;
    this.values = values;
    this.isNew = isNew;
    this.fields = new Map();
    const first = values.camera_url || values.model === 'other' ? ofCameras : ofPrinters;
    const keys = Object.keys(schema.properties).filter((key) => !schema.properties[key].readOnly);
    const rest = keys.filter((key) => !first.includes(key));
    this.error = el('p', {class: 'error', role: 'alert', hidden: true});
    this.nodes = [
      isNew && this.field('id', {title: 'Id', type: 'string', maxLength: 64, description: 'The name in topics: a-z, 0-9, _ and -.'}),
      ...first.filter((key) => keys.includes(key)).map((key) => this.field(key, schema.properties[key])),
      el('details', {}, el('summary', {}, 'More settings'), el('div', {}, rest.map((key) => this.field(key, schema.properties[key])))),
      this.error,
    ].filter(Boolean);
  }

  field(key, rule) {
    const id = `field-${key}`;
    const isCheck = rule.type === 'boolean';
    const value = this.values[key] ?? rule.default ?? '';
    const help = el('p', {class: 'soft small', id: `${id}-help`}, rule.description ?? '');
    const error = el('p', {class: 'error', id: `${id}-error`, hidden: true});
    const common = {id, name: key, 'aria-describedby': `${id}-error ${id}-help`};
    const control = rule.enum
      ? el('select', common, rule.enum.map((option) => el('option', {value: option, selected: option === value}, this.words[option] ?? option)))
      : el('input', {...common, type: kind(rule), min: rule.minimum, max: rule.maximum, maxlength: rule.maxLength,
        autocomplete: rule.writeOnly ? 'new-password' : 'off', autocapitalize: 'none', spellcheck: 'false',
        placeholder: rule.writeOnly && value ? 'unchanged' : null});
    if (isCheck) control.checked = value === true;
    else if (!rule.enum && !rule.writeOnly) control.value = value;
    this.fields.set(key, {control, error, rule, before: this.isNew ? rule.default ?? '' : value});
    const label = el('label', {for: id}, rule.title);
    return isCheck
      ? el('div', {class: 'field check'}, control, label, help, error)
      : el('div', {class: 'field'}, label, control, help, error);
  }

  get id() { return this.fields.get('id')?.control.value.trim(); }

  control(key) { return this.fields.get(key).control; }

  /** What was changed, as a patch. */
  get patch() {
    const patch = {};
    for (const [key, {control, rule, before}] of this.fields) {
      if (key === 'id') continue;
      const value = read(control, rule);
      if (rule.writeOnly ? value !== '' : value !== before && !(value === null && before === '')) patch[key] = value;
    }
    return patch;
  }

  /** Faults of what the browser cannot read, such as letters in a number. */
  get unreadable() {
    return [...this.fields].filter(([, {control}]) => control.validity.badInput)
      .map(([key]) => ({path: key, message: 'is not a number'}));
  }

  /** Shows faults at their fields; those of no field at the end. */
  show(errors) {
    for (const {control, error} of this.fields.values()) {
      control.removeAttribute('aria-invalid');
      error.hidden = true;
    }
    const others = [];
    let focus = null;
    for (const fault of errors) {
      const key = {printer: 'id', to: 'id'}[fault.path] ?? fault.path.replace(/^settings\./, '');
      const field = this.fields.get(key);
      if (!field) { others.push(`${fault.path} ${fault.message}`.trim()); continue; }
      field.control.setAttribute('aria-invalid', 'true');
      field.error.textContent = `This ${fault.message}.`;
      field.error.hidden = false;
      const details = field.control.closest('details');
      if (details) details.open = true;
      focus ??= field.control;
    }
    this.error.textContent = others.join('; ');
    this.error.hidden = others.length === 0;
    focus?.focus();
  }
}

function kind(rule) {
  if (rule.writeOnly) return 'password';
  return {boolean: 'checkbox', integer: 'number', number: 'number'}[rule.type] ?? 'text';
}

function read(control, rule) {
  if (rule.type === 'boolean') return control.checked;
  if (rule.type === 'integer' || rule.type === 'number') return control.value === '' ? null : Number(control.value);
  const text = control.value.trim();
  // A text that may not be empty goes back to its default.
  return text === '' && rule.minLength > 0 ? null : text;
}
