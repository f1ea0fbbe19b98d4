// @ts-check
// Runs before the first paint, so that the page never flashes in the wrong colours.
(() => {
  let theme = null;
  try {
    theme = JSON.parse(localStorage.getItem('clearway.theme') ?? 'null');
  } catch {
    // Without storage, use the system's theme.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
})();
