/** Moments as the settings show them. */
import { type Html, html } from '../../html.ts';

/** `Nov 22, 2026, 19:51 UTC`: on the clocks of the zone, which is named. */
export function renderMoment(at: Date, zone = 'UTC'): Html {
  const text = at.toLocaleString('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: zone,
  });
  return html`<time datetime="${at.toISOString()}">${text}</time> ${zone}`;
}
