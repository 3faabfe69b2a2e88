// Loads the page's scripts after the first paint, which would wait for them.
requestAnimationFrame(() => setTimeout(() => import('./page.js')));
