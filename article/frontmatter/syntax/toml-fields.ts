/** Reads TOML frontmatter (`+++`) into the same fields as YAML. */
import { parse, TomlDate, TomlError, type TomlPrimitive } from 'smol-toml';
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import type { FieldNode, Place } from '../field-node.ts';
import type { FieldsResult } from './yaml-fields.ts';

export function readTomlFields(source: string, firstLine: number): FieldsResult {
  try {
    const table = parse(source, { maxDepth: 60, integersAsBigInt: 'asNeeded' });
    const places = findTomlPlaces(source, firstLine);
    const fields = Object.entries(table).map(([key, value]): [string, FieldNode] => [
      key,
      toField(value, places.of([key]), [key], places),
    ]);
    return { kind: 'fields', fields: new Map(fields) };
  } catch (error) {
    const found = readSyntaxError(error);
    if (found === null) throw error;
    const { reason, line, column } = found;
    const message = `The TOML cannot be read: ${reason}.`;
    return { kind: 'problems', problems: [{ path: 'frontmatter', message, line: line + firstLine - 1, column }] };
  }
}

/** Reads errors of both parsers. The second rejects 30 February, which the first accepts. */
function readSyntaxError(error: unknown): { reason: string; line: number; column: number } | null {
  if (error instanceof TomlError) {
    const reason = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    return { reason, line: error.line, column: error.column };
  }
  if (error instanceof ParseError) {
    const reason = error.message.charAt(0).toLowerCase() + error.message.slice(1);
    return { reason, line: error.lineNumber, column: error.column + 1 };
  }
  return null;
}

function toField(value: TomlPrimitive, place: Place, path: string[], places: TomlPlaces): FieldNode {
  if (Array.isArray(value))
    return { kind: 'list', items: value.map((item) => toField(item, place, path, places)), place };
  if (value instanceof TomlDate) {
    const text = value.toISOString();
    return { kind: 'scalar', value: text, text, place };
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]): [string, FieldNode] => {
      const inner = [...path, key];
      return [key, toField(item, places.of(inner), inner, places)];
    });
    return { kind: 'map', entries, place };
  }
  return { kind: 'scalar', value, text: String(value), place };
}

interface TomlPlaces {
  /** The place of the key, else of the nearest key around it. */
  of(path: string[]): Place;
}

/** Expects a source that has been parsed without an error, and is within its limits. */
function findTomlPlaces(source: string, firstLine: number): TomlPlaces {
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
