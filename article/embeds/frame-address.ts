/** Finds the page behind an embedded frame, which shows the same with context and in full size. */

interface Host {
  /** The name that readers see. */
  name: string;
  hosts: string[];
  /** The page of a frame's address; undefined if the address itself is usable. */
  findPage?: (url: URL) => string | undefined;
}

const HOSTS: Host[] = [
  {
    name: 'YouTube',
    hosts: ['www.youtube.com', 'youtube.com', 'm.youtube.com', 'www.youtube-nocookie.com', 'youtube-nocookie.com'],
    findPage: findYouTubePage,
  },
  { name: 'Vimeo', hosts: ['player.vimeo.com'], findPage: findVimeoPage },
  { name: 'X', hosts: ['platform.twitter.com', 'platform.x.com'], findPage: findTweet },
  {
    name: 'CodePen',
    hosts: ['codepen.io'],
    findPage: ({ pathname }) =>
      replacePath(pathname, /^\/([\w-]+)\/embed\/(?:preview\/)?([\w-]+)\/?$/, 'https://codepen.io/$1/pen/$2'),
  },
  {
    name: 'CodeSandbox',
    hosts: ['codesandbox.io'],
    findPage: ({ pathname }) => replacePath(pathname, /^\/embed\/([\w-]+)\/?$/, 'https://codesandbox.io/s/$1'),
  },
  { name: 'StackBlitz', hosts: ['stackblitz.com'], findPage: dropEmbedParameters },
  {
    name: 'JSFiddle',
    hosts: ['jsfiddle.net'],
    findPage: ({ pathname }) => replacePath(pathname, /^((?:\/[\w-]+){1,3})\/embed.*$/, 'https://jsfiddle.net$1/'),
  },
  {
    name: 'Loom',
    hosts: ['www.loom.com'],
    findPage: ({ pathname }) => replacePath(pathname, /^\/embed\/([\w-]+)\/?$/, 'https://www.loom.com/share/$1'),
  },
  {
    name: 'Spotify',
    hosts: ['open.spotify.com'],
    findPage: ({ pathname }) =>
      replacePath(pathname, /^\/embed(?:-podcast)?\/([\w/-]+)$/, 'https://open.spotify.com/$1'),
  },
  {
    name: 'asciinema',
    hosts: ['asciinema.org'],
    findPage: ({ pathname }) =>
      replacePath(pathname, /^\/a\/([\w-]+)(?:\/(?:iframe|embed)|\.js)?\/?$/, 'https://asciinema.org/a/$1'),
  },
  { name: 'GitHub Gist', hosts: ['gist.github.com'], findPage: findGist },
  { name: 'Replit', hosts: ['replit.com'] },
  { name: 'Speaker Deck', hosts: ['speakerdeck.com'] },
  { name: 'SlideShare', hosts: ['www.slideshare.net'] },
];
const BY_HOST = new Map(HOSTS.flatMap((host) => host.hosts.map((name) => [name, host])));

export interface EmbeddedPage {
  url: string;
  /** The name of the site, such as `YouTube`, else the host. */
  place: string;
}

export function findPage(frame: URL): EmbeddedPage {
  const host = BY_HOST.get(frame.hostname);
  return { url: host?.findPage?.(frame) ?? frame.href, place: host?.name ?? frame.hostname.replace(/^www\./, '') };
}

/** The page that a script embeds, for scripts that do nothing else; null for all others. */
export function findScriptPage(script: URL): EmbeddedPage | null {
  const isEmbedScript =
    ['gist.github.com', 'asciinema.org'].includes(script.hostname) && script.pathname.endsWith('.js');
  return isEmbedScript && findPage(script).url !== script.href ? findPage(script) : null;
}

const VIDEO = /^\/(?:embed|v|shorts|live)\/([\w-]{6,20})\/?$/;

function findYouTubePage({ pathname, searchParams }: URL): string | undefined {
  const list = searchParams.get('list');
  const channel = searchParams.get('channel');
  const video = pathname.startsWith('/embed/videoseries') ? undefined : VIDEO.exec(pathname)?.[1];
  if (video === 'live_stream' && channel !== null) return build('https://www.youtube.com/channel/', channel, '/live');
  if (video === undefined) {
    const isList = list !== null && pathname.startsWith('/embed');
    return isList ? build('https://www.youtube.com/playlist?list=', list) : undefined;
  }
  const page = new URL('https://www.youtube.com/watch');
  page.searchParams.set('v', video);
  if (list !== null) page.searchParams.set('list', list);
  const start = searchParams.get('start') ?? searchParams.get('t');
  if (start !== null && /^\d{1,6}s?$/.test(start)) page.searchParams.set('t', start.replace(/s?$/, 's'));
  return page.href;
}

function build(before: string, value: string, after = ''): string {
  return `${before}${encodeURIComponent(value)}${after}`;
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

function dropEmbedParameters(url: URL): string {
  const page = new URL(url);
  for (const name of ['embed', 'ctl', 'hideExplorer', 'hideNavigation', 'view']) page.searchParams.delete(name);
  return page.href;
}

function findGist({ pathname, searchParams }: URL): string | undefined {
  const gist = /^(\/[\w-]+(?:\/[\w-]+)?)(?:\.js|\.pibb)?\/?$/.exec(pathname)?.[1];
  if (gist === undefined) return undefined;
  const file = searchParams.get('file');
  // The anchor of the file on the page of the gist.
  const anchor = file === null ? '' : `#file-${encodeURIComponent(file.toLowerCase().replace(/[^\p{L}\d]+/gu, '-'))}`;
  return `https://gist.github.com${gist}${anchor}`;
}

function replacePath(path: string, pattern: RegExp, page: string): string | undefined {
  return pattern.test(path) ? path.replace(pattern, page) : undefined;
}
