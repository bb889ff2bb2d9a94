/**
 * Adds `util.styleText`, which the prompts use and Node.js before 20.12 lacks. Import it first: the
 * bundle resolves the function when it is called.
 */
import util from 'node:util';

if (typeof util.styleText !== 'function') {
  Object.defineProperty(util, 'styleText', { value: styleText });
}

/** As in Node: no colours with `NO_COLOR` or without a terminal. */
function styleText(format: string | string[], text: string): string {
  // `hasColors` is false with NO_COLOR too.
  if (!process.stderr.isTTY || !process.stderr.hasColors()) return text;
  return [format].flat().reduceRight(paint, text);
}

function paint(text: string, name: string): string {
  const [open, close] = util.inspect.colors[name] ?? [0, 0];
  return `\u001b[${open}m${text}\u001b[${close}m`;
}
