/** Rules for the whole schema. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { isEnumType, isInputObjectType, isIntrospectionType, isObjectType, printSchema } from 'graphql';
import { schema } from '../../../api/app/graphql-schema.ts';

const snapshot = new URL('../../../docs/reference/schema.graphql', import.meta.url);
const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));

test('docs/reference/schema.graphql is up to date', async () => {
  const text = `${printSchema(schema)}\n`;
  if (process.env.UPDATE_SNAPSHOTS) await writeFile(snapshot, text);
  assert.equal(await readFile(snapshot, 'utf8'), text, 'UPDATE_SNAPSHOTS=1 writes it anew');
});

test('every type, field, argument and enum value has a description', () => {
  const named: [name: string, description: string | null | undefined][] = [];
  for (const type of types) {
    named.push([type.name, type.description]);
    if (isEnumType(type))
      for (const value of type.getValues()) named.push([`${type}.${value.name}`, value.description]);
    if (!isObjectType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      named.push([`${type}.${field.name}`, field.description]);
      if ('args' in field) {
        for (const arg of field.args) named.push([`${type}.${field.name}(${arg.name})`, arg.description]);
      }
    }
  }
  assert.ok(named.length > 100);
  assert.deepEqual(
    named.filter(([, description]) => !description?.trim()).map(([name]) => name),
    [],
  );
});
