/** Stable and unique per call: the client sends it back with the answer. */
export function interruptId(replyId: string, callId: string): string {
  return `${replyId}:${callId}`;
}

/**
 * @returns Null for an id that is not an interrupt's. The reply's id has no colon; the call's, chosen by a model, may.
 */
export function parseInterruptId(
  id: string,
): { readonly reply_id: string; readonly call_id: string } | null {
  const end = id.indexOf(":");
  return end > 0 ? { reply_id: id.slice(0, end), call_id: id.slice(end + 1) } : null;
}
