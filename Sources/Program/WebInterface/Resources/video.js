// Plays a camera's video: fragments of MP4, by Media Source Extensions.

/** Seconds that the video is behind the newest picture after a jump: at first, and at most. Each time that it runs dry, it is `step` more. */
const lag = {first: 0.1, step: 0.2, most: 1.5};
/** Seconds that the video may fall further behind than that before it jumps. */
const slack = 0.2;
/** Seconds of shown video to keep: browsers limit the memory for video. */
const kept = 10;

/** Plays until the stream ends or is aborted. Throws errors with a text for people, and the seconds to wait if it can be tried again. `player` is the address for other players. */
export async function play(video, address, player, signal) {
  const answer = await fetch(address, {signal});
  if (!answer.ok) throw Object.assign(new Error(await answer.text()), {seconds: Number(answer.headers.get('Retry-After'))});
  const type = answer.headers.get('content-type');
  const Source = window.ManagedMediaSource ?? window.MediaSource;
  if (!Source?.isTypeSupported(type)) throw new Error(unsupported(type, player));
  const source = new Source();
  video.disableRemotePlayback = true;
  video.src = URL.createObjectURL(source);
  // A video of Chromium that ran dry may stand still until it jumps, even with seconds of pictures ahead.
  let behind = lag.first;
  let dryAt = -1;
  video.onwaiting = () => {
    if (video.readyState !== video.HAVE_CURRENT_DATA || video.currentTime < dryAt + lag.step) return;
    dryAt = video.currentTime;
    behind = Math.min(behind + lag.step, lag.most);
  };
  try {
    await event(source, 'sourceopen');
    const buffer = source.addSourceBuffer(type);
    const reader = answer.body.getReader();
    for (;;) {
      const {done, value} = await reader.read();
      if (done) return;
      if (video.error) throw new Error(`This browser cannot show the video. ${video.error.message}`);
      buffer.appendBuffer(value);
      await event(buffer, 'updateend');
      follow(video, behind);
      if (buffer.buffered.length && video.currentTime - buffer.buffered.start(0) > 2 * kept) {
        buffer.remove(0, video.currentTime - kept);
        await event(buffer, 'updateend');
      }
    }
  } finally {
    URL.revokeObjectURL(video.src);
    video.removeAttribute('src');
    video.load();
  }
}

function event(target, name) {
  return new Promise((resolve) => target.addEventListener(name, resolve, {once: true}));
}

/** Jumps to `behind` seconds before the end of the newest pictures, if the video is too far from it; there may be gaps before them. */
function follow(video, behind) {
  const last = video.buffered.length - 1;
  if (last < 0) return;
  if (!video.seeking) {
    const [start, end] = [video.buffered.start(last), video.buffered.end(last)];
    if (video.currentTime < start) video.currentTime = start;
    else if (end - video.currentTime > behind + slack) video.currentTime = Math.max(start, end - behind);
  }
  if (video.paused) video.play().catch(() => {});
}

function unsupported(type, player) {
  const codec = /hvc1/.test(type) ? 'H.265' : 'this kind of';
  const elsewhere = player ? `, or a player such as mpv at ${player}` : '';
  return `This browser cannot play ${codec} video. Try another browser${elsewhere}.`;
}
