// Loads the page's scripts after the first paint, which would wait for them. The bridge refuses some of them while too many
// requests come from one network, such as those of several pages at once: then the page is loaded again a little later.
document.querySelector('.late').remove();
requestAnimationFrame(() => setTimeout(() => import('./page.js').catch((error) => {
  const isRefused = error instanceof TypeError;
  document.querySelector('main').textContent = isRefused ? 'The page could not be loaded. Trying again…'
    : `This browser cannot show the page: ${error.message}`;
  if (isRefused) setTimeout(() => location.reload(), 5000 * (1 + Math.random()));
})));
