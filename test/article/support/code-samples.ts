/** Code in languages that embed others, or that others embed or change. */
export const CODE: Record<string, string> = {
  cpp: '#include <map>\n#define SQUARE(x) ((x) * (x))\ntemplate <typename K> class Shelf final : public Base<K> {\n public:\n  explicit Shelf(int n) noexcept : size_{n} {}\n  auto find(const K& key) -> int { return index_.at(key); } // by key\n private:\n  std::map<K, int> index_{};\n  const char* sql = R"sql(select 1)sql";\n};',
  ruby: 'class Shelf < Base\n  QUERY = <<~SQL\n    select name from shelves where id = 1\n  SQL\n  PAGE = <<~HTML\n    <p class="x">text</p>\n  HTML\n  def find(key, limit: 1) = @index[/#{key}/]\nend',
  svelte:
    '<script lang="ts">\n  let count: number = 0;\n</script>\n<style lang="scss">\n  $ink: #123;\n  .a { .b { color: $ink; } }\n</style>\n{#each rows as row}<p class="a" on:click={() => (count += 1)}>{row.name}</p>{/each}',
  vue: '<script setup lang="tsx">\nconst rows: string[] = ["x"];\nconst Cell = () => <b>{rows[0]}</b>;\n</script>\n<template><p v-if="rows.length" @click="open(1)">{{ rows[0] }}</p></template>\n<style lang="scss" scoped>\n$ink: #123;\n.a { .b { color: $ink; } }\n</style>',
  markdown:
    '# Head\n\nText *with* `code` and {{ value }}.\n\n```ts\nconst a: string = "x";\n```\n\n```rust\nlet a = 1;\n```\n\n```cpp\nclass A {};\n```\n\n<b>html</b>',
  php: '<?php\nfunction find(int $id): string { return "row $id"; }\n$q = <<<SQL\nselect 1\nSQL;\n?>\n<p style="color: red"><?= find(1) ?></p>\n<script>const a = 1;</script>',
  html: '<!doctype html>\n<style>p { color: red }</style>\n<script type="application/json">{"a": 1}</script>\n<script type="module">const a = `x`;</script>\n<p onclick="go(1)">{{ value }}</p>',
  docker: 'FROM node:24 AS build\nRUN apt-get update && echo "x" | cat > /tmp/y\nCMD ["node", "main.js"]',
  scss: '$ink: #123;\n.a { &:hover { color: darken($ink, 10%); } }',
  tsx: 'const Cell = ({ name }: { name: string }) => <b className="x">{name + "!"}</b>;',
  nix: "{ pkgs }: pkgs.mkShell {\n  # tools\n  shellHook = /* bash */ ''\n    echo \"hi\"\n  '';\n}",
  typescript: 'const q = sql`select 1 from t`;\nconst h = html`<p>x</p>`;\nconst g = /* GraphQL */ `query { a }`;',
  graphql: 'type Query {\n  "One row."\n  row(id: ID!): Row @deprecated\n}',
  shellsession: '$ echo "x" | grep -c x\n1\n# ls',
  lua: 'local ffi = require("ffi")\nffi.cdef[[ int printf(const char *fmt, ...); ]]\nprint("x" .. 1)',
  xml: '<?xml version="1.0"?>\n<a b="c"><![CDATA[x]]><% int a = 1; %></a>',
  yaml: 'a: &x 1\nb: |\n  echo "x"\nc: *x',
};
