// An answer that takes long begins with spaces, which JSON allows: proxies close a request that is silent.
import { A2A_HEARTBEAT_MS } from "../../protocol/a2a/limits.ts";
import { inBackground } from "../in-background.ts";
import type { A2aCall } from "./a2a-call.ts";
import { answerValue, bodyOf, contentTypeOf, failureBody } from "./bindings.ts";
import { toFailure } from "./to-failure.ts";

/**
 * The value as the answer. @param make Gets a signal that its client has left. One that is there soon has its own status; later the status is 200 and has been sent, so that a
 * failure is in the body alone.
 */
export async function withHeartbeat(
  { binding, context }: A2aCall,
  make: (left: AbortSignal) => Promise<object>,
): Promise<Response> {
  const [left, isMade] = [new AbortController(), new AbortController()];
  const made = make(left.signal);
  const beats = scheduler.wait(A2A_HEARTBEAT_MS, { signal: isMade.signal }).then(
    () => null,
    () => null,
  );
  const soon = await Promise.race([made, beats]).finally(() => isMade.abort());
  if (soon) return answerValue(binding, soon);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const write = (text: string) => writer.write(encoder.encode(text)).catch(() => left.abort());
  const beat = setInterval(() => void write(" "), A2A_HEARTBEAT_MS);
  void write(" ");
  inBackground("A2A: an answer", send());
  return new Response(readable, { headers: { "Content-Type": contentTypeOf(binding) } });

  async function send(): Promise<void> {
    try {
      const value = await made.then(
        (result) => bodyOf(binding, result),
        (error: unknown) => failureBody(binding, toFailure(error, context)),
      );
      await write(JSON.stringify(value));
    } finally {
      clearInterval(beat);
      await writer.close().catch(() => undefined);
    }
  }
}
