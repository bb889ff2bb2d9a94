/** Tests the removal of markers from text that becomes an excerpt. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropMarkers } from '../../../article/describe/excerpt/markers.ts';

test('markers are removed with the spaces around them', () => {
  assert.equal(dropMarkers('  {{< figure >}} Some \n words. {% include a %} <!-- more --> '), 'Some words.');
  assert.equal(dropMarkers('Words only.'), 'Words only.');
});
