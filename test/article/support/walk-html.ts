/** Finds everything in HTML that could execute, by parsing it as a browser does. */
import type { Element } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';

const ACTIVE = new Set(
  'script style iframe object embed applet form button textarea select svg link meta base template frame frameset audio video noscript xmp portal dialog'.split(
    ' ',
  ),
);
const ADDRESS = new Set([
  'href',
  'src',
  'srcSet',
  'action',
  'formAction',
  'poster',
  'data',
  'xLinkHref',
  'background',
  'cite',
  'longDesc',
  'ping',
]);
const parser = unified().use(rehypeParse, { fragment: true });

/** Describes everything dangerous; empty for safe HTML. */
export function findDangers(html: string): string[] {
  const dangers: string[] = [];
  const tree = parser.parse(html);
  visit(tree, (node) => {
    if (node.type === 'comment' || node.type === 'doctype') dangers.push(`a ${node.type}`);
    if (node.type === 'element') dangers.push(...listDangers(node));
  });
  return dangers;
}

/** Elements of our rendering of TeX. HTML of authors contains none of them. */
const MATHML =
  /^(?:math|mrow|mi|mn|mo|mtext|mspace|mfrac|msqrt|mroot|m?su[bp]|msubsup|munder|mover|munderover|mmultiscripts|mprescripts|mtable|mtr|mtd|mpadded|mphantom|menclose|mstyle|none)$/;

function listMathDangers(math: Element): string[] {
  const dangers: string[] = [];
  visit(math, 'element', ({ tagName, properties }) => {
    if (!MATHML.test(tagName)) dangers.push(`<${tagName}> within math`);
    for (const name of Object.keys(properties)) {
      if (/^(?:id|class|className|style|href|on.*|xlink.*|src|actiontype|definition.*|encoding)$/i.test(name))
        dangers.push(`${tagName}[${name}] within math`);
    }
  });
  return dangers;
}

function listDangers(node: Element): string[] {
  const dangers: string[] = [];
  if (ACTIVE.has(node.tagName)) dangers.push(`<${node.tagName}>`);
  if (node.tagName === 'math') dangers.push(...listMathDangers(node));
  for (const [name, value] of Object.entries(node.properties)) {
    const text = Array.isArray(value) ? value.join(' ') : String(value);
    if (/^on/i.test(name)) dangers.push(`${node.tagName}[${name}]`);
    if (name === 'form' && node.tagName === 'mo') continue;
    if (['style', 'srcDoc', 'name', 'form', 'is', 'slot', 'target'].includes(name))
      dangers.push(`${node.tagName}[${name}]`);
    if (ADDRESS.has(name) && !isHarmlessAddress(text, name)) dangers.push(`${node.tagName}[${name}=${text}]`);
    if (name === 'id' && !/^h[1-6]$/.test(node.tagName) && !text.startsWith('user-content-'))
      dangers.push(`id ${text}`);
  }
  return dangers;
}

/** Browsers ignore white space and control characters inside a scheme. */
function isHarmlessAddress(address: string, name: string): boolean {
  const bare = [...address].filter((char) => char > ' ').join('');
  const scheme = /^([^/?#:]*):/.exec(bare)?.[1]?.toLowerCase();
  if (scheme === undefined || ['http', 'https'].includes(scheme)) return true;
  if (name === 'href') return ['mailto', 'tel', 'xmpp', 'irc', 'ircs'].includes(scheme);
  return name === 'src' && /^data:image\/(?:png|gif|jpeg|webp|avif);base64,[\w+/=]+$/.test(bare);
}
