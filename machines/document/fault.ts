type FaultCode =
  | 'document.empty'
  | `${'context' | 'steps' | 'problem' | 'target' | 'intent'}.missing`
  | `${'context' | 'steps'}.duplicate`
  | `${'problem' | 'target' | 'intent'}.blank`
  | 'steps.none'
  | `${'fence' | 'comment'}.unclosed`;

/** One thing that keeps a session plan from being approved (D24). */
export interface TemplateFault {
  code: FaultCode;
  /** 1-based line of the file: where the thing is, or the line it belongs under. */
  line: number;
  /** One sentence that names what is missing. */
  text: string;
  /** Near miss: what stands there and what to write instead. */
  hint?: string;
}

/** Builds a fault; a null hint leaves the property out. */
export function templateFault(
  code: FaultCode,
  line: number,
  text: string,
  hint: string | null,
): TemplateFault {
  return hint === null ? { code, line, text } : { code, line, text, hint };
}

/** A line that was probably meant to be the missing thing. */
export interface NearMiss {
  line: number;
  hint: string;
}
