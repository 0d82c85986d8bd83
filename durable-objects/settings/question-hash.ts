import { hashInput } from "./hash-input.ts";

/** By which a hook's question about a text is known again: 128 bits, since it is a part of a header. */
export async function questionHash(text: string): Promise<string> {
  return (await hashInput("", text)).slice(-32);
}
