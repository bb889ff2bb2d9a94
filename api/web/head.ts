/** The head of every page, public or private. */
import { type Html, html } from './html.ts';

/** The site's icon as a data URL: without one, browsers request a file on each visit. */
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#b3340e"/><path d="M21.5 20.8a7 7 0 1 1 0-9.6" fill="none" stroke="#fff" stroke-width="4"/></svg>';

const ICON = `data:image/svg+xml,${encodeURIComponent(SVG)}`;

export interface Head {
  title: string;
  description?: string | null;
  /** For one reader or a short time: search engines must not index it. */
  isNoindex?: boolean;
  /** Link and meta elements of this page. */
  head?: Html;
}

/** `assets`: style and script, or links to them. */
export function renderHead({ title, description, isNoindex, head }: Head, assets: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
<title>${title}</title>
${description ? html`<meta name="description" content="${description}">\n` : null}${isNoindex && html`<meta name="robots" content="noindex">\n`}${head}
${assets}
</head>
`;
}
