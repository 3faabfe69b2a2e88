// Talks to the bridge. Every address is relative, so that the page works below any path.

let token = '';

/** Begins or finds the session of this browser. */
export async function session() {
  const answer = await (await check(await fetch('api/session'))).json();
  token = answer.change_token;
  return answer;
}

export async function get(path) {
  return (await check(await fetch(path))).json();
}

export async function getText(path) {
  return (await check(await fetch(path))).text();
}

/** Changes something. A session that ended with a restart of the bridge is begun again, once. */
export async function post(path, fields, isRepeated = false) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: {'Content-Type': 'application/json', 'X-Change-Token': token},
    body: JSON.stringify(fields),
  });
  if (answer.status === 403 && !isRepeated) {
    await session();
    return post(path, fields, true);
  }
  return check(answer);
}

/** A request as over MQTT. */
export const request = (verb, fields) => post(`api/request/${verb}`, fields);

/** Tests settings; `step` is told each event of the answer. */
export async function test(printer, settings, step) {
  const answer = await post('api/test', {printer, settings});
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    const events = (rest + value).split('\n\n');
    rest = events.pop();
    for (const event of events) step(JSON.parse(event.slice('data: '.length)));
  }
}

/** Throws why the bridge did not do something, with `errors`: a list of {path, code, message}. */
async function check(answer) {
  if (answer.ok) return answer;
  const text = await answer.text();
  let errors;
  try { errors = JSON.parse(text).errors; } catch { errors = [{path: '', code: 'refused', message: text.trim()}]; }
  const message = errors.map((error) => `${error.path} ${error.message}`.trim()).join('; ');
  throw Object.assign(new Error(message), {errors});
}
