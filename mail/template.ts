/**
 * Fills a mail's HTML, written in Liquid: every value is escaped, a name without a value is an error. The templates are ours, what is
 * filled in is written by strangers, so it can add no markup and no tag.
 */
import { Liquid } from 'liquidjs';

export type Template<Values extends object> = (values: Values) => string;

/** Inline colours of the tones, beside their classes: dark mode overrides them by class, clients without it show the colour. */
const COLOURS: Record<string, string> = { up: '#1b6e3c', down: '#a8321f', same: '#62625c' };

const liquid = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  outputEscape: 'escape',
});
liquid.registerFilter('colour', (tone: string) => COLOURS[tone]);

/** Throws where a tag is unknown or not closed: a mistake in the template, not in the values. */
export function compileTemplate<Values extends object>(source: string): Template<Values> {
  const parts = liquid.parse(source);
  return (values) => String(liquid.renderSync(parts, values));
}
