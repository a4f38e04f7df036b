import { inject } from 'vitest';
import { mutants } from './mutants.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Id of the mutant that the tests meet; empty: none. */
    mutant: string;
  }
}

// The machines are this worker's own, so nothing has to be mended afterwards.
const id = inject('mutant');
if (id !== '') {
  const mutant = mutants().find((one) => one.id === id);
  if (mutant === undefined) throw new Error(`There is no mutant ${id}`);
  mutant.apply();
}
