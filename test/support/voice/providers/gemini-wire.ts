// Frames of Gemini Live, held to the types of Google's own package: what a fake server sends is of them, and of what it reads
// the members that our client sends, which they have to have.
import type { Content, LiveClientMessage, LiveServerMessage } from "@google/genai";

/** A type of the package as JSON: enums are their words, methods and getters of classes are left out. */
type Wire<Value> = Value extends string
  ? `${Value}`
  : Value extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Wire<Value[Name]> }
      : Value;

/** A part of a type, which is refused where the whole does not have it so. */
type Part<Whole, Own extends Whole> = Own;

/** `text` and `data` are getters of the package's class. */
export type GeminiServerFrame = Wire<Omit<LiveServerMessage, "text" | "data">>;
export type GeminiServerContent = NonNullable<GeminiServerFrame["serverContent"]>;
/** The whole of a setup, for what a test expects. */
export type GeminiSetup = NonNullable<Wire<LiveClientMessage>["setup"]>;

interface Blob {
  readonly mimeType: string;
  readonly data: string;
}

interface FunctionCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface FunctionResponse {
  readonly id: string;
  readonly name: string;
  readonly response: Readonly<Record<string, string>>;
}

export interface GeminiPart {
  readonly text?: string;
  readonly inlineData?: Blob;
  readonly functionCall?: FunctionCall;
  readonly functionResponse?: FunctionResponse;
}

export type GeminiContent = Part<
  Wire<Content>,
  { readonly role: "user" | "model"; readonly parts: readonly GeminiPart[] }
>;

/** One member each. */
export type GeminiClientFrame = Part<
  Wire<LiveClientMessage>,
  {
    readonly setup?: {
      readonly sessionResumption?: { readonly handle?: string };
      readonly historyConfig?: { readonly initialHistoryInClientContent: boolean };
      readonly tools?: readonly {
        readonly functionDeclarations: readonly { readonly name: string }[];
      }[];
    };
    readonly clientContent?: {
      readonly turns: readonly GeminiContent[];
      readonly turnComplete: boolean;
    };
    readonly realtimeInput?: {
      readonly audio?: Blob;
      readonly video?: Blob;
      readonly text?: string;
      readonly activityStart?: object;
      readonly activityEnd?: object;
    };
    readonly toolResponse?: { readonly functionResponses: readonly FunctionResponse[] };
  }
>;
