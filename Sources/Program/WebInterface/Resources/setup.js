// Adds, tests and edits a printer.
import {authoritiesButton} from './authorities.js';
import {countDown, el, sentence} from './dom.js';
import {SettingsForm} from './form.js';
import {needs} from './models.js';
import {get, post, request, test} from './server.js';
import {diagnosis, stageBar} from './stages.js';

let schema = null;
/** What can be chosen: other makers' cameras, models, and the words for the values of settings. */
let choices = null;

async function load() {
  schema ??= await get('api/schema');
  choices ??= await get('api/choices');
}

/** The page that adds a printer. `heard` is what was chosen of the announcements, `camera` another maker's camera, or null. */
export async function addPage(heard, takenIDs, camera = null) {
  await load();
  const values = camera ? {model: 'other'} : heard ? {printer_ip: heard.address, serial: heard.serial, model: heard.model} : {};
  const form = new SettingsForm(schema, choices.words, values, true);
  form.control('id').value = suggestion(camera?.id ?? heard?.model, takenIDs);
  const editor = new Editor(form, null, async () => {
    await request('printer/add', {printer: form.id, settings: form.patch});
    location.hash = '#printers';
  });
  const node = el('section', {class: 'box stack'},
    el('h2', {}, heard ? `Add ${heardName(heard)}` : 'Add a printer'),
    !heard && cameraChoice(camera, async (choice) => {
      const next = await addPage(null, takenIDs, choice);
      node.replaceWith(next);
      next.querySelector('select').focus();
    }),
    camera?.template && addressField(camera, form.control('camera_url')), editor.node);
  return node;
}

function cameraChoice(camera, choose) {
  const cameras = [{id: '', title: 'Bambu Lab printer'}, ...choices.cameras, {id: 'camera', title: 'Any other camera', template: ''}];
  const options = cameras.map(({id, title}) =>
    el('option', {value: id, selected: id === (camera?.id ?? '')}, title));
  const select = el('select', {id: 'camera-choice'}, options);
  select.addEventListener('change', () => choose(select.value ? cameras.find(({id}) => id === select.value) : null));
  return el('div', {class: 'field'}, el('label', {for: 'camera-choice'}, 'Camera of'), select);
}

