/** Adds functions that this program uses and Node.js 20.0.0 lacks. Import this file first. */
import { createRequire } from 'node:module';

// An import would load all that `node:util` exports lazily.
const util: typeof import('node:util') = createRequire(import.meta.url)('node:util');

// Since Node 22.1.
URL.parse ??= (url: string | URL, base?: string | URL) => (URL.canParse(url, base) ? new URL(url, base) : null);

// Since Node 20.3.
AbortSignal.any ??= (signals: Iterable<AbortSignal>) => {
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason);
    else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  }
  return controller.signal;
};

// Since Node 20.12, for the prompts. No colours with NO_COLOR or without a terminal.
util.styleText ??= (format: string | readonly string[], text: string): string => {
  if (!process.stderr.isTTY || !process.stderr.hasColors()) return text;
  return [format].flat().reduceRight((inner: string, name) => {
    const [open, close] = util.inspect.colors[name] ?? [0, 0];
    return `\u001b[${open}m${inner}\u001b[${close}m`;
  }, text);
};
