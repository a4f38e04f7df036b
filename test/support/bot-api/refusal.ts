/** What the real service answers instead of a result; the texts are its own. */
export class Refusal extends Error {
  readonly status: number;
  readonly parameters: Readonly<Record<string, number>> | undefined;

  constructor(status: number, description: string, parameters?: Readonly<Record<string, number>>) {
    super(description);
    this.name = 'Refusal';
    this.status = status;
    this.parameters = parameters;
  }
}

export const badRequest = (text: string): Refusal => new Refusal(400, `Bad Request: ${text}`);
