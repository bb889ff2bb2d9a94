/** Tells whoever looks at the page, or hears it, what just happened. */
export function say(text: string, kind: 'done' | 'refused' | 'warning' | 'quiet'): void {
  const place = document.querySelector('[data-said]');
  if (!place) return;
  const said = document.createElement('p');
  said.textContent = text;
  said.dir = 'auto';
  // A change of state is seen where it stands; only what a command answered is shown as well.
  said.className = kind === 'quiet' ? 'sr-only' : `notice ${kind}`;
  // The change that a command brings comes right behind its answer, which stays in sight.
  const before = [...place.children].filter((one) => one.classList.contains('sr-only') === (kind === 'quiet'));
  for (const one of before) one.remove();
  place.append(said);
}
