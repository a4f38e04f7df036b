/** Mutants that nobody could notice, by id, with the reason. One that a test does notice may not stand here. */
export const equivalent: Readonly<Record<string, string>> = {};
