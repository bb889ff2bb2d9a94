/** Creates elements. Strings become text nodes, never HTML. Inserts nothing into the page. */

type Properties<Name extends keyof HTMLElementTagNameMap> = Partial<HTMLElementTagNameMap[Name]> & {
  [aria: `aria-${string}`]: string;
};

export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties<Name> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [property, value] of Object.entries(properties)) {
    // Firefox has no such properties before version 119.
    if (property === 'role' || property.startsWith('aria-')) created.setAttribute(property, String(value));
    else Object.assign(created, { [property]: value });
  }
  created.append(...children);
  return created;
}

export function createButton(text: string, onClick: () => void, className = 'button compact'): HTMLButtonElement {
  return createElement('button', { type: 'button', className, onclick: onClick }, text);
}
