// Which page is shown, and the connection to the bridge.
import {BridgePage} from './bridge.js';
import {endUnseen, resume} from './card.js';
import {el, sentence} from './dom.js';
import {PrinterList} from './printers.js';
import {post, session} from './server.js';
import {addPage, editPage, heardList} from './setup.js';

const main = document.querySelector('main');
const nav = document.querySelector('nav');
const link = document.querySelector('#link');
const printers = new PrinterList();
const bridgePage = new BridgePage();
const heard = el('div');
let shownHeard = null;
let isShown = false;
/** What was shown when the bridge asked for the password; null unless it asks. */
let behindLogin = null;
let bridge = null;
let chosen = null;

let events = null;

/** Browsers allow few connections to one server: a page that is hidden gives its own back. */
function connect() {
  events?.close();
  events = null;
  if (document.hidden) return;
  const source = new EventSource('api/events');
  events = source;
  const on = (name, take) => source.addEventListener(name, (event) => take(JSON.parse(event.data)));
  source.addEventListener('open', () => { printers.reset(); resume(); });
  source.addEventListener('error', () => {
    say('Connection to the bridge lost. Trying again…', true);
    // After an HTTP error, browsers do not try again.
    if (source.readyState === EventSource.CLOSED) setTimeout(start, 3000);
  });
  on('printers', (list) => printers.take(list));
  on('removed', (ids) => printers.remove(ids));
  on('bridge', (news) => {
    bridge = news;
    say(bridge.connected ? 'Live' : 'No broker', !bridge.connected);
    bridgePage.take(bridge);
    printers.takeBridge(bridge);
    showHeard();
  });
}

/** A list that is made anew loses the focus: only when it differs. */
function showHeard() {
  const news = JSON.stringify([bridge?.heard, bridge?.hears_announcements]);
  if (news === shownHeard) return;
  shownHeard = news;
  heard.replaceChildren(heardList(bridge, choose));
}

function say(text, isLost) {
  link.textContent = text;
  link.classList.toggle('lost', isLost);
}

function choose(announcement) {
  chosen = announcement;
  if (location.hash === '#add') show(); else location.hash = '#add';
}

async function show() {
  if (behindLogin) return;
  isShown = true;
  const [page, id] = (location.hash.slice(1) || 'printers').split('/');
  for (const item of nav.children) {
    if (item.hash === `#${page}`) item.setAttribute('aria-current', 'page'); else item.removeAttribute('aria-current');
  }
  const asked = location.hash;
  let node;
  try { node = await content(page, id); } catch (error) { node = el('p', {role: 'alert'}, error.message); }
  if (asked !== location.hash) return;
  main.replaceChildren(node);
  endUnseen();
}

async function content(page, id) {
  if (page === 'bridge') { bridgePage.showTokens(printers.printers); return bridgePage.node; }
  if (page === 'edit') return editPage(id);
  if (page !== 'add') return printers.node;
  const announcement = chosen;
  chosen = null;
  showHeard();
  return el('div', {class: 'stack'},
    el('section', {class: 'box stack'}, el('h2', {}, 'Heard on the network'), heard),
    await addPage(announcement, new Set(printers.printers.keys())));
}

/** Asks for the password. What was shown before comes back afterwards: a form may be half filled in. */
function showLogin() {
  behindLogin ??= isShown ? [...main.childNodes] : [];
  document.onvisibilitychange = null;
  nav.hidden = true;
  say('', false);
  const password = el('input', {id: 'password', type: 'password', autocomplete: 'current-password', required: true});
  const error = el('p', {class: 'error', role: 'alert'});
  main.replaceChildren(el('form', {class: 'box', onsubmit: async (event) => {
    event.preventDefault();
    try { await post('api/login', {password: password.value}); await start(); } catch (refusal) {
      const isNamed = refusal.errors?.[0]?.path === 'password';
      error.textContent = sentence(isNamed ? `The ${refusal.message}` : refusal.message);
      password.select();
    }
  }}, el('h2', {}, 'Sign in'), el('div', {class: 'field'}, el('label', {for: 'password'}, 'Password'), password, error),
  el('div', {class: 'row'}, el('button', {class: 'main', type: 'submit'}, 'Sign in'))));
  password.focus();
}

/** Begins the session, also after the connection was lost: what is shown stays. */
async function start() {
  let state;
  try { state = await session(); } catch (error) {
    say(error.message, true);
    setTimeout(start, 3000);
    return;
  }
  if (state.needs_password) return showLogin();
  nav.hidden = false;
  if (state.has_password && !document.querySelector('#sign-out')) {
    link.after(el('button', {id: 'sign-out', type: 'button', onclick: async () => {
      await post('api/logout', {});
      location.reload();
    }}, 'Sign out'));
  }
  connect();
  document.onvisibilitychange = connect;
  const nodes = behindLogin;
  behindLogin = null;
  if (nodes?.length) main.replaceChildren(...nodes); else if (nodes || !isShown) await show();
}

addEventListener('hashchange', () => { show(); main.focus(); });
start();
