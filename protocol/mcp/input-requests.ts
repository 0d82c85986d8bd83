// Requests of a tool to a person while its call is under way (MCP: elicitation), and the events about them.

/** A person, or the time, has answered what a call asked for; the call goes on. */
export const INPUT_ANSWERED = "input_answered";
/** The answers are about to be sent: from here on the outcome of the call is unknown until it has a result. */
export const INPUT_SENT = "input_sent";

export type InputRequest =
  | {
      readonly mode: "form";
      readonly message: string;
      /** A flat object of primitive values, as JSON Schema. */
      readonly requested_schema: Readonly<Record<string, unknown>>;
    }
  /** A page that the person opens by themselves. The platform never does. */
  | { readonly mode: "url"; readonly message: string; readonly url: string };

export type InputResponse =
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

export type InputResponses = Readonly<Record<string, InputResponse>>;

/** The requests of one call, in `REQUIRE_EXTERNAL_EXECUTION.metadata.elicitations` by the call's id. */
export interface Elicitation {
  /** The name of the server that asks. */
  readonly server: string;
  /** By a key of the server. */
  readonly requests: Readonly<Record<string, InputRequest>>;
  /** The number of the call's request, from 1. */
  readonly round: number;
  /** The server waits on an open connection: with its machine the call is lost. */
  readonly held: boolean;
}

export interface InputAnsweredValue {
  readonly reply_id: string;
  readonly tool_call_id: string;
  readonly responses: InputResponses;
}

/** The request of this call in the metadata of an event; null when it asks for nothing. */
export function elicitationOf(metadata: unknown, callId: string): Elicitation | null {
  if (!isFields(metadata) || !isFields(metadata["elicitations"])) return null;
  const listed = metadata["elicitations"];
  const found = Object.hasOwn(listed, callId) ? listed[callId] : null;
  if (!isFields(found) || !isFields(found["requests"])) return null;
  return found as unknown as Elicitation;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
