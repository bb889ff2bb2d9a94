/** Creates elements. Strings become text nodes, never HTML. */

export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

export function createButton(text: string, act: () => void): HTMLButtonElement {
  return createElement('button', { type: 'button', className: 'button compact', onclick: act }, text);
}

/**
 * Shows one message at a time; `none` removes it. Screen readers announce `refused` immediately and
 * the others at the next pause.
 */
export function showWriteMessage(
  place: HTMLElement,
  kind: 'done' | 'refused' | 'warning' | 'none',
  ...children: (Node | string)[]
): void {
  if (kind === 'none') {
    place.replaceChildren();
    return;
  }
  const notice = createElement('div', { className: `notice ${kind}` }, ...children);
  if (kind === 'refused') notice.setAttribute('role', 'alert');
  place.replaceChildren(notice);
}
