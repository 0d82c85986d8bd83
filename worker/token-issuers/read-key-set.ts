import { readBytes } from "../../outgoing/body.ts";
import { egressRules, type EgressBindings } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { KEY_SET_TIMEOUT_MS, MAX_KEY_SET_BYTES } from "../../protocol/token-issuers/limits.ts";

/**
 * Reads an issuer's key set through the egress guard: no redirect is followed, and size and time are bounded.
 * @throws when the address is refused, and for anything but a JSON document in time.
 */
export async function readKeySet(env: EgressBindings, address: string): Promise<unknown> {
  const outgoing = createOutgoing({ ...egressRules(env), fetch });
  // Covers the body too.
  const signal = AbortSignal.timeout(KEY_SET_TIMEOUT_MS);
  const response = await outgoing(address, {
    headers: { Accept: "application/jwk-set+json, application/json" },
    signal,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`it answers with status ${response.status}`);
  }
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  for await (const piece of readBytes(response, { maxBytes: MAX_KEY_SET_BYTES })) {
    text += decoder.decode(piece, { stream: true });
  }
  return JSON.parse(text + decoder.decode());
}
