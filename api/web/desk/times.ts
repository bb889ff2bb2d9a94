/** Formats times in the zone named beside them. The script converts UTC to the browser's zone. */
import { type Html, html } from '../html.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

export function renderTime(at: Date, zone = 'UTC'): Html {
  return html`<time datetime="${at.toISOString()}">${formatTime(at, zone)}</time>`;
}

/** `22 Nov 2026, 19:21 UTC`; `zone` is a name or an offset. */
export function formatTime(at: Date, zone: string): string {
  return `${getFormat(zone).format(at)} ${zone}`;
}

/** The value of a `datetime-local` field, in the zone. */
export function formatLocal(at: Date, zone: string): string {
  const parts = new Map(
    getFormat(zone, NUMERIC)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return `${get('year')}-${get('month')}-${get('day')}T${get('hour')}:${get('minute')}`;
}

const SHORT = { dateStyle: 'medium', timeStyle: 'short' } as const;
const NUMERIC: Intl.DateTimeFormatOptions = {
  ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
};

function getFormat(zone: string, style: Intl.DateTimeFormatOptions = SHORT): Intl.DateTimeFormat {
  const key = `${zone} ${style === SHORT}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...style, timeZone: zone });
  formats.set(key, format);
  return format;
}
