#!/usr/bin/env node
// Starts the built program, or says what is missing. Nothing newer than Node 16 knows, so that an old one gets this far.
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
  console.error('courant is not built yet. In the root of the repository, run: npm run build:cli');
  process.exitCode = 1;
} else {
  start();
}

// The bundle is two texts: what most commands need, and the rest, which is read where something of it is called. The first line holds the name
// of what V8 keeps of them, and the length of the first.
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

// The build leaves nothing but ASCII in it: a text of two bytes a character would be twice as long to read and to keep.
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

// Most of a short command is V8 reading the program. It does so once: the code of the functions that ran is kept in the user's cache folder,
// for each command. (module.enableCompileCache keeps a script as it is before it runs, which here is nearly nothing.)
function run(source, id, part, other) {
  const place = findPlace(id, part);
  const cachedData = place === null ? undefined : read(place.file);
  const script = new vm.Script(source, { filename: bundle, cachedData });
  const program = { exports: {} };
  script.runInThisContext()(require, program, program.exports, bundle, path.dirname(bundle), other);
  if (place !== null && (cachedData === undefined || script.cachedDataRejected)) {
    process.once('exit', () => {
      keep(place, script.createCachedData());
    });
  }
  return program.exports;
}

// Null where nothing is to be kept, or there is no folder for it.
function findPlace(id, part) {
  const env = process.env;
  const command = /^[a-z]{1,20}$/.test(process.argv[2] || '') ? process.argv[2] : 'help';
  const home = env.HOME || env.USERPROFILE;
  const base =
    env.XDG_CACHE_HOME || (process.platform === 'win32' ? env.LOCALAPPDATA : home && path.join(home, '.cache'));
  if (!base || !path.isAbsolute(base) || env.NODE_DISABLE_COMPILE_CACHE) return null;
  // A folder of its own: others keep things in the one above.
  const folder = path.join(base, 'courant', 'cli');
  return {
    folder: folder,
    id: id,
    file: path.join(folder, `${[id, process.version, process.arch, command].join('-')}${part}.bin`),
  };
}

const OWN = /^[0-9a-f]{16}-v.*\.bin(?:\.\d+)?$/;

function read(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

// As a whole or not at all, and without that of other versions. A full or read-only disk changes nothing but the time it takes to start.
function keep(place, data) {
  const temporary = `${place.file}.${process.pid}`;
  try {
    makeFolder(place.folder);
    for (const name of fs.readdirSync(place.folder)) {
      if (OWN.test(name) && !name.startsWith(place.id)) fs.rmSync(path.join(place.folder, name), { force: true });
    }
    fs.writeFileSync(temporary, data, { mode: 0o600 });
    fs.renameSync(temporary, place.file);
  } catch {
    remove(temporary);
  }
}

// Not by `recursive`, which goes on for ever where a system answers ENOENT below a folder that is there, as Linux does below /proc.
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

// `force` ignores only what is absent: where a home is /dev/null, it is no folder either.
function remove(file) {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // The next one that can write there starts anew.
  }
}
