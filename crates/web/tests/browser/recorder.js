// Records the messages that go away by themselves, so that a test does not miss them on a slow machine.
window.messages = [];
new MutationObserver((changes) => {
  const added = changes.flatMap((change) => [...change.addedNodes]);
  messages.push(...added.filter((node) => node instanceof Element && node.matches('.toast')).map((toast) => toast.textContent));
}).observe(document, { childList: true, subtree: true });
