/** The site's icon as a data URL: without one, browsers request a file on each visit. */
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#b3340e"/><path d="M21.5 20.8a7 7 0 1 1 0-9.6" fill="none" stroke="#fff" stroke-width="4"/></svg>';

export const ICON = `data:image/svg+xml,${encodeURIComponent(SVG)}`;
