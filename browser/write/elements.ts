/** Elements made by script. Texts are texts: nothing of a stranger is read as HTML. */

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function button(text: string, act: () => void): HTMLButtonElement {
  return element('button', { type: 'button', className: 'button compact', onclick: act }, text);
}

/** One message at a time; none where there are no children. `refused` is said at once, the others when there is a pause. */
export function say(
  place: HTMLElement,
  kind: 'done' | 'refused' | 'warning' | 'none',
  ...children: (Node | string)[]
): void {
  if (kind === 'none') {
    place.replaceChildren();
    return;
  }
  const notice = element('div', { className: `notice ${kind}` }, ...children);
  if (kind === 'refused') notice.setAttribute('role', 'alert');
  place.replaceChildren(notice);
}
