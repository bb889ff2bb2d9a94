/** The allow-list for the HTML of an article. Everything else is removed. */
import type { Schema } from 'hast-util-sanitize';

/** Prefix for the ids of authors and footnotes, so that none equals an id of the page itself. */
export const AUTHOR_ID_PREFIX = 'user-content-';
/** Ids of the page around an article. A heading with such an id gets a number. */
export const PAGE_IDS = ['main', 'reactions', 'comments', 'comments-title', 'related', 'footnote-label'];
/** Classes of alerts, one per kind that pages distinguish. */
export const ALERT_CLASS = /^alert-(?:note|tip|important|warning|caution)$/;
export const TOKEN_CLASS = /^tok-[a-z-]+$/;

/** Ids of headings are slugs: lower case, without the characters that end an attribute. */
const HEADING_ID: [string, RegExp] = ['id', /^[^\s"'<>&`=]+$/u];
const AUTHOR_ID: [string, RegExp] = ['id', /^user-content-[^\s"'<>&`=]+$/u];
const PIXELS = /^\d{1,5}%?$/;
const LABELS = ['ariaLabel'];
const CELL_ATTRIBUTES: [string, ...RegExp[]][] = [
  ['align', /^(?:left|right|center)$/],
  ['colSpan', /^\d{1,3}$/],
  ['rowSpan', /^\d{1,3}$/],
];

const TAG_NAMES =
  `a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure
  h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p picture pre q rp rt ruby s samp section small source span
  strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr`.split(/\s+/);
const PARENTS = { table: 'caption col colgroup tbody td tfoot th thead tr', figure: 'figcaption', picture: 'source' };

export const articleSchema: Schema = {
  tagNames: TAG_NAMES,
  attributes: {
    '*': ['title', 'lang', ['dir', /^(?:ltr|rtl|auto)$/], AUTHOR_ID],
    a: [
      ...LABELS,
      'href',
      'dataFootnoteBackref',
      'dataFootnoteRef',
      ['ariaDescribedBy', 'footnote-label'],
      ['className', 'data-footnote-backref'],
      ['rel', 'nofollow', 'ugc', 'noopener'],
    ],
    blockquote: ['cite', ['className', ALERT_CLASS]],
    code: [['className', /^language-[\w+#.-]+$/]],
    col: [['span', /^\d{1,3}$/]],
    del: ['cite'],
    details: ['open'],
    h1: [HEADING_ID],
    h2: [HEADING_ID, ['className', 'sr-only']],
    ...Object.fromEntries(['h3', 'h4', 'h5', 'h6'].map((name) => [name, [HEADING_ID]])),
    img: [
      ...LABELS,
      'alt',
      ['src', /^https?:\/\//i, /^data:image\/(?:png|gif|jpeg|webp|avif);base64,[a-z\d+/=]+$/i, /^(?!\s*[\w+.-]+:)/],
      ['srcSet', /^https?:\/\//i],
      ['width', PIXELS],
      ['height', PIXELS],
      ['loading', 'lazy'],
      ['decoding', 'async'],
      ['align', /^(?:left|right|center|middle|top|bottom)$/],
    ],
    input: [
      ['type', 'checkbox'],
      ['disabled', true],
      ['checked', true],
    ],
    ins: ['cite'],
    li: [
      ['className', 'task-list-item'],
      ['value', /^-?\d{1,6}$/],
    ],
    ol: [['start', /^-?\d{1,9}$/], ['type', /^[1aAiI]$/], 'reversed', ['className', 'contains-task-list']],
    q: ['cite'],
    section: ['dataFootnotes', ['className', 'footnotes']],
    source: [['srcSet', /^https?:\/\//i], 'media', ['type', /^image\/[a-z+.-]+$/]],
    span: [['className', TOKEN_CLASS]],
    td: CELL_ATTRIBUTES,
    th: [...CELL_ATTRIBUTES, ['scope', /^(?:row|col)$/]],
    time: ['dateTime'],
    ul: [['className', 'contains-task-list']],
  },
  ancestors: Object.fromEntries(
    Object.entries(PARENTS).flatMap(([parent, names]) => names.split(' ').map((name) => [name, [parent]])),
  ),
  protocols: {
    cite: ['http', 'https'],
    href: ['http', 'https', 'mailto', 'tel', 'xmpp', 'irc', 'ircs'],
    src: ['http', 'https', 'data'],
  },
  required: { input: { disabled: true, type: 'checkbox' } },
  // Elements with code or data as their text are removed with their contents. The contents of
  // `noscript` are shown, because no script of an author ever runs.
  strip: ['script', 'style', 'template', 'svg', 'math', 'noembed', 'noframes', 'object', 'xmp', 'plaintext'],
  clobber: [],
  allowComments: false,
  allowDoctypes: false,
};
