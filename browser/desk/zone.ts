/** Offers the time zone of the browser if the author chose another one. */

export function offerZone(): void {
  const input = document.querySelector<HTMLInputElement>('input[data-zone]');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!input || !zone || input.value === zone) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button compact';
  button.dataset.keep = '';
  button.textContent = `Use ${zone}, the time zone of this browser`;
  button.addEventListener('click', () => {
    input.value = zone;
    button.remove();
    input.focus();
  });
  input.closest('.field')?.append(button);
}
