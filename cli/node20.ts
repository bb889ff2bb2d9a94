/** Adds functions that shared code uses and Node.js 20.0.0 lacks. Import this file first. */

// Since Node 22.1.
if (typeof URL.parse !== 'function') {
  Object.defineProperty(URL, 'parse', {
    configurable: true,
    writable: true,
    value: (url: string | URL, base?: string | URL) => (URL.canParse(url, base) ? new URL(url, base) : null),
  });
}
