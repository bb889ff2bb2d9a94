/** Addresses that others gave: of those of the web, pages make links. */

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
