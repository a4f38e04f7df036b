import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** zod brings its texts in 40 languages along; ours come from the machines. */
const noLocales: Plugin = {
  name: 'no-locales',
  setup(bundle) {
    bundle.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

/** The page's script with the real machines in it. Needs esbuild, which only a checkout has. */
export async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./browser.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [noLocales],
  });
  return outputFiles[0]?.text ?? '';
}
