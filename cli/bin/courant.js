#!/usr/bin/env node
// Starts the built program, or prints why it cannot. Uses only syntax of Node 16, so that the
// version check runs on old versions.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const bundle = path.join(__dirname, '../dist/courant.cjs');
const HEAD_BYTES = 32;

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`courant needs Node.js 20.0.0 or later; this is ${process.versions.node}.`);
  process.exitCode = 1;
} else if (!fs.existsSync(bundle)) {
  console.error('courant is not built. In the root of the repository, run: npm run build:cli');
  process.exitCode = 1;
} else {
  start();
}

// The bundle has two parts: one that most commands need, and the rest, read on first use. Its first
// line holds the id of V8's cached code and the length of the first part.
function start() {
  const file = fs.openSync(bundle, 'r');
  const [, id, length] = /^\/\/(\S+) +(\d+)\n/.exec(readText(file, 0, HEAD_BYTES)) || [];
  const end = HEAD_BYTES + Number(length);
  let table = null;
  const rest = (first) => {
    if (table === null) table = run(readText(file, end, fs.fstatSync(file).size - end), id, '-rest', first);
    return table;
  };
  run(readText(file, HEAD_BYTES, Number(length)), id, '', rest);
}

// The build emits ASCII only: a two-byte string would take twice the time and memory.
function readText(file, from, length) {
  const bytes = Buffer.allocUnsafeSlow(length);
  let read = 0;
  while (read < length) {
    const more = fs.readSync(file, bytes, read, length - read, from + read);
    if (more === 0) break;
    read += more;
  }
  return bytes.latin1Slice(0, read);
}

// A short command spends most of its time compiling. So the compiled code of the functions that ran
// is cached per command. module.enableCompileCache stores a script before it runs, when hardly any
// function is compiled.
function run(source, id, part, other) {
  const cache = locateCache(id, part);
  const cachedData = cache === null ? undefined : read(cache.file);
  const script = new vm.Script(source, { filename: bundle, cachedData });
  const program = { exports: {} };
  script.runInThisContext()(require, program, program.exports, bundle, path.dirname(bundle), other);
  if (cache !== null && (cachedData === undefined || script.cachedDataRejected)) {
    process.once('exit', () => {
      writeCache(cache, script.createCachedData());
    });
  }
  return program.exports;
}

// Returns null if the cache is turned off or has no folder.
function locateCache(id, part) {
  const env = process.env;
  const command = /^[a-z]{1,20}$/.test(process.argv[2] || '') ? process.argv[2] : 'help';
  const home = env.HOME || env.USERPROFILE;
  const base =
    env.XDG_CACHE_HOME || (process.platform === 'win32' ? env.LOCALAPPDATA : home && path.join(home, '.cache'));
  if (!base || !path.isAbsolute(base) || env.NODE_DISABLE_COMPILE_CACHE) return null;
  // A separate folder: other programs use the one above.
  const folder = path.join(base, 'courant', 'cli');
  return {
    folder: folder,
    id: id,
    file: path.join(folder, `${[id, process.version, process.arch, command].join('-')}${part}.bin`),
  };
}

const BIN_FILE = /^[0-9a-f]{16}-v.*\.bin(?:\.\d+)?$/;

function read(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

// Writes atomically, and removes files of other versions. A full or read-only disk only slows the
// start.
function writeCache(cache, data) {
  const temporary = `${cache.file}.${process.pid}`;
  try {
    makeFolder(cache.folder);
    for (const name of fs.readdirSync(cache.folder)) {
      if (BIN_FILE.test(name) && !name.startsWith(cache.id)) fs.rmSync(path.join(cache.folder, name), { force: true });
    }
    fs.writeFileSync(temporary, data, { mode: 0o600 });
    fs.renameSync(temporary, cache.file);
  } catch {
    remove(temporary);
  }
}

// Without `recursive`, which never ends where a system returns ENOENT below an existing folder, as
// Linux does below /proc.
function makeFolder(folder) {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code === 'EEXIST') return;
    if (error.code !== 'ENOENT' || path.dirname(folder) === folder) throw error;
    makeFolder(path.dirname(folder));
    fs.mkdirSync(folder, { mode: 0o700 });
  }
}

// `force` ignores only absent files. With /dev/null as home, the error is ENOTDIR.
function remove(file) {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // The next start that can write there replaces it.
  }
}
