import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build as bundle, type Plugin } from 'esbuild';

// Bundles the program into dist/: one small start file, and chunks that are loaded when they are needed.
const root = fileURLToPath(new URL('../', import.meta.url));
rmSync(`${root}dist`, { recursive: true, force: true });

/** Ink asks for React's developer tools, an optional package that no release has. */
const noDevtools: Plugin = {
  name: 'no-devtools',
  setup(build) {
    build.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'empty' }));
    build.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {};' }));
  },
};

await bundle({
  absWorkingDir: root,
  entryPoints: { planchart: 'adapters/cli.ts', demo: 'adapters/demo/demo.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
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
