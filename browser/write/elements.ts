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

export function createButton(text: string, onClick: () => void): HTMLButtonElement {
  return createElement('button', { type: 'button', className: 'button compact', onclick: onClick }, text);
}

/**
 * Shows one message at a time; `none` removes it. Screen readers announce `refused` immediately and
 * the others at the next pause.
 */
export function showWriteMessage(
  container: HTMLElement,
  kind: 'done' | 'refused' | 'warning' | 'none',
  ...children: (Node | string)[]
): void {
  if (kind === 'none') {
    container.replaceChildren();
    return;
  }
  const notice = createElement('div', { className: `notice ${kind}` }, ...children);
  if (kind === 'refused') notice.setAttribute('role', 'alert');
  container.replaceChildren(notice);
}
