/** Formulas in a rendered tree, which platforms that take HTML get as code: none of them shows math by itself. */
import type { Nodes } from 'hast';

export function isFormula(node: Nodes): boolean {
  if (node.type !== 'element' || node.tagName !== 'code') return false;
  const { className } = node.properties;
  return Array.isArray(className) && className.includes('language-math');
}
