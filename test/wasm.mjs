// Runs a WASI program: node test/wasm.mjs PROGRAM ARGUMENT...
// The environment and the exit status are its own; after a trap the status is 1.
import { readFileSync } from 'node:fs';

process.removeAllListeners('warning'); // that node:wasi is experimental
const { WASI } = await import('node:wasi');

const args = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args, env: process.env, returnOnExit: true });
// Called by way of JavaScript: the direct calls that V8 would make crash when the memory has grown,
// https://github.com/nodejs/node/issues/53087
const imports = Object.entries(wasi.wasiImport).map(([name, f]) => [name, (...a) => f(...a)]);
const { instance } = await WebAssembly.instantiate(readFileSync(args[0]), {
  wasi_snapshot_preview1: Object.fromEntries(imports),
});
process.exitCode = wasi.start(instance);
