// The port by which hooks are asked, and what they are shown.
import type { HookAnswer, HookDefinition } from "../../protocol/hooks/contract.ts";
import type { ToolChoice } from "../../protocol/models/model-options.ts";
import type { HookPoint } from "../../protocol/hooks/events.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";
import type { StopSignal, ToolDeclaration } from "../ports.ts";

/** A message as a hook is shown it. */
export interface ShownMessage {
  readonly id: string;
  readonly role: Msg["role"];
  readonly name: string;
  readonly content: readonly ContentBlock[];
}

/** A call as a hook is shown it: the input as parsed JSON. */
interface ShownCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The request of a model call, in no provider's form. */
export interface ShownModelRequest {
  readonly system_prompt: string;
  /** Oldest first; the last one may be the reply so far. */
  readonly messages: readonly ShownMessage[];
  readonly tools: readonly Pick<ToolDeclaration, "name" | "description" | "input_schema">[];
  /** Null for the model's own choice. */
  readonly tool_choice: ToolChoice | null;
  /** The schema that the reply has to fill in, which is also the input of one of the tools; null for none. */
  readonly structured_schema: JsonSchema | null;
}

/** The input of the function at a point; which members there are depends on the point. */
export interface HookInput {
  /** `pre_reply`, `pre_observe`, `post_observe`. */
  readonly messages?: readonly ShownMessage[];
  /** `pre_reasoning`, `pre_model_call`, `post_reasoning`: the number of the model call in its reply, from 1. */
  readonly iteration?: number;
  /** `pre_model_call`. */
  readonly request?: ShownModelRequest;
  /** `pre_model_call`: says what of the request is not shown; left out where all of it is. */
  readonly note?: string;
  /** `pre_reasoning`; null for the agent's own choice. */
  readonly tool_choice?: unknown;
  /** `pre_acting`, `post_acting`. */
  readonly tool_call?: ShownCall;
  /** `pre_print`, `post_print`: a finished block. */
  readonly block?: { readonly id: string; readonly type: string; readonly text: string };
}

/** The output of the function: only at points behind it. */
export interface HookOutput {
  /** `post_reasoning`: blocks of the model call; `post_reply`: of the whole message. */
  readonly message_id?: string;
  readonly blocks?: readonly ContentBlock[];
  /** `post_acting`: of the result. Data is not shown. */
  readonly state?: string;
  readonly text?: string;
}

export interface HookRequest {
  /** The same each time that this question is asked. Without a dot. */
  readonly id: string;
  readonly hook: HookDefinition;
  readonly point: HookPoint;
  readonly session_id: string;
  readonly reply_id: string | null;
  readonly end_user_id: string | null;
  readonly input: HookInput;
  readonly output?: HookOutput;
}

export type HookResponse =
  | { readonly ok: true; readonly answer: HookAnswer | null }
  /** The kind of failure, without words of the other side. */
  | { readonly ok: false; readonly kind: string };

export interface HookRunner {
  /** Contract: never rejects, and ends within the hook's time, or soon after `stop`. */
  ask(request: HookRequest, stop: StopSignal): Promise<HookResponse>;
}

/** A hook and where it was registered: both lists may have one of this name. */
export interface RegisteredHook {
  readonly definition: HookDefinition;
  readonly origin: "agent" | "session";
}
