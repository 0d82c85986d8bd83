import { timeSlice } from "../../runtime/time-slice.ts";
import { loadPart, type PartOwner } from "./parts.ts";

/**
 * The text of a value with parts, each read in a time slice of its own; the caller continues in a new one, too. The
 * value may change meanwhile, which the caller checks.
 */
export async function readTextInSlices(
  sql: SqlStorage,
  owner: PartOwner,
  { position, body, parts }: { position: number; body: ArrayBuffer; parts: number },
): Promise<string> {
  const decoder = new TextDecoder();
  let text = decoder.decode(body, { stream: true });
  for (let part = 1; part <= parts; part += 1) {
    await timeSlice();
    const bytes = loadPart(sql, { owner, key: position, part });
    if (bytes) text += decoder.decode(bytes, { stream: true });
  }
  await timeSlice();
  return text + decoder.decode();
}
