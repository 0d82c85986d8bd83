// Shortens values for the text of a problem: a name may be very long.
import { MAX_QUOTED_CHARACTERS } from "../../protocol/schemas/limits.ts";

export function shorten(text: string): string {
  return text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text;
}

export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}
