// Makes elements. Texts are set as texts, never as HTML.

/** An element: `el('a', {href: '#x', class: 'y', onclick: f}, 'text', child)`; what is null or false is left out. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** A time as people say it: '14:05', or with the day if it was not today. */
export function when(text) {
  if (!text) return 'never';
  const time = new Date(text);
  const isToday = time.toDateString() === new Date().toDateString();
  return time.toLocaleString([], isToday ? {timeStyle: 'short'} : {dateStyle: 'medium', timeStyle: 'short'});
}

/** Shows a text whose seconds count down; calls `done` at the end. Returns what stops it. */
export function countDown(node, text, seconds, done = () => {}) {
  const end = Date.now() + seconds * 1000;
  const show = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    node.textContent = text.replace(/\d+ s\b/, `${left} s`);
    if (left === 0) { clearInterval(timer); done(); }
  };
  const timer = setInterval(show, 1000);
  show();
  return () => clearInterval(timer);
}

/** Copies the text of a node; where the browser does not allow that, the text is at least selected. */
export async function copy(node) {
  if (node.select) node.select(); else getSelection().selectAllChildren(node);
  // Browsers have a clipboard over HTTPS and on this machine only.
  if (navigator.clipboard) return navigator.clipboard.writeText(node.value ?? node.textContent).then(() => true, () => false);
  return document.execCommand('copy');
}

/** Shows a picture in full, until the next click. */
export function openPicture(address, name) {
  const dialog = el('dialog', {class: 'picture', 'aria-label': name, onclick: () => dialog.close(), onclose: () => dialog.remove()},
    el('button', {type: 'button'}, 'Close'), el('img', {src: address, alt: name}));
  document.body.append(dialog);
  dialog.showModal();
}

/** 'Something went wrong.' for 'something went wrong'. */
export function sentence(text) {
  return text ? text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.') : '';
}
