import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle, type Plugin } from 'esbuild';

// Bundles the program into dist/: one small start file, and chunks that are loaded when they are needed.
const root = fileURLToPath(new URL('../', import.meta.url));
const dist = join(root, 'dist');

/** Ink asks for React's developer tools, an optional package that no release has. */
const noDevtools: Plugin = {
  name: 'no-devtools',
  setup(build) {
    build.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'empty' }));
    build.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {};' }));
  },
};

const { outputFiles } = await bundle({
  absWorkingDir: root,
  entryPoints: { planchart: 'adapters/cli.ts', demo: 'adapters/demo/demo.ts' },
  outdir: dist,
  bundle: true,
  splitting: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  jsx: 'automatic',
  minify: true,
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  plugins: [noDevtools],
  banner: { js: "import { createRequire as _cr } from 'node:module'; const require = _cr(import.meta.url);" },
});

// A program that runs from dist/ meanwhile always finds a whole file: same bytes stay, others come by rename.
mkdirSync(dist, { recursive: true });
const had = new Set(readdirSync(dist));
for (const { path, contents } of outputFiles) {
  const name = basename(path);
  if (had.delete(name) && readFileSync(path).equals(contents)) continue;
  const next = join(dist, `${name}.${process.pid}.new`);
  writeFileSync(next, contents);
  renameSync(next, path);
}
for (const name of had)
  if (!name.endsWith('.new')) rmSync(join(dist, name), { recursive: true, force: true });
