/**
 * Changes an element into another one in place. Equal nodes stay, with their focus, selection and
 * input. Does not use morphdom, which would add 6 KB to a script of 10 KB.
 */

/** Nodes that a script has added, and notices about a form that was sent. Never compared. */
const UNMANAGED_SELECTOR = '[data-keep], [data-message]';

export function morph(current: Element, fresh: Element): void {
  if (current.isEqualNode(fresh) || (current instanceof HTMLFormElement && isFilledIn(current))) return;
  copyAttributes(current, fresh);
  morphChildren(current, fresh);
}

/**
 * Whether the author has changed the form. It is not refreshed, because its hidden fields name the
 * version that the author saw.
 */
function isFilledIn(form: HTMLFormElement): boolean {
  return (
    [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].some((field) =>
      field instanceof HTMLInputElement && /checkbox|radio/.test(field.type)
        ? field.checked !== field.defaultChecked
        : field.value !== field.defaultValue,
    ) ||
    [...form.querySelectorAll('select')].some(({ options, selectedIndex }) => {
      const initial = [...options].findLastIndex(({ defaultSelected }) => defaultSelected);
      return selectedIndex !== Math.max(0, initial);
    })
  );
}

/** Does not change `open`, which the author sets by opening a menu. */
function copyAttributes(current: Element, fresh: Element): void {
  for (const { name } of [...current.attributes]) {
    if (name !== 'open' && !fresh.hasAttribute(name)) current.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== 'open' && current.getAttribute(name) !== value) current.setAttribute(name, value);
  }
}

function morphChildren(current: Element, fresh: Element): void {
  const currentChildren = nameChildren(current);
  const freshChildren = nameChildren(fresh);
  for (const [name, child] of currentChildren) if (!freshChildren.has(name)) child.remove();
  let next = skipUnmanaged(current.firstChild);
  for (const [name, child] of freshChildren) {
    const match = currentChildren.get(name);
    if (match === next) next = skipUnmanaged(next?.nextSibling ?? null);
    // Moves only nodes with a changed order, because a moved element loses the focus.
    else current.insertBefore(match ?? child, next);
    if (match instanceof Element) morph(match, child as Element);
    else if (match && match.nodeValue !== child.nodeValue) match.nodeValue = child.nodeValue;
  }
}

function skipUnmanaged(node: ChildNode | null): ChildNode | null {
  let found = node;
  while (found && isUnmanaged(found)) found = found.nextSibling;
  return found;
}

function isUnmanaged(node: ChildNode): boolean {
  return node instanceof Element && node.matches(UNMANAGED_SELECTOR);
}

/** Maps children by identity. Children with the same identity are numbered in order. */
function nameChildren(parent: Element): Map<string, ChildNode> {
  const counts = new Map<string, number>();
  const children = new Map<string, ChildNode>();
  for (const child of parent.childNodes) {
    if (isUnmanaged(child)) continue;
    const name = nameNode(child);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    children.set(`${name} ${count}`, child);
  }
  return children;
}

/**
 * Returns the identity of a node. It includes the action, so that one button never turns into
 * another.
 */
function nameNode(node: ChildNode): string {
  if (!(node instanceof Element)) return node.nodeName;
  if (node.id) return `#${node.id}`;
  const action = ['formaction', 'action', 'href', 'name'].map((attribute) => node.getAttribute(attribute));
  return [node.nodeName, ...action, node instanceof HTMLInputElement ? '' : node.getAttribute('value')].join(' ');
}
