import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derive } from '../support/documents.ts';

const CODE = 'Some words about it.\n\n```ts\nconst a = 1;\n```\n';

test('the audience is the one that the title addresses, not one of a word shared by management and code', async () => {
  for (const [title, audience] of [
    ['State Management in React', 'developers'],
    ['Memory management without tears', 'developers'],
    ['Five package managers compared', 'developers'],
    ['A testing strategy for small teams', 'developers'],
    ['Faster startup of a Node.js service', 'developers'],
    ['HTTP 404 and its friends', 'developers'],
    ['Introducing our new parser', 'developers'],
    ['Writing a compiler from scratch', 'developers'],
    ['Engineering management for introverts', 'engineering leaders'],
    ['Hiring your first engineers', 'engineering leaders'],
    ['What a tech lead does all day', 'engineering leaders'],
    ['Getting started with queues', 'beginners'],
    ['Queues for absolute beginners', 'beginners'],
    ['Postgres internals: the queue', 'experienced developers'],
    ['Warteschlangen für Einsteiger', 'beginners'],
    ['消息队列入门', 'beginners'],
    ['深入理解消息队列', 'experienced developers'],
    ['初心者のためのキュー', 'beginners'],
    ['مقدمة في الطوابير', 'beginners'],
  ])
    assert.equal((await derive(CODE, `title: "${title}"`)).audience, audience, title);
});

test('an article about code is for developers even if it contains none', async () => {
  assert.equal((await derive('We learnt a lot.\n', 'title: A year later\ntags: [rust]')).audience, 'developers');
  assert.equal(
    (await derive('We learnt a lot.\n', 'title: A year later\ntags: [gardening]')).audience,
    'general readers',
  );
});

test('the title determines the tone; a subject in it is no announcement', async () => {
  for (const [title, tone] of [
    ['Building a REST API with Fastify', 'explanatory'],
    ['API reference of the queue', 'reference'],
    ['Upgrading to Node 24.1 without tears', 'explanatory'],
    ['Release management for the rest of us', 'explanatory'],
    ['Queue 2.1 released', 'announcement'],
    ['Queue 2.1.0', 'announcement'],
    ['Queue 2.0 is out', 'announcement'],
    ['队列 2.0 发布', 'announcement'],
    ['SQL cheat sheet', 'reference'],
  ])
    assert.equal((await derive(CODE, `title: "${title}"`)).tone, tone, title);
});

test('a list of numbered headings is no instruction; steps are, in every language', async () => {
  const numbered = '## 1. Names\n\nText.\n\n## 2. Types\n\nText.\n\n## 3. Tests\n\nText.\n';
  assert.deepEqual((await derive(numbered, 'title: Three things I like')).types, ['BlogPosting']);
  assert.deepEqual((await derive(numbered, 'title: How to write code')).types[0], 'HowTo');
  assert.deepEqual((await derive(numbered, 'title: How I learned to love tests')).types, ['BlogPosting']);
  for (const steps of [
    '## Schritt 1\n\nA.\n\n## Schritt 2\n\nB.\n',
    '## 第一步\n\nA。\n\n## 第二步\n\nB。\n',
    '## ステップ1\n\nA。\n\n## ステップ2\n\nB。\n',
  ])
    assert.equal((await derive(steps)).types[0], 'HowTo', steps);
});
