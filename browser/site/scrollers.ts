/**
 * Makes scrollable blocks focusable, so that they scroll by keyboard. Most browsers do this
 * themselves; Safari does not.
 */

export function makeScrollersFocusable(): void {
  const follow = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
      else target.removeAttribute('tabindex');
    }
  });
  for (const element of document.querySelectorAll('pre, table, math[display=block]')) follow.observe(element);
}
