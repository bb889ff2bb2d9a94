/** Reads TOML frontmatter (`+++`) into the same fields as YAML. */
import { parse, TomlDate, TomlError, type TomlPrimitive } from 'smol-toml';
import type { FieldNode, Place } from '../field-node.ts';
import type { FieldsResult } from './yaml-fields.ts';

/** `firstLine` is the line of the document on which `source` begins. */
export function readTomlFields(source: string, firstLine: number): FieldsResult {
  const places = createPlaces(source, firstLine);
  try {
    const table = parse(source, { maxDepth: 60, integersAsBigInt: 'asNeeded' });
    const fields = Object.entries(table).map(([key, value]): [string, FieldNode] => [
      key,
      toField(value, places.of([key]), [key], places),
    ]);
    return { kind: 'fields', fields: new Map(fields) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    const problem = {
      path: 'frontmatter',
      message: `The TOML cannot be read: ${reason}.`,
      line: error.line + firstLine - 1,
      column: error.column,
    };
    return { kind: 'problems', problems: [problem] };
  }
}

interface Places {
  of(path: string[]): Place;
}

function toField(value: TomlPrimitive, place: Place, path: string[], places: Places): FieldNode {
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

/** The parser keeps no positions, so keys are looked up in the source, with the table they belong to. */
function createPlaces(source: string, firstLine: number): Places {
  const found = new Map<string, Place>();
  let table: string[] = [];
  source.split('\n').forEach((text, index) => {
    const line = firstLine + index;
    const header = /^\s*\[+\s*([^\]]+?)\s*\]/.exec(text);
    if (header?.[1] !== undefined) {
      table = header[1].split('.').map(unquote);
      remember(table, { line, column: text.indexOf('[') + 1 });
      return;
    }
    const key = /^\s*("[^"]*"|'[^']*'|[\w.-]+)\s*=/.exec(text);
    if (key?.[1] === undefined) return;
    remember([...table, ...key[1].split('.').map(unquote)], { line, column: text.search(/\S/) + 1 });
  });

  function remember(path: string[], place: Place): void {
    for (let length = 1; length <= path.length; length += 1) {
      const name = path.slice(0, length).join('\u0000');
      if (!found.has(name)) found.set(name, place);
    }
  }

  return {
    of(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const place = found.get(path.slice(0, length).join('\u0000'));
        if (place !== undefined) return place;
      }
      return { line: firstLine, column: 1 };
    },
  };
}

function unquote(key: string): string {
  return key.trim().replace(/^(["'])(.*)\1$/, '$2');
}
