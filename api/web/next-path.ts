/** The path to open after signing in. Anything but a path of this site becomes `/desk`. */
export function readNextPath(value: unknown): string {
  if (typeof value !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value)) return '/desk';
  const url = new URL(value, 'http://this.invalid');
  // Without its dots a path may start with two slashes, which is another site (`/.//evil.example`).
  return /^\/(?!\/|log(?:in|out)(?:\/|$))/.test(url.pathname) ? url.pathname + url.search + url.hash : '/desk';
}
