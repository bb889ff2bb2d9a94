/**
 * Fills a mail's HTML, written in Liquid. The templates are ours, but strangers write the values:
 * every value is escaped, and a name without a value is an error.
 */
import { Liquid } from 'liquidjs';

export type Template<Values extends object> = (values: Values) => string;

/**
 * Inline colours of the tones. Dark mode overrides them by class; mail clients without dark mode
 * show them.
 */
const COLOURS: Record<string, string> = { up: '#1b6e3c', down: '#a8321f', same: '#62625c' };

const liquid = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  outputEscape: 'escape',
});
liquid.registerFilter('colour', (tone: string) => COLOURS[tone]);

/** Throws if a tag is unknown or not closed, which is a mistake in the template. */
export function compileTemplate<Values extends object>(source: string): Template<Values> {
  const parts = liquid.parse(source);
  return (values) => String(liquid.renderSync(parts, values));
}
