/** Changes an HTML tree so that every WordPress site shows it, for authors of any role. */
import type { Element, ElementContent, Nodes, Root } from 'hast';
import type { Notice, NoticeCode } from '../../../article/types.ts';
import { walkTree } from '../../../article/walk-tree.ts';
import { LossList } from '../../format/losses.ts';
import { isFormulaElement } from '../../format/render-body.ts';
import { LABEL } from '../limits.ts';

/** Follows a character that is also an emoji. Without it sites show a coloured picture. */
const TEXT_VARIANT = '\ufe0e';

/** Changes the tree in place and returns the losses, each kind once, with its first line. */
export function adaptTree(tree: Root): Notice[] {
  const losses = new LossList();
  let parent: Nodes = tree;
  const report = (code: NoticeCode, message: string, node: Nodes) => losses.add(code, message, node, parent);
  const demote = hasTopHeading(tree);
  walkTree<Nodes>(tree, (node) => {
    if ('children' in node) {
      parent = node;
      const children: Nodes[] = node.children;
      const adapted = children.flatMap((child): Nodes[] =>
        child.type === 'element' ? replaceElement(child, report) : [child],
      );
      node.children = adapted as ElementContent[];
    }
    if (node.type !== 'element') return undefined;
    if (isFormulaElement(node)) report('math_as_code', `${LABEL} shows formulas as source code.`, node);
    adaptElement(node, demote);
    return undefined;
  });
  return losses.list();
}

/** Replaces elements that WordPress removes from the posts of authors. */
function replaceElement(
  node: Element,
  report: (code: NoticeCode, message: string, node: Nodes) => void,
): ElementContent[] {
  if (node.tagName === 'input') {
    report('task_list', `${LABEL} shows the checkboxes of a task list as symbols (☐, ☑).`, node);
    return [{ type: 'text', value: node.properties.checked ? `☑${TEXT_VARIANT}` : '☐' }];
  }
  if (node.tagName === 'picture') {
    return node.children.flatMap((child): ElementContent[] => {
      if (child.type === 'text') return child.value.trim() === '' ? [] : [child];
      return child.type === 'element' && child.tagName !== 'source' ? replaceElement(child, report) : [];
    });
  }
  if (node.tagName === 'img' && !/^(?:https?:)?\/\//i.test(String(node.properties.src ?? ''))) {
    report('image_dropped', `${LABEL} shows images only by their full web addresses.`, node);
    const alt = String(node.properties.alt ?? '').trim();
    return alt === '' ? [] : [{ type: 'text', value: `[${alt}]` }];
  }
  return [node];
}

function adaptElement(node: Element, demote: boolean): void {
  const { properties } = node;
  if (node.tagName === 'img') {
    // The site adds its own.
    delete properties.loading;
    delete properties.decoding;
    delete properties.srcSet;
  } else if (node.tagName === 'a') {
    // `rel` marks links that the site does not endorse. This is the author's own site.
    delete properties.rel;
    if (properties.dataFootnoteBackref !== undefined) {
      for (const child of node.children)
        if (child.type === 'text') child.value = child.value.replace(/↩/, `↩${TEXT_VARIANT}`);
    }
  } else if (node.tagName === 'ul' || node.tagName === 'ol' || node.tagName === 'li') {
    // Only task lists have classes, and their boxes are text by now.
    delete properties.className;
  } else if (/^h[1-6]$/.test(node.tagName)) {
    if (demote) node.tagName = `h${Math.min(6, Number(node.tagName.slice(1)) + 1)}`;
    if (properties.className) properties.className = ['screen-reader-text'];
  }
}

/** The title is the page's only first-level heading. One in the body moves all down. */
function hasTopHeading(tree: Root): boolean {
  let found = false;
  walkTree<Nodes>(tree, (node) => {
    found ||= node.type === 'element' && node.tagName === 'h1';
    return found ? 'skip' : undefined;
  });
  return found;
}
