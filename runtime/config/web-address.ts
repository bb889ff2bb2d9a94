/** Checks whether an address uses http(s). Pages link only such addresses. */

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
