/** What a caught value says of itself; a thrown string stays itself. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
