/** What is wider than its column scrolls, and can then be scrolled by keyboard. Most browsers see to that themselves; Safari does not. */

export function easeScrolling(): void {
  const follow = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
      else target.removeAttribute('tabindex');
    }
  });
  for (const element of document.querySelectorAll('pre, table, math[display=block]')) follow.observe(element);
}
