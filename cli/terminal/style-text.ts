/** Adds `util.styleText`, which the prompts use and Node.js before 20.12 lacks. Imported before them: the bundle looks it up when it is called. */
import util from 'node:util';

if (typeof util.styleText !== 'function') {
  Object.defineProperty(util, 'styleText', { value: styleText });
}

/** As Node does: nothing is coloured where `NO_COLOR` is set, or that is no terminal. */
function styleText(format: string | string[], text: string): string {
  // False with NO_COLOR too.
  if (!process.stderr.isTTY || !process.stderr.hasColors()) return text;
  return [format].flat().reduceRight(paint, text);
}

function paint(text: string, name: string): string {
  const [open, close] = util.inspect.colors[name] ?? [0, 0];
  return `\u001b[${open}m${text}\u001b[${close}m`;
}
