/** Returns a new element with these fields. Does not insert it into the page. */
export function createSiteElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  fields: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), fields);
}
