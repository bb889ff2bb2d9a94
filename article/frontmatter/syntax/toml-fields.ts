/** Reads TOML frontmatter (`+++`) into the same fields as YAML. */
import { parse, TomlDate, TomlError, type TomlPrimitive } from 'smol-toml';
import { ParseError } from 'toml-eslint-parser';
import type { FieldNode, Place } from '../field-node.ts';
import { findTomlPlaces, type TomlPlaces } from './toml-places.ts';
import type { FieldsResult } from './yaml-fields.ts';

/** `firstLine` is the line of the document on which `source` begins. */
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

/**
 * Reads errors of both parsers. The second rejects 30 February, which the first reads as 2 March.
 */
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