/** Asks for the address of a known camera, which completes its URL. */
function addressField({title, template}, url) {
  const input = el('input', {id: 'camera-address', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false'});
  input.addEventListener('input', () => {
    const address = input.value.trim();
    url.value = template.replace('{ip}', address.includes(':') ? `[${address}]` : address);
  });
  return el('div', {class: 'field'}, el('label', {for: 'camera-address'}, `IP address of the ${title}`), input);
}

/** The page that edits a printer. */
export async function editPage(id) {
  await load();
  const values = await get(`api/printers/${id}`);
  const form = new SettingsForm(schema, choices.words, values, false);
  const editor = new Editor(form, id, async () => {
    await post(`api/printers/${id}`, form.patch);
    location.hash = '#printers';
  });
  return el('div', {class: 'stack'},
    el('section', {class: 'box stack'}, el('h2', {}, `Edit ${values.name}`), editor.node), renameBox(id), removeBox(id, values.name));
}

/** The printers that announce themselves. */
export function heardList(bridge, choose) {
  if (!bridge) return el('p', {class: 'soft'}, 'Waiting for the bridge…');
  if (!bridge.hears_announcements) {
    return el('p', {class: 'soft'}, 'The bridge does not listen for announcements (stream.announcements).');
  }
  const items = bridge.heard.map((heard) => {
    const name = heardName(heard);
    return el('li', {}, el('span', {}, name, el('span', {class: 'soft small'}, ` ${heard.serial}`)),
      heard.printer ? el('a', {href: `#edit/${heard.printer}`}, `added as ${heard.printer}`)
        : el('button', {type: 'button', 'aria-label': `Add ${name}`, onclick: () => choose(heard)}, 'Add'));
  });
  return items.length ? el('ul', {class: 'heard'}, items)
    : el('p', {class: 'soft'}, 'No printer is heard. Printers announce themselves every few seconds in their own network.');
}

function heardName({model_name: model, address}) { return `${model ?? 'Printer'} at ${address}`; }

class Editor {
  constructor(form, id, save) {
    this.form = form;
    this.id = id;
    this.result = el('div', {class: 'stack', role: 'status'});
    this.help = el('div', {class: 'trouble note small'});
    this.testButton = el('button', {type: 'button', onclick: () => this.test()}, 'Test the connection');
    this.saveButton = el('button', {type: 'submit', class: 'main'}, 'Save');
    this.node = el('form', {novalidate: true}, this.help, form.nodes, this.result,
      el('div', {class: 'row'}, this.testButton, this.saveButton, el('a', {class: 'button', href: '#printers'}, 'Cancel')));
    const model = form.control('model');
    model.addEventListener('change', () => this.showNeeds());
    this.showNeeds();
    this.node.addEventListener('submit', (event) => {
      event.preventDefault();
      this.run(this.saveButton, save);
    });
  }

  showNeeds() {
    const model = this.form.control('model').value;
    this.help.replaceChildren(el('strong', {}, model === 'other' ? 'What is needed' : 'On the screen of the printer'),
      el('ol', {class: 'numbered'}, needs(model, choices.models).map((text) => el('li', {}, text))));
  }

  test() {
    this.run(this.testButton, async () => {
      this.result.replaceChildren(el('p', {}, 'Connecting…'));
      let stop = () => {};
      await test(this.id, this.form.patch, (line) => {
        stop();
        if (line.errors) { this.result.replaceChildren(); this.form.show(line.errors); }
        else if (line.progress) this.result.replaceChildren(...stageBar(line.progress.latency_ms, null), el('p', {}, 'Connecting…'));
        else if (line.waiting) {
          const wait = el('p');
          this.result.replaceChildren(wait);
          stop = countDown(wait, line.waiting, line.seconds);
        }
        else this.result.replaceChildren(...report(line.report, this.form.control('camera_url').value !== ''));
      });
    });
  }

  async run(button, work) {
    const faults = this.form.unreadable;
    this.form.show(faults);
    if (faults.length > 0) return;
    button.disabled = true;
    try { await work(); } catch (error) {
      this.result.replaceChildren();
      this.form.show(error.errors ?? [{path: '', message: error.message}]);
    }
    button.disabled = false;
  }
}

function report(result, isOtherCamera) {
  const words = result.healthy ? [el('strong', {}, 'The camera answers.')]
    : diagnosis(result.hint, result.message);
  return [...stageBar(result.latency_ms, result.failed_stage),
    el('div', {class: result.healthy ? 'box' : 'trouble'}, words,
      result.reason === 'server_unproven' && !isOtherCamera && authoritiesButton(),
      result.certificate && el('p', {class: 'soft small'}, `The certificate names ${result.certificate}.`))];
}

function renameBox(id) {
  const name = el('input', {id: 'new-id', value: id, maxlength: 64, autocomplete: 'off', autocapitalize: 'none'});
  const answer = el('p', {class: 'error', role: 'alert'});
  return el('section', {class: 'box stack'}, el('h3', {}, 'Id in topics'),
    el('form', {onsubmit: async (event) => {
      event.preventDefault();
      try { await request('printer/rename', {printer: id, to: name.value.trim()}); location.hash = '#printers'; } catch (error) {
        answer.textContent = error.message;
      }
    }}, el('div', {class: 'field'}, el('label', {for: 'new-id'}, 'New id'), name, answer),
    el('div', {class: 'row'}, el('button', {type: 'submit'}, 'Rename'))));
}

function removeBox(id, name) {
  const answer = el('p', {class: 'error', role: 'alert'});
  const dialog = el('dialog', {'aria-label': `Remove ${name}`}, el('div', {class: 'stack'},
    el('p', {}, `Remove ${name}? The bridge forgets its settings, and its device in Home Assistant goes.`), answer,
    el('div', {class: 'row'},
      el('button', {type: 'button', class: 'danger', onclick: async () => {
        try { await request('printer/remove', {printer: id}); dialog.close(); location.hash = '#printers'; } catch (error) {
          answer.textContent = error.message;
        }
      }}, 'Remove it'),
      el('button', {type: 'button', onclick: () => dialog.close()}, 'Keep it'))));
  return el('section', {class: 'box row'}, dialog,
    el('button', {type: 'button', class: 'danger', onclick: () => dialog.showModal()}, `Remove ${name}`));
}

function suggestion(model, taken) {
  const base = model && model !== 'auto' ? model : 'printer';
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}_${number}`)) number += 1;
  return `${base}_${number}`;
}
