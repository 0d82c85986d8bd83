// The extension of A2A by which our agents say what people and other systems have to answer, and by which their streams
// go on after a cut. Its URI is in cards, in metadata of what is sent, and in parts that answer.
import type { A2aPart } from "./wire.ts";

/** The name of the extension. Its page is docs/a2a.md. */
export const A2A_EXTENSION = "urn:reprise:a2a:replies:v1";

/** Kinds of what a task waits for. */
type A2aQuestionKind = "confirmation" | "external_result" | "input" | "sign_in";

/** One call that waits, in the data part of a status message. */
export interface A2aQuestion {
  readonly kind: A2aQuestionKind;
  readonly call_id: string;
  readonly tool: string;
  /** Arguments as the model gave them: JSON in text. */
  readonly arguments: string;
  /** Set where the arguments are too large for the message and left out. */
  readonly omitted?: { readonly bytes: number };
  /** Of a confirmation: gives back what was shown; client tokens have to. */
  readonly input_hash?: string;
  readonly message?: string;
  /** JSON Schema of what may be given, of `input` and `external_result`. */
  readonly schema?: unknown;
  readonly url?: string;
  readonly expires_at?: string;
}

/** The data part's value: `{ [A2A_EXTENSION]: { questions } }`. */
export interface A2aQuestions {
  readonly questions: readonly A2aQuestion[];
}

/** One answer of the data part `{ [A2A_EXTENSION]: { answers } }`, in a message of role user. */
export type A2aAnswer =
  | {
      readonly kind: "confirmation";
      readonly call_id: string;
      readonly confirmed: boolean;
      readonly input_hash?: string;
      readonly reason?: string;
    }
  | {
      readonly kind: "external_result";
      readonly call_id: string;
      readonly output: unknown;
      readonly is_error?: boolean;
    }
  | {
      readonly kind: "input";
      readonly call_id: string;
      readonly action: "accept" | "decline" | "cancel";
      readonly content?: unknown;
    };

/** The data part's value: `{ [A2A_EXTENSION]: { output_schema } }`, in a message that begins a task. */
export interface A2aOutputSchema {
  /** JSON Schema of the object that the task is to give, as its artifact `structured_output`. */
  readonly output_schema: Readonly<Record<string, unknown>>;
}

/** Tokens of a task that is over, in the metadata of the task and of its last status: `{ [A2A_EXTENSION]: { usage } }`. */
export interface A2aUsage {
  readonly usage: Readonly<Record<"input_tokens" | "output_tokens", number>>;
}

/** The value under the extension's name of a data part; undefined for every other part. */
export function extensionData(part: A2aPart): unknown {
  const { data } = part;
  if (typeof data !== "object" || data === null || Array.isArray(data)) return undefined;
  return (data as Readonly<Record<string, unknown>>)[A2A_EXTENSION];
}
