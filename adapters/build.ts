import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle, type Plugin } from 'esbuild';
import { generateCharts } from './charts/generate.ts';
import { bundlePage } from './charts/page/bundle.ts';
import { renderPage } from './charts/page/index.ts';
import { loadPrompts } from './prompts.ts';

// Bundles the program into dist/: one small start file, and chunks that are loaded when they are needed.
const root = fileURLToPath(new URL('../', import.meta.url));
const dist = join(root, 'dist');

// A prompt whose text and variables do not fit is found here, not in a person's session.
loadPrompts(join(root, 'prompts'));

/** Ink asks for React's developer tools, an optional package that no release has. */
const noDevtools: Plugin = {
  name: 'no-devtools',
  setup(build) {
    build.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'empty' }));
    build.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {};' }));
  },
};

/**
 * Yoga fetches its own code from a `data:` address where there is a `fetch`, which loads all of Node's HTTP client
 * before the first frame. Without one it decodes the text itself.
 */
const yogaWithoutFetch: Plugin = {
  name: 'yoga-without-fetch',
  setup(build) {
    build.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replaceAll('typeof fetch', 'typeof undefined');
      return contents === text ? { errors: [{ text: `No "typeof fetch" in ${path}.` }] } : { contents };
    });
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
  plugins: [noDevtools, yogaWithoutFetch],
  banner: { js: "import { createRequire as _cr } from 'node:module'; const require = _cr(import.meta.url);" },
});

/** A program that runs from there meanwhile always finds a whole file: same bytes stay, others come by rename. */
function write(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  mkdirSync(folder, { recursive: true });
  const had = new Set(readdirSync(folder));
  for (const [name, contents] of files) {
    const path = join(folder, name);
    if (had.delete(name) && readFileSync(path).equals(contents)) continue;
    const next = join(folder, `${name}.${process.pid}.new`);
    writeFileSync(next, contents);
    renameSync(next, path);
  }
  for (const name of had)
    if (!name.endsWith('.new') && name !== 'charts')
      rmSync(join(folder, name), { recursive: true, force: true });
}

// A page without its script still shows every chart.
const script = await bundlePage();
const charts = await generateCharts((drawn) => renderPage({ charts: drawn, script }));
write(dist, new Map(outputFiles.map(({ path, contents }) => [basename(path), contents])));
write(join(dist, 'charts'), new Map([...charts].map(([name, text]) => [name, Buffer.from(text)])));
