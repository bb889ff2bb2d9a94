/** Tests the removal of markers from text that becomes an excerpt. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropBrackets, dropMarkers } from '../../../article/describe/excerpt/markers.ts';

test('markers are removed with the spaces around them', () => {
  assert.equal(dropMarkers('  {{< figure >}} Some \n words. {% include a %} <!-- more --> '), 'Some words.');
  assert.equal(dropMarkers('Words only.'), 'Words only.');
});

test('words on both sides of a removed image stay separate', () => {
  assert.equal(dropBrackets('Before![A cat](https://a.example/cat.png)after.'), 'Before after.');
  assert.equal(dropBrackets('Before![A cat]after.'), 'Before after.');
});

test('the words of links and brackets stay without their syntax, and references are removed', () => {
  assert.equal(dropBrackets('A [link](https://a.example/), [another][ref] and [words].'), 'A link, another and words.');
  assert.equal(dropBrackets('Seen[^1] and [x] cited [2], not list[1].'), 'Seen and cited, not list[1].');
});

test('words on both sides of a removed marker stay separate', () => {
  for (const marker of ['{{ x }}', '{% x %}', '<!-- x -->', '%%', ':::'])
    assert.equal(dropMarkers(`Before${marker}after.`), 'Before after.', marker);
});
