/** Finds the places of TOML keys. The parser that reads the values provides no positions. */
import { type AST, parseTOML } from 'toml-eslint-parser';
import type { Place } from '../field-node.ts';

export interface TomlPlaces {
  /**
   * The place of the key, else of the nearest key around it. For an array of tables, of its first
   * entry.
   */
  of(path: string[]): Place;
}

/**
 * `firstLine` is the line of the document on which `source` begins. Expects a source that has been
 * parsed without an error, and is therefore within its limits.
 */
export function findTomlPlaces(source: string, firstLine: number): TomlPlaces {
  const found = new Map<string, Place>();
  const start = { line: firstLine, column: 1 };

  function add(parent: string[], key: AST.TOMLKey): string[] {
    const path = [...parent];
    for (const part of key.keys) {
      path.push(part.type === 'TOMLBare' ? part.name : part.value);
      const { line, column } = part.loc.start;
      const name = path.join('\u0000');
      if (!found.has(name)) found.set(name, { line: firstLine + line - 1, column: column + 1 });
    }
    return path;
  }

  function walk(parent: string[], node: AST.TOMLNode): void {
    switch (node.type) {
      case 'TOMLTable': {
        const path = add(parent, node.key);
        for (const pair of node.body) walk(path, pair);
        break;
      }
      case 'TOMLKeyValue':
        walk(add(parent, node.key), node.value);
        break;
      case 'TOMLInlineTable':
        for (const pair of node.body) walk(parent, pair);
        break;
      case 'TOMLArray':
        for (const element of node.elements) walk(parent, element);
        break;
    }
  }

  for (const node of parseTOML(source).body[0].body) walk([], node);
  return {
    of(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const place = found.get(path.slice(0, length).join('\u0000'));
        if (place !== undefined) return place;
      }
      return start;
    },
  };
}
