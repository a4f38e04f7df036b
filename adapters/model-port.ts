/** One tool call of a response. `input` is the parsed JSON of the arguments, or `invalid` holds the raw text. */
export interface ModelCall {
  id: string;
  name: string;
  input: unknown;
  invalid?: string;
}

export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: readonly ModelCall[] }
  | { role: 'tool'; call: string; name: string; text: string; failed: boolean };

/** A tool as the model sees it; `parameters` is a JSON schema. */
export interface ModelTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface ModelRequest {
  system: string;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
}

export type ModelFaultCode =
  | 'MODEL_KEY'
  | 'MODEL_UNKNOWN'
  | 'MODEL_UNREACHABLE'
  | 'MODEL_STREAM'
  | 'MODEL_BUSY'
  | 'MODEL_CONTEXT'
  | 'MODEL_FAILED';

/** One clear line each: what failed, on what host or model, what to do next. Never a key. */
export interface ModelFault {
  code: ModelFaultCode;
  message: string;
}

export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'call'; call: ModelCall }
  | { type: 'retry'; attempt: number; of: number; waitMs: number; cause: string }
  | {
      type: 'end';
      reason: 'stop' | 'calls' | 'length' | 'aborted' | 'failed';
      fault?: ModelFault;
      usage?: { input: number; output: number };
    };

/**
 * Contract: `step` never throws and always finishes with exactly one `end` part, on abort too.
 * It asks the model for one response and executes nothing.
 */
export interface ModelPort {
  /** `openai:<model>`, `anthropic:<model>` or `rehearsal`. */
  readonly name: string;
  /** Shown on screen in every turn when the model is not one, e.g. the rehearsal model's label; else null. */
  readonly label: string | null;
  /** Window in tokens as configured (`model.context`, D27); absent or null: judged by the name. */
  readonly context?: number | null;
  step(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}
