import type { ResolvedCard } from "../../a2a/cards/resolved-card.ts";
import { shortHash } from "../stream/short-hash.ts";

/** The hash by which a conversation knows its agent: of the address that it is asked at. */
export function authorOf({ interfaces: [{ url }] }: Pick<ResolvedCard, "interfaces">): string {
  return shortHash(url);
}
