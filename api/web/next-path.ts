/** Where somebody goes after signing in: an address of this site alone, or the desk. */
export function readNextPath(given: unknown): string {
  if (typeof given !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(given)) return '/desk';
  const url = new URL(given, 'http://this.invalid');
  // Without its dots, a path may begin with two slashes: that is another site (`/.//evil.example`).
  return /^\/(?!\/|log(?:in|out)(?:\/|$))/.test(url.pathname) ? url.pathname + url.search + url.hash : '/desk';
}
