// Facts of a request that the parts of the MCP server share.
import type { PendingCall, Reply } from "../../protocol/replies/contract.ts";
import type { MessageEra } from "../../protocol/agent-mcp/classify-message.ts";
import type { RpcId } from "../../protocol/agent-mcp/json-rpc.ts";
import type { CallResult } from "../../protocol/agent-mcp/to-call-result.ts";
import type { AppContext } from "../app-env.ts";

/** The agent of the path, as its tools name it. */
export interface ServedAgent {
  readonly id: string;
  readonly name: string;
}

/** One `tools/call`. */
export interface ServedCall {
  readonly context: AppContext;
  readonly agent: ServedAgent;
  readonly era: MessageEra;
  readonly id: RpcId;
  /** Random: what the session's object knows the call by while it follows a reply. */
  readonly followerId: string;
  /** The token under which progress is reported; undefined when the client wants none. */
  readonly progressToken: RpcId | undefined;
  /** From the header or `_meta`: the call acts once, however often it is sent. */
  readonly idempotencyKey: string | undefined;
}

/** A reply whose outcome is the result of the call. */
export interface FollowedReply {
  readonly session_id: string;
  readonly reply_id: string;
  /** Events above this seq are progress. */
  readonly after: number;
  /** Questions ({@link questionOf}) that the client was asked already: it is not asked again. */
  readonly asked: readonly string[];
  /** Whether the call has begun the reply or made it continue: the reply ends when its client leaves, in 2026-07-28. */
  readonly owns: boolean;
}

export type BegunCall =
  | { readonly kind: "done"; readonly result: CallResult }
  | { readonly kind: "invalid"; readonly message: string }
  | { readonly kind: "follow"; readonly reply: FollowedReply };

/** Names a question: one call may need a permission first, and then its result. */
export function questionOf(kind: PendingCall["kind"], callId: string): string {
  return `${kind} ${callId}`;
}

export function done(result: CallResult): BegunCall {
  return { kind: "done", result };
}

export function follow(
  reply: Reply,
  { asked = [], owns }: Partial<Pick<FollowedReply, "asked">> & Pick<FollowedReply, "owns">,
): BegunCall {
  const { session_id, id: reply_id, cursor: after } = reply;
  return { kind: "follow", reply: { session_id, reply_id, after, asked, owns } };
}
