// The vendor's authorities, which prove printers by their serial numbers.
import {el} from './dom.js';
import {post} from './server.js';

/** A button that gets them, and says which are kept. */
export function authoritiesButton() {
  const answer = el('p', {class: 'small', role: 'status'});
  const button = el('button', {type: 'button'}, "Get the vendor's authorities");
  button.addEventListener('click', async () => {
    button.disabled = true;
    answer.textContent = 'Downloading…';
    try {
      const {kept} = await (await post('api/authorities', {})).json();
      answer.textContent = `Kept: ${kept.join(', ')}. A printer is proven once its serial number is set.`;
    } catch (error) { answer.textContent = error.message; }
    button.disabled = false;
  });
  return el('div', {class: 'row'}, button, answer);
}
