/** Outline icons of the desk's sections. The text beside each icon names the section. */
import { type Html, html } from '../html.ts';

const PATHS = {
  articles: 'M4 5h16M4 12h16M4 19h10',
  write: 'M4 20l1-5L16 4l4 4L9 19zM13 7l4 4',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  statistics: 'M4 20h16M7 20v-7M12 20V5M17 20v-10',
  notifications: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  settings: 'M4 8h8M18 8h2M15 5v6M4 16h2M12 16h8M9 13v6',
} as const;

export function renderIcon(name: keyof typeof PATHS): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
}
