import { takeTurn } from "../tools/take-turn.ts";
import { loadPart, type PartOwner } from "./parts.ts";

/**
 * The text of a value in parts, each read in a turn of its own; what follows is in a turn too. The value may change
 * meanwhile: the caller looks whether it did.
 */
export async function readTextInTurns(
  sql: SqlStorage,
  owner: PartOwner,
  { position, body, parts }: { position: number; body: ArrayBuffer; parts: number },
): Promise<string> {
  const decoder = new TextDecoder();
  let text = decoder.decode(body, { stream: true });
  for (let part = 1; part <= parts; part += 1) {
    // oxlint-disable-next-line no-await-in-loop
    await takeTurn();
    const bytes = loadPart(sql, { owner, key: position, part });
    if (bytes) text += decoder.decode(bytes, { stream: true });
  }
  await takeTurn();
  return text + decoder.decode();
}
