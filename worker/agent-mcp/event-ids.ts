// The ids of frames: all that is needed to continue with a call's stream, on any machine. They prove nothing; who
// brings one back has to have a right to the session.
import { isId as isRpcId, type RpcId } from "../../protocol/agent-mcp/json-rpc.ts";
import { isId } from "../../protocol/ids.ts";

export interface StreamPlace {
  readonly session_id: string;
  readonly reply_id: string;
  /** The seq of the last event that was progress. */
  readonly seq: number;
  /** The request that the stream answers. */
  readonly id: RpcId;
  readonly progressToken: RpcId | undefined;
}

export function formatEventId({
  session_id,
  reply_id,
  seq,
  id,
  progressToken,
}: StreamPlace): string {
  const parts = progressToken === undefined ? [id] : [id, progressToken];
  return `${session_id}.${reply_id}.${seq}.${encodeURIComponent(JSON.stringify(parts))}`;
}

/** Null for any other text. */
export function parseEventId(text: string): StreamPlace | null {
  const [, session_id = "", reply_id = "", seq = "", encoded = ""] =
    /^(ses_\w{1,64})\.(rep_\w{1,64})\.(\d{1,15})\.([^.\s][^\s]{0,4000})$/.exec(text) ?? [];
  if (!isId("ses", session_id) || !isId("rep", reply_id)) return null;
  const parts = parseParts(encoded);
  if (!Array.isArray(parts) || parts.length < 1 || parts.length > 2) return null;
  const [id, progressToken] = parts as readonly unknown[];
  if (!isRpcId(id) || (progressToken !== undefined && !isRpcId(progressToken))) return null;
  return { session_id, reply_id, seq: Number(seq), id, progressToken };
}

function parseParts(encoded: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(encoded));
  } catch {
    return null;
  }
}
