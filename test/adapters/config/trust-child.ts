import { remember } from '../../../adapters/cli/trust.ts';

/** Remembers a Yes for ten folders, one after another. */
const [home = '', name = ''] = process.argv.slice(2);
for (let at = 0; at < 10; at += 1) await remember(home, `/${name}/${at}`, 'trusted');
