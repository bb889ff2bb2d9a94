/**
 * Finds formulas in a rendered tree. Platforms that accept HTML get them as code, because none of
 * them renders math.
 */
import type { Nodes } from 'hast';

export function isFormulaElement(node: Nodes): boolean {
  if (node.type !== 'element' || node.tagName !== 'code') return false;
  const { className } = node.properties;
  return Array.isArray(className) && className.includes('language-math');
}
