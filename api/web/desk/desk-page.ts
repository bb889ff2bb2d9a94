/** The frame of the desk's pages, each rendered for its signed-in author. */
import type { Viewer } from '../../../store/users/find-user.ts';
import { getBuiltFile } from '../assets/built-files.ts';
import { renderHead } from '../head.ts';
import { type Html, html } from '../html.ts';
import { type Notice, renderNotice } from '../notice.ts';

export interface DeskPage {
  title: string;
  current: DeskSection;
  /** Buttons beside the title. */
  actions?: Html | null;
  /** An additional script bundle of `browser/`, such as `write.js`. */
  script?: string;
  /** An additional style sheet, such as `write.css`. */
  style?: string;
}

export type DeskSection = (typeof SECTIONS)[number]['name'];

/** `icon`: the path of an outline icon. The text beside it names the section. */
const SECTIONS = [
  { name: 'articles', path: '/desk', text: 'Articles', icon: 'M4 5h16M4 12h16M4 19h10' },
  { name: 'write', path: '/desk/write', text: 'Write', icon: 'M4 20l1-5L16 4l4 4L9 19zM13 7l4 4' },
  { name: 'calendar', path: '/desk/calendar', text: 'Calendar', icon: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4' },
  { name: 'statistics', path: '/desk/statistics', text: 'Statistics', icon: 'M4 20h16M7 20v-7M12 20V5M17 20v-10' },
  {
    name: 'notifications',
    path: '/desk/notifications',
    text: 'Notifications',
    icon: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  },
  { name: 'settings', path: '/desk/settings', text: 'Settings', icon: 'M4 8h8M18 8h2M15 5v6M4 16h2M12 16h8M9 13v6' },
] as const;

const DESCRIPTION = 'The state of your articles and deliveries.';

/** `notice`: the result of the submitted form. `isLive`: the script refreshes a changed page. */
export function renderDeskPage(
  page: DeskPage,
  { viewer, notice, isLive }: { viewer: Viewer; notice: Notice | null; isLive: boolean },
  body: Html,
) {
  const scripts = ['desk.js', ...(page.script === undefined ? [] : [page.script])];
  const styles = ['desk.css', ...(page.style === undefined ? [] : [page.style])];
  const assets = html`${styles.map((name) => html`<link rel="stylesheet" href="${getBuiltFile(name).path}">\n`)}${scripts.map((name) => html`<script src="${getBuiltFile(name).path}" defer></script>\n`)}`;
  const head = { title: `${page.title} · Courant`, description: DESCRIPTION, isNoindex: true };
  return html`${renderHead(head, assets)}<body class="desk-body"${viewer.zone === null ? null : html` data-zone="${viewer.zone}"`}>
<a class="skip" href="#main">Skip to content</a>
<header class="desk-bar">
<a class="wordmark" href="/">Courant</a>
<nav class="desk-nav" aria-label="Desk"><ul>${SECTIONS.map((section) => renderEntry(section, page.current, viewer))}</ul></nav>
<div class="desk-who"><p><span>Signed in as</span> <a href="/authors/${viewer.username}">${viewer.name}</a></p>
<form method="post" action="/logout"><button class="button compact">Sign out</button></form></div>
</header>
<main id="main" class="desk-main"${isLive ? html` data-live` : null}>
<header><h1 dir="auto">${page.title}</h1>${page.actions}</header>
${viewer.emailConfirmed ? null : UNCONFIRMED}${renderNotice(notice)}
${body}
</main>
</body>
</html>
`.text;
}

function renderEntry(
  { name, path, text, icon }: (typeof SECTIONS)[number],
  current: DeskSection,
  { unread }: Viewer,
): Html {
  const badge = html` <span class="badge" data-unread${unread === 0 ? html` hidden` : null}>${unread}</span>`;
  return html`<li><a href="${path}"${name === current ? html` aria-current="page"` : null}>${renderIcon(icon)} ${text}${
    name === 'notifications' ? badge : null
  }</a></li>`;
}

const UNCONFIRMED = html`<div class="notice warning"><p>Your e-mail address is not confirmed yet: open the link in the mail from us. Until then you
can read articles and change your settings. You cannot publish, preview, connect destinations, create tokens, comment, react or follow.</p><form method="post" action="/account/resend-confirmation"><button class="button compact">Send the mail again</button></form></div>`;

function renderIcon(path: string): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="${path}"/></svg>`;
}
