/** Finds the page behind an embedded frame, which shows the same with context and in full size. */

export interface EmbeddedPage {
  url: string;
  /** The name of the site, such as `YouTube`, else the host. */
  place: string;
}

/** Frames by host and path, and their pages. A function gets the address of the frame. */
const PAGES: [place: string, frame: RegExp, page: string | ((frame: URL) => string | undefined)][] = [
  ['YouTube', /^(?:www\.|m\.)?youtube(?:-nocookie)?\.com\//, findYouTubePage],
  ['Vimeo', /^player\.vimeo\.com\//, findVimeoPage],
  ['X', /^platform\.(?:twitter|x)\.com\//, findTweet],
  ['GitHub Gist', /^gist\.github\.com\//, findGist],
  ['CodePen', /^codepen\.io\/([\w-]+)\/embed\/(?:preview\/)?([\w-]+)\/?$/, 'https://codepen.io/$1/pen/$2'],
  ['CodeSandbox', /^codesandbox\.io\/embed\/([\w-]+)\/?$/, 'https://codesandbox.io/s/$1'],
  ['JSFiddle', /^jsfiddle\.net((?:\/[\w-]+){1,3})\/embed.*$/, 'https://jsfiddle.net$1/'],
  ['Loom', /^www\.loom\.com\/embed\/([\w-]+)\/?$/, 'https://www.loom.com/share/$1'],
  ['Spotify', /^open\.spotify\.com\/embed(?:-podcast)?\/([\w/-]+)$/, 'https://open.spotify.com/$1'],
  ['asciinema', /^asciinema\.org\/a\/([\w-]+)(?:\/(?:iframe|embed)|\.js)?\/?$/, 'https://asciinema.org/a/$1'],
];

export function findPage(frame: URL): EmbeddedPage {
  const address = frame.hostname + frame.pathname;
  const known = PAGES.find(([, pattern]) => pattern.test(address));
  if (known === undefined) return { url: frame.href, place: frame.hostname.replace(/^www\./, '') };
  const [place, pattern, page] = known;
  return { url: typeof page === 'string' ? address.replace(pattern, page) : (page(frame) ?? frame.href), place };
}

/** The page that a script embeds, for scripts that do nothing else; null for all others. */
export function findScriptPage(script: URL): EmbeddedPage | null {
  const isEmbedScript =
    ['gist.github.com', 'asciinema.org'].includes(script.hostname) && script.pathname.endsWith('.js');
  return isEmbedScript && findPage(script).url !== script.href ? findPage(script) : null;
}

function findYouTubePage({ pathname, searchParams }: URL): string | undefined {
  const list = searchParams.get('list');
  const video = /^\/(?:embed|v|shorts|live)\/(?!videoseries|live_stream)([\w-]{6,20})\/?$/.exec(pathname)?.[1];
  const page = new URL(video === undefined ? 'https://www.youtube.com/playlist' : 'https://www.youtube.com/watch');
  if (video !== undefined) page.searchParams.set('v', video);
  else if (list === null || !pathname.startsWith('/embed')) return undefined;
  if (list !== null) page.searchParams.set('list', list);
  const start = searchParams.get('start') ?? searchParams.get('t');
  if (start !== null && /^\d{1,6}s?$/.test(start)) page.searchParams.set('t', start.replace(/s?$/, 's'));
  return page.href;
}

function findVimeoPage({ pathname, searchParams, hash }: URL): string | undefined {
  const video = /^\/video\/(\d{3,15})\/?$/.exec(pathname)?.[1];
  if (video === undefined) return undefined;
  // The key of an unlisted video.
  const key = searchParams.get('h');
  const isKey = key !== null && /^[a-f\d]{6,20}$/.test(key);
  return `https://vimeo.com/${video}${isKey ? `/${key}` : ''}${/^#t=[\dhms]{1,12}$/.test(hash) ? hash : ''}`;
}

function findTweet({ searchParams }: URL): string | undefined {
  const id = searchParams.get('id');
  return id !== null && /^\d{5,25}$/.test(id) ? `https://x.com/i/status/${id}` : undefined;
}

function findGist({ pathname, searchParams }: URL): string | undefined {
  const gist = /^(\/[\w-]+(?:\/[\w-]+)?)(?:\.js|\.pibb)?\/?$/.exec(pathname)?.[1];
  if (gist === undefined) return undefined;
  const file = searchParams.get('file');
  // The anchor of the file on the page of the gist.
  const anchor = file === null ? '' : `#file-${encodeURIComponent(file.toLowerCase().replace(/[^\p{L}\d]+/gu, '-'))}`;
  return `https://gist.github.com${gist}${anchor}`;
}
